from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

import numpy as np
import pytest

from research.errors import DocumentError
from research.knowledge.library import Library
from tests.knowledge.test_library import HashEmbedder

OLD = b"# Outlook\n\nCopper will cost 9,000 dollars.\n\n# Risks\n\nStrikes may close the mine.\n"
NEW = b"# Outlook\n\nCopper will cost 9,500 dollars.\n\n# Risks\n\nStrikes may close the mine.\n"


class Recording(HashEmbedder):
    """Remembers what it was asked to embed."""

    def __init__(self) -> None:
        self.seen: list[str] = []

    def embed(self, texts: Sequence[str]) -> np.ndarray:
        self.seen += texts
        return super().embed(texts)


def test_a_new_version_replaces_the_passages_and_keeps_the_history(library: Library) -> None:
    old = library.add("outlook.md", OLD)
    new = library.add("outlook.md", NEW)
    assert library.documents() == [new]
    assert {hit.passage.source_id for hit in library.search(["copper dollars"])} == {new.id}
    [version] = library.versions(new.id)
    assert (version.document, version.replaced_by) == (old, new.id)
    assert library.original(old.id).read_bytes() == OLD
    assert library.original(new.id).read_bytes() == NEW


def test_the_history_follows_the_newest_version_and_goes_with_it(library: Library) -> None:
    texts = [f"Version {n} of the note.".encode() for n in range(3)]
    first, second, third = (library.add("note.txt", text) for text in texts)
    assert [v.document.id for v in library.versions(third.id)] == [second.id, first.id]
    library.remove(third.id)
    assert library.versions(third.id) == []
    with pytest.raises(DocumentError):
        library.original(first.id)
    assert not list((library.home / "documents").iterdir())


def test_an_old_version_that_is_added_again_is_the_current_one(library: Library) -> None:
    old = library.add("outlook.md", OLD)
    new = library.add("outlook.md", NEW)
    back = library.add("outlook.md", OLD)
    assert back.id == old.id
    assert [document.id for document in library.documents()] == [old.id]
    assert [version.document.id for version in library.versions(old.id)] == [new.id]
    assert "9,000" in library.search(["copper dollars"])[0].passage.text


def test_only_what_changed_is_embedded_again(tmp_path: Path) -> None:
    embedder = Recording()
    library = Library(tmp_path, embedder)
    library.add("outlook.md", OLD)
    embedder.seen.clear()
    library.add("outlook.md", NEW)
    assert any("9,500" in text for text in embedder.seen)
    assert not any("Strikes" in text for text in embedder.seen)
    assert library.unembedded() == 0
    library.close()


def test_a_replaced_document_can_be_kept_beside_the_new_one(library: Library) -> None:
    old = library.add("outlook.md", OLD)
    new = library.add("outlook.md", NEW)
    again = library.split_off(old.id)
    assert again.id == old.id
    assert {document.id for document in library.documents()} == {old.id, new.id}
    assert library.versions(new.id) == []
    assert library.original(old.id).read_bytes() == OLD
    with pytest.raises(DocumentError):
        library.split_off(old.id)


def test_the_same_name_in_another_collection_is_another_document(library: Library) -> None:
    first = library.create_collection("Copper")
    second = library.create_collection("Zinc")
    library.add("report.txt", b"On copper.", collection=first.id)
    library.add("report.txt", b"On zinc.", collection=second.id)
    library.add("report.txt", b"On neither.")
    assert len(library.documents()) == 3
