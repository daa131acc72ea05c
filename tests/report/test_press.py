from __future__ import annotations

import pytest

from research.errors import ExportError
from research.report import press


def test_pictures_come_back_by_id_and_undrawable_ones_are_missing() -> None:
    charts = {
        "good": {"figure": {"data": [{"type": "bar", "x": ["a"], "y": [1]}]}, "caption": ""},
        "bad": {"figure": {"data": [{"type": "scattergeo"}]}, "caption": ""},
    }
    pictures = press.draw_pngs(charts, "en")
    assert list(pictures) == ["good"]
    assert pictures["good"].startswith(b"\x89PNG")


def test_nothing_to_draw_starts_no_process() -> None:
    assert press.draw_pngs({}, "en") == {}


def test_a_job_that_fails_says_what_to_do_next() -> None:
    with pytest.raises(ExportError) as failed:
        press.press({"kind": "pdf", "report": {}, "charts": {}, "language": "en", "created_at": 0})
    assert failed.value.key == "report.export_failed"
    assert "Markdown" in failed.value.sentence("zh")


def test_a_job_that_takes_too_long_is_ended(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(press, "WALL_SECONDS", 0.05)
    with pytest.raises(ExportError) as failed:
        press.press({"kind": "pngs", "charts": {}, "language": "en"})
    assert failed.value.key == "report.export_slow"


def test_the_child_gets_no_secrets(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("OPENAI_API_KEY", "sk-secret")
    assert "OPENAI_API_KEY" not in press.child_environment()
