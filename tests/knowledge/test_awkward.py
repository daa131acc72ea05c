"""Files that go wrong, beside files that do not: each ends in passages or in one plain sentence."""

from __future__ import annotations

import resource
import sys
import time
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from pathlib import Path

import pytest

from research.errors import DocumentError
from research.i18n import catalogue, notice_text
from research.knowledge.ingestion import Ingestion
from research.knowledge.library import Library
from research.knowledge.reading import Reading, read_file
from research.knowledge.splitting import passages_of
from tests.knowledge import making
from tests.knowledge.awkward import ANY, AWKWARD, READ, good_files

MOST_SECONDS = 40.0
MOST_MEMORY = 1.6 * 1024**3


@dataclass
class Outcome:
    """How it went with one file."""

    seconds: float
    reading: Reading | None = None
    error: DocumentError | None = None
    refused: Exception | None = None


def _read(folder: Path, name: str, data: bytes) -> Outcome:
    (folder / "tables").mkdir(parents=True)
    (folder / "file").write_bytes(data)
    start = time.monotonic()
    outcome = Outcome(0)
    try:
        outcome.reading = read_file(folder / "file", name, folder / "tables", lambda _: None)
    except DocumentError as error:
        outcome.error = error
    outcome.seconds = time.monotonic() - start
    return outcome


@pytest.fixture(scope="module")
def outcomes(tmp_path_factory: pytest.TempPathFactory) -> dict[str, Outcome]:
    """Every file read in a child process of its own, two at a time."""
    folder = tmp_path_factory.mktemp("awkward")
    files = [(name, make) for name, (make, _) in AWKWARD.items()]
    files += [(name, lambda data=data: data) for name, data in good_files().items()]
    with ThreadPoolExecutor(2) as pool:
        jobs = {
            name: pool.submit(lambda n=name, m=make, i=number: _read(folder / str(i), n, m()))
            for number, (name, make) in enumerate(files)
        }
        return {name: job.result() for name, job in jobs.items()}


@pytest.mark.parametrize("name", AWKWARD)
def test_an_awkward_file_ends_in_passages_or_in_one_sentence(
    outcomes: dict[str, Outcome], name: str
) -> None:
    expected = AWKWARD[name][1]
    outcome = outcomes[name]
    if outcome.reading is not None:
        assert expected in (READ, ANY), f"it was read: {outcome.reading.blocks[:2]}"
        assert passages_of("x", outcome.reading.blocks) or outcome.reading.grids
        for warning in outcome.reading.warnings:
            assert notice_text(warning, "en") != notice_text(warning, "zh")
    else:
        assert outcome.error is not None
        assert expected in (outcome.error.key, ANY)
        assert outcome.error.key in catalogue()
        for language in ("en", "zh"):
            sentence = outcome.error.sentence(language)
            assert name in sentence
            assert "\n" not in sentence.replace(name, "")
    assert outcome.seconds < MOST_SECONDS


def test_the_good_files_beside_them_are_read(outcomes: dict[str, Outcome]) -> None:
    for name in good_files():
        reading = outcomes[name].reading
        assert reading is not None and reading.blocks, name
        assert reading.warnings == [], name


@pytest.mark.skipif(sys.platform == "win32", reason="children are not measured there")
def test_no_file_takes_more_memory_than_it_may(outcomes: dict[str, Outcome]) -> None:
    most = resource.getrusage(resource.RUSAGE_CHILDREN).ru_maxrss
    assert most * (1 if sys.platform == "darwin" else 1024) < MOST_MEMORY


def test_a_folder_of_both_is_taken_in(library: Library) -> None:
    bad = ["cut.docx", "bomb.xlsx", "entities.pptx", "junk.bin", "nested.json", "empty.pdf"]
    odd = ["gb18030.txt", "a pdf.docx", "a page.xls", "cut.json"]
    good = {name: good_files()[name] for name in ("good.pdf", "good.docx", "good.csv", "good.md")}
    ingestion = Ingestion(library)
    for name in bad + odd:
        ingestion.submit(name, AWKWARD[name][0]())
    for name, data in good.items():
        ingestion.submit(name, data)
    jobs = {job.name: job for job in making.finished(ingestion)}
    ingestion.close()
    assert {name for name, job in jobs.items() if job.state == "failed"} == set(bad)
    # The PDF with two names is one document.
    assert {document.name for document in library.documents()} == {*odd, *good} - {"good.pdf"}
