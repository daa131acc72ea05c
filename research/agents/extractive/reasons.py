"""What a sentence inherits from those before it: a reason rarely repeats what it is given for."""

from __future__ import annotations

import re
from collections.abc import Sequence

import numpy as np

from research.agents.extractive.cues import ANNOUNCEMENT, CAUSE, CONTRIBUTION
from research.agents.extractive.question import Question
from research.agents.extractive.sentences import Sentence

_FADING = 0.95
"""What is left of a sentence's score, sentence by sentence, for those that lean on it."""
_MOST_ANNOUNCED = 4
"""Sentences after an announcement that may be what it announced."""
_SUBJECT = re.compile(r"(?:\w+ ){1,2}in (?:the )?([A-Z]\w+(?: [A-Z]\w+)*)")


def carried(
    question: Question, sentences: Sequence[Sentence], scores: np.ndarray
) -> tuple[np.ndarray, np.ndarray]:
    """Let a sentence inherit from those before it in its passage what it leaves unsaid.

    Returns:
        The scores, and which sentences are of those that one before announced.
    """
    passed = scores.copy()
    follows = np.zeros(len(scores), dtype=bool)
    heritage, announced, left = 0.0, 0.0, 0
    for here, sentence in enumerate(sentences):
        before = sentences[here - 1] if here else None
        if before is None or before.passage.id != sentence.passage.id:
            heritage, left = 0.0, 0
        elif before.index + 1 == sentence.index:
            if ANNOUNCEMENT.search(before.text):
                announced, left = 0.85 * passed[here - 1], _MOST_ANNOUNCED
            if sentence.leaning:
                passed[here] = max(passed[here], 0.75 * passed[here - 1])
        if _of_other_subject(question, sentence):
            heritage, left = 0.0, 0
        factor = _inheritance(question, sentence)
        follows[here] = left > 0
        passed[here] = max(passed[here], factor * heritage, announced * follows[here])
        heritage, left = max(_FADING * heritage, passed[here]), left - 1
    return passed, follows


def _of_other_subject(question: Question, sentence: Sentence) -> bool:
    """Whether it turns to something else than is named: "Revenue in Y" when X was asked about."""
    subject = _SUBJECT.match(sentence.text) if question.names else None
    return subject is not None and subject[1] not in question.text


def _inheritance(question: Question, sentence: Sentence) -> float:
    """What a reason takes over from the statement that it is given for, somewhere before it."""
    if "why" not in question.kinds:
        return 0.0
    if CAUSE.search(sentence.text) or ANNOUNCEMENT.search(sentence.text):
        return 0.9
    return 0.85 if CONTRIBUTION.search(sentence.text) else 0.0
