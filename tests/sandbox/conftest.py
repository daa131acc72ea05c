"""Every backend that this machine can run, with limits small enough to be hit in a test."""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Iterator
from contextlib import closing, contextmanager, suppress
from pathlib import Path
from tempfile import TemporaryDirectory

import pytest

from research.i18n import notice_text
from research.models import Column, Table
from research.sandbox import Job, Result, Sandbox
from research.sandbox.backends import Backend, backends
from research.sandbox.canary import choose, self_test
from research.settings import SandboxLimits
from tests.sandbox.probing import NOT_BLOCKED, Verdict

LIMITS = SandboxLimits(
    wall_seconds=60,
    cpu_seconds=1,
    memory_mb=600,
    file_mb=4,
    scratch_mb=16,
    output_kb=16,
    artefacts=4,
    artefact_mb=1,
)

Run = Callable[..., Result]

VERDICTS = pytest.StashKey[dict[tuple[str, str], Verdict]]()
"""By group and name of the probe, and by backend; the verdict on a backend stands under ''."""


def pytest_configure(config: pytest.Config) -> None:
    config.stash[VERDICTS] = {}


def pytest_terminal_summary(terminalreporter: pytest.TerminalReporter) -> None:
    """Every probe and what became of it behind each backend, once all have been tried."""
    verdicts = terminalreporter.config.stash[VERDICTS]
    if any(probe for probe, _ in verdicts):
        terminalreporter.section("probes of the sandbox")
        for line in table(verdicts):
            terminalreporter.line(line)


def table(verdicts: dict[tuple[str, str], Verdict]) -> list[str]:
    """Probes by line, backends by column, and below what could not be run or was not blocked."""
    names = list(dict.fromkeys(backend for _, backend in verdicts))
    probes = list(dict.fromkeys(probe for probe, _ in verdicts if probe))
    wide = max(map(len, probes))
    lines = [" " * wide + "".join(f"  {name:14}" for name in names)]
    for probe in probes:
        words = [verdicts.get((probe, name), Verdict("not run")).word for name in names]
        lines.append(f"{probe:{wide}}" + "".join(f"  {word:14}" for word in words))
    for name in names:
        if ("", name) in verdicts:
            lines.append(f"{name} could not be run: {verdicts['', name].why}")
    for (probe, name), verdict in verdicts.items():
        if probe and verdict.why:
            lines.append(f"{name}, {probe}: {verdict.word}, {verdict.why[:300]}")
    counted = [verdict.word for (probe, _), verdict in verdicts.items() if probe]
    words = sorted(set(counted), key=lambda word: (word == NOT_BLOCKED, word))
    return [*lines, ", ".join(f"{counted.count(word)} {word}" for word in words)]


@pytest.fixture(scope="session")
def verdicts(pytestconfig: pytest.Config) -> dict[tuple[str, str], Verdict]:
    """Where the verdicts are gathered for the table at the end."""
    return pytestconfig.stash[VERDICTS]


def name_of(backend: Backend) -> str:
    return f"{backend.name}-{backend.user}" if backend.user else backend.name


def usable(backend: Backend, folder: Path) -> Backend:
    """The backend, or a skip that says what it lacks here."""
    reason = self_test(backend, folder)
    if reason is not None:
        pytest.skip(f"{name_of(backend)}: {notice_text(reason, 'en')}")
    return backend


def runner(sandbox: Sandbox) -> Run:
    return lambda code, *tables: asyncio.run(sandbox.run(Job(code, tables)))


@contextmanager
def open_folder() -> Iterator[Path]:
    """A folder that another user can reach: pytest's own are closed."""
    with TemporaryDirectory() as name:
        Path(name).chmod(0o711)
        yield Path(name)


@pytest.fixture
def place() -> Iterator[Path]:
    """A scratch folder for one test."""
    with open_folder() as folder:
        yield folder


@pytest.fixture(scope="session", params=backends() or [None], ids=lambda b: b and name_of(b))
def backend(
    request: pytest.FixtureRequest, scratch: Path, verdicts: dict[tuple[str, str], Verdict]
) -> Backend:
    """Each backend of this system in turn."""
    if request.param is None:
        pytest.skip("there is no backend for this system")
    try:
        return usable(request.param, scratch)
    except pytest.skip.Exception as reason:
        why = str(reason.msg).partition(": ")[2]
        verdicts["", name_of(request.param)] = Verdict("could not be run", why)
        raise


@pytest.fixture(scope="session")
def scratch() -> Iterator[Path]:
    with open_folder() as folder:
        yield folder


@pytest.fixture(scope="session")
def box(backend: Backend, scratch: Path) -> Iterator[Sandbox]:
    with closing(Sandbox(backend, LIMITS, scratch)) as sandbox:
        yield sandbox


@pytest.fixture(scope="session")
def run(box: Sandbox) -> Run:
    """Runs code behind each backend in turn."""
    return runner(box)


@pytest.fixture(scope="session")
def best_backend(scratch: Path, tmp_path_factory: pytest.TempPathFactory) -> Backend:
    """The best backend only, where all of them share the code under test."""
    best = choose(backends(), scratch, tmp_path_factory.mktemp("cache")).backend
    if best is None:
        pytest.skip("no backend passes here")
    return best


@pytest.fixture(scope="session")
def best_box(best_backend: Backend, scratch: Path) -> Iterator[Sandbox]:
    with closing(Sandbox(best_backend, LIMITS, scratch)) as sandbox:
        yield sandbox


@pytest.fixture(scope="session")
def run_best(best_box: Sandbox) -> Run:
    """Runs code behind the best backend."""
    return runner(best_box)


def commands() -> list[str]:
    """The command lines of all processes."""
    found = []
    for path in Path("/proc").glob("[0-9]*/cmdline"):
        with suppress(OSError):
            found.append(path.read_text(errors="replace"))
    return found


@pytest.fixture(scope="session")
def revenue(tmp_path_factory: pytest.TempPathFactory) -> Table:
    import pandas as pd

    path = tmp_path_factory.mktemp("library") / "0123.parquet"
    rows = [("北", 1, 0.0), ("北", 2, 10.5), ("South", 1, 21.0), ("South", 2, 31.5)]
    pd.DataFrame(rows, columns=["region", "year", "revenue"]).to_parquet(path)
    return Table(
        id="t1",
        source_id="s1",
        name="revenue_by_region",
        title="Revenue by region",
        columns=(
            Column(name="region", type="text"),
            Column(name="year", type="number"),
            Column(name="revenue", type="number"),
        ),
        rows=len(rows),
        path=str(path),
    )
