from __future__ import annotations

import re
from pathlib import Path

from PIL import Image

from research.report.markdown import to_markdown, write_markdown
from research.report.tree import parse
from tests.report.conftest import Given


def test_one_file_carries_text_sources_and_pictures(english: Given) -> None:
    text = to_markdown(*english)
    assert text.startswith("# Meridian Foods: what drove revenue in 2025\n")
    assert len(re.findall(r"!\[[^\]]+\]\(data:image/png;base64,[\w+/=]{2000,}\)", text)) == 3
    assert "https://evil" not in text


def test_the_honesty_lines_stand_on_top(english: Given, chinese: Given) -> None:
    head = to_markdown(*english, lambda _chart: None).partition("## Key points")[0]
    assert "Written by a language model" in head
    assert "> - This report is partial" in head
    assert "15 of 19 cited statements" in head
    assert "摘自原文，并非由模型撰写" in to_markdown(*chinese, lambda _chart: None)


def test_every_citation_leads_to_its_entry(english: Given) -> None:
    text = to_markdown(*english, lambda _chart: None)
    cited = set(re.findall(r"\[\\\[(\d+)\\\]\]\(#source-\1\)", text))
    entries = re.findall(r'<a id="source-(\d+)"></a>\*\*\\\[\1\\\]\*\* ', text)
    assert entries == [str(number) for number in range(1, 9)]
    assert cited == set(entries)
    assert "Meridian Annual Report 2025.pdf, page 12" in text
    assert "revenue_by_region.csv, rows 1–3" in text
    assert "> Sales in Asia grew by 5.9% to \\$81.0 million." in text


def test_doubtful_statements_are_listed_with_what_is_missing(english: Given) -> None:
    text = to_markdown(*english, lambda _chart: None)
    checks = text.partition("## Statements to check")[2].partition("## Sources")[0]
    assert "Sales in Asia doubled" in checks
    assert "Not in its passages: 91.0 million." in checks


def test_charts_bring_their_data_and_what_cannot_be_drawn_says_so(english: Given) -> None:
    text = to_markdown(*english, lambda chart: "x.png" if "Revenue" in chart.title else None)
    assert "![Bar chart of revenue by region from 2023 to 2025](x.png)" in text
    assert "**Figure 4: Stores on the map**\n\nThis chart cannot be drawn" in text
    assert "| Munich | 310 |" in text


def test_a_long_table_of_data_is_cut_with_a_word(english: Given) -> None:
    report, evidence = english
    charts = {
        name: chart.model_copy(update={"rows": tuple((n, n, n) for n in range(500))})
        for name, chart in evidence.charts.items()
    }
    long = type(evidence)(evidence.passages, evidence.sources, charts)
    text = to_markdown(report, long, lambda _chart: None)
    assert "Further rows not printed here: 470." in text


def test_the_command_line_writes_pictures_beside_the_text(chinese: Given, tmp_path: Path) -> None:
    path = write_markdown(*chinese, tmp_path / "out")
    text = path.read_text("utf-8")
    names = re.findall(r"\]\((report_files/[^)]+\.png)\)", text)
    assert len(names) == 2
    for name in names:
        with Image.open(path.parent / name) as picture:
            assert picture.width > 1000
    assert "![2023年至2025年各地区营业收入柱状图]" in text
    assert "**图1：各地区营业收入**" in text


def test_the_file_reads_back_as_the_same_report(chinese: Given) -> None:
    text = to_markdown(*chinese, lambda _chart: "x.png")
    headings = [block["c"][0]["text"] for block in parse(text) if block["t"] == "heading"]
    assert headings == [
        "子午食品：2025年营业收入增长的原因",
        "要点",
        "概述",
        "详细分析",
        "成本",
        "展望与建议",
        "待核对的陈述",
        "来源",
    ]
