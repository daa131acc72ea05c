"""Running a calculation again: the same code on the same tables, and whether the numbers agree."""

from __future__ import annotations

import asyncio
from collections.abc import Iterable
from dataclasses import dataclass
from pathlib import Path
from tempfile import TemporaryDirectory

from research.calculations import Calculation, InputTable, ResultTable
from research.errors import RunError
from research.graph.steps.calculation import OUTPUT_CHARACTERS, digest, versions
from research.graph.steps.charting import take_over
from research.graph.steps.found import table_of
from research.knowledge.library import Library
from research.models import Chart, Language, Notice, Table
from research.report.layout import cell_words
from research.runs.leaves import Leaves, is_number, leaves_of, same
from research.runs.surroundings import Surroundings
from research.sandbox.job import Artefact, Job, Result


@dataclass(frozen=True)
class Difference:
    """Something that came out otherwise."""

    name: str
    was: str
    now: str
    """Empty, like :attr:`was`, where it is missing from that result."""


@dataclass(frozen=True)
class Comparison:
    """What became of a calculation that was run again."""

    agrees: bool
    notices: tuple[Notice, ...]
    """The outcome in one sentence, and then what else is to be known."""
    differences: tuple[Difference, ...] = ()


async def recompute(
    surroundings: Surroundings,
    library: Library,
    calculation: Calculation | None,
    charts: Iterable[Chart],
    language: Language,
) -> Comparison:
    """Run a calculation again, on its tables as they are now, and compare.

    Args:
        surroundings: Has the sandbox.
        library: Has the tables.
        calculation: As it was kept; None for a run from before calculations were.
        charts: Those of the run.
        language: Of the run.

    Raises:
        RunError: There is no such calculation.
        SandboxError: There is no sandbox here, or a table's file is gone.
        StoreError: The library cannot be read.
    """
    if calculation is None:
        raise RunError("coder.not_repeatable")
    with TemporaryDirectory(prefix="dossier-") as folder:
        inputs = await asyncio.to_thread(_inputs, calculation, library, Path(folder))
        gone = [known.title for known, table in inputs if table is None]
        if gone:
            return Comparison(agrees=False, notices=(_warning("coder.input_gone", table=gone[0]),))
        changed = await asyncio.to_thread(_changed, inputs)
        tables = tuple(table for _, table in inputs if table is not None)
        result = await surroundings.run_code(Job(calculation.code, tables))
    if not result.ok:
        last = result.error.strip().splitlines()[-1]
        return Comparison(agrees=False, notices=(_warning("coder.fails_now", error=last), *changed))
    by_id = {chart.id: chart for chart in charts}
    kept = [by_id[chart_id] for chart_id in calculation.chart_ids if chart_id in by_id]
    return _compared(calculation, _was(calculation, kept), _now(result, kept, language), changed)


def _inputs(
    calculation: Calculation, library: Library, folder: Path
) -> list[tuple[InputTable, Table | None]]:
    """Each table that was given, with what it is now; None where it is gone."""
    sources = {table.source_id for table in calculation.inputs if table.source_id}
    present = {table.id: table for table in library.tables(sources)} if sources else {}
    found: list[tuple[InputTable, Table | None]] = []
    for known in calculation.inputs:
        table = present.get(known.id)
        if not known.source_id:
            others = {other.name for other in calculation.inputs if other is not known}
            table = table_of(calculation.found, known.title, others, folder)
        if table is not None and Path(table.path).exists():
            # The code reads it under the name that it had.
            found.append((known, table.model_copy(update={"name": known.name})))
        else:
            found.append((known, None))
    return found


def _changed(inputs: Iterable[tuple[InputTable, Table | None]]) -> list[Notice]:
    return [
        _warning("coder.input_changed", table=known.title)
        for known, table in inputs
        if table is not None and known.source_id and digest(Path(table.path)) != known.sha256
    ]


def _was(calculation: Calculation, charts: Iterable[Chart]) -> Leaves:
    return leaves_of(
        calculation.key_figures,
        calculation.tables,
        [(_rows(chart.title, chart), chart.figure.get("data", [])) for chart in charts],
        calculation.output,
    )


def _now(result: Result, kept: list[Chart], language: Language) -> Leaves:
    taken = take_over(result.charts, result.tables, "", language)
    titles = [chart.title for chart in kept]
    titles += [chart.title for chart in taken.charts[len(kept) :]]
    return leaves_of(
        result.key_figures,
        taken.tables,
        [
            (_rows(title, chart), (chart.figure or {}).get("data", []))
            for title, chart in zip(titles, taken.charts, strict=False)
        ],
        result.stdout[:OUTPUT_CHARACTERS].strip(),
    )


def _rows(title: str, chart: Chart | Artefact) -> ResultTable:
    return ResultTable(name=title, columns=chart.columns, rows=chart.rows)


def _compared(
    calculation: Calculation, was: Leaves, now: Leaves, changed: list[Notice]
) -> Comparison:
    names = list(dict.fromkeys([*was, *now]))
    differences = tuple(
        Difference(name, cell_words(was.get(name)), cell_words(now.get(name)))
        for name in names
        if not same(was.get(name), now.get(name))
    )
    if differences:
        counts = {"differing": len(differences), "count": len(names)}
        notices = (_warning("coder.differs", **counts), *changed, *_versions(calculation))
        return Comparison(agrees=False, notices=notices, differences=differences)
    numbers = sum(map(is_number, was.values()))
    key = {0: "coder.same_words", 1: "coder.same_one"}.get(numbers, "coder.same")
    same_again = Notice(key=key, params={"count": numbers} if numbers > 1 else {})
    return Comparison(agrees=True, notices=(same_again, *changed))


def _versions(calculation: Calculation) -> list[Notice]:
    """Libraries of other versions, which may be why the numbers differ."""
    now = versions()
    others = [
        f"{name} {was} → {now[name]}"
        for name, was in calculation.versions.items()
        if now.get(name) not in (None, was)
    ]
    return [_warning("coder.other_versions", versions=", ".join(others))] if others else []


def _warning(key: str, **params: object) -> Notice:
    return Notice(key=key, params=params, level="warning")
