"""Research: ask a question, or follow the run that the address names."""

from __future__ import annotations

import streamlit as st

from pages.parts import ask, run

if run_id := st.query_params.get("run"):
    run.show(run_id)
else:
    ask.show()
