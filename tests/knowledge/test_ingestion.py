from __future__ import annotations

import time
from pathlib import Path

from research.knowledge.embedding import BuiltinEmbedder
from research.knowledge.ingestion import Ingestion
from research.knowledge.library import Library
from tests.knowledge import making
from tests.knowledge.conftest import FIGURES, REPORT


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


def test_closing_breaks_off_the_file_at_hand(library: Library) -> None:
    ingestion = Ingestion(library)
    rows = "\n".join(f"{n},{n * n}" for n in range(5000))
    ingestion.submit("long.csv", f"number,square\n{rows}\n".encode())
    ingestion.submit("next.txt", b"This one is never begun.")
    while ingestion.jobs()[0].state != "embedding":
        time.sleep(0.005)
    ingestion.close()
    assert library.documents() == []
    assert ingestion.jobs()[1].state == "waiting"


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
