"""Where to look: collections and documents, and their kinds and dates."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from datetime import date

import streamlit as st

from pages.parts.words import count, say
from research.knowledge.documents import Document, Selection
from research.runs import get_service

COLLECTION = "collection:"
"""Before the id of a collection among the options."""


def where(key: str, label: str, documents: Sequence[Document], help: str | None = None) -> None:
    """Choose collections and documents; :func:`chosen` gives what they come to.

    Args:
        key: Of the widget.
        label: Above it.
        documents: All that can be chosen from.
        help: What to know about it.
    """
    names = {}
    for each in get_service().library.collections():
        inside = sum(document.collection == each.id for document in documents)
        names[COLLECTION + each.id] = say("where.collection", name=each.name, count=inside)
    names |= {document.id: document.name for document in documents}
    if key in st.session_state:  # what was deleted meanwhile is no option any more
        st.session_state[key] = [each for each in st.session_state[key] if each in names]
    st.multiselect(
        label,
        list(names),
        format_func=lambda each: names.get(each, each),
        placeholder=say("where.everywhere", documents=count("documents", len(documents))),
        key=key,
        help=help,
        persist_state="session",
    )


def chosen(key: str) -> tuple[str, ...] | None:
    """Ids of the documents that are chosen, alone or by their collection; None means all."""
    picked: Iterable[str] = st.session_state.get(key) or ()
    groups = {each.removeprefix(COLLECTION) for each in picked if each.startswith(COLLECTION)}
    single = {each for each in picked if not each.startswith(COLLECTION)}
    if not groups and not single:
        return None
    return tuple(
        each.id
        for each in get_service().library.documents()
        if each.id in single or each.collection in groups
    )


def narrowed(key: str, documents: Sequence[Document]) -> tuple[str, ...] | None:
    """All the filters. Gives the ids of the documents that fit them; None means all."""
    where(f"{key}-where", say("where.label"), documents)
    with st.popover(say("where.narrow"), icon=":material/tune:"):
        kinds = kind_filter(f"{key}-kinds", documents)
        since, until = date_filter(key)
    picked = chosen(f"{key}-where")
    if picked is None and not (kinds or since or until):
        return None
    selection = Selection(documents=picked, kinds=kinds, since=since, until=until)
    return tuple(each.id for each in get_service().library.documents(selection))


def kind_filter(key: str, documents: Sequence[Document]) -> tuple[str, ...] | None:
    """Choose among the kinds that there are; None means every kind."""
    kinds = sorted({document.kind for document in documents})
    if key in st.session_state:
        st.session_state[key] = [each for each in st.session_state[key] if each in kinds]
    picked = st.multiselect(
        say("where.kinds"),
        kinds,
        format_func=lambda each: say(f"kind.{each}"),
        placeholder=say("where.every_kind"),
        label_visibility="collapsed",
        key=key,
        persist_state="session",
    )
    return tuple(picked) or None


def date_filter(key: str) -> tuple[str | None, str | None]:
    """Choose the first and the last day; None where there is no limit."""
    first, last = st.columns(2)
    since = _day(first, f"{key}-since", say("where.since"))
    until = _day(last, f"{key}-until", say("where.until"))
    st.caption(say("where.dates_help"))
    return since, until


def _day(column: st.delta_generator.DeltaGenerator, key: str, label: str) -> str | None:
    picked = column.date_input(
        label,
        value=None,
        min_value=date(1900, 1, 1),
        format="YYYY-MM-DD",
        key=key,
        persist_state="session",
    )
    return picked.isoformat() if picked else None
