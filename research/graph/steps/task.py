"""One step, with what its worker has to know."""

from __future__ import annotations

from dataclasses import dataclass

from research.models import Finding, QuestionKind, Step


@dataclass(frozen=True)
class StepTask:
    """What the team hands to the worker of a step."""

    question: str
    query: str
    kind: QuestionKind
    step: Step
    earlier: tuple[Finding, ...]
    """Findings of the steps it depends on, failed ones included."""
    web: bool
    """Whether the web may be searched for it."""
