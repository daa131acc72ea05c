"""A live chart, with the code that made it and the figures behind it."""

from __future__ import annotations

from typing import Any

import streamlit as st

from pages.parts.words import say
from research.models import Chart

CONFIG = {"displaylogo": False, "modeBarButtonsToRemove": ["select2d", "lasso2d"]}

LAYOUT: dict[str, Any] = {
    "height": 420,
    "margin": {"l": 8, "r": 8, "t": 64, "b": 8},
    "legend": {"orientation": "h", "x": 0, "y": 0, "yref": "container", "yanchor": "bottom"},
}
"""Where the chart's own code says nothing: a legend below the plot leaves room on a phone."""


def chart(made: Chart, key: str, *, details: bool = False) -> None:
    """Draw a chart of the run.

    Args:
        made: The chart.
        key: Unique on the page.
        details: Whether its code and rows are offered below it.
    """
    from plotly.graph_objects import Figure

    layout = {**LAYOUT, **made.figure.get("layout", {})}
    # The look it was saved with is made for white paper; without it the page's own is used.
    layout.pop("template", None)
    figure = Figure({**made.figure, "layout": layout}, skip_invalid=True)
    st.plotly_chart(figure, key=key, config=CONFIG, alt=made.alt or made.title)
    if details:
        _details(made)


def _details(made: Chart) -> None:
    with st.expander(say("chart.details"), icon=":material/code:", type="compact"):
        if made.rows:
            st.caption(say("chart.rows"))
            st.dataframe(
                [dict(zip(made.columns, row, strict=False)) for row in made.rows],
                hide_index=True,
                alt=say("chart.rows"),
            )
        st.caption(say("chart.code"))
        st.code(made.code, language="python", wrap_lines=True)
