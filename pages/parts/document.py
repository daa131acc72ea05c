"""One document: what it is, what was found in it, its older versions and its tables."""

from __future__ import annotations

import streamlit as st

from pages.parts.bars import found_in, keep_both
from pages.parts.places import look_at_pages
from pages.parts.tables import tables
from pages.parts.words import LANGUAGES, day, language, moment, plain, say, size, told
from research.errors import DossierError
from research.knowledge.documents import Document
from research.runs import get_service

WITH_PAGES = ("pdf", "image")
"""Kinds whose pages can be shown as pictures."""


def facts(document: Document) -> list[str]:
    """What can be said of a document in one line."""
    words = [say(f"kind.{document.kind}"), *found_in(document), size(document.bytes)]
    words.append(LANGUAGES[document.language])
    words += [plain(document.version)] if document.version else []
    words.append(day(document.date or document.added_at))
    return words


def show(document_id: str) -> None:
    """Everything about one document."""
    document = get_service().library.document(document_id)
    _back()
    if document is None:
        st.warning(say("document.unknown"), icon=":material/search_off:")
        return
    st.title(plain(document.name), anchor=False)
    if document.title not in (document.name, document.name.rpartition(".")[0]):
        st.markdown(plain(document.title))
    _actions(document)
    _facts(document)
    if document.warnings:
        with st.container(border=True, gap="xsmall"):
            st.markdown(f":orange[:material/warning:] **{say('document.warnings')}**")
            for warning in document.warnings:
                st.markdown(f"- {told(warning)}")
    tables(document)
    _history(document)


def _back() -> None:
    if st.button(
        say("document.back"), icon=":material/arrow_back:", type="tertiary", key="document-back"
    ):
        del st.query_params["doc"]
        st.rerun()


def _actions(document: Document) -> None:
    with st.container(horizontal=True, vertical_alignment="bottom"):
        _move(document)
        st.link_button(
            say("document.original"), f"/documents/{document.id}", icon=":material/open_in_new:"
        )
        if document.kind in WITH_PAGES and st.button(
            say("document.pages"), icon=":material/auto_stories:", key="document-pages"
        ):
            look_at_pages(document.id, document.name, document.pages or 1)
        if st.button(
            say("knowledge.remove"), icon=":material/delete:", key=f"remove-{document.id}"
        ):
            confirm_removal(document)


def _move(document: Document) -> None:
    library = get_service().library
    known = library.collections()
    if not known:
        return
    names = {"": say("collection.none"), **{each.id: each.name for each in known}}
    key = f"move-{document.id}"
    st.session_state[key] = document.collection or ""
    st.selectbox(
        say("collection.label"),
        list(names),
        format_func=lambda each: names[each],
        key=key,
        on_change=lambda: library.move(document.id, st.session_state[key] or None),
        width=260,
    )


def _facts(document: Document) -> None:
    known = {
        "kind": say(f"kind.{document.kind}"),
        "extent": " · ".join(found_in(document)),
        "size": size(document.bytes),
        "language": LANGUAGES[document.language],
        "date": day(document.date) if document.date else "",
        "version": plain(document.version),
        "added": moment(document.added_at),
    }
    grid = st.grid("auto", min_column_width=170, gap=("xsmall", "medium"))
    for name, value in known.items():
        if value:
            grid.markdown(f":small[:gray[{say(f'document.{name}')}]]  \n{value}")


def _history(document: Document) -> None:
    versions = get_service().library.versions(document.id)
    if not versions:
        return
    st.header(say("document.history"), anchor=False)
    for version in versions:
        older = version.document
        with st.container(border=True, gap="xsmall"):
            when = say(
                "document.replaced_at",
                added=moment(older.added_at),
                replaced=moment(version.replaced_at),
            )
            st.markdown(f"**{plain(older.name)}** · {when}")
            st.caption(" · ".join(facts(older)))
            with st.container(horizontal=True, vertical_alignment="center"):
                st.markdown(
                    f"[{say('document.open_version')}](/documents/{older.id})", width="content"
                )
                keep_both(document, older)


def confirm_removal(document: Document) -> None:
    """Ask once more, then delete."""

    @st.dialog(say("knowledge.remove_title"), icon=":material/delete:")
    def confirm() -> None:
        st.markdown(say("knowledge.remove_question", name=plain(document.name)))
        with st.container(horizontal=True):
            if st.button(say("knowledge.remove_confirm"), type="primary", key="remove-confirm"):
                try:
                    get_service().library.remove(document.id)
                except DossierError as error:
                    st.error(error.sentence(language()), icon=":material/error:")
                else:
                    if "doc" in st.query_params:
                        del st.query_params["doc"]
                    st.rerun()
            if st.button(say("cancel"), key="remove-cancel"):
                st.rerun()

    confirm()
