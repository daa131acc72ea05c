"""Asking the documents: one question, answered at once from what they hold, without a run."""

from __future__ import annotations

import asyncio
import time
from collections.abc import Callable, Collection

from research.agents.analyst import FindingText, Inquiry, OnText
from research.i18n import language_of, text
from research.knowledge.library import Library
from research.llm.client import RESTART
from research.models import Claim, Hit, Language, Mode, Model, Notice, Source, Usage, Verdict
from research.report.claims import check_claims
from research.report.evidence import Evidence
from research.report.writer import escape
from research.runs.surroundings import Surroundings

VARIANTS = 3
"""How many further angles on the question are searched."""
PASSAGES = 16
"""Found for a question."""

OnAnswer = Callable[[str], None]
"""Is told the answer as far as it is written, each time there is more of it.

Citations in it may still be numbers that mean nothing to the reader."""


class Answer(Model):
    """What the documents say to a question, and what it stands on."""

    question: str
    language: Language
    mode: Mode
    answered: bool
    """False where the documents hold no answer; ``markdown`` and ``notices`` then say so."""
    markdown: str
    """Markdown; each citation is ``[^passage id]`` of one of ``hits``."""
    hits: tuple[Hit, ...] = ()
    """All that was found, cited or not, the best first, with its scores."""
    sources: tuple[Source, ...] = ()
    """The documents that ``hits`` stand in."""
    claims: tuple[Claim, ...] = ()
    """Each cited sentence, and whether its passages say what it says."""
    queries: tuple[str, ...] = ()
    """What was searched for."""
    notices: tuple[Notice, ...] = ()
    usage: Usage = Usage()
    seconds: float = 0.0

    @property
    def evidence(self) -> Evidence:
        """What citations lead to, for ``number_citations`` and the passage cards."""
        return Evidence(
            passages={hit.passage.id: hit.passage for hit in self.hits},
            sources={source.id: source for source in self.sources},
        )


async def answer_question(
    surroundings: Surroundings,
    library: Library,
    question: str,
    *,
    documents: Collection[str] | None,
    language: Language | None,
    on_text: OnAnswer | None,
) -> Answer:
    """Search the documents with the question and its variants, and answer from what is found.

    Args:
        surroundings: Who answers.
        library: Where to look.
        question: In any language; not empty.
        documents: Ids of the documents to look in; None means all.
        language: Of the answer; None follows the question.
        on_text: Is told the answer while it is written.

    Raises:
        ModelError: The model gave no answer.
    """
    began = time.monotonic()
    language = language or language_of(question)
    analyst, calls = await asyncio.to_thread(surroundings.of_question)
    spoken = await asyncio.to_thread(_languages, library, documents)
    queries: tuple[str, ...] = ()
    hits: tuple[Hit, ...] = ()
    if spoken:
        found = await analyst.rewrite(question, language_of(question), VARIANTS, _unheard, spoken)
        queries = tuple(dict.fromkeys((question, found.query, *found.variants)))
        hits = tuple(
            await asyncio.to_thread(library.search, queries, documents=documents, limit=PASSAGES)
        )
    sources = await asyncio.to_thread(library.sources, {hit.passage.source_id for hit in hits})
    # A document may have been removed meanwhile.
    hits = tuple(hit for hit in hits if hit.passage.source_id in sources)
    inquiry = Inquiry(question, language, hits, sources, queries)
    said = FindingText("", empty=True)
    if hits:
        said = await analyst.answer(inquiry, _joined(on_text))
    markdown = "\n\n".join(filter(None, (said.text, _nothing(inquiry) if said.empty else "")))
    answer = Answer(
        question=question,
        language=language,
        mode=analyst.mode,
        answered=not said.empty,
        markdown=markdown,
        hits=hits,
        sources=tuple(sources.values()),
        queries=queries,
        usage=calls.usage,
    )
    claims = await asyncio.to_thread(check_claims, markdown, answer.evidence)
    waiting = await asyncio.to_thread(library.unembedded)
    foreign = spoken and language_of(question) not in spoken and analyst.mode == "extractive"
    return answer.model_copy(
        update={
            "claims": claims,
            "notices": _notices(claims, waiting, foreign=bool(foreign)),
            "seconds": round(time.monotonic() - began, 3),
        }
    )


def _languages(library: Library, documents: Collection[str] | None) -> list[Language]:
    """The languages of the documents that are asked; none where there is nothing to ask."""
    asked = (one for one in library.documents() if documents is None or one.id in documents)
    return sorted({document.language for document in asked})


def _nothing(inquiry: Inquiry) -> str:
    if not inquiry.searched:
        return text("answers.no_documents", inquiry.language)
    return text("answers.nothing", inquiry.language, searched=escape("; ".join(inquiry.searched)))


def _notices(claims: Collection[Claim], waiting: int, *, foreign: bool) -> tuple[Notice, ...]:
    notices = []
    if foreign:
        notices.append(Notice(key="answers.other_language"))
    if waiting:
        notices.append(Notice(key="answers.still_embedding", params={"passages": waiting}))
    if astray := sum(claim.verdict is Verdict.NOT_FOUND for claim in claims):
        notices.append(Notice(key="answers.not_held", params={"count": astray}, level="warning"))
    return tuple(notices)


def _joined(on_text: OnAnswer | None) -> OnText:
    """Takes the pieces of a text, and tells ``on_text`` the whole so far."""
    if on_text is None:
        return _unheard
    so_far = ""

    def take(piece: str) -> None:
        nonlocal so_far
        so_far = "" if piece == RESTART else so_far + piece
        on_text(so_far)

    return take


def _unheard(_: str) -> None:
    return None
