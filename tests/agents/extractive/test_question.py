"""Questions are read by rules, in English and in Chinese."""

from __future__ import annotations

import pytest

from research.agents.extractive.question import read_question
from research.agents.extractive.variants import search_form, variants_of


@pytest.mark.parametrize(
    ("text", "kind"),
    [
        ("How did revenue by region change, and why?", "why"),
        ("Why did margins fall?", "why"),
        ("Compare EMEA and North America", "compare"),
        ("How does VaultKeep compare to Dropbox?", "compare"),
        ("How has revenue changed since 2015?", "trend"),
        ("How do I back up a workstation?", "how"),
        ("What are the main risks?", "list"),
        ("Which plans exist?", "list"),
        ("What is a backup version?", "definition"),
        ("How many people work there?", "general"),
        ("各地区收入如何变化，原因是什么？", "why"),
        ("华东和华南有什么区别？", "compare"),
        ("2020年以来收入的趋势", "trend"),
        ("怎样借公共自行车？", "how"),
        ("有哪些风险？", "list"),
        ("什么是储能电站？", "definition"),
    ],
)
def test_the_kind_of_a_question_follows_from_its_words(text: str, kind: str) -> None:
    assert read_question(text).kind == kind


def test_a_question_of_two_kinds_is_known_as_both() -> None:
    assert {"why", "trend"} <= read_question("How did revenue change, and why?").kinds


@pytest.mark.parametrize(
    ("text", "sides"),
    [
        ("Compare the Basic plan and the Office plan", ("Basic plan", "Office plan")),
        ("Compare revenue growth in EMEA and Asia Pacific", ("EMEA", "Asia Pacific")),
        ("Compare the EMEA and Asia Pacific revenue growth", ("EMEA", "Asia Pacific")),
        ("EMEA vs Americas: which grew faster?", ("EMEA", "Americas")),
        ("How do Halden and Yunling differ in spending?", ("Halden", "Yunling")),
        ("Is Norway richer than Sweden?", ("Norway", "Sweden")),
        ("比较华东和西北地区的收入变化", ("华东", "西北地区")),
        ("公共自行车与共享单车相比有哪些优缺点？", ("公共自行车", "共享单车")),
        ("华东、华南与西北地区的收入有什么区别？", ("华东", "华南", "西北地区")),
        ("How did revenue by region change?", ()),
    ],
)
def test_a_comparison_has_its_sides(text: str, sides: tuple[str, ...]) -> None:
    assert read_question(text).sides == sides


@pytest.mark.parametrize(
    ("text", "names"),
    [
        ("How many employees work on Mars?", ("Mars",)),
        ("What did analysts at Goldman Sachs say?", ("Goldman Sachs",)),
        ("Does VaultKeep support Dropbox?", ("VaultKeep", "Dropbox")),
        ("Revenue by region", ()),
        ("How Did Revenue By Region Change?", ()),
        ("Halden的员工流失率是多少？", ("Halden",)),
        ("公司在南极有几座电站？", ("南极",)),
    ],
)
def test_names_are_told_from_other_words(text: str, names: tuple[str, ...]) -> None:
    assert read_question(text).names == names


def test_the_topic_is_the_longest_run_of_meaning() -> None:
    assert read_question("How did revenue by region change, and why?").topic == "revenue by region"
    assert read_question("各地区营业收入如何变化？原因是什么？").topic == "地区营业收入"


def test_the_years_of_a_question_are_its_period() -> None:
    assert read_question("How did sales develop from 2019 to 2023?").period == (2019, 2023)
    assert read_question("How did sales develop?").period is None


def test_courtesies_are_no_part_of_what_is_searched_for() -> None:
    polite = read_question("Could you please tell me how high the dividend is?")
    assert search_form(polite) == "how high the dividend is?"
    assert search_form(read_question("请问公司有多少员工？")) == "公司有多少员工？"


def test_variants_are_different_and_as_many_as_asked_for_at_most() -> None:
    question = read_question("How did revenue in EMEA and Asia change, and why?")
    variants = variants_of(question, 3)
    assert len(variants) == 3
    assert len({*variants, question.text}) == 4
    assert variants_of(question, 0) == ()
