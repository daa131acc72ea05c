"""The documents of the library: collections, upload, filters, and one compact row a document."""

from __future__ import annotations

import streamlit as st

from pages.parts import collections
from pages.parts.bars import bars, reading
from pages.parts.choice import date_filter, kind_filter
from pages.parts.document import confirm_removal, facts
from pages.parts.uploads import add_samples, upload_box
from pages.parts.words import count, plain, say, told
from research.knowledge.documents import Collection, Document, Selection
from research.runs import get_service

ICONS = {
    "pdf": ":material/picture_as_pdf:",
    "pptx": ":material/slideshow:",
    "csv": ":material/table:",
    "tsv": ":material/table:",
    "xlsx": ":material/table:",
    "xls": ":material/table:",
    "html": ":material/language:",
    "json": ":material/data_object:",
    "jsonl": ":material/data_object:",
    "epub": ":material/book:",
    "eml": ":material/mail:",
    "image": ":material/image:",
}
ROWS = 20
"""Documents on one page of the list."""
WARNINGS = 2
"""Of a document, in its row."""


def show() -> None:
    """The documents, and beside them the collections they are in."""
    library = get_service().library
    documents, known = library.documents(), library.collections()
    if not documents and not known:
        _documents(documents, known, collections.ALL)
        return
    beside, main = st.columns([1, 3], gap="large")
    with beside:
        chosen = collections.choice(known, documents)
    with main:
        _documents(documents, known, chosen)


def _documents(documents: list[Document], known: list[Collection], chosen: str) -> None:
    collection = next((each for each in known if each.id == chosen), None)
    if collection:
        collections.head(collection)
    upload_box("knowledge", collection)
    bars()
    if collection:
        documents = [each for each in documents if each.collection == collection.id]
    elif chosen == collections.NONE:
        documents = [each for each in documents if each.collection is None]
    if documents:
        _list(documents, {} if collection else {each.id: each.name for each in known})
    elif collection:
        st.caption(say("knowledge.empty_here"))
    elif not reading():
        with st.container(border=True):
            st.markdown(say("knowledge.empty"))
            st.button(say("ask.samples"), icon=":material/science:", on_click=add_samples)


def _list(documents: list[Document], names: dict[str, str]) -> None:
    shown = _filtered(documents)
    if not shown:
        st.caption(say("knowledge.none_fit"))
        return
    all_of_them = count("documents", len(documents))
    if len(shown) < len(documents):
        all_of_them = say("knowledge.shown", shown=len(shown), all=all_of_them)
    st.caption(all_of_them)
    slot = st.container(border=True, gap="small")
    pages = -(-len(shown) // ROWS)
    page = 1
    if pages > 1:
        if st.session_state.get("page", 1) > pages:
            del st.session_state["page"]
        page = st.pagination(pages, key="page")
    with slot:
        for document in shown[(page - 1) * ROWS : page * ROWS]:
            _row(document, names)


def _filtered(documents: list[Document]) -> list[Document]:
    """Those that fit the filters, in the order that was asked for."""
    words, kinds, more = st.columns([4, 3, 3], vertical_alignment="bottom")
    name = words.text_input(
        say("knowledge.name_filter"),
        type="search",
        live=True,
        icon=":material/search:",
        placeholder=say("knowledge.name_filter"),
        label_visibility="collapsed",
        key="name-filter",
        persist_state="session",
    )
    with kinds:
        chosen = kind_filter("list-kinds", documents)
    with more.popover(say("knowledge.more"), icon=":material/tune:", width="stretch"):
        since, until = date_filter("list")
        order = st.selectbox(
            say("knowledge.sort"),
            ["added", "name", "date"],
            format_func=lambda each: say(f"knowledge.sort_{each}"),
            key="list-sort",
            persist_state="session",
        )
    selection = Selection(kinds=chosen, since=since, until=until)
    fitting = {each.id for each in get_service().library.documents(selection)}
    wanted = (name or "").casefold().split()
    found = [
        each
        for each in documents
        if each.id in fitting
        and all(word in f"{each.name} {each.title}".casefold() for word in wanted)
    ]
    return _ordered(found, order)


def _ordered(documents: list[Document], order: str) -> list[Document]:
    if order == "name":
        return sorted(documents, key=lambda each: each.name.casefold())
    if order == "date":
        return sorted(documents, key=lambda each: each.date or "", reverse=True)
    return sorted(documents, key=lambda each: each.added_at, reverse=True)


def _row(document: Document, names: dict[str, str]) -> None:
    with st.container(gap="xxsmall"):
        with st.container(
            horizontal=True, vertical_alignment="center", horizontal_alignment="distribute"
        ):
            st.button(
                f"**{plain(document.name)}**",
                key=f"open-{document.id}",
                type="tertiary",
                icon=ICONS.get(document.kind, ":material/description:"),
                on_click=_open,
                args=(document.id,),
            )
            if st.button(
                say("knowledge.remove"),
                key=f"remove-{document.id}",
                type="tertiary",
                icon=":material/delete:",
            ):
                confirm_removal(document)
        home = names.get(document.collection or "")
        st.caption(" · ".join([*facts(document), *([plain(home)] if home else [])]))
        for warning in document.warnings[:WARNINGS]:
            st.caption(f":orange[:material/warning:] {told(warning)}")
        if (more := len(document.warnings) - WARNINGS) > 0:
            st.caption(say("knowledge.more_warnings", number=more))


def _open(document_id: str) -> None:
    st.query_params["doc"] = document_id
