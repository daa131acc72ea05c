"""What becomes of code that uses too much, or that is stopped."""

from __future__ import annotations

import asyncio
import os
import time
from collections.abc import Callable
from contextlib import closing
from pathlib import Path
from typing import get_args

import pytest
from pydantic import ValidationError

from research.errors import SandboxUnavailableError
from research.i18n import notice_text
from research.models import Notice
from research.sandbox import Job, Result, Sandbox
from research.sandbox.backends import Backend
from research.sandbox.usage import descendants
from research.sandbox.watch import Limit
from research.settings import SandboxLimits
from tests.sandbox.conftest import LIMITS, Run, commands


def first_notice(result: Result) -> str:
    return result.notices[0].key


SLEEP = """
import signal, time
for number in set(signal.Signals) - {signal.SIGKILL, signal.SIGSTOP}:
    signal.signal(number, signal.SIG_IGN)
print("before")
while True:
    try:
        time.sleep(60)
    except BaseException:
        pass
"""


def test_an_endless_sleep_that_ignores_every_signal_is_stopped(
    best_backend: Backend, place: Path
) -> None:
    with closing(
        Sandbox(best_backend, LIMITS.model_copy(update={"wall_seconds": 0.5}), place)
    ) as box:
        result = asyncio.run(box.run(Job(SLEEP)))
    assert not result.ok
    assert first_notice(result) == "sandbox.limit_wall"
    assert "longer than 0.5 s" in result.error
    assert result.stdout == "before\n"
    assert 0.5 <= result.seconds < 3


def test_a_busy_loop_is_stopped(run: Run) -> None:
    result = run("while True: pass")
    assert first_notice(result) == "sandbox.limit_cpu"
    assert "more than 1 s of computing time" in result.error


def test_a_list_that_grows_for_ever_ends_in_a_memory_error_that_names_the_limit(run: Run) -> None:
    result = run("x = []\nwhile True:\n    x.append(bytearray(10_000_000))")
    assert first_notice(result) == "sandbox.limit_memory"
    assert "more than 600 MB" in result.error
    assert result.error.endswith("MemoryError")
    assert "line 3" in result.error


def test_memory_that_is_shared_counts_too(run_best: Run) -> None:
    result = run_best(
        """
import mmap
kept = []
while True:
    kept.append(mmap.mmap(-1, 50_000_000))
    kept[-1].write(bytes(50_000_000))
"""
    )
    assert first_notice(result) == "sandbox.limit_memory"


def test_a_flood_of_output_is_cut_in_the_middle(run_best: Run) -> None:
    result = run_best("for i in range(20_000): print('line', i)")
    assert result.ok
    assert len(result.stdout) < 17 * 1024
    assert result.stdout.startswith("line 0\n")
    assert "\n[...]\n" in result.stdout
    assert result.stdout.endswith("line 19999\n")
    assert [notice.key for notice in result.notices] == ["sandbox.output_cut"]


def test_an_endless_flood_of_output_is_stopped(run_best: Run) -> None:
    result = run_best("import os\nwhile True: os.write(2, b'x' * 60_000)")
    assert first_notice(result) == "sandbox.limit_output"
    assert len(result.stderr) < 17 * 1024


def test_a_file_that_is_too_large_is_refused_and_named(run_best: Run) -> None:
    result = run_best("open('big', 'wb').write(b'x' * 5_000_000)")
    assert first_notice(result) == "sandbox.limit_file"
    assert "larger than 4 MB" in result.error


FLOODS = {
    "large files": ("scratch", "open(f'tmp/{i}', 'wb').write(b'x' * 3_000_000)"),
    "empty files": ("files", "open(f'tmp/{i}', 'wb').close()"),
    "folders in folders": ("files", "os.mkdir('d'); os.chdir('d')"),
    "a folder that hides": ("files", "i or os.mkdir('tmp/h', 0o300); time.sleep(0.05)"),
}


@pytest.mark.parametrize("flood", FLOODS)
def test_a_flood_of_files_is_stopped_and_cleared_away(
    run_best: Run, flood: str, scratch: Path
) -> None:
    if flood == "a folder that hides" and os.geteuid() == 0:
        pytest.skip("nothing hides from root")
    limit, code = FLOODS[flood]
    result = run_best(f"import os, time\nfor i in range(10**6):\n    {code}")
    assert not result.ok
    assert first_notice(result) == f"sandbox.limit_{limit}"
    assert not list(scratch.glob("*/job-*/code.py"))


def test_files_count_even_when_they_were_deleted_while_open(run_best: Run) -> None:
    result = run_best(
        """
import os, time
files = []
for i in range(8):
    files.append(open("tmp/x", "wb", buffering=0))
    os.remove("tmp/x")
    files[-1].write(b"x" * 3_000_000)
time.sleep(60)
"""
    )
    assert first_notice(result) == "sandbox.limit_scratch"


def test_a_crowd_of_threads_is_stopped(run_best: Run) -> None:
    result = run_best(
        """
import threading, time
threading.stack_size(64 * 1024)
while True:
    threading.Thread(target=time.sleep, args=(60,)).start()
"""
    )
    assert not result.ok
    assert first_notice(result) == "sandbox.limit_threads"
    assert "more than 128 threads" in result.error


def test_files_and_threads_are_settings(best_backend: Backend, place: Path) -> None:
    limits = LIMITS.model_copy(update={"files": 20, "threads": 8})
    many = "import time\nfor i in range(40): open(f'tmp/{i}', 'w').close()\ntime.sleep(60)"
    crowd = (
        "import threading, time\n"
        "for _ in range(12): threading.Thread(target=time.sleep, args=(60,)).start()\n"
        "time.sleep(60)"
    )

    async def scenario(box: Sandbox) -> list[Result]:
        return await asyncio.gather(box.run(Job(many)), box.run(Job(crowd)))

    with closing(Sandbox(best_backend, limits, place)) as box:
        files, threads = asyncio.run(scenario(box))
    assert files.error.startswith("The code was stopped because it made more than 20 files")
    assert threads.error.startswith("The code was stopped because it started more than 8 threads")
    assert "20 个" in notice_text(files.notices[0], "zh")


@pytest.mark.parametrize("name", sorted(SandboxLimits.model_fields.keys() - {"container"}))
def test_no_limit_can_be_switched_off(name: str) -> None:
    with pytest.raises(ValidationError):
        SandboxLimits.model_validate({name: 0})


def test_a_limit_names_its_setting_in_both_languages() -> None:
    for limit in get_args(Limit):
        notice = Notice(key=f"sandbox.limit_{limit}", params={"value": "7 s"})
        assert notice_text(notice, "en") != notice_text(notice, "zh")
        assert ("7 s" in notice_text(notice, "en")) == (limit != "killed")


def test_where_there_is_no_proc_the_watch_still_ends_what_is_too_much(
    best_backend: Backend, place: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The way of macOS: sizes from ``ps``, the end of a process by asking for it."""
    monkeypatch.setattr("research.sandbox.usage.PROC", place / "no-proc")
    monkeypatch.delattr(os, "pidfd_open")
    assert os.getpid() in descendants(os.getppid())
    limits = LIMITS.model_copy(update={"wall_seconds": 6})
    shared = (
        "import mmap\nkept, much = [], bytes(50_000_000)\nwhile True:\n"
        "    kept.append(mmap.mmap(-1, len(much))); kept[-1].write(much)"
    )

    async def scenario(box: Sandbox) -> list[Result]:
        return await asyncio.gather(*(box.run(Job(code)) for code in (SLEEP, shared, "print(1)")))

    with closing(Sandbox(best_backend, limits, place)) as box:
        slept, grew, fine = asyncio.run(scenario(box))
    assert first_notice(slept) == "sandbox.limit_wall"
    assert first_notice(grew) == "sandbox.limit_memory"
    assert (fine.ok, fine.stdout) == (True, "1\n")


def test_a_crash_of_the_interpreter_is_told(run_best: Run) -> None:
    result = run_best("import ctypes; ctypes.string_at(0)")
    assert not result.ok
    assert "without saying why" in result.error
    assert "错误" not in notice_text(result.notices[0], "zh")
    assert notice_text(result.notices[0], "zh") != notice_text(result.notices[0], "en")


LOOP = "open('out/started', 'w').close()\nwhile True: pass"


async def wait_for(condition: Callable[[], object]) -> None:
    async with asyncio.timeout(20):
        while not condition():
            await asyncio.sleep(0.01)


def command(pid: int) -> str:
    return Path(f"/proc/{pid}/cmdline").read_text(errors="replace")


def alive(pid: int) -> bool:
    try:
        return Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()[0] != "Z"
    except OSError:
        return False


def test_cancelling_kills_the_whole_tree_at_once(box: Sandbox, scratch: Path) -> None:
    async def scenario() -> None:
        task = asyncio.create_task(box.run(Job(LOOP)))
        await wait_for(lambda: list(scratch.glob("*/*/work/out/started")))
        (mark,) = scratch.glob("*/*/work/out/started")
        top = next(p for p in descendants(os.getpid()) if mark.parts[-4] in command(p))
        tree = [top, *descendants(top)]
        began = time.monotonic()
        task.cancel()
        with pytest.raises(asyncio.CancelledError):
            await task
        assert time.monotonic() - began < 0.5
        assert not mark.exists()
        assert not [pid for pid in tree if alive(pid)]

    asyncio.run(scenario())


def test_cancelling_before_the_worker_is_there_is_safe(best_box: Sandbox, scratch: Path) -> None:
    async def scenario() -> None:
        task = asyncio.create_task(best_box.run(Job(LOOP)))
        await asyncio.sleep(0)
        task.cancel()
        with pytest.raises(asyncio.CancelledError):
            await task
        assert not list(scratch.glob("*/*/work/out/started"))

    asyncio.run(scenario())


def test_closing_kills_jobs_and_spare_and_leaves_no_file(backend: Backend, place: Path) -> None:
    async def scenario() -> Result:
        sandbox = Sandbox(backend, LIMITS, place)
        task = asyncio.create_task(sandbox.run(Job(LOOP)))
        await wait_for(lambda: list(place.glob("*/*/work/out/started")))
        await asyncio.to_thread(sandbox.close)
        result = await task
        with pytest.raises(SandboxUnavailableError):
            await sandbox.run(Job(""))
        # A spare killed while it starts ends with its parent, a moment after it.
        await wait_for(lambda: not any(str(place) in line for line in commands()))
        return result

    result = asyncio.run(scenario())
    assert first_notice(result) == "sandbox.limit_killed"
    assert list(place.iterdir()) == []


def test_jobs_run_beside_each_other_and_the_loop_goes_on(best_box: Sandbox) -> None:
    async def scenario() -> int:
        ticks = 0
        jobs = asyncio.gather(*(best_box.run(Job(f"print({i})")) for i in range(2)))
        while not jobs.done():
            ticks += 1
            await asyncio.sleep(0.005)
        assert [result.stdout for result in jobs.result()] == ["0\n", "1\n"]
        return ticks

    assert asyncio.run(scenario()) > 10
