"""What a report stands on: its passages, their sources and its charts, each by id."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field

from research.models import Chart, Passage, Source


@dataclass(frozen=True)
class Evidence:
    """Everything that a citation or a figure of a report may lead to."""

    passages: Mapping[str, Passage] = field(default_factory=dict)
    sources: Mapping[str, Source] = field(default_factory=dict)
    charts: Mapping[str, Chart] = field(default_factory=dict)

    def cited(self, passage_id: str) -> tuple[Passage, Source] | None:
        """The passage with its source, or None where either is missing."""
        passage = self.passages.get(passage_id)
        source = self.sources.get(passage.source_id) if passage else None
        return (passage, source) if passage and source else None
