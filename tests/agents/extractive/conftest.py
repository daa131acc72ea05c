"""One analyst and a few libraries for all tests; everything is read, nothing is changed."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from research.agents.extractive import ExtractiveAnalyst
from research.agents.extractive.vectors import Vectors
from research.knowledge.embedding import BuiltinEmbedder, Embedder
from research.knowledge.library import Library
from research.sandbox import open_sandbox
from research.settings import SandboxLimits
from tests.agents.extractive.showing import Desk

HERE = Path(__file__).parent
SAMPLES = HERE.parents[2] / "samples"


@pytest.fixture(scope="session")
def embedder() -> Embedder:
    return BuiltinEmbedder()


@pytest.fixture(scope="session")
def vectors(embedder: Embedder) -> Vectors:
    return Vectors(embedder)


@pytest.fixture(scope="session")
def analyst(embedder: Embedder) -> ExtractiveAnalyst:
    return ExtractiveAnalyst(embedder)


@pytest.fixture(scope="session")
def open_library(
    tmp_path_factory: pytest.TempPathFactory, embedder: Embedder
) -> Iterator[Callable[..., Library]]:
    """Makes a library of some files."""
    opened: list[Library] = []

    def open_with(*paths: Path) -> Library:
        library = Library(tmp_path_factory.mktemp("library"), embedder)
        opened.append(library)
        for path in paths:
            library.add(path.name, path.read_bytes())
        return library

    yield open_with
    for library in opened:
        library.close()


@pytest.fixture(scope="session")
def samples(open_library: Callable[..., Library]) -> Library:
    """The sample report and its figures."""
    return open_library(
        SAMPLES / "meridian-annual-report-2025.pdf", SAMPLES / "meridian-revenue-by-region.csv"
    )


@pytest.fixture(scope="session")
def documents(open_library: Callable[..., Library]) -> Library:
    """The documents on which the floor was calibrated."""
    names = ("halden", "vaultkeep", "yunling", "bikes")
    return open_library(*(HERE / "documents" / f"{name}.md" for name in names))


@pytest.fixture(scope="session")
def held_out(open_library: Callable[..., Library]) -> Library:
    """Documents that were not looked at for it."""
    return open_library(*(HERE / "documents" / f"{name}.md" for name in ("library", "hospital")))


@pytest.fixture(scope="session")
def desk(
    open_library: Callable[..., Library],
    analyst: ExtractiveAnalyst,
    tmp_path_factory: pytest.TempPathFactory,
) -> Iterator[Desk]:
    """Shows what comes of questions about files."""
    folder = tmp_path_factory.mktemp("sandbox")
    sandbox = open_sandbox(SandboxLimits(), folder / "scratch", folder)
    yield Desk(open_library(), analyst, sandbox)
    sandbox.close()
