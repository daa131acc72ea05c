"""The collections: which one is shown, and making, describing and deleting them."""

from __future__ import annotations

from collections.abc import Sequence

import streamlit as st

from pages.parts.address import recall, remember
from pages.parts.words import language, plain, say
from research.errors import DossierError
from research.knowledge.documents import Collection, Document
from research.runs import get_service

ALL, NONE = "all", "none"
DESCRIBED = 90
"""Characters of a description in the list."""
LONG = 8
"""More collections than this scroll."""


def choice(collections: Sequence[Collection], documents: Sequence[Document]) -> str:
    """The list of collections. Gives the id of the one that is shown, or ``ALL`` or ``NONE``."""
    counts: dict[str, int] = {ALL: len(documents), NONE: 0}
    for document in documents:
        home = document.collection or NONE
        counts[home] = counts.get(home, 0) + 1
    names = {ALL: say("collection.all"), **{each.id: plain(each.name) for each in collections}}
    if collections and counts[NONE]:
        names[NONE] = say("collection.none")
    captions = {each.id: _short(each.description) for each in collections}
    recall("collection", "collection", {name: name for name in names})
    with st.container(height=420 if len(names) > LONG else "content", border=False):
        chosen = st.radio(
            say("collection.label"),
            list(names),
            format_func=lambda each: say(
                "collection.counted", name=names[each], number=counts.get(each, 0)
            ),
            captions=[captions.get(each, "") for each in names] if any(captions.values()) else None,
            key="collection",
            on_change=remember,
            args=("collection", "collection", ALL, {name: name for name in names}),
        )
    if st.button(say("collection.new"), icon=":material/create_new_folder:", key="new-collection"):
        _dialog(None)
    return chosen or ALL


def head(collection: Collection) -> None:
    """The collection that is shown: its name and description, and what can be done with it."""
    with st.container(
        horizontal=True, vertical_alignment="center", horizontal_alignment="distribute"
    ):
        st.header(plain(collection.name), anchor=False, width="content")
        with st.container(horizontal=True, width="content"):
            if st.button(
                say("collection.edit"),
                icon=":material/edit:",
                type="tertiary",
                key="collection-edit",
            ):
                _dialog(collection)
            if st.button(
                say("collection.remove"),
                icon=":material/delete:",
                type="tertiary",
                key="collection-remove",
            ):
                _confirm_removal(collection)
    if collection.description:
        st.caption(plain(collection.description))


def _short(description: str) -> str:
    words = " ".join(description.split())
    return plain(words if len(words) <= DESCRIBED else f"{words[:DESCRIBED].rstrip()}…")


def _dialog(collection: Collection | None) -> None:
    title = say("collection.edit_title") if collection else say("collection.new")

    @st.dialog(title, icon=":material/folder:")
    def edit() -> None:
        with st.form("collection-form", border=False):
            name = st.text_input(
                say("collection.name"), value=collection.name if collection else "", max_chars=120
            )
            description = st.text_area(
                say("collection.description"),
                value=collection.description if collection else "",
                placeholder=say("collection.description_placeholder"),
                max_chars=1_000,
            )
            label = say("save") if collection else say("collection.create")
            if st.form_submit_button(label, type="primary", key="collection-save"):
                _save(collection, name, description)

    edit()


def _save(collection: Collection | None, name: str, description: str) -> None:
    library = get_service().library
    try:
        if collection:
            library.change_collection(collection.id, name, description)
        else:
            st.query_params["collection"] = library.create_collection(name, description).id
    except DossierError as error:
        st.error(error.sentence(language()), icon=":material/error:")
    else:
        st.rerun()


def _confirm_removal(collection: Collection) -> None:
    @st.dialog(say("collection.remove_title"), icon=":material/delete:")
    def confirm() -> None:
        st.markdown(say("collection.remove_question", name=plain(collection.name)))
        with st.container(horizontal=True):
            if st.button(say("collection.remove"), type="primary", key="collection-remove-confirm"):
                try:
                    get_service().library.remove_collection(collection.id)
                except DossierError as error:
                    st.error(error.sentence(language()), icon=":material/error:")
                else:
                    st.rerun()
            if st.button(say("cancel"), key="collection-remove-cancel"):
                st.rerun()

    confirm()
