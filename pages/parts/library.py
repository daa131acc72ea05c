"""The documents of the library: the list, and what retrieval finds in them."""

from __future__ import annotations

import streamlit as st

from pages.parts.passages import passage_card
from pages.parts.uploads import add_samples, reading
from pages.parts.words import count, language, moment, plain, say, size, told
from research.errors import DossierError
from research.knowledge.documents import Document
from research.report.citations import Citation
from research.runs import get_service

KINDS = {"pdf": ":material/picture_as_pdf:", "csv": ":material/table:", "xlsx": ":material/table:"}


def listing() -> None:
    """Every document, with what was found in it."""
    documents = get_service().library.documents()
    if not documents:
        if not reading():
            _empty()
        return
    st.header(count("documents", len(documents)), anchor=False)
    for document in documents:
        _row(document)


def _empty() -> None:
    with st.container(border=True):
        st.markdown(say("knowledge.empty"))
        st.button(say("ask.samples"), icon=":material/science:", on_click=add_samples)


def _row(document: Document) -> None:
    with st.container(border=True, gap="xsmall"):
        with st.container(
            horizontal=True, vertical_alignment="center", horizontal_alignment="distribute"
        ):
            icon = KINDS.get(document.kind, ":material/description:")
            st.markdown(f"{icon} **{plain(document.name)}**")
            if st.button(
                say("knowledge.remove"),
                key=f"remove-{document.id}",
                type="tertiary",
                icon=":material/delete:",
            ):
                _confirm_removal(document)
        st.caption(" · ".join(_facts(document)))
        for warning in document.warnings:
            st.caption(f":material/warning: {told(warning)}")


def _facts(document: Document) -> list[str]:
    facts = [document.kind.upper(), size(document.bytes)]
    if document.pages:
        facts.append(count("pages", document.pages))
    if document.rows:
        facts.append(count("rows", document.rows))
    facts.append(count("passages", document.passages))
    if document.tables:
        facts.append(count("tables", document.tables))
    facts.append(moment(document.added_at))
    return facts


def _confirm_removal(document: Document) -> None:
    @st.dialog(say("knowledge.remove_title"), icon=":material/delete:")
    def confirm() -> None:
        st.markdown(say("knowledge.remove_question", name=plain(document.name)))
        with st.container(horizontal=True):
            if st.button(say("knowledge.remove_confirm"), type="primary", key="remove-confirm"):
                try:
                    get_service().library.remove(document.id)
                except DossierError as error:
                    st.error(error.sentence(language()))
                else:
                    st.rerun()
            if st.button(say("cancel"), key="remove-cancel"):
                st.rerun()

    confirm()


def search() -> None:
    """What retrieval finds for a query, best first, with its scores."""
    library = get_service().library
    if not library.documents():
        return
    st.header(say("knowledge.search_title"), anchor=False)
    query = st.text_input(
        say("knowledge.search"),
        placeholder=say("knowledge.search_placeholder"),
        icon=":material/search:",
        key="knowledge-search",
        label_visibility="collapsed",
    )
    if not query.strip():
        st.caption(say("knowledge.search_help"))
        return
    try:
        hits = library.search([query])
    except DossierError as error:
        st.error(error.sentence(language()), icon=":material/error:")
        return
    if not hits:
        st.caption(say("knowledge.nothing_found"))
    known = library.sources({hit.passage.source_id for hit in hits})
    for rank, hit in enumerate(hits, 1):
        note = say("knowledge.score", score=f"{hit.score:.4f}")
        if hit.similarity is not None:
            note += " · " + say("knowledge.similarity", similarity=f"{hit.similarity:.2f}")
        if source := known.get(hit.passage.source_id):
            passage_card(Citation(rank, hit.passage, source), note=note)
