from __future__ import annotations

import os
import signal
import sys
from importlib.util import find_spec
from pathlib import Path

import pytest

from research.errors import DocumentError
from research.i18n import notice_text
from research.knowledge.documents import Progress
from research.knowledge.embedding import Embedder
from research.knowledge.ingestion import Ingestion
from research.knowledge.library import Library
from tests.knowledge import making
from tests.knowledge.conftest import FIGURES, REPORT

HAS_OCR = find_spec("rapidocr") is not None
SCANNED = "readers.all_pages_scanned" if HAS_OCR else "readers.all_pages_scanned_no_engine"

BAD = {
    "empty.pdf": (lambda: b"", "knowledge.empty_file"),
    "blank.txt": (lambda: b" \n\n", "knowledge.empty_file"),
    "cut.pdf": (lambda: REPORT.read_bytes()[:30_000], "knowledge.damaged"),
    "locked.pdf": (lambda: making.encrypted(REPORT.read_bytes()), "knowledge.encrypted"),
    "junk.pdf": (lambda: bytes(range(256)) * 50, "knowledge.not_what_it_says"),
    "junk.txt": (lambda: bytes(range(256)) * 50, "knowledge.unknown_format"),
    "scan.pdf": (lambda: making.scan(2), SCANNED),
    "bomb.xlsx": (making.zip_bomb, "knowledge.unpacks_too_large"),
    "cut.xlsx": (lambda: making.workbook({"a": [["b"]]})[:2000], "knowledge.damaged"),
    "cut.docx": (lambda: making.word(lambda d: d.add_paragraph("x"))[:9000], "knowledge.damaged"),
    "old.doc": (lambda: b"\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1" + bytes(4096), "knowledge.damaged"),
    "nothing.docx": (lambda: making.word(lambda _: None), "knowledge.no_text"),
}


@pytest.mark.parametrize("name", BAD)
def test_a_bad_file_ends_in_one_sentence(library: Library, name: str) -> None:
    make, key = BAD[name]
    with pytest.raises(DocumentError) as caught:
        library.add(name, make())
    assert caught.value.key == key
    for language in ("en", "zh"):
        assert name in caught.value.sentence(language)
    assert library.documents() == []


def test_the_other_files_go_on(library: Library) -> None:
    ingestion = Ingestion(library)
    files = {name: BAD[name][0]() for name in ("junk.pdf", "cut.pdf", "cut.xlsx")}
    files |= {FIGURES.name: FIGURES.read_bytes(), "fine.txt": b"All is well."}
    for name, data in files.items():
        ingestion.submit(name, data)
    jobs = making.finished(ingestion)
    ingestion.close()
    assert [job.state for job in jobs] == ["failed", "failed", "failed", "done", "done"]
    assert {document.name for document in library.documents()} == {FIGURES.name, "fine.txt"}
    assert jobs[0].error is not None
    assert "junk.pdf" in notice_text(jobs[0].error, "zh")


def test_a_file_above_the_limit_is_refused_before_it_is_read(
    tmp_path: Path, embedder: Embedder
) -> None:
    library = Library(tmp_path, embedder, upload_mb=1)
    with pytest.raises(DocumentError) as caught:
        library.add("big.txt", b"x" * (1024 * 1024 + 1))
    assert caught.value.key == "knowledge.too_large"
    library.close()


def test_a_file_that_takes_too_long_is_given_up(tmp_path: Path) -> None:
    rows = b"a,b\n" + b"1,2\n" * 500_000
    with pytest.raises(DocumentError) as caught:
        making.read(tmp_path, "slow.csv", rows, wall_seconds=0.4)
    assert caught.value.key == "knowledge.too_slow"


@pytest.mark.skipif(sys.platform != "linux", reason="looks for the child in /proc")
def test_the_pages_read_before_the_reader_died_are_kept(tmp_path: Path) -> None:
    def kill(step: Progress) -> None:
        if step.done == 1:
            [child] = reader_processes()
            os.kill(child, signal.SIGKILL)

    data = making.repeated(making.pdf("A page with a few words on it."), 1900)
    reading = making.read(tmp_path, "long.pdf", data, progress=kill)
    [warning] = reading.warnings
    assert warning.key == "knowledge.pages_read"
    assert 0 < warning.params["done"] < warning.params["total"] == 1900
    assert len(reading.blocks) >= warning.params["done"]


def reader_processes() -> list[int]:
    """The readers that this process has started."""
    found = []
    for folder in Path("/proc").glob("[0-9]*"):
        try:
            command = (folder / "cmdline").read_bytes()
            parent = int((folder / "stat").read_text().rpartition(")")[2].split()[1])
        except OSError:
            continue
        if parent == os.getpid() and b"research.knowledge.readers" in command:
            found.append(int(folder.name))
    return found


def test_what_progress_raises_ends_the_reader_and_is_passed_on(library: Library) -> None:
    class StopError(Exception):
        pass

    def stop(_: object) -> None:
        raise StopError

    with pytest.raises(StopError):
        library.add(REPORT.name, REPORT.read_bytes(), stop)
    assert library.documents() == []
    assert reader_processes() == []
