"""The place of a passage: its page as a picture with the words marked, or its rows."""

from __future__ import annotations

import streamlit as st

from pages.parts.frames import frame
from pages.parts.words import language, plain, say
from research.errors import DossierError
from research.knowledge.pictures import page_picture
from research.knowledge.places import place_of
from research.models import Passage
from research.report.citations import Citation
from research.runs import get_service

WIDTH = 1_400
"""Pixels; sharp on a dense screen."""


def place_button(entry: Citation, key: str) -> None:
    """Show the place of a passage of a document, where it has one that can be shown."""
    place = entry.passage.place
    if entry.source.kind != "document" or not (place.page or place.rows):
        return
    label = say("passage.show_page") if place.page else say("passage.show_rows")
    icon = ":material/find_in_page:" if place.page else ":material/table_rows:"
    if st.button(label, icon=icon, type="tertiary", key=f"place-{key}-{entry.number}"):
        if place.page:
            source = entry.source
            _pages(source.id, entry.name(), source.pages or place.page, place.page, entry.passage)
        else:
            _rows(entry)


def look_at_pages(document_id: str, name: str, pages: int) -> None:
    """Leaf through a document from its first page."""
    _pages(document_id, name, pages, 1, None)


def _pages(document_id: str, name: str, pages: int, page: int, passage: Passage | None) -> None:
    @st.dialog(plain(name), width="medium", icon=":material/find_in_page:")
    def leaf() -> None:
        shown = page
        if pages > 1:
            with st.container(horizontal=True, vertical_alignment="center"):
                shown = st.pagination(pages, default=min(page, pages), max_visible_pages=5)
                st.caption(say("place.page_of", page=shown, all=pages))
        marked = passage if shown == page else None
        words = "place.page_alt" if marked else "place.page_plain_alt"
        try:
            with st.spinner(say("place.drawing")):
                picture = page_picture(
                    get_service().library, document_id, shown, marked, width=WIDTH
                )
        except DossierError as error:
            st.warning(error.sentence(language()), icon=":material/warning:")
        else:
            st.image(picture, width="stretch", alt=say(words, page=shown, name=name))

    leaf()


def _rows(entry: Citation) -> None:
    @st.dialog(plain(entry.name()), width="large", icon=":material/table_rows:")
    def look() -> None:
        try:
            place = place_of(get_service().library, entry.passage)
        except DossierError as error:
            st.warning(error.sentence(language()), icon=":material/warning:")
            return
        if place is None:
            st.warning(say("place.gone"), icon=":material/search_off:")
            return
        last = place.first + len(place.rows) - 1
        st.markdown(f"**{plain(place.table.title)}**")
        st.caption(say("place.rows", first=place.first, last=last, all=f"{place.table.rows:,}"))
        frame(
            place.columns,
            place.rows,
            place.first,
            range(place.cited[0], place.cited[1] + 1),
            alt=say("place.rows_alt", name=entry.name()),
        )

    look()
