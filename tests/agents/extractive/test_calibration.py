"""The floor: what the documents answer is quoted, what they do not answer is not."""

from __future__ import annotations

import tomllib
from pathlib import Path

import pytest

from research.agents.extractive import ExtractiveAnalyst
from research.knowledge.library import Library
from tests.agents.extractive.walking import ask

QUESTIONS = tomllib.loads((Path(__file__).parent / "questions.toml").read_text("utf-8"))


@pytest.fixture(params=["calibration", "held_out"])
def asked(request: pytest.FixtureRequest, documents: Library, held_out: Library):
    return QUESTIONS[request.param], documents if request.param == "calibration" else held_out


def test_what_the_documents_answer_is_quoted(analyst: ExtractiveAnalyst, asked) -> None:
    questions, library = asked
    missed = []
    for question in questions["answerable"]:
        found = ask(analyst, library, question["question"])
        if found.empty or not all(words in found.text for words in question["expect"]):
            missed.append(question["question"])
    assert len(missed) <= 0.1 * len(questions["answerable"]), missed


def test_what_the_documents_do_not_answer_is_said_to_be_missing(
    analyst: ExtractiveAnalyst, asked
) -> None:
    questions, library = asked
    noise = {
        question["question"]: found.text
        for question in questions["unanswerable"]
        if not (found := ask(analyst, library, question["question"])).empty
    }
    assert noise == {}


def test_the_sample_report_does_not_know_the_favourite_colour_of_its_head(
    analyst: ExtractiveAnalyst, samples: Library
) -> None:
    for question in ("What is the CEO's favourite colour?", "How many employees work on Mars?"):
        found = ask(analyst, samples, question)
        assert found.empty
        assert found.text == "No direct evidence found."
        assert found.passage_ids == ()


def test_the_facts_of_the_sample_report_are_found(
    analyst: ExtractiveAnalyst, samples: Library
) -> None:
    facts = tomllib.loads((Path(__file__).parents[3] / "samples" / "facts.toml").read_text("utf-8"))
    missed = [
        fact["question"]
        for fact in facts["fact"]
        if fact["answer"] not in ask(analyst, samples, fact["question"]).text.replace("\\", "")
    ]
    assert len(missed) <= 0.2 * len(facts["fact"]), missed
