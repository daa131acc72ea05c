from __future__ import annotations

from pathlib import Path

from research.knowledge.documents import Progress
from research.knowledge.reading import Reading
from tests.knowledge import making
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


def test_the_rows_of_a_table_stay_on_lines_of_their_own(tmp_path: Path) -> None:
    reading = making.read(tmp_path, REPORT.name, REPORT.read_bytes())
    [table] = [b.text for b in reading.blocks if "EMEA 318.4 297.1 341.8" in b.text]
    assert table.split("\n")[:3] == [
        "Revenue by region, USD million",
        "Region 2023 2024 2025 Change 2024 Change 2025",
        "North America 412.6 428.9 455.3 +4.0% +6.2%",
    ]


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


def test_a_scanned_page_among_others_is_named(tmp_path: Path) -> None:
    text = making.pdf("This page has a text layer, and enough of it to be read.")
    reading = making.read(tmp_path, "a.pdf", making.joined(text, making.scan(2), text))
    [warning] = reading.warnings
    assert (warning.key, warning.params) == ("knowledge.scanned_pages", {"pages": "2-3"})
    assert {block.page for block in reading.blocks} == {1, 4}


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
