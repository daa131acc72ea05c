"""The program is killed at random moments of ingestion, again and again."""

from __future__ import annotations

import random
import signal
import sqlite3
import subprocess
import sys
import time
from pathlib import Path

import pandas as pd
import pytest

from research.knowledge.library import Library
from tests.knowledge.conftest import FIGURES, REPORT
from tests.knowledge.test_library import HashEmbedder

KILLS = 20

PROGRAM = """
import os
import signal
import sys
from functools import reduce
from importlib import import_module
from pathlib import Path
from research.knowledge.ingestion import FINAL, Ingestion
from research.knowledge.library import Library
from tests.knowledge.making import until
from tests.knowledge.test_library import HashEmbedder

home, folder, deadly = Path(sys.argv[1]), Path(sys.argv[2]), sys.argv[3]
if deadly:
    module, _, name = deadly.partition(":")
    *owners, name = name.split(".")
    owner = reduce(getattr, owners, import_module(module))
    once = getattr(owner, name)

    def then_die(*args, **kwargs):
        once(*args, **kwargs)
        os.kill(os.getpid(), signal.SIGKILL)

    setattr(owner, name, then_die)
library = Library(home, HashEmbedder())
ingestion = Ingestion(library)
ingestion.catch_up()
print("up", flush=True)
known = {document.name for document in library.documents()} | {j.name for j in ingestion.jobs()}
for path in sorted(folder.iterdir()):
    if path.name not in known:
        ingestion.submit(path.name, path.read_bytes())
until(lambda: all(job.state in FINAL for job in ingestion.jobs()))
print("done", flush=True)
"""


pytestmark = pytest.mark.skipif(sys.platform == "win32", reason="there is no SIGKILL")

DEADLY = (
    "research.knowledge.queue:Queue._hold",
    "research.knowledge.queue:Queue.put",
    "research.knowledge.keeping:take_in",
    "research.knowledge.shelf:Shelf.place",
    "research.knowledge.shelf:Shelf.place_table",
    "research.knowledge.keeping:insert",
    "research.knowledge.library:read_and_keep",
    "research.knowledge.queue:Queue.drop",
)
"""What the way of a file into the library consists of: death comes right after each of them."""


@pytest.mark.parametrize("deadly", DEADLY)
def test_a_kill_between_two_steps_costs_no_file(tmp_path: Path, deadly: str) -> None:
    folder, home = tmp_path / "files", tmp_path / "home"
    folder.mkdir()
    content = b"region,units\nNorth,41\nSouth,27\n"
    (folder / "units.csv").write_bytes(content)
    with _started(home, folder, deadly) as program:
        assert program.wait(timeout=60) == -signal.SIGKILL
    with _started(home, folder) as program:
        assert program.wait(timeout=60) == 0
    assert _check(home, {"units.csv": content}, set()) == {"units.csv"}
    assert not [path for path in (home / "queue").iterdir() if path.suffix != ".lock"]


def test_twenty_kills_at_random_moments_lose_nothing_that_was_finished(tmp_path: Path) -> None:
    folder, home = tmp_path / "files", tmp_path / "home"
    files = _files(folder)
    chance = random.Random(3)
    finished: set[str] = set()
    kills = broken_off = 0
    while kills < KILLS:
        with _started(home, folder) as program:
            assert program.stdout is not None
            assert program.stdout.readline() == "up\n"
            time.sleep(chance.uniform(0.0, 0.6))
            program.send_signal(signal.SIGKILL)
            kills += program.wait() == -signal.SIGKILL
        finished = _check(home, files, finished)
        if len(finished) == len(files):
            files = _files(folder, kills)
        else:
            broken_off += 1
    assert broken_off > KILLS / 2
    with _started(home, folder) as program:
        assert program.wait(timeout=60) == 0
    assert _check(home, files, finished) == set(files)
    assert not [path for path in (home / "queue").iterdir() if path.suffix != ".lock"]


def _files(folder: Path, edition: int = 0) -> dict[str, bytes]:
    """New files beside those that are there."""
    folder.mkdir(exist_ok=True)
    for name in (REPORT.name, FIGURES.name):
        (folder / f"{edition}-{name}").write_bytes(
            (REPORT if name == REPORT.name else FIGURES).read_bytes() + b"\n" * edition
        )
    for number in range(8):
        rows = "\n".join(f"{n},{n * number},{edition}" for n in range(200 * number + 2))
        (folder / f"{edition}-{number}.csv").write_text(f"n,m,edition\n{rows}\n")
    return {path.name: path.read_bytes() for path in folder.iterdir()}


def _started(home: Path, folder: Path, deadly: str = "") -> subprocess.Popen[str]:
    """The program; killed after the function ``deadly``, if one is named."""
    command = [sys.executable, "-c", PROGRAM, str(home), str(folder), deadly]
    root = Path(__file__).parents[2]
    return subprocess.Popen(command, cwd=root, stdout=subprocess.PIPE, text=True)


def _check(home: Path, files: dict[str, bytes], finished: set[str]) -> set[str]:
    """The names of the finished documents, each of which is complete."""
    library = Library(home, HashEmbedder())
    documents = library.documents()
    assert finished <= {document.name for document in documents}
    for document in documents:
        assert library.original(document.id).read_bytes() == files[document.name]
        assert len(library.store.numbers([document.id])) == document.passages
        tables = library.tables([document.id])
        assert len(tables) == document.tables
        assert all(len(pd.read_parquet(table.path)) == table.rows for table in tables)
    if documents:
        assert library.search(["Meridian revenue edition"])
    library.close()
    with sqlite3.connect(home / "knowledge.db") as db:
        assert db.execute("PRAGMA integrity_check").fetchone() == ("ok",)
        words = db.execute("SELECT count(*) FROM keywords").fetchone()
        assert words == db.execute("SELECT count(*) FROM passages").fetchone()
    db.close()
    return {document.name for document in documents}
