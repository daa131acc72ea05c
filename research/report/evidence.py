"""What a report stands on: its passages, sources, charts and calculations, by id."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field

from research.calculations import Calculation
from research.models import Chart, Passage, Source


@dataclass(frozen=True)
class Evidence:
    """Everything that a citation or a figure of a report may lead to."""

    passages: Mapping[str, Passage] = field(default_factory=dict)
    sources: Mapping[str, Source] = field(default_factory=dict)
    charts: Mapping[str, Chart] = field(default_factory=dict)
    calculations: Mapping[str, Calculation] = field(default_factory=dict)

    def cited(self, passage_id: str) -> tuple[Passage, Source] | None:
        """The passage with its source, or None where either is missing."""
        passage = self.passages.get(passage_id)
        source = self.sources.get(passage.source_id) if passage else None
        return (passage, source) if passage and source else None

    def calculation_of(self, chart_id: str) -> Calculation | None:
        """The calculation that made a chart; None for a run from before they were kept."""
        made = (one for one in self.calculations.values() if chart_id in one.chart_ids)
        return next(made, None)
