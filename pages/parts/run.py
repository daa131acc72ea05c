"""One run on one page: its head, and below it the plan, the live view or the report."""

from __future__ import annotations

import time

import streamlit as st

from pages.parts.feed import evidence, watch
from pages.parts.live import being_decided, live, stop_button
from pages.parts.plan import editor
from pages.parts.progress import nodes_line, notices, status_badge, totals
from pages.parts.report import read
from pages.parts.steps import timeline
from pages.parts.words import language, moment, plain, say
from research.errors import DossierError
from research.models import Run, RunStatus
from research.runs import get_service
from research.runs.view import RunView

RESUMABLE = (RunStatus.STOPPED, RunStatus.FAILED, RunStatus.PARTIAL)


def show(run_id: str) -> None:
    """Show the run wherever it stands; all of it comes from the store."""
    run = get_service().run(run_id)
    if run is None:
        st.warning(say("run.unknown"), icon=":material/search_off:")
        _new_question()
        return
    view = watch(run_id)
    _head(run, view)
    if view.status is RunStatus.WAITING and not being_decided(run_id, view):
        stop_button(run_id)
        notices(view.notices)
        editor(run_id, view)
    elif view.status in (RunStatus.RUNNING, RunStatus.WAITING):
        live(run_id)
    elif view.status is RunStatus.ANSWERED:
        with st.chat_message("assistant", avatar=":material/menu_book:"):
            st.markdown(plain(view.reply))
    else:
        _finished(run_id, view)


def _head(run: Run, view: RunView) -> None:
    st.title(plain(run.question), anchor=False)
    with st.container(
        horizontal=True, vertical_alignment="center", horizontal_alignment="distribute"
    ):
        st.markdown(f"{status_badge(view.status)}&ensp; {_meta(run, view)}")
        _new_question()


def _meta(run: Run, view: RunView) -> str:
    words = [say(f"mode.{run.mode}")]
    words.append(plain(view.search) if view.search else say("run.documents_only"))
    words.append(moment(run.created_at))
    return f":small[:gray[{' · '.join(words)}]]"


def _new_question() -> None:
    if st.button(say("run.new"), icon=":material/add:", key="new-question"):
        del st.query_params["run"]
        st.rerun()


def _finished(run_id: str, view: RunView) -> None:
    totals(view, now=time.time())
    if view.status in RESUMABLE:
        _resume(run_id)
    found = evidence(run_id, view)
    if view.report:
        read(run_id, view, found)
    else:
        notices(view.notices)
    if view.steps:
        st.header(say("run.steps"), anchor=False)
        if view.report:
            notices(notice for notice in view.notices if notice not in view.report.notices)
        else:
            nodes_line(view)
        timeline(view, found, now=time.time(), run_id=run_id)


def _resume(run_id: str) -> None:
    with st.container(horizontal=True, vertical_alignment="center"):
        if st.button(say("run.resume"), type="primary", icon=":material/resume:", key="resume"):
            try:
                get_service().resume(run_id)
            except DossierError as error:
                st.error(error.sentence(language()), icon=":material/error:")
            else:
                st.rerun()
        st.caption(say("run.resume_help"))
