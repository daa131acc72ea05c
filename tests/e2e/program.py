"""The application as a user runs it: ``streamlit run app.py`` in a process of its own."""

from __future__ import annotations

import os
import signal
import socket
import subprocess
import sys
import time
import urllib.request
from pathlib import Path
from urllib.error import HTTPError

ROOT = Path(__file__).resolve().parents[2]
START_SECONDS = 60.0


class Program:
    """One server with its own data folder; it can be killed and started again.

    Args:
        home: The data folder; the log is written into it.
        environment: Settings of the program.
    """

    def __init__(self, home: Path, environment: dict[str, str]) -> None:
        self.home = home
        self.url = f"http://127.0.0.1:{_free_port()}"
        self._environment = environment
        self._process: subprocess.Popen[bytes] | None = None

    def start(self) -> None:
        """Start it, and wait until it answers."""
        self.home.mkdir(parents=True, exist_ok=True)
        command = [sys.executable, "-m", "streamlit", "run", "app.py", "--server.headless", "true"]
        with (self.home / "server.log").open("ab") as log:
            self._process = subprocess.Popen(
                [*command, "--server.port", self.url.rpartition(":")[2]],
                cwd=ROOT,
                env={
                    "PATH": os.environ["PATH"],
                    "HOME": os.environ.get("HOME", "/"),
                    "DOSSIER_HOME": str(self.home),
                    **self._environment,
                },
                stdout=log,
                stderr=log,
            )
        deadline = time.monotonic() + START_SECONDS
        while not self._answers():
            assert self._process.poll() is None, self.log()
            assert time.monotonic() < deadline, f"no answer within {START_SECONDS} s\n{self.log()}"
            time.sleep(0.1)

    def kill(self) -> None:
        """End it as ``kill -9`` does: nothing is put in order first."""
        self._end(signal.SIGKILL)

    def stop(self) -> None:
        """End it as Ctrl-C does."""
        self._end(signal.SIGINT)

    def log(self) -> str:
        """What it has printed."""
        return (self.home / "server.log").read_text("utf-8", "replace")

    def _end(self, how: signal.Signals) -> None:
        if self._process is not None:
            self._process.send_signal(how)
            try:
                self._process.wait(20)
            except subprocess.TimeoutExpired:
                self._process.kill()
                self._process.wait(20)
            self._process = None

    def _answers(self) -> bool:
        try:
            urllib.request.urlopen(f"{self.url}/health", timeout=5).close()
        except HTTPError as error:
            error.close()
        except OSError:
            return False
        return True


def _free_port() -> int:
    with socket.create_server(("127.0.0.1", 0)) as listener:
        return int(listener.getsockname()[1])
