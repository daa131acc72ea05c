"""The headings evidence stands under: they name the steps of a plan and the parts of a finding."""

from __future__ import annotations

from collections.abc import Mapping

from research.agents.extractive.words import fold, has_chinese
from research.models import Passage, Source

Path = tuple[str, ...]


def path_of(passage: Passage, sources: Mapping[str, Source]) -> Path:
    """The headings above ``passage``, outermost first, without the title of its source.

    A passage under no heading stands under the title of its source.
    """
    source = sources.get(passage.source_id)
    title = source.title if source else ""
    headings = passage.place.heading
    if len(headings) > 1 and fold(headings[0]) == fold(title):
        headings = headings[1:]
    return headings or ((title,) if title else ())


def name_of(path: Path, alone: bool) -> str:
    """A name for what stands under ``path``: its last heading, or its last two if not ``alone``."""
    if alone or len(path) < 2:
        return path[-1]
    return f"{path[-2]}：{path[-1]}" if has_chinese(path[-1]) else f"{path[-2]}: {path[-1]}"


def stands_under(name: str, path: Path) -> bool:
    """Whether ``name`` is one that :func:`name_of` gives to ``path`` or to a part of it."""
    depths = range(1, len(path) + 1)
    return any(
        name in (name_of(path[:depth], True), name_of(path[:depth], False)) for depth in depths
    )
