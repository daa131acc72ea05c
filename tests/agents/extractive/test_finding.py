"""A research step quotes: whole sentences, word for word, of what bears on it."""

from __future__ import annotations

import asyncio
import re

from research.agents.analyst import ResearchTask
from research.agents.extractive import ExtractiveAnalyst
from research.knowledge.library import Library
from research.models import Hit, Passage, Place, Source, Step
from tests.agents.extractive.walking import ask, is_verbatim, quotes_in, research, silent

SOURCE = Source(id="doc", kind="document", title="Notes", locator="notes.md", sha256="0" * 64)


def find(analyst: ExtractiveAnalyst, question: str, *passages: Passage) -> str:
    """The finding of a step from just these passages."""
    task = ResearchTask(
        question=question,
        query=question,
        kind="general",
        language="en",
        step=Step(id="s1", title=question),
        hits=tuple(Hit(passage=passage, score=1.0) for passage in passages),
        sources={"doc": SOURCE},
    )
    return asyncio.run(analyst.research(task, silent)).text


def test_a_sentence_that_points_back_brings_the_one_before_it(
    analyst: ExtractiveAnalyst, documents: Library
) -> None:
    found = ask(analyst, documents, "Why did revenue in the Americas fall?")
    assert re.search(
        r"Revenue in the Americas fell .*? 2025\. The decline is due to the postponed", found.text
    )


def test_every_quote_is_verbatim_and_cites_its_passage(
    analyst: ExtractiveAnalyst, documents: Library
) -> None:
    for question in (
        "How did revenue by region change, and why?",
        "各地区营业收入如何变化？原因是什么？",
        "How do I restore a file?",
        "公共自行车与共享单车相比有哪些优缺点？",
        "What are the main risks?",
    ):
        found = ask(analyst, documents, question)
        cited = {passage.id: passage for passage in _cited(documents, question)}
        quotes = quotes_in(found.text)
        assert quotes
        assert {passage_id for _, passage_id in quotes} == set(found.passage_ids)
        assert all(is_verbatim(words, cited[passage_id]) for words, passage_id in quotes)


def _cited(library: Library, question: str) -> list[Passage]:
    return [hit.passage for hit in library.search([question], limit=12)]


def test_sentences_of_one_passage_share_one_citation(
    analyst: ExtractiveAnalyst, documents: Library
) -> None:
    found = ask(analyst, documents, "How do I back up a workstation?")
    assert len(found.passage_ids) == len(set(found.passage_ids))
    for passage_id in found.passage_ids:
        assert found.text.count(passage_id) == 1


def test_the_same_sentence_is_not_quoted_twice(analyst: ExtractiveAnalyst) -> None:
    sentence = "The dividend for 2025 is 1.42 dollars a share."
    twice = [Passage.of("doc", sentence, Place(page=page)) for page in (1, 7)]
    found = find(analyst, "How high is the dividend for 2025?", *twice)
    assert found.count("1.42") == 1


def test_marks_of_markdown_in_a_quote_are_shown_as_they_are(analyst: ExtractiveAnalyst) -> None:
    passage = Passage.of("doc", "The *net* dividend [2025] is $1.42_a share & a $3 bonus | cash.")
    found = find(analyst, "How high is the net dividend in 2025?", passage)
    ((words, _),) = quotes_in(found)
    assert words == passage.text


def test_a_row_of_a_table_is_quoted_when_its_values_are_asked_for(
    analyst: ExtractiveAnalyst, samples: Library
) -> None:
    found = ask(analyst, samples, "What was EMEA revenue in Q2 2024?")
    rows = [line for line in found.text.splitlines() if "region: " in line]
    assert len(rows) == 1
    assert "region: EMEA; year: 2024; quarter: Q2; revenue\\_musd: 52.3" in rows[0] or (
        "region: EMEA; year: 2024; quarter: Q2; revenue_musd: 52.3" in rows[0]
    )


def test_rows_do_not_crowd_out_reasons(analyst: ExtractiveAnalyst, samples: Library) -> None:
    assert "region: " not in ask(analyst, samples, "Why did EMEA revenue fall in 2024?").text


def test_another_company_is_not_quoted_for_the_one_that_is_named(
    analyst: ExtractiveAnalyst, documents: Library
) -> None:
    assert ask(analyst, documents, "Halden的员工流失率是多少？").empty


def test_a_step_named_after_a_heading_stays_under_it(
    analyst: ExtractiveAnalyst, samples: Library
) -> None:
    question = "How did revenue by region change, and why?"
    step = Step(id="s1", title="Regional review", queries=(question, "Regional review"))
    found = research(analyst, samples, question, step)
    pages = {
        hit.passage.id: hit.passage.place.heading for hit in samples.search(step.queries, limit=12)
    }
    assert found.passage_ids
    assert {pages[one][0] for one in found.passage_ids} == {"Regional review"}


def test_a_step_changed_by_hand_is_judged_by_its_own_title(
    analyst: ExtractiveAnalyst, samples: Library
) -> None:
    step = Step(id="s1", title="Research and development spending", queries=())
    found = research(analyst, samples, "How did revenue by region change, and why?", step)
    assert "84.3 million US dollars on research and development" in found.text
    assert "North America" not in found.text


def test_reasons_that_were_announced_follow(analyst: ExtractiveAnalyst, samples: Library) -> None:
    found = ask(analyst, samples, "Why did revenue in Greater China fall?").text
    assert "Local competitors cut the prices" in found
    assert "Makers of semiconductors postponed" in found
    assert "The weaker renminbi" in found


def test_web_pages_without_headings_are_quoted_too(analyst: ExtractiveAnalyst) -> None:
    page = Passage.of(
        "doc", "Storage costs fell by 40 % since 2022. Cheaper lithium was the cause."
    )
    assert "fell by 40 %" in find(analyst, "How did storage costs change?", page)
