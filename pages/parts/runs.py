"""The list of runs: filter, open, delete."""

from __future__ import annotations

import streamlit as st

from pages.parts.progress import status_badge
from pages.parts.words import count, language, moment, plain, say
from research.errors import DossierError
from research.models import Run, RunStatus
from research.runs import get_service


def listing() -> None:
    """Every run, filtered by the words of the user."""
    st.title(say("reports.title"), anchor=False)
    runs = get_service().runs()
    if not runs:
        with st.container(border=True):
            st.markdown(say("reports.empty"))
            st.page_link("research.py", label=say("reports.ask"), icon=":material/add:")
        return
    words = st.text_input(
        say("reports.filter"),
        placeholder=say("reports.filter"),
        icon=":material/search:",
        key="reports-filter",
        label_visibility="collapsed",
    )
    shown = [run for run in runs if _matches(run, words)]
    st.caption(count("runs", len(shown)))
    for run in shown:
        _row(run)


def _matches(run: Run, words: str) -> bool:
    text = f"{run.question} {run.title}".casefold()
    return all(word in text for word in words.casefold().split())


def _row(run: Run) -> None:
    with st.container(border=True, gap="xsmall"):
        st.markdown(f"**{plain(run.question)}**")
        if run.title and run.title != run.question:
            st.caption(plain(run.title))
        with st.container(
            horizontal=True, vertical_alignment="center", horizontal_alignment="distribute"
        ):
            st.markdown(
                f"{status_badge(run.status)}&ensp; "
                f":small[:gray[{say(f'mode.{run.mode}')} · {moment(run.created_at)}]]"
            )
            _actions(run)


def _actions(run: Run) -> None:
    with st.container(horizontal=True, vertical_alignment="center", width="content"):
        query = {"run": run.id}
        st.page_link(
            "research.py",
            label=say("reports.open"),
            icon=":material/arrow_forward:",
            query_params=query,
        )
        st.page_link(
            "trace.py",
            label=say("reports.trace"),
            icon=":material/timeline:",
            query_params=query,
        )
        if st.button(
            say("reports.delete"),
            key=f"delete-{run.id}",
            type="tertiary",
            icon=":material/delete:",
            disabled=run.status is RunStatus.RUNNING,
        ):
            _confirm_deletion(run)


def _confirm_deletion(run: Run) -> None:
    @st.dialog(say("reports.delete_title"), icon=":material/delete:")
    def confirm() -> None:
        st.markdown(say("reports.delete_question", question=plain(run.question)))
        with st.container(horizontal=True):
            if st.button(say("reports.delete_confirm"), type="primary", key="delete-confirm"):
                try:
                    get_service().delete(run.id)
                except DossierError as error:
                    st.error(error.sentence(language()))
                else:
                    st.rerun()
            if st.button(say("cancel"), key="delete-cancel"):
                st.rerun()

    confirm()
