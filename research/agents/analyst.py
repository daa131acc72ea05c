"""The protocol both analysts implement, and the values that pass through it.

The graph's nodes know nothing else of an analyst. Citations in any text that an analyst gives
back are written ``[^passage id]`` and name only passages that it was handed.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Literal, Protocol

from research.calculations import FoundNumber, KeyFigure, ResultTable
from research.knowledge.profile import Profile
from research.models import (
    Chart,
    Finding,
    Hit,
    Language,
    Mode,
    Passage,
    Plan,
    QuestionKind,
    Section,
    Source,
    Step,
    Table,
)

OnText = Callable[[str], None]
"""Takes each piece of text as it is written."""


@dataclass(frozen=True)
class Triage:
    """The coordinator's decision; ``reply`` is empty when the question goes to research."""

    action: Literal["chat", "refuse", "clarify", "research"]
    reply: str = ""


@dataclass(frozen=True)
class Rewrite:
    """The question made fit for searching."""

    query: str
    variants: tuple[str, ...] = ()
    kind: QuestionKind = "general"


@dataclass(frozen=True)
class Brief:
    """What the planner is told."""

    question: str
    query: str
    kind: QuestionKind
    language: Language
    background: tuple[Hit, ...]
    sources: Mapping[str, Source]
    tables: tuple[Table, ...]
    max_steps: int
    web: bool
    """Whether steps may search the web."""
    previous: Plan | None = None
    """The plan to revise, as the user left it."""
    feedback: str = ""
    """What the user wants changed in it."""


@dataclass(frozen=True)
class ResearchTask:
    """What a researcher is told: one step and the evidence that was retrieved for it."""

    question: str
    query: str
    kind: QuestionKind
    language: Language
    step: Step
    hits: tuple[Hit, ...]
    sources: Mapping[str, Source]
    earlier: tuple[Finding, ...] = ()
    """Findings of the steps that this one depends on."""
    searched: tuple[str, ...] = ()


@dataclass(frozen=True)
class Inquiry:
    """A question that is to be answered at once, and what was found for it."""

    question: str
    language: Language
    hits: tuple[Hit, ...]
    sources: Mapping[str, Source]
    searched: tuple[str, ...]


@dataclass(frozen=True)
class FindingText:
    """What a researcher wrote. ``empty`` says that there was no direct evidence."""

    text: str
    passage_ids: tuple[str, ...] = ()
    empty: bool = False


@dataclass(frozen=True)
class CodeTask:
    """What a coder is told: one step and the tables it may work on."""

    question: str
    kind: QuestionKind
    language: Language
    step: Step
    tables: tuple[Table, ...]
    earlier: tuple[Finding, ...] = ()
    profiles: Mapping[str, Profile] = field(default_factory=dict)
    """What the tables hold, by their ids, as far as it was looked at."""
    found: tuple[FoundNumber, ...] = ()
    """Rows of the table of what earlier steps found; it is the last of ``tables``."""
    previous_code: str = ""
    error: str = ""
    """What the last attempt died of, or what is to be mended; empty on the first."""
    key_figures: tuple[KeyFigure, ...] = ()
    """What the code gave, once it has run."""
    results: tuple[ResultTable, ...] = ()
    """Tables the code made, once it has run."""


@dataclass(frozen=True)
class ReportBrief:
    """What the reporter is told."""

    question: str
    kind: QuestionKind
    language: Language
    plan: Plan
    findings: tuple[Finding, ...]
    passages: Mapping[str, Passage]
    sources: Mapping[str, Source]
    charts: tuple[Chart, ...] = ()


@dataclass(frozen=True)
class SectionOutline:
    """One section that is to be written from the findings of some steps."""

    title: str
    points: str = ""
    step_ids: tuple[str, ...] = ()


@dataclass(frozen=True)
class Outline:
    """The report's title and its sections in reading order."""

    title: str
    sections: tuple[SectionOutline, ...] = field(default_factory=tuple)


class Analyst(Protocol):
    """Thinks for the graph. Every method may raise :class:`~research.errors.ModelError`."""

    @property
    def mode(self) -> Mode:
        """Whether a model or only quotation is behind it."""

    async def triage(self, question: str, language: Language, on_text: OnText) -> Triage:
        """Sort the input: answer small talk, decline, ask back, or hand over to research."""

    async def rewrite(
        self,
        question: str,
        language: Language,
        variants: int,
        on_text: OnText,
        documents: Sequence[Language] = (),
    ) -> Rewrite:
        """Make the question fit for searching, with ``variants`` further angles on it.

        Args:
            question: As it was asked.
            language: Its language.
            variants: How many further angles.
            on_text: Takes the text while it is written.
            documents: The languages of what will be searched, where that is known.
        """

    async def plan(self, brief: Brief, problems: tuple[str, ...], on_text: OnText) -> str:
        """Propose a plan as JSON text of the shape of :class:`~research.models.Plan`.

        Args:
            brief: What is known.
            problems: What was wrong with the proposal before this one; empty at first.
            on_text: Takes the text while it is written.
        """

    async def research(self, task: ResearchTask, on_text: OnText) -> FindingText:
        """Answer one step from the evidence it is handed, and only from that."""

    async def answer(self, inquiry: Inquiry, on_text: OnText) -> FindingText:
        """Answer a question at once from the evidence it is handed, and only from that."""

    async def write_code(self, task: CodeTask, on_text: OnText) -> str:
        """Write the Python of a processing step, by the rules of ``research.sandbox``."""

    async def explain_result(self, task: CodeTask, output: str, on_text: OnText) -> str:
        """Say in Markdown what the code found; ``output`` is what it printed.

        The task holds the key figures and tables that came out as well."""

    async def outline(self, brief: ReportBrief) -> Outline:
        """Decide the report's title and sections."""

    async def write_section(
        self, brief: ReportBrief, outline: Outline, index: int, on_text: OnText
    ) -> str:
        """Write the Markdown of one section, without its heading."""

    async def summarise(
        self, brief: ReportBrief, sections: tuple[Section, ...], on_text: OnText
    ) -> str:
        """Write the key points as a Markdown list, from the sections and their citations."""
