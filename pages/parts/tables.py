"""The tables of a document: as they stand in the file, as they were understood, and corrections."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, get_args

import streamlit as st

from pages.parts.frames import frame
from pages.parts.words import count, language, plain, say
from research.errors import DossierError, PasswordError
from research.knowledge.documents import Document, Progress, TablePreview
from research.knowledge.readers import ColumnType, Correction
from research.models import Column, Table, content_id
from research.report.citations import place_words
from research.runs import get_service

SHOWN = 50
"""Rows of the result that are shown."""
WIDE = 60
"""Columns of the file that are shown."""
MANY = 12
"""More columns than this scroll in the form."""


def tables(document: Document) -> None:
    """Choose among the tables of a document, look at one, and correct it."""
    library = get_service().library
    found = library.tables([document.id])
    if not found:
        return
    st.header(count("tables", len(found)), anchor=False)
    index = 0
    if len(found) > 1:
        index = st.selectbox(
            say("table.choose"),
            range(len(found)),
            format_func=lambda each: _name(found[each]),
            key=f"table-{document.id}",
        )
    try:
        preview = library.table_preview(found[index].id)
        columns, rows = library.table_rows(preview.table.id, 1, SHOWN)
    except DossierError as error:
        st.warning(error.sentence(language()), icon=":material/warning:")
        return
    _head(preview)
    if preview.rows:
        raw, result = st.columns(2, gap="medium")
        with raw:
            _as_it_stands(preview)
        with result:
            _as_understood(preview.table, columns, rows)
    else:
        _as_understood(preview.table, columns, rows)
    if preview.origin:
        _correction(document, preview)


def _name(table: Table) -> str:
    return " · ".join([table.title, *place_words(_without_rows(table), language())])


def _without_rows(table: Table) -> Any:
    return table.place.model_copy(update={"rows": None, "heading": ()})


def _head(preview: TablePreview) -> None:
    table = preview.table
    words = [
        f"**{plain(_name(table))}**",
        count("rows", table.rows),
        count("columns", len(table.columns)),
    ]
    if preview.corrected:
        words.append(f":blue-badge[:material/edit: {say('table.corrected')}]")
    st.markdown(" · ".join(words))
    if saved := st.session_state.pop(f"saved-{table.source_id}", None):
        st.success(say(saved), icon=":material/check_circle:")


def _as_it_stands(preview: TablePreview) -> None:
    st.markdown(f"**{say('table.in_file')}**")
    first, last = preview.header or (1, 0)
    width = min(max(map(len, preview.rows)), WIDE)
    frame(
        [_letters(number) for number in range(width)],
        preview.rows,
        preview.first_row,
        range(first, last + 1),
        alt=say("table.in_file"),
    )
    st.caption(say("table.in_file_help" if preview.header else "table.no_header"))


def _as_understood(table: Table, columns: tuple[str, ...], rows: list[tuple[Any, ...]]) -> None:
    st.markdown(f"**{say('table.understood')}**")
    known = {column.name: column for column in table.columns}
    frame(
        columns,
        rows,
        1,
        table.totals,
        alt=say("table.understood"),
        labels=[_label(known[name]) if name in known else name for name in columns],
    )
    notes = []
    if len(rows) < table.rows:
        notes.append(say("table.first_rows", shown=len(rows), all=f"{table.rows:,}"))
    if table.totals:
        numbers = ", ".join(map(str, table.totals[:12])) + ("…" if len(table.totals) > 12 else "")
        notes.append(say("table.totals", rows=numbers))
    if notes:
        st.caption(" ".join(notes))


def _label(column: Column) -> str:
    told = not column.unit or column.unit in column.name
    return column.name if told else f"{column.name} [{column.unit}]"


def _letters(number: int) -> str:
    """The name of a column in a spreadsheet: A, B, ..., Z, AA, ..."""
    letters = ""
    number += 1
    while number:
        number, rest = divmod(number - 1, 26)
        letters = chr(ord("A") + rest) + letters
    return letters


# ------------------------------------------------------------ correcting


def _correction(document: Document, preview: TablePreview) -> None:
    """The form; its fields start afresh whenever the table is understood in another way."""
    state = content_id(preview.model_dump_json(exclude={"rows"}))
    locked = f"locked-{document.id}"
    with (
        st.expander(say("table.correct"), icon=":material/edit:", key=f"correct-{document.id}"),
        st.form(f"correction-{state}", border=False, enter_to_submit=False),
    ):
        header = _header_fields(preview, state)
        types = _type_fields(preview.table, state)
        password = ""
        if locked in st.session_state:
            st.warning(st.session_state[locked], icon=":material/lock:")
            attempt = st.session_state.get(f"{locked}-attempt", 0)
            password = st.text_input(
                say("table.password"),
                type="password",
                autocomplete="off",
                placeholder=say("upload.password_help"),
                key=f"{locked}-password-{attempt}",
            )
        with st.container(horizontal=True):
            save = st.form_submit_button(say("table.apply"), type="primary", key="correction-save")
            undo = preview.corrected and st.form_submit_button(
                say("table.take_back"), icon=":material/undo:", key="correction-undo"
            )
    if undo:
        _carry_out(document, preview, None, password or "")
    elif save and (trouble := _trouble(header)):
        st.error(say(trouble), icon=":material/error:")
    elif save:
        _carry_out(document, preview, _said(preview, header, types), password or "")


def _header_fields(preview: TablePreview, state: str) -> tuple[int | None, int | None]:
    known = preview.header or (None, None)
    last_row = max(preview.first_row + len(preview.rows) - 1, known[1] or 1)
    st.caption(say("table.header_help"))
    first, last = st.columns(2)
    return tuple(  # type: ignore[return-value]
        column.number_input(
            say(f"table.{name}"),
            min_value=1,
            max_value=last_row,
            value=value,
            step=1,
            key=f"{name}-{state}",
        )
        for column, name, value in zip(
            (first, last), ("header_first", "header_last"), known, strict=True
        )
    )


def _type_fields(table: Table, state: str) -> dict[str, ColumnType]:
    st.markdown(f":small[{say('table.types')}]")
    with st.container(height=280 if len(table.columns) > MANY else "content", border=False):
        grid = st.grid("auto", min_column_width=150)
        return {
            column.name: grid.selectbox(
                plain(_label(column)),
                get_args(ColumnType),
                index=get_args(ColumnType).index(column.type),
                format_func=lambda each: say(f"type.{each}"),
                key=f"type-{number}-{state}",
            )
            for number, column in enumerate(table.columns)
        }


def _trouble(header: tuple[int | None, int | None]) -> str:
    first, last = header
    if (first is None) != (last is None):
        return "table.header_half"
    if first is not None and last is not None and last < first:
        return "table.header_order"
    return ""


def _said(
    preview: TablePreview,
    header: tuple[int | None, int | None],
    types: Mapping[str, ColumnType],
) -> Correction:
    """What the fields say. It takes the place of what was said before, so that is said again."""
    rows = None if None in header else header
    again = preview.corrected and rows == preview.header
    known = {column.name: column.type for column in preview.table.columns}
    return Correction(
        header=rows,  # type: ignore[arg-type]
        types={name: kind for name, kind in types.items() if again or kind != known[name]},
    )


def _carry_out(
    document: Document, preview: TablePreview, correction: Correction | None, password: str
) -> None:
    locked = f"locked-{document.id}"
    bar = st.progress(0.0, text=say("table.saving"))

    def show(progress: Progress) -> None:
        share = progress.done / progress.total if progress.total else 0.0
        bar.progress(min(share, 1.0), text=say("table.saving"))

    try:
        get_service().library.correct_table(
            preview.table.id, correction, password=password, progress=show
        )
    except PasswordError as error:
        st.session_state[locked] = error.sentence(language())
        attempt = f"{locked}-attempt"
        st.session_state[attempt] = st.session_state.get(attempt, 0) + 1
        st.rerun()
    except DossierError as error:
        bar.empty()
        st.error(error.sentence(language()), icon=":material/error:")
    else:
        st.session_state.pop(locked, None)
        st.session_state[f"saved-{document.id}"] = "table.saved"
        st.rerun()
