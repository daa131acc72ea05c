"""The nodes and calls of one run, on a time line and in a table."""

from __future__ import annotations

import time
from typing import Any

import streamlit as st

from pages.parts.feed import watch
from pages.parts.progress import status_badge, totals
from pages.parts.words import language, moment, say
from research.i18n import notice_text
from research.models import Run
from research.runs import get_service
from research.runs.view import CallView, NodeView, RunView

COLOURS = {
    "node": "#9aa3b2",
    "model": "#2f6fdb",
    "search": "#d9822b",
    "page": "#2a9d78",
    "documents": "#3f93a8",
    "sandbox": "#7a5fd0",
}
COLUMNS = (
    "kind",
    "label",
    "start",
    "seconds",
    "node",
    "prompt",
    "completion",
    "cost",
    "error",
)
ROW = 24
"""Height of one bar, in pixels."""


def show(run_id: str | None) -> None:
    """Choose a run, and show its trace."""
    runs = {run.id: run for run in get_service().runs()}
    if not runs:
        st.markdown(say("trace.empty"))
        return
    chosen = st.selectbox(
        say("trace.run"),
        list(runs),
        index=list(runs).index(run_id) if run_id in runs else 0,
        format_func=lambda each: _name(runs[each]),
        key="trace-run",
    )
    if chosen and chosen != run_id:
        st.query_params["run"] = chosen
    if chosen:
        _trace(runs[chosen])


def _name(run: Run) -> str:
    return f"{run.question} · {moment(run.created_at)}"


def _trace(run: Run) -> None:
    view = watch(run.id)
    now = time.time()
    with st.container(horizontal=True, vertical_alignment="center"):
        st.markdown(status_badge(view.status))
        totals(view, now=now)
        st.page_link(
            "research.py",
            label=say("trace.open"),
            icon=":material/arrow_forward:",
            query_params={"run": run.id},
        )
    if not view.nodes:
        st.caption(say("run.starting"))
        return
    rows = _rows(view, now)
    st.plotly_chart(
        _time_line(rows), key="trace-chart", alt=say("trace.chart"), config={"displaylogo": False}
    )
    _table(rows)


def _rows(view: RunView, now: float) -> list[dict[str, Any]]:
    """One row a node or call, in the order in which they began."""
    began = view.started or min(node.started for node in view.nodes.values())
    things: list[NodeView | CallView] = [*view.nodes.values(), *view.calls.values()]
    return [_row(thing, began, now) for thing in sorted(things, key=lambda thing: thing.started)]


def _row(thing: NodeView | CallView, began: float, now: float) -> dict[str, Any]:
    seconds = now - thing.started if thing.seconds is None else thing.seconds
    row = {
        "kind": "node",
        "label": "",
        "node": "",
        "prompt": None,
        "completion": None,
        "cost": None,
        "error": "",
        "start": round(thing.started - began, 2),
        "seconds": round(seconds, 2),
    }
    if isinstance(thing, NodeView):
        return row | {"label": say(f"node.{thing.name}")}
    usage = thing.usage
    return row | {
        "kind": thing.kind,
        "label": thing.label,
        "node": say(f"node.{thing.node}"),
        "prompt": usage.prompt_tokens or None,
        "completion": usage.completion_tokens or None,
        "cost": usage.cost or None,
        "error": notice_text(thing.error, language()) if thing.error else "",
    }


def _time_line(rows: list[dict[str, Any]]) -> dict[str, Any]:
    """A bar for each row, as a Plotly figure: nodes and calls in columns of time."""
    bars = []
    for kind, colour in COLOURS.items():
        mine = [(place, row) for place, row in enumerate(rows) if row["kind"] == kind]
        if mine:
            bars.append(
                {
                    "type": "bar",
                    "orientation": "h",
                    "name": say(f"trace.kind.{kind}"),
                    "base": [row["start"] for _, row in mine],
                    "x": [max(row["seconds"], 0.01) for _, row in mine],
                    "y": [place for place, _ in mine],
                    "text": [row["label"] for _, row in mine],
                    "customdata": [row["seconds"] for _, row in mine],
                    "textposition": "none",
                    "hovertemplate": "%{text}<br>%{base:.2f} s + %{customdata:.2f} s<extra/>",
                    "width": 0.7,
                    "marker": {"color": colour},
                }
            )
    return {
        "data": bars,
        "layout": {
            "barmode": "overlay",
            "height": 110 + ROW * len(rows),
            "margin": {"l": 8, "r": 8, "t": 8, "b": 40},
            "xaxis": {"title": {"text": say("trace.seconds")}, "rangemode": "tozero"},
            "yaxis": {
                "autorange": "reversed",
                "tickvals": list(range(len(rows))),
                "ticktext": [_short(row["label"]) for row in rows],
                "automargin": True,
            },
            "legend": {"orientation": "h", "y": 1.02, "yanchor": "bottom"},
        },
    }


def _short(label: str) -> str:
    return label if len(label) <= 28 else label[:27] + "…"


def _table(rows: list[dict[str, Any]]) -> None:
    columns = st.column_config
    st.dataframe(
        [row | {"kind": say(f"trace.kind.{row['kind']}")} for row in rows],
        column_order=[name for name in COLUMNS if any(row[name] not in ("", None) for row in rows)],
        hide_index=True,
        height="content",
        placeholder="",
        alt=say("trace.table"),
        column_config={
            "kind": columns.TextColumn(say("trace.column.kind"), width="small"),
            "label": columns.TextColumn(say("trace.column.label"), width="medium"),
            "start": columns.NumberColumn(say("trace.column.start"), format="%.2f"),
            "seconds": columns.NumberColumn(say("trace.column.seconds"), format="%.2f"),
            "node": columns.TextColumn(say("trace.column.node"), width="small"),
            "prompt": columns.NumberColumn(say("trace.column.prompt")),
            "completion": columns.NumberColumn(say("trace.column.completion")),
            "cost": columns.NumberColumn(say("trace.column.cost"), format="$%.4f", width="small"),
            "error": columns.TextColumn(say("trace.column.error"), width="medium"),
        },
    )
