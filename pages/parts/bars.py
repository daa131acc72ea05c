"""What becomes of each file that was added: bars, passwords, doubles, failures."""

from __future__ import annotations

from collections.abc import Sequence

import streamlit as st

from pages.parts.words import count, day, language, plain, say, size, told
from research.errors import DossierError
from research.knowledge.documents import Document, IngestJob
from research.runs import get_service

TICK = 0.5
ACTIVE = ("waiting", "reading", "embedding")
FINAL = ("done", "failed")
ORDER = ("locked", "reading", "embedding", "failed", "waiting", "done")
"""Of the states in the list: what needs the user stands on top."""
OF_ROWS = ("csv", "tsv", "xlsx", "xls", "json", "jsonl")
"""Kinds whose extent is told in rows."""
LONG = 6
"""More files than this scroll."""


def reading() -> bool:
    """Whether files are being read, so that a question asked now would not find them."""
    ingestion = get_service().ingestion
    jobs = ingestion.jobs()
    waiting = not ingestion.paused and any(job.state == "waiting" for job in jobs)
    return waiting or any(job.state == "reading" for job in jobs)


def indexing() -> bool:
    """Whether some documents are found by their words only so far."""
    return any(job.state == "embedding" for job in get_service().ingestion.jobs())


def bars() -> None:
    """One bar a file and one over all; they follow the work by themselves while there is some."""
    if get_service().ingestion.jobs():
        moving = _moving()
        st.fragment(_bars, run_every=TICK if moving else None)(moving)


def _moving() -> bool:
    """Whether there is work left, paused or not: a page that looks on shows every click at once."""
    return any(job.state in ACTIVE for job in get_service().ingestion.jobs())


def _bars(was_moving: bool) -> None:
    jobs = get_service().ingestion.jobs()
    if _moving() != was_moving:
        st.rerun()
    with st.container(border=True, gap="small"):
        _overall(jobs)
        with st.container(
            height=340 if len(jobs) > LONG else "content", border=False, gap="xsmall"
        ):
            for job in sorted(jobs, key=lambda job: ORDER.index(job.state)):
                _job(job)


def _overall(jobs: Sequence[IngestJob]) -> None:
    """How far all files are together, and what can be done with all of them."""
    ingestion = get_service().ingestion
    files = [job for job in jobs if job.bytes]
    left = [job for job in jobs if job.state not in FINAL]
    if left and files:
        done, total = ingestion.overall()
        text = say(
            "upload.overall",
            done=sum(job.state in FINAL for job in files),
            all=len(files),
            read=size(done),
            bytes=size(total),
        )
        if ingestion.paused:
            text += f" · **{say('upload.paused')}**"
        st.progress(min(done / total, 1.0) if total else 0.0, text=text)
    with st.container(horizontal=True, gap="small"):
        if ingestion.paused:
            st.button(
                say("upload.go_on"),
                icon=":material/play_arrow:",
                key="ingestion-go-on",
                on_click=ingestion.go_on,
            )
        elif any(job.state != "locked" for job in left):
            st.button(
                say("upload.pause"),
                icon=":material/pause:",
                key="ingestion-pause",
                on_click=ingestion.pause,
            )
        if len(left) < len(jobs):
            st.button(
                say("upload.clear"),
                type="tertiary",
                icon=":material/done_all:",
                key="ingestion-clear",
                on_click=ingestion.clear_finished,
            )


def _job(job: IngestJob) -> None:
    if job.state == "failed":
        st.markdown(f":red[:material/error:] {told(job.error) if job.error else plain(job.name)}")
    elif job.state == "locked":
        _locked(job)
    elif job.state == "done":
        _done(job)
    else:
        _under_way(job)


def _under_way(job: IngestJob) -> None:
    share = min(job.done / job.total, 1.0) if job.total else 0.0
    if job.state == "embedding" and job.document is None:
        words = say("upload.reindex", model=plain(job.name))
    else:
        words = f"{plain(job.name)} · {say(f'upload.{job.state}')}"
    with st.container(horizontal=True, vertical_alignment="bottom", gap="small"):
        st.progress(share, text=words)
        if job.state != "embedding":
            _leave_out(job)
    if job.error:
        st.caption(f":orange[:material/warning:] {told(job.error)}")


def _leave_out(job: IngestJob) -> None:
    st.button(
        say("upload.cancel"),
        type="tertiary",
        icon=":material/close:",
        key=f"cancel-{job.id}",
        on_click=get_service().ingestion.cancel,
        args=(job.id,),
    )


def _locked(job: IngestJob) -> None:
    told_why = told(job.error) if job.error else plain(job.name)
    st.markdown(f":orange[:material/lock:] {told_why}")
    key = f"password-{job.id}"
    with st.form(f"unlock-{job.id}", border=False, clear_on_submit=True):  # noqa: SIM117
        with st.container(horizontal=True, vertical_alignment="bottom", gap="small"):
            st.text_input(
                say("upload.password", name=plain(job.name)),
                type="password",
                autocomplete="off",
                placeholder=say("upload.password_help"),
                key=key,
            )
            st.form_submit_button(
                say("upload.unlock"),
                icon=":material/lock_open:",
                key=f"unlock-{job.id}-submit",
                on_click=_unlock,
                args=(job.id, key),
            )
    _leave_out(job)


def _unlock(job_id: str, key: str) -> None:
    password = st.session_state[key]
    st.session_state[key] = ""  # the session keeps it no longer than this
    if password:
        get_service().ingestion.unlock(job_id, password)


def _done(job: IngestJob) -> None:
    document = job.document
    if document is None:
        st.markdown(
            f":green[:material/check_circle:] {say('upload.reindexed', model=plain(job.name))}"
        )
        return
    words = [f"**{plain(job.name)}**", *found_in(document)]
    if job.known:
        words.append(say("upload.known"))
    if job.replaced:
        words.append(say("upload.replaced", day=day(job.replaced.added_at)))
    with st.container(horizontal=True, vertical_alignment="center", gap="small"):
        st.markdown(f":green[:material/check_circle:] {' · '.join(words)}", width="content")
        if job.replaced:
            keep_both(document, job.replaced)
    for warning in () if job.known else document.warnings:
        st.caption(f":orange[:material/warning:] {told(warning)}")


def found_in(document: Document) -> list[str]:
    """How much was found in a document."""
    found = []
    if document.pages:
        unit = "slides" if document.kind == "pptx" else "pages"
        found.append(count(unit, document.pages))
    if document.rows and document.kind in OF_ROWS:
        found.append(count("rows", document.rows))
    found.append(count("passages", document.passages))
    if document.tables:
        found.append(count("tables", document.tables))
    return found


def keep_both(document: Document, older: Document) -> None:
    """Offer to make the version that ``document`` has replaced a document of its own again."""
    library = get_service().library
    if older.id not in {version.document.id for version in library.versions(document.id)}:
        return
    if st.button(
        say("upload.keep_both"),
        type="tertiary",
        icon=":material/call_split:",
        key=f"keep-both-{older.id}",
    ):
        try:
            with st.spinner(say("upload.keeping")):
                library.split_off(older.id)
        except DossierError as error:
            st.error(error.sentence(language()), icon=":material/error:")
        else:
            st.rerun()
