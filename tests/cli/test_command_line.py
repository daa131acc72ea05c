"""``python -m research`` as a user types it: real processes, exit codes, files."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest
from pypdf import PdfReader

from research.cli.main import EXIT_CODES
from research.models import Event, RunStatus
from tests.servers.model import Answer
from tests.servers.server import Server

ROOT = Path(__file__).resolve().parents[2]
REPORT = ROOT / "samples/meridian-annual-report-2025.pdf"
FIGURES = ROOT / "samples/meridian-revenue-by-region.csv"
QUESTION = "How did revenue by region change, and why?"


def research(home: Path, *arguments: str, **environment: str) -> subprocess.CompletedProcess[str]:
    clean = {"PATH": os.environ["PATH"], "HOME": str(home), "DOSSIER_HOME": str(home / "data")}
    return subprocess.run(
        [sys.executable, "-m", "research", *arguments],
        cwd=ROOT,
        env={**clean, **environment},
        capture_output=True,
        text=True,
        timeout=240,
        check=False,
    )


def keys(server: Server) -> dict[str, str]:
    return {
        "OPENAI_API_KEY": "sk-test",
        "OPENAI_BASE_URL": server.model_url,
        "TAVILY_API_KEY": "tvly-test",
        "TAVILY_BASE_URL": server.url,
        "DOSSIER_MODEL": "scripted",
    }


def test_the_sample_question_without_a_key_leaves_a_complete_report(tmp_path: Path) -> None:
    out = tmp_path / "out"
    ended = research(
        tmp_path, QUESTION, f"--file={REPORT}", f"--file={FIGURES}", "--accept-plan", f"--out={out}"
    )
    assert ended.returncode == 0, ended.stderr
    assert ended.stdout == ""
    assert "Plan:" in ended.stderr
    record: dict[str, Any] = json.loads((out / "run.json").read_text("utf-8"))
    charts = record["charts"]
    assert charts
    assert all(chart["rows"] and "read_parquet" in chart["code"] for chart in charts)
    assert {step["status"] for step in record["steps"]} == {"done"}
    assert record["timings"]["seconds"] < 60
    pages = {passage["place"]["page"] for passage in record["passages"]} - {None}
    assert pages
    markdown = (out / "report.md").read_text("utf-8")
    assert any(f"page {page}" in markdown for page in pages)
    assert (out / "report_files/chart-1.png").read_bytes().startswith(b"\x89PNG")
    pdf = PdfReader(out / "report.pdf")
    text = "\n".join(page.extract_text() for page in pdf.pages)
    assert "page" in text
    assert charts[0]["title"].split()[0] in text


def test_events_are_printed_as_json_lines_that_fold_to_the_same_run(
    tmp_path: Path, server: Server
) -> None:
    ended = research(
        tmp_path, QUESTION, f"--file={FIGURES}", "--accept-plan", "--events", "--no-web",
        f"--out={tmp_path / 'out'}", **keys(server),
    )  # fmt: skip
    assert ended.returncode == 0, ended.stderr
    events = [Event.model_validate_json(line) for line in ended.stdout.splitlines()]
    assert [event.seq for event in events] == list(range(1, len(events) + 1))
    assert events[-1].payload == {"status": "complete"}


def test_a_partial_report_has_an_exit_status_of_its_own_and_can_be_resumed(
    tmp_path: Path, server: Server
) -> None:
    server.model.script = lambda request: (
        Answer("```python\n1/0\n```") if request.prompt.startswith("You write Python") else None
    )
    out = f"--out={tmp_path / 'out'}"
    files = [f"--file={FIGURES}", f"--file={REPORT}"]
    ended = research(tmp_path, QUESTION, *files, "--accept-plan", "--no-web", out, **keys(server))
    assert ended.returncode == EXIT_CODES[RunStatus.PARTIAL] != 0
    assert "division by zero" in (tmp_path / "out/report.md").read_text("utf-8")
    run = json.loads((tmp_path / "out/run.json").read_text("utf-8"))["run"]["id"]
    server.reset()
    again = research(tmp_path, f"--resume={run}", out, **keys(server))
    assert again.returncode == 0, again.stderr


def test_without_a_word_on_the_plan_the_run_waits_and_says_how_to_go_on(
    tmp_path: Path, server: Server
) -> None:
    ended = research(tmp_path, QUESTION, "--no-web", **keys(server))
    assert ended.returncode == EXIT_CODES[RunStatus.WAITING]
    assert "--resume" in ended.stderr


@pytest.mark.parametrize(
    ("arguments", "status", "words"),
    [
        ([], 2, "give a question"),
        (["q", "--max-steps", "99"], 2, "--max-steps"),
        (["what?", "--file", "missing.pdf"], 1, "missing.pdf cannot be opened"),
        (["--resume", "nothing"], 1, "no run with the id"),
    ],
)
def test_mistakes_give_one_sentence(
    tmp_path: Path, arguments: list[str], status: int, words: str
) -> None:
    ended = research(tmp_path, *arguments)
    assert ended.returncode == status
    assert words in ended.stderr
    assert "Traceback" not in ended.stderr


def test_help_tells_every_exit_status(tmp_path: Path) -> None:
    told = research(tmp_path, "--help").stdout
    assert all(f"\n  {status}  " in told for status in {2, *EXIT_CODES.values()})
    assert "--events" in told
