"""Walks a question through the analyst as the graph does, without the graph."""

from __future__ import annotations

import asyncio
import atexit
import json
import shutil
import subprocess
import sys
from dataclasses import dataclass, field, replace
from functools import cache
from pathlib import Path

from research.agents.analyst import (
    Analyst,
    Brief,
    CodeTask,
    FindingText,
    ReportBrief,
    ResearchTask,
)
from research.agents.extractive.quotes import GAP
from research.i18n import language_of
from research.knowledge.library import Library
from research.models import Finding, Passage, Plan, Section, Step, StepStatus, StepType, Table
from research.report.tree import inline_runs, parse, plain

HITS = 12


@dataclass
class Walk:
    """What came of a question."""

    plan: Plan
    findings: dict[str, Finding] = field(default_factory=dict)
    passages: dict[str, Passage] = field(default_factory=dict)
    sections: list[Section] = field(default_factory=list)
    summary: str = ""

    @property
    def quoted(self) -> str:
        """Everything the sections say."""
        return "\n\n".join(section.markdown for section in self.sections)

    def step(self, title: str) -> Finding:
        """The finding of the step called ``title``."""
        return self.findings[next(one.id for one in self.plan.steps if one.title == title)]


def silent(_: str) -> None:
    """Takes text and does nothing with it."""


def brief_of(analyst: Analyst, library: Library, question: str, max_steps: int = 5) -> Brief:
    """What the planner is told of ``question``."""
    language = language_of(question)
    rewrite = asyncio.run(analyst.rewrite(question, language, 3, lambda _: None))
    queries = list(dict.fromkeys([question, rewrite.query, *rewrite.variants]))
    return Brief(
        question=question,
        query=rewrite.query,
        kind=rewrite.kind,
        language=language,
        background=tuple(library.search(queries, limit=HITS)),
        sources=library.sources(),
        tables=tuple(library.tables()),
        max_steps=max_steps,
        web=False,
    )


def plan_of(
    analyst: Analyst, brief: Brief, previous: Plan | None = None, feedback: str = ""
) -> Plan:
    """The plan for a brief, or the revision of ``previous``."""
    told = replace(brief, previous=previous, feedback=feedback)
    return Plan.model_validate_json(asyncio.run(analyst.plan(told, (), silent)))


def research(analyst: Analyst, library: Library, question: str, step: Step) -> FindingText:
    """Carry out one research step."""
    return asyncio.run(analyst.research(task_of(library, question, step), silent))


def task_of(library: Library, question: str, step: Step) -> ResearchTask:
    """What a researcher is told of a step."""
    queries = step.queries or (step.title, step.description)
    return ResearchTask(
        question=question,
        query=question,
        kind="general",
        language=language_of(question),
        step=step,
        hits=tuple(library.search(queries, limit=HITS)),
        sources=library.sources(),
    )


def ask(analyst: Analyst, library: Library, question: str) -> FindingText:
    """Find what answers ``question`` in one step."""
    return research(analyst, library, question, Step(id="s1", title=question))


def walk(analyst: Analyst, library: Library, question: str, folder: Path) -> Walk:
    """The whole way from the question to the report."""
    brief = brief_of(analyst, library, question)
    done = Walk(plan_of(analyst, brief))
    for step in done.plan.steps:
        if step.type is StepType.PROCESSING:
            done.findings[step.id] = _computed(analyst, brief, step, folder)
            continue
        task = task_of(library, question, step)
        found = asyncio.run(analyst.research(task, silent))
        done.passages |= {hit.passage.id: hit.passage for hit in task.hits}
        done.findings[step.id] = Finding(
            step_id=step.id,
            status=StepStatus.DONE,
            text=found.text,
            passage_ids=found.passage_ids,
        )
    told = ReportBrief(
        question=question,
        kind=brief.kind,
        language=brief.language,
        plan=done.plan,
        findings=tuple(done.findings.values()),
        passages=done.passages,
        sources=brief.sources,
    )
    asyncio.run(_report(analyst, told, done))
    return done


async def _report(analyst: Analyst, brief: ReportBrief, done: Walk) -> None:
    outline = await analyst.outline(brief)
    for index, planned in enumerate(outline.sections):
        markdown = await analyst.write_section(brief, outline, index, silent)
        done.sections.append(
            Section(title=planned.title, markdown=markdown, step_ids=planned.step_ids)
        )
    done.summary = await analyst.summarise(brief, tuple(done.sections), silent)


def _computed(analyst: Analyst, brief: Brief, step: Step, folder: Path) -> Finding:
    tables = tuple(table for table in brief.tables if table.id in step.tables)
    task = CodeTask(
        question=brief.question,
        kind=brief.kind,
        language=brief.language,
        step=step,
        tables=tables,
    )
    code = asyncio.run(analyst.write_code(task, silent))
    printed = run(code, tables, folder / step.id)
    explained = asyncio.run(analyst.explain_result(task, printed, silent))
    return Finding(step_id=step.id, status=StepStatus.DONE, text=explained)


def run(code: str, tables: tuple[Table, ...], folder: Path) -> str:
    """Run a step's own code in ``folder`` as the sandbox would, and return what it printed."""
    for name in ("data", "out"):
        (folder / name).mkdir(parents=True)
    for table in tables:
        shutil.copy(table.path, folder / "data" / f"{table.name}.parquet")
    child = _child()
    assert child.stdin and child.stdout
    child.stdin.write(json.dumps([code, str(folder)]) + "\n")
    child.stdin.flush()
    printed, error = json.loads(child.stdout.readline())
    assert not error, f"{code}\n{error}"
    return printed


CHILD = """
import contextlib, io, json, os, sys, traceback
import pandas, plotly.graph_objects
for line in sys.stdin:
    code, folder = json.loads(line)
    os.chdir(folder)
    printed, error = io.StringIO(), ""
    with contextlib.redirect_stdout(printed):
        try:
            exec(compile(code, "step.py", "exec"), {"__name__": "__main__"})
        except BaseException as end:
            done = isinstance(end, SystemExit) and not end.code
            error = "" if done else traceback.format_exc()
    print(json.dumps([printed.getvalue(), error]), flush=True)
"""


@cache
def _child() -> subprocess.Popen[str]:
    """One process for all code, because its imports take a second; it ends with its input."""
    child = subprocess.Popen(
        [sys.executable, "-W", "error", "-X", "utf8", "-c", CHILD],
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        text=True,
        encoding="utf-8",
    )
    atexit.register(_end, child)
    return child


def _end(child: subprocess.Popen[str]) -> None:
    child.communicate()


def quotes_in(markdown: str) -> list[tuple[str, str]]:
    """Each run of words that is quoted, as a reader sees it, with the id of its passage."""
    found = []
    for inlines in inline_runs(parse(markdown)):
        ids = [one for node in inlines if node["t"] == "cite" for one in node["ids"]]
        # A heading may stand in front, in bold, with a colon.
        bold = inlines[0]["t"] == "strong" and len(ids) > 0
        words = plain(inlines[1:] if bold else inlines)
        words = words.removeprefix(": ").removeprefix("：") if bold else words
        if ids:
            found += [(part.strip(), ids[0]) for part in words.split(GAP)]
    return found


def is_verbatim(words: str, passage: Passage) -> bool:
    """Whether ``words`` stand in the passage letter by letter, line breaks aside."""
    return "".join(words.split()) in "".join(passage.text.split())
