from __future__ import annotations

import datetime as dt
from pathlib import Path

import pytest

from research.knowledge.readers import Correction, delimited
from tests.knowledge.making_tables import Collected, Rows, book, collected, placed

ODD = "Report,Version,Status\nRegion,Sales,Day\nN,5,2025-01-31\nS,six,2024-12-31\n"


def corrected(tmp_path: Path, text: str, correction: Correction) -> Collected:
    return collected(tmp_path, "t.csv", text, {"A1": correction})


def test_a_preview_shows_the_rows_as_they_stand(tmp_path: Path) -> None:
    found = collected(tmp_path, "t.csv", "Title\n\nRegion,2024\nN," + "x" * 200 + "\nS,2\n")
    [grid] = found.grids
    assert (grid.origin, grid.header, grid.preview_row) == ("A3", (3, 3), 1)
    assert grid.preview[:3] == (("Title", ""), ("", ""), ("Region", "2024"))
    assert len(grid.preview[3][1]) == 80


def test_a_header_can_be_moved(tmp_path: Path) -> None:
    found = corrected(tmp_path, ODD, Correction(header=(2, 2)))
    assert found.names() == ["Region", "Sales", "Day"]
    assert found.types() == ["text", "text", "date"]
    assert (found.grids[0].origin, found.grids[0].header) == ("A1", (2, 2))


def test_rows_can_be_joined_to_a_header(tmp_path: Path) -> None:
    found = corrected(tmp_path, ODD, Correction(header=(1, 2)))
    assert found.names() == ["Report / Region", "Version / Sales", "Status / Day"]
    assert found.grids[0].rows == 2


def test_types_can_be_forced_and_what_does_not_fit_becomes_empty(tmp_path: Path) -> None:
    said = Correction(header=(2, 2), types={"Sales": "number", "Day": "text", "gone": "date"})
    found = corrected(tmp_path, ODD, said)
    assert found.rows() == [["N", 5.0, "2025-01-31"], ["S", None, "2024-12-31"]]


def test_codes_can_be_made_numbers_and_numbers_text(tmp_path: Path) -> None:
    text = "code,plain,day\n007,5,01/02/2025\n042,6,13/02/2025\n"
    said = Correction(types={"plain": "text", "day": "date"})
    found = corrected(tmp_path, text, said)
    assert found.rows()[0] == ["007", "5", dt.date(2025, 2, 1)]


def test_a_header_beyond_the_table_is_ignored(tmp_path: Path) -> None:
    assert (
        corrected(tmp_path, ODD, Correction(header=(4, 9))).rows()
        == collected(tmp_path, "t.csv", ODD).rows()
    )


def test_a_table_of_a_sheet_is_found_again_after_its_header_moved(tmp_path: Path) -> None:
    rows: Rows = [["Table 1", "Table 2"], ["Region", "Sales"], ["N", 5], ["S", 6]]
    data = book(lambda sheet: placed(sheet, rows, top=3, left=2))
    [before] = collected(tmp_path, "b.xlsx", data).grids
    assert before.origin == "Data!B3"
    found = collected(tmp_path, "b.xlsx", data, {before.origin: Correction(header=(4, 4))})
    assert found.grids[0].origin == before.origin
    assert found.rows() == [["N", 5], ["S", 6]]
    assert found.names() == ["Region", "Sales"]


def test_a_long_file_is_read_like_a_short_one(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    body = "".join(f"City {n},{n},{n / 4},2025-01-{n % 28 + 1:02d}\n" for n in range(30_000))
    names = "City,People,Area,Day"
    text = f"Cities\n{names}\n{body}\n{names}\nLast,1,2,2025-01-01\nSource: x\n"
    short = collected(tmp_path, "t.csv", text)
    monkeypatch.setattr(delimited, "WHOLE_BYTES", 1000)
    long = collected(tmp_path, "t.csv", text)
    assert short.rows() == long.rows()
    assert short.grids == long.grids
    assert short.blocks == long.blocks
    moved = collected(tmp_path, "t.csv", text, {"A2": Correction(types={"People": "text"})})
    assert moved.types() == ["text", "text", "number", "date"]
