from __future__ import annotations

from research.knowledge.readers import Block
from research.knowledge.splitting import CHARS, passages_of
from research.knowledge.windows import windows

ENGLISH = "".join(f"Revenue {n} rose by 3.5 percent, or 1,204.1 million. " for n in range(60))
CHINESE = "".join(f"第{n}号公司全年营业收入增长了百分之十二，主要来自储能业务。" for n in range(60))


def test_a_long_text_is_cut_at_the_ends_of_sentences_into_even_pieces() -> None:
    for text, end in ((ENGLISH, "."), (CHINESE, "。")):
        pieces = [p.text for p in passages_of("d", [Block(text, page=1)])]
        assert "".join(pieces).replace(" ", "") == text.replace(" ", "")
        assert all(piece in text for piece in pieces)
        assert all(piece.endswith(end) for piece in pieces)
        assert all(400 <= len(piece) <= CHARS for piece in pieces)


def test_a_passage_stays_within_one_page_and_one_heading() -> None:
    blocks = [
        Block("One.", page=1, heading=("A",)),
        Block("Two.", page=1, heading=("A",)),
        Block("Three.", page=1, heading=("A", "B")),
        Block("Four.", page=2, heading=("A", "B")),
    ]
    found = passages_of("d", blocks)
    assert [p.text for p in found] == ["One.\n\nTwo.", "Three.", "Four."]
    assert [(p.place.page, p.place.heading) for p in found] == [
        (1, ("A",)), (1, ("A", "B")), (2, ("A", "B"))
    ]  # fmt: skip


def test_the_same_text_at_the_same_place_is_one_passage() -> None:
    blocks = [Block("Same.", page=1), Block("Other.", page=2), Block("Same.", page=1)]
    assert [p.text for p in passages_of("d", blocks)] == ["Same.", "Other."]


def test_what_is_embedded_are_a_few_sentences_at_a_time() -> None:
    parts = windows("First sentence here. " * 30)
    assert len(parts) > 2
    assert all(len(part) <= 220 and part.endswith(".") for part in parts)
    assert windows("短句。") == ["短句。"]


def test_two_tables_of_one_title_stay_two_passages() -> None:
    blocks = [
        Block("region: North; sales: 10", sheet="Sales", heading=("Sales",), rows=(1, 1)),
        Block("people: 7; city: Bern", sheet="Sales", heading=("Sales",), rows=(1, 1)),
    ]
    assert [passage.text for passage in passages_of("doc", blocks)] == [b.text for b in blocks]


def test_a_word_without_end_is_cut() -> None:
    pieces = passages_of("d", [Block("".join(f"{n:x}" for n in range(800_000)))])
    assert sum(len(piece.text) for piece in pieces) > 3_000_000
    assert max(len(piece.text) for piece in pieces) == CHARS
