"""A calculation as it is kept: what its citations lead to, and all it takes to make it again."""

from __future__ import annotations

import hashlib
import platform
from collections.abc import Iterable, Mapping
from importlib.metadata import version
from pathlib import Path

from research.agents.analyst import CodeTask
from research.calculations import Calculation, InputTable
from research.graph.steps.charting import Taken
from research.graph.steps.telling import figure_lines, table_markdown
from research.models import Chart, Passage, Place, Source, Table, content_id
from research.sandbox.job import Artefact, Result

OUTPUT_CHARACTERS = 6_000
"""Of what the code printed, the part that is kept and explained."""

LIBRARIES = ("pandas", "numpy", "plotly")


def versions() -> dict[str, str]:
    """Those of Python and the libraries that code in the sandbox works with."""
    return {"python": platform.python_version(), **{name: version(name) for name in LIBRARIES}}


def digest(path: Path) -> str:
    """SHA-256 of a file.

    Raises:
        OSError: The file is gone.
    """
    with path.open("rb") as file:
        return hashlib.file_digest(file, "sha256").hexdigest()


def tables_read(task: CodeTask) -> tuple[Table, ...]:
    """The tables whose names stand in the code; all where none does, because it looked them up."""
    named = tuple(table for table in task.tables if table.name in task.previous_code)
    return named or task.tables


def calculation_of(
    task: CodeTask, result: Result, taken: Taken, charts: Iterable[Chart]
) -> Calculation:
    """All that the numbers of a step depend on, and all that came out.

    Args:
        task: With the code that ran; the files of its tables are read.
        result: What it did.
        taken: What was taken over of it.
        charts: What became of its charts.
    """
    read = tables_read(task)
    return Calculation(
        id=content_id("calculation", task.step.id, task.previous_code),
        step_id=task.step.id,
        code=task.previous_code,
        inputs=tuple(
            InputTable(
                id=table.id,
                name=table.name,
                title=table.title,
                source_id=table.source_id,
                rows=table.rows,
                columns=table.columns,
                sha256=digest(Path(table.path)),
            )
            for table in read
        ),
        found=task.found if task.found and task.tables[-1] in read else (),
        output=result.stdout[:OUTPUT_CHARACTERS].strip(),
        key_figures=result.key_figures,
        tables=taken.tables,
        chart_ids=tuple(chart.id for chart in charts),
        seconds=result.seconds,
        backend=result.backend,
        versions=versions(),
    )


def source_of(calculation: Calculation, title: str, moment: float) -> Source:
    """The calculation as a source.

    Args:
        calculation: The calculation.
        title: Of its step.
        moment: Unix seconds.
    """
    return Source(
        id=calculation.id,
        kind="calculation",
        title=title,
        locator=", ".join(table.title for table in calculation.inputs),
        sha256=hashlib.sha256(calculation.code.encode()).hexdigest(),
        retrieved_at=moment,
    )


def passage_of(calculation: Calculation, task: CodeTask) -> Passage:
    """What came out, as the passage that the calculation's numbers lead to: what was printed,
    the key figures that were not, and the tables."""
    parts = [
        calculation.output,
        "\n".join(figure_lines(calculation.key_figures, calculation.output, task.language)),
        *(f"{table.name}\n{table_markdown(table)}" for table in calculation.tables),
    ]
    rows = max(table.rows for table in calculation.inputs)
    return Passage.of(calculation.id, "\n\n".join(filter(None, parts)), Place(rows=(1, rows)))


def chart_of(made: Artefact, task: CodeTask, found_in: Mapping[str, Passage]) -> Chart:
    """A completed chart as it is kept.

    Args:
        made: The chart.
        task: With the code that made it.
        found_in: The passages of the numbers that earlier steps found, by id.
    """
    figure = made.figure or {}
    read = tables_read(task)
    sources = [table.source_id for table in read if table.source_id]
    if task.found and task.tables[-1] in read:
        sources += [found_in[number.passage_id].source_id for number in task.found]
    return Chart(
        id=content_id("chart", task.step.id, made.name, task.previous_code),
        step_id=task.step.id,
        title=made.title,
        alt=str(figure["layout"]["meta"]["alt"]),
        figure=figure,
        code=task.previous_code,
        columns=made.columns,
        rows=made.rows,
        table_ids=tuple(table.id for table in read),
        source_ids=tuple(dict.fromkeys(sources)),
    )
