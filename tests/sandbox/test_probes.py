"""Every probe behind every backend that this machine can run; what is not blocked fails here.

The attempts share one job and so do the leavings; a flood has a job of its own. The verdicts are
printed as a table at the end: see ``conftest.py``.
"""

from __future__ import annotations

import asyncio
import json
import os
import subprocess
import sys
from collections.abc import Iterator
from contextlib import closing
from pathlib import Path

import pytest

from research.models import Table
from research.sandbox import Job, Result, Sandbox
from research.sandbox.backends import Backend
from research.settings import SandboxLimits
from tests.sandbox.attempts import ATTEMPTS, FILES, NETWORK, Attempt
from tests.sandbox.conftest import name_of, open_folder, table
from tests.sandbox.floods import FLOODS, Flood
from tests.sandbox.leavings import LEAVINGS, Leaving, program
from tests.sandbox.probing import (
    BLOCKED,
    LIMITED,
    NOT_APPLICABLE,
    NOT_BLOCKED,
    Verdict,
    World,
    answers,
    applicable,
    attempts_here,
    judge,
    neighbours,
    world,
)

Verdicts = dict[tuple[str, str], Verdict]

ROOM = SandboxLimits(
    cpu_seconds=20, memory_mb=600, file_mb=4, scratch_mb=16, artefacts=64, artefact_mb=1
)
"""For the jobs that are to come to their end."""
TIGHT = ROOM.model_copy(update={"wall_seconds": 6.0, "cpu_seconds": 1, "output_kb": 64})
FLOODS_AT_ONCE = 2


class Tried:
    """What became of the attempts and the leavings behind one backend."""

    def __init__(self, backend: Backend, data: Table, scratch: Path, folder: Path) -> None:
        self.found: dict[str, Verdict] = {}
        attempts = attempts_here()
        with closing(Sandbox(backend, ROOM, scratch, jobs=1)) as box, world(folder) as made:
            with neighbours(made, backend, scratch, data):
                result = asyncio.run(box.run(Job(made.code(attempts), (data,))))
                heard = answers(result.stdout)
                self.marked = heard.pop("mark", None) == ("worked", made.mark)
                for name, attempt in attempts.items():
                    self.found[name] = judge(attempt, heard.get(name), made)
                self.harm = made.common_harm()
            self.shown = made.token in repr(result)
            self.attempts = result
            # The next worker of the same sandbox got ready while the attempts were made.
            self.leavings = asyncio.run(box.run(Job(program(LEAVINGS))))
            self.next = json.loads(self.leavings.stdout or "{}")


@pytest.fixture(scope="session")
def tried(backend: Backend, revenue: Table) -> Iterator[Tried]:
    with open_folder() as scratch, open_folder() as folder:
        yield Tried(backend, revenue, scratch, folder)


@pytest.fixture(scope="session")
def flooded(backend: Backend) -> Iterator[dict[str, Result]]:
    """The result of each flood; they are let loose two at a time."""

    async def let_loose(box: Sandbox) -> list[Result]:
        turns = asyncio.Semaphore(FLOODS_AT_ONCE)

        async def one(flood: Flood) -> Result:
            async with turns:
                return await box.run(Job(flood.code))

        return await asyncio.gather(*map(one, floods))

    floods = [flood for flood in FLOODS if flood.only in ("", os.uname().machine)]
    with open_folder() as scratch:
        with closing(Sandbox(backend, TIGHT, scratch)) as box:
            results = asyncio.run(let_loose(box))
            assert not list(scratch.glob("*/job-*/code.py"))
        yield dict(zip([flood.name for flood in floods], results, strict=True))


def record(verdicts: Verdicts, group: str, name: str, backend: Backend, verdict: Verdict) -> None:
    """Keep the verdict for the table, and fail on a probe that was not blocked."""
    verdicts[f"{group}: {name}", name_of(backend)] = verdict
    if verdict.word == NOT_APPLICABLE:
        pytest.skip(verdict.why)
    assert verdict.word != NOT_BLOCKED, verdict.why


@pytest.mark.parametrize(
    ("group", "attempt"),
    [
        pytest.param(group, one, id=one.name)
        for group, attempts in ATTEMPTS.items()
        for one in attempts
    ],
)
def test_an_attempt_is_blocked(
    backend: Backend, tried: Tried, verdicts: Verdicts, group: str, attempt: Attempt
) -> None:
    why = applicable(attempt)
    verdict = Verdict(NOT_APPLICABLE, why) if why else tried.found[attempt.name]
    record(verdicts, group, attempt.name, backend, verdict)


def test_nothing_shows_outside_and_no_process_is_left(tried: Tried) -> None:
    assert tried.marked, tried.attempts.error
    assert tried.harm == []
    assert not tried.shown
    assert [artefact.name for artefact in tried.attempts.charts] == []
    assert all(made.rows == () for made in tried.attempts.tables)


@pytest.mark.parametrize("leaving", [pytest.param(one, id=one.name) for one in LEAVINGS])
def test_what_is_left_in_out_harms_nobody(
    backend: Backend, tried: Tried, verdicts: Verdicts, leaving: Leaving
) -> None:
    result = tried.leavings
    assert result.ok, result.error
    made = {artefact.name: artefact for artefact in (*result.charts, *result.tables)}
    if leaving.kept:
        shown = repr(made.get(leaving.kept, leaving.without))
        harm = leaving.without in shown and f"{leaving.without} in {shown}"
    else:
        expected = {one.kept for one in LEAVINGS}
        harm = leaving.told not in {notice.key for notice in result.notices} and "it is not told"
        harm = harm or ", ".join(made.keys() - expected)
    verdict = Verdict(NOT_BLOCKED, harm) if harm else Verdict(BLOCKED)
    record(verdicts, "results", leaving.name, backend, verdict)


@pytest.mark.parametrize("flood", [pytest.param(one, id=one.name) for one in FLOODS])
def test_a_flood_is_ended_and_its_limit_named(
    backend: Backend, flooded: dict[str, Result], verdicts: Verdicts, flood: Flood
) -> None:
    if flood.name not in flooded:
        verdict = Verdict(NOT_APPLICABLE, f"not on {os.uname().machine}")
    else:
        result = flooded[flood.name]
        told = [notice.key for notice in result.notices]
        right = not result.ok and told[:1] == [flood.told]
        word = LIMITED if flood.stopped else BLOCKED
        verdict = Verdict(word) if right else Verdict(NOT_BLOCKED, f"{told}: {result.error}")
    record(verdicts, "amounts", flood.name, backend, verdict)


def test_a_planted_module_reaches_neither_the_next_worker_nor_the_app(tried: Tried) -> None:
    assert tried.next["genuine"]
    assert tried.next["planted"] == "[]"
    assert tried.next["here"] == ["data", "out", "tmp"]
    assert not [path for path in tried.next["path"] if path in ("", ".") or "/work" in path]
    assert "PLANTED" not in os.environ
    assert not [name for name, module in list(sys.modules.items()) if hasattr(module, "PLANTED")]


def test_without_walls_the_same_attempts_are_seen_to_work(tmp_path: Path) -> None:
    """A probe that cannot succeed would prove nothing."""
    attempts = {one.name: one for one in (*FILES, *NETWORK) if not applicable(one)}
    with world(tmp_path) as made:
        done = subprocess.run(
            [sys.executable, "-c", made.code(attempts)],
            cwd=_scratch(tmp_path),
            capture_output=True,
            text=True,
            check=True,
        )
        heard = answers(done.stdout)
        stopped = [
            name
            for name, one in attempts.items()
            if judge(one, heard[name], made).word != NOT_BLOCKED
        ]
    assert set(stopped) <= FOR_ROOT_ONLY if os.geteuid() else not stopped


FOR_ROOT_ONLY = {"read /etc/shadow", "chown"}


def _scratch(folder: Path) -> Path:
    scratch = folder / "scratch"
    (scratch / "out").mkdir(parents=True)
    return scratch


def test_a_probe_that_is_not_blocked_stands_in_the_table() -> None:
    lines = table(
        {
            ("files: read", "bwrap"): Verdict(BLOCKED),
            ("files: read", "landlock"): Verdict(NOT_BLOCKED, "it saw x"),
            ("", "seatbelt"): Verdict("could not be run", "it is for macOS"),
        }
    )
    assert lines[1].split("  ", 1)[0] == "files: read"
    assert "landlock, files: read: NOT BLOCKED, it saw x" in lines
    assert "seatbelt could not be run: it is for macOS" in lines
    assert lines[-1] == "1 blocked, 1 NOT BLOCKED"


def test_the_world_tells_apart_who_is_left() -> None:
    made = World(Path(), "t", "probe-test")
    with subprocess.Popen(
        [
            sys.executable,
            "-c",
            "import ctypes; ctypes.CDLL(None).prctl(15, b'probe-test'); input()",
        ],
        stdin=subprocess.PIPE,
    ) as child:
        while made.left() != [child.pid]:
            pass
        assert child.stdin is not None
        child.stdin.close()
    assert made.left() == []
