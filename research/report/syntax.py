"""The Markdown of reports: CommonMark with tables, citations, figures and formulas.

On top of CommonMark, tables, strikethrough and bare addresses it knows

* ``[^passage id]`` (several ids may share the brackets): a citation, token ``cite``;
* ``$x^2$`` and ``$$...$$``: a formula, token ``math``, only where it cannot be money;
* ``**结论：**增长``: emphasis next to Chinese characters, which CommonMark leaves as asterisks.

HTML is text, and a line ``[^id]: ...`` that defines a footnote is dropped, because the list of
sources is made from the evidence.
"""

from __future__ import annotations

import re
import unicodedata
from functools import cache

from markdown_it import MarkdownIt
from markdown_it.rules_block import StateBlock
from markdown_it.rules_inline import StateInline
from markdown_it.rules_inline.state_inline import Delimiter

MAX_NESTING = 100
"""Levels of blocks that are parsed; the preset's 20 drops deep lists without a word."""

_ID = r"\^?[\w.:-]{1,64}"
_CITE = re.compile(rf"\[\^(?=[^\]])({_ID}(?:\s*[,;，；、]\s*{_ID}){{0,31}})\]")
_DEFINITION = re.compile(rf" {{0,3}}\[{_ID}\]:")
_DISPLAY = re.compile(r"\$\$([^$]{1,2000}?)\$\$")
_INLINE = re.compile(r"\$(?![\s$])([^$\n]{1,300}?)(?<!\s)\$(?!\d)")
_FORMULA_SIGN = re.compile(r"[\\^_={]")


@cache
def parser() -> MarkdownIt:
    """The one parser; it holds no state between documents."""
    options = {"maxNesting": MAX_NESTING, "html": False, "linkify": True}
    md = MarkdownIt("commonmark", options).enable(["table", "strikethrough", "linkify"])
    md.linkify.set({"fuzzy_link": False, "fuzzy_email": False})  # type: ignore[union-attr]
    md.inline.ruler.before("link", "cite", _cite)
    md.inline.ruler.before("emphasis", "math", _math)
    md.inline.ruler.at("emphasis", _emphasis)
    md.block.ruler.before(
        "reference", "cite_definition", _definition, {"alt": ["paragraph", "reference"]}
    )
    return md


def is_cjk(char: str) -> bool:
    """Whether ``char`` is Chinese, Japanese or Korean, its punctuation included."""
    return "\u2e80" <= char <= "\u9fff" or "\uac00" <= char <= "\ud7af" or char >= "\uf900"


def is_punctuation(char: str) -> bool:
    """Whether CommonMark counts ``char`` as punctuation."""
    return bool(char) and unicodedata.category(char)[0] in "PS"


def _cite(state: StateInline, silent: bool) -> bool:
    found = _CITE.match(state.src, state.pos, state.posMax)
    if not found:
        return False
    if not silent:
        ids = [part.strip().lstrip("^") for part in re.split(r"[,;，；、]", found[1])]
        state.push("cite", "", 0).meta = {"ids": ids}
    state.pos = found.end()
    return True


def _math(state: StateInline, silent: bool) -> bool:
    if state.src[state.pos] != "$":
        return False
    found = _DISPLAY.match(state.src, state.pos, state.posMax) or _INLINE.match(
        state.src, state.pos, state.posMax
    )
    if not found or not _is_formula(found[1].strip()):
        return False
    if not silent:
        token = state.push("math", "", 0)
        token.content = found[1].strip()
        token.meta = {"display": found[0].startswith("$$")}
    state.pos = found.end()
    return True


def _is_formula(content: str) -> bool:
    single_letter = len(content) == 1 and content.isalpha()
    return single_letter or bool(_FORMULA_SIGN.search(content))


def _emphasis(state: StateInline, silent: bool) -> bool:
    """CommonMark's rule, without its look at punctuation where a neighbour is Chinese."""
    marker = state.src[state.pos]
    if silent or marker not in "*_":
        return False
    scanned = state.scanDelims(state.pos, marker == "*")
    can_open, can_close = scanned.can_open, scanned.can_close
    before = state.src[state.pos - 1] if state.pos > 0 else " "
    end = state.pos + scanned.length
    after = state.src[end] if end < state.posMax else " "
    if marker == "*":
        cjk = is_cjk(before) or is_cjk(after)
        can_open |= cjk and not after.isspace()
        can_close |= cjk and not before.isspace()
    for _ in range(scanned.length):
        state.push("text", "", 0).content = marker
        state.delimiters.append(
            Delimiter(ord(marker), scanned.length, len(state.tokens) - 1, -1, can_open, can_close)
        )
    state.pos = end
    return True


def _definition(state: StateBlock, start: int, _end: int, silent: bool) -> bool:
    begin = state.bMarks[start] + state.tShift[start]
    line = state.src[begin : state.eMarks[start]]
    if not line.startswith("[^") or not _DEFINITION.match(line):
        return False
    if not silent:
        state.line = start + 1
    return True
