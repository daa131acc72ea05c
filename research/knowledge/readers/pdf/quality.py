"""Whether the text that a reader took from a PDF page says what the page shows."""

from __future__ import annotations

import re
from typing import Literal

Fault = Literal["empty", "garbled"]

PRIVATE = re.compile("[\ue000-\uf8ff\U000f0000-\U0010fffd]")
LOST = re.compile("[\ufffd\x01-\x08\x0b\x0e-\x1f\x7f-\x9f]")
"""The character that stands for an unknown one, and codes that no text holds."""
GLYPHS = re.compile(r"\(cid:\d+\)|(?:/(?:g|G|cid|gid|index|uni|a|c|C)[0-9A-F]{1,5}){3,}")
"""Numbers of glyphs in place of characters."""
MOJIBAKE = re.compile(
    r"Ã[\x80-\xbf€‚ƒ„…†‡ˆ‰Š‹ŒŽ‘’“”•–—˜™š›œžŸ¡-¿]|â€[™œ\x9d“”¦˜]|Â[ ©®°·]|ï¿½|锟斤拷|烫烫烫|ï»¿"
)
UPPER_LATIN = re.compile("[\u00a1-\u00ff]")
LATIN = re.compile("[A-Za-z]")
VOWEL = re.compile("[aeiouAEIOU]")
LETTER = re.compile(r"[^\W\d_]")

FEWEST = 20
"""With fewer characters, a page is a number or a mark, and too short to be judged."""


def fault(text: str, unmapped: float = 0.0) -> Fault | None:
    """What is wrong with the text of a page, if anything.

    Args:
        text: All text of the page, uncleaned, a line of the page a line.
        unmapped: The share of its characters for which the font does not say which they are.
    """
    inked = "".join(text.split())
    if not inked:
        return "empty"
    if len(inked) < FEWEST:
        return "garbled" if PRIVATE.sub("", LOST.sub("", inked)) == "" else None
    return "garbled" if _is_garbled(text, inked, unmapped) else None


def _is_garbled(text: str, inked: str, unmapped: float) -> bool:
    count = len(inked)
    latin = LATIN.findall(inked)
    letters = LETTER.findall(inked)
    return (
        (unmapped > 0.3 and not _has_words(inked, latin))
        or len(PRIVATE.findall(inked)) > 0.15 * count
        or len(LOST.findall(inked)) > 0.05 * count
        or sum(map(len, GLYPHS.findall(inked))) > 0.1 * count
        or len(MOJIBAKE.findall(inked)) * 2 > 0.05 * count
        # No language has so many letters with marks: Chinese in GBK that was taken for Latin-1.
        or (len(letters) > FEWEST and len(UPPER_LATIN.findall(inked)) > 0.45 * count)
        # No language has so few vowels: the numbers of glyphs that were taken for letters.
        or (len(latin) > 100 and sum(map(_is_vowel, latin)) < 0.2 * len(latin))
        or _stands_in_single_characters(text)
    )


def _has_words(inked: str, latin: list[str]) -> bool:
    """Whether characters that the font does not name make words all the same."""
    vowels = sum(map(_is_vowel, latin))
    return len(latin) > 0.6 * len(inked) and 0.25 * len(latin) < vowels < 0.6 * len(latin)


def _is_vowel(char: str) -> bool:
    return VOWEL.match(char) is not None


def _stands_in_single_characters(text: str) -> bool:
    """Whether most lines hold one character."""
    lines = [line.strip() for line in text.splitlines() if line.strip()]
    single = sum(len(line) == 1 and LETTER.match(line) is not None for line in lines)
    return single >= 12 and single > 0.6 * len(lines)
