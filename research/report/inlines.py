"""From tokens to the inlines of the syntax tree (see :mod:`research.report.tree`)."""

from __future__ import annotations

from typing import Any

from markdown_it.tree import SyntaxTreeNode

from research.report.syntax import is_cjk, is_punctuation

Node = dict[str, Any]

MAX_DEPTH = 8
"""Lists, quotes and emphasis nested deeper are written at this level: no page has room for more,
and the typesetter's own limit on nesting is near."""

SAFE_SCHEMES = ("http://", "https://", "mailto:")

_WRAPPERS = {"strong": "strong", "em": "emphasis", "s": "strike"}


def line(node: SyntaxTreeNode) -> list[Node]:
    """The inlines of a paragraph, a heading or a cell; charts stand in it as ``figure``."""
    parts = [part for child in node.children for part in _inlines(child.children, 0)]
    kept: list[Node] = []
    last = " "
    for part, after in zip(parts, [*parts[1:], {}], strict=True):
        # A line break within Chinese text stands for nothing, not for a space.
        if part["t"] == "soft" and is_cjk(last) and is_cjk(after.get("text", " ")[:1]):
            continue
        last = part["text"][-1:] if part["t"] == "text" else last
        kept.append(part)
    return kept


def plain(inlines: list[Node]) -> str:
    """The words of some inlines, without citations."""
    parts = []
    for node in inlines:
        if "c" in node:
            parts.append(plain(node["c"]))
        else:
            parts.append(" " if node["t"] in ("soft", "break") else node.get("text", ""))
    return "".join(parts)


def _inlines(nodes: list[SyntaxTreeNode], depth: int) -> list[Node]:
    out: list[Node] = []
    for node in nodes:
        for part in _inline(node, depth):
            if part["t"] == "text" and out and out[-1]["t"] == "text":
                out[-1] = {"t": "text", "text": out[-1]["text"] + part["text"]}
            elif part.get("text") != "" or part["t"] != "text":
                out.append(part)
    return out


def _inline(node: SyntaxTreeNode, depth: int) -> list[Node]:
    make = _MAKERS.get(node.type)
    if make:
        return make(node, depth)
    leaf: Node = {"t": _LEAVES.get(node.type, "text")}
    if node.type == "cite":
        leaf["ids"] = node.meta["ids"]
    elif node.type not in _BREAKS:
        leaf["text"] = node.content
    return [leaf]


def _wrapped(node: SyntaxTreeNode, depth: int) -> list[Node]:
    """Emphasis, with the punctuation at its edges outside of it.

    ``**结论：**增长`` is no emphasis to CommonMark, ``**结论**：增长`` is: what is written back
    as Markdown must be read alike by every reader.
    """
    inner = _inlines(node.children, depth + 1)
    if depth >= MAX_DEPTH:
        return inner
    before, after = "", ""
    if inner and inner[0]["t"] == "text":
        text = inner[0]["text"]
        cut = next((i for i, char in enumerate(text) if not _edge(char)), len(text))
        before, inner = text[:cut], [{"t": "text", "text": text[cut:]}, *inner[1:]]
    if inner and inner[-1]["t"] == "text":
        text = inner[-1]["text"]
        cut = next((i for i in range(len(text), 0, -1) if not _edge(text[i - 1])), 0)
        after, inner = text[cut:], [*inner[:-1], {"t": "text", "text": text[:cut]}]
    inner = [part for part in inner if part.get("text") != ""]
    parts: list[Node] = [{"t": "text", "text": before}]
    parts += [{"t": _WRAPPERS[node.type], "c": inner}] if inner else []
    return [*parts, {"t": "text", "text": after}]


def _edge(char: str) -> bool:
    return ord(char) > 0x7F and is_punctuation(char)


def _link(node: SyntaxTreeNode, depth: int) -> list[Node]:
    words = _inlines(node.children, depth + 1)
    if node.markup == "linkify":
        return _bare_address(plain(words))
    return _linked(str(node.attrs.get("href", "")), words)


def _linked(href: str, words: list[Node]) -> list[Node]:
    """A link to somewhere safe; otherwise just its words."""
    if not href.lower().startswith(SAFE_SCHEMES):
        return words
    words = [part for part in words if part["t"] != "link"]
    return [{"t": "link", "href": href, "c": words or [{"t": "text", "text": href}]}]


def _bare_address(address: str) -> list[Node]:
    """An address found in running text; it ends where Chinese text goes on without a space."""
    end = next((i for i, char in enumerate(address) if is_cjk(char)), len(address))
    link = _linked(address[:end], [{"t": "text", "text": address[:end]}])
    return [*link, {"t": "text", "text": address[end:]}]


def _image(node: SyntaxTreeNode, depth: int) -> list[Node]:
    """A chart as a figure; any other picture as a link, since nothing is fetched."""
    source = str(node.attrs.get("src", ""))
    alt = plain(_inlines(node.children, depth + 1))
    if source.startswith("chart:"):
        figure = {"t": "figure", "chart": source.removeprefix("chart:"), "alt": alt}
        return [figure] if depth == 0 else [{"t": "text", "text": alt}]
    return _linked(source, [{"t": "text", "text": alt or source}])


_MAKERS = {"link": _link, "image": _image} | dict.fromkeys(_WRAPPERS, _wrapped)
_BREAKS = {"softbreak": "soft", "hardbreak": "break"}
_LEAVES = {"cite": "cite", "code_inline": "code", "math": "math"} | _BREAKS
