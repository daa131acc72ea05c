"""Spare workers: ready, few, each used once, and gone with the app."""

from __future__ import annotations

import asyncio
import os
import subprocess
import sys
import threading
import time
from collections.abc import Callable, Iterator
from contextlib import closing
from itertools import pairwise
from pathlib import Path

import pytest

from research.sandbox import Job, Sandbox
from research.sandbox.backends import Backend
from research.sandbox.folder import session
from research.sandbox.pool import Pool, spares_for
from research.sandbox.process import Worker
from tests.sandbox.conftest import LIMITS, commands


@pytest.fixture
def pool(best_backend: Backend, place: Path) -> Iterator[Pool]:
    with (
        session(place) as folder,
        closing(Pool(lambda: Worker(best_backend, LIMITS, folder), 2)) as pool,
    ):
        yield pool


def until(condition: Callable[[], object], seconds: float = 30) -> None:
    waiting, end = threading.Event(), time.monotonic() + seconds
    while not condition():
        assert time.monotonic() < end
        waiting.wait(0.02)


def folders(place: Path) -> set[Path]:
    return set(place.glob("session-*/job-*"))


def test_as_many_spares_wait_as_were_asked_for_and_no_more(pool: Pool, place: Path) -> None:
    assert folders(place) == set()
    for _ in range(3):
        pool.warm()
    until(lambda: len(folders(place)) == 2)
    with closing(pool.take()) as worker:
        until(lambda: len(folders(place)) == 3)
        assert worker.alive


def test_a_spare_holds_no_data_and_serves_once(pool: Pool, place: Path) -> None:
    seen = set()
    for number in range(3):
        with closing(pool.take()) as worker:
            assert not list((worker.folder.path / "data").iterdir())
            assert not (worker.folder.path / "code.py").exists()
            worker.folder.fill(Job(f"print({number})\nopen('tmp/left', 'w')"))
            assert worker.run().stdout.text() == f"{number}\n"
            seen.add(worker.folder.path)
            assert not worker.alive
    assert len(seen) == 3
    assert not seen & folders(place)


def test_a_spare_that_died_is_replaced(pool: Pool) -> None:
    with closing(pool.take()):
        pass
    for spare in list(pool._spares):
        spare.result().kill()
        until(lambda spare=spare: not spare.result().alive)
    with closing(pool.take()) as worker:
        assert worker.alive


def test_two_spares_need_two_jobs_and_a_machine_that_has_room(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    sizes = {"SC_PAGE_SIZE": 4096, "SC_PHYS_PAGES": 2**21}
    monkeypatch.setattr(os, "sysconf", lambda name: sizes[name])
    monkeypatch.setattr(os, "cpu_count", lambda: 8)
    assert spares_for(2) == spares_for(9) == 2
    assert spares_for(1) == 1
    sizes["SC_PHYS_PAGES"] = 2**19
    assert spares_for(9) == 1
    sizes["SC_PHYS_PAGES"] = 2**21
    monkeypatch.setattr(os, "cpu_count", lambda: 2)
    assert spares_for(9) == 1


def test_no_more_jobs_run_at_once_than_are_allowed(best_backend: Backend, place: Path) -> None:
    code = "import time\nprint(time.time())\ntime.sleep(0.3)\nprint(time.time())"

    async def scenario(box: Sandbox) -> list[str]:
        results = await asyncio.gather(*(box.run(Job(code)) for _ in range(3)))
        return [result.stdout for result in results]

    with closing(Sandbox(best_backend, LIMITS, place, jobs=1)) as box:
        spans = sorted([float(x) for x in said.split()] for said in asyncio.run(scenario(box)))
    assert all(earlier[1] <= later[0] for earlier, later in pairwise(spans))


def test_spares_die_with_an_app_that_is_killed(best_backend: Backend, place: Path) -> None:
    program = f"""
import time
from pathlib import Path
from research.sandbox import Sandbox
from research.sandbox.backends import backends
from research.settings import SandboxLimits
backend = next(b for b in backends() if repr(b) == {repr(best_backend)!r})
box = Sandbox(backend, SandboxLimits(), Path({str(place)!r}))
box.warm()
time.sleep(600)
"""
    child = subprocess.Popen([sys.executable, "-c", program])
    try:
        until(lambda: any("worker.py" in line and str(place) in line for line in commands()))
    finally:
        child.kill()
        child.wait()
    until(lambda: not any(str(place) in line for line in commands()))
