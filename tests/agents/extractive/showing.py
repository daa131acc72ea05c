"""A question about a file, the whole way: read by the library, coded, run in the sandbox, drawn."""

from __future__ import annotations

import asyncio
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from research.agents.analyst import CodeTask
from research.agents.extractive import ExtractiveAnalyst
from research.graph.steps.charting import faults
from research.i18n import language_of
from research.knowledge.library import Library
from research.knowledge.profile import profile
from research.models import Step, StepType
from research.report.charts import draw
from research.sandbox import Job, Result, Sandbox
from tests.agents.extractive import awkward
from tests.agents.extractive.walking import silent

File = str | tuple[str, bytes]
"""A file of :mod:`awkward` by its name, or a name and bytes."""


@dataclass(frozen=True)
class Shown:
    """What a question about a file brought about."""

    code: str
    printed: list[str]
    figure: dict[str, Any]
    columns: tuple[str, ...]
    rows: tuple[tuple[Any, ...], ...]
    key_figures: dict[tuple[str, str], tuple[float, str]]
    """Value and unit by name and period."""

    @property
    def kinds(self) -> list[str]:
        return [trace["type"] for trace in self.figure["data"]]

    @property
    def title(self) -> str:
        return self.figure["layout"]["title"]["text"]

    @property
    def alt(self) -> str:
        return self.figure["layout"]["meta"]["alt"]

    @property
    def axes(self) -> tuple[str, str]:
        layout = self.figure["layout"]
        return layout["xaxis"]["title"]["text"], layout["yaxis"]["title"]["text"]

    def series(self) -> dict[str, list[Any]]:
        return {trace["name"]: trace["y"] for trace in self.figure["data"]}

    def bars(self) -> dict[str, float]:
        """The bars in reading order, whichever way they lie."""
        (bars,) = self.figure["data"]
        if bars.get("orientation") == "h":
            return dict(zip(bars["y"][::-1], bars["x"][::-1], strict=True))
        return dict(zip(bars["x"], bars["y"], strict=True))


@dataclass(frozen=True)
class Desk:
    """A library, the analyst without a key, and a sandbox."""

    library: Library
    analyst: ExtractiveAnalyst
    sandbox: Sandbox

    def run(self, question: str, file: File) -> tuple[str, Result]:
        """The code for a question about a file, and what came of it in the sandbox."""
        name, data = (file, awkward.bytes_of(file)) if isinstance(file, str) else file
        tables = tuple(self.library.tables([self.library.add(name, data).id]))
        task = CodeTask(
            question=question,
            kind="general",
            language=language_of(question),
            step=Step(id="s1", title=f"Figures: {tables[0].title}", type=StepType.PROCESSING),
            tables=tables,
            profiles={one.id: profile(Path(one.path)) for one in tables},
        )
        code = asyncio.run(self.analyst.write_code(task, silent))
        result = asyncio.run(self.sandbox.run(Job(code, tables)))
        assert result.ok, f"{code}\n{result.error}"
        assert result.notices == ()
        return code, result

    def show(self, question: str, file: File) -> Shown:
        """What is shown for a question about a file: complete, and drawn in every export."""
        code, result = self.run(question, file)
        assert faults(result.charts) == []
        (chart,) = result.charts
        assert chart.figure and draw(chart.figure, "svg", language_of(question))
        return Shown(
            code=code,
            printed=result.stdout.splitlines(),
            figure=chart.figure,
            columns=chart.columns,
            rows=chart.rows,
            key_figures={
                (one.name, one.period): (one.value, one.unit) for one in result.key_figures
            },
        )
