"""The backend is chosen by what the self-test shows, and never replaced by nothing."""

from __future__ import annotations

import json
import shutil
from contextlib import closing
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pytest

from research.errors import SandboxUnavailableError
from research.i18n import notice_text
from research.models import Notice
from research.sandbox import describe, open_sandbox
from research.sandbox.backends import Backend, Bwrap, Landlock, Launch
from research.sandbox.canary import choose, self_test
from research.settings import SandboxLimits
from tests.sandbox.conftest import usable


@dataclass(frozen=True)
class Open:
    """A backend without walls: what a plain subprocess would be."""

    name: Any = "landlock"
    user: int | None = None

    def missing(self) -> Notice | None:
        return None

    def launch(self, folder: Path, orders: dict[str, Any]) -> Launch:
        (folder / "worker.py").write_text(
            (folder / "worker.py")
            .read_text()
            .replace("    filter_calls(program)\n", "")
            .replace("    import_libraries()\n", "")
        )
        launch = Landlock().launch(folder, orders)
        return Launch([*launch.argv[:-1], json.dumps({**orders, "parent": 0, "landlock": None})])


@dataclass(frozen=True)
class Absent:
    """A backend that cannot be executed."""

    name: Any = "bwrap"
    user: int | None = None

    def missing(self) -> Notice | None:
        return None

    def launch(self, folder: Path, orders: dict[str, Any]) -> Launch:
        return Launch([str(folder / "no-such-program")])


def test_a_process_without_walls_fails_the_self_test(tmp_path: Path) -> None:
    reason = self_test(Open(), tmp_path)
    assert reason is not None
    assert reason.key == "sandbox.leaks"
    got_out = set(reason.params["attempts"].split(", "))
    assert {"read", "write", "tcp", "unix", "fork", "signal", "change"} <= got_out


def test_where_nothing_passes_code_is_not_run(tmp_path: Path) -> None:
    candidates = (Absent(), Open())
    with pytest.raises(SandboxUnavailableError) as error:
        open_sandbox(SandboxLimits(), tmp_path / "s", tmp_path / "c", candidates)
    assert "Install bubblewrap" in error.value.sentence("en")
    assert "bubblewrap" in error.value.sentence("zh")
    assert not (tmp_path / "c").exists()
    description = describe(tmp_path / "s", tmp_path / "c", candidates)
    assert description.backend == ""
    assert [refusal.reason.key for refusal in description.refused] == [
        "sandbox.fails",
        "sandbox.leaks",
    ]


def test_a_machine_without_any_backend_says_so(tmp_path: Path) -> None:
    with pytest.raises(SandboxUnavailableError):
        open_sandbox(SandboxLimits(), tmp_path / "s", tmp_path / "c", ())


def test_the_choice_is_remembered_until_something_changes(
    tmp_path: Path, best_backend: Backend
) -> None:
    candidates = (Absent(), best_backend)
    first = choose(candidates, tmp_path / "s", tmp_path / "c")
    assert first.backend is best_backend
    kept = tmp_path / "c" / "sandbox.json"
    assert choose(candidates, tmp_path / "s", tmp_path / "c") == first
    entry = json.loads(kept.read_text())
    kept.write_text(json.dumps({**entry, "backend": 0}))
    assert choose(candidates, tmp_path / "s", tmp_path / "c").backend == Absent()
    kept.write_text(json.dumps({**entry, "backend": 0, "key": "another machine"}))
    assert choose(candidates, tmp_path / "s", tmp_path / "c").backend is best_backend
    kept.write_text("{broken")
    assert choose(candidates, tmp_path / "s", tmp_path / "c").backend is best_backend


def test_the_description_says_what_is_stopped_and_why_no_better_one_is_used(
    tmp_path: Path, best_backend: Backend
) -> None:
    description = describe(tmp_path / "s", tmp_path / "c", (Absent(), best_backend))
    assert description.backend == best_backend.name
    (refusal,) = description.refused
    texts = [*description.stops, *description.leaves, refusal.reason]
    assert len(texts) >= 7
    for notice in texts:
        assert notice_text(notice, "en") != notice_text(notice, "zh")
    with closing(
        open_sandbox(SandboxLimits(), tmp_path / "s", tmp_path / "c", (best_backend,))
    ) as box:
        assert box.backend == description.backend


def test_what_is_not_installed_is_named(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(shutil, "which", lambda name: None)
    reason = Bwrap().missing()
    assert reason is not None
    assert "apt install bubblewrap" in notice_text(reason, "en")


def test_usable_skips_with_a_reason(tmp_path: Path) -> None:
    with pytest.raises(pytest.skip.Exception, match="does not start here"):
        usable(Absent(), tmp_path)
