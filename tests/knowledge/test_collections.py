from __future__ import annotations

import pytest

from research.errors import DocumentError
from research.knowledge.documents import Selection
from research.knowledge.library import Library


def test_collections_are_made_described_renamed_and_dissolved(library: Library) -> None:
    zinc = library.create_collection("  Zinc ", "All on zinc")
    copper = library.create_collection("Copper")
    assert [collection.name for collection in library.collections()] == ["Copper", "Zinc"]
    library.change_collection(zinc.id, "Zink", "Alles")
    assert library.collections()[1].model_dump(exclude={"created_at", "id"}) == {
        "name": "Zink",
        "description": "Alles",
    }
    document = library.add("a.txt", b"On copper.", collection=copper.id)
    assert document.collection == copper.id
    library.remove_collection(copper.id)
    assert [each.collection for each in library.documents()] == [None]


@pytest.mark.parametrize("name", ["", "  "])
def test_a_collection_needs_a_name(library: Library, name: str) -> None:
    with pytest.raises(DocumentError) as caught:
        library.create_collection(name)
    assert caught.value.key == "knowledge.nameless_collection"


def test_no_two_collections_have_the_same_name(library: Library) -> None:
    library.create_collection("Zinc")
    other = library.create_collection("Copper")
    for attempt in (
        lambda: library.create_collection("Zinc"),
        lambda: library.change_collection(other.id, "Zinc", ""),
    ):
        with pytest.raises(DocumentError) as caught:
            attempt()
        assert caught.value.key == "knowledge.taken_collection"
    assert [collection.name for collection in library.collections()] == ["Copper", "Zinc"]


def test_documents_are_moved_between_collections(library: Library) -> None:
    zinc = library.create_collection("Zinc")
    document = library.add("a.txt", b"On zinc.")
    library.move(document.id, zinc.id)
    assert library.documents(Selection(collections=(zinc.id,)))[0].id == document.id
    library.move(document.id, None)
    assert library.documents(Selection(collections=(zinc.id,))) == []
    with pytest.raises(DocumentError):
        library.move(document.id, "gone")
    with pytest.raises(DocumentError):
        library.change_collection("gone", "name", "")


def test_a_selection_narrows_by_collection_kind_date_and_document(library: Library) -> None:
    zinc = library.create_collection("Zinc")
    library.add("a.txt", b"On zinc.", collection=zinc.id)
    note = library.add("b.md", b"# On copper\n\nIt is red.")
    library.add("c.csv", b"metal,price\nzinc,2500\ncopper,9000\n")

    def names(**chosen: object) -> list[str]:
        return [d.name for d in library.documents(Selection.model_validate(chosen))]

    assert names() == ["a.txt", "b.md", "c.csv"]
    assert names(collections=(zinc.id,)) == ["a.txt"]
    assert names(kinds=("csv", "markdown")) == ["b.md", "c.csv"]
    assert names(documents=(note.id,), kinds=("csv",)) == []
    assert names(since="2999-01-01") == []
    assert names(since="2020-01-01", until="2999-01-01") == ["a.txt", "b.md", "c.csv"]
