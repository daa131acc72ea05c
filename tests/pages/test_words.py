"""Every word the pages put together from parts stands in the catalogue."""

from __future__ import annotations

from typing import get_args

import pytest

from pages.parts.bars import ACTIVE
from pages.parts.downloads import file_name
from pages.parts.progress import NODES
from research.graph.wiring import NODES as GRAPH
from research.i18n import catalogue
from research.knowledge.readers import READERS, ColumnType
from research.models import RunStatus, StepStatus, StepType, Verdict
from research.settings import Role

PARTS: dict[str, list[str]] = {
    "status": list(RunStatus),
    "step_status": list(StepStatus),
    "step_type": list(StepType),
    "verdict": list(Verdict),
    "node": list(GRAPH),
    "mode": ["model", "extractive"],
    "upload": list(ACTIVE),
    "kind": list(READERS),
    "type": list(get_args(ColumnType)),
    "document": ["kind", "extent", "size", "language", "date", "version", "added"],
    "trace.kind": ["node", "model", "search", "page", "documents", "sandbox"],
    "settings.role": list(get_args(Role)),
}


@pytest.mark.parametrize("area", PARTS)
def test_every_state_has_a_word(area: str) -> None:
    missing = [name for name in PARTS[area] if f"pages.{area}.{name}" not in catalogue()]
    assert missing == []


def test_the_line_of_nodes_knows_the_graph() -> None:
    assert set(NODES) == set(GRAPH) - {"handover"}


@pytest.mark.parametrize(
    ("title", "name"),
    [
        ("Revenue by region: what/why?", "Revenue by region what why"),
        ("各地区收入", "各地区收入"),
        ("../..", "report"),
    ],
)
def test_files_are_named_after_the_title(title: str, name: str) -> None:
    assert file_name(title) == name
