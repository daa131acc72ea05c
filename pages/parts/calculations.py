"""A calculation on the screen: its code, its tables, and whether it still gives the same."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

import streamlit as st

from pages.parts.frames import frame
from pages.parts.progress import notice_line
from pages.parts.words import plain, say, told
from research.calculations import Calculation, InputTable
from research.errors import DossierError
from research.models import Chart
from research.runs import get_service
from research.runs.recomputing import Comparison, Difference

SHOWN = 50
"""Rows of an input that are shown."""
MOST_DIFFERENCES = 30


def chart_actions(run_id: str, made: Chart, calculation: Calculation | None, key: str) -> None:
    """What can be done with a chart: look at its code and figures, and make it again.

    Args:
        run_id: The run it belongs to.
        made: The chart.
        calculation: The one that made it; None for a run from before they were kept.
        key: Tells charts apart that are on the page at the same time.
    """

    def behind() -> None:
        if made.rows:
            st.caption(say("chart.rows"))
            st.dataframe(
                [dict(zip(made.columns, row, strict=False)) for row in made.rows],
                hide_index=True,
                alt=say("chart.rows"),
            )
        _code(made.code)

    st.fragment(_actions)(run_id, calculation.id if calculation else "", key, behind=behind)


def calculation_actions(run_id: str, calculation: Calculation, key: str) -> None:
    """What can be done with a calculation: look at its code and tables, and run it again.

    Args:
        run_id: The run it belongs to.
        calculation: The calculation.
        key: Tells it apart from others on the page.
    """
    st.fragment(_actions)(
        run_id,
        calculation.id,
        key,
        behind=lambda: _code(calculation.code),
        inputs=[(table, calculation) for table in calculation.inputs],
    )


def _actions(
    run_id: str,
    calculation_id: str,
    key: str,
    *,
    behind: Callable[[], None],
    inputs: Sequence[tuple[InputTable, Calculation]] = (),
) -> None:
    opened, outcome = f"code-open-{key}", f"outcome-{run_id}-{calculation_id or key}"
    with st.container(horizontal=True, vertical_alignment="center", gap="small"):
        shown = bool(st.session_state.get(opened))
        words = say("chart.hide_code") if shown else say("chart.show_code")
        st.button(
            words,
            icon=":material/code:",
            type="tertiary",
            key=f"code-{key}",
            on_click=_turn,
            args=(opened,),
        )
        for number, (table, calculation) in enumerate(inputs):
            _input_button(table, calculation, f"input-{key}-{number}")
        again = st.button(
            say("chart.run_again"), icon=":material/replay:", type="tertiary", key=f"again-{key}"
        )
    if again:
        with st.spinner(say("chart.running")):
            st.session_state[outcome] = _run_again(run_id, calculation_id)
    if outcome in st.session_state:
        _outcome(st.session_state[outcome])
    if st.session_state.get(opened):
        behind()


def _turn(opened: str) -> None:
    st.session_state[opened] = not st.session_state.get(opened)


def _code(code: str) -> None:
    st.caption(say("chart.code"))
    st.code(code, language="python", wrap_lines=True)


# ---------------------------------------------------------------- running again


def _run_again(run_id: str, calculation_id: str) -> Comparison:
    try:
        return get_service().run_again(run_id, calculation_id).result()
    except DossierError as error:
        return Comparison(agrees=False, notices=(error.notice,))


def _outcome(comparison: Comparison) -> None:
    """What came of it, in sentences, and what differs."""
    first, *rest = comparison.notices
    icon = ":green[:material/check_circle:] "
    st.markdown(icon + told(first) if comparison.agrees else notice_line(first))
    for notice in rest:
        st.markdown(notice_line(notice))
    if comparison.differences:
        _differences(comparison.differences)


def _differences(found: Sequence[Difference]) -> None:
    nothing = say("chart.missing")
    st.dataframe(
        [
            {
                say("chart.what"): one.name,
                say("chart.was"): one.was or nothing,
                say("chart.now"): one.now or nothing,
            }
            for one in found[:MOST_DIFFERENCES]
        ],
        hide_index=True,
        alt=say("chart.differences"),
    )


# ---------------------------------------------------------------- its tables


def _input_button(table: InputTable, calculation: Calculation, key: str) -> None:
    label = say("chart.input", table=plain(table.title))
    if not st.button(label, icon=":material/table_rows:", type="tertiary", key=key):
        return

    @st.dialog(plain(table.title), width="large", icon=":material/table_rows:")
    def look() -> None:
        try:
            columns, rows = _rows(table, calculation)
        except DossierError:
            st.warning(say("place.gone"), icon=":material/search_off:")
            return
        st.caption(say("table.first_rows", shown=len(rows), all=f"{table.rows:,}"))
        frame(columns, rows, 1, alt=plain(table.title))
        if table.source_id:
            st.page_link(
                "knowledge.py",
                label=say("chart.in_library"),
                icon=":material/library_books:",
                query_params={"doc": table.source_id},
            )

    look()


def _rows(table: InputTable, calculation: Calculation) -> tuple[Sequence[str], list[Any]]:
    """Names of the columns and the first rows, as the library has them now.

    Raises:
        DocumentError: The table is gone.
    """
    if table.source_id:
        return get_service().library.table_rows(table.id, 1, SHOWN)
    columns = ("value", "unit", "period", "sentence", "source")
    rows = [[getattr(number, name) for name in columns] for number in calculation.found[:SHOWN]]
    return columns, rows
