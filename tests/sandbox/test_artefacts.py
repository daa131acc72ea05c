"""Only plain, small, readable files come out; what is refused is named."""

from __future__ import annotations

import os
from pathlib import Path

import pytest

from research.i18n import notice_text
from research.sandbox.artefacts import collect
from research.settings import SandboxLimits

LIMITS = SandboxLimits(artefacts=3, artefact_mb=1)


@pytest.fixture
def work(tmp_path: Path) -> Path:
    (tmp_path / "out").mkdir()
    return tmp_path


def refused(work: Path) -> list[str]:
    charts, tables, notices = collect(work, LIMITS)
    assert (charts, tables) == ([], [])
    assert all("{" not in notice_text(notice, lang) for notice in notices for lang in ("en", "zh"))
    return [notice.key.removeprefix("sandbox.") for notice in notices]


def test_links_pipes_and_folders_are_refused(work: Path) -> None:
    secret = work / "secret.csv"
    secret.write_text("key\ns3cret\n")
    out = work / "out"
    (out / "a.csv").symlink_to(secret)
    (out / "b.csv").hardlink_to(secret)
    os.mkfifo(out / "c.csv")
    (out / "d.csv").mkdir()
    (out / "e.json").symlink_to("/etc/passwd")
    assert refused(work) == ["refused_link"] * 3 + ["too_many"]
    for name in ("a.csv", "b.csv", "c.csv"):
        (out / name).unlink()
    assert refused(work) == ["refused_link"] * 2


def test_an_out_folder_that_is_a_link_gives_nothing(work: Path, tmp_path: Path) -> None:
    elsewhere = tmp_path / "elsewhere"
    elsewhere.mkdir()
    (elsewhere / "a.csv").write_text("a\n1\n")
    (work / "out").rmdir()
    (work / "out").symlink_to(elsewhere)
    assert collect(work, LIMITS) == ([], [], [])


@pytest.mark.parametrize(
    "name", ["a.html", "a.pickle", "a", ".a.csv", "a\nb.csv", "a" * 150 + ".csv"]
)
def test_other_names_are_refused(work: Path, name: str) -> None:
    (work / "out" / name).write_text("a\n1\n")
    assert refused(work) == ["refused_name"]


def test_names_in_chinese_are_taken(work: Path) -> None:
    (work / "out" / "各地区收入 (2024).csv").write_text("地区,收入\n北,1\n", "utf-8")
    _, (table,), _ = collect(work, LIMITS)
    assert (table.name, table.columns) == ("各地区收入 (2024)", ("地区", "收入"))


def test_a_file_that_is_too_large_is_refused(work: Path) -> None:
    (work / "out" / "a.csv").write_bytes(b"a\n" + b"1\n" * 600_000)
    assert refused(work) == ["refused_size"]


def test_more_files_than_allowed_are_left_out(work: Path) -> None:
    for i in range(9):
        (work / "out" / f"{i}.csv").write_text("a\n1\n")
        os.utime(work / "out" / f"{i}.csv", (i, i))
    _, tables, (notice,) = collect(work, LIMITS)
    assert [table.name for table in tables] == ["0", "1", "2"]
    assert notice.key == "sandbox.too_many"


@pytest.mark.parametrize(
    "content",
    [b"", b"{}", b"[1]", b'{"data": 1}', b"\xff", b"{" * 100, b"[" * 100_000, b"1" * 5_000],
)
def test_json_that_is_no_figure_is_refused(work: Path, content: bytes) -> None:
    (work / "out" / "a.json").write_bytes(content)
    assert refused(work) == ["refused_figure"]


def test_values_that_json_does_not_know_become_none(work: Path) -> None:
    (work / "out" / "a.json").write_text('{"data": [{"y": [NaN, Infinity, 1e999, 1]}]}')
    (chart,), _, _ = collect(work, LIMITS)
    assert chart.figure == {"data": [{"y": [None, None, None, 1]}], "layout": {}}
    assert chart.title == "a"


@pytest.mark.parametrize("content", [b"", b'a,b\n"x', b"\xff\xfe", b",".join([b"a"] * 300)])
def test_a_csv_that_is_no_table_is_refused(work: Path, content: bytes) -> None:
    (work / "out" / "a.csv").write_bytes(content)
    assert refused(work) == ["refused_table"]


def test_columns_are_numbers_only_where_every_cell_is_one(work: Path) -> None:
    lines = ["id,n,x,mixed,none", "001,1,1.5,1,", "002,-2,,n/a,", "003,3,2e3", "4,5,6,7,8,9"]
    (work / "out" / "a.csv").write_text("\ufeff" + "\r\n".join(lines), "utf-8")
    _, (table,), notices = collect(work, LIMITS)
    assert table.columns == ("id", "n", "x", "mixed", "none")
    assert table.rows == (
        ("001", 1, 1.5, "1", None),
        ("002", -2, None, "n/a", None),
        ("003", 3, 2000.0, None, None),
        ("4", 5, 6, "7", 8),
    )
    assert notices == []


def test_rows_beyond_the_limit_are_cut_and_told(work: Path) -> None:
    (work / "out" / "a.csv").write_text("a\n" + "1\n" * 5_001)
    _, (table,), (notice,) = collect(work, LIMITS)
    assert len(table.rows) == 5_000
    assert notice_text(notice, "en") == "Only the first 5000 rows of “a.csv” were kept."


def test_all_artefacts_together_are_limited_in_memory(work: Path) -> None:
    for name in ("a", "b", "c"):
        lines = [",".join(["x"] * 100)] * 4_001
        (work / "out" / f"{name}.csv").write_text("\n".join(lines))
    _, tables, (notice,) = collect(work, LIMITS)
    assert len(tables) == 2
    assert notice.key == "sandbox.refused_size"


def test_the_csv_beside_a_chart_belongs_to_it(work: Path) -> None:
    (work / "out" / "a.json").write_text('{"data": [], "layout": {"title": {"text": "Sales"}}}')
    (work / "out" / "a.csv").write_text("year,value\n2024,3\n")
    (chart,), tables, _ = collect(work, LIMITS)
    assert tables == []
    assert (chart.kind, chart.title, chart.columns, chart.rows) == (
        "chart",
        "Sales",
        ("year", "value"),
        ((2024, 3),),
    )
