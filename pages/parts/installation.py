"""What this installation works with: model, search, sandbox, embedding, data folder."""

from __future__ import annotations

from collections.abc import Iterable
from importlib.util import find_spec
from typing import get_args
from urllib.parse import urlsplit, urlunsplit

import streamlit as st

from pages.parts.words import count, plain, say, size, told
from research.knowledge.embedding import BUILTIN
from research.models import Notice
from research.runs import get_service
from research.sandbox import Description, Trial, describe
from research.sandbox.description import outcome
from research.settings import Role, Settings, get_settings


def show() -> None:
    """Every part with its state, and what to set for more. No secret is ever shown."""
    settings = get_settings()
    st.title(say("settings.title"), anchor=False)
    st.markdown(say("settings.intro", file=settings.home / "settings.toml"))
    _model(settings)
    _search(settings)
    _sandbox(settings)
    _embedding(settings)
    _data(settings)


def _part(name: str, *, on: bool | None = None) -> None:
    """The heading of one part; where it can be off, its state as an icon and a word."""
    if on is None:
        badge = ""
    elif on:
        badge = f":green-badge[:material/check_circle: {say('settings.on')}]"
    else:
        badge = f":gray-badge[:material/radio_button_unchecked: {say('settings.off')}]"
    st.header(f"{say(f'settings.{name}')}&ensp; {badge}", anchor=False)


def _facts(**facts: str) -> None:
    """What is known, one line each; values are Markdown."""
    lines = [f"- :gray[{say(f'settings.fact.{name}')}:] {value}" for name, value in facts.items()]
    st.markdown("\n".join(lines))


def _set(is_set: bool) -> str:
    return say("settings.set") if is_set else say("settings.not_set")


def _to_set(words: str, line: str) -> None:
    st.markdown(words)
    _code(line)


def _code(lines: str) -> None:
    st.code(lines, language=None, wrap_lines=True)


def _model(settings: Settings) -> None:
    with st.container(border=True):
        _part("model", on=settings.has_model)
        if not settings.has_model:
            _to_set(say("settings.model_missing"), "export OPENAI_API_KEY=...")
            _to_set(
                say("settings.model_elsewhere"),
                "export OPENAI_BASE_URL=http://localhost:11434/v1",
            )
            return
        own = [role for role in get_args(Role) if settings.model_for(role) != settings.model]
        roles = ", ".join(
            f"{say(f'settings.role.{role}')}: {plain(settings.model_for(role))}" for role in own
        )
        _facts(
            key=_set(True),
            endpoint=plain(_endpoint(settings)),
            model=f"**{plain(settings.model)}**",
            roles=roles or say("settings.same"),
            prices=", ".join(plain(name) for name in settings.prices) or say("settings.no_prices"),
        )
        _to_set(say("settings.model_other"), 'export DOSSIER_MODEL="..."')


def _endpoint(settings: Settings) -> str:
    """The address of the endpoint, without a name and password that may stand in it."""
    if not settings.openai_base_url:
        return say("settings.openai")
    parts = urlsplit(settings.openai_base_url)
    return urlunsplit(parts._replace(netloc=parts.netloc.rpartition("@")[2], query=""))


def _search(settings: Settings) -> None:
    engine = get_service().status().search
    with st.container(border=True):
        _part("search", on=bool(engine))
        _facts(
            engine=f"**{plain(engine)}**" if engine else say("settings.none"),
            tavily=_set(settings.tavily_api_key is not None),
        )
        if settings.tavily_api_key is None:
            _to_set(say("settings.search_missing"), "export TAVILY_API_KEY=...")


def _sandbox(settings: Settings) -> None:
    with st.spinner(say("settings.sandbox_test")):
        found = _describe(settings)
    with st.container(border=True):
        _part("sandbox", on=bool(found.backend))
        if not found.backend:
            st.markdown(say("settings.sandbox_missing"))
        else:
            _facts(backend=f"**{plain(found.backend)}**")
            _walls("stops", ":green[:material/shield:]", found.stops)
            _walls("leaves", ":orange[:material/warning:]", found.leaves)
        for trial in found.refused:
            reason = told(trial.reason) if trial.reason else ""
            st.caption(say("settings.sandbox_refused", name=plain(trial.name), reason=reason))
        for trial in found.trials:
            _attempts(trial)


def _attempts(trial: Trial) -> None:
    """What the self-test tried behind one backend, and how it went."""
    if not trial.attempts:
        return
    title = say(
        "settings.sandbox_attempts",
        name=trial.name,
        well=sum(trial.attempts.values()),
        all=len(trial.attempts),
    )
    with st.expander(title):
        icons = {True: ":green[:material/check:]", False: ":red[:material/close:]"}
        lines = [
            f"- {icons[well]} {told(Notice(key=f'sandbox.try_{attempt}'))}"
            f" :gray[({told(outcome(attempt, well))})]"
            for attempt, well in trial.attempts.items()
        ]
        st.markdown("\n".join(lines))


def _walls(name: str, icon: str, notices: Iterable[Notice]) -> None:
    lines = [f"- {icon} {told(notice)}" for notice in notices]
    if lines:
        st.markdown("\n".join([f"{say(f'settings.sandbox_{name}')}\n", *lines]))


@st.cache_resource(show_spinner=False)
def _describe(_settings: Settings) -> Description:
    return describe(
        _settings.sandbox, scratch=_settings.home / "scratch", cache=_settings.home / "cache"
    )


def _embedding(settings: Settings) -> None:
    with st.container(border=True):
        _part("embedding")
        embedder = get_service().library.embedder
        has_package = find_spec("sentence_transformers") is not None
        _facts(
            embedder=f"**{plain(embedder.name)}**",
            package=say("settings.installed") if has_package else say("settings.not_installed"),
        )
        if settings.embedder == BUILTIN:
            st.markdown(say("settings.embedding_more"))
            lines = [] if has_package else ["pip install -r requirements.txt"]
            lines.append("export DOSSIER_EMBEDDER=sentence-transformers/all-MiniLM-L6-v2")
            _code("\n".join(lines))


def _data(settings: Settings) -> None:
    with st.container(border=True):
        _part("data")
        documents = get_service().library.documents()
        octets = sum(document.bytes for document in documents)
        _facts(
            folder=f"`{settings.home}`",
            documents=count("documents", len(documents)) + (f" ({size(octets)})" if octets else ""),
            runs=count("runs", len(get_service().runs())),
            upload=say("settings.megabytes", number=settings.upload_mb),
        )
        _to_set(say("settings.data_other"), "export DOSSIER_HOME=/path/to/folder")
