"""The report: a section for each step, and the sentences that say most on top."""

from __future__ import annotations

import re
from collections.abc import Sequence

from research.agents.analyst import Outline, ReportBrief, SectionOutline
from research.agents.extractive.cues import CAUSE
from research.agents.extractive.question import Question, read_question
from research.agents.extractive.quotes import Quote, quoted_in, written
from research.agents.extractive.relevance import Judgement, judge
from research.agents.extractive.sentences import Sentence
from research.agents.extractive.vectors import Vectors
from research.agents.extractive.words import Bag, has_chinese, terms_of
from research.i18n import text
from research.models import Finding, Language, Step, StepStatus, StepType
from research.report.writer import escape

KEY_POINTS = 5
_SHORTNESS = 0.0008
"""What a character of a key point costs: of two that say as much, the shorter wins."""
_CAUSAL = 0.1
_NOVELTY = 0.4
_NAME = re.compile(r"[A-Z][\w.&-]*(?:,? (?:and |of |the )*[A-Z][\w.&-]*)+")
"""A heading that is the name of something, unlike "Regional review"."""


def outline(brief: ReportBrief) -> Outline:
    """One section a step, in the order of the plan, named after it."""
    titles = {step.id: step for step in brief.plan.steps}
    return Outline(
        title=brief.plan.title,
        sections=tuple(
            SectionOutline(titles[step_id].title, titles[step_id].description, (step_id,))
            for step_id in _texts(brief)
        ),
    )


def section(brief: ReportBrief, planned: SectionOutline) -> str:
    """What the steps of a section quote or compute, without what an earlier section quotes."""
    texts = _texts(brief)
    return "\n\n".join(texts[step_id] for step_id in planned.step_ids if step_id in texts)


def key_points(brief: ReportBrief, vectors: Vectors) -> str:
    """The headline of each calculation, and the sentences that answer the question best."""
    texts = _texts(brief)
    question = read_question(brief.question, brief.language)
    computed = {step.id for step in brief.plan.steps if step.type is StepType.PROCESSING}
    figures = [_headline(words, question) for one, words in texts.items() if one in computed]
    figures = [line for line in figures if line]
    quotes = [
        quote
        for one, words in texts.items()
        if one not in computed
        for quote in quoted_in(words, brief.passages)
    ]
    points = figures + _best(question, quotes, KEY_POINTS - len(figures), vectors)
    return "\n".join(points) or f"- {text('extractive.no_evidence', brief.language)}"


def _headline(words: str, question: Question) -> str:
    """The line of a calculation on what the question names, or else its first; empty if none."""
    lines = [line for line in words.splitlines() if line.startswith("- ")]
    named = [line for line in lines if any(name in line for name in question.names)]
    return next(iter([*named, *lines]), "")


def _texts(brief: ReportBrief) -> dict[str, str]:
    """The text of each step that was carried out; nothing is quoted twice."""
    findings = {finding.step_id: finding for finding in brief.findings}
    seen: set[str] = set()
    texts = {}
    for step in brief.plan.steps:
        finding = findings.get(step.id)
        if finding and finding.status is StepStatus.DONE:
            words = _unseen(step, finding, brief, seen)
            if words:
                texts[step.id] = words
    return texts


def _unseen(step: Step, finding: Finding, brief: ReportBrief, seen: set[str]) -> str:
    quotes = list(quoted_in(finding.text, brief.passages))
    if step.type is StepType.PROCESSING or not quotes:
        return finding.text
    fresh = []
    for quote in quotes:
        new = [one for one in quote.sentences if one.text not in seen]
        if new:
            fresh.append(Quote.of(new))
            seen |= {one.text for one in new}
    return written(fresh, step.title, brief.sources)


def _best(question: Question, quotes: Sequence[Quote], room: int, vectors: Vectors) -> list[str]:
    """At most ``room`` sentences that can stand alone, the best first."""
    whole = [one for quote in quotes for one in quote.sentences]
    judged = judge(question, whole, vectors)
    standing = [one for one in judged if _stands_alone(one.sentence)] or judged
    picked: list[Judgement] = []
    while standing and len(picked) < room:
        pick = max(standing, key=lambda one: _worth(question, one, picked))
        standing.remove(pick)
        picked.append(pick)
    return [_point(one.sentence, question.language) for one in picked]


def _stands_alone(sentence: Sentence) -> bool:
    least = 15 if has_chinese(sentence.text) else 45
    return not sentence.leaning and (sentence.row or len(sentence.text) >= least)


def _point(sentence: Sentence, language: Language) -> str:
    """A sentence as a key point, after the heading that says what it is about."""
    quote = Quote.of([sentence]).bullets.removeprefix("- ")
    subject = _unnamed_subject(sentence)
    if not subject:
        return f"- {quote}"
    label = f"**{escape(subject)}**"
    return "- " + text("extractive.point", language, heading=label, quote=quote)


def _unnamed_subject(sentence: Sentence) -> str:
    """The heading over a sentence that names its subject where it does not do so itself."""
    headings = sentence.passage.place.heading
    said = Bag.of(sentence.text)
    if sentence.row:
        return ""
    for depth, heading in enumerate(reversed(headings)):
        known = any(said.share(term) > 0.6 for term in terms_of(heading))
        if not known and (depth == 0 or _NAME.fullmatch(heading)):
            return heading
    return ""


def _worth(question: Question, one: Judgement, picked: Sequence[Judgement]) -> float:
    like = max((float(one.vector @ other.vector) for other in picked), default=0.0)
    causal = "why" in question.kinds and CAUSE.search(one.sentence.text) is not None
    return one.rank + _CAUSAL * causal - _SHORTNESS * len(one.sentence.text) - _NOVELTY * like
