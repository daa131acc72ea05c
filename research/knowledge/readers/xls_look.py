"""A look at the sheets of an old workbook: which of its numbers show as percentages or money.

An XLS file is a stream of records, each with its kind and its length in front. Only those that say
how numbers are shown are looked at here; the cells are read by a library.
"""

from __future__ import annotations

import struct
from collections.abc import Iterator
from pathlib import Path

from research.knowledge.readers.xlsx_look import BUILT_IN, Look, format_of

BOUNDSHEET, FORMAT, XF, EOF, BOF = 0x85, 0x041E, 0xE0, 0x0A, 0x0809
NUMBER, RK, MULTIPLE_RK, FORMULA = 0x0203, 0x027E, 0xBD, 0x06
SINGLE = (NUMBER, RK, FORMULA)


def look_at_xls(path: Path) -> dict[str, Look]:
    """The formats of the numbers on each sheet, by its name; nothing where it cannot be told."""
    import olefile

    try:
        with olefile.OleFileIO(str(path)) as file:
            name = next((name for name in ("Workbook", "Book") if file.exists(name)), None)
            data = file.openstream(name).read() if name else b""
        return _looks(data)
    except (OSError, struct.error, IndexError, ValueError):
        return {}


def _looks(data: bytes) -> dict[str, Look]:
    codes = dict(BUILT_IN)
    styles: list[int] = []
    starts: dict[str, int] = {}
    for kind, body in _records(data, 0):
        if kind == FORMAT:
            codes[struct.unpack_from("<H", body)[0]] = _text(body[2:], 2)
        elif kind == XF:
            styles.append(struct.unpack_from("<H", body, 2)[0])
        elif kind == BOUNDSHEET:
            starts[_text(body[6:], 1)] = struct.unpack_from("<I", body)[0]
    forms = [format_of(codes.get(style, "")) for style in styles]
    return {name: _sheet(data, start, forms) for name, start in starts.items()}


def _sheet(data: bytes, start: int, forms: list[str]) -> Look:
    look = Look()
    for kind, body in _records(data, start):
        if kind in SINGLE:
            row, column, style = struct.unpack_from("<HHH", body)
            found = {column: style}
        elif kind == MULTIPLE_RK:
            row, first = struct.unpack_from("<HH", body)
            count = (len(body) - 6) // 6
            found = {
                first + at: struct.unpack_from("<H", body, 4 + 6 * at)[0] for at in range(count)
            }
        else:
            continue
        for column, style in found.items():
            if style < len(forms) and forms[style]:
                look.formats.setdefault(row, {})[column] = forms[style]
    return look


def _records(data: bytes, position: int) -> Iterator[tuple[int, bytes]]:
    """The records from ``position`` to the end of the part that begins there."""
    depth = 0
    while position + 4 <= len(data):
        kind, size = struct.unpack_from("<HH", data, position)
        depth += kind == BOF
        depth -= kind == EOF
        if depth <= 0:
            return
        yield kind, data[position + 4 : position + 4 + size]
        position += 4 + size


def _text(body: bytes, length_bytes: int) -> str:
    """A string with its length in characters, then a byte that says whether they take two bytes."""
    length = int.from_bytes(body[:length_bytes], "little")
    wide = body[length_bytes] & 1
    text = body[length_bytes + 1 : length_bytes + 1 + length * (1 + wide)]
    return text.decode("utf-16-le" if wide else "latin-1", "replace")
