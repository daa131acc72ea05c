from __future__ import annotations

import threading
import time
from collections.abc import Sequence
from pathlib import Path

import numpy as np

from research.knowledge.embedding import BuiltinEmbedder
from research.knowledge.ingestion import Ingestion
from research.knowledge.library import Library
from tests.knowledge import making
from tests.knowledge.conftest import FIGURES, REPORT
from tests.knowledge.test_library import HashEmbedder


def test_files_are_taken_in_one_after_another_with_their_progress(library: Library) -> None:
    ingestion = Ingestion(library)
    report = ingestion.submit(REPORT.name, REPORT.read_bytes())
    figures = ingestion.submit(FIGURES.name, FIGURES.read_bytes())
    seen = set()
    while ingestion.jobs()[0].state != "done":
        job = ingestion.jobs()[0]
        seen.add((job.state, job.total))
        time.sleep(0.005)
    job = making.finished(ingestion)[-1]
    assert job.document is not None
    assert (job.document.rows, job.done, job.total) == (60, 12, 12)
    assert ("reading", 10) in seen or ("embedding", 30) in seen
    assert [each.id for each in ingestion.jobs()] == [report, figures]
    ingestion.clear_finished()
    assert ingestion.jobs() == []
    ingestion.close()


def test_closing_breaks_off_the_file_at_hand_and_the_next_start_takes_it_up(
    library: Library,
) -> None:
    ingestion = Ingestion(library)
    rows = "\n".join(f"{n},{n * n}" for n in range(300_000))
    ingestion.submit("long.csv", f"number,square\n{rows}\n".encode())
    ingestion.submit("next.txt", b"This one is never begun.")
    making.until(lambda: ingestion.jobs()[0].state == "reading")
    ingestion.close()
    assert library.documents() == []
    assert [job.state for job in ingestion.jobs()] == ["waiting", "waiting"]
    again = Ingestion(library)
    again.catch_up()
    assert [job.name for job in again.jobs()] == ["long.csv", "next.txt"]
    again.cancel(again.jobs()[0].id)
    assert [job.state for job in making.finished(again)] == ["done"]
    assert [document.name for document in library.documents()] == ["next.txt"]
    again.close()


def test_a_document_is_found_by_its_words_before_its_vectors_are_made(tmp_path: Path) -> None:
    gate = threading.Event()

    class Slow(HashEmbedder):
        def embed(self, texts: Sequence[str]) -> np.ndarray:
            assert gate.wait(60)
            return super().embed(texts)

        def understands(self, text: str) -> bool:
            return False

    library = Library(tmp_path, Slow())
    ingestion = Ingestion(library)
    ingestion.submit("note.txt", b"Zanzibarite was found in June.")
    making.until(lambda: ingestion.jobs()[0].state == "embedding")
    [hit] = library.search(["zanzibarite"])
    assert hit.similarity is None
    assert library.unembedded() == 1
    gate.set()
    assert making.finished(ingestion)[0].done == 1
    assert library.unembedded() == 0
    ingestion.close()
    library.close()


def test_work_can_be_stopped_and_taken_up_again(library: Library) -> None:
    ingestion = Ingestion(library)
    ingestion.pause()
    ingestion.submit("a.txt", b"The first note is about copper.")
    ingestion.submit("b.txt", b"The second note is about zinc.")
    assert ingestion.paused
    assert [job.state for job in ingestion.jobs()] == ["waiting", "waiting"]
    assert ingestion.overall() == (0, 61)
    ingestion.go_on()
    assert [job.state for job in making.finished(ingestion)] == ["done", "done"]
    assert ingestion.overall() == (61, 61)
    ingestion.close()


def test_a_locked_file_waits_for_its_password_while_the_others_go_on(library: Library) -> None:
    ingestion = Ingestion(library)
    locked = making.encrypted(making.pdf("The merger is set for May."), "open sesame")
    job_id = ingestion.submit("locked.pdf", locked)
    ingestion.submit("open.txt", b"This one is open.")
    making.until(lambda: [j.state for j in ingestion.jobs()] == ["locked", "done"])
    ingestion.close()
    ingestion = Ingestion(library)  # it still waits after a restart
    ingestion.catch_up()
    making.until(lambda: [job.state for job in ingestion.jobs()] == ["locked"])
    ingestion.unlock(job_id, "wrong")
    making.until(lambda: ingestion.jobs()[0].error is not None)
    error = ingestion.jobs()[0].error
    assert error is not None
    assert error.key == "knowledge.wrong_password"
    ingestion.unlock(job_id, "open sesame")
    making.until(lambda: ingestion.jobs()[0].state == "done")
    assert "merger" in library.search(["merger in May"])[0].passage.text
    assert not list((library.home / "queue").iterdir())
    for path in library.home.rglob("*"):
        assert path.is_dir() or b"open sesame" not in path.read_bytes()
    ingestion.close()


def test_what_failed_is_still_told_after_a_restart_until_it_is_cleared(library: Library) -> None:
    ingestion = Ingestion(library)
    ingestion.submit("empty.pdf", b"  ")
    making.finished(ingestion)
    ingestion.close()
    again = Ingestion(library)
    again.catch_up()
    [job] = again.jobs()
    assert job.state == "failed"
    assert job.error is not None
    again.clear_finished()
    again.close()
    assert Ingestion(library).jobs() == []
    assert not list((library.home / "queue").iterdir())


def test_a_file_that_is_there_and_a_new_version_are_told_apart(library: Library) -> None:
    ingestion = Ingestion(library)
    ingestion.submit("note.txt", b"Copper costs 9,000 dollars a ton.")
    ingestion.submit("note.txt", b"Copper costs 9,000 dollars a ton.")
    ingestion.submit("note.txt", b"Copper costs 9,500 dollars a ton.")
    first, same, newer = making.finished(ingestion)
    assert (first.known, same.known, newer.known) == (False, True, False)
    assert newer.replaced == first.document
    [document] = library.documents()
    assert document == newer.document
    ingestion.close()


def test_passages_of_another_embedder_get_their_vectors_in_the_background(tmp_path: Path) -> None:
    class Counting(BuiltinEmbedder):
        name = "another"

    before = Library(tmp_path)
    before.add(REPORT.name, REPORT.read_bytes())
    before.close()
    library = Library(tmp_path, Counting())
    assert library.unembedded() > 0
    ingestion = Ingestion(library)
    ingestion.catch_up()
    assert [job.state for job in making.finished(ingestion)] == ["done"]
    assert library.unembedded() == 0
    ingestion.catch_up()
    assert len(ingestion.jobs()) == 1
    ingestion.close()
    library.close()
