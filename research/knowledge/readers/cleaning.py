"""Text made uniform without changing what it says.

Full NFKC would turn "m²" into "m2" and Chinese commas into Latin ones, so only what a reader
cannot see is folded: ligatures, radicals that PDF files use in place of Chinese characters,
full-width letters and digits, odd spaces, and marks that have no width.
"""

from __future__ import annotations

import re
import unicodedata

FOLDED = re.compile(
    "[\ufb00-\ufb06"  # Latin ligatures
    "\u2e80-\u2fdf\uf900-\ufaff"  # CJK and Kangxi radicals, compatibility ideographs
    "\uff10-\uff19\uff21-\uff3a\uff41-\uff5a\uff05]"  # full-width digits, letters, percent sign
)
SPACES = re.compile("[\u00a0\u1680\u2000-\u200a\u202f\u205f\u3000\t ]+")
INVISIBLE = re.compile(
    "[\x00-\x08\x0b\x0c\x0e-\x1f\x7f\u00ad\u200b\u200e\u200f\u2060\ud800-\udfff\ufeff\ufffe\uffff]"
)
CHINESE = re.compile("[\u3000-\u303f\u3400-\u9fff\uf900-\ufaff\uff00-\uffef]")


def clean(text: str) -> str:
    """``text`` with invisible differences removed and spaces made single."""
    if text.isascii() and text.isprintable() and "  " not in text:
        return text.strip()
    text = FOLDED.sub(lambda match: unicodedata.normalize("NFKC", match[0]), text)
    return SPACES.sub(" ", INVISIBLE.sub("", text)).strip()


def join_lines(first: str, second: str) -> str:
    """Two lines of one paragraph as one, without a space between Chinese characters."""
    chinese = CHINESE.match(first[-1:]) and CHINESE.match(second[:1])
    return first + ("" if chinese else " ") + second
