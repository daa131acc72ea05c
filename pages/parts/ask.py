"""The first screen: what is on, the question, the documents, and the options."""

from __future__ import annotations

import streamlit as st

from pages.parts.bars import bars, indexing, reading
from pages.parts.choice import chosen, where
from pages.parts.status import what_is_on
from pages.parts.uploads import add_samples, samples, upload_box
from pages.parts.words import LANGUAGES, plain, say, told
from research.errors import DossierError
from research.knowledge.documents import Document
from research.models import RunOptions
from research.runs import get_service

TROUBLE = "ask-trouble"


def show() -> None:
    """Ask for a question, and start a run with it."""
    st.title(say("ask.title"))
    what_is_on()
    documents = get_service().library.documents()
    question, beside = st.columns([3, 2], gap="large")
    with question:
        _question_form()
        _samples(documents)
        _options()
    with beside:
        upload_box("ask")
        bars()
        if documents:
            where("documents", say("ask.documents"), documents, help=say("ask.documents_help"))
        if indexing():
            st.caption(f":material/info: {say('ask.still_indexing')}")


def _question_form() -> None:
    with st.form("ask", border=False, enter_to_submit=False):
        st.text_area(
            say("ask.question"),
            key="question",
            height=150,
            placeholder=say("ask.placeholder"),
            persist_state="session",
        )
        wait = reading()
        st.form_submit_button(
            say("ask.wait") if wait else say("ask.start"),
            type="primary",
            icon=":material/hourglass_empty:" if wait else ":material/arrow_forward:",
            disabled=wait,
            key="start",
            on_click=_start,
        )
    if trouble := st.session_state.pop(TROUBLE, None):
        st.error(told(trouble), icon=":material/error:")


def _start() -> None:
    try:
        run_id = get_service().start(st.session_state["question"], _chosen())
    except DossierError as error:
        st.session_state[TROUBLE] = error.notice
    else:
        st.session_state["question"] = ""
        st.query_params["run"] = run_id


def _chosen() -> RunOptions:
    state = st.session_state
    return RunOptions(
        documents=chosen("documents"),
        use_web=state.get("use_web", True),
        accept_plan=state.get("accept_plan", False),
        max_steps=state.get("max_steps", 5),
        language=state.get("report_language"),
    )


def _samples(documents: list[Document]) -> None:
    there = {document.name for document in documents}
    if reading() or all(path.name in there for path in samples()):
        return
    st.button(
        say("ask.samples"),
        icon=":material/science:",
        help=say("ask.samples_help"),
        on_click=_try_samples,
    )


def _try_samples() -> None:
    add_samples()
    st.session_state["question"] = say("ask.example")


def _options() -> None:
    search = get_service().status().search
    with st.expander(say("ask.options"), icon=":material/tune:"):
        st.toggle(
            say("ask.use_web", engine=plain(search)) if search else say("ask.no_web"),
            value=True,
            key="use_web",
            disabled=not search,
            persist_state="session",
        )
        st.toggle(
            say("ask.accept_plan"),
            key="accept_plan",
            help=say("ask.accept_plan_help"),
            persist_state="session",
        )
        st.slider(say("ask.max_steps"), 1, 12, 5, key="max_steps", persist_state="session")
        st.selectbox(
            say("ask.language"),
            [None, *LANGUAGES],
            format_func=lambda code: LANGUAGES[code] if code else say("ask.language_follows"),
            key="report_language",
            persist_state="session",
        )
