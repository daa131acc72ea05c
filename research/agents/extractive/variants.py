"""A question made fit for searching, and further angles on it."""

from __future__ import annotations

from research.agents.extractive.question import Question
from research.agents.extractive.rules import pattern
from research.i18n import text


def search_form(question: Question) -> str:
    """The question without courtesies."""
    courtesy = pattern("triage", "courtesy", "around")
    plain = courtesy.sub("", courtesy.sub("", question.text)).strip()
    return plain or question.text


def variants_of(question: Question, count: int) -> tuple[str, ...]:
    """At most ``count`` further queries: what it is about, each thing named, what its kind asks."""
    topic = question.topic
    angles = [" ".join(question.phrases)]
    angles += [f"{side} {topic}" if side not in topic else side for side in question.sides]
    for kind in ("why", "trend", "compare", "definition", "how", "list"):
        if kind in question.kinds:
            angles.append(text(f"extractive.angle.{kind}", question.language, topic=topic))
    angles += [f"{name} {topic}" for name in question.names if name not in topic]
    angles += list(question.phrases)
    known = {question.text.casefold(), search_form(question).casefold(), ""}
    fresh = [one for one in dict.fromkeys(angles) if one.casefold() not in known]
    return tuple(fresh[:count])
