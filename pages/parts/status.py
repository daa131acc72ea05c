"""What is on, in one line, and what to set to get more."""

from __future__ import annotations

import streamlit as st

from pages.parts.words import plain, say, told
from research.runs import get_service


def what_is_on() -> None:
    """Who thinks and what is searched, and below it what to set for more."""
    status = get_service().status()
    if status.mode == "model":
        who = f":material/edit_note: {say('on.model', model=plain(status.model))}"
    else:
        who = f":material/format_quote: {say('on.extractive')}"
    if status.search:
        where = f":material/public: {say('on.search', engine=plain(status.search))}"
    else:
        where = f":material/folder: {say('on.documents_only')}"
    st.markdown(f"{who}&ensp; {where}")
    if status.notices:
        st.caption(" ".join(told(notice) for notice in status.notices))
