"""A run while it is carried out: one fragment that looks twice a second, and Stop above it."""

from __future__ import annotations

import re
import time

import streamlit as st

from pages.parts.feed import evidence, watch
from pages.parts.progress import nodes_line, notices, totals
from pages.parts.report import prose
from pages.parts.steps import timeline
from pages.parts.words import language, plain, say
from research.errors import DossierError
from research.models import RunStatus
from research.runs import get_service
from research.runs.view import RunView

TICK = 0.5
QUERY = re.compile(r'"query"\s*:\s*"((?:[^"\\]|\\.)+)')
"""The search form inside an answer that is not whole yet."""


def live(run_id: str) -> None:
    """Show the run as it goes on, until it ends or waits for the user."""
    stop_button(run_id)
    st.fragment(_watch, run_every=TICK)(run_id)


def being_decided(run_id: str, view: RunView) -> bool:
    """Whether the user's word on this revision is given and the engine is about to act on it."""
    return bool(st.session_state.get("decided") == (run_id, view.revision))


def stop_button(run_id: str) -> None:
    """Stop, in a fragment of its own, so that no look at the run comes between."""
    st.fragment(_stop)(run_id)


def _stop(run_id: str) -> None:
    if not st.button(say("run.stop"), icon=":material/stop_circle:", key="stop"):
        return
    service = get_service()
    try:
        service.stop(run_id)
    except DossierError as error:
        st.error(error.sentence(language()), icon=":material/error:")
        return
    run = service.run(run_id)
    if run and run.status is RunStatus.STOPPED:
        st.rerun()
    st.caption(say("run.stopping"))


def _watch(run_id: str) -> None:
    view = watch(run_id)
    waiting = view.status is RunStatus.WAITING and not being_decided(run_id, view)
    if waiting or view.status not in (RunStatus.RUNNING, RunStatus.WAITING):
        st.rerun()
    totals(view, now=time.time())
    nodes_line(view)
    notices(view.notices)
    _searched_for(view)
    _plan_under_way(view)
    if view.steps:
        timeline(view, evidence(run_id, view), now=time.time())
    _report_under_way(view)


def _searched_for(view: RunView) -> None:
    """The search form of the question and its further angles, as they are being written."""
    started = QUERY.search(view.texts.get("rewrite", ""))
    queries = (
        [view.query, *view.variants] if view.query else list(started.groups() if started else ())
    )
    if queries and not view.approved:
        st.caption(f":material/search: {say('run.searched_for')}: {plain(' · '.join(queries))}")


def _plan_under_way(view: RunView) -> None:
    steps = view.texts.get("plan", "").partition('"steps"')[2]
    titles = re.findall(r'"title"\s*:\s*"((?:[^"\\]|\\.)+)"', steps)
    if titles and not view.approved:
        with st.container(border=True):
            st.caption(say("run.planning"))
            st.markdown("\n".join(f"- {plain(title)}" for title in titles))


def _report_under_way(view: RunView) -> None:
    if not view.outline:
        return
    with st.container(border=True):
        st.caption(say("run.writing"))
        for index, title in enumerate(view.outline):
            st.markdown(f"##### {plain(title)}")
            if index in view.sections:
                prose(view.sections[index].markdown)
            elif text := view.texts.get(f"section:{index}"):
                prose(text)
            else:
                st.caption(say("run.section_waiting"))
        if text := view.texts.get("summary"):
            st.markdown(f"##### {say('run.summary')}")
            prose(text)
