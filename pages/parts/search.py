"""Searching the documents: what retrieval finds for words or a question, and why."""

from __future__ import annotations

import streamlit as st

from pages.parts.choice import narrowed
from pages.parts.passages import passage_card, scores
from pages.parts.words import language, say, told
from research.errors import DossierError
from research.report.citations import Citation
from research.runs import get_service


def show() -> None:
    """The query, where to look, and what is found, best first."""
    library = get_service().library
    documents = library.documents()
    if not documents:
        st.caption(say("knowledge.ask_first"))
        return
    query = st.text_input(
        say("search.label"),
        type="search",
        placeholder=say("search.placeholder"),
        icon=":material/search:",
        key="q",
        bind="query-params",
    )
    with st.container(horizontal=True, vertical_alignment="bottom"):
        among = narrowed("search", documents)
        scored = st.toggle(
            say("search.scores"),
            key="search-scores",
            help=say("search.scores_help"),
            persist_state="session",
        )
    if not (query or "").strip():
        st.caption(say("search.help"))
    elif among is not None and not among:
        st.caption(say("where.nothing"))
    else:
        _found(query or "", among, scored)


def _found(query: str, among: tuple[str, ...] | None, scored: bool) -> None:
    library = get_service().library
    try:
        hits = library.search([query], documents=among)
    except DossierError as error:
        st.error(error.sentence(language()), icon=":material/error:")
        return
    for notice in library.notices():
        st.warning(told(notice), icon=":material/warning:")
    if not hits:
        st.caption(say("search.nothing_found"))
    known = library.sources({hit.passage.source_id for hit in hits})
    for rank, hit in enumerate(hits, 1):
        if source := known.get(hit.passage.source_id):
            note = scores(hit) if scored else ""
            passage_card(Citation(rank, hit.passage, source), key="hit", note=note)
