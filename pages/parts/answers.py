"""Asking the documents: one question, answered at once, with its quotes and where they stand."""

from __future__ import annotations

from concurrent.futures import CancelledError, Future
from dataclasses import dataclass

import streamlit as st

from pages.parts.bars import indexing
from pages.parts.choice import narrowed
from pages.parts.passages import passage_card, scores
from pages.parts.places import place_button
from pages.parts.progress import notice_line
from pages.parts.sources import anchor, claims
from pages.parts.words import duration, language, plain, say, told
from research.errors import DossierError
from research.models import Hit
from research.report.citations import Citation, number_citations
from research.report.screen import for_screen, parts_for_screen
from research.runs import get_service
from research.runs.asking import Answer

TICK = 0.4
EXCERPT = 200
"""Characters of a passage in the list of all that were found."""
TROUBLE = "answer-trouble"


@dataclass
class Asked:
    """A question on its way, or answered."""

    question: str
    documents: tuple[str, ...] | None
    future: Future[Answer]
    text: str = ""
    """The answer as far as it is written."""

    def take(self, text: str) -> None:
        """Told by the engine, on its own thread."""
        self.text = text


def show() -> None:
    """The question, where to look, and the answer."""
    documents = get_service().library.documents()
    if not documents:
        st.caption(say("knowledge.ask_first"))
        return
    question = st.container()
    with st.container(horizontal=True, vertical_alignment="bottom"):
        among = narrowed("ask", documents)
    if among is not None and not among:
        st.caption(say("where.nothing"))
    with question:
        _question(among)
    asked: Asked | None = st.session_state.get("asked")
    if asked is None:
        return
    if not asked.future.done():
        st.fragment(_stop)(asked)
        st.fragment(_follow, run_every=TICK)(asked)
    else:
        _result(asked)


def _question(among: tuple[str, ...] | None) -> None:
    if "question-to-documents" not in st.session_state:
        st.session_state["question-to-documents"] = st.query_params.get("question", "")
    with st.form("ask-documents", border=False, enter_to_submit=False):
        st.text_area(
            say("answer.question"),
            placeholder=say("answer.placeholder"),
            height=90,
            key="question-to-documents",
            persist_state="session",
        )
        st.form_submit_button(
            say("answer.ask"),
            type="primary",
            icon=":material/forum:",
            key="ask-documents-submit",
            on_click=_ask,
            args=(among,),
        )
    if indexing():
        st.caption(f":material/info: {say('ask.still_indexing')}")
    if trouble := st.session_state.pop(TROUBLE, None):
        st.error(told(trouble), icon=":material/error:")


def _ask(among: tuple[str, ...] | None) -> None:
    question = st.session_state["question-to-documents"]
    if before := st.session_state.pop("asked", None):
        before.future.cancel()
    try:
        # The future is known only after the call, which may tell text at once.
        asked = Asked(question.strip(), among, Future())
        asked.future = get_service().ask(question, documents=among, on_text=asked.take)
    except DossierError as error:
        st.session_state[TROUBLE] = error.notice
    else:
        st.query_params["question"] = asked.question
        st.session_state["asked"] = asked


def _stop(asked: Asked) -> None:
    if st.button(say("answer.stop"), icon=":material/stop_circle:", key="answer-stop"):
        asked.future.cancel()
        st.rerun()


def _follow(asked: Asked) -> None:
    if asked.future.done():
        st.rerun()
    with st.container(border=True):
        st.caption(f":material/manage_search: {say('answer.looking')}")
        if asked.text:
            st.markdown(for_screen(asked.text))


def _result(asked: Asked) -> None:
    try:
        answer = asked.future.result()
    except CancelledError:
        st.caption(say("answer.stopped"))
    except DossierError as error:
        st.error(error.sentence(language()), icon=":material/error:")
    else:
        _answer(asked, answer)


def _answer(asked: Asked, answer: Answer) -> None:
    numbered = number_citations(answer.markdown, answer.evidence)
    st.header(plain(answer.question), anchor=False)
    with st.container(border=True, gap="small"):
        if answer.mode == "extractive" and answer.answered:
            st.caption(f":material/format_quote: {say('answer.quoted')}")
        for part in parts_for_screen(
            numbered, answer.evidence, lambda entry: f"#{anchor(entry.number)}"
        ):
            if isinstance(part, str):
                st.markdown(part)
        for notice in answer.notices:
            st.markdown(notice_line(notice))
        took = [say(f"mode.{answer.mode}"), say("answer.took", time=duration(answer.seconds))]
        st.caption(" · ".join(took))
    _research(asked)
    if numbered.entries:
        st.header(say("answer.passages"), anchor=False)
        for entry in numbered.entries:
            passage_card(entry, key="answer", anchor=anchor(entry.number))
    claims(answer.claims, numbered.entries)
    _searched(answer, numbered.entries)


def _research(asked: Asked) -> None:
    if st.button(
        say("answer.research"),
        icon=":material/travel_explore:",
        help=say("answer.research_help"),
        key="answer-research",
    ):
        st.session_state["question"] = asked.question
        st.session_state["documents"] = list(asked.documents or ())
        st.switch_page("research.py")


def _searched(answer: Answer, cited: tuple[Citation, ...]) -> None:
    """What was searched for, and every passage that came back, with its scores."""
    with st.expander(
        say("answer.searched"), icon=":material/troubleshoot:", key="answer-why", on_change="rerun"
    ) as why:
        if not why.open:
            return
        if answer.queries:
            st.markdown(f"**{say('answer.queries')}**")
            st.markdown("\n".join(f"- {plain(query)}" for query in answer.queries))
        if answer.hits:
            st.caption(say("answer.why"))
        numbers = {entry.passage.id: entry.number for entry in cited}
        for rank, hit in enumerate(answer.hits, 1):
            source = answer.evidence.sources[hit.passage.source_id]
            _found(Citation(rank, hit.passage, source), hit, numbers.get(hit.passage.id))


def _found(entry: Citation, hit: Hit, cited: int | None) -> None:
    with st.container(border=True, gap="xxsmall"):
        where = " · ".join(filter(None, (entry.name(), entry.where(language()))))
        title = f"**{entry.number}. {plain(where)}**"
        if cited:
            title += f" :blue-badge[{say('answer.cited', number=cited)}]"
        st.markdown(title)
        text = " ".join(entry.passage.text.split())
        st.caption(plain(text if len(text) <= EXCERPT else f"{text[:EXCERPT].rstrip()}…"))
        with st.container(horizontal=True, vertical_alignment="center", gap="small"):
            st.markdown(f":small[{scores(hit)}]", width="content")
            place_button(entry, "found")
