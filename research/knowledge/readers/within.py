"""What a reader finds inside another document: an attachment of a mail, a slide of a deck."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from datetime import date
from pathlib import Path
from typing import Any

from research.knowledge.readers import Block, Correction, Grid, Output


class Within:
    """Passes text and tables on to the output of the document around them.

    What the part says of itself as a whole (title, date, version, pages) is not what the document
    says, and stays out.

    Args:
        output: Of the document around it.
        name: The name of the part.
        heading: What stands above its own headings.
        slide: The slide it is, if it is one.
    """

    def __init__(
        self,
        output: Output,
        name: str,
        *,
        heading: tuple[str, ...] = (),
        slide: int | None = None,
    ) -> None:
        self.name = name
        self.folder: Path = output.folder
        self.password = ""
        self.corrections: Mapping[str, Correction] = {}
        self._output = output
        self._heading = heading
        self._slide = slide

    def title(self, title: str) -> None:
        """Stays out."""

    def date(self, day: date) -> None:
        """Stays out."""

    def version(self, version: str) -> None:
        """Stays out."""

    def more_time(self, seconds: float) -> None:
        """Not for a part: the time is that of the whole."""

    def progress(self, done: int, total: int) -> None:
        """Stays out."""

    def pages(self, count: int) -> None:
        """Stays out."""

    def block(self, block: Block) -> None:
        """A stretch of text, with its place in the document around it."""
        self._output.block(
            replace(block, heading=self._heading + block.heading, slide=self._slide or block.slide)
        )

    def grid(self, grid: Grid) -> None:
        """A table, with its place in the document around it; it cannot be corrected."""
        self._output.grid(
            replace(
                grid,
                heading=self._heading + grid.heading,
                slide=self._slide or grid.slide,
                origin="",
                preview=(),
            )
        )

    def warn(self, key: str, **params: Any) -> None:
        """Something the user should know."""
        self._output.warn(key, **params)
