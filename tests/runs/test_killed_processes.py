"""kill -9 in mid-run, and again: the run ends the same, and no finished call is made twice."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
import time
from pathlib import Path

import pytest

from research.models import RunStatus
from research.runs.service import RunService
from tests.runs.conftest import QUESTION, SAMPLES, model_settings
from tests.servers.server import Server

ON_ITS_WAY = 0.5
"""Seconds that an answer may take from the server into the ledger of a busy machine."""

ROOT = Path(__file__).resolve().parents[2]


def begin(home: Path, server: Server) -> subprocess.Popen[bytes]:
    environment = {
        "PATH": os.environ["PATH"],
        "DOSSIER_HOME": str(home),
        "DOSSIER_MODEL": "scripted",
        "OPENAI_API_KEY": "sk-test",
        "OPENAI_BASE_URL": server.model_url,
        "TAVILY_API_KEY": "tvly-test",
        "TAVILY_BASE_URL": server.url,
    }
    command = [sys.executable, "-m", "research", QUESTION, "--accept-plan", "--no-web"]
    files = [f"--file={path}" for path in sorted(SAMPLES.glob("meridian-*"))]
    return subprocess.Popen(
        [*command, *files, f"--out={home / 'out'}"],
        cwd=ROOT,
        env=environment,
        stderr=subprocess.DEVNULL,
        stdout=subprocess.DEVNULL,
    )


@pytest.mark.parametrize("answered", [2, 4, 6, 9])
def test_a_killed_run_goes_on_where_it_was(home: Path, server: Server, answered: int) -> None:
    model = server.model
    model.first_token_s = 0.15
    process = begin(home, server)
    assert model.wait_until(
        lambda: sum(one.outcome == "answered" for one in model.requests) >= answered, 60
    )
    killed = time.monotonic()
    process.send_signal(signal.SIGKILL)
    process.wait()

    service = RunService(model_settings(home, server))
    try:
        service.adopt()
        (run,) = service.runs()
        assert service.wait(run.id) is RunStatus.COMPLETE
        assert "notices.resumed" in {notice.key for notice in service.view(run.id).notices}
    finally:
        service.close()
    ends: dict[str, list[float]] = {}
    for request in model.requests:
        if request.outcome == "answered" and request.ended:
            ends.setdefault(request.prompt, []).append(request.ended)
    repeated = [times[0] for times in ends.values() if len(times) > 1]
    assert all(ended > killed - ON_ITS_WAY for ended in repeated)
