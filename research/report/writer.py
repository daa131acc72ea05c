"""From a syntax tree back to Markdown, in the dialect of whoever will render it.

Everything that a renderer could take for markup is escaped here, in one place: what was text in
the tree is text again for every reader, and nothing else can come in.
"""

from __future__ import annotations

import re
from collections.abc import Callable
from dataclasses import dataclass

from research.report.tree import Node

_SPECIAL = re.compile(r"([\\`*\[\]|~$]|<(?=[A-Za-z/!?])|&(?=#?\w+;)|(?<!\w)_|_(?!\w))")
_LINE_START = re.compile(r"^(\s*)(>|#+(?=\s|$)|[+-](?=\s|$)|[=-]+(?=\s*$)|\d{1,9}(?=[.)](?:\s|$)))")
_MARKS = {"strong": "**{}**", "emphasis": "*{}*", "strike": "~~{}~~"}


@dataclass(frozen=True)
class Dialect:
    """How one reader wants the parts that Markdown leaves open."""

    cite: Callable[[int], str]
    """The Markdown of one citation, from its number."""
    figure: Callable[[Node], str]
    """The Markdown of a figure, as a block of its own."""
    text: Callable[[str], str] = lambda escaped: escaped
    """Further escapes, on text whose Markdown is escaped already."""
    math: bool = True
    """Whether formulas are typeset; otherwise they are shown as code."""


def write(blocks: list[Node], dialect: Dialect, heading: int = 1) -> str:
    """The Markdown of ``blocks``.

    Args:
        blocks: A tree of :func:`research.report.tree.parse`, its citations numbered.
        dialect: The reader's ways.
        heading: Level that is given to headings of level 1.
    """
    writer = _Writer(dialect, heading)
    return writer.blocks(blocks)


def escape(text: str) -> str:
    """``text`` such that Markdown shows it as it is, anywhere but in code."""
    return _LINE_START.sub(_at_line_start, _SPECIAL.sub(r"\\\1", text))


class _Writer:
    def __init__(self, dialect: Dialect, heading: int) -> None:
        self.dialect = dialect
        self.heading = heading

    # ------------------------------------------------------------ blocks

    def blocks(self, blocks: list[Node], between: str = "\n\n") -> str:
        out: list[str] = []
        flip = False
        for before, block in zip([None, *blocks], blocks, strict=False):
            # Two lists in a row run into one unless their markers differ.
            flip = (
                block["t"] == "list" and before is not None and before["t"] == "list" and not flip
            )
            out.append(self._list(block, flip) if block["t"] == "list" else self._block(block))
        return between.join(part for part in out if part)

    def _block(self, block: Node) -> str:
        write_block: Callable[[Node], str] = getattr(self, f"_{block['t']}")
        return write_block(block)

    def _heading(self, block: Node) -> str:
        level = min(6, block["level"] + self.heading - 1)
        return "#" * level + " " + self.line(block["c"])

    def _paragraph(self, block: Node) -> str:
        return self.inlines(block["c"])

    def _quote(self, block: Node) -> str:
        return _prefixed(self.blocks(block["c"]), "> ", "> ")

    def _code(self, block: Node) -> str:
        return fenced(block["text"], block["language"])

    def _figure(self, block: Node) -> str:
        return self.dialect.figure(block)

    def _formula(self, block: Node) -> str:
        return f"$$\n{block['text']}\n$$" if self.dialect.math else fenced(block["text"], "")

    def _rule(self, _block: Node) -> str:
        return "---"

    def _list(self, block: Node, flip: bool) -> str:
        items = []
        tight = _tight(block)
        for index, item in enumerate(block["c"]):
            if block["start"] is None:
                marker = "* " if flip else "- "
            else:
                marker = f"{block['start'] + index}{')' if flip else '.'} "
            written = self.blocks(item, "\n" if tight else "\n\n")
            items.append(_prefixed(written, marker, " " * len(marker)))
        return ("\n" if tight else "\n\n").join(items)

    def _table(self, block: Node) -> str:
        marks = {"": "---", "left": ":--", "center": ":-:", "right": "--:"}
        lines = [
            [self._cell(cell) for cell in block["head"]],
            [marks[align] for align in block["align"]],
            *([self._cell(cell) for cell in row] for row in block["rows"]),
        ]
        return "\n".join("| " + " | ".join(cells) + " |" for cells in lines)

    def _cell(self, cell: list[Node]) -> str:
        return re.sub(r"(?<!\\)\|", r"\\|", self.line(cell))

    # ------------------------------------------------------------ inlines

    def line(self, inlines: list[Node]) -> str:
        """Inlines that must stay on one line."""
        flat = [
            {"t": "text", "text": " "} if part["t"] in ("soft", "break") else part
            for part in inlines
        ]
        return self.inlines(flat).replace("\n", " ")

    def inlines(self, inlines: list[Node]) -> str:
        out, fresh = [], True
        for part in inlines:
            text = self._inline(part)
            if fresh and part["t"] == "text":
                text = _LINE_START.sub(_at_line_start, text)
            fresh = part["t"] in ("soft", "break")
            out.append(text)
        return "".join(out)

    def _inline(self, part: Node) -> str:
        if part["t"] in _MARKS:
            return _MARKS[part["t"]].format(self.inlines(part["c"]))
        write_inline: Callable[[Node], str] = getattr(self, f"_inline_{part['t']}")
        return write_inline(part)

    def _inline_text(self, part: Node) -> str:
        return self.dialect.text(_SPECIAL.sub(r"\\\1", part["text"]))

    def _inline_cite(self, part: Node) -> str:
        return "".join(self.dialect.cite(number) for number in part.get("numbers", ()))

    def _inline_code(self, part: Node) -> str:
        return code_span(part["text"])

    def _inline_math(self, part: Node) -> str:
        return f"${part['text']}$" if self.dialect.math else code_span(part["text"])

    def _inline_link(self, part: Node) -> str:
        href = _address(part["href"])
        bare = part["c"] == [{"t": "text", "text": href}]
        return f"<{href}>" if bare else f"[{self.inlines(part['c'])}](<{href}>)"

    def _inline_soft(self, _part: Node) -> str:
        return "\n"

    def _inline_break(self, _part: Node) -> str:
        return "\\\n"


def fenced(text: str, language: str) -> str:
    """A code block whose fence is longer than any in it.

    ``mermaid`` goes unnamed: renderers draw it, and code is to be read as it is.
    """
    longest = max((len(run) for run in re.findall(r"`{3,}", text)), default=2)
    fence = "`" * (longest + 1)
    name = re.sub(r"[^A-Za-z0-9+#.-]", "", language)
    return f"{fence}{'' if name.lower() == 'mermaid' else name}\n{text}\n{fence}"


def code_span(text: str) -> str:
    """Inline code, whatever backticks it holds."""
    longest = max((len(run) for run in re.findall(r"`+", text)), default=0)
    tick = "`" * (longest + 1)
    pad = " " if text.startswith("`") or text.endswith("`") else ""
    return f"{tick}{pad}{text}{pad}{tick}"


def _at_line_start(found: re.Match[str]) -> str:
    mark = found[2]
    return f"{found[1]}{mark}\\" if mark.isdigit() else f"{found[1]}\\{mark}"


def _tight(block: Node) -> bool:
    return all(part["t"] in ("paragraph", "list") for item in block["c"] for part in item) and all(
        sum(part["t"] == "paragraph" for part in item) <= 1 for item in block["c"]
    )


def _prefixed(text: str, first: str, rest: str) -> str:
    lines = text.split("\n")
    return "\n".join(
        (first if index == 0 else rest if line or rest.strip() else "") + line
        for index, line in enumerate(lines)
    )


def _address(href: str) -> str:
    return href.replace("<", "%3C").replace(">", "%3E").replace("\n", "")
