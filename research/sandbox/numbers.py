"""The key figures of a job: the numbers it names as its result, in ``out/key_figures.csv``."""

from __future__ import annotations

from collections.abc import Sequence

from research.calculations import KeyFigure
from research.models import Notice
from research.sandbox.job import Artefact

NAME = "key_figures"
COLUMNS = ("name", "value", "unit", "period")
MOST = 60
_MAX_TEXT = 200


def take_key_figures(
    tables: Sequence[Artefact],
) -> tuple[list[Artefact], tuple[KeyFigure, ...], list[Notice]]:
    """The result tables without that of the key figures, the figures, and what was left out.

    ``unit`` and ``period`` may be missing. A row without a name or a plain number is no figure.

    Args:
        tables: As the job left them.
    """
    others = [table for table in tables if table.name != NAME]
    given = next((table for table in tables if table.name == NAME), None)
    if given is None:
        return others, (), []
    header = [column.strip().casefold() for column in given.columns]
    if not {"name", "value"} <= set(header):
        return others, (), [_notice("sandbox.key_figures_unread")]
    rows = [dict(zip(header, row, strict=True)) for row in given.rows]
    figures = tuple(figure for row in rows if (figure := _figure(row)))
    kept = figures[:MOST]
    lost = len(rows) - len(kept)
    return others, kept, [_notice("sandbox.key_figures_cut", count=lost)] if lost else []


def _figure(row: dict[str, object]) -> KeyFigure | None:
    value, name = row["value"], _words(row["name"])
    if not name or not isinstance(value, int | float):
        return None
    return KeyFigure(
        name=name, value=value, unit=_words(row.get("unit")), period=_words(row.get("period"))
    )


def _words(cell: object) -> str:
    """A cell as text: a year that was read as a number is a name here."""
    if cell is None:
        return ""
    plain = f"{cell:.15g}" if isinstance(cell, float) else str(cell)
    return " ".join(plain.split())[:_MAX_TEXT]


def _notice(key: str, **params: object) -> Notice:
    return Notice(key=key, params=params, level="warning")
