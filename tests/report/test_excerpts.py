from __future__ import annotations

from research.models import Passage, Place
from research.report.excerpts import citing_sentences, excerpt

FILLER = "Nothing of note happened in this part of the year. " * 12


def test_a_short_passage_is_printed_whole() -> None:
    assert excerpt(Passage.of("s", "One.\n  Two."), []) == "One. Two."


def test_a_long_one_is_printed_where_it_says_what_is_cited() -> None:
    passage = Passage.of("s", FILLER + "Cocoa prices rose by 61%. " + FILLER)
    shown = excerpt(passage, ["Cocoa rose 61%."])
    assert shown.startswith("… Cocoa prices rose by 61%.")
    assert shown.endswith(" …")
    assert len(shown) < 380


def test_rows_bring_the_head_of_their_table() -> None:
    rows = "\n".join(f"region {n}, {n * 1000}, units sold in the year" for n in range(60))
    passage = Passage.of("s", "name, amount, note\n" + rows, Place(rows=(1, 60)))
    shown = excerpt(passage, ["Region 41 sold 41000 units."])
    assert shown.startswith("name, amount, note · region 41, 41000")


def test_one_endless_word_is_cut() -> None:
    assert len(excerpt(Passage.of("s", "a" * 5000), [])) <= 362


def test_sentences_are_gathered_by_the_passage_they_cite() -> None:
    assert citing_sentences("One.[^a] Two.[^b][^a]") == {"a": ["One.", "Two."], "b": ["Two."]}


def test_a_quotation_of_several_sentences_cites_with_all_of_them() -> None:
    text = "Other.\n\nOne. Two.[^a] Three."
    assert citing_sentences(text) == {"a": ["One.", "Two."]}
