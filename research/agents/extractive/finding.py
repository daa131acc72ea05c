"""A research step: the sentences that answer it, quoted word for word under their headings."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence

import numpy as np

from research.agents.analyst import FindingText, Inquiry, ResearchTask
from research.agents.extractive.headings import path_of, stands_under
from research.agents.extractive.question import Question, read_question
from research.agents.extractive.quotes import Quote, written
from research.agents.extractive.relevance import FLOOR, Judgement, coverage_of, judge
from research.agents.extractive.sentences import Sentence, sentences_of
from research.agents.extractive.vectors import Vectors
from research.agents.extractive.words import Bag, terms_of
from research.i18n import text
from research.models import Hit, Passage, Source, Step

CANDIDATES = 80
"""Sentences that are embedded for one step."""
PASSAGES = 8
"""Passages quoted in one step."""
SENTENCES = 22
"""Sentences quoted in one step, lead-ins not counted."""
OF_ONE_PASSAGE = 5
ROWS = 4
"""Rows of tables quoted in one step."""
NEAR_BEST = 0.65
"""A sentence under this share of the best score is beside the point, whatever the floor says."""
_OWN_BEST = 0.8
"""Share of the best score that something under the heading of a step must have."""
_NOVELTY = 0.3
"""How much likeness to what is quoted already counts against a sentence."""
_SAME_HEADING = 0.1
"""What counts against a further passage under a heading, so that others get their turn."""
_TWIN = 0.93
"""Likeness from which two sentences say the same."""


def find(task: ResearchTask, vectors: Vectors) -> FindingText:
    """Quote what answers the step; empty where nothing reaches the floor."""
    picked: dict[tuple[str, int], Judgement] = {}
    for question in aims_of(task.step, task.question):
        judged = judge(question, candidates(question, task.hits, task.sources), vectors)
        for one in choose(_under_its_heading(task.step, judged, task.sources)):
            picked.setdefault((one.sentence.passage.id, one.sentence.index), one)
    quotes = _quotes(list(picked.values()))
    if not quotes:
        return FindingText(text("extractive.no_evidence", task.language), empty=True)
    return FindingText(
        text=written(quotes, task.step.title, task.sources),
        passage_ids=tuple(quote.passage.id for quote in quotes),
    )


def answer(inquiry: Inquiry, vectors: Vectors) -> FindingText:
    """Quote what answers a question; empty where nothing reaches the floor."""
    question = read_question(inquiry.question)
    sentences = candidates(question, inquiry.hits, inquiry.sources, compared=True)
    quotes = _quotes(choose(judge(question, sentences, vectors)))
    return FindingText(
        text=written(quotes, "", inquiry.sources),
        passage_ids=tuple(quote.passage.id for quote in quotes),
        empty=not quotes,
    )


def aims_of(step: Step, question: str) -> list[Question]:
    """What the sentences of a step are judged by.

    A step of the planner has its title among its queries, and in front of it what it aims at; a
    step that the user wrote or changed has not, and is judged by its title.
    """
    aims = step.queries[: step.queries.index(step.title)] if step.title in step.queries else ()
    # A plan keeps queries short: the question is judged by in full.
    return [
        read_question(question if question.startswith(aim) else aim)
        for aim in aims or (step.title,)
    ]


def candidates(
    question: Question,
    hits: Sequence[Hit],
    sources: Mapping[str, Source],
    *,
    compared: bool = False,
) -> list[Sentence]:
    """The sentences worth a look, each once, in the order of the hits.

    Args:
        question: What is asked.
        hits: Where to look.
        sources: What they stand in.
        compared: Whether rows of tables may serve a comparison or a trend as well; in a run these
            are computed.
    """
    found: dict[str, Sentence] = {}
    for hit in hits:
        source = sources.get(hit.passage.source_id)
        for sentence in sentences_of(hit.passage, source.title if source else ""):
            found.setdefault("".join(sentence.text.split()).casefold(), sentence)
    computed = not compared and not question.kinds.isdisjoint({"why", "trend", "compare"})
    rows = [] if computed else _rows_asked_for(question, [o for o in found.values() if o.row])
    kept = [one for one in found.values() if not one.row or one in rows]
    if len(kept) <= CANDIDATES:
        return kept
    # All the question's words make up for the whole way from the first hit to the last.
    coverage = coverage_of(question, [f"{one.context} {one.text}" for one in kept])
    worth = coverage - np.arange(len(kept)) / len(kept)
    chosen = set(np.argsort(-worth, kind="stable")[:CANDIDATES].tolist())
    return [one for place, one in enumerate(kept) if place in chosen]


def worth_quoting(judged: Sequence[Judgement]) -> list[Judgement]:
    """What is above the floor and near the best."""
    best = max((one.score for one in judged), default=0.0)
    return [one for one in judged if one.score >= FLOOR and one.rank >= NEAR_BEST * best]


def choose(judged: Sequence[Judgement]) -> list[Judgement]:
    """What is quoted: the best, each saying something new."""
    good = worth_quoting(judged)
    picked: list[Judgement] = []
    used: Counter[str] = Counter()
    while good and len(picked) < SENTENCES:
        pick = max(good, key=lambda one: one.rank - _repetition(one, picked))
        good.remove(pick)
        passage = pick.sentence.passage.id
        full = used[passage] == OF_ONE_PASSAGE or (passage not in used and len(used) == PASSAGES)
        if not full and _likeness(pick, picked) < _TWIN:
            picked.append(pick)
            used[passage] += 1
    return picked


def _repetition(one: Judgement, picked: Sequence[Judgement]) -> float:
    """What counts against a sentence because of what is quoted already."""
    passage, heading = one.sentence.passage, one.sentence.context
    elsewhere = any(
        other.sentence.context == heading and other.sentence.passage.id != passage.id
        for other in picked
    )
    return _NOVELTY * _likeness(one, picked) + _SAME_HEADING * (elsewhere and heading != "")


def _likeness(one: Judgement, others: Sequence[Judgement]) -> float:
    return max((float(one.vector @ other.vector) for other in others), default=0.0)


def _rows_asked_for(question: Question, rows: Sequence[Sentence]) -> list[Sentence]:
    """The rows of tables that hold most of the values asked for, in a column that is asked for.

    Of a comparison, those of each side.
    """
    values, matches = [], []
    for row in rows:
        cells = [cell.partition(": ") for cell in row.text.split("; ")]
        names = Bag.of(" ".join(name for name, _, _ in cells))
        values.append(Bag.of(" ".join(value for _, _, value in cells)))
        named = any(names.share(term) == 1 for term in question.terms)
        matches.append(named * sum(values[-1].share(term) == 1 for term in question.terms))
    sides = [terms_of(side) for side in question.sides] or [question.terms]
    fitting: list[Sentence] = []
    for side in sides:
        of_side = [
            count * any(bag.share(term) == 1 for term in side)
            for bag, count in zip(values, matches, strict=True)
        ]
        most = max(of_side, default=0)
        best = [row for row, count in zip(rows, of_side, strict=True) if most and count == most]
        fitting += best[: max(1, ROWS // len(sides))]
    return fitting


def _under_its_heading(
    step: Step, judged: list[Judgement], sources: Mapping[str, Source]
) -> list[Judgement]:
    """For a step named after a heading, what stands under it, and pages of the web.

    Unless the answer clearly stands elsewhere.
    """
    own = [
        one
        for one in judged
        if stands_under(step.title, path_of(one.sentence.passage, sources))
        or _is_page(one.sentence.passage, sources)
    ]
    best = max((one.score for one in judged), default=0.0)
    enough = max(FLOOR, _OWN_BEST * best)
    return own if any(one.score >= enough for one in own) else judged


def _is_page(passage: Passage, sources: Mapping[str, Source]) -> bool:
    return passage.source_id in sources and sources[passage.source_id].kind == "web"


def _quotes(picked: Sequence[Judgement]) -> list[Quote]:
    """Picked sentences by passage, with those that they lean on.

    The source with the best sentence comes first; within a source the pages decide.
    """
    by_passage: dict[str, list[Sentence]] = {}
    for one in picked:
        by_passage.setdefault(one.sentence.passage.id, []).append(one.sentence)
    quotes = [Quote.of(sentences) for sentences in by_passage.values()]
    order = list(dict.fromkeys(quote.passage.source_id for quote in quotes))
    return sorted(
        quotes, key=lambda one: (order.index(one.passage.source_id), one.passage.place.page or 0)
    )
