"""The words a text is found by: stemmed later by SQLite, Chinese as pairs of characters."""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Iterator

CHINESE = "\u3040-\u30ff\u3400-\u4dbf\u4e00-\u9fff\uac00-\ud7af"
PART = re.compile(
    rf"(?P<number>\d+(?:[.,]\d+)*)|(?P<chinese>[{CHINESE}]+)|(?P<word>[^\W\d_{CHINESE}]+(?:['’-][^\W\d_{CHINESE}]+)*)"
)
GROUPING = re.compile(r",(?=\d{3}(?:\D|$))")
APOSTROPHE = re.compile("['’]")

STOP_WORDS = """
a about all also an and any are as at be been being between but by can could did do does for from
give had has have how i if in into is it its me more most much my no not of on or our over please
should show so some such tell than that the their them there these they this those to us was we
were what when where which while who whom whose why will with would you your
"""
STOP = frozenset(STOP_WORDS.split())
ASKING = re.compile(
    "为什么|为何|是什么|有什么|什么|怎么样|怎么|怎样|如何|有哪些|哪些|哪个|哪里|多少|是否|请问|请|吗|呢"
)
"""Words of Chinese questions that say nothing about what is asked."""


def index_tokens(text: str) -> str:
    """The tokens of ``text`` for the keyword index, separated by spaces."""
    return " ".join(_tokens(text))


def query_tokens(query: str) -> list[str]:
    """The distinct tokens of ``query`` that are worth looking for, in its order."""
    bare = ASKING.sub(" ", unicodedata.normalize("NFKC", query))
    kept = [token for token in _tokens(bare) if token not in STOP]
    return list(dict.fromkeys(kept or _tokens(query)))


def _tokens(text: str) -> Iterator[str]:
    for match in PART.finditer(unicodedata.normalize("NFKC", text).lower()):
        if number := match["number"]:
            # One token for a whole number, whatever its notation: FTS5 would cut at the point.
            yield GROUPING.sub("", number).replace(".", "d").replace(",", "d")
        elif chinese := match["chinese"]:
            yield from (chinese[at : at + 2] for at in range(max(1, len(chinese) - 1)))
        else:
            yield from _word(match["word"])


def _word(word: str) -> Iterator[str]:
    """A word; a compound also as its parts, so that "back-up" and "backup" meet."""
    bare = APOSTROPHE.sub("'", word).removesuffix("'s").replace("'", "")
    parts = bare.split("-")
    if len(parts) > 1:
        yield from parts
    yield "".join(parts)
