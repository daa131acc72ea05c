"""The knowledge base as an analyst uses it: files of all sorts in, answers with their pages out."""

from __future__ import annotations

import re
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pypdf
import pytest

from tests.e2e.program import Program
from tests.e2e.screen import Screen

OpenScreen = Callable[..., Screen]
SAMPLES = Path(__file__).resolve().parents[2] / "samples"
REPORT = SAMPLES / "meridian-annual-report-2025.pdf"
QUESTION = "How did revenue by region change, and why?"


@pytest.fixture
def tab(keyless: Program, screen: OpenScreen) -> Screen:
    """The documents."""
    return screen(keyless, "/knowledge")


@pytest.fixture(scope="module", autouse=True)
def stocked(keyless: Program, browser: object) -> None:
    """The sample report is in the library."""
    tab = Screen.open(browser.new_context(locale="en-US"), keyless.url, "/knowledge")  # type: ignore[attr-defined]
    tab.upload(REPORT)
    tab.sees(re.compile(r"meridian-annual-report-2025\.pdf · 10 pages"))
    tab.button("Clear this list").click()
    tab.page.context.close()


def note(folder: Path, name: str, text: str) -> Path:
    path = folder / name
    path.write_text(text, "utf-8")
    return path


def opened(tab: Screen, name: str) -> None:
    """Open a document from the list."""
    tab.page.get_by_placeholder("Filter by name").fill(name)
    tab.button(name).click()
    tab.page.get_by_role("heading", name=name).wait_for()


def dialog(tab: Screen) -> Any:
    return tab.page.get_by_role("dialog")


def test_each_file_tells_what_became_of_it_and_a_locked_one_is_unlocked(
    tab: Screen, tmp_path: Path
) -> None:
    good = note(tmp_path, "notes.md", "# Tides\n\nThe tide at Brest reaches seven metres.\n")
    bad, locked = tmp_path / "broken.pdf", tmp_path / "locked.pdf"
    bad.write_bytes(b"%PDF-1.7 and nothing that could be read")
    writer = pypdf.PdfWriter()
    writer.append(REPORT, pages=(1, 2))
    writer.encrypt("sesame")
    writer.write(locked)
    tab.upload(good, bad, locked)
    tab.sees(re.compile(r"notes\.md · \d+ passage"))
    tab.sees(re.compile(r"“broken\.pdf” (is|does|ends|cannot) .*: "))
    password = tab.page.get_by_label("Password of locked.pdf")
    password.fill("wrong")
    tab.button("Unlock").click()
    tab.sees("The password does not open “locked.pdf”")
    password.fill("sesame")
    tab.button("Unlock").click()
    tab.sees(re.compile(r"locked\.pdf · 1 page"))
    tab.upload(good)
    tab.sees("already there")
    tab.button("Clear this list").click()


def test_a_new_version_replaces_the_old_one_and_both_can_be_kept(
    tab: Screen, tmp_path: Path
) -> None:
    tab.upload(note(tmp_path, "plan.md", "The plan of spring: sail to Brest.\n"))
    tab.sees(re.compile(r"plan\.md · 1 passage"))
    tab.upload(note(tmp_path, "plan.md", "The plan of autumn: sail to Ostend.\n"))
    tab.sees("replaces the version of")
    tab.button("Clear this list").click()
    opened(tab, "plan.md")
    link = tab.page.get_by_role("link", name="Open this version")
    answer = tab.page.request.get(tab.url + str(link.get_attribute("href")))
    assert "spring" in answer.text()
    tab.button("Keep both").click()
    link.wait_for(state="hidden")
    tab.button("All documents").click()
    tab.sees(re.compile("^2 of "))


def test_work_is_paused_goes_on_and_a_file_is_left_out(tab: Screen, tmp_path: Path) -> None:
    files = [
        note(tmp_path, f"log-{number:02d}.md", f"Day {number}: the tide turned.\n")
        for number in range(20)
    ]
    tab.upload(*files)
    tab.button("Pause").click()
    tab.button("Go on").wait_for()
    tab.sees("paused")
    tab.sees("log-19.md · waiting")
    tab.button("Leave out").last.click()
    tab.gone("log-19.md")
    tab.refresh()
    tab.button("Go on").click()
    tab.page.get_by_text(re.compile(r"log-18\.md · 1 passage")).wait_for()
    assert tab.page.get_by_text("log-19.md").count() == 0
    tab.button("Clear this list").click()


def test_the_header_of_a_table_is_corrected(tab: Screen, tmp_path: Path) -> None:
    rows = "".join(f"R{number},{number * 7}\n" for number in range(1, 31))
    tab.upload(note(tmp_path, "export.csv", f"region,revenue\nname,USD\n{rows}"))
    tab.sees(re.compile(r"export\.csv · \d+ rows"))
    tab.button("Clear this list").click()
    opened(tab, "export.csv")
    tab.text("Correct this table").click()
    tab.page.get_by_label("Header begins in row").fill("2")
    tab.page.get_by_label("Header ends in row").fill("2")
    tab.button("Save and read again").click()
    tab.sees("Done. This is how the table is understood now.")
    tab.sees("corrected by you")
    tab.sees("30 rows · 2 columns")
    tab.refresh()
    tab.text("Correct this table").click()
    tab.page.get_by_label("USD").or_(tab.page.get_by_text("USD", exact=True)).first.wait_for()
    tab.button("Take corrections back").click()
    tab.text("corrected by you").wait_for(state="hidden")


def test_a_question_is_answered_and_its_page_shown_with_the_words_marked(
    keyless: Program, screen: OpenScreen
) -> None:
    from playwright.sync_api import expect

    tab = screen(keyless, "/knowledge?view=ask")
    tab.page.get_by_label("Ask the documents").fill(QUESTION)
    tab.page.get_by_role("button", name="Ask", exact=True).click()
    tab.heading("Passages").wait_for()
    tab.page.get_by_role("link", name="[1]").first.click()
    tab.heading(re.compile(r"^\[1\] .*\.pdf · page \d+$")).wait_for()
    tab.button("Show the page").first.click()
    picture = dialog(tab).get_by_role("img", name=re.compile(r"^Page \d+ of .*marked$"))
    picture.wait_for()
    assert picture.evaluate("image => image.naturalWidth") > 500
    assert yellow(picture) > 1_000
    tab.page.keyboard.press("Escape")
    tab.text("What was searched, and why these passages").click()
    tab.sees(re.compile(r"score 0\.\d+ · similarity 0\.\d+ · no\. \d+ by its"))
    tab.refresh()
    expect(tab.page.get_by_label("Ask the documents")).to_have_value(QUESTION)


def yellow(picture: Any) -> int:
    """Pixels of a picture that are marked."""
    return int(
        picture.evaluate(
            """image => {
                const canvas = document.createElement('canvas')
                canvas.width = image.naturalWidth; canvas.height = image.naturalHeight
                const context = canvas.getContext('2d')
                context.drawImage(image, 0, 0)
                const data = context.getImageData(0, 0, canvas.width, canvas.height).data
                let found = 0
                for (let i = 0; i < data.length; i += 4)
                    if (data[i] > 200 && data[i + 1] > 180 && data[i + 2] < 160) found++
                return found
            }"""
        )
    )


def test_the_question_goes_on_to_a_full_run(keyless: Program, screen: OpenScreen) -> None:
    tab = screen(keyless, "/knowledge?view=ask")
    tab.page.get_by_label("Ask the documents").fill(QUESTION)
    tab.page.get_by_role("button", name="Ask", exact=True).click()
    tab.button("Research this in depth").click()
    tab.button("Start research").wait_for()
    assert tab.page.get_by_label("Your question").input_value() == QUESTION


def test_a_search_finds_rows_and_shows_them_in_their_table(
    tab: Screen, keyless: Program, screen: OpenScreen
) -> None:
    tab.upload(SAMPLES / "meridian-revenue-by-region.csv")
    tab.sees(re.compile(r"meridian-revenue-by-region\.csv · 60 rows"))
    tab.button("Clear this list").click()
    tab = screen(keyless, "/knowledge?view=search")
    tab.page.get_by_placeholder("Words or a question").fill("Latin America revenue quarter rows")
    tab.page.keyboard.press("Enter")
    tab.text("Show scores").click()
    tab.sees(re.compile(r"similarity 0\.\d\d"))
    tab.refresh()
    tab.button("Show the rows").first.click()
    dialog(tab).get_by_text("the cited ones are marked").wait_for()


def test_a_collection_is_made_filled_renamed_and_dissolved(tab: Screen, tmp_path: Path) -> None:
    tab.button("New collection").click()
    dialog(tab).get_by_role("button", name="Create").click()
    dialog(tab).get_by_text("A collection needs a name").wait_for()
    dialog(tab).get_by_label("Name").fill("Harbours")
    dialog(tab).get_by_label("What is in it").fill("Notes on harbours")
    dialog(tab).get_by_role("button", name="Create").click()
    tab.heading("Harbours").wait_for()
    tab.upload(note(tmp_path, "ostend.md", "The lighthouse of Ostend was built in 1949.\n"))
    tab.page.get_by_role("radio", name=re.compile("Harbours · 1")).wait_for()
    tab.button("Clear this list").click()
    tab.refresh()
    tab.button("ostend.md").wait_for()
    tab.button("Edit").click()
    dialog(tab).get_by_label("Name").fill("Ports")
    dialog(tab).get_by_role("button", name="Save").click()
    tab.heading("Ports").wait_for()
    tab.button("Delete").first.click()
    dialog(tab).get_by_text("stay in the library").wait_for()
    dialog(tab).get_by_role("button", name="Delete").click()
    tab.heading("Ports").wait_for(state="hidden")
    tab.page.get_by_placeholder("Filter by name").fill("ostend")
    tab.button("ostend.md").wait_for()


def test_a_document_is_deleted_after_a_second_word(tab: Screen, tmp_path: Path) -> None:
    tab.upload(note(tmp_path, "to-delete.txt", "The lighthouse of Brest was built in 1687.\n"))
    tab.sees(re.compile(r"to-delete\.txt · \d+ passage"))
    tab.button("Clear this list").click()
    tab.page.get_by_placeholder("Filter by name").fill("to-delete")
    tab.sees(re.compile("^1 of "))
    tab.button("Delete").last.click()
    dialog(tab).get_by_text("to-delete.txt").wait_for()
    dialog(tab).get_by_role("button", name="Delete").click()
    dialog(tab).wait_for(state="hidden")
    tab.text("to-delete.txt").wait_for(state="hidden")


@pytest.mark.parametrize("lang", ["en", "zh"])
@pytest.mark.parametrize("view", ["documents", "ask", "search"])
def test_nothing_sticks_out_on_a_phone(
    keyless: Program, browser: object, view: str, lang: str
) -> None:
    context = browser.new_context(  # type: ignore[attr-defined]
        viewport={"width": 390, "height": 844}, locale="en-US"
    )
    tab = Screen.open(context, keyless.url, f"/knowledge?view={view}&lang={lang}")
    tab.page.get_by_role("tab", selected=True).wait_for()
    tab.page.get_by_role("combobox").first.wait_for()
    assert tab.page.evaluate("document.documentElement.scrollWidth") <= 390
    context.close()
