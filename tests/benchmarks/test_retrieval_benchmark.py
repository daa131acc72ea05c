"""The figures of the retrieval benchmark, and the collection they are taken from."""

from __future__ import annotations

import math

import pytest

from benchmarks.judged import DIRECTIONS, SPLITS, documents, questions
from benchmarks.metrics import ndcg, recall

GRADES = {"a": 2, "b": 1}


@pytest.mark.parametrize(
    ("ranking", "gained"),
    [
        (["a", "b", "x"], 1.0),
        (["b", "a"], (1 + 2 / math.log2(3)) / (2 + 1 / math.log2(3))),
        (["x", "a"], (2 / math.log2(3)) / (2 + 1 / math.log2(3))),
        (["x", "y"], 0.0),
        (["x"] * 10 + ["a"], 0.0),
    ],
)
def test_ndcg_is_as_computed_by_hand(ranking: list[str], gained: float) -> None:
    assert ndcg(ranking, GRADES) == pytest.approx(gained)


def test_recall_counts_what_is_among_the_first_ten() -> None:
    assert recall(["a", "x"], GRADES) == 0.5
    assert recall(["x"] * 10 + ["a", "b"], GRADES) == 0.0
    assert recall(["b", "a"], GRADES) == 1.0


def test_every_judgement_names_a_paragraph_and_no_document_serves_both_splits() -> None:
    known = {p.id: d for d in documents() for p in d.paragraphs}
    used: dict[str, set[str]] = {}
    for split in SPLITS:
        asked = questions(split)
        assert {name for question in asked for name in question.relevant} <= set(known)
        assert all(set(question.relevant.values()) <= {1, 2} for question in asked)
        assert all(
            known[name].language == question.about
            for question in asked
            for name in question.relevant
        )
        used[split] = {known[name].name for question in asked for name in question.relevant}
    assert not used["development"] & used["test"]
    assert used["development"] | used["test"] == {document.name for document in documents()}


def test_there_are_as_many_as_the_figures_need() -> None:
    asked = [question for split in SPLITS for question in questions(split)]
    assert len(asked) >= 200
    assert len({question.text for question in asked}) == len(asked)
    counts = {d: sum(question.direction == d for question in asked) for d in DIRECTIONS}
    assert all(counts[d] >= 70 for d in ("en-en", "zh-zh"))
    assert all(counts[d] >= 30 for d in ("en-zh", "zh-en"))
    assert sum(len(document.paragraphs) for document in documents()) >= 400
