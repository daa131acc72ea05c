"""The syntax tree of a report: what every export is made from.

A tree is a list of blocks. A node is a plain dict that JSON can hold; ``t`` says what it is and
``c`` holds its children:

========== ================================================================
block      fields
========== ================================================================
heading    ``level`` (from 1, without gaps), ``c`` inlines
paragraph  ``c`` inlines
list       ``start`` (None where it is not numbered), ``c`` lists of blocks
quote      ``c`` blocks
code       ``text``, ``language``
table      ``align`` (left, center, right or none), ``head`` cells, ``rows`` of cells
figure     ``chart`` (its id), ``alt``
formula    ``text``
rule
========== ================================================================

Inlines are ``text``, ``code`` and ``math`` (``text``), ``strong``, ``emphasis`` and ``strike``
(``c``), ``link`` (``href``, ``c``), ``cite`` (``ids``; ``numbers`` once they are numbered),
``soft`` and ``break``. Figures stand at the top level only.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator

from markdown_it.tree import SyntaxTreeNode

from research.report.inlines import MAX_DEPTH, Node, line, plain
from research.report.syntax import parser


def parse(markdown: str, title: str = "") -> list[Node]:
    """The tree of ``markdown``.

    Args:
        markdown: Canonical Markdown of a report, or any other text.
        title: The report's title; a first heading that repeats it is left out.
    """
    root = SyntaxTreeNode(parser().parse(markdown))
    blocks = _hoist_figures(_blocks(root.children, 0))
    if (
        title
        and blocks
        and blocks[0]["t"] == "heading"
        and plain(blocks[0]["c"]).strip() == title.strip()
    ):
        blocks = blocks[1:]
    _settle_headings(blocks)
    return blocks


def inline_runs(blocks: list[Node]) -> Iterator[list[Node]]:
    """Each list of inlines under ``blocks``, in reading order."""
    for block in blocks:
        if block["t"] in ("heading", "paragraph"):
            yield block["c"]
        elif block["t"] == "quote":
            yield from inline_runs(block["c"])
        elif block["t"] == "list":
            for item in block["c"]:
                yield from inline_runs(item)
        elif block["t"] == "table":
            yield from block["head"]
            for row in block["rows"]:
                yield from row


# ---------------------------------------------------------------- blocks


def _blocks(nodes: list[SyntaxTreeNode], depth: int) -> list[Node]:
    return [block for node in nodes for block in _block(node, depth)]


def _block(node: SyntaxTreeNode, depth: int) -> list[Node]:
    make = _BLOCKS.get(node.type)
    return make(node, depth) if make else []


def _heading(node: SyntaxTreeNode, _depth: int) -> list[Node]:
    inlines = [part for part in line(node) if part["t"] != "figure"]
    return [{"t": "heading", "level": int(node.tag[1]), "c": inlines}] if inlines else []


def _paragraph(node: SyntaxTreeNode, _depth: int) -> list[Node]:
    """A paragraph, cut in two at each figure; a formula alone becomes a block."""
    blocks: list[Node] = []
    words: list[Node] = []
    for part in [*line(node), {"t": "figure"}]:
        if part["t"] != "figure":
            words.append(part)
            continue
        kept = _trim(words)
        if len(kept) == 1 and kept[0]["t"] == "math":
            blocks.append({"t": "formula", "text": kept[0]["text"]})
        elif kept:
            blocks.append({"t": "paragraph", "c": kept})
        if "chart" in part:
            blocks.append(part)
        words = []
    return blocks


def _trim(inlines: list[Node]) -> list[Node]:
    start, end = 0, len(inlines)
    while start < end and _blank(inlines[start]):
        start += 1
    while end > start and _blank(inlines[end - 1]):
        end -= 1
    kept = inlines[start:end]
    if kept and kept[-1]["t"] == "text":
        kept[-1] = {"t": "text", "text": kept[-1]["text"].rstrip()}
    return kept


def _blank(node: Node) -> bool:
    return node["t"] in ("soft", "break") or (node["t"] == "text" and not node["text"].strip())


def _list(node: SyntaxTreeNode, depth: int) -> list[Node]:
    items = [_blocks(item.children, depth + 1) for item in node.children]
    if depth >= MAX_DEPTH:
        return [block for item in items for block in item]
    start = int(node.attrs.get("start", 1)) if node.type == "ordered_list" else None
    return [{"t": "list", "start": start, "c": items}]


def _quote(node: SyntaxTreeNode, depth: int) -> list[Node]:
    inner = _blocks(node.children, depth + 1)
    return inner if depth >= MAX_DEPTH or not inner else [{"t": "quote", "c": inner}]


def _code(node: SyntaxTreeNode, _depth: int) -> list[Node]:
    language = (node.info or "").split(maxsplit=1)
    return [
        {
            "t": "code",
            "text": node.content.rstrip("\n"),
            "language": language[0] if language else "",
        }
    ]


def _table(node: SyntaxTreeNode, _depth: int) -> list[Node]:
    rows = [row for part in node.children for row in part.children]
    head, body = rows[0], rows[1:]
    align = [str(cell.attrs.get("style", "")).removeprefix("text-align:") for cell in head.children]
    return [
        {
            "t": "table",
            "align": align,
            "head": [_cell(cell) for cell in head.children],
            "rows": [[_cell(cell) for cell in row.children] for row in body],
        }
    ]


def _cell(node: SyntaxTreeNode) -> list[Node]:
    return [
        {"t": "text", "text": part["alt"]} if part["t"] == "figure" else part for part in line(node)
    ]


_BLOCKS: dict[str, Callable[[SyntaxTreeNode, int], list[Node]]] = {
    "heading": _heading,
    "paragraph": _paragraph,
    "bullet_list": _list,
    "ordered_list": _list,
    "blockquote": _quote,
    "fence": _code,
    "code_block": _code,
    "table": _table,
    "hr": lambda _node, _depth: [{"t": "rule"}],
}


def _hoist_figures(blocks: list[Node]) -> list[Node]:
    """Figures from within lists and quotes, put behind the block they stood in."""
    out: list[Node] = []
    for block in blocks:
        lifted: list[Node] = []
        kept = _without_figures([block], lifted) if block["t"] != "figure" else [block]
        out += kept + lifted
    return out


def _without_figures(blocks: list[Node], lifted: list[Node]) -> list[Node]:
    kept = []
    for block in blocks:
        if block["t"] == "figure":
            lifted.append(block)
            continue
        if block["t"] == "quote":
            block["c"] = _without_figures(block["c"], lifted)
        elif block["t"] == "list":
            block["c"] = [_without_figures(item, lifted) for item in block["c"]]
        kept.append(block)
    return kept


def _settle_headings(blocks: list[Node]) -> None:
    """Levels that start at 1 and never skip one on the way down."""
    open_levels: list[int] = []
    for block in blocks:
        if block["t"] != "heading":
            continue
        while open_levels and open_levels[-1] >= block["level"]:
            open_levels.pop()
        open_levels.append(block["level"])
        block["level"] = len(open_levels)
