from __future__ import annotations

import tomllib
from pathlib import Path
from typing import Any

import pytest

from research.knowledge.library import Library
from tests.knowledge import making
from tests.knowledge.conftest import FIGURES, SAMPLES

FACTS = tomllib.loads((SAMPLES / "facts.toml").read_text("utf-8"))["fact"]
RIVERS = "The Aare flows through Bern. It rises in the glaciers of the Bernese Alps."


@pytest.mark.parametrize("fact", FACTS, ids=[fact["question"] for fact in FACTS])
def test_a_question_finds_the_place_of_its_answer(samples: Library, fact: dict[str, Any]) -> None:
    hits = samples.search([fact["question"]], limit=3)
    assert [hit for hit in hits if answers(hit.passage.text, hit.passage.place, fact)]


def answers(text: str, place: Any, fact: dict[str, Any]) -> bool:
    if "rows" in fact:
        return bool(place.rows) and place.rows[0] <= fact["rows"] <= place.rows[1]
    return place.page == fact["page"] and fact["answer"] in text


def test_chinese_questions_find_their_place_in_a_chinese_document(library: Library) -> None:
    library.add("青岚年报.pdf", making.pdf(making.CHINESE_REPORT))
    assert library.documents()[0].language == "zh"
    for question, page, answer in (
        ("华东地区的收入为什么增长？", 1, "苏州新工厂在三月投产"),
        ("哪家供应商提供隔膜？", 2, "隔膜由同一家供应商提供"),
        ("汇率变化对利润有什么影响？", 2, "净利润减少约一点二亿元"),
        ("全年营业收入是多少？", 1, "营业收入八十六亿元"),
    ):
        hit = library.search([question], limit=1)[0]
        assert (hit.passage.place.page, answer in hit.passage.text) == (page, True)


@pytest.mark.parametrize(
    ("question", "page"),
    [
        ("欧洲的收入为什么在2024年下降？", 5),
        ("大中华区收入下滑的原因", 6),
        ("研发费用是多少？", 7),
        ("公司有多少名员工？", 10),
    ],
)
def test_a_chinese_question_finds_its_place_in_an_english_document(
    samples: Library, question: str, page: int
) -> None:
    hits = samples.search([question], limit=5)
    assert page in [hit.passage.place.page for hit in hits]


def test_the_similarity_tells_evidence_from_none(samples: Library) -> None:
    asked = [samples.search([fact["question"]], limit=5) for fact in FACTS]
    assert all(max(hit.similarity or 0.0 for hit in hits) > 0.24 for hits in asked)
    for question in ("best pasta recipe", "How to train a puppy?", "怎样做红烧肉"):
        assert all((hit.similarity or 0.0) < 0.2 for hit in samples.search([question]))


def test_the_text_comes_before_many_rows_that_are_alike(samples: Library) -> None:
    hits = samples.search(["How did revenue by region change, and why?"], limit=12)
    assert hits[0].passage.place.page == 4
    assert sum(hit.passage.place.rows is not None for hit in hits) <= 3
    assert 5 in {hit.passage.place.page for hit in hits}


def test_only_the_chosen_documents_are_searched(samples: Library) -> None:
    [table] = [d.id for d in samples.documents() if d.name == FIGURES.name]
    hits = samples.search(["revenue of EMEA"], documents=[table], limit=30)
    assert {hit.passage.source_id for hit in hits} == {table}
    assert samples.search(["revenue"], documents=[]) == []
    assert samples.search(["revenue"], documents=["unknown"]) == []


def test_several_queries_are_fused_into_one_ranking(samples: Library) -> None:
    hits = samples.search(["magnets suppliers", "lithium producers in Chile"], limit=4)
    assert {9, 6} <= {hit.passage.place.page for hit in hits}
    assert len({hit.passage.id for hit in hits}) == len(hits)


def test_a_passage_that_says_the_same_is_shown_once(library: Library) -> None:
    for name, extra in (("one.txt", ""), ("two.txt", "\n")):
        library.add(name, (RIVERS + extra).encode())
    library.add("other.txt", RIVERS.replace("Bern.", "Bern, 295 km.").encode())
    hits = library.search(["Aare"])
    assert len(hits) == 2  # a different number is a different statement


@pytest.mark.parametrize(
    "query",
    ['"', "AND OR NOT", "a* OR (b", "col:val", "", "   ", "😀", "-", "'; DROP TABLE x", "的"],
)
def test_no_query_breaks_the_search(samples: Library, query: str) -> None:
    samples.search([query])


def test_word_forms_compounds_and_numbers_meet(library: Library) -> None:
    library.add("a.txt", b"Backups were restored. The year-on-year change was 1,234.5 units.")
    for query in ("back-up", "restoring", "1234.5", "yearonyear"):
        tokens_only = library.search([query])
        assert tokens_only, query


def test_an_empty_library_finds_nothing(tmp_path: Path) -> None:
    library = Library(tmp_path)
    assert library.search(["anything"]) == []
    library.close()
