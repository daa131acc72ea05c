"""Key figures are taken out of the result tables, and what is no figure is counted."""

from __future__ import annotations

from typing import Any

from research.i18n import notice_text
from research.sandbox.job import Artefact
from research.sandbox.numbers import MOST, take_key_figures


def table(name: str, columns: tuple[str, ...], *rows: tuple[Any, ...]) -> Artefact:
    return Artefact(name=name, kind="table", title=name, columns=columns, rows=rows)


def test_figures_keep_their_unit_and_a_year_stays_a_name() -> None:
    given = table(
        "key_figures",
        ("Name", "value", "unit", "period"),
        ("Revenue of EMEA", 498.3, "USD million", 2025),
        (2025, 7, None, 2025.0),
    )
    other = table("sums", ("a",), (1,))
    tables, figures, notices = take_key_figures([given, other])
    assert tables == [other]
    assert [(one.name, one.value, one.unit, one.period) for one in figures] == [
        ("Revenue of EMEA", 498.3, "USD million", "2025"),
        ("2025", 7, "", "2025"),
    ]
    assert notices == []


def test_unit_and_period_may_be_missing() -> None:
    _, (figure,), _ = take_key_figures([table("key_figures", ("name", "value"), ("a", 1))])
    assert (figure.unit, figure.period) == ("", "")


def test_rows_without_a_number_and_too_many_rows_are_counted() -> None:
    rows = [("a", None), ("b", "1,5"), (None, 3), *((f"n{at}", at) for at in range(MOST + 4))]
    _, figures, (notice,) = take_key_figures([table("key_figures", ("name", "value"), *rows)])
    assert len(figures) == MOST
    assert notice_text(notice, "en").startswith("7 rows")


def test_a_table_without_the_columns_gives_a_notice_and_no_figure() -> None:
    tables, figures, (notice,) = take_key_figures([table("key_figures", ("x", "y"), (1, 2))])
    assert (tables, figures) == ([], ())
    assert notice.key == "sandbox.key_figures_unread"
