"""Passages give whole sentences, word for word."""

from __future__ import annotations

import pytest

from research.agents.extractive.sentences import sentences_of
from research.i18n import text
from research.models import Passage, Place


def texts(passage: str, **place: object) -> list[str]:
    """The sentences of a passage with that text."""
    made = Passage.of("doc", passage, Place.model_validate(place))
    return [sentence.text for sentence in sentences_of(made)]


def test_soft_line_breaks_are_closed_and_titles_left_out() -> None:
    page = (
        "Revenue by region\n"
        "Revenue in EMEA rose from 412.0 million euros in 2023 to 498.3 million in 2025, mostly\n"
        "because of the service hub. The Americas fell by 9.6 % to 341.2 million euros.\n"
        "Region 2023 2024 2025\n"
        "EMEA 412.0 455.1 498.3\n"
    )
    assert texts(page) == [
        "Revenue in EMEA rose from 412.0 million euros in 2023 to 498.3 million in 2025, "
        "mostly because of the service hub.",
        "The Americas fell by 9.6 % to 341.2 million euros.",
    ]


def test_what_is_cut_off_at_either_end_is_no_sentence() -> None:
    cut = (
        "of the plant was mended in nine weeks. Orders came back in September 2024. The last of the"
    )
    assert texts(cut) == ["Orders came back in September 2024."]


def test_chinese_sentences_end_at_their_full_stops() -> None:
    passage = (
        "收入为86.4亿元，同比增长12.3%。原因是项目集中并网！\n"
        "西北地区收入下降，\n主要由于弃风限电。"
    )
    assert texts(passage) == [
        "收入为86.4亿元，同比增长12.3%。",
        "原因是项目集中并网！",
        "西北地区收入下降，主要由于弃风限电。",
    ]


def test_list_items_count_without_a_full_stop() -> None:
    assert texts("- Opened three new plants in Spain\n- Closed the old mill in Turin") == [
        "Opened three new plants in Spain",
        "Closed the old mill in Turin",
    ]


@pytest.mark.parametrize(
    "pointer",
    [
        "The table shows the five regions in the order of their size.",
        "具体数据见表3的各项说明内容。",
    ],
)
def test_sentences_that_only_lead_about_the_document_are_left_out(pointer: str) -> None:
    assert texts(pointer) == []


@pytest.mark.parametrize(
    ("sentence", "leaning"),
    [
        ("It benefited from the new plant in Busan.", True),
        ("The decline is due to two postponed contracts.", True),
        ("This was offset by lower freight rates.", True),
        ("其中研发人员超过一千一百人。", True),
        ("Revenue in EMEA rose by a fifth.", False),
        ("华东地区收入增长了两成。", False),
    ],
)
def test_a_sentence_that_points_back_is_known(sentence: str, leaning: bool) -> None:
    (found,) = sentences_of(Passage.of("doc", sentence))
    assert found.leaning is leaning


def test_rows_of_a_table_are_kept_row_by_row() -> None:
    rows = "region: EMEA; year: 2024; revenue: 297.1\nregion: EMEA; year: 2025; revenue: 341.8"
    assert texts(rows, rows=(1, 2)) == rows.splitlines()


def test_the_description_that_the_knowledge_base_makes_of_a_table_is_nobodys_sentence() -> None:
    for language in ("en", "zh"):
        words = text("knowledge.profile", language, title="Sales", rows=60, columns="region, year")
        assert texts(words, heading=("Sales",)) == []
