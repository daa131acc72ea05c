"""One step, with what its worker has to know."""

from __future__ import annotations

from dataclasses import dataclass

from research.models import Finding, Notice, QuestionKind, Step, StepStatus


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


def failed(step: Step, reason: str, code: str = "") -> Finding:
    """What is left of a step that failed: the reason, and the code where there was some."""
    params = {"step": step.title, "reason": reason}
    notice = Notice(key="notices.step_failed", params=params, level="error")
    return Finding(step_id=step.id, status=StepStatus.FAILED, code=code, notices=(notice,))
