"""Words are compared in spite of their forms."""

from __future__ import annotations

import pytest

from research.agents.extractive.words import Bag, stem, terms_of


def share(question: str, text: str) -> float:
    """Share of the words of ``question`` found in ``text``."""
    terms = terms_of(question)
    return sum(Bag.of(text).share(term) for term in terms) / len(terms)


@pytest.mark.parametrize(
    "forms",
    [
        ("backup", "backups", "back up", "back-up", "backing up", "ＢＡＣＫＵＰ"),
        ("log in", "login", "logged in"),
    ],
)
def test_a_compound_is_found_in_every_spelling(forms: tuple[str, ...]) -> None:
    for asked in forms:
        for written in forms:
            assert share(asked, f"The {written} was done.") == 1.0, (asked, written)


@pytest.mark.parametrize(
    "forms",
    [
        ("grow", "grew", "grown", "growing", "growth"),
        ("recover", "recovered", "recovery"),
        ("employ", "employed", "employees"),
        ("region", "regions", "regional"),
        ("price", "prices", "priced", "pricing"),
        ("person", "people"),
    ],
)
def test_inflected_forms_share_a_stem(forms: tuple[str, ...]) -> None:
    assert len({stem(form) for form in forms}) == 1


def test_full_width_figures_are_the_same_as_half_width_ones() -> None:
    assert share("２０２５ 收入", "2025年收入增长") == 1.0


def test_an_abbreviation_is_found_written_out() -> None:
    assert share("CEO", "the chief executive officer") == 1.0
    assert share("EMEA", "Europe, the Middle East and Africa") == 1.0
    assert share("R&D", "research and development") == 1.0
    assert share("EMEA", "every mine in Asia") == 0.0


def test_words_without_meaning_are_no_terms() -> None:
    assert [term.word for term in terms_of("What is the CEO's favourite colour?")] == [
        "ceo's",
        "favourite",
        "colour",
    ]
    assert [term.word for term in terms_of("公司总经理最喜欢的颜色是什么？")] == [
        "公司",
        "总经理",
        "喜欢",
        "颜色",
    ]


def test_part_of_a_chinese_compound_counts_in_part() -> None:
    assert 0 < share("营业收入", "收入增长") < 1
