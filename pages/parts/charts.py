"""A live chart, with its source note and what can be done with it."""

from __future__ import annotations

from typing import Any

import streamlit as st

from pages.parts.calculations import chart_actions
from pages.parts.words import plain
from research.models import Chart, Language
from research.report.credits import credit
from research.report.evidence import Evidence

CONFIG = {"displaylogo": False, "modeBarButtonsToRemove": ["select2d", "lasso2d"]}

LAYOUT: dict[str, Any] = {
    "height": 420,
    "margin": {"l": 8, "r": 8, "t": 64, "b": 8},
    "legend": {"orientation": "h", "x": 0, "y": 0, "yref": "container", "yanchor": "bottom"},
}
"""Where the chart's own code says nothing: a legend below the plot leaves room on a phone."""


def chart(
    made: Chart, evidence: Evidence, language: Language, key: str, *, run_id: str | None = None
) -> None:
    """Draw a chart of the run, with its source note.

    Args:
        made: The chart.
        evidence: That of its run.
        language: Of the report, for the source note.
        key: Unique on the page.
        run_id: The run, where its code may be looked at and run again; None while it goes on.
    """
    from plotly.graph_objects import Figure

    layout = {**LAYOUT, **made.figure.get("layout", {})}
    # The look it was saved with is made for white paper; without it the page's own is used.
    layout.pop("template", None)
    figure = Figure({**made.figure, "layout": layout}, skip_invalid=True)
    st.plotly_chart(figure, key=key, config=CONFIG, alt=made.alt or made.title)
    if note := credit(made, evidence, language):
        st.caption(plain(note))
    if run_id is not None:
        chart_actions(run_id, made, evidence.calculation_of(made.id), key)
