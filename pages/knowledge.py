"""Knowledge: bring documents in and keep them in order, ask them, search them."""

from __future__ import annotations

import streamlit as st

from pages.parts import answers, document, library, search
from pages.parts.address import recall, remember
from pages.parts.words import language, say

VIEWS = {"documents": library.show, "ask": answers.show, "search": search.show}


def views() -> None:
    """The three views; the one that is open stands in the address."""
    key = f"view-{language()}"
    labels = {name: say(f"knowledge.{name}") for name in VIEWS}
    names = {label: name for name, label in labels.items()}
    recall("view", key, labels)
    tabs = st.tabs(
        list(labels.values()), key=key, on_change=remember, args=("view", key, "documents", names)
    )
    for tab, show in zip(tabs, VIEWS.values(), strict=True):
        if tab.open:
            with tab:
                show()


if document_id := st.query_params.get("doc"):
    document.show(document_id)
else:
    st.title(say("knowledge.title"), anchor=False)
    views()
