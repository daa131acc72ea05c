"""Bringing documents in: the upload box and the sample documents."""

from __future__ import annotations

from pathlib import Path

import streamlit as st

from pages.parts.words import plain, say, told
from research.errors import DossierError
from research.knowledge.documents import Collection
from research.models import Notice
from research.runs import get_service
from research.settings import get_settings

SAMPLES = Path(__file__).parents[2] / "samples"


def upload_box(key: str, collection: Collection | None = None) -> None:
    """Where files are dropped; it empties itself once they are handed over.

    Args:
        key: Tells several boxes apart.
        collection: What they go into.
    """
    generation = st.session_state.setdefault(f"{key}-generation", 0)
    name = f"{key}-{generation}"
    label = say("upload.label")
    if collection:
        label = say("upload.label_into", collection=plain(collection.name))
    st.file_uploader(
        label,
        accept_multiple_files=True,
        key=name,
        max_upload_size=get_settings().upload_mb,
        on_change=_hand_over,
        args=(key, name, collection.id if collection else None),
    )
    for trouble in st.session_state.get(f"{key}-trouble", ()):
        st.error(told(trouble), icon=":material/error:")


def _hand_over(key: str, name: str, collection: str | None) -> None:
    troubles: list[Notice] = []
    for file in st.session_state[name] or ():
        try:
            get_service().ingestion.submit(file.name, file.getvalue(), collection=collection)
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
