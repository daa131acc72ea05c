"""What a Word document keeps beside its text: footnotes, endnotes, headers and footers."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

W = "{http://schemas.openxmlformats.org/wordprocessingml/2006/main}"
KINDS = {f"{W}footnoteReference": "footnote", f"{W}endnoteReference": "endnote"}
RELATION = "http://schemas.openxmlformats.org/officeDocument/2006/relationships/"
SUBSTANCE = 30
"""Letters of a header or footer that says more than a name and a page number."""


class Notes:
    """The footnotes and endnotes, numbered as they are met in the text.

    Args:
        document: Of python-docx.
        text_of: Gives what a reader sees of an element.
    """

    def __init__(self, document: Any, text_of: Callable[[Any], str]) -> None:
        self._texts = {
            (kind, note.get(f"{W}id")): text_of(note)
            for kind in KINDS.values()
            for note in _part(document, kind)
            if note.get(f"{W}type", "normal") == "normal"
        }
        self._met: list[str] = []
        self._count = 0

    def mark(self, element: Any) -> str:
        """What stands in the text for the note that ``element`` refers to, if it does."""
        note = self._texts.pop((KINDS.get(element.tag, ""), element.get(f"{W}id")), "")
        if not note:
            return ""
        self._count += 1
        self._met.append(f"[{self._count}] {note}")
        return f"[{self._count}]"

    def take(self) -> str:
        """The notes met since the last time, a line each."""
        met, self._met = self._met, []
        return "\n".join(met)


def margins(document: Any, text_of: Callable[[Any], str]) -> str:
    """The headers and footers that say something, each once."""
    found: dict[str, None] = {}
    for section in document.sections:
        for part in (section.first_page_header, section.header, section.footer):
            text = "" if part.is_linked_to_previous else text_of(part._element)
            if sum(char.isalpha() for char in text) >= SUBSTANCE:
                found.setdefault(text)
    return "\n".join(found)


def _part(document: Any, kind: str) -> Any:
    """The elements of the part that holds one kind of notes."""
    from lxml import etree

    parser = etree.XMLParser(resolve_entities=False, no_network=True)
    try:
        blob = document.part.part_related_by(f"{RELATION}{kind}s").blob
        return list(etree.fromstring(blob, parser))
    except (KeyError, ValueError, etree.XMLSyntaxError):
        return []
