"""Rows that are cited are shown among the rows around them."""

from __future__ import annotations

from research.knowledge.library import Library
from research.knowledge.places import place_of
from research.models import Passage, Place
from tests.knowledge.making import workbook

PLANTS = [["Plant", "Accidents"], *([f"Plant {n}", n] for n in range(1, 201))]
OFFICES = [["Office", "Desks", "City"], *([f"Office {n}", n, "Graz"] for n in range(1, 201))]


def rows_of(library: Library, document_id: str, words: str) -> Passage:
    """The passage of rows that holds ``words``."""
    hits = library.search([words], documents=[document_id], limit=50)
    return next(h.passage for h in hits if h.passage.place.rows and words in h.passage.text)


def test_the_rows_of_a_passage_stand_among_their_neighbours(library: Library) -> None:
    document = library.add("book.xlsx", workbook({"Plants": PLANTS, "Offices": OFFICES}))
    passage = rows_of(library, document.id, "Office: Office 77;")
    place = place_of(library, passage)
    assert place is not None and passage.place.rows is not None
    assert place.table.place.sheet == "Offices"
    assert place.columns == ("Office", "Desks", "City")
    assert place.cited == passage.place.rows
    first, last = place.cited
    assert place.first == first - 3
    assert [row[1] for row in place.rows] == list(range(first - 3, last + 4))
    assert first <= 77 <= last


def test_at_either_end_of_a_table_there_are_no_more_rows(library: Library) -> None:
    document = library.add("plants.xlsx", workbook({"Plants": PLANTS}))
    begin = place_of(library, rows_of(library, document.id, "Plant: Plant 1;"), around=5)
    end = place_of(library, rows_of(library, document.id, "Plant: Plant 200;"), around=5)
    assert begin is not None and begin.first == 1 and begin.rows[0] == ("Plant 1", 1)
    assert end is not None and end.rows[-1] == ("Plant 200", 200)


def test_two_tables_of_one_sheet_are_told_apart(library: Library) -> None:
    sheet = [*PLANTS[:9], [], [], *OFFICES[:6]]
    document = library.add("both.xlsx", workbook({"All": sheet}))
    place = place_of(library, rows_of(library, document.id, "Office: Office 2;"), around=0)
    assert place is not None
    assert place.columns == ("Office", "Desks", "City")
    assert ("Office 2", 2, "Graz") in place.rows


def test_text_has_no_rows_and_what_is_gone_has_no_place(library: Library) -> None:
    assert place_of(library, Passage.of("gone", "text")) is None
    assert place_of(library, Passage.of("gone", "a: 1", Place(rows=(1, 1)))) is None
    document = library.add("plants.csv", b"Plant,Accidents\nLyon,4\nTurin,9\n")
    beyond = Passage.of(document.id, "Plant: Graz; Accidents: 7", Place(rows=(9, 9)))
    assert place_of(library, beyond) is None
