"""Noise in text: characters that were read in a wrong encoding before they were saved.

"Ã©" was "é" once, "é”›" and "锛" were Chinese punctuation, "ÖÐ¹ú" was 中国 and "锟斤拷" says only
that something was lost. Such text looks like any other to a search, which then finds nothing.
"""

from __future__ import annotations

import re
from collections.abc import Iterator

from research.knowledge.readers import Output, UnreadableError

SAMPLE = 200_000
MOSTLY = 0.5
"""A text with this share of noise says nothing any more."""
AS_BYTE = {chr(byte): byte for byte in range(0x80, 0x100)} | {
    char: byte for byte in range(0x80, 0xA0) if (char := bytes([byte]).decode("cp1252", "ignore"))
}
"""The bytes that Latin-1 and Windows-1252 show as these characters."""
WESTERN_RUN = re.compile(f"[{re.escape(''.join(AS_BYTE))}]{{2,}}")
CHINESE_RUN = re.compile("[\u2014-\u2026\u3000-\u303f\u3400-\u9fff\ue000-\uf8ff\uff00-\uffef€]{4,}")
LOST = re.compile("\ufffd+|(?:锟斤拷)+锟?斤?|(?:烫烫|屯屯)+")
LETTERS = re.compile(r"[^\W\d_]{5,}")
QUOTES = re.compile("[‘’“”–—…•·°«»\u00a0]+")


def check_noise(text: str, output: Output) -> None:
    """Warn of noise in the first part of ``text``.

    Raises:
        UnreadableError: Nearly all of it is noise.
    """
    sample = text[:SAMPLE]
    if sample.isascii():
        return
    runs = list(_noise(sample))
    visible = sum(not char.isspace() for char in sample)
    if not runs:
        return
    if sum(map(len, runs)) > MOSTLY * visible:
        raise UnreadableError("readers.all_noise")
    # What looks like noise once in a long text may be a word of its subject.
    if len(runs) > 2 or sum(map(len, runs)) > 0.005 * visible:
        output.warn("readers.some_noise", example=max(runs, key=len)[:12])


def _noise(text: str) -> Iterator[str]:
    yield from LOST.findall(text)
    for run in WESTERN_RUN.findall(text):
        if not QUOTES.fullmatch(run) and _was_utf8(bytes(AS_BYTE[char] for char in run)):
            yield run
        elif len(LETTERS.findall(run)) and len(run) >= 6:
            yield run  # no language of the West has so many letters with marks in a row
    for run in CHINESE_RUN.findall(text):
        if _was_utf8(run.encode("gb18030", "ignore")):
            yield run


def _was_utf8(data: bytes) -> bool:
    """Whether nearly all of ``data`` is valid UTF-8, which no other text is by chance."""
    return len(data.decode("utf-8", "ignore").encode()) > 0.8 * len(data)
