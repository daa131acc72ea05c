"""Markdown: what a reader sees of it, under its headings; tables become tables."""

from __future__ import annotations

import re
from pathlib import Path

from markdown_it import MarkdownIt
from markdown_it.tree import SyntaxTreeNode

from research.knowledge.readers import Block, Output
from research.knowledge.readers.cleaning import clean
from research.knowledge.readers.encoding import decode
from research.knowledge.readers.grids import as_markdown, regions, send_table
from research.knowledge.readers.noise import check_noise
from research.knowledge.readers.path import HeadingPath

FRONT_MATTER = re.compile(r"\A---\n.*?\n---\n", re.DOTALL)
TAG = re.compile(r"<!--.*?-->|</?[a-zA-Z][^>]*>", re.DOTALL)


def read(path: Path, output: Output) -> None:
    """Read the Markdown file at ``path``."""
    text = FRONT_MATTER.sub("", decode(path.read_bytes()))
    check_noise(text, output)
    parser = MarkdownIt("commonmark", {"maxNesting": 100}).enable(["table", "strikethrough"])
    nodes = SyntaxTreeNode(parser.parse(text)).children
    headings = HeadingPath()
    for number, node in enumerate(nodes):
        if node.type == "heading":
            title = _inline(node)
            if not headings.titles and number == 0:
                output.title(title)
            headings.enter(int(node.tag[1]), title)
        elif node.type == "table":
            _send_table(node, headings, output)
        elif body := _body(node):
            output.block(Block(body, heading=headings.titles))
        output.progress(number + 1, len(nodes))


def _body(node: SyntaxTreeNode) -> str:
    """The text of a block; each item of a list on a line of its own."""
    if node.type in ("fence", "code_block"):
        return node.content.strip("\n")
    if node.type == "html_block":
        return clean(TAG.sub(" ", node.content))
    if node.type in ("paragraph", "heading"):
        return _inline(node)
    parts = [_body(child) for child in node.children]
    if node.type == "list_item":
        return "- " + "\n".join(filter(None, parts))
    return "\n".join(filter(None, parts))


def _inline(node: SyntaxTreeNode) -> str:
    lines = "".join(_words(child) for child in node.children).split("\n")
    return "\n".join(filter(None, map(clean, lines)))


def _words(node: SyntaxTreeNode) -> str:
    if node.type in ("text", "code_inline"):
        return node.content
    if node.type in ("softbreak", "hardbreak"):
        return " " if node.type == "softbreak" else "\n"
    if node.type == "html_inline":
        return ""
    if node.type == "image":
        return node.content
    return "".join(_words(child) for child in node.children)


def _send_table(node: SyntaxTreeNode, headings: HeadingPath, output: Output) -> None:
    rows = [
        [_inline(cell) for cell in row.children] for part in node.children for row in part.children
    ]
    for region in regions(rows):
        if region.is_table:
            title = " ".join(headings.titles[-1:]) or output.name
            send_table(region, title, output, heading=headings.titles, as_text=False)
    output.block(Block(as_markdown(rows[0], rows[1:]), heading=headings.titles))
