from __future__ import annotations

from pathlib import Path

import pytest

from research.knowledge.documents import Progress
from research.knowledge.readers.pdf.dates import stated_day, stated_version
from research.knowledge.reading import Reading
from tests.knowledge import making, making_pdf
from tests.knowledge.conftest import REPORT


def text_of(reading: Reading) -> str:
    return "\n".join(block.text for block in reading.blocks)


def test_the_sample_report_is_read_page_by_page_under_its_headings(tmp_path: Path) -> None:
    reading = making.read(tmp_path, REPORT.name, REPORT.read_bytes())
    assert (reading.kind, reading.pages) == ("pdf", 10)
    assert reading.title == "Meridian Instruments Annual Report 2025"
    [block] = [b for b in reading.blocks if "new distribution contract" in b.text]
    assert block.page == 5
    assert block.heading == (
        "Regional review",
        "Europe, Middle East and Africa",
        "Why revenue recovered in 2025",
    )
    assert block.text.startswith("Revenue grew by 44.7 million US dollars in 2025. The new")


def test_running_heads_and_page_numbers_are_left_out(tmp_path: Path) -> None:
    reading = making.read(tmp_path, REPORT.name, REPORT.read_bytes())
    body = [block.text for block in reading.blocks if block.page != 1]
    assert not [text for text in body if "Annual Report 2025" in text or text.isdigit()]


def test_words_cut_at_the_end_of_a_line_are_whole_again(tmp_path: Path) -> None:
    body = (
        "Characteristically internationalisation of long-term considerations necessitates "
        "comprehensive understanding of state-of-the-art instrumentation everywhere. " * 3
    )
    reading = making.read(tmp_path, "a.pdf", making.pdf(body))
    text = text_of(reading)
    assert text.count("internationalisation") == 3
    assert text.count("comprehensive understanding") == 3
    assert text.count("long-term") == 3
    assert "\ufffe" not in text


def test_chinese_text_keeps_its_headings_and_its_lines_join_without_spaces(tmp_path: Path) -> None:
    for bookmarked in (True, False):
        data = making.pdf(making.CHINESE_REPORT, bookmarked)
        reading = making.read(tmp_path, "年报.pdf", data)
        [block] = [b for b in reading.blocks if "隔膜" in b.text]
        assert (block.page, block.heading) == (2, ("风险因素",))
        assert block.text.startswith("公司百分之六十的隔膜由同一家供应商提供，若供应中断三个月，")
        [block] = [b for b in reading.blocks if "华东地区" in b.text]
        assert block.heading == ("经营概况", "分地区收入")


def test_headings_are_seen_without_an_outline(tmp_path: Path) -> None:
    body = """
= Findings
The first finding is about water and how it is used in the northern plants of the group.
== Cooling
Cooling takes nine tenths of the water, as the plants have no closed circuit so far.
= Advice
Close the circuit.
"""
    reading = making.read(tmp_path, "a.pdf", making.pdf(body, bookmarked=False))
    headings = {block.text[:8]: block.heading for block in reading.blocks}
    assert headings["Cooling "] == ("Findings", "Cooling")
    assert headings["Close th"] == ("Advice",)


def test_progress_counts_the_pages(tmp_path: Path) -> None:
    seen: list[Progress] = []
    making.read(tmp_path, REPORT.name, REPORT.read_bytes(), progress=seen.append)
    assert [(step.done, step.total) for step in seen] == [(n, 10) for n in range(1, 11)]


def test_of_a_very_long_file_the_first_two_thousand_pages_are_kept(tmp_path: Path) -> None:
    page = making.pdf("A page of a very long file with a few words on it.")
    reading = making.read(tmp_path, "long.pdf", making.repeated(page, 2001))
    assert len(reading.blocks) == 2000
    [warning] = reading.warnings
    assert warning.key == "knowledge.pages_read"
    assert warning.params == {"done": 2000, "total": 2001}


def test_two_columns_are_read_one_after_the_other_although_the_file_has_them_line_by_line(
    tmp_path: Path,
) -> None:
    left = [f"Left line {n} tells of the northern plants" for n in range(1, 13)]
    right = [f"Right line {n} tells of the southern ones" for n in range(1, 13)]
    content = making_pdf.text_at(
        50, 760, "One title that reaches over both of the columns here", 14
    )
    for number, (one, other) in enumerate(zip(left, right, strict=True)):
        content += making_pdf.text_at(50, 720 - 14 * number, one)
        content += making_pdf.text_at(310, 720 - 14 * number, other)
    reading = making.read(tmp_path, "a.pdf", making_pdf.drawn(content))
    text = " ".join(text_of(reading).split())
    assert " ".join(left) in text
    assert " ".join(right) in text
    assert text.index("Left line 12") < text.index("Right line 1 ")
    assert reading.grids == []


def test_footnotes_stay_apart_and_their_numbers_do_not_change_the_figures(tmp_path: Path) -> None:
    body = (
        "Net debt fell to 96.0 million#footnote[Borrowings less cash.] in 2025#footnote[Restated.]"
        " and stayed there."
    )
    reading = making.read(tmp_path, "a.pdf", making_pdf.paper(body))
    assert [block.text for block in reading.blocks] == [
        "Net debt fell to 96.0 million¹ in 2025² and stayed there.",
        "¹Borrowings less cash.",
        "²Restated.",
    ]


@pytest.mark.parametrize(
    ("words", "day"),
    [
        (
            "Annual report for the year ended 31 December 2025, approved on 3 March 2026",
            "2025-12-31",
        ),
        (
            "Form 10-K for the fiscal year ended September 27, 2025. Filed November 1, 2025.",
            "2025-09-27",
        ),
        ("2025年度报告（截至2025年12月31日）", "2025-12-31"),
        ("二〇二五年十二月三十一日", "2025-12-31"),
        ("Report of 2025-06-30", "2025-06-30"),
        ("Between 3 March 2024 and 5 May 2025 nothing was said.", None),
        ("Dated 31 February 2025.", None),
    ],
)
def test_the_day_of_a_report_is_the_end_of_its_year_or_the_only_one_named(
    words: str, day: str | None
) -> None:
    found = stated_day(words)
    assert (found.isoformat() if found else None) == day


def test_without_a_day_on_the_title_page_that_of_the_file_is_taken(tmp_path: Path) -> None:
    for words, day in (("Dated 3 March 2025.", "2025-03-03"), ("Undated.", "2024-02-01")):
        data = making_pdf.with_properties(making_pdf.paper(words), CreationDate="D:20240201120000Z")
        assert making.read(tmp_path, "a.pdf", data).date == day


@pytest.mark.parametrize(
    ("line", "version"),
    [
        ("Version 2.1", "2.1"),
        ("Rev. B", "B"),
        ("Handbook v1.4.2", "v1.4.2"),
        ("版本：V3.0", "V3.0"),
        ("第三版", "第三版"),
        ("The version of events that was given in 2 papers by the board differs from ours.", ""),
        ("Revenue 12.5", ""),
    ],
)
def test_the_version_is_the_one_a_short_line_states(line: str, version: str) -> None:
    assert stated_version(["Handbook of the house", line]) == version


def test_a_document_knows_its_version(tmp_path: Path) -> None:
    data = making_pdf.paper("= Handbook of the house\nVersion 2.1")
    assert making.read(tmp_path, "a.pdf", data).version == "2.1"


def test_without_a_title_in_its_properties_the_largest_line_of_the_front_page_is_taken(
    tmp_path: Path,
) -> None:
    body = "#text(size: 24pt)[Report on the northern plants]\n\n" + "All plants run well. " * 30
    data = making_pdf.without_title(making_pdf.paper(body))
    assert making.read(tmp_path, "a.pdf", data).title == "Report on the northern plants"
