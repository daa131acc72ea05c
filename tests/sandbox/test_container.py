"""The container: its command line everywhere, the real thing where an image is at hand.

``DOSSIER_TEST_IMAGE`` names an image that podman or docker has here, made as docs/security.md says.
"""

from __future__ import annotations

import asyncio
import json
import os
import subprocess
import sys
import threading
import time
from collections.abc import Iterator
from contextlib import closing
from pathlib import Path

import pytest

from research.models import Table
from research.sandbox import Job, Sandbox
from research.sandbox.backends import Container, backends
from research.sandbox.canary import try_out
from tests.sandbox.conftest import LIMITS, commands

IMAGE = os.environ.get("DOSSIER_TEST_IMAGE", "")
ORDERS = {"report": 7, "memory": 100 * 2**20, "threads": 16, "file": 1}


def launched(folder: Path, engine: str = "docker") -> list[str]:
    (folder / "work").mkdir(parents=True)
    launch = Container("img", engine, "sha256:1", user=65_533).launch(folder, ORDERS)
    assert launch.report is not None
    os.close(launch.report)
    assert launch.stop == [engine, "kill", "--signal=KILL", f"dossier-{folder.name}"]
    assert not {"OPENAI_API_KEY", "TAVILY_API_KEY"} & set(launch.environment)
    return launch.argv


@pytest.mark.parametrize("engine", ["docker", "podman"])
def test_the_command_gives_nothing_but_the_job_and_takes_every_right(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, engine: str
) -> None:
    monkeypatch.setenv("OPENAI_API_KEY", "s3cret")
    argv = launched(tmp_path / "job-1", engine)
    assert argv[:2] == [engine, "run"]
    walls = argv[2 : argv.index("sha256:1")]
    assert {
        "--rm", "--pull=never", "--network=none", "--ipc=none", "--read-only", "--cap-drop=ALL",
        "--security-opt=no-new-privileges", "--pids-limit=24", "--name=dossier-job-1",
        f"--memory={356 * 2**20}", f"--memory-swap={356 * 2**20}",
    } <= set(walls)  # fmt: skip
    mounts = [part for part in walls if part.startswith("--mount")]
    assert len(mounts) == 2
    assert f"source={tmp_path}/job-1,target=/job,readonly" in mounts[0]
    assert f"source={tmp_path}/job-1/work,target=/job/work" in mounts[1]
    assert not [part for part in walls if part.startswith(("--privileged", "--volume", "--device"))]
    assert "s3cret" not in " ".join(argv)
    assert "--user=65533:65533" in walls


def test_the_environment_inside_comes_with_the_orders(tmp_path: Path) -> None:
    orders = json.loads(launched(tmp_path / "job-2")[-1])
    assert orders["report"] == "/job/report"
    assert orders["environment"]["HOME"] == "."


def test_an_image_that_nobody_has_is_named(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    engine = tmp_path / "docker"
    engine.write_text("#!/bin/sh\necho no such image >&2\nexit 1\n")
    engine.chmod(0o755)
    monkeypatch.setenv("PATH", f"{tmp_path}:/usr/bin:/bin")
    reason = Container.of("no/such:image").missing()
    assert reason is not None
    assert (reason.key, reason.params) == ("sandbox.no_image", {"image": "no/such:image"})
    monkeypatch.setenv("PATH", str(tmp_path / "nothing"))
    reason = Container.of("no/such:image").missing()
    assert reason is not None
    assert reason.key == "sandbox.no_engine"


def test_it_is_the_last_to_be_tried_and_only_when_it_is_set() -> None:
    assert "container" not in [backend.name for backend in backends()]
    assert [backend.name for backend in backends("img")][-1] == "container"


@pytest.fixture(scope="module")
def container() -> Container:
    if not IMAGE:
        pytest.skip("no image: name one in DOSSIER_TEST_IMAGE to try containers for real")
    backend = Container.of(IMAGE)
    assert backend.missing() is None
    return backend


@pytest.fixture(scope="module")
def contained(
    container: Container, tmp_path_factory: pytest.TempPathFactory
) -> Iterator[tuple[Sandbox, Path]]:
    place = tmp_path_factory.mktemp("contained")
    limits = LIMITS.model_copy(update={"wall_seconds": 8})
    with closing(Sandbox(container, limits, place)) as box:
        yield box, place


def running(place: Path) -> list[str]:
    """The workers inside containers that are at work for the folder, as seen from outside."""
    names = [path.name for path in place.glob("session-*/job-*")]
    return [line for line in commands() if any(f"dossier-{name}" in line for name in names)]


def test_it_passes_the_self_test(container: Container, tmp_path: Path) -> None:
    trial = try_out(container, tmp_path)
    assert trial.reason is None, trial
    assert all(trial.attempts.values())


def test_a_job_gets_its_tables_and_gives_its_results(
    contained: tuple[Sandbox, Path], revenue: Table
) -> None:
    code = """
import os, pandas as pd, plotly.express as px
frame = pd.read_parquet("data/revenue_by_region.parquet")
px.bar(frame, x="region", y="revenue").write_json("out/a.json")
print(frame["revenue"].sum(), sorted(os.environ), os.getuid())
raise ValueError("end")
"""
    result = asyncio.run(contained[0].run(Job(code, (revenue,))))
    assert result.error.endswith("ValueError: end"), result
    assert "/usr" not in result.error
    assert result.stdout.startswith("63.0 ['ARROW_")
    assert "PATH" not in result.stdout and not result.stdout.endswith(" 0\n")
    assert [chart.name for chart in result.charts] == ["a"]


def test_the_process_that_watches_inside_cannot_be_reached(
    contained: tuple[Sandbox, Path],
) -> None:
    code = """
import os, signal
for attempt in (
    lambda: open("/proc/1/mem", "r+b"), lambda: open("/proc/1/environ").read(),
    lambda: os.kill(1, signal.SIGKILL), lambda: open("/job/x", "w"), lambda: open("/x", "w"),
    lambda: open("/dev/shm/x", "w"), lambda: os.listdir("/proc/1/fd"),
):
    try:
        attempt()
        print("worked")
    except OSError as error:
        print("refused")
"""
    result = asyncio.run(contained[0].run(Job(code)))
    assert result.stdout.split() == ["refused"] * 7


@pytest.mark.parametrize(
    ("code", "limit"),
    [
        ("import time\ntime.sleep(60)", "wall"),
        ("while True: pass", "cpu"),
        ("x = []\nwhile True: x.append(bytearray(10_000_000))", "memory"),
        ("open('big', 'wb').write(b'x' * 5_000_000)", "file"),
        ("for i in range(9): open(f'tmp/{i}', 'wb').write(b'x' * 3_000_000)\nimport time\n"
         "time.sleep(60)", "scratch"),
        ("import threading, time\nwhile True:\n"
         "  threading.Thread(target=time.sleep, args=(60,)).start()", "threads"),
    ],
)  # fmt: skip
def test_each_limit_is_named(contained: tuple[Sandbox, Path], code: str, limit: str) -> None:
    box, place = contained
    result = asyncio.run(box.run(Job(code)))
    assert result.notices[0].key == f"sandbox.limit_{limit}", result
    assert len(running(place)) <= 2 * 4  # the spares: client, monitor and what is inside


def test_cancelling_ends_the_container(contained: tuple[Sandbox, Path]) -> None:
    box, place = contained

    async def scenario() -> None:
        code = "open('out/started', 'w').close()\nwhile True: pass"
        task = asyncio.create_task(box.run(Job(code)))
        async with asyncio.timeout(60):
            while not (marks := list(place.glob("*/*/work/out/started"))):
                await asyncio.sleep(0.02)
        began = time.monotonic()
        task.cancel()
        with pytest.raises(asyncio.CancelledError):
            await task
        assert time.monotonic() - began < 3
        name = f"dossier-{marks[0].parts[-4]}"
        async with asyncio.timeout(20):
            while any(name in line for line in commands()):
                await asyncio.sleep(0.02)

    asyncio.run(scenario())


def test_it_is_gone_when_the_app_is_killed(container: Container, tmp_path: Path) -> None:
    program = f"""
import asyncio, sys
from pathlib import Path
from research.sandbox import Job, Sandbox
from research.sandbox.backends import Container
from research.settings import SandboxLimits
box = Sandbox(Container.of({IMAGE!r}), SandboxLimits(), Path({str(tmp_path)!r}))
asyncio.run(box.run(Job("open('out/started', 'w').close()\\nimport time; time.sleep(600)")))
"""
    child = subprocess.Popen([sys.executable, "-c", program])
    waiting = threading.Event()
    try:
        end = time.monotonic() + 60
        while not list(tmp_path.glob("*/*/work/out/started")) and time.monotonic() < end:
            waiting.wait(0.05)
        assert running(tmp_path)
    finally:
        child.kill()
        child.wait()
    end = time.monotonic() + 30
    while running(tmp_path) and time.monotonic() < end:
        waiting.wait(0.05)
    assert running(tmp_path) == []
