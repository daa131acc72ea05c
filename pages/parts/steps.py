"""The steps of a run as a time line: state, live text, sources, charts."""

from __future__ import annotations

import re

import streamlit as st

from pages.parts.charts import chart
from pages.parts.progress import notices, used
from pages.parts.report import prose
from pages.parts.words import duration, plain, say
from research.models import StepStatus
from research.report.evidence import Evidence
from research.runs.view import RunView, StepView

ICONS = {
    StepStatus.WAITING: ":material/radio_button_unchecked:",
    StepStatus.RUNNING: "spinner",
    StepStatus.DONE: ":material/check_circle:",
    StepStatus.FAILED: ":material/error:",
    StepStatus.SKIPPED: ":material/do_not_disturb_on:",
    StepStatus.CANCELLED: ":material/cancel:",
}
COLOURS = {
    StepStatus.WAITING: "gray",
    StepStatus.RUNNING: "blue",
    StepStatus.DONE: "green",
    StepStatus.FAILED: "red",
    StepStatus.SKIPPED: "gray",
    StepStatus.CANCELLED: "gray",
}
CITATION = re.compile(r"\[\^[^\]]*(\]|$)")
TAIL = 1500
"""Characters of live text that are shown."""


def timeline(view: RunView, evidence: Evidence, now: float, *, run_id: str | None = None) -> None:
    """One card a step, in the order of the plan.

    Args:
        view: The run.
        evidence: Its charts.
        now: Unix seconds.
        run_id: Of a run that has ended; None while it goes on and the running card stays open.
    """
    for step in view.steps.values():
        running = step.status is StepStatus.RUNNING
        with st.expander(
            _label(step, now),
            type="step",
            icon=ICONS[step.status],
            expanded=run_id is None and running,
            # A new key with each state: a card opens when its step begins and folds when it ends.
            key=f"step-{step.step.id}-{step.status}",
        ):
            _inside(view, step, evidence, run_id)
    done = ":material/check_circle:" if view.report else ":material/radio_button_unchecked:"
    st.expander(f"**{say('steps.report')}**", type="step", icon=done, key="steps-report")


def _label(step: StepView, now: float) -> str:
    words = [f":{COLOURS[step.status]}[{say(f'step_status.{step.status}')}]"]
    if step.started:
        words.append(duration((step.finished or now) - step.started))
    words += used(step.usage)
    state = " · ".join(words).replace("$", "\\$")
    return f"**{plain(step.step.title)}**&ensp; :small[{state}]"


def _inside(view: RunView, step: StepView, evidence: Evidence, run_id: str | None) -> None:
    if step.step.description not in ("", step.step.title):
        st.caption(plain(step.step.description))
    if step.status is StepStatus.RUNNING:
        _under_way(step.text)
    elif step.text:
        prose(step.text)
    if step.sources:
        titles = [plain(view.sources[each].title) for each in step.sources]
        st.caption(f":material/library_books: {say('steps.sources')}: {', '.join(titles)}")
    for chart_id in step.charts:
        if chart_id in evidence.charts:
            key = f"step-{step.step.id}-{chart_id}"
            made = evidence.charts[chart_id]
            chart(made, evidence, view.language, key, run_id=run_id)
    if step.finding and step.finding.code and not step.charts:
        st.caption(say("chart.code"))
        st.code(step.finding.code, language="python", wrap_lines=True)
    notices(step.notices)


def _under_way(text: str) -> None:
    """The end of what is being written, in a box that keeps its height and follows the text."""
    written = CITATION.sub("", text)
    if not written:
        st.caption(say("steps.thinking"))
        return
    with st.container(height=140, autoscroll=True, border=True):
        st.text(written[-TAIL:])
