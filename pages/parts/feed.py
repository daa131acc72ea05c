"""Following a run: its view, brought up to date from the store at each look."""

from __future__ import annotations

import streamlit as st

from research.report.evidence import Evidence
from research.runs import get_service
from research.runs.view import RunView


def watch(run_id: str) -> RunView:
    """The run as far as it has come; only what is new is read."""
    kept_id, view = st.session_state.get("feed", ("", None))
    if kept_id != run_id or view is None:
        view = RunView()
    get_service().view(run_id, view)
    st.session_state["feed"] = (run_id, view)
    return view


def evidence(run_id: str, view: RunView) -> Evidence:
    """The passages, sources and charts of the run; read again when there are more of them."""
    mark = (run_id, len(view.charts), len(view.sources), len(view.sections), view.report is None)
    kept_mark, found = st.session_state.get("evidence", (None, None))
    if kept_mark != mark or found is None:
        found = get_service().evidence(run_id)
        st.session_state["evidence"] = (mark, found)
    return found
