"""A plan: one step for each heading that evidence stands under, and one for each fitting table."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field

from research.agents.analyst import Brief
from research.agents.extractive.finding import candidates, worth_quoting
from research.agents.extractive.headings import Path, name_of, path_of
from research.agents.extractive.labels import label_of, titled, unit_of, with_unit
from research.agents.extractive.question import Question, read_question
from research.agents.extractive.relevance import Judgement, judge
from research.agents.extractive.tables import carrying
from research.agents.extractive.vectors import Vectors
from research.agents.extractive.words import STOPWORDS, Bag, fold, terms_of
from research.i18n import text
from research.models import Language, Plan, Source, Step, StepType, Table

TABLES = 2
"""Processing steps of one plan."""
_WORTH = (1.0, 0.5, 0.25)
"""What the best, second and third sentence under a heading count for it."""
_WORTH_A_STEP = 0.6
"""Share of the best heading's worth that a heading must have to get a step."""
_MANY = 3
"""Headings under one that are joined even where there is room for a step each."""
_SUBHEADINGS = 6
"""Headings below a step's own that are searched for by name."""


@dataclass
class Section:
    """Evidence under one heading."""

    path: Path
    scores: list[float] = field(default_factory=list)
    sources: dict[str, None] = field(default_factory=dict)
    below: dict[str, None] = field(default_factory=dict)
    """Headings under it that were joined."""

    @property
    def worth(self) -> float:
        """How much evidence there is, in sentences as good as can be."""
        best = sorted(self.scores, reverse=True)
        return sum(share * score for share, score in zip(_WORTH, best, strict=False))


def propose(brief: Brief, vectors: Vectors) -> Plan:
    """The first plan for a question."""
    question = read_question(brief.question, brief.language)
    tables = table_steps(question, brief.tables, brief.language, vectors)
    room = max(1, brief.max_steps - len(tables))
    good = _evidence(question, brief, vectors)
    if len(question.sides) >= 2:
        steps, thought = _comparison(question, good, brief, room)
    elif good:
        steps = _section_steps(question, _sections(question, good, brief.sources, room), brief)
        thought = _thought(good, brief.language)
    else:
        asked = question.text.rstrip(" ?？.。!！")
        title = (asked if len(asked) <= 80 else question.topic) or question.text
        steps = [search_step(title, brief, aim=brief.question)]
        thought = text(f"extractive.plan.thought_{'table' if tables else 'none'}", brief.language)
    return Plan(
        title=brief.question.strip() if len(brief.question) <= 120 else question.topic,
        thought=thought,
        steps=numbered([*steps, *tables][: brief.max_steps]),
        language=brief.language,
    )


def table_steps(
    question: Question, tables: Sequence[Table], language: Language, vectors: Vectors
) -> list[Step]:
    """A processing step for each table that carries what was asked."""
    return [
        Step(
            id=table.id,
            title=text("extractive.plan.table", language, title=titled(table)),
            description=text(
                "extractive.plan.table_description",
                language,
                title=titled(table),
                columns=_listed(
                    [
                        with_unit(label_of(one.name), unit_of(one), language)
                        for one in table.columns[:8]
                    ],
                    language,
                ),
            ),
            type=StepType.PROCESSING,
            tables=(table.id,),
        )
        for table in carrying(question, tables, vectors)[:TABLES]
    ]


def search_step(title: str, brief: Brief, aim: str = "") -> Step:
    """A step that looks for ``aim``, or else for what its title says."""
    title = title[:1].upper() + title[1:]
    return Step(
        id=fold(title),
        title=title,
        description=text("extractive.plan.search", brief.language),
        needs_web=brief.web,
        queries=(aim or title, title),
    )


def numbered(steps: Sequence[Step]) -> tuple[Step, ...]:
    """The steps with the ids s1, s2 and so on; dependencies follow, those on nothing are cut."""
    ids = {step.id: f"s{number}" for number, step in enumerate(steps, 1)}
    return tuple(
        step.model_copy(
            update={
                "id": ids[step.id],
                "depends_on": tuple(ids[one] for one in step.depends_on if one in ids),
            }
        )
        for step in steps
    )


def _evidence(question: Question, brief: Brief, vectors: Vectors) -> list[Judgement]:
    found = candidates(question, brief.background, brief.sources)
    return worth_quoting(judge(question, found, vectors))


def _sections(
    question: Question, good: Sequence[Judgement], sources: Mapping[str, Source], room: int
) -> list[Section]:
    """At most ``room`` sections with the evidence under them, the fullest first."""
    found: dict[Path, Section] = {}
    for one in good:
        leaf = path_of(one.sentence.passage, sources)
        path = _lifted(question, leaf)
        section = found.setdefault(path, Section(path))
        section.scores.append(one.score)
        section.below |= {leaf[-1]: None} if leaf != path else {}
        section.sources[one.sentence.passage.source_id] = None
    for path in sorted(found, key=len):
        if path in found and any(path == other[: len(path)] != other for other in found):
            _join(found, path)
    while parent := _deepest_shared(found, _MANY if len(found) <= room else 2):
        _join(found, parent)
    ranked = sorted(found.values(), key=lambda section: -section.worth)
    enough = _WORTH_A_STEP * ranked[0].worth
    return [section for section in ranked if section.worth >= enough][:room]


def _lifted(question: Question, path: Path) -> Path:
    """``path`` up to the deepest heading that the question has a word of, or all of it."""
    for depth in range(len(path), 0, -1):
        if _names_subject(question, path[depth - 1]):
            return path[:depth]
    return path


def _names_subject(question: Question, heading: str) -> bool:
    """Whether ``heading`` has a word of the question other than names and numbers."""
    named = {term.word for name in question.names for term in terms_of(name)}
    bag = Bag.of(heading)
    return any(
        bag.share(term) == 1
        for term in question.terms
        if term.word not in named and not term.word.isdigit()
    )


def _deepest_shared(found: Mapping[Path, Section], several: int) -> Path | None:
    """The deepest heading that has ``several`` or more of the sections under it."""
    families: dict[Path, int] = {}
    for path in found:
        for depth in range(1, len(path) + 1):
            families[path[:depth]] = families.get(path[:depth], 0) + 1
    shared = [path for path, members in families.items() if members >= several]
    return max(shared, key=len, default=None)


def _join(found: dict[Path, Section], parent: Path) -> None:
    whole = Section(parent)
    for path in [path for path in found if path[: len(parent)] == parent]:
        part = found.pop(path)
        whole.scores += part.scores
        whole.sources |= part.sources
        whole.below |= part.below or ({path[-1]: None} if path != parent else {})
    found[parent] = whole


def _section_steps(question: Question, sections: Sequence[Section], brief: Brief) -> list[Step]:
    steps: dict[str, Step] = {}
    for section in sections:
        title = name_of(section.path, alone=_names_subject(question, section.path[-1]))
        below = list(section.below)[:_SUBHEADINGS]
        names = [brief.sources[one].title for one in section.sources if one in brief.sources]
        steps.setdefault(
            title,
            Step(
                id=title,
                title=title,
                description=text(
                    "extractive.plan.section",
                    brief.language,
                    sources=_listed(names, brief.language),
                    headings=_listed(below or [section.path[-1]], brief.language),
                ),
                needs_web=brief.web,
                queries=(brief.question, title, *(f"{title}: {one}" for one in below)),
            ),
        )
    return list(steps.values())


def _comparison(
    question: Question, good: Sequence[Judgement], brief: Brief, room: int
) -> tuple[list[Step], str]:
    """A step for where all sides are spoken of together, if there is one, and one for each side."""
    sides = [terms_of(side) for side in question.sides]
    bags = [Bag.of(one.sentence.text) for one in good]
    together = [
        one
        for one, bag in zip(good, bags, strict=True)
        if all(bag.share(term) == 1 for side in sides for term in side)
    ]
    steps: list[Step] = []
    if together:
        steps = _section_steps(question, _sections(question, together, brief.sources, 1), brief)
    listed = _listed(question.sides, brief.language)
    thought = text("extractive.plan.thought_compare", brief.language, sides=listed)
    return [*steps, *_side_steps(question, brief)][:room], thought


def _side_steps(question: Question, brief: Brief) -> list[Step]:
    topic = _topic_beside(question)
    steps = []
    for side in question.sides:
        title = (
            text("extractive.plan.side_title", brief.language, side=side, topic=topic)
            if topic
            else side
        )
        others = _listed([other for other in question.sides if other != side], brief.language)
        steps.append(
            Step(
                id=title,
                title=title,
                description=text("extractive.plan.side", brief.language, side=side, others=others),
                needs_web=brief.web,
                queries=(f"{side} {topic}".strip(), title, brief.question),
            )
        )
    return steps


def _topic_beside(question: Question) -> str:
    """What the sides are compared in: "growth" in "growth in A and B"."""
    for phrase in question.phrases:
        rest = phrase
        for side in question.sides:
            rest = rest.replace(side, " ")
        words = rest.split()
        while words and fold(words[-1]) in STOPWORDS:
            words.pop()
        while words and fold(words[0]) in STOPWORDS:
            words.pop(0)
        if words and not any(word in side for side in question.sides for word in words):
            return " ".join(words)
    return ""


def _thought(good: Sequence[Judgement], language: Language) -> str:
    passages = {one.sentence.passage.id: one.sentence.passage.source_id for one in good}
    sources = len(set(passages.values()))
    key = "thought" if sources > 1 else "thought_source" if len(passages) > 1 else "thought_passage"
    key = f"extractive.plan.{key}"
    return text(key, language, passages=len(passages), sources=sources)


def _listed(names: Sequence[str], language: Language) -> str:
    return ("、" if language == "zh" else ", ").join(dict.fromkeys(names))
