"""A plan revised by what the user wrote, as far as rules can read it.

Every step stays as the user left it, unless the feedback says otherwise: steps are dropped, kept
alone or added; what no rule understands becomes one step that searches for the feedback itself.
"""

from __future__ import annotations

import re
from collections.abc import Callable
from dataclasses import dataclass, field

from research.agents.analyst import Brief
from research.agents.extractive.planning import numbered, search_step, table_steps
from research.agents.extractive.question import read_question
from research.agents.extractive.rules import pattern, rules
from research.agents.extractive.vectors import Vectors
from research.agents.extractive.words import Bag, terms_of
from research.i18n import text
from research.models import Plan, Step, StepType

_NUMBERS = {
    word: number
    for number, words in enumerate(
        ("one 一", "two 二 两", "three 三", "four 四", "five 五", "six 六", "七", "八", "九"), 1
    )
    for word in words.split()
}
_FOUND = 0.6
"""Share of the words of what was named that a step must have to be meant."""


@dataclass
class _Draft:
    """The plan while it is changed, and what was changed."""

    brief: Brief
    vectors: Vectors
    steps: list[Step]
    changes: list[str] = field(default_factory=list)

    def say(self, key: str, **params: object) -> None:
        """Note a change in the words of the catalogue."""
        self.changes.append(text(f"extractive.plan.{key}", self.brief.language, **params))

    def keep(self, wanted: Callable[[Step], bool]) -> None:
        """Drop every step that is not wanted."""
        for step in self.steps:
            if not wanted(step):
                self.say("dropped", title=step.title)
        self.steps = [step for step in self.steps if wanted(step)]

    def add(self, what: str) -> None:
        """Add a step that searches for ``what``; where the plan is full, join it to a step."""
        fresh = search_step(what, self.brief)
        if any(step.title.casefold() == fresh.title.casefold() for step in self.steps):
            return
        if len(self.steps) < self.brief.max_steps:
            at = next((i for i, one in enumerate(self.steps) if _computes(one)), len(self.steps))
            self.steps.insert(at, fresh)
            self.say("added", title=fresh.title)
            return
        nearest = _nearest(fresh.title, self.steps, self.vectors)
        joined = nearest.model_copy(
            update={"queries": _with_aim(nearest, fresh.title, self.brief.question)}
        )
        self.steps[self.steps.index(nearest)] = joined
        self.say("joined", title=fresh.title, step=nearest.title)


def revise(brief: Brief, vectors: Vectors) -> Plan:
    """The plan as the user left it, with what the feedback asks for."""
    assert brief.previous
    draft = _Draft(brief, vectors, list(brief.previous.steps))
    for clause in pattern("revision", "clause", "ends").split(brief.feedback):
        plain = clause.strip(" .,，。!！?？:：\"'“”")
        if plain and not pattern("revision", "clause", "empty").fullmatch(plain):
            _apply(plain, draft)
    if not draft.steps:
        draft.add(read_question(brief.question, brief.language).topic)
    separator = "；" if brief.language == "zh" else "; "
    thought = (
        text("extractive.plan.revised", brief.language, changes=separator.join(draft.changes))
        if draft.changes
        else text("extractive.plan.unchanged", brief.language, feedback=brief.feedback.strip())
    )
    return brief.previous.model_copy(
        update={"steps": numbered(draft.steps), "thought": thought, "language": brief.language}
    )


def _apply(clause: str, draft: _Draft) -> None:
    """Do what one clause of the feedback says; the first kind that it is of decides."""
    kinds: dict[str, Callable[[str, _Draft], None]] = {
        "length": _shorten,
        "no_web": _stay_off_web,
        "web": _use_web,
        "drop": _drop,
        "only": _keep_only,
        "add": _add,
    }
    for kind, change in kinds.items():
        for rule in rules("revision")["clause"][kind]:
            if found := re.fullmatch(rule, clause, re.IGNORECASE):
                change(_name(found.groupdict().get("what") or ""), draft)
                return
    _add(clause, draft)


def _shorten(number: str, draft: _Draft) -> None:
    """Drop steps from the end, a calculation only when no more than one search is left."""
    most = max(1, _number(number))
    while len(draft.steps) > most:
        searches = [step for step in draft.steps if not _computes(step)]
        last = searches[-1] if len(searches) > 1 else draft.steps[-1]
        draft.keep(lambda step, last=last: step is not last)  # type: ignore[misc]


def _stay_off_web(_: str, draft: _Draft) -> None:
    draft.steps = [step.model_copy(update={"needs_web": False}) for step in draft.steps]
    draft.say("web_off")


def _use_web(_: str, draft: _Draft) -> None:
    if draft.brief.web:
        draft.steps = [
            step.model_copy(update={"needs_web": not _computes(step)}) for step in draft.steps
        ]
        draft.say("web_on")


def _drop(what: str, draft: _Draft) -> None:
    meant = _meant(what, draft.steps)
    draft.keep(lambda step: step not in meant)


def _keep_only(what: str, draft: _Draft) -> None:
    meant = _meant(what, draft.steps) or [
        step for step in draft.steps if _share(what, step.description) >= _FOUND
    ]
    meant += [step for step in draft.steps if step not in meant and _holds(step, what, draft.brief)]
    draft.keep(lambda step: step in meant)
    if not any(not _computes(step) for step in meant):
        draft.add(what)


def _add(what: str, draft: _Draft) -> None:
    if not _is(what, "figures"):
        if terms_of(what):
            draft.add(what)
        return
    brief = draft.brief
    question = read_question(brief.question, brief.language)
    for step in table_steps(question, brief.tables, brief.language, draft.vectors):
        known = any(step.tables == other.tables for other in draft.steps)
        if not known and len(draft.steps) < brief.max_steps:
            draft.steps.append(step)
            draft.say("added", title=step.title)


def _name(what: str) -> str:
    """What a clause is about, without the words around it."""
    plain = what.strip(" \"'“”")
    if _is(plain, "step_numbers") or _is(plain, "figures"):
        return plain
    around = pattern("revision", "what", "around")
    return around.sub("", around.sub("", plain)).strip(" \"'“”")


def _is(what: str, kind: str) -> bool:
    return pattern("revision", "what", kind).fullmatch(what) is not None


def _meant(what: str, steps: list[Step]) -> list[Step]:
    """The steps that ``what`` means: by number, by kind, or by the words of their titles."""
    if _is(what, "step_numbers"):
        number = pattern("revision", "words", "number")
        chosen = {_number(one) for one in number.findall(what)}
        return [step for place, step in enumerate(steps, 1) if place in chosen]
    if _is(what, "figures"):
        return [step for step in steps if _computes(step)]
    return [step for step in steps if _share(what, step.title) >= _FOUND]


def _holds(step: Step, what: str, brief: Brief) -> bool:
    """Whether a table of a calculation has ``what`` among its names and values."""
    tables = [table for table in brief.tables if table.id in step.tables]
    words = [
        word for table in tables for one in table.columns for word in (one.name, *one.examples)
    ]
    return _share(what, " ".join(words)) >= _FOUND


def _share(what: str, words: str) -> float:
    bag, terms = Bag.of(words), terms_of(what)
    return sum(bag.share(term) for term in terms) / len(terms) if terms else 0.0


def _number(word: str) -> int:
    return int(word) if word.isdigit() else _NUMBERS[word.lower()]


def _computes(step: Step) -> bool:
    return step.type is StepType.PROCESSING


def _nearest(title: str, steps: list[Step], vectors: Vectors) -> Step:
    able = [step for step in steps if not _computes(step)] or steps
    likeness = vectors.likeness(title, [step.title for step in able])
    return able[int(likeness.argmax())]


def _with_aim(step: Step, aim: str, question: str) -> tuple[str, ...]:
    """The queries of ``step`` with a further aim in front of its title."""
    queries = step.queries if step.title in step.queries else (step.title, step.title)
    place = queries.index(step.title, 1) if queries[0] == step.title else queries.index(step.title)
    return (*queries[:place], aim, *queries[place:])
