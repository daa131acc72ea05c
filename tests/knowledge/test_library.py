from __future__ import annotations

import shutil
import signal
import sqlite3
import subprocess
import sys
import threading
from collections.abc import Sequence
from pathlib import Path

import numpy as np
import pandas as pd
import pytest

from research.errors import DocumentError, StoreError
from research.knowledge.documents import Progress
from research.knowledge.embedding import Embedder
from research.knowledge.library import Library
from tests.knowledge.conftest import FIGURES, REPORT

NOTE = b"The zanzibarite deposit was found in June by the second expedition."


class HashEmbedder:
    """A model of another name and size; its vectors depend on the words only."""

    name = "hash"
    dimension = 32

    def embed(self, texts: Sequence[str]) -> np.ndarray:
        rows = np.full((len(texts), self.dimension), 0.01, np.float32)
        for row, text in zip(rows, texts, strict=True):
            for word in text.lower().split():
                row[sum(word.encode()) % self.dimension] += 1
        return rows / np.linalg.norm(rows, axis=1, keepdims=True)

    def embed_queries(self, texts: Sequence[str]) -> np.ndarray:
        return self.embed(texts)

    def understands(self, text: str) -> bool:
        return text.isascii()


def test_a_document_says_what_it_holds(samples: Library) -> None:
    report, figures = samples.documents()
    assert (report.name, report.kind, report.pages, report.rows) == (REPORT.name, "pdf", 10, 23)
    assert (report.tables, report.date) == (4, "2026-03-10")
    assert report.title == "Meridian Instruments Annual Report 2025"
    assert (figures.kind, figures.pages, figures.rows, figures.tables) == ("csv", None, 60, 1)
    assert report.language == figures.language == "en"
    assert samples.sources()[report.id].locator == REPORT.name
    assert list(samples.sources([figures.id])) == [figures.id]
    assert samples.original(report.id).read_bytes() == REPORT.read_bytes()


def test_a_table_is_described_and_can_be_opened(samples: Library) -> None:
    table = samples.tables()[-1]
    assert (table.name, table.title) == ("meridian_revenue_by_region", "meridian revenue by region")
    assert table.columns[0].examples[:2] == ("North America", "EMEA")
    assert pd.read_parquet(table.path).groupby("year")["revenue_musd"].sum().round(1).tolist() == [
        1087.2, 1119.7, 1204.1
    ]  # fmt: skip
    [profile] = [
        hit.passage
        for hit in samples.search(["table with columns region, year, quarter"], limit=30)
        if hit.passage.text.startswith("Table ")
    ]
    assert "60 rows" in profile.text
    assert "year (2023 to 2025)" in profile.text


def test_passages_are_given_back_in_the_order_asked_for(samples: Library) -> None:
    ids = [hit.passage.id for hit in samples.search(["revenue"], limit=5)]
    asked = [ids[3], "unknown", ids[0]]
    assert [passage.id for passage in samples.passages(asked)] == [ids[3], ids[0]]


def test_the_same_bytes_again_are_the_same_document(library: Library) -> None:
    first = library.add("note.txt", NOTE)
    assert library.add("copy of note.txt", NOTE) == first
    assert len(library.documents()) == 1


def test_the_same_file_added_twice_at_once_is_kept_once(library: Library) -> None:
    found = []
    threads = [
        threading.Thread(target=lambda: found.append(library.add("note.txt", NOTE).id))
        for _ in range(3)
    ]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert len(set(found)) == len(library.documents()) == 1
    assert library.original(found[0]).read_bytes() == NOTE


def test_progress_goes_from_reading_to_embedding(library: Library) -> None:
    steps: list[Progress] = []
    document = library.add(REPORT.name, REPORT.read_bytes(), steps.append)
    states = [step.state for step in steps]
    assert states == sorted(states, reverse=True)
    assert steps[-1] == Progress(state="embedding", done=document.passages, total=document.passages)


def test_a_removed_document_leaves_no_trace(library: Library, tmp_path: Path) -> None:
    kept = library.add(FIGURES.name, FIGURES.read_bytes())
    note = library.add("note.txt", NOTE)
    original = library.original(note.id)
    [hit] = [h for h in library.search(["zanzibarite"]) if h.passage.source_id == note.id]
    library.remove(note.id)
    assert library.documents() == [kept]
    assert library.passages([hit.passage.id]) == []
    assert note.id not in {h.passage.source_id for h in library.search(["zanzibarite"])}
    assert not original.parent.exists()
    with pytest.raises(DocumentError):
        library.original(note.id)
    library.close()
    files = (tmp_path / "home").rglob("*")
    assert not [f for f in files if f.is_file() and b"zanzibarit" in f.read_bytes()]


def test_two_libraries_on_one_folder_see_each_others_documents(
    tmp_path: Path, embedder: Embedder
) -> None:
    one, two = Library(tmp_path, embedder), Library(tmp_path, embedder)
    assert two.search(["zanzibarite"]) == []
    note = one.add("note.txt", NOTE)
    assert [hit.passage.source_id for hit in two.search(["zanzibarite"])] == [note.id]
    two.remove(note.id)
    assert one.search(["zanzibarite"]) == []
    one.close()
    two.close()


KILLED = """
import os, signal, sys
from pathlib import Path
import research.knowledge.keeping as module
from research.knowledge.library import Library

class Slow:
    name, dimension = "slow", 8
    def embed(self, texts):
        import numpy as np
        return np.full((len(texts), 8), 8 ** -0.5, np.float32)
    def understands(self, text):
        return True

library = Library(Path(sys.argv[1]), Slow())
library.add("first.txt", b"The first file was kept before.")
insert = module.insert
def insert_and_die(db, entry):
    insert(db, entry)
    os.kill(os.getpid(), signal.SIGKILL)
module.insert = insert_and_die
library.add("second.txt", b"The second file was about to be committed.")
"""


@pytest.mark.skipif(sys.platform == "win32", reason="there is no SIGKILL")
def test_a_process_killed_in_the_middle_of_adding_leaves_a_sound_library(
    tmp_path: Path, embedder: Embedder
) -> None:
    died = subprocess.run([sys.executable, "-c", KILLED, str(tmp_path)], check=False)
    assert died.returncode == -signal.SIGKILL
    library = Library(tmp_path, embedder)
    assert [document.name for document in library.documents()] == ["first.txt"]
    second = library.add("second.txt", b"The second file was about to be committed.")
    assert library.original(second.id).exists()
    assert "about to be committed" in library.search(["second file"])[0].passage.text
    library.close()


def test_another_model_never_compares_with_old_vectors_until_they_are_made_anew(
    tmp_path: Path, embedder: Embedder
) -> None:
    before = Library(tmp_path, embedder)
    before.add(REPORT.name, REPORT.read_bytes())
    count = before.documents()[0].passages
    before.close()

    library = Library(tmp_path, HashEmbedder())
    assert library.unembedded() == count
    hits = library.search(["Halvorsen Teknik"])
    assert hits and all(hit.similarity is None for hit in hits)
    steps: list[Progress] = []
    library.embed(steps.append)
    assert steps[-1] == Progress(state="embedding", done=count, total=count)
    assert library.unembedded() == 0
    assert all(hit.similarity is not None for hit in library.search(["Halvorsen Teknik"]))
    library.close()

    again = Library(tmp_path, embedder)
    assert again.unembedded() == count
    again.close()


def test_a_model_that_does_not_know_a_language_leaves_it_to_the_words(tmp_path: Path) -> None:
    library = Library(tmp_path, HashEmbedder())
    library.add("隔膜.txt", "隔膜由同一家供应商提供。".encode())
    [hit] = library.search(["隔膜供应商"])
    assert hit.similarity is None
    library.close()


def test_a_library_of_a_newer_version_is_refused(tmp_path: Path, embedder: Embedder) -> None:
    Library(tmp_path, embedder).close()
    with sqlite3.connect(tmp_path / "knowledge.db") as db:
        db.execute("INSERT INTO migrations VALUES ('from the future')")
    db.close()
    with pytest.raises(StoreError) as caught:
        Library(tmp_path, embedder)
    assert caught.value.key == "errors.store_newer"


def test_a_file_that_is_no_library_is_refused(tmp_path: Path, embedder: Embedder) -> None:
    (tmp_path / "knowledge.db").write_bytes(b"This is not a database. " * 400)
    with pytest.raises(StoreError):
        Library(tmp_path, embedder)


@pytest.mark.skipif(sys.platform != "linux", reason="mounts a small file system")
def test_a_full_disk_is_one_sentence_and_loses_nothing(tmp_path: Path, embedder: Embedder) -> None:
    home = tmp_path / "small"
    home.mkdir()
    if not mounted(home):
        pytest.skip("mounting a small file system needs rights this user does not have")
    try:
        library = Library(home, embedder)
        note = library.add("note.txt", NOTE)
        with pytest.raises(StoreError) as caught:
            library.add(REPORT.name, REPORT.read_bytes() + b"\n" * 800_000)
        assert caught.value.key == "errors.disk_full"
        assert library.documents() == [note]
        assert library.search(["zanzibarite"])
        library.close()
    finally:
        subprocess.run(["umount", str(home)], check=True)


def mounted(folder: Path) -> bool:
    """Whether a file system of 600 KB could be mounted there."""
    command = ["mount", "-t", "tmpfs", "-o", "size=600k", "tmpfs", str(folder)]
    return (
        shutil.which("mount") is not None
        and not subprocess.run(command, capture_output=True, check=False).returncode
    )
