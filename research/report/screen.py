"""Markdown that is safe and true on screen.

``st.markdown`` reads more into text than Markdown does: formulas between dollar signs,
``:red[...]``, ``:smile:``, ``:material/home:``, arrows and dashes. Text of models and documents
means none of it, so all of it is escaped.
"""

from __future__ import annotations

import re
from collections.abc import Callable

from research.models import Chart
from research.report.citations import Citation, Numbered
from research.report.evidence import Evidence
from research.report.tree import Node, parse
from research.report.writer import Dialect, escape, write

BODY_HEADING = 2
"""Level of the topmost headings in a report: the page's title is level 1."""

_DIRECTIVE = re.compile(r":(?=[^\W\d_]|:)")
_SHORTCODE = re.compile(r":([\w+-]*[A-Za-z+][\w+-]*|-1|100|1234)(?=:)")
_ICON = re.compile(r":material/")
_ARROW = re.compile(r"(?<![^\s\\])(<-?>|->|<-|--|>=|<=|\\?~=)(?!\S)")


def for_screen(markdown: str) -> str:
    """``markdown`` as ``st.markdown`` may show it: text that is still being written, say.

    Citations and figures are left out, because only a finished text has numbers for them.
    """
    return write(parse(markdown), _dialect(lambda _number: ""), BODY_HEADING)


def literal_for_screen(text: str) -> str:
    """Plain text, a passage say, such that ``st.markdown`` shows it word for word."""
    lines = (_escape_more(escape(line.strip())) for line in text.split("\n"))
    return re.sub(r"(?<=[^\n])\n(?=[^\n])", "\\\\\n", "\n".join(lines))


def parts_for_screen(
    numbered: Numbered, evidence: Evidence, href: Callable[[Citation], str]
) -> list[str | Chart]:
    """A report in the order in which a page shows it: Markdown, chart, Markdown, ...

    Args:
        numbered: The report's text with its citations numbered.
        evidence: What the report stands on.
        href: Where the link of a citation leads, ``#source-3`` say.
    """
    by_number = {citation.number: citation for citation in numbered.entries}
    dialect = _dialect(lambda number: f"[\\[{number}\\]](<{href(by_number[number])}>)")
    parts: list[str | Chart] = []
    words: list[Node] = []
    for block in [*numbered.tree, {"t": "figure"}]:
        if block["t"] != "figure":
            words.append(block)
            continue
        if words:
            parts.append(write(words, dialect, BODY_HEADING))
        if "chart" in block:
            parts.append(evidence.charts[block["chart"]])
        words = []
    return parts


def _dialect(cite: Callable[[int], str]) -> Dialect:
    return Dialect(cite=cite, figure=lambda _figure: "", text=_escape_more)


def _escape_more(escaped: str) -> str:
    """Escapes for what Streamlit looks for after Markdown is read, in text nodes.

    A backslash is gone by then, so a character without width parts those signs.
    """
    text = _ICON.sub(r":material\\/", _SHORTCODE.sub(":\\1\u200b", escaped))
    text = _ARROW.sub(lambda found: f"{found[1][:-1]}\u2060{found[1][-1]}", text)
    return _DIRECTIVE.sub(r"\\:", text)
