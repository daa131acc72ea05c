"""Kinds of FAISS index, chosen by the number of vectors, and their files on disk.

Measured with 512 dimensions on one core: an exact search takes 17 ms at 100,000 vectors and 54 ms
at 300,000; 8 bits a dimension take 10 and 32 ms at a recall of 0.99; inverted lists of such codes
take 1 ms, but half a minute and more of training. Graph indexes (HNSW) cannot forget.
"""

from __future__ import annotations

import hashlib
import json
import os
from functools import cache
from pathlib import Path
from typing import TYPE_CHECKING, Any, Literal

if TYPE_CHECKING:
    import numpy as np

Kind = Literal["flat", "codes", "lists"]

FLAT_UP_TO = 100_000
CODES_UP_TO = 250_000
LISTS_PER_ROOT = 2
"""Inverted lists, times the root of the number of vectors."""
PROBED = 1 / 16
"""Share of the lists that a query looks into."""
TRAINED_ON = 40
"""Vectors a list."""
CODES_TRAINED_ON = 20_000


def kind_for(count: int) -> Kind:
    """The kind for so many vectors."""
    if count <= FLAT_UP_TO:
        return "flat"
    return "codes" if count <= CODES_UP_TO else "lists"


def training_size(kind: Kind, count: int) -> int:
    """How many of ``count`` vectors an index of this kind is trained on."""
    if kind == "flat":
        return 0
    return min(count, CODES_TRAINED_ON if kind == "codes" else TRAINED_ON * _lists(count))


def new_index(kind: Kind, dimension: int, count: int, sample: np.ndarray) -> Any:
    """An empty index.

    Args:
        kind: What sort.
        dimension: Of the vectors.
        count: How many vectors it is made for.
        sample: ``(n, dimension)``, float32: some of them, to learn from.
    """
    faiss = _faiss()

    if kind == "flat":
        return faiss.IndexIDMap2(faiss.IndexFlatIP(dimension))
    code = faiss.ScalarQuantizer.QT_8bit
    if kind == "codes":
        coded = faiss.IndexScalarQuantizer(dimension, code, faiss.METRIC_INNER_PRODUCT)
        coded.train(sample)
        return faiss.IndexIDMap2(coded)
    centres = faiss.IndexFlatIP(dimension)
    lists = faiss.IndexIVFScalarQuantizer(
        centres, dimension, _lists(count), code, faiss.METRIC_INNER_PRODUCT
    )
    lists.cp.niter = 8
    lists.cp.min_points_per_centroid = 1
    lists.train(sample)
    return lists


def search(
    index: Any, queries: np.ndarray, limit: int, among: np.ndarray | None
) -> tuple[np.ndarray, np.ndarray]:
    """Scores and ids of the nearest ``limit``, padded with the id -1.

    Args:
        index: Of any kind.
        queries: ``(n, dimension)``, float32.
        limit: At most so many.
        among: The ids to look at, int64; all of them when None.
    """
    faiss = _faiss()

    chosen = None if among is None else faiss.IDSelectorBatch(among)
    if isinstance(index, faiss.IndexIVF):
        # A filter leaves few in each list, so more lists are looked into.
        share = PROBED if among is None else min(1.0, PROBED * 4)
        probed = max(8, round(index.nlist * share))
        parameters: Any = faiss.SearchParametersIVF(nprobe=probed, sel=chosen)
    else:
        parameters = faiss.SearchParameters(sel=chosen) if chosen else None
    scores, ids = index.search(queries, min(limit, index.ntotal), params=parameters)
    return scores, ids


def save(index: Any, path: Path, facts: dict[str, Any]) -> None:
    """Write an index beside what is to be known of it, such that a crash leaves the old one.

    FAISS loads a file with a flipped bit without a word, so its hash is kept.
    """
    faiss = _faiss()

    path.parent.mkdir(parents=True, exist_ok=True)
    draft = path.with_suffix(f".{os.getpid()}")
    try:
        faiss.write_index(index, str(draft))
        with draft.open("rb+") as file:
            digest = hashlib.file_digest(file, "sha256").hexdigest()
            os.fsync(file.fileno())
        note = draft.with_suffix(draft.suffix + ".json")
        note.write_text(json.dumps({**facts, "sha256": digest}), "utf-8")
        draft.replace(path)
        note.replace(_note(path))
    finally:
        draft.unlink(missing_ok=True)


def load(path: Path) -> tuple[Any, dict[str, Any]] | None:
    """The index at ``path`` and what was noted of it; None where it is missing or damaged."""
    faiss = _faiss()

    try:
        facts = json.loads(_note(path).read_text("utf-8"))
        with path.open("rb") as file:
            if hashlib.file_digest(file, "sha256").hexdigest() != facts["sha256"]:
                return None
        return faiss.read_index(str(path)), facts
    except (OSError, ValueError, KeyError, RuntimeError):
        return None


def _note(path: Path) -> Path:
    return path.with_suffix(".json")


def _lists(count: int) -> int:
    return max(1, round(LISTS_PER_ROOT * count**0.5))


@cache
def _faiss() -> Any:
    """FAISS on one thread: more of them wait for each other on a busy machine."""
    import faiss

    faiss.omp_set_num_threads(1)
    return faiss
