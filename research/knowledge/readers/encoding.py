"""From bytes to text, whatever the encoding."""

from __future__ import annotations

import codecs
import re
from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import TextIO

MARKS = (
    (codecs.BOM_UTF8, "utf-8-sig"),
    (codecs.BOM_UTF32_LE, "utf-32"),
    (codecs.BOM_UTF32_BE, "utf-32"),
    (codecs.BOM_UTF16_LE, "utf-16"),
    (codecs.BOM_UTF16_BE, "utf-16"),
)
SAMPLE = 65_536
CHUNK = 1024 * 1024
STRAY = 50
"""There are so many good characters to each bad byte in a text that is UTF-8 all the same."""
UNSURE = 0.02
"""Less than this is a guess from one or two letters."""
CONTROL = bytes(set(range(32)) - {0x09, 0x0A, 0x0B, 0x0C, 0x0D, 0x1B})
ASCII = bytes(range(128))
USUAL = re.compile(
    "[\t\n\r -~\u00a0-\u024f\u0370-\u04ff\u2010-\u203a\u3000-\u30ff\u4e00-\u9fff\uff01-\uff5e]"
)


def decode(data: bytes) -> str:
    """The text in ``data``, with every line ending as a newline."""
    text = data.decode(encoding_of(data), errors="replace")
    return text.replace("\r\n", "\n").replace("\r", "\n")


def open_text(path: Path) -> TextIO:
    """The file at ``path`` as a stream of text with its line endings as they are.

    The whole file is looked at first, a piece at a time, for the one byte that tells the encoding
    may stand near its end.
    """
    encoding = _encoding_of_chunks(_chunks(path))
    return path.open(encoding=encoding, errors="replace", newline="")


def encoding_of(data: bytes) -> str:
    """The encoding of ``data``, by its mark, its NULs, its validity, then by statistics."""
    return _encoding_of_chunks([data])


def looks_binary(head: bytes) -> bool:
    """Whether the first bytes of a file cannot be text in any usual encoding."""
    if head.startswith(tuple(mark for mark, _ in MARKS)):
        return False
    if _is_wide(head):
        return False
    # A few NULs in what is text otherwise were put there by a program that went wrong.
    return head.count(0) > len(head) // 20 or _is_binary(head.replace(b"\x00", b""))


def _is_wide(head: bytes) -> bool:
    """Whether ``head`` is UTF-16 without a mark: it has NULs, or controls where it is Chinese."""
    return (b"\x00" in head or _is_binary(head)) and _utf16(head) is not None


def _is_binary(head: bytes) -> bool:
    return len(head) - len(head.translate(None, CONTROL)) > len(head) // 100


def _chunks(path: Path) -> Iterator[bytes]:
    with path.open("rb") as file:
        while chunk := file.read(CHUNK):
            yield chunk


def _encoding_of_chunks(chunks: Iterable[bytes]) -> str:
    decoder = codecs.getincrementaldecoder("utf-8")("replace")
    bad = good = 0
    sample = b""
    for number, chunk in enumerate(chunks):
        if number == 0:
            for mark, encoding in MARKS:
                if chunk.startswith(mark):
                    return encoding
            # UTF-16 without a mark can be valid UTF-8, so look for this first.
            if _is_wide(chunk[:SAMPLE]):
                return _utf16(chunk) or "utf-8"
        if chunk.isascii():
            continue
        text = decoder.decode(chunk)
        bad += text.count("\ufffd")
        good += len(text) - len(text.encode("ascii", "ignore"))
        sample = sample or _telling(chunk)
        if bad > 100 and bad * STRAY > good:
            break
    return "utf-8" if bad * STRAY <= good - bad or not sample else _guess(sample)


def _telling(chunk: bytes) -> bytes:
    """The lines of ``chunk`` that are not ASCII: the others only blur the statistics."""
    first = len(chunk) - len(chunk.lstrip(ASCII))
    start = max(chunk.rfind(b"\n", 0, first) + 1, first - SAMPLE // 2)
    lines = chunk[start : start + 4 * SAMPLE].split(b"\n")
    if len(lines) > 2:
        lines.pop()  # it may end within a character
    return b"\n".join(line for line in lines if not line.isascii())[:SAMPLE]


def _utf16(data: bytes) -> str | None:
    """The byte order in which ``data`` reads as UTF-16 without a mark, if there is one."""
    sample = data[: min(SAMPLE, len(data)) & ~1]
    for encoding in ("utf-16-le", "utf-16-be"):
        text = sample.decode(encoding, errors="replace")
        if len(USUAL.findall(text)) > 0.9 * len(text):
            return encoding
    return None


def _guess(sample: bytes) -> str:
    import chardet

    found = chardet.detect(sample, encoding_era=chardet.EncodingEra.MODERN_WEB)
    if found["encoding"] in (None, "ascii", "utf-8") or found["confidence"] < UNSURE:
        return "cp1252"
    return str(found["encoding"])
