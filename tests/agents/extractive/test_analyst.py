"""The analyst as the graph sees it."""

from __future__ import annotations

import asyncio
import threading
from collections.abc import Sequence
from pathlib import Path

import numpy as np
import pytest

from research.agents.analyst import Analyst
from research.agents.extractive import ExtractiveAnalyst
from research.knowledge.embedding import Embedder
from research.knowledge.library import Library
from research.models import Plan, StepType
from tests.agents.extractive.walking import (
    brief_of,
    is_verbatim,
    plan_of,
    quotes_in,
    task_of,
    walk,
)

QUESTIONS = [
    "How did revenue by region change, and why?",
    "What are the main risks?",
    "Compare EMEA and Greater China",
    "What is planned for 2026?",
    "How many employees work on Mars?",
    "What was EMEA revenue in Q2 2024?",
]
CHINESE = [
    "各地区营业收入如何变化？原因是什么？",
    "公共自行车与共享单车相比有哪些优缺点？",
    "什么是储能电站？",
    "毛利率为什么提高了？",
]


def test_it_is_an_analyst(analyst: ExtractiveAnalyst) -> None:
    speaks: Analyst = analyst
    assert speaks.mode == "extractive"


@pytest.mark.parametrize("question", [*QUESTIONS, *CHINESE])
def test_every_quoted_sentence_is_verbatim_in_its_passage(
    analyst: ExtractiveAnalyst,
    samples: Library,
    documents: Library,
    question: str,
    tmp_path: Path,
) -> None:
    library = documents if question in CHINESE else samples
    done = walk(analyst, library, question, tmp_path)
    research = [step.id for step in done.plan.steps if step.type is StepType.RESEARCH]
    texts = [done.findings[step].text for step in research]
    texts += [one.markdown for one in done.sections if set(one.step_ids) <= set(research)]
    texts.append(done.summary)
    for text in texts:
        for words, passage_id in quotes_in(text):
            assert is_verbatim(words, done.passages[passage_id]), words


@pytest.mark.parametrize("question", [QUESTIONS[0], CHINESE[0]])
def test_every_sentence_of_the_report_is_quoted_or_computed_or_from_the_catalogue(
    analyst: ExtractiveAnalyst,
    samples: Library,
    documents: Library,
    question: str,
    tmp_path: Path,
) -> None:
    library = documents if question in CHINESE else samples
    done = walk(analyst, library, question, tmp_path)
    headings = {part for one in done.passages.values() for part in one.place.heading}
    computed = "\n".join(
        done.findings[step.id].text for step in done.plan.steps if step.type is StepType.PROCESSING
    )
    for line in filter(None, done.quoted.splitlines()):
        label = line.strip("*")
        assert "[^" in line or line in computed or label in headings, line


def test_the_same_question_gives_the_same_report(
    embedder: Embedder, samples: Library, tmp_path: Path
) -> None:
    first, second = (
        walk(ExtractiveAnalyst(embedder), samples, QUESTIONS[0], tmp_path / name)
        for name in ("first", "second")
    )
    assert first == second


def test_text_is_handed_on_in_pieces_that_make_it_up_again(
    analyst: ExtractiveAnalyst, samples: Library
) -> None:
    pieces: list[str] = []
    brief = brief_of(analyst, samples, QUESTIONS[0])
    plan = asyncio.run(analyst.plan(brief, (), pieces.append))
    assert "".join(pieces) == plan
    pieces.clear()
    step = Plan.model_validate_json(plan).steps[0]
    found = asyncio.run(analyst.research(task_of(samples, QUESTIONS[0], step), pieces.append))
    assert "".join(pieces) == found.text
    assert len(pieces) > 2
    assert max(map(len, pieces)) < 500


class Watched:
    """An embedder that notes which threads it works on."""

    def __init__(self, embedder: Embedder) -> None:
        self.embedder = embedder
        self.name, self.dimension = embedder.name, embedder.dimension
        self.understands = embedder.understands
        self.threads: set[threading.Thread] = set()

    def embed(self, texts: Sequence[str]) -> np.ndarray:
        self.threads.add(threading.current_thread())
        return self.embedder.embed(texts)


def test_the_work_is_done_beside_the_loop(embedder: Embedder, samples: Library) -> None:
    watched = Watched(embedder)
    plan_of(ExtractiveAnalyst(watched), brief_of(ExtractiveAnalyst(watched), samples, QUESTIONS[0]))
    assert watched.threads
    assert threading.main_thread() not in watched.threads
