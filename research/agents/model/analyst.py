"""Every agent of the graph, spoken by a language model through prompts in ``prompts/``."""

from __future__ import annotations

import json
from collections.abc import Sequence
from datetime import UTC, datetime
from functools import partial
from typing import Any, Protocol, TypeVar

from pydantic import BaseModel

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
    SectionOutline,
    Triage,
)
from research.agents.model.answers import body_only, code_in
from research.agents.model.citing import Numbering, cited_ids
from research.agents.model.material import (
    FINDING_CHARACTERS,
    best_passages,
    cited_numbering,
    data_words,
    evidenced,
    finding_words,
    language_name,
    result_words,
    step_words,
    table_words,
    without_citations,
)
from research.agents.model.shapes import (
    OutlineShape,
    PlanShape,
    RewriteShape,
    TriageShape,
)
from research.agents.prompts import fence, messages, render
from research.i18n import text
from research.llm.client import Completion
from research.llm.structured import complete_json
from research.models import (
    Language,
    Mode,
    Section,
)
from research.settings import Role

Shape = TypeVar("Shape", bound=BaseModel)

BACKGROUND_PASSAGES = 10
STEP_PASSAGES = 16
"""Shown to a researcher."""
PASSAGE_CHARACTERS = 900
CITED_CHARACTERS = 400
"""Of a passage that a finding has already told of."""


class ModelCalls(Protocol):
    """Where the analyst's calls go."""

    def model_name(self, role: Role) -> str:
        """The model that speaks for ``role``."""

    async def model(
        self,
        role: Role,
        messages: list[dict[str, str]],
        *,
        model: str,
        schema: dict[str, Any] | None = None,
        max_tokens: int | None = None,
        on_text: OnText | None = None,
    ) -> Completion:
        """One answer; see :meth:`research.llm.client.ModelClient.complete`."""


class ModelAnalyst:
    """Thinks with language models, one for each role.

    Args:
        calls: Its calls of models.
        started_at: Unix seconds; prompts give the date of the run's start, so that a run that is
            resumed asks what it asked before.
    """

    mode: Mode = "model"

    def __init__(self, calls: ModelCalls, started_at: float) -> None:
        self._calls = calls
        self._date = datetime.fromtimestamp(started_at, UTC).date().isoformat()

    async def triage(self, question: str, language: Language, on_text: OnText) -> Triage:
        """Sort the input."""
        shape = await self._shape(
            "coordinator",
            TriageShape,
            messages("coordinator", language=language_name(language), question=fence(question)),
        )
        reply = "" if shape.action == "research" else shape.reply.strip()
        if shape.action != "research" and not reply:
            return Triage("research")
        if reply:
            on_text(reply)
        return Triage(shape.action, reply)

    async def rewrite(
        self,
        question: str,
        language: Language,
        variants: int,
        on_text: OnText,
        documents: Sequence[Language] = (),
    ) -> Rewrite:
        """Make the question fit for searching."""
        prompt = messages(
            "rewriter",
            language=language_name(language),
            date=self._date,
            variants=variants,
            documents=", ".join(map(language_name, documents)) or "-",
            question=fence(question),
        )
        shape = await self._shape("rewriter", RewriteShape, prompt, on_text)
        others = [one.strip() for one in shape.variants if one.strip()]
        return Rewrite(shape.query.strip() or question, tuple(others[:variants]), shape.kind)

    async def plan(self, brief: Brief, problems: tuple[str, ...], on_text: OnText) -> str:
        """Propose a plan as JSON text."""
        numbering = Numbering(
            best_passages(brief.background, brief.sources, BACKGROUND_PASSAGES), brief.sources
        )
        revision = ""
        if brief.previous:
            revision = render(
                "planner_revision",
                plan=fence(brief.previous.model_dump_json(indent=1)),
                feedback=fence(brief.feedback),
            )
        prompt = messages(
            "planner",
            date=self._date,
            language=language_name(brief.language),
            max_steps=brief.max_steps,
            where=text("agents.web_and_documents" if brief.web else "agents.documents", "en"),
            question=fence(f"{brief.question}\n{brief.query}"),
            tables=table_words(brief.tables),
            background=numbering.evidence(CITED_CHARACTERS),
            revision=revision,
            problems=render("planner_problems", problems="; ".join(problems)) if problems else "",
        )
        plan = (await self._shape("planner", PlanShape, prompt, on_text)).model_dump()
        ids = [table.id for table in brief.tables]
        for step in plan["steps"]:
            step["tables"] = [ids[n - 1] for n in step["tables"] if 0 < n <= len(ids)]
        return json.dumps(plan, ensure_ascii=False)

    async def research(self, task: ResearchTask, on_text: OnText) -> FindingText:
        """Answer one step from the evidence."""
        if not task.hits:
            nothing = text("agents.no_evidence", task.language)
            on_text(nothing)
            return FindingText(nothing, empty=True)
        numbering = Numbering(best_passages(task.hits, task.sources, STEP_PASSAGES), task.sources)
        prompt = messages(
            "researcher",
            date=self._date,
            language=language_name(task.language),
            question=fence(task.question),
            step=step_words(task.step),
            earlier=finding_words(task.earlier),
            searched=fence("\n".join(task.searched)),
            evidence=numbering.evidence(PASSAGE_CHARACTERS),
        )
        return await self._finding(prompt, numbering, on_text)

    async def answer(self, inquiry: Inquiry, on_text: OnText) -> FindingText:
        """Answer a question from the evidence."""
        numbering = Numbering((hit.passage for hit in inquiry.hits), inquiry.sources)
        prompt = messages(
            "answer",
            date=self._date,
            language=language_name(inquiry.language),
            question=fence(inquiry.question),
            searched=fence("\n".join(inquiry.searched)),
            evidence=numbering.evidence(PASSAGE_CHARACTERS),
        )
        return await self._finding(prompt, numbering, on_text)

    async def write_code(self, task: CodeTask, on_text: OnText) -> str:
        """Write the Python of a processing step."""
        repair = ""
        if task.error:
            repair = render("coder_repair", code=fence(task.previous_code), error=fence(task.error))
        prompt = messages(
            "coder",
            language=language_name(task.language),
            question=fence(task.question),
            step=step_words(task.step),
            tables=data_words(task),
            found=render("coder_found", table=task.tables[-1].name) if task.found else "",
            earlier=finding_words(task.earlier),
            repair=repair,
        )
        return code_in(await self._text("coder", prompt, on_text))

    async def explain_result(self, task: CodeTask, output: str, on_text: OnText) -> str:
        """Say what the code found."""
        prompt = messages(
            "coder_result",
            language=language_name(task.language),
            question=fence(task.question),
            step=step_words(task.step),
            output=result_words(task, output),
        )
        return (await self._text("coder", prompt, on_text)).strip()

    async def outline(self, brief: ReportBrief) -> Outline:
        """Decide title and sections; a step that no section claims gets one of its own.

        Only steps that found evidence are written about: from nothing, nothing is made up.
        """
        done = [step for step in brief.plan.steps if evidenced(brief, step.id)]
        if not done:
            return Outline(brief.plan.title)
        told = "\n\n".join(
            f"{number}. {step.title}\n{without_citations(evidenced(brief, step.id))}"
            for number, step in enumerate(done, 1)
        )
        prompt = messages(
            "outline",
            language=language_name(brief.language),
            question=fence(brief.question),
            steps=fence(told),
        )
        shape = await self._shape("reporter", OutlineShape, prompt)
        sections = [
            SectionOutline(
                title=section.title.strip(),
                points=section.points.strip(),
                step_ids=tuple(done[n - 1].id for n in section.steps if 0 < n <= len(done)),
            )
            for section in shape.sections
        ]
        claimed = {step_id for section in sections for step_id in section.step_ids}
        sections += [
            SectionOutline(step.title, step.description, (step.id,))
            for step in done
            if step.id not in claimed
        ]
        return Outline(shape.title.strip() or brief.plan.title, tuple(sections))

    async def write_section(
        self, brief: ReportBrief, outline: Outline, index: int, on_text: OnText
    ) -> str:
        """Write one section."""
        section = outline.sections[index]
        findings = [
            finding
            for finding in brief.findings
            if finding.passage_ids and (finding.step_id in section.step_ids or not section.step_ids)
        ]
        numbering = cited_numbering(brief, (one.text for one in findings))
        prompt = messages(
            "section",
            language=language_name(brief.language),
            question=fence(brief.question),
            title=fence(section.title),
            points=fence(section.points),
            others=fence("; ".join(one.title for one in outline.sections if one is not section)),
            findings=fence(
                "\n\n".join(numbering.to_numbers(one.text)[:FINDING_CHARACTERS] for one in findings)
            ),
            evidence=numbering.evidence(CITED_CHARACTERS),
        )
        written = await self._text("reporter", prompt, on_text)
        return numbering.to_ids(body_only(written, section.title))

    async def summarise(
        self, brief: ReportBrief, sections: tuple[Section, ...], on_text: OnText
    ) -> str:
        """Write the key points."""
        numbering = cited_numbering(brief, (section.markdown for section in sections))
        told = "\n\n".join(
            f"{section.title}\n{numbering.to_numbers(section.markdown)}" for section in sections
        )
        prompt = messages(
            "summary",
            language=language_name(brief.language),
            question=fence(brief.question),
            sections=fence(told),
        )
        return numbering.to_ids(body_only(await self._text("reporter", prompt, on_text), ""))

    # ------------------------------------------------------------ speaking

    async def _finding(
        self, prompt: list[dict[str, str]], numbering: Numbering, on_text: OnText
    ) -> FindingText:
        answer = numbering.to_ids(await self._text("researcher", prompt, on_text)).strip()
        cited = cited_ids(answer)
        return FindingText(answer, cited, empty=not cited)

    async def _text(self, role: Role, prompt: list[dict[str, str]], on_text: OnText) -> str:
        completion = await self._calls.model(
            role, prompt, model=self._calls.model_name(role), on_text=on_text
        )
        return completion.text

    async def _shape(
        self,
        role: Role,
        shape: type[Shape],
        prompt: list[dict[str, str]],
        on_text: OnText | None = None,
    ) -> Shape:
        value, _ = await complete_json(
            partial(self._calls.model, role),
            prompt,
            model=self._calls.model_name(role),
            shape=shape,
            on_text=on_text,
        )
        return value
