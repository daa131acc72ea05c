"""How well a sentence answers a question: likeness of meaning, and the question's own words."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from research.agents.extractive.cues import (
    CAUSE,
    CHANGE_TERM,
    CONTRIBUTION,
    FAMILIES,
    FORMS,
    MOVEMENT,
    MOVEMENT_TERM,
    OUTLOOK,
)
from research.agents.extractive.question import Question
from research.agents.extractive.reasons import carried
from research.agents.extractive.sentences import Sentence
from research.agents.extractive.vectors import Vectors
from research.agents.extractive.words import (
    Bag,
    Term,
    english_words,
    fold,
    has_chinese,
    stem,
    terms_of,
)

FLOOR = 0.34
"""A sentence under it is no evidence.

Calibrated on ``tests/agents/extractive/questions.toml``, English and Chinese mixed, over a library
of four documents, twelve hits a question. Best score of the 31 questions that the documents answer:
0.37 to 0.79; of the 31 that they do not: up to 0.33. On two documents held out: 0.35 to 0.75 for 14
of 15 that are answered (one at 0.26 is missed), up to 0.28 for the 15 that are not. Quoted in full:
43 of 46; noise: 0 of 46.
"""
_LIKENESS, _COVERAGE = 0.55, 0.45
"""What the two count for in a score."""
_ABSENT_NAME = 0.3
"""Taken from everything where the question names what nothing here speaks of."""
_OTHER_SOURCE = 0.4
"""Taken from a source that never speaks of what is named, where another does: it is about
something else, and what it says would be taken for an answer."""
_OTHER_NAME = 0.1
"""Taken from a sentence that speaks of nothing the question names."""
_HEADING_WORD = 0.7
"""What a word of the question counts that stands in the heading and not in the sentence."""
_FITTING_FORM = 0.05
_COUNTED = 0.1
"""For a sentence with a number of just what "how many" asks for."""
_ANNOUNCED = 0.15
"""For a reason that was announced as one ("has three causes")."""
_STILL, _AHEAD = 0.2, 0.12
"""Taken from a sentence in which nothing moves when a movement was asked about, and from one about
the future when the past was."""


@dataclass(frozen=True)
class Judgement:
    """A sentence and how well it answers; what reaches :data:`FLOOR` may be quoted."""

    sentence: Sentence
    score: float
    rank: float
    """The score, with a little more for the form that was asked for: a cause, a number, a date."""
    vector: np.ndarray


def judge(question: Question, sentences: Sequence[Sentence], vectors: Vectors) -> list[Judgement]:
    """Judge every sentence against ``question``, in the order given."""
    if not sentences:
        return []
    alone = vectors.of([one.text for one in sentences])
    coverage = _coverage(question, sentences)
    known = ~np.isnan(coverage)
    likeness = np.maximum(
        vectors.likeness(question.text, [one.text for one in sentences]),
        vectors.likeness(question.text, [_under_heading(one) for one in sentences]),
    )
    scores = np.where(
        known,
        _LIKENESS * likeness + _COVERAGE * np.nan_to_num(coverage),
        # In another language only the likeness is left, and it comes out lower.
        0.9 * likeness - 0.05,
    )
    scores -= np.array([_beside_the_point(question, one) for one in sentences])
    scores -= known * _names_missing(question, sentences)
    scores = np.maximum(scores, _openings(question, sentences, vectors))
    scores, announced = carried(question, sentences, scores)
    bonus = np.array([_form_bonus(question, one.text) for one in sentences])
    if "why" in question.kinds:
        bonus += _ANNOUNCED * announced
    return [
        Judgement(one, float(score), float(score + extra), vector)
        for one, score, extra, vector in zip(sentences, scores, bonus, alone, strict=True)
    ]


def coverage_of(question: Question, texts: Sequence[str]) -> np.ndarray:
    """Share of the question's words in each text, all words alike, in [0, 1]."""
    bags = [Bag.of(text) for text in texts]
    shares = [[_share(bag, term) for term in question.terms] or [0.0] for bag in bags]
    return np.array(shares).mean(axis=1)


def speaks_of_change(term: Term) -> bool:
    """Whether a word of a question asks how something moved, rather than of what."""
    return bool(CHANGE_TERM.match(term.word) or MOVEMENT_TERM.match(term.word))


def _under_heading(sentence: Sentence) -> str:
    headings = sentence.passage.place.heading
    return f"{' > '.join(headings[-2:])}: {sentence.text}" if headings else sentence.text


def _coverage(question: Question, sentences: Sequence[Sentence]) -> np.ndarray:
    """Idf-weighted share of the question's words in each sentence; NaN in another language."""
    if not question.terms:
        return np.full(len(sentences), np.nan)
    same = [has_chinese(one.text) == (question.language == "zh") for one in sentences]
    shares = np.array(
        [
            np.maximum(
                _shares(question.terms, one.text),
                _HEADING_WORD * _shares(question.terms, one.context),
            )
            for one in sentences
        ]
    )
    among = max(1, sum(same))
    frequency = (shares[same] > 0.5).sum(axis=0)
    weights = np.log1p(among / (0.5 + frequency))
    return np.where(same, shares @ weights / weights.sum(), np.nan)


def _shares(terms: Sequence[Term], text: str) -> np.ndarray:
    bag = Bag.of(text)
    return np.array([_share(bag, term) for term in terms])


def _share(bag: Bag, term: Term) -> float:
    found = bag.share(term)
    for asked, stands_for_it, value in FAMILIES:
        if found < value and asked.match(term.word) and stands_for_it.search(bag.folded):
            found = value
    return found


def _names_missing(question: Question, sentences: Sequence[Sentence]) -> np.ndarray:
    """What counts against sentences that do not speak of what the question names."""
    bags = [Bag.of(f"{one.source} {one.context} {one.text}") for one in sentences]
    names = [terms_of(name) or (Term(name),) for name in question.names]
    years = [(Term(str(year), frozenset({str(year)})),) for year in question.period or ()]
    said = [[all(bag.share(term) > 0.6 for term in name) for bag in bags] for name in names]
    dated = [[all(bag.share(term) > 0.6 for term in year) for bag in bags] for year in years]
    missing = np.full(len(sentences), _ABSENT_NAME * any(not any(one) for one in (*said, *dated)))
    if names:
        named = np.array(said).any(axis=0)
        sources = np.array([one.passage.source_id for one in sentences])
        speaking = np.isin(sources, sources[named])
        missing += np.where(named, 0.0, _OTHER_NAME)
        missing += np.where(speaking | ~named.any(), 0.0, _OTHER_SOURCE)
    return missing


def _openings(question: Question, sentences: Sequence[Sentence], vectors: Vectors) -> np.ndarray:
    """The score of a heading that asks the same, for the first sentence under it.

    Where nothing more is asked than to be told of it, the sentences after it have a part of it.
    """
    scores = np.zeros(len(sentences))
    for here, one in enumerate(sentences):
        share = 0.9 if one.index == 0 else 0.0 if question.kinds else 0.6
        if share and one.context and question.terms:
            if min(_shares(question.terms, one.context)) < 1:
                continue
            likeness = vectors.likeness(question.text, [one.context])[0]
            scores[here] = share * (_LIKENESS * likeness + _COVERAGE)
    return scores


def _beside_the_point(question: Question, sentence: Sentence) -> float:
    if question.kinds.isdisjoint({"why", "trend"}):
        return 0.0
    # A movement is seen by rows one after the other.
    moves = sentence.row or any(
        form.search(sentence.text) for form in (MOVEMENT, CAUSE, CONTRIBUTION)
    )
    ahead = OUTLOOK.search(f"{sentence.context} {sentence.text}")
    early = ahead is not None and not OUTLOOK.search(question.text)
    return _STILL * (not moves) + _AHEAD * early


def _form_bonus(question: Question, text: str) -> float:
    bonus = _FITTING_FORM if "why" in question.kinds and CAUSE.search(text) else 0.0
    counted = re.search(r"\bhow many (\w+)", question.text, re.IGNORECASE)
    if counted and _counts(counted[1], text):
        bonus += _COUNTED
    for cue, form in FORMS:
        if re.search(cue, question.text, re.IGNORECASE) and form.search(text):
            bonus += _FITTING_FORM
    return bonus


def _counts(thing: str, text: str) -> bool:
    """Whether a number of ``thing`` stands in ``text``: "5,420 people", "12 new branches"."""
    words, wanted = english_words(text), stem(fold(thing))
    return any(
        word[0].isdigit() and wanted in map(stem, words[here + 1 : here + 3])
        for here, word in enumerate(words)
    )
