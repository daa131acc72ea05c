"""One passage on the screen: its source and place, its exact text, the way to the original."""

from __future__ import annotations

import re

import streamlit as st
from streamlit.delta_generator import DeltaGenerator

from pages.parts.places import place_button
from pages.parts.words import language, plain, say
from research.models import Hit
from research.report.citations import Citation

TABLE = re.compile(r"^\|.*\|\n\|(?: ?:?-+:? ?\|)+(?:\n\|.*\|)*$", re.MULTILINE)
"""A table as the readers write it into a passage."""
CELL = re.compile(r"(?<!\\)\|")


def passage_card(
    entry: Citation, *, key: str, anchor: str | None = None, note: str = ""
) -> DeltaGenerator:
    """Show a passage under its number.

    Args:
        entry: The passage with its number and source.
        key: Tells cards apart that are on the page at the same time.
        anchor: What links to it are called.
        note: What else is known of it, as Markdown.

    Returns:
        The card, for what the caller adds below.
    """
    card = st.container(border=True, gap="xsmall")
    with card:
        where = entry.where(language())
        name = entry.name()
        name = f"{name} · {where}" if where else name
        st.subheader(f"\\[{entry.number}\\] {plain(name)}", anchor=anchor or False)
        st.markdown(passage_text(entry.passage.text))
        headings = plain(" › ".join(entry.passage.place.heading))
        known = " · ".join(part for part in (headings, note) if part)
        with st.container(horizontal=True, vertical_alignment="center", gap="small"):
            below = [f":gray[{known}]" if known else "", _original(entry)]
            if any(below):
                st.markdown(f":small[{'&ensp; '.join(filter(None, below))}]", width="content")
            place_button(entry, key)
    return card


def passage_text(text: str) -> str:
    """The words of a passage as Markdown that shows just them; its tables look like tables."""
    parts, end = [], 0
    for table in TABLE.finditer(text):
        parts += [plain(text[end : table.start()].strip()), _table(table[0])]
        end = table.end()
    return "\n\n".join(filter(None, [*parts, plain(text[end:].strip())]))


def _table(written: str) -> str:
    header, rule, *rows = written.split("\n")
    cells = ([plain(cell.strip()) for cell in CELL.split(row)[1:-1]] for row in (header, *rows))
    shown = [f"| {' | '.join(row)} |" for row in cells]
    return "\n".join([shown[0], rule, *shown[1:]])


def scores(hit: Hit) -> str:
    """Why retrieval chose a passage, in figures."""
    words = [say("passage.score", score=f"{hit.score:.4f}")]
    if hit.similarity is not None:
        words.append(say("passage.similarity", similarity=f"{hit.similarity:.2f}"))
    if hit.by_word is not None:
        words.append(say("passage.by_word", rank=hit.by_word))
    if hit.by_meaning is not None:
        words.append(say("passage.by_meaning", rank=hit.by_meaning))
    if hit.reranked is not None:
        words.append(say("passage.reranked", score=f"{hit.reranked:.2f}"))
    return " · ".join(words)


def _original(entry: Citation) -> str:
    if entry.url:
        return f"[{say('passage.open_page')}](<{entry.url}>)"
    if entry.source.kind != "document":
        return ""
    page = entry.passage.place.page
    address = f"/documents/{entry.source.id}" + (f"#page={page}" if page else "")
    return f"[{say('passage.open_document')}]({address})"
