"""The vocabulary of Dossier: every value that crosses a border between two parts of the engine.

All of them are plain, frozen pydantic models that survive ``model_dump(mode="json")`` and back,
because the graph's state, the events and the store hold JSON only.
"""

from __future__ import annotations

import hashlib
from enum import StrEnum
from typing import Any, Literal

from pydantic import BaseModel, ConfigDict, Field

Language = Literal["en", "zh"]
"""The languages the product speaks; a question in another language is answered in English."""

Mode = Literal["model", "extractive"]
"""Who does the thinking: a language model, or the extractive analyst that only quotes."""

QuestionKind = Literal["compare", "why", "how", "trend", "list", "definition", "general"]


def content_id(*parts: str) -> str:
    """A short stable id: the first 16 hex digits of the SHA-256 of ``parts``."""
    return hashlib.sha256("\x1f".join(parts).encode()).hexdigest()[:16]


class Model(BaseModel):
    """Base of the vocabulary: immutable, and closed to fields nobody declared."""

    model_config = ConfigDict(frozen=True, extra="forbid")


class Notice(Model):
    """One plain sentence for the user, as a catalogue key and what fills its gaps."""

    key: str
    params: dict[str, Any] = Field(default_factory=dict)
    level: Literal["info", "warning", "error"] = "info"


# ---------------------------------------------------------------- evidence


class Place(Model):
    """Where in its source a passage stands; what does not apply is None."""

    page: int | None = None
    """1-based page of a paged document."""
    slide: int | None = None
    """1-based slide of a deck."""
    sheet: str | None = None
    rows: tuple[int, int] | None = None
    """First and last data row, 1-based and inclusive."""
    heading: tuple[str, ...] = ()
    """Titles from the outermost heading to the one right above."""


class Source(Model):
    """A document the user gave, a web page that was read, or a calculation made for the run."""

    id: str
    kind: Literal["document", "web", "calculation"]
    title: str
    locator: str
    """File name of a document, address of a web page, names of the tables of a calculation."""
    sha256: str
    """Of the bytes that were read, or of a calculation's code."""
    pages: int | None = None
    language: str | None = None
    retrieved_at: float | None = None
    """Unix seconds; when a page was fetched or a document added."""
    date: str | None = None
    """The day the document itself gives, ``2025-12-31``; None where it gives none."""


class Passage(Model):
    """The exact text at one place of a source; what every citation points to."""

    id: str
    source_id: str
    text: str
    place: Place = Place()

    @classmethod
    def of(cls, source_id: str, text: str, place: Place | None = None) -> Passage:
        """Make a passage whose id follows from what it says and where it stands."""
        at = place or Place()
        return cls(
            id=content_id(source_id, at.model_dump_json(exclude_defaults=True), text),
            source_id=source_id,
            text=text,
            place=at,
        )


class Hit(Model):
    """A passage that retrieval found, and how well it fits."""

    passage: Passage
    score: float
    """Fused rank score; comparable within one search only."""
    similarity: float | None = None
    """Cosine similarity of query and passage in [-1, 1]; None where no vector was compared."""
    by_word: int | None = None
    """Best rank among the passages found by word, from 1; None where it was not among them."""
    by_meaning: int | None = None
    """Best rank among the passages found by meaning, from 1."""
    reranked: float | None = None
    """What a cross-encoder gave it, in [0, 1]; None where none is set."""


class Column(Model):
    """One column of a table."""

    name: str
    type: Literal["number", "text", "date", "boolean"]
    examples: tuple[str, ...] = ()
    unit: str = ""
    """What its numbers count, as written: ``USD million``, ``%``."""


class Table(Model):
    """A table of figures a coder can work on; its data is a Parquet file in the library."""

    id: str
    source_id: str
    name: str
    """A file-system-safe name, unique within a run's tables, e.g. ``revenue_by_region``."""
    title: str
    columns: tuple[Column, ...]
    rows: int
    totals: tuple[int, ...] = ()
    """Data rows, 1-based, that sum up others: to be left out of sums and charts."""
    place: Place = Place()
    path: str
    """Absolute path of the Parquet file; only the sandbox and the library open it."""


# ---------------------------------------------------------------- plan


class StepType(StrEnum):
    """Research gathers evidence; processing computes on tables."""

    RESEARCH = "research"
    PROCESSING = "processing"


class StepStatus(StrEnum):
    """The life of a step; the last four are final."""

    WAITING = "waiting"
    RUNNING = "running"
    DONE = "done"
    FAILED = "failed"
    SKIPPED = "skipped"
    CANCELLED = "cancelled"


class Step(Model):
    """One piece of work of a plan."""

    id: str
    title: str
    description: str = ""
    type: StepType = StepType.RESEARCH
    needs_web: bool = False
    queries: tuple[str, ...] = ()
    """What to search for; the title and description serve where it is empty."""
    depends_on: tuple[str, ...] = ()
    tables: tuple[str, ...] = ()
    """Ids of the tables a processing step works on; empty means all tables of the run."""


class Plan(Model):
    """What is going to be done to answer the question."""

    title: str
    thought: str = ""
    steps: tuple[Step, ...] = ()
    has_enough_context: bool = False
    language: Language = "en"


class PlanDecision(Model):
    """What the user said about a plan: the control that was used, never words found in text."""

    action: Literal["approve", "revise"]
    plan: Plan | None = None
    """The plan as edited by hand; None where nothing was touched."""
    feedback: str = ""
    """Free text for a revision."""


# ---------------------------------------------------------------- results


class Chart(Model):
    """A figure, with all that is needed to draw it, to check it and to make it again."""

    id: str
    step_id: str
    title: str
    alt: str
    figure: dict[str, Any]
    """Plotly figure as JSON (``data``, ``layout``), without any address."""
    code: str
    """The Python that made it."""
    columns: tuple[str, ...] = ()
    rows: tuple[tuple[Any, ...], ...] = ()
    """The figures behind the picture."""
    table_ids: tuple[str, ...] = ()
    source_ids: tuple[str, ...] = ()


class Finding(Model):
    """What one step brought back."""

    step_id: str
    status: StepStatus
    text: str = ""
    """Markdown; each citation is ``[^passage id]``."""
    passage_ids: tuple[str, ...] = ()
    chart_ids: tuple[str, ...] = ()
    queries: tuple[str, ...] = ()
    code: str = ""
    """The Python of a processing step, in the version that was last tried."""
    notices: tuple[Notice, ...] = ()
    """What failed or came back empty, for the honesty line."""


class Verdict(StrEnum):
    """Whether the passages of a claim say what it says."""

    SUPPORTED = "supported"
    PARTLY = "partly"
    NOT_FOUND = "not_found"


class Claim(Model):
    """A cited sentence of the report, with its passages and what the check found."""

    text: str
    passage_ids: tuple[str, ...]
    verdict: Verdict
    missing: tuple[str, ...] = ()
    """Numbers or quotes of the claim that none of its passages holds."""


class Section(Model):
    """One part of the report; its text is Markdown with ``[^passage id]`` citations."""

    title: str
    markdown: str
    step_ids: tuple[str, ...] = ()


class Report(Model):
    """What the reader takes away."""

    title: str
    question: str
    language: Language
    mode: Mode
    complete: bool
    """False when a step failed or the run was stopped: the report is then called partial."""
    markdown: str
    """Canonical Markdown: ``[^passage id]`` citations and ``![alt](chart:ID)`` figures."""
    notices: tuple[Notice, ...] = ()
    claims: tuple[Claim, ...] = ()
    created_at: float = 0.0


class Usage(Model):
    """What model calls cost."""

    calls: int = 0
    prompt_tokens: int = 0
    completion_tokens: int = 0
    cost: float = 0.0
    """US dollars; 0 where no price is known."""

    def __add__(self, other: Usage) -> Usage:
        return Usage(
            calls=self.calls + other.calls,
            prompt_tokens=self.prompt_tokens + other.prompt_tokens,
            completion_tokens=self.completion_tokens + other.completion_tokens,
            cost=self.cost + other.cost,
        )


# ---------------------------------------------------------------- runs


class RunStatus(StrEnum):
    """The life of a run; the last five are final until the user resumes it."""

    RUNNING = "running"
    WAITING = "waiting"
    """For the user's word on the plan."""
    COMPLETE = "complete"
    PARTIAL = "partial"
    ANSWERED = "answered"
    """The coordinator answered, declined or asked back: there was nothing to research."""
    STOPPED = "stopped"
    FAILED = "failed"


class RunOptions(Model):
    """What the user chose for one run."""

    documents: tuple[str, ...] | None = None
    """Ids of the documents to use; None means every document of the library."""
    use_web: bool = True
    accept_plan: bool = False
    """Run the first valid plan without asking."""
    max_steps: int = Field(default=5, ge=1, le=12)
    variants: int = Field(default=3, ge=0, le=6)
    """How many further angles on the question are searched."""
    language: Language | None = None
    """Language of the report; None follows the question."""


class Run(Model):
    """One question through the graph."""

    id: str
    question: str
    options: RunOptions
    mode: Mode
    status: RunStatus
    created_at: float
    updated_at: float
    title: str = ""


class EventKind(StrEnum):
    """What can happen in a run. The payload of each is written beside it."""

    RUN_STARTED = "run_started"
    """question, mode, search (name of the engine, or ``""`` for documents only), language"""
    NODE_STARTED = "node_started"
    """{} (the node is the event's)"""
    NODE_FINISHED = "node_finished"
    """seconds"""
    NOTICE = "notice"
    """notice; step_id or None"""
    UNDERSTOOD = "understood"
    """query, variants, kind, language"""
    REPLY = "reply"
    """action (chat, refuse, clarify), text"""
    SOURCE_FOUND = "source_found"
    """source; step_id or None"""
    PLAN_PROPOSED = "plan_proposed"
    """plan, revision (from 1)"""
    PLAN_APPROVED = "plan_approved"
    """plan"""
    PLAN_REVISION_ASKED = "plan_revision_asked"
    """feedback"""
    STEP_STARTED = "step_started"
    """step_id"""
    STEP_FINISHED = "step_finished"
    """finding"""
    TEXT = "text"
    """deltas: {channel: text}; restart: channels whose text begins anew.

    Channels are ``reply``, ``rewrite``, ``plan``, ``step:ID``, ``section:N`` and ``summary``."""
    CHART_MADE = "chart_made"
    """chart_id, step_id, title"""
    CALL_STARTED = "call_started"
    """kind (model, search, page, documents, sandbox), label, step_id or None"""
    CALL_FINISHED = "call_finished"
    """call (seq of the event it began with), seconds, usage, error (a Notice or None)"""
    OUTLINE = "outline"
    """titles"""
    SECTION_WRITTEN = "section_written"
    """index, section"""
    REPORT_WRITTEN = "report_written"
    """report"""
    RUN_WAITING = "run_waiting"
    """{}"""
    RUN_RESUMED = "run_resumed"
    """{}"""
    RUN_FINISHED = "run_finished"
    """status"""


class Event(Model):
    """One thing that happened in a run."""

    seq: int
    """Counts from 1 in each run, without gaps."""
    time: float
    kind: EventKind
    node: str = ""
    payload: dict[str, Any] = Field(default_factory=dict)
