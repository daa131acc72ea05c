from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pandas as pd
import pytest

from research.errors import DocumentError
from research.knowledge.library import Library
from research.knowledge.reading import Reading
from tests.knowledge import making

FIGURES = {
    "company": "青岚科技",
    "report": {"year": 2025, "tags": ["annual", "audited"]},
    "sales": [
        {"region": "East", "amount": 31, "place": {"city": "Suzhou"}},
        {"region": "South", "amount": 20, "place": {"city": "Shenzhen"}, "late": True},
    ],
    "monthly": {"month": ["Jan", "Feb", "Mar"], "rain": [12, 8, 104]},
    "steps": [{"say": ["a", {"b": 1}]}, "done"],
}


def read(path: Path, name: str, value: Any) -> Reading:
    text = value if isinstance(value, str) else json.dumps(value, ensure_ascii=False)
    return making.read(path, name, text.encode())


def test_records_become_tables_and_the_rest_stands_under_its_keys(library: Library) -> None:
    library.add("figures.json", json.dumps(FIGURES).encode())
    sales, monthly = library.tables()
    frame = pd.read_parquet(sales.path)
    assert list(frame) == ["region", "amount", "place.city", "late"]
    assert frame["amount"].tolist() == [31, 20]
    assert (sales.title, sales.place.heading) == ("sales", ("sales",))
    assert pd.read_parquet(monthly.path)["rain"].sum() == 124


def test_nested_values_are_text_under_the_path_of_their_keys(tmp_path: Path) -> None:
    reading = read(tmp_path, "figures.json", FIGURES)
    texts = {block.heading: block.text for block in reading.blocks}
    assert texts[()] == "company: 青岚科技"
    assert texts[("report",)] == "year: 2025\ntags: annual, audited"
    assert texts[("steps", "steps 1", "say", "say 2")] == "b: 1"
    assert reading.warnings == []


def test_lines_that_are_broken_are_counted_and_left_out(tmp_path: Path) -> None:
    lines = '{"id": 1, "name": "a"}\n{"id": 2, "na\n\n{"id": 3, "name": "c"}\nnonsense\n'
    reading = read(tmp_path, "records.jsonl", lines)
    [grid] = reading.grids
    assert (reading.kind, grid.rows) == ("jsonl", 2)
    [warning] = reading.warnings
    assert (warning.key, warning.params) == ("readers.broken_lines", {"count": 2})


@pytest.mark.parametrize("cut", [0.4, 0.6, 0.8, 0.95])
def test_what_is_whole_is_kept_of_a_file_that_ends_too_early(tmp_path: Path, cut: float) -> None:
    rows = [{"id": number, "name": f"row {number}"} for number in range(1000)]
    text = json.dumps({"title": "All rows", "data": {"rows": rows}})
    reading = read(tmp_path, "cut.json", text[: int(len(text) * cut)])
    [grid] = reading.grids
    assert 1000 * cut - 20 < grid.rows < 1000 * cut + 20
    assert reading.blocks[0].text == "title: All rows"
    assert [warning.key for warning in reading.warnings] == ["readers.half_json"]


@pytest.mark.parametrize("text", ["[" * 100_000, "[" * 100_000 + "]" * 100_000, '{"a":' * 100_000])
def test_what_is_nested_without_end_is_refused(tmp_path: Path, text: str) -> None:
    with pytest.raises(DocumentError) as caught:
        read(tmp_path, "deep.json", text)
    assert caught.value.key == "readers.nested_too_deeply"


def test_a_table_written_as_lists_has_its_first_list_as_header(tmp_path: Path) -> None:
    [grid] = read(tmp_path, "m.json", [["city", "people"], ["Bern", 134], ["Ulm", 129]]).grids
    assert [column.name for column in grid.columns] == ["city", "people"]


def test_objects_with_other_keys_each_are_not_forced_into_a_table(tmp_path: Path) -> None:
    value = {"income": {"sales": 1}, "staff": {"people": 2}, "plan": {"goal": "x"}}
    reading = read(tmp_path, "parts.json", value)
    assert reading.grids == []
    assert [block.heading for block in reading.blocks] == [("income",), ("staff",), ("plan",)]
