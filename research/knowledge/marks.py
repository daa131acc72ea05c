"""Where a passage stands among the characters of a page.

A passage was cleaned, joined over line ends and cut, so it is looked for by its letters and digits
alone: spaces, hyphens, marks, case and width do not count. Where it does not stand there in one
piece, because columns were sorted or a running head was left out, the pieces of it that do are
taken, as long as they are most of it.
"""

from __future__ import annotations

import unicodedata
from collections.abc import Sequence

Span = tuple[int, int]
"""First and last index of a run of characters."""

PIECE = 14
"""Letters that have to be alike in a row; fewer stand on any page by chance."""
CHINESE_PIECE = 6
ENOUGH = 0.4
"""Share of a passage that has to be found."""


def spans_of(passage: str, page: Sequence[str]) -> list[Span]:
    """The runs of ``page`` that hold ``passage``, in the order of the page.

    Args:
        passage: Its text.
        page: The characters of the page; an index may hold none or several.

    Returns:
        Nothing where too little of the passage is found.
    """
    letters, places = _letters(page)
    wanted = _letters(passage)[0]
    runs = _whole(wanted, letters) or _pieces(wanted, letters)
    return [_with_signs(places[first], places[stop - 1], page) for first, stop in runs]


def _with_signs(first: int, last: int, page: Sequence[str]) -> Span:
    """A run with the signs that touch it: a bracket, a full stop, a percent sign."""
    while first > 0 and _is_sign(page[first - 1]):
        first -= 1
    while last + 1 < len(page) and _is_sign(page[last + 1]):
        last += 1
    return first, last


def _is_sign(character: str) -> bool:
    return character.isprintable() and not character.isspace() and not character.isalnum()


def _letters(text: Sequence[str]) -> tuple[str, list[int]]:
    """The letters and digits of ``text`` made uniform, and the index that each comes from."""
    kept = [
        (letter, index)
        for index, character in enumerate(text)
        for letter in unicodedata.normalize("NFKC", character).casefold()
        if letter.isalnum()
    ]
    return "".join(letter for letter, _ in kept), [index for _, index in kept]


def _whole(wanted: str, letters: str) -> list[Span]:
    start = letters.find(wanted) if wanted else -1
    return [(start, start + len(wanted))] if start >= 0 else []


def _pieces(wanted: str, letters: str) -> list[Span]:
    """The longer runs of ``letters`` that are made of pieces of ``wanted``."""
    chinese = sum("\u3400" <= letter <= "\u9fff" for letter in wanted)
    size = CHINESE_PIECE if chinese * 2 > len(wanted) else PIECE
    known = {wanted[at : at + size] for at in range(len(wanted) - size + 1)}
    runs: list[list[int]] = []
    for at in range(len(letters) - size + 1):
        if letters[at : at + size] not in known:
            continue
        if runs and at <= runs[-1][1] + size:  # a misread letter or two parts no run
            runs[-1][1] = at + size
        else:
            runs.append([at, at + size])
    long = [(first, stop) for first, stop in runs if stop - first >= 2 * size]
    found = sum(stop - first for first, stop in long)
    return long if found >= ENOUGH * len(wanted) else []
