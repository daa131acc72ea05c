"""What a node is given beside the state: the means to think, to look up, and to tell."""

from __future__ import annotations

from dataclasses import dataclass

from research.agents.analyst import Analyst
from research.knowledge.library import Library
from research.models import Language, RunOptions
from research.runs.calls import Calls
from research.runs.journal import Journal


@dataclass(frozen=True)
class Context:
    """The surroundings of one run."""

    options: RunOptions
    language: Language
    analyst: Analyst
    library: Library
    calls: Calls
    journal: Journal
    web: bool
    """Whether the user lets the web be searched."""
    started_at: float
    """Unix seconds; the one clock of a run, so that a resumed run asks what it asked before."""
