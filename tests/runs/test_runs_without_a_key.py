"""Whole runs of the extractive analyst on the sample documents, with no key and no network."""

from __future__ import annotations

from pathlib import Path

import pytest

from research.models import RunOptions, RunStatus, StepType
from research.settings import Settings
from tests.runs.conftest import ACCEPT, QUESTION, Open


def keyless(home: Path) -> Settings:
    return Settings(home=home, openai_api_key=None, tavily_api_key=None)


@pytest.fixture
def no_keys(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv("OPENAI_API_KEY", raising=False)
    monkeypatch.delenv("TAVILY_API_KEY", raising=False)


@pytest.mark.usefixtures("no_keys")
def test_the_sample_question_gives_a_complete_report_that_quotes_pages_and_draws_figures(
    home: Path, opened: Open
) -> None:
    service = opened(keyless(home))
    run_id = service.start(QUESTION, ACCEPT)
    assert service.wait(run_id) is RunStatus.COMPLETE
    report, evidence = service.report(run_id), service.evidence(run_id)
    view = service.view(run_id)
    assert view.plan is not None
    assert StepType.PROCESSING in {step.type for step in view.plan.steps}
    pages = {passage.place.page for passage in evidence.passages.values()}
    assert len(pages - {None}) >= 2
    assert evidence.charts
    assert report.mode == "extractive"
    assert view.usage.calls == 0


@pytest.mark.usefixtures("no_keys")
def test_a_question_the_documents_do_not_answer_finds_no_direct_evidence(
    home: Path, opened: Open
) -> None:
    service = opened(keyless(home))
    run_id = service.start("Which painters influenced the early Baroque in Naples?", ACCEPT)
    service.wait(run_id)
    keys = {notice.key for notice in service.report(run_id).notices}
    assert "notices.step_empty" in keys


@pytest.mark.usefixtures("no_keys")
def test_an_empty_knowledge_base_is_said_plainly_and_loses_nothing(
    tmp_path: Path, opened: Open
) -> None:
    service = opened(keyless(tmp_path))
    run_id = service.start(QUESTION, ACCEPT)
    assert service.wait(run_id) in (RunStatus.COMPLETE, RunStatus.PARTIAL)
    assert "notices.nothing_found" in {notice.key for notice in service.view(run_id).notices}
    assert service.report(run_id).markdown


@pytest.mark.usefixtures("no_keys")
def test_with_no_network_the_run_says_documents_only_and_goes_on(home: Path, opened: Open) -> None:
    service = opened(keyless(home))
    run_id = service.start(QUESTION, RunOptions(accept_plan=True, use_web=False))
    assert service.wait(run_id) is RunStatus.COMPLETE
    assert "notices.documents_only" in {notice.key for notice in service.view(run_id).notices}
