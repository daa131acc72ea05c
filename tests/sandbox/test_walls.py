"""What surrounds a job: an environment built from nothing, and an end together with the app's."""

from __future__ import annotations

import json
import os
import subprocess
import sys
import threading
from pathlib import Path

import pytest

from research.sandbox.folder import session
from tests.sandbox.conftest import Run, commands

SECRET = "s3cret-canary"


def test_the_environment_is_built_from_nothing(run: Run, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("OPENAI_API_KEY", SECRET)
    result = run("import json, os\nprint(json.dumps(dict(os.environ)))")
    environment = json.loads(result.stdout)
    allowed = {"LANG", "LC_CTYPE", "HOME", "TMPDIR", "PWD", "MALLOC_ARENA_MAX", "MPLBACKEND"}
    pools = {name for name in environment if name.endswith(("_THREADS", "_POOL"))}
    assert set(environment) - pools <= allowed
    assert not set(environment.values()) & {SECRET, os.environ.get("PATH", ""), str(Path.home())}


def test_the_worker_dies_with_the_process_that_started_it(backend: object, place: Path) -> None:
    """A killed server leaves no job behind: one is started by a child, which is then killed."""
    program = f"""
import asyncio, sys, threading, time
from pathlib import Path
from research.sandbox import Job, Sandbox
from research.sandbox.backends import backends
from research.settings import SandboxLimits
backend = next(b for b in backends() if repr(b) == {repr(backend)!r})
box = Sandbox(backend, SandboxLimits(), Path({str(place)!r}))
asyncio.run(box.run(Job("open('out/started', 'w').close()\\nwhile True: pass")))
"""
    child = subprocess.Popen([sys.executable, "-c", program])
    try:
        started = threading.Event()
        deadline = threading.Timer(30, started.set)
        deadline.start()
        while not list(place.glob("*/*/work/out/started")) and not started.wait(0.02):
            pass
        deadline.cancel()
        (mark,) = place.glob("*/*/work/out/started")
        job = mark.parents[2]
    finally:
        child.kill()
        child.wait()
    while any(str(job) in command for command in commands()):
        started.wait(0.02)
    assert job.exists()
    with session(place) as fresh:  # the next sandbox on that folder clears what was left
        assert list(place.iterdir()) == [fresh]
