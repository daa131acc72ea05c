"""A change of the embedding model: the old vectors answer until the new ones are made."""

from __future__ import annotations

from pathlib import Path

import pytest

from research.errors import ConfigurationError
from research.knowledge.embedding import Embedder
from research.knowledge.library import Library
from tests.knowledge.test_library import HashEmbedder


class Old(HashEmbedder):
    name = "old"


class New(HashEmbedder):
    name = "new"
    dimension = 48


def opener(name: str) -> Embedder:
    if name != "old":
        raise ConfigurationError("knowledge.no_such_embedder", model=name)
    return Old()


def texts(count: int) -> list[tuple[str, bytes]]:
    return [(f"{n}.txt", f"Note {n} is on metal number {n}.".encode()) for n in range(count)]


@pytest.fixture
def before(tmp_path: Path) -> Path:
    """A library that another model has embedded."""
    library = Library(tmp_path, Old())
    for name, data in texts(40):
        library.add(name, data)
    library.close()
    return tmp_path


def test_old_vectors_answer_until_the_new_ones_cover_more(before: Path) -> None:
    library = Library(before, New(), opener=opener)
    assert library.unembedded() == 40
    served = []
    while True:
        hits = library.search(["note on metal"])
        assert hits and any(hit.similarity is not None for hit in hits)
        served.append(library.retriever.by_meaning(["metal"])[0].shape[1])
        if not library.embed_some():
            break
    assert served == [32, 32, 48]  # 32 of 40 passages are the old model's equal at best
    assert library.store.models() == {"new/48": 40}
    library.close()


def test_a_model_that_cannot_be_opened_any_more_leaves_it_to_the_words(before: Path) -> None:
    library = Library(before, New())
    hits = library.search(["metal number 7"])
    assert hits and all(hit.similarity is None for hit in hits)
    library.embed()
    assert all(hit.similarity is not None for hit in library.search(["metal number 7"]))
    library.close()


def test_two_sizes_of_one_model_are_two_models(before: Path) -> None:
    class Larger(Old):
        dimension = 64

    library = Library(before, Larger(), opener=lambda _: Larger())
    assert library.unembedded() == 40
    assert library.search(["metal number 7"])
    library.close()
