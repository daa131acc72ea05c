"""Where a run stands, in a few lines: totals, nodes and notices."""

from __future__ import annotations

from collections.abc import Iterable

import streamlit as st

from pages.parts.words import count, duration, money, say, told
from research.models import Notice, RunStatus, Usage
from research.runs.view import RunView

NODES = (
    "coordinator",
    "rewrite",
    "background",
    "planner",
    "validate",
    "feedback",
    "team",
    "reporter",
    "verify",
)

STATUS = {
    RunStatus.RUNNING: (":material/progress_activity:", "blue"),
    RunStatus.WAITING: (":material/pending_actions:", "orange"),
    RunStatus.COMPLETE: (":material/check_circle:", "green"),
    RunStatus.PARTIAL: (":material/rule:", "orange"),
    RunStatus.ANSWERED: (":material/chat:", "gray"),
    RunStatus.STOPPED: (":material/stop_circle:", "gray"),
    RunStatus.FAILED: (":material/error:", "red"),
}

LEVELS = {
    "info": ":blue[:material/info:]",
    "warning": ":orange[:material/warning:]",
    "error": ":red[:material/error:]",
}


def status_badge(status: RunStatus) -> str:
    """The state of a run as an icon and a word, in Markdown."""
    icon, colour = STATUS[status]
    return f":{colour}-badge[{icon} {say(f'status.{status}')}]"


def used(usage: Usage) -> list[str]:
    """Calls, tokens and cost, as far as there are any."""
    words = [count("calls", usage.calls)] if usage.calls else []
    tokens = usage.prompt_tokens + usage.completion_tokens
    if tokens:
        words.append(count("tokens", tokens))
    if usage.cost:
        words.append(money(usage.cost))
    return words


def totals(view: RunView, now: float) -> None:
    """Elapsed time, calls, tokens and cost of the whole run, in one line."""
    words = used(view.usage)
    if view.started:
        words.insert(0, duration(view.worked(now)))
    if view.sources:
        words.append(count("sources", len(view.sources)))
    st.caption(" · ".join(word.replace("$", "\\$") for word in words) or say("run.starting"))


def nodes_line(view: RunView) -> None:
    """Every node of the graph with where it stands, in one line that wraps between them."""
    words = []
    for name in NODES:
        node = view.nodes.get(name)
        if node is None:
            colour, icon = "gray", ":material/radio_button_unchecked:"
        elif node.seconds is None:
            colour, icon = "blue", ":material/pending:"
        else:
            colour, icon = "green", ":material/check_circle:"
        words.append(f":{colour}-badge[{icon} {say(f'node.{name}')}]")
    st.markdown(" ".join(words))


def notices(told_so_far: Iterable[Notice]) -> None:
    """What the user should know, one line each; errors stand out."""
    for notice in told_so_far:
        if notice.level == "error":
            st.error(told(notice), icon=":material/error:")
        else:
            st.markdown(notice_line(notice))


def notice_line(notice: Notice) -> str:
    """A notice as one line of Markdown, its level as an icon."""
    return f"{LEVELS[notice.level]} {told(notice)}"
