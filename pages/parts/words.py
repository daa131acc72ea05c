"""Words, figures and dates in the language and time zone of the session."""

from __future__ import annotations

from datetime import UTC, date, datetime, tzinfo
from typing import Any, cast
from zoneinfo import ZoneInfo, ZoneInfoNotFoundError

import streamlit as st

from research.i18n import notice_text, text
from research.models import Language, Notice
from research.report.screen import literal_for_screen

LANGUAGES: dict[Language, str] = {"en": "English", "zh": "中文"}


def choose_language() -> None:
    """The switch. The choice stands in the address; without one the browser's language is taken."""
    browser = "zh" if (st.context.locale or "").lower().startswith("zh") else "en"
    if "lang" not in st.session_state:
        asked = st.query_params.get("lang")
        st.session_state["lang"] = asked if asked in LANGUAGES else browser
    st.segmented_control(
        "Language / 语言",
        list(LANGUAGES),
        format_func=lambda code: LANGUAGES[code],
        required=True,
        key="lang",
        label_visibility="collapsed",
        persist_state="session",
    )
    if language() != browser:
        st.query_params["lang"] = language()
    elif "lang" in st.query_params:
        del st.query_params["lang"]


def language() -> Language:
    """The language of the session."""
    return cast(Language, st.session_state.get("lang", "en"))


def say(key: str, **params: Any) -> str:
    """A text of the pages' own catalogue."""
    return text(f"pages.{key}", language(), **params)


def plain(words: str) -> str:
    """Text of a user, a document or a model, such that Markdown shows it word for word."""
    return literal_for_screen(words)


def told(notice: Notice) -> str:
    """The sentence of a notice, safe inside Markdown."""
    return plain(notice_text(notice, language()))


def count(key: str, number: int) -> str:
    """``number`` with its noun; English needs a form of its own for one."""
    return say(f"count.{key}.{'one' if number == 1 else 'many'}", number=f"{number:,}")


def duration(seconds: float) -> str:
    """How long something took, in two units at most."""
    if seconds < 10:
        return say("duration.seconds", seconds=f"{max(seconds, 0):.1f}")
    if seconds < 60:
        return say("duration.seconds", seconds=f"{seconds:.0f}")
    minutes, rest = divmod(round(seconds), 60)
    if minutes < 60:
        return say("duration.minutes", minutes=minutes, seconds=rest)
    return say("duration.hours", hours=minutes // 60, minutes=minutes % 60)


def money(dollars: float) -> str:
    """An amount in US dollars, with enough digits to tell small ones apart."""
    return f"US${dollars:.2f}" if dollars >= 1 else f"US${dollars:.4f}"


def size(octets: int) -> str:
    """The size of a file."""
    if octets < 1_000_000:
        return f"{max(octets / 1_000, 0.1):.1f} KB"
    return f"{octets / 1_000_000:.1f} MB"


def moment(seconds: float) -> str:
    """A point in time, in the time zone of the browser."""
    return say("moment", time=datetime.fromtimestamp(seconds, _zone()))


def day(when: float | str) -> str:
    """The day of a point in time, in the time zone of the browser, or a day as ``2025-12-31``."""
    if isinstance(when, str):
        return say("day", time=date.fromisoformat(when))
    return say("day", time=datetime.fromtimestamp(when, _zone()))


def _zone() -> tzinfo:
    try:
        return ZoneInfo(st.context.timezone or "UTC")
    except (ZoneInfoNotFoundError, ValueError):
        return UTC
