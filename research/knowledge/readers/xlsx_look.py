"""A look at the sheets of a workbook before they are read: how far they reach, how numbers show."""

from __future__ import annotations

import re
import tempfile
import zipfile
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass, field
from functools import lru_cache
from pathlib import Path, PurePosixPath
from typing import Any
from xml.parsers import expat

BUILT_IN = {9: "0%", 10: "0.00%"}
"""Number formats that need no definition; those of money show the sign of the reader's country."""
QUOTED = re.compile(r'"([^"]*)"|\\(.)|\[\$([^\]-]*)(?:-[^\]]*)?\]')
CURRENCY = re.compile(
    r"(?:US|HK|NT|[ACS])?\$|[€£¥￥₹₩]|\b(?:USD|EUR|GBP|CNY|RMB|JPY|CHF|HKD)\b|[百千]?[万亿]?元"
)
PIECE = 256 * 1024
MOST_SCANNED = 5_000_000
"""Cells of a sheet that are read."""
DIGITS = "0123456789"


@dataclass
class Look:
    """What was seen of a sheet."""

    rows: int = 0
    columns: int = 0
    formats: dict[int, dict[int, str]] = field(default_factory=dict)
    """By row and column from 0: ``%`` or the sign of a currency."""
    uncomputed: int = 0
    """Formulas without a value."""
    part: str = ""
    """Its name in the archive."""
    cut: int | None = None
    """Where in its XML to stop reading, for there are too many cells."""
    closing: str = ""
    """What ends the XML there."""


def look_at_xlsx(path: Path) -> dict[str, Look]:
    """What is to be known of each sheet of the workbook at ``path``, by its name."""
    with zipfile.ZipFile(path) as archive:
        forms = _forms(archive)
        looks = {}
        for name, part in _sheets(archive).items():
            with archive.open(part) as file:
                scan = _Scan(part, forms)
                while not scan.over and (piece := file.read(PIECE)):
                    scan.feed(piece)
            looks[name] = scan.finish()
    return looks


@contextmanager
def shortened(path: Path, looks: Mapping[str, Look]) -> Iterator[Path]:
    """The workbook at ``path``, or a copy whose sheets end where they are to be cut."""
    cuts = {look.part: look for look in looks.values() if look.cut is not None}
    if not cuts:
        yield path
        return
    with tempfile.TemporaryDirectory() as folder:
        copy = Path(folder) / "short.xlsx"
        with zipfile.ZipFile(path) as archive, zipfile.ZipFile(copy, "w") as short:
            for entry in archive.infolist():
                look = cuts.get(entry.filename, Look())
                with archive.open(entry) as file, short.open(entry.filename, "w") as part:
                    left = entry.file_size if look.cut is None else look.cut
                    while left > 0 and (piece := file.read(min(PIECE, left))):
                        part.write(piece)
                        left -= len(piece)
                    part.write(look.closing.encode())
        yield copy


@lru_cache(maxsize=1_000)
def format_of(code: str) -> str:
    """What a number format shows beside the number: ``%``, the sign of a currency, or nothing."""
    positive = code.partition(";")[0]
    said = "".join("".join(groups) for groups in QUOTED.findall(positive))
    bare = QUOTED.sub("", positive)
    if "%" in bare:
        return "%"
    match = CURRENCY.search(said) or CURRENCY.search(bare)
    return match[0] if match else ""


class _Scan:
    """Walks over the cells of a sheet."""

    def __init__(self, part: str, forms: Mapping[str, str]) -> None:
        self.look = Look(part=part)
        self.over = False
        self._forms = forms
        self._cells = 0
        self._row = -1
        self._row_at = 0
        self._column = -1
        self._type = ""
        self._formula = False
        self._prefix = ""
        self._parser = expat.ParserCreate()
        self._parser.StartElementHandler = self._root

    def feed(self, piece: bytes) -> None:
        """Go on; a sheet that is damaged is left to the reader to judge."""
        try:
            self._parser.Parse(piece)
        except expat.ExpatError:
            self.over = True

    def _root(self, tag: str, _: dict[str, str]) -> None:
        self._prefix = tag[: tag.rfind(":") + 1]
        self._parser.StartElementHandler = self._prefixed if self._prefix else self._start

    def _prefixed(self, tag: str, attributes: dict[str, str]) -> None:
        self._start(tag.removeprefix(self._prefix), attributes)

    def _start(self, tag: str, attributes: dict[str, str]) -> None:
        if tag == "c":
            self._start_cell(attributes)
        elif tag == "v" and self._formula:
            self._parser.CharacterDataHandler = self._result
        elif tag == "row":
            number = attributes.get("r", "")
            self._row = int(number) - 1 if number.isdecimal() else self._row + 1
            self._row_at = self._parser.CurrentByteIndex
            self._column = -1
        elif tag == "f":
            self._formula = self._type != "str"  # where nothing may be the result

    def _result(self, _: str) -> None:
        self._formula = False
        self._parser.CharacterDataHandler = None

    def finish(self) -> Look:
        """What was seen."""
        if self._formula:
            self._formula = False
            self.look.uncomputed += 1
            self._parser.CharacterDataHandler = None
        return self.look

    def _start_cell(self, attributes: dict[str, str]) -> None:
        look = self.finish() if self._formula else self.look
        self._type = attributes.get("t", "")
        reference = attributes.get("r")
        self._column = _column_of(reference.rstrip(DIGITS)) if reference else self._column + 1
        if self._row >= look.rows:
            look.rows = self._row + 1
        if self._column >= look.columns:
            look.columns = self._column + 1
        form = self._forms.get(attributes.get("s", ""))
        if form:
            look.formats.setdefault(self._row, {})[self._column] = form
        self._cells += 1
        if self._cells > MOST_SCANNED and not self.over:
            self.over = True
            look.rows = self._row
            look.cut = self._row_at
            look.closing = f"</{self._prefix}sheetData></{self._prefix}worksheet>"


@lru_cache(maxsize=20_000)
def _column_of(letters: str) -> int:
    number = 0
    for letter in letters[:4].upper():
        number = number * 26 + ord(letter) - ord("A") + 1
    return number - 1


def _forms(archive: zipfile.ZipFile) -> dict[str, str]:
    """By number of a style: what it shows beside a number, where it shows anything."""
    codes = dict(BUILT_IN)
    forms: dict[str, str] = {}
    styles: list[int] = []
    inside = False

    def start(tag: str, attributes: dict[str, str]) -> None:
        nonlocal inside
        tag = tag.rpartition(" ")[2]
        if tag == "numFmt" and attributes.get("numFmtId", "").isdecimal():
            codes[int(attributes["numFmtId"])] = attributes.get("formatCode", "")
        elif tag == "cellXfs":
            inside = True
        elif tag == "xf" and inside:
            number = attributes.get("numFmtId", "0")
            styles.append(int(number) if number.isdecimal() else 0)

    def end(tag: str) -> None:
        nonlocal inside
        inside = inside and tag.rpartition(" ")[2] != "cellXfs"

    _walk(archive, "xl/styles.xml", start, end)
    for number, style in enumerate(styles):
        if form := format_of(codes.get(style, "")):
            forms[str(number)] = form
    return forms


def _sheets(archive: zipfile.ZipFile) -> dict[str, str]:
    """The part of the archive that holds each sheet, by the sheet's name."""
    ids: dict[str, str] = {}
    targets: dict[str, str] = {}

    def sheet(tag: str, attributes: dict[str, str]) -> None:
        if tag.rpartition(" ")[2] == "sheet":
            key = next((value for name, value in attributes.items() if name.endswith(" id")), "")
            ids[attributes.get("name", "")] = key

    def relation(_: str, attributes: dict[str, str]) -> None:
        if "Id" in attributes:
            targets[attributes["Id"]] = attributes.get("Target", "")

    _walk(archive, "xl/workbook.xml", sheet)
    _walk(archive, "xl/_rels/workbook.xml.rels", relation)
    parts = {name: _part(targets.get(key, "")) for name, key in ids.items()}
    known = set(archive.namelist())
    return {name: part for name, part in parts.items() if part in known}


def _part(target: str) -> str:
    path = PurePosixPath(target)
    return str(path).lstrip("/") if path.is_absolute() else str(PurePosixPath("xl") / path)


def _walk(archive: zipfile.ZipFile, part: str, start: Any, end: Any = None) -> None:
    parser = expat.ParserCreate(namespace_separator=" ")
    parser.StartElementHandler = start
    if end is not None:
        parser.EndElementHandler = end
    try:
        with archive.open(part) as file:
            parser.ParseFile(file)
    except (KeyError, expat.ExpatError):
        return
