"""One passage on the screen: its source and place, its exact text, the way to the original."""

from __future__ import annotations

import streamlit as st

from pages.parts.words import language, plain, say
from research.report.citations import Citation


def passage_card(entry: Citation, *, anchor: str | None = None, note: str = "") -> None:
    """Show a passage under its number.

    Args:
        entry: The passage with its number and source.
        anchor: What links to it are called.
        note: What else is known of it, as Markdown.
    """
    with st.container(border=True, gap="xsmall"):
        where = entry.where(language())
        name = entry.name()
        name = f"{name} · {where}" if where else name
        st.subheader(f"\\[{entry.number}\\] {plain(name)}", anchor=anchor or False)
        st.markdown(plain(entry.passage.text))
        headings = plain(" › ".join(entry.passage.place.heading))
        known = " · ".join(part for part in (headings, note) if part)
        below = [f":gray[{known}]" if known else "", _original(entry)]
        if any(below):
            st.markdown(f":small[{'&ensp; '.join(filter(None, below))}]")


def _original(entry: Citation) -> str:
    if entry.url:
        return f"[{say('passage.open_page')}](<{entry.url}>)"
    if entry.source.kind != "document":
        return ""
    page = entry.passage.place.page
    address = f"/documents/{entry.source.id}" + (f"#page={page}" if page else "")
    return f"[{say('passage.open_document')}]({address})"
