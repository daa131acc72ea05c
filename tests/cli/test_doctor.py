"""``python -m research doctor`` as a user types it."""

from __future__ import annotations

import json
import os
from pathlib import Path

import pytest

from research.cli.doctor import HEALTHY, NO_SANDBOX
from tests.cli.test_command_line import keys, research
from tests.servers.server import Server


def test_it_tells_the_sandbox_in_use_and_each_attempt_to_break_out(tmp_path: Path) -> None:
    ended = research(tmp_path, "doctor", LANG="C.UTF-8")
    if ended.returncode == NO_SANDBOX:
        pytest.skip("no sandbox passes here: " + ended.stdout)
    assert ended.returncode == HEALTHY == 0, ended.stderr
    assert "passed its self-test and is in use" in ended.stdout
    assert "+ Read a file outside: stopped" in ended.stdout
    assert "It does not stop:" in ended.stdout
    assert "- Language model: no key" in ended.stdout
    assert f"{tmp_path}/data, " in ended.stdout


def test_json_is_for_machines_and_holds_no_secret(tmp_path: Path, server: Server) -> None:
    ended = research(tmp_path, "doctor", "--json", **keys(server))
    told = json.loads(ended.stdout)
    assert told["model"]["well"] and told["search"]["well"] and told["data"]["well"]
    assert set(told) >= {"embedding", "ocr", "fonts", "sandbox"}
    assert told["sandbox"]["well"] == (ended.returncode == HEALTHY)
    assert told["sandbox"]["tried"][-1]["passed"] == told["sandbox"]["well"]
    assert told["sandbox"]["tried"][-1]["attempts"]["tcp"] is True
    assert "sk-test" not in ended.stdout and "tvly-test" not in ended.stdout


def test_it_speaks_the_language_of_the_system_or_the_one_asked_for(tmp_path: Path) -> None:
    assert "代码沙箱：" in research(tmp_path, "doctor", LANG="zh_CN.UTF-8").stdout
    asked = research(tmp_path, "doctor", "--language=en", LANG="zh_CN.UTF-8").stdout
    assert "Sandbox for code: " in asked


def test_a_data_folder_that_cannot_be_written_is_named(tmp_path: Path) -> None:
    (tmp_path / "file").write_text("")
    ended = research(tmp_path, "doctor", DOSSIER_HOME=str(tmp_path / "file" / "data"))
    assert ended.returncode == NO_SANDBOX == 1
    assert "cannot be written" in ended.stdout
    assert "Traceback" not in ended.stderr


def test_without_any_sandbox_it_says_what_to_install(tmp_path: Path) -> None:
    """A package of the same name in front of the real one stands for a broken installation."""
    shadow = tmp_path / "shadow"
    shadow.mkdir()
    (shadow / "pyseccomp.py").write_text("raise ImportError('broken')")
    ended = research(tmp_path, "doctor", PYTHONPATH=os.fspath(shadow))
    assert ended.returncode == NO_SANDBOX
    assert "bwrap: not in use. pyseccomp or the system's libseccomp is missing" in ended.stdout
    assert "! No sandbox passes its self-test" in ended.stdout
