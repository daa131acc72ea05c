"""The backend is chosen by what the self-test shows, and never replaced by nothing."""

from __future__ import annotations

import json
import shutil
import subprocess
import sys
from contextlib import closing
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

import pytest

from research.errors import SandboxUnavailableError
from research.i18n import notice_text
from research.models import Notice
from research.sandbox import describe, open_sandbox
from research.sandbox.backends import Backend, Bwrap, Container, Landlock, Launch, Seatbelt
from research.sandbox.canary import _key, choose, self_test
from research.sandbox.description import outcome
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
    description = describe(SandboxLimits(), tmp_path / "s", tmp_path / "c", candidates)
    assert description.backend == ""
    assert [trial.reason and trial.reason.key for trial in description.refused] == [
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
    description = describe(
        SandboxLimits(), tmp_path / "s", tmp_path / "c", (Absent(), best_backend)
    )
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


def test_every_attempt_is_told_with_its_result(tmp_path: Path, best_backend: Backend) -> None:
    trials = choose((Open(), best_backend), tmp_path / "s", tmp_path / "c").trials
    open_walls, good = trials
    assert open_walls.reason is not None and good.reason is None
    assert open_walls.attempts.keys() == good.attempts.keys()
    assert set(good.attempts.values()) == {True}
    assert {name for name, well in open_walls.attempts.items() if not well} == set(
        open_walls.reason.params["attempts"].split(", ")
    )
    for attempt, well in open_walls.attempts.items():
        for notice in (Notice(key=f"sandbox.try_{attempt}"), outcome(attempt, well)):
            assert notice_text(notice, "en") != notice_text(notice, "zh")
    # What was seen is kept with the choice.
    assert choose((Open(), best_backend), tmp_path / "s", tmp_path / "c").trials == trials


def test_another_image_is_tested_anew(tmp_path: Path) -> None:
    before = Container("img", "podman", "sha256:1")
    assert _key((before,), tmp_path) == _key((before,), tmp_path)
    assert _key((before,), tmp_path) != _key((replace(before, digest="sha256:2"),), tmp_path)


@pytest.mark.skipif(sys.platform != "linux", reason="user namespaces are Linux's")
def test_where_user_namespaces_are_off_landlock_is_chosen(place: Path) -> None:
    program = Path(__file__).with_name("without_namespaces.py")
    place.chmod(0o777)
    ended = subprocess.run(
        [sys.executable, str(program), str(place)], capture_output=True, text=True, check=False
    )
    assert ended.returncode == 0, ended.stderr
    told = json.loads(ended.stdout)
    if "unable" in told:
        pytest.skip(f"no user namespace can be made here at all: {told['unable']}")
    bwrap, *others = told["trials"]
    assert told["user"] == 1000
    assert bwrap[:2] == ["bwrap", "sandbox.fails"]
    assert "namespace" in bwrap[2]["detail"]
    if Landlock().missing() is not None:
        pytest.skip("this kernel has no Landlock to fall back to")
    assert told["chosen"] == "landlock"
    ((name, reason, _, attempts),) = others
    assert (name, reason, set(attempts.values())) == ("landlock", None, {True})


def test_seatbelt_is_given_the_job_and_the_libraries_only(tmp_path: Path) -> None:
    """What a Mac would be told; whether it holds there, its self-test decides."""
    launch = Seatbelt().launch(tmp_path, {"report": 3})
    orders = json.loads(launch.argv[-1])
    rights = orders["seatbelt"]
    assert str(tmp_path) in rights["read"]
    assert [path for path in rights["write"] if not path.startswith("/dev/")] == [
        str(tmp_path / "work")
    ]
    assert {"(deny process-fork)", "(deny process-exec*)", "(deny network*)"} <= set(
        rights["rules"]
    )
    assert str(Path.home()) not in rights["read"]
    import nono_py

    capabilities = nono_py.CapabilitySet()
    for rule in rights["rules"]:
        capabilities.platform_rule(rule)  # refuses what is malformed
