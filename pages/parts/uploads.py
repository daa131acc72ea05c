"""Bringing documents in: the upload box, the sample documents, and a bar for each file."""

from __future__ import annotations

from pathlib import Path

import streamlit as st

from pages.parts.words import count, plain, say, told
from research.errors import DossierError
from research.knowledge.documents import IngestJob
from research.models import Notice
from research.runs import get_service
from research.settings import get_settings

SAMPLES = Path(__file__).parents[2] / "samples"
TICK = 0.5
ACTIVE = ("waiting", "reading", "embedding")


def upload_box(key: str) -> None:
    """Where files are dropped; it empties itself once they are handed over."""
    generation = st.session_state.setdefault(f"{key}-generation", 0)
    name = f"{key}-{generation}"
    st.file_uploader(
        say("upload.label"),
        accept_multiple_files=True,
        key=name,
        max_upload_size=get_settings().upload_mb,
        on_change=_hand_over,
        args=(key, name),
    )
    for trouble in st.session_state.get(f"{key}-trouble", ()):
        st.error(told(trouble), icon=":material/error:")


def _hand_over(key: str, name: str) -> None:
    troubles: list[Notice] = []
    for file in st.session_state[name] or ():
        try:
            get_service().ingestion.submit(file.name, file.getvalue())
        except DossierError as error:
            troubles.append(error.notice)
    st.session_state[f"{key}-trouble"] = troubles
    st.session_state[f"{key}-generation"] += 1


def samples() -> list[Path]:
    """The sample documents that come with Dossier."""
    return sorted(path for path in SAMPLES.glob("*") if path.suffix in (".pdf", ".csv"))


def add_samples() -> None:
    """Put the sample documents into the library."""
    for path in samples():
        get_service().ingestion.submit(path.name, path.read_bytes())


def reading() -> bool:
    """Whether files are being read right now."""
    return any(job.state in ACTIVE for job in get_service().ingestion.jobs())


def bars() -> None:
    """What became of each file; it follows the work by itself while there is some."""
    if get_service().ingestion.jobs():
        st.fragment(_bars, run_every=TICK if reading() else None)(reading())


def _bars(was_reading: bool) -> None:
    ingestion = get_service().ingestion
    jobs = ingestion.jobs()
    if was_reading and not reading():
        st.rerun()
    with st.container(gap="small"):
        for job in jobs:
            _bar(job)
        if not was_reading:
            st.button(
                say("upload.clear"),
                type="tertiary",
                icon=":material/done_all:",
                on_click=ingestion.clear_finished,
            )


def _bar(job: IngestJob) -> None:
    name = plain(job.name)
    if job.state == "failed":
        st.error(told(job.error) if job.error else name, icon=":material/error:")
    elif job.state == "done" and job.document:
        document = job.document
        found = [count("passages", document.passages)]
        if document.pages:
            found.insert(0, count("pages", document.pages))
        elif document.rows:
            found.insert(0, count("rows", document.rows))
        if document.tables:
            found.append(count("tables", document.tables))
        st.markdown(f":green[:material/check_circle:] **{name}** · {' · '.join(found)}")
        for warning in document.warnings:
            st.caption(f":material/warning: {told(warning)}")
    else:
        share = min(job.done / job.total, 1.0) if job.total else 0.0
        st.progress(share, text=f"{name} · {say(f'upload.{job.state}')}")
