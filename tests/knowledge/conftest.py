"""One embedding model for all tests of the library, and the samples in a library of their own."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest

from research.knowledge.embedding import BuiltinEmbedder
from research.knowledge.library import Library

SAMPLES = Path(__file__).parents[2] / "samples"
REPORT = SAMPLES / "meridian-annual-report-2025.pdf"
FIGURES = SAMPLES / "meridian-revenue-by-region.csv"


@pytest.fixture(scope="session")
def embedder() -> BuiltinEmbedder:
    return BuiltinEmbedder()


@pytest.fixture
def library(tmp_path: Path, embedder: BuiltinEmbedder) -> Iterator[Library]:
    library = Library(tmp_path / "home", embedder)
    yield library
    library.close()


@pytest.fixture(scope="session")
def samples(
    tmp_path_factory: pytest.TempPathFactory, embedder: BuiltinEmbedder
) -> Iterator[Library]:
    """A library that holds the two samples; to be read, not changed."""
    library = Library(tmp_path_factory.mktemp("samples"), embedder)
    for path in (REPORT, FIGURES):
        library.add(path.name, path.read_bytes())
    yield library
    library.close()
