"""The documents: collections, the list, one document, and what becomes of new files."""

from __future__ import annotations

import time
from datetime import date
from pathlib import Path

import pypdf
import pytest
from streamlit.testing.v1 import AppTest

from research.runs.service import RunService
from tests.pages.conftest import SAMPLES, OpenPage, press, stock, words


def note(service: RunService, name: str, text: str, collection: str | None = None) -> str:
    """Put a note into the library; gives its id."""
    return service.library.add(name, text.encode(), collection=collection).id


def settled(service: RunService) -> None:
    """Wait until no file is being read any more."""
    deadline = time.monotonic() + 60
    while any(job.state not in ("done", "failed", "locked") for job in service.ingestion.jobs()):
        assert time.monotonic() < deadline
        time.sleep(0.02)


def named(page: AppTest) -> list[str]:
    """The documents in the list, by the buttons that open them."""
    return [
        each.label.strip("*").replace("\\", "")
        for each in page.button
        if (each.key or "").startswith("open-")
    ]


def test_an_empty_library_offers_the_samples(opened: OpenPage) -> None:
    page = opened("knowledge")
    assert "No documents yet" in words(page)
    press(page, "Try it with the sample documents")


def test_documents_are_listed_with_what_was_found_in_them(
    service: RunService, opened: OpenPage
) -> None:
    stock(service)
    page = opened("knowledge")
    assert set(named(page)) == {path.name for path in SAMPLES}
    text = words(page)
    assert "PDF · 10 pages" in text and "CSV · 60 rows" in text and "10 Mar 2026" in text


def test_a_document_is_deleted_only_after_a_second_word(
    service: RunService, opened: OpenPage
) -> None:
    stock(service)
    page = opened("knowledge")
    press(page, "Delete")
    assert page.button(key="remove-confirm").label == "Delete"
    assert len(service.library.documents()) == len(SAMPLES)


def test_the_list_is_filtered_by_name_kind_and_date(service: RunService, opened: OpenPage) -> None:
    stock(service)
    note(service, "tides.md", "# Tides\n\nThe tide at Brest reaches seven metres.\n")
    page = opened("knowledge")
    page.text_input(key="name-filter").set_value("MERIDIAN report").run()
    assert named(page) == ["meridian-annual-report-2025.pdf"]
    page.text_input(key="name-filter").set_value("")
    page.multiselect(key="list-kinds").set_value(["markdown", "csv"]).run()
    assert set(named(page)) == {"tides.md", "meridian-revenue-by-region.csv"}
    page.multiselect(key="list-kinds").set_value([])
    page.date_input(key="list-until").set_value(date(2026, 3, 31)).run()
    assert named(page) == ["meridian-annual-report-2025.pdf"]
    page.text_input(key="name-filter").set_value("no such name").run()
    assert "No document fits this filter" in words(page)


def test_forty_documents_come_in_pages_and_no_page_number_outlives_a_filter(
    service: RunService, opened: OpenPage
) -> None:
    for number in range(41):
        note(service, f"note-{number:02d}.md", f"Note {number} tells of the tide at Brest.\n")
    page = opened("knowledge")
    page.selectbox(key="list-sort").set_value("name").run()
    assert named(page) == [f"note-{number:02d}.md" for number in range(20)]
    page.pagination(key="page").set_value(3).run()
    assert named(page) == ["note-40.md"]
    page.text_input(key="name-filter").set_value("note-3").run()
    assert named(page) == [f"note-3{number}.md" for number in range(10)]


def test_a_file_name_is_shown_word_for_word(service: RunService, opened: OpenPage) -> None:
    note(service, "![x](http://evil.example/?d=1) :red[a] $b$.txt", "The tide at Brest.\n")
    page = opened("knowledge")
    (label,) = [each.label for each in page.button if (each.key or "").startswith("open-")]
    assert "![x](" not in label and ":red[" not in label.replace("\\:", "")


def test_a_document_moves_into_a_collection_which_shows_what_is_in_it(
    service: RunService, opened: OpenPage
) -> None:
    stock(service)
    made = service.library.create_collection("Annual reports", "Reports of Meridian")
    page = opened("knowledge", collection=made.id)
    assert "This collection is empty" in words(page)
    report = next(each for each in service.library.documents() if each.kind == "pdf")
    page = opened("knowledge", doc=report.id)
    page.selectbox(key=f"move-{report.id}").set_value(made.id).run()
    page = opened("knowledge")
    options = page.radio(key="collection").options
    assert options == ["All documents · 2", "Annual reports · 1", "In no collection · 1"]
    page.radio(key="collection").set_value(made.id).run()
    assert page.query_params["collection"] in (made.id, [made.id])
    assert named(page) == [report.name]
    assert "Reports of Meridian" in words(page)
    page.radio(key="collection").set_value("none").run()
    assert named(page) == ["meridian-revenue-by-region.csv"]


def test_a_collection_is_deleted_only_after_a_second_word(
    service: RunService, opened: OpenPage
) -> None:
    made = service.library.create_collection("Reports")
    page = opened("knowledge", collection=made.id)
    press(page, "Delete")
    assert page.button(key="collection-remove-confirm").label == "Delete"
    assert service.library.collections() == [made]


def test_a_document_opens_from_the_list_and_stays_open_after_a_refresh(
    service: RunService, opened: OpenPage
) -> None:
    stock(service)
    page = opened("knowledge")
    report = next(each for each in service.library.documents() if each.kind == "pdf")
    page.button(key=f"open-{report.id}").click().run()
    assert page.query_params["doc"] in (report.id, [report.id])
    for shown in (page, opened("knowledge", doc=report.id)):
        assert shown.title[0].value.replace("\\", "") == report.name
        assert "4 tables" in [header.value for header in shown.header]
    press(page, "All documents")
    assert len(named(page)) == len(SAMPLES)


def test_an_unknown_document_is_told_in_one_sentence(opened: OpenPage) -> None:
    assert "There is no such document" in opened("knowledge", doc="nosuch").warning[0].value


def test_an_older_version_is_kept_and_becomes_a_document_again(
    service: RunService, opened: OpenPage
) -> None:
    note(service, "plan.md", "The plan of spring: sail to Brest.\n")
    newer = note(service, "plan.md", "The plan of autumn: sail to Ostend.\n")
    page = opened("knowledge", doc=newer)
    assert "Older versions" in [header.value for header in page.header]
    press(page, "Keep both")
    assert [each.name for each in service.library.documents()] == ["plan.md", "plan.md"]
    assert "Older versions" not in [header.value for header in page.header]


def test_each_new_file_tells_what_became_of_it(
    service: RunService, opened: OpenPage, tmp_path: Path
) -> None:
    writer = pypdf.PdfWriter(clone_from=SAMPLES[0])
    writer.encrypt("sesame")
    locked = tmp_path / "locked.pdf"
    writer.write(locked)
    submit = service.ingestion.submit
    submit("plan.md", b"The plan of spring: sail to Brest.\n")
    settled(service)
    submit("plan.md", b"The plan of autumn: sail to Ostend.\n")
    submit("same.md", b"The plan of autumn: sail to Ostend.\n")
    submit("empty.txt", b"")
    submit("locked.pdf", locked.read_bytes())
    settled(service)
    page = opened("knowledge")
    text = words(page).replace("\\", "")
    assert "replaces the version of" in text and "already there" in text
    assert "“empty.txt” is empty" in text
    assert "“locked.pdf” is protected by a password" in text
    assert any(each.label == "Keep both" for each in page.button)

    (password,) = [each for each in page.text_input if "Password" in each.label]
    password.set_value("wrong")
    press(page, "Unlock")
    settled(service)
    page.run()
    assert "The password does not open" in words(page)
    (password,) = [each for each in page.text_input if "Password" in each.label]
    password.set_value("sesame")
    press(page, "Unlock")
    assert "sesame" not in str(page.session_state)
    settled(service)
    assert "locked.pdf" in [each.name for each in service.library.documents()]


def test_work_is_paused_and_goes_on(service: RunService, opened: OpenPage) -> None:
    service.ingestion.pause()
    service.ingestion.submit("plan.md", b"The plan of spring: sail to Brest.\n")
    page = opened("knowledge")
    assert "paused" in words(page) or page.get("progress")
    press(page, "Go on")
    settled(service)
    page.run()
    assert "plan.md" in named(page)


def test_a_waiting_file_is_left_out(service: RunService, opened: OpenPage) -> None:
    service.ingestion.pause()
    service.ingestion.submit("plan.md", b"The plan of spring: sail to Brest.\n")
    page = opened("knowledge")
    press(page, "Leave out")
    assert service.ingestion.jobs() == []


@pytest.mark.parametrize("view", ["documents", "ask", "search"])
def test_the_view_stands_in_the_address(service: RunService, opened: OpenPage, view: str) -> None:
    stock(service)
    page = opened("knowledge", view=view)
    asked = any(each.key == "question-to-documents" for each in page.text_area)
    searched = any(each.key == "q" for each in page.text_input)
    assert (asked, searched) == (view == "ask", view == "search")
