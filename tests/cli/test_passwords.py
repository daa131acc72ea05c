"""A locked file on the command line, on a real terminal."""

from __future__ import annotations

import os
import sys
from pathlib import Path

import pytest

from tests.knowledge import making

pty = pytest.importorskip("pty", reason="there are no pseudo terminals here")
ROOT = Path(__file__).parents[2]


@pytest.mark.filterwarnings("ignore:.*multi-threaded:DeprecationWarning")
def test_whoever_sits_at_the_terminal_is_asked_for_the_password(tmp_path: Path) -> None:
    path = tmp_path / "locked.pdf"
    path.write_bytes(making.encrypted(making.pdf("The merger is set for May."), "open sesame"))
    arguments = ["-m", "research", "ask", "When is the merger?", "--file", str(path)]
    child, terminal = pty.fork()
    if child == 0:
        os.chdir(ROOT)
        os.environ |= {"DOSSIER_HOME": str(tmp_path / "home"), "OPENAI_API_KEY": ""}
        os.execv(sys.executable, [sys.executable, *arguments])
    said = answered(terminal, "give it", "wrong")
    assert "wrong" not in said
    answered(terminal, "try another", "open sesame")
    rest = b""
    while data := _read(terminal):
        rest += data
    _, status = os.waitpid(child, 0)
    assert os.waitstatus_to_exitcode(status) == 0
    assert "The merger is set for May." in rest.decode()
    assert "open sesame" not in rest.decode()


def answered(terminal: int, question: str, answer: str) -> str:
    """Wait for ``question`` on the terminal, then type ``answer``."""
    said = b""
    while question not in said.decode(errors="replace"):
        data = _read(terminal)
        assert data, said
        said += data
    os.write(terminal, f"{answer}\n".encode())
    return said.decode()


def _read(terminal: int) -> bytes:
    try:
        return os.read(terminal, 4096)
    except OSError:  # the other side is gone
        return b""
