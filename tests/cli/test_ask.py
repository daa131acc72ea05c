"""``python -m research ask`` as a user types it."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
from pathlib import Path

import pytest

from research.cli.ask import ANSWERED, FAILED, NOTHING_FOUND, STOPPED
from research.runs.asking import Answer
from tests.cli.test_command_line import FIGURES, REPORT, ROOT, keys, research
from tests.servers.model import Answer as Said
from tests.servers.server import Server


def test_the_answer_is_quoted_with_numbers_and_the_places_they_stand_for(tmp_path: Path) -> None:
    ended = research(tmp_path, "ask", "Why did revenue in Greater China fall?", f"--file={REPORT}")
    assert ended.returncode == ANSWERED == 0, ended.stderr
    assert "Local competitors cut the prices" in ended.stdout
    assert "[^" not in ended.stdout
    assert "\n[1] meridian-annual-report-2025.pdf, page " in ended.stdout
    # What was added stays, and is asked without naming it again.
    again = research(tmp_path, "ask", "Why did revenue in Greater China fall?")
    assert again.stdout == ended.stdout


def test_json_prints_the_whole_answer(tmp_path: Path, server: Server) -> None:
    ended = research(
        tmp_path, "ask", "units sold EMEA", f"--file={FIGURES}", "--json", **keys(server)
    )
    assert ended.returncode == ANSWERED, ended.stderr
    answer = Answer.model_validate_json(ended.stdout)
    assert answer.mode == "model"
    assert answer.hits and answer.claims and answer.queries
    assert "sk-test" not in ended.stdout + ended.stderr


def test_what_the_documents_do_not_answer_has_an_exit_status_of_its_own(tmp_path: Path) -> None:
    ended = research(tmp_path, "ask", "Who painted in Naples?", f"--file={FIGURES}")
    assert ended.returncode == NOTHING_FOUND == 3
    assert "do not answer this. Searched for: Who painted in Naples?" in ended.stdout


def test_with_no_documents_it_says_so_in_the_language_asked_for(tmp_path: Path) -> None:
    ended = research(tmp_path, "ask", "收入为什么下降？")
    assert ended.returncode == NOTHING_FOUND
    assert "请先添加文档" in ended.stdout


@pytest.mark.parametrize(
    ("arguments", "status", "words"),
    [
        (["ask"], 2, "question"),
        (["ask", "what?", "--file", "missing.pdf"], FAILED, "missing.pdf cannot be opened"),
        (["ask", " "], FAILED, "Write a question first"),
    ],
)
def test_mistakes_give_one_sentence(
    tmp_path: Path, arguments: list[str], status: int, words: str
) -> None:
    ended = research(tmp_path, *arguments)
    assert ended.returncode == status
    assert words in ended.stderr
    assert "Traceback" not in ended.stderr


def test_help_tells_of_asking_and_of_every_exit_status(tmp_path: Path) -> None:
    assert "python -m research ask" in research(tmp_path, "--help").stdout
    told = research(tmp_path, "ask", "--help").stdout
    assert all(f"\n  {n}  " in told for n in (ANSWERED, FAILED, 2, NOTHING_FOUND, STOPPED))


def test_ctrl_c_stops_with_a_sentence(tmp_path: Path, server: Server) -> None:
    server.model.script = lambda request: Said("x", first_token_s=600)
    environment = {
        "PATH": os.environ["PATH"],
        "HOME": str(tmp_path),
        "DOSSIER_HOME": str(tmp_path / "data"),
        **keys(server),
    }
    asking = subprocess.Popen(
        [sys.executable, "-m", "research", "ask", "units sold EMEA", f"--file={FIGURES}"],
        cwd=ROOT, env=environment, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True,
    )  # fmt: skip
    assert server.model.wait_until(lambda: bool(server.model.requests), 60)
    asking.send_signal(signal.SIGINT)
    said = asking.communicate(timeout=30)
    assert asking.returncode == STOPPED
    assert "Stopped" in said[1] and "Traceback" not in said[1]
