"""From bytes to text, whatever the encoding."""

from __future__ import annotations

import codecs
import re

MARKS = (
    (codecs.BOM_UTF8, "utf-8-sig"),
    (codecs.BOM_UTF32_LE, "utf-32"),
    (codecs.BOM_UTF32_BE, "utf-32"),
    (codecs.BOM_UTF16_LE, "utf-16"),
    (codecs.BOM_UTF16_BE, "utf-16"),
)
SAMPLE = 65_536
CONTROL = bytes(set(range(32)) - {0x09, 0x0A, 0x0B, 0x0C, 0x0D, 0x1B})
USUAL = re.compile(
    "[\t\n\r -~\u00a0-\u024f\u0370-\u04ff\u2010-\u203a\u3000-\u30ff\u4e00-\u9fff\uff01-\uff5e]"
)


def decode(data: bytes) -> str:
    """The text in ``data``, with every line ending as a newline."""
    text = data.decode(encoding_of(data), errors="replace")
    return text.replace("\r\n", "\n").replace("\r", "\n")


def encoding_of(data: bytes) -> str:
    """The encoding of ``data``, by its mark, its NULs, its validity, then by statistics."""
    for mark, encoding in MARKS:
        if data.startswith(mark):
            return encoding
    if b"\x00" in data[:SAMPLE]:  # UTF-16 without a mark is valid UTF-8, so look for this first
        return _utf16(data) or "utf-8"
    try:
        data.decode("utf-8")
    except UnicodeDecodeError:
        return _guess(data)
    return "utf-8"


def looks_binary(head: bytes) -> bool:
    """Whether the first bytes of a file cannot be text in any usual encoding."""
    if head.startswith(tuple(mark for mark, _ in MARKS)):
        return False
    if b"\x00" in head:
        return _utf16(head) is None
    return len(head) - len(head.translate(None, CONTROL)) > len(head) // 100


def _utf16(data: bytes) -> str | None:
    """The byte order in which ``data`` reads as UTF-16 without a mark, if there is one."""
    sample = data[: SAMPLE & ~1]
    for encoding in ("utf-16-le", "utf-16-be"):
        text = sample.decode(encoding, errors="replace")
        if len(USUAL.findall(text)) > 0.9 * len(text):
            return encoding
    return None


def _guess(data: bytes) -> str:
    import chardet

    return chardet.detect(data[:SAMPLE])["encoding"] or "latin-1"
