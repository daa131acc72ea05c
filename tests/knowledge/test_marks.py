"""Passages are found among the characters of a page, however they were cleaned and joined."""

from __future__ import annotations

import pytest

from research.knowledge.marks import spans_of

PAGE = (
    "Annual Report 2025\r\nThe fire at the Ros\ufffetock plant stopped ship-\r\n"
    "ments for nine weeks. The ﬁrst repairs cost\r\n２７.0 million.\r\n7\r\n"
    "Prices rose by 3.5%. Nothing else changed."
)


def found(passage: str, page: str = PAGE) -> list[str]:
    return [page[first : last + 1] for first, last in spans_of(passage, page)]


@pytest.mark.parametrize(
    ("passage", "start", "end"),
    [
        ("The fire at the Rostock plant stopped shipments for nine weeks.", "The fire", "weeks."),
        ("stopped ship-ments for nine weeks", "stopped", "weeks."),
        ("The first repairs cost 27.0 million.", "The ﬁrst", "million."),
        ("prices  rose by 3.5", "Prices", "3.5%."),
    ],
)
def test_hyphens_line_ends_ligatures_and_width_do_not_count(
    passage: str, start: str, end: str
) -> None:
    (run,) = found(passage)
    assert run.startswith(start) and run.endswith(end)


def test_chinese_text_is_found_without_its_spaces_and_line_ends() -> None:
    page = "第 3 页\r\n收入为三十一亿元，增长百分之\r\n十八，原因是苏州新 工厂在三月投产。\r\n风险"
    (run,) = found("收入为三十一亿元，增长百分之十八，原因是苏州新工厂在三月投产。", page)
    assert run.startswith("收入") and run.endswith("投产。")


def test_of_a_passage_that_was_put_together_each_piece_is_found() -> None:
    page = (
        "Revenue grew in four of the five regions and passed\r\n"
        "Greater China was the only region\r\n"
        "1.2 billion dollars for the first time in history.\r\nthat shrank, by nine percent in all."
    )
    columns = (
        "Revenue grew in four of the five regions and passed 1.2 billion dollars for the first "
        "time in history. Greater China was the only region that shrank, by nine percent in all."
    )
    runs = found(columns, page)
    assert "".join("".join(runs).split()) == "".join(page.split())


def test_a_misread_letter_does_not_part_a_run() -> None:
    (run,) = found("Tbe fire at the Rostock plant stoppcd shipments for nine weeks.")
    assert run.startswith("e fire") and run.endswith("nine weeks.")


def test_words_that_happen_to_stand_on_the_page_are_no_match() -> None:
    assert found("The plant in Lyon stopped shipping, and the repairs of the roof cost more.") == []
    assert found("Nothing") == ["Nothing"]
    assert found("？！") == []
    assert found("anything", "") == []


def test_a_table_in_markdown_is_found_cell_by_cell() -> None:
    page = "Accidents by plant\r\nPlant Accidents\r\nLyon 1,204\r\nTurin 9\r\nTotal 1,213"
    table = "| Plant | Accidents |\n| --- | --- |\n| Lyon | 1,204 |\n| Turin | 9 |"
    assert found(table, page) == ["Plant Accidents\r\nLyon 1,204\r\nTurin 9"]
