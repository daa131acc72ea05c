"""What the graph keeps of a calculation, so that its numbers can be made again and compared.

As plain and frozen as the rest of the vocabulary in :mod:`research.models`.
"""

from __future__ import annotations

from typing import Any

from research.models import Column, Model


class KeyFigure(Model):
    """One number that a calculation gives as its result."""

    name: str
    """What it counts, in the words of the code: ``Revenue of EMEA``."""
    value: float
    unit: str = ""
    """As written: ``USD million``, ``%``."""
    period: str = ""
    """``2025`` or ``2023 to 2025``."""


class ResultTable(Model):
    """A table that a calculation made."""

    name: str
    columns: tuple[str, ...]
    rows: tuple[tuple[Any, ...], ...]
    """Text, numbers and None."""


class InputTable(Model):
    """A table that a calculation was given, as it was on that day."""

    id: str
    name: str
    """Of its file in the sandbox: ``data/NAME.parquet``."""
    title: str
    source_id: str
    rows: int
    columns: tuple[Column, ...]
    sha256: str
    """Of its Parquet file."""


class FoundNumber(Model):
    """A number that an earlier step found, and the words of the passage it stands in."""

    value: float
    """With its scale: 412600000 for ``$412.6 million``."""
    unit: str = ""
    written: str
    """As it stands in the sentence: ``$412.6 million``."""
    sentence: str
    period: str = ""
    source: str
    """Title of the document or page."""
    passage_id: str


class Calculation(Model):
    """All that is needed to make the numbers of a processing step again, and to compare them."""

    id: str
    """Of the source of kind ``calculation`` that its citations lead to."""
    step_id: str
    code: str
    inputs: tuple[InputTable, ...]
    found: tuple[FoundNumber, ...] = ()
    """Rows of the table of what earlier steps found, where it was given one."""
    output: str
    """What the code printed, as far as it was kept."""
    key_figures: tuple[KeyFigure, ...] = ()
    tables: tuple[ResultTable, ...] = ()
    chart_ids: tuple[str, ...] = ()
    seconds: float
    """Of the code alone, without start-up."""
    backend: str
    """Of the sandbox it ran in."""
    versions: dict[str, str]
    """Of Python, pandas, numpy and plotly."""
