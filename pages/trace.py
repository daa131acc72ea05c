"""Trace: where the time, the tokens and the money of one run went."""

from __future__ import annotations

import streamlit as st

from pages.parts import trace
from pages.parts.words import say

st.title(say("trace.title"), anchor=False)
trace.show(st.query_params.get("run"))
