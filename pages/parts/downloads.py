"""The report as a file: Markdown and PDF, named after its title."""

from __future__ import annotations

import re
from collections.abc import Callable
from threading import Lock

import streamlit as st

from pages.parts.words import language, say
from research.errors import DossierError
from research.models import Report
from research.runs import get_service


class Export:
    """One file, made when it is first asked for: by the browser or by the page, whoever is first.

    Args:
        make: Gives the file's bytes.
    """

    def __init__(self, make: Callable[[], bytes]) -> None:
        self._make = make
        self._lock = Lock()
        self._data: bytes | None = None

    def __call__(self) -> bytes:
        """The file.

        Raises:
            ExportError: It could not be made.
        """
        with self._lock:
            if self._data is None:
                self._data = self._make()
            return self._data


def downloads(run_id: str, report: Report) -> None:
    """The two buttons."""
    st.fragment(_buttons)(run_id, report)


def _buttons(run_id: str, report: Report) -> None:
    service = get_service()
    with st.container(horizontal=True, vertical_alignment="center"):
        markdown = _export(run_id, report, "md", lambda: service.markdown(run_id))
        pdf = _export(run_id, report, "pdf", lambda: service.pdf(run_id))
        asked = [
            _button(report, markdown, "md", "text/markdown", ":material/download:"),
            _button(report, pdf, "pdf", "application/pdf", ":material/picture_as_pdf:"),
        ]
    for export, was_asked in zip((markdown, pdf), asked, strict=True):
        if was_asked:
            _wait_for(export)


def _export(run_id: str, report: Report, ending: str, make: Callable[[], bytes]) -> Export:
    name = f"export-{run_id}-{report.created_at}-{ending}"
    if name not in st.session_state:
        st.session_state[name] = Export(make)
    export: Export = st.session_state[name]
    return export


def _button(report: Report, export: Export, ending: str, mime: str, icon: str) -> bool:
    return st.download_button(
        say(f"report.{ending}"),
        data=export,
        file_name=f"{file_name(report.title)}.{ending}",
        mime=mime,
        icon=icon,
        key=f"download-{ending}",
    )


def _wait_for(export: Export) -> None:
    """Stand by while the file is made, and say so where it cannot be."""
    with st.spinner(say("report.making")):
        try:
            export()
        except DossierError as error:
            st.error(error.sentence(language()), icon=":material/error:")


def file_name(title: str) -> str:
    """A name every file system takes, still readable."""
    words = re.sub(r'[\\/:*?"<>|\x00-\x1f]+', " ", title)
    return re.sub(r"\s+", " ", words).strip(" .")[:80] or "report"
