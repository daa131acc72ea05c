"""Asking and searching the documents, and the place of each passage."""

from __future__ import annotations

from streamlit.testing.v1 import AppTest

from research.knowledge.readers import Correction
from research.runs.service import RunService
from tests.pages.conftest import QUESTION, OpenPage, press, stock, words
from tests.servers.server import Server


def answered(page: AppTest, question: str) -> str:
    """Ask, wait for the answer, and give all that can be read."""
    page.text_area(key="question-to-documents").set_value(question)
    press(page, "Ask")
    page.session_state["asked"].future.result(timeout=60)
    page.run()
    assert not page.exception, page.exception
    return words(page)


def test_a_question_is_answered_with_numbered_quotes_and_their_passages(
    service: RunService, opened: OpenPage
) -> None:
    stock(service)
    page = opened("knowledge", view="ask")
    text = answered(page, QUESTION)
    assert "Quoted, not written" in text and "(<#source-1>)" in text
    assert "[1\\] meridian" in text and "Show the page" in text
    assert page.query_params["question"] in (QUESTION, [QUESTION])


def test_what_was_searched_is_folded_away_until_asked_for(
    service: RunService, opened: OpenPage
) -> None:
    stock(service)
    page = opened("knowledge", view="ask")
    text = answered(page, QUESTION)
    assert "What was searched, and why these passages" in text
    assert "by its words" not in text
    page.session_state["answer-why"] = True
    page.run()
    text = words(page)
    assert "by its words" in text and "similarity" in text and "cited as 1" in text


def test_a_question_that_the_documents_do_not_answer_is_told_so(
    service: RunService, opened: OpenPage
) -> None:
    service.library.add("tides.md", b"The tide at Brest reaches seven metres in spring.\n")
    page = opened("knowledge", view="ask")
    text = answered(page, "Which enzyme digests lactose in newborn mammals?")
    assert "The documents do not answer this" in text
    assert "Quoted, not written" not in text


def test_an_empty_question_gives_one_sentence(service: RunService, opened: OpenPage) -> None:
    stock(service)
    page = opened("knowledge", view="ask")
    press(page, "Ask")
    assert [error.value for error in page.error] == ["Write a question first."]


def test_a_model_writes_the_answer_where_there_is_one(
    model: Server, service: RunService, opened: OpenPage
) -> None:
    stock(service)
    text = answered(opened("knowledge", view="ask"), QUESTION)
    assert "Written by a model" in text and "Quoted, not written" not in text


def test_the_question_goes_on_to_a_full_run(service: RunService, opened: OpenPage) -> None:
    stock(service)
    page = opened("knowledge", view="ask")
    answered(page, QUESTION)
    press(page, "Research this in depth")
    assert page.text_area(key="question").value == QUESTION


def test_only_the_chosen_collection_is_searched(service: RunService, opened: OpenPage) -> None:
    stock(service)
    made = service.library.create_collection("Tides")
    service.library.add(
        "tides.md", b"Revenue of the harbour of Brest is low.\n", collection=made.id
    )
    page = opened("knowledge", view="search", q="revenue")
    assert "meridian" in words(page)
    page.multiselect(key="search-where").set_value([f"collection:{made.id}"]).run()
    text = words(page)
    assert "tides" in text and "meridian" not in text
    page.multiselect(key="search-kinds").set_value(["pdf"]).run()
    assert "No document fits what is chosen here" in words(page)


def test_scores_are_shown_on_request(service: RunService, opened: OpenPage) -> None:
    stock(service)
    page = opened("knowledge", view="search", q="revenue in Greater China")
    text = words(page)
    assert "[1\\] meridian" in text and "page" in text and "similarity" not in text
    page.toggle(key="search-scores").set_value(True).run()
    assert "similarity" in words(page)


def test_a_hit_in_a_pdf_shows_its_page_and_one_in_a_sheet_its_rows(
    service: RunService, opened: OpenPage
) -> None:
    stock(service)
    page = opened("knowledge", view="search", q="Rockstock fire calibration plant outage")
    press(page, "Show the page")
    assert len(page.image) == 1
    page = opened("knowledge", view="search", q="meridian revenue by region quarter EMEA row")
    press(page, "Show the rows")
    assert any("the cited ones are marked" in str(each.value) for each in page.caption)
    assert len(page.dataframe) == 1


def test_a_table_in_a_passage_is_shown_as_a_table_and_its_cells_word_for_word(
    service: RunService, opened: OpenPage
) -> None:
    text = "# Tides\n\n| Port | Metres |\n| --- | --- |\n| Brest *west* | 7 |\n| Ostend | 5 |\n"
    service.library.add("tides.md", text.encode())
    shown = words(opened("knowledge", view="search", q="Brest Ostend metres"))
    assert "| Port | Metres |\n| --- | --- |\n| Brest" in shown
    assert "*west*" not in shown.replace("\\*", "")


def test_a_table_is_corrected_and_the_correction_taken_back(
    service: RunService, opened: OpenPage
) -> None:
    text = "code,amount\n" + "".join(f"00{number},{number * 5}\n" for number in range(1, 30))
    document = service.library.add("codes.csv", text.encode())
    page = opened("knowledge", doc=document.id)
    kinds = [each for each in page.selectbox if each.label in ("code", "amount")]
    assert [each.label for each in kinds] == ["code", "amount"]
    kinds[1].set_value("text")
    press(page, "Save and read again")
    (table,) = service.library.tables([document.id])
    assert [column.type for column in table.columns][1] == "text"
    assert "corrected by you" in words(page)
    press(page, "Take corrections back")
    (table,) = service.library.tables([document.id])
    assert [column.type for column in table.columns][1] == "number"


def test_a_header_that_ends_before_it_begins_is_refused(
    service: RunService, opened: OpenPage
) -> None:
    document = service.library.add("a.csv", b"code,amount\n1,5\n2,6\n3,7\n")
    page = opened("knowledge", doc=document.id)
    first, last = page.number_input
    first.set_value(3)
    last.set_value(2)
    press(page, "Save and read again")
    assert "cannot end before it begins" in page.error[0].value
    assert not service.library.table_preview(service.library.tables()[0].id).corrected


def test_a_second_correction_keeps_the_first(service: RunService, opened: OpenPage) -> None:
    text = "Export\nof today\ncode,amount\n" + "".join(f"{n},{n * 5}\n" for n in range(1, 30))
    document = service.library.add("codes.csv", text.encode())
    (table,) = service.library.tables([document.id])
    service.library.correct_table(table.id, Correction(header=(3, 3)))
    page = opened("knowledge", doc=document.id)
    next(each for each in page.selectbox if each.label == "amount").set_value("text")
    press(page, "Save and read again")
    preview = service.library.table_preview(service.library.tables([document.id])[0].id)
    assert preview.header == (3, 3)
    assert [column.type for column in preview.table.columns] == ["number", "text"]
