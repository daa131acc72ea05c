"""The vector index: its kinds, its growth, what is removed, and its file."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import numpy as np
import pytest

from research.knowledge import indexes
from research.knowledge.documents import Document
from research.knowledge.entries import Entry, insert
from research.knowledge.store import Store
from research.knowledge.vectors import VectorIndex
from research.models import Passage

DIMENSION = 24
MODEL = "test/24"
WINDOWS = 3


@pytest.fixture
def small(monkeypatch: pytest.MonkeyPatch) -> None:
    """Kinds change at a few hundred vectors instead of a few hundred thousand."""
    monkeypatch.setattr(indexes, "FLAT_UP_TO", 300)
    monkeypatch.setattr(indexes, "CODES_UP_TO", 900)


@pytest.fixture
def store(tmp_path: Path) -> Iterator[Store]:
    store = Store(tmp_path / "knowledge.db")
    yield store
    store.close()


@pytest.fixture
def chance() -> np.random.Generator:
    return np.random.default_rng(5)


def filled(store: Store, name: str, passages: int, chance: np.random.Generator) -> list[int]:
    """The numbers of the passages of a new document with random vectors."""
    found = [Passage.of(name, f"Passage {number} of {name}.") for number in range(passages)]
    document = Document(
        id=name, name=name, title=name, kind="text", sha256=name, passages=passages, tables=0,
        language="en", bytes=1, added_at=0,
    )  # fmt: skip
    with store.change() as db:
        insert(db, Entry(document, found, ()))
    numbers = store.numbers([name])
    vectors = chance.standard_normal((passages, WINDOWS, DIMENSION)).astype(np.float32)
    vectors /= np.linalg.norm(vectors, axis=2, keepdims=True)
    store.add_vectors(MODEL, numbers, list(vectors))
    return numbers


def opened(store: Store, tmp_path: Path) -> VectorIndex:
    return VectorIndex(store, MODEL, DIMENSION, tmp_path / "index")


def nearest(index: VectorIndex, number: int, among: list[int] | None = None) -> int:
    """The passage nearest to the second window of a passage."""
    query = index.vectors([number])[number][1:2]
    return index.nearest(query, among, 5)[0][0]


@pytest.mark.parametrize(
    ("passages", "kind"), [(50, "flat"), (200, "codes"), (500, "lists")]
)  # times three windows
def test_each_kind_finds_removes_and_adds(
    small: None, store: Store, tmp_path: Path, chance: np.random.Generator, passages: int, kind: str
) -> None:
    numbers = filled(store, "a", passages, chance)
    index = opened(store, tmp_path)
    nearest(index, numbers[0])
    index.wait()
    assert index.kind == kind
    assert sum(nearest(index, number) == number for number in numbers[:40]) >= 38
    later = filled(store, "b", 20, chance)
    assert nearest(index, later[7]) == later[7]
    query = index.vectors([later[7]])[later[7]][:1]
    store.remove("b")
    assert not set(index.nearest(query, None, 50)[0]) & set(later)
    assert len(index.vectors(later)) == 0


@pytest.mark.parametrize("passages", [50, 200, 500])
def test_only_the_chosen_passages_are_looked_at(
    small: None, store: Store, tmp_path: Path, chance: np.random.Generator, passages: int
) -> None:
    numbers = filled(store, "a", passages, chance)
    index = opened(store, tmp_path)
    nearest(index, numbers[0])
    index.wait()
    chosen = numbers[10:20]
    query = index.vectors([numbers[3]])[numbers[3]][:1]
    found = index.nearest(query, chosen, 30)[0]
    assert found and set(found) <= set(chosen)
    assert index.nearest(query, [10**6], 30) == [[]]


def test_it_grows_from_kind_to_kind_and_answers_all_the_while(
    small: None, store: Store, tmp_path: Path, chance: np.random.Generator
) -> None:
    index = opened(store, tmp_path)
    kinds = []
    for count in range(6):
        numbers = filled(store, f"document {count}", 80, chance)
        assert nearest(index, numbers[-1]) == numbers[-1]
        index.wait()
        kinds.append(index.kind)
    assert kinds == ["flat", "codes", "codes", "lists", "lists", "lists"]


def test_a_large_index_is_kept_and_brought_up_to_date_when_it_is_opened_again(
    small: None, store: Store, tmp_path: Path, chance: np.random.Generator
) -> None:
    first = filled(store, "a", 400, chance)
    index = opened(store, tmp_path)
    nearest(index, first[0])
    index.wait()
    index.close()
    later = filled(store, "b", 30, chance)
    gone = filled(store, "c", 5, chance)
    store.remove("c")
    again = opened(store, tmp_path)
    assert nearest(again, later[2]) == later[2]
    assert again.kind == "lists"  # from its file, for training takes a moment
    assert again.notice is None
    assert not set(gone) & set(again.nearest(np.ones((1, DIMENSION), np.float32), None, 10**4)[0])


@pytest.mark.parametrize("damage", ["flipped", "cut", "without its note", "gone"])
def test_a_damaged_or_missing_file_is_made_again_from_the_store(
    small: None, store: Store, tmp_path: Path, chance: np.random.Generator, damage: str
) -> None:
    numbers = filled(store, "a", 400, chance)
    index = opened(store, tmp_path)
    nearest(index, numbers[0])
    index.wait()
    index.close()
    [path] = (tmp_path / "index").glob("*.faiss")
    data = bytearray(path.read_bytes())
    if damage == "flipped":
        data[len(data) // 2] ^= 1
        path.write_bytes(data)
    elif damage == "cut":
        path.write_bytes(data[:1000])
    elif damage == "without its note":
        path.with_suffix(".json").unlink()
    else:
        path.unlink()
    again = opened(store, tmp_path)
    assert nearest(again, numbers[9]) == numbers[9]
    assert (again.notice is not None) == (damage != "gone")
    again.wait()
    assert again.kind == "lists"
    assert nearest(again, numbers[9]) == numbers[9]


def test_vectors_that_are_made_twice_count_once(
    store: Store, tmp_path: Path, chance: np.random.Generator
) -> None:
    numbers = filled(store, "a", 5, chance)
    index = opened(store, tmp_path)
    nearest(index, numbers[0])
    store.add_vectors(MODEL, numbers, [np.ones((1, DIMENSION), np.float32)] * 5)
    assert nearest(index, numbers[0]) == numbers[0]
    assert index.vectors(numbers)[numbers[0]].shape == (WINDOWS, DIMENSION)
