"""The analyst that works with no key and no network: it plans by rules, and only quotes."""

from __future__ import annotations

import asyncio
import json
import re
from collections.abc import Sequence

from research.agents.analyst import (
    Brief,
    CodeTask,
    FindingText,
    Inquiry,
    OnText,
    Outline,
    ReportBrief,
    ResearchTask,
    Rewrite,
    Triage,
)
from research.agents.extractive import coding, reporting
from research.agents.extractive.finding import answer, find
from research.agents.extractive.planning import propose
from research.agents.extractive.question import read_question
from research.agents.extractive.revision import revise
from research.agents.extractive.triage import sort_out
from research.agents.extractive.variants import search_form, variants_of
from research.agents.extractive.vectors import Vectors
from research.knowledge.embedding import Embedder
from research.models import Language, Mode, Plan, Section


class ExtractiveAnalyst:
    """Quotes sentences and computes on tables; never writes a sentence about the subject itself.

    Implements :class:`research.agents.analyst.Analyst`. The same input gives the same output.

    Args:
        embedder: Compares meaning; the one of the knowledge base.
    """

    def __init__(self, embedder: Embedder) -> None:
        self._vectors = Vectors(embedder)

    @property
    def mode(self) -> Mode:
        """Always ``extractive``."""
        return "extractive"

    async def triage(self, question: str, language: Language, on_text: OnText) -> Triage:
        """See :meth:`research.agents.analyst.Analyst.triage`."""
        triage = await asyncio.to_thread(sort_out, question, language)
        _hand_over(triage.reply, on_text)
        return triage

    async def rewrite(
        self,
        question: str,
        language: Language,
        variants: int,
        on_text: OnText,
        documents: Sequence[Language] = (),
    ) -> Rewrite:
        """See :meth:`research.agents.analyst.Analyst.rewrite`; there is nothing to watch."""
        return await asyncio.to_thread(_rewritten, question, language, variants)

    async def plan(self, brief: Brief, problems: tuple[str, ...], on_text: OnText) -> str:
        """See :meth:`research.agents.analyst.Analyst.plan`.

        A proposal that was sent back is made again without what can be wrong with it: more steps
        than may be, and dependencies.
        """
        make = revise if brief.previous and brief.feedback.strip() else propose
        plan = await asyncio.to_thread(make, brief, self._vectors)
        if problems:
            plan = _plainest(plan, brief.max_steps)
        written = json.dumps(plan.model_dump(mode="json"), ensure_ascii=False, indent=2)
        _hand_over(written, on_text)
        return written

    async def research(self, task: ResearchTask, on_text: OnText) -> FindingText:
        """See :meth:`research.agents.analyst.Analyst.research`."""
        finding = await asyncio.to_thread(find, task, self._vectors)
        _hand_over(finding.text, on_text)
        return finding

    async def answer(self, inquiry: Inquiry, on_text: OnText) -> FindingText:
        """See :meth:`research.agents.analyst.Analyst.answer`."""
        finding = await asyncio.to_thread(answer, inquiry, self._vectors)
        _hand_over(finding.text, on_text)
        return finding

    async def write_code(self, task: CodeTask, on_text: OnText) -> str:
        """See :meth:`research.agents.analyst.Analyst.write_code`."""
        code = await asyncio.to_thread(coding.write_code, task, self._vectors)
        _hand_over(code, on_text)
        return code

    async def explain_result(self, task: CodeTask, output: str, on_text: OnText) -> str:
        """See :meth:`research.agents.analyst.Analyst.explain_result`."""
        explained = coding.explain_result(task, output)
        _hand_over(explained, on_text)
        return explained

    async def outline(self, brief: ReportBrief) -> Outline:
        """See :meth:`research.agents.analyst.Analyst.outline`."""
        return await asyncio.to_thread(reporting.outline, brief)

    async def write_section(
        self, brief: ReportBrief, outline: Outline, index: int, on_text: OnText
    ) -> str:
        """See :meth:`research.agents.analyst.Analyst.write_section`."""
        written = await asyncio.to_thread(reporting.section, brief, outline.sections[index])
        _hand_over(written, on_text)
        return written

    async def summarise(
        self, brief: ReportBrief, sections: tuple[Section, ...], on_text: OnText
    ) -> str:
        """See :meth:`research.agents.analyst.Analyst.summarise`."""
        points = await asyncio.to_thread(reporting.key_points, brief, self._vectors)
        _hand_over(points, on_text)
        return points


def _rewritten(question: str, language: Language, variants: int) -> Rewrite:
    read = read_question(question, language)
    return Rewrite(query=search_form(read), variants=variants_of(read, variants), kind=read.kind)


def _plainest(plan: Plan, max_steps: int) -> Plan:
    steps = tuple(step.model_copy(update={"depends_on": ()}) for step in plan.steps[:max_steps])
    return plan.model_copy(update={"steps": steps})


def _hand_over(text: str, on_text: OnText) -> None:
    """Give ``text`` on in pieces of a sentence or a line, which it is made of again."""
    for piece in re.findall(r".+?(?:[.!?。！？]\s+|\n+|$)", text, re.DOTALL):
        on_text(piece)
