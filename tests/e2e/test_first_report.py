"""A stranger's first hour, with no key: from the sample documents to a report in the hand."""

from __future__ import annotations

import re
from collections.abc import Callable
from pathlib import Path

import pytest

from tests.e2e.program import Program
from tests.e2e.screen import Screen

OpenScreen = Callable[..., Screen]
SAMPLES = Path(__file__).resolve().parents[2] / "samples"


@pytest.fixture(scope="module")
def read(keyless: Program, browser: object) -> Screen:
    """The report on the sample documents, its plan edited by hand."""
    screen = Screen.open(browser.new_context(locale="en-US"), keyless.url)  # type: ignore[attr-defined]
    screen.sees("Extractive mode")
    screen.button("Try it with the sample documents").click()
    screen.sees(re.compile(r"meridian-annual-report-2025\.pdf · \d+ pages · \d+ passages"))
    screen.sees(re.compile(r"meridian-revenue-by-region\.csv · \d+ rows"))
    screen.button("Start research").click()
    screen.plan()
    _edit(screen)
    screen.approve()
    screen.heading("Sources").wait_for(timeout=90_000)
    return screen


def _edit(screen: Screen) -> None:
    """Name the first step anew, and take out the second."""
    cards = screen.page.get_by_test_id("stExpander")
    before = cards.count()
    assert before > 2
    cards.nth(0).locator("summary").click()
    cards.nth(0).get_by_label("Title").fill("Figures of the regions")
    cards.nth(1).locator("summary").click()
    cards.nth(1).get_by_role("button", name="Remove").click()
    screen.text("1. Figures of the regions").wait_for()
    assert cards.count() == before - 1


def test_the_edited_plan_is_what_was_carried_out(read: Screen) -> None:
    read.sees("Figures of the regions")


def test_the_report_says_that_it_is_quoted(read: Screen) -> None:
    read.sees("Quoted, not written")


def test_a_citation_leads_to_its_passage_with_document_and_page(read: Screen) -> None:
    read.page.get_by_role("link", name="[1]").first.click()
    passage = read.heading(re.compile(r"^\[1\] "))
    passage.wait_for()
    assert passage.evaluate(
        "e => { const r = e.getBoundingClientRect(); return r.top >= 0 && r.top < innerHeight }"
    )
    assert read.page.get_by_role("heading", name=re.compile(r"· page \d+$")).count() > 0


def test_a_document_opens_at_the_page(read: Screen) -> None:
    link = read.page.get_by_role("link", name="Open the document").first
    address = str(link.get_attribute("href"))
    answer = read.page.request.get(read.url + address.partition("#")[0])
    assert answer.ok
    assert answer.headers["x-content-type-options"] == "nosniff"


def test_the_charts_are_alive_and_described(read: Screen) -> None:
    chart = read.page.get_by_test_id("stPlotlyChart").first
    chart.scroll_into_view_if_needed()
    chart.locator(".main-svg").first.wait_for()
    read.button("Show code").first.click()
    read.sees("The Python that made it")


def test_a_chart_is_made_again_and_still_agrees(read: Screen) -> None:
    read.button("Run again").first.click()
    read.sees(re.compile(r"Same result: \d+ numbers agree"), seconds=60)


def test_the_markdown_file_is_named_after_the_report_and_holds_it(
    read: Screen, tmp_path: Path
) -> None:
    path = read.download("Markdown", tmp_path)
    text = path.read_text("utf-8")
    assert path.suffix == ".md" and path.stem not in ("", "report")
    assert "meridian-annual-report-2025.pdf" in text and "![" in text


def test_the_pdf_file_has_the_text_and_shows_the_chart(read: Screen, tmp_path: Path) -> None:
    import pypdf
    import pypdfium2

    path = read.download("PDF", tmp_path)
    text = "\n".join(page.extract_text() for page in pypdf.PdfReader(path).pages)
    assert "meridian-annual-report-2025.pdf" in text
    document = pypdfium2.PdfDocument(path)
    try:
        coloured = max(_coloured(page.render(scale=0.5).to_pil()) for page in document)
    finally:
        document.close()
    assert coloured > 500, "no page has a chart on it"


def _coloured(picture: object) -> int:
    """Pixels that are clearly neither grey nor pale."""
    octets = picture.convert("HSV").tobytes()  # type: ignore[attr-defined]
    return sum(
        saturation > 100 and value > 60
        for saturation, value in zip(octets[1::3], octets[2::3], strict=True)
    )


def test_the_interface_speaks_chinese_and_stays_so_after_a_refresh(
    keyless: Program, read: Screen, screen: OpenScreen
) -> None:
    tab = screen(keyless, f"/?run={read.run_id}")
    tab.heading("Sources").wait_for()
    tab.page.get_by_role("radio", name="中文").click()
    tab.heading("来源").wait_for()
    tab.refresh()
    tab.heading("来源").wait_for()
    assert tab.run_id == read.run_id
    tab.page.get_by_role("link", name="资料库").click()
    tab.heading("资料库").wait_for()
    assert "lang=zh" in tab.page.url


def test_the_report_is_in_the_list_and_opens_from_it(
    keyless: Program, read: Screen, screen: OpenScreen
) -> None:
    tab = screen(keyless, "/reports")
    tab.page.get_by_placeholder("Filter by words").fill("revenue region")
    tab.page.keyboard.press("Enter")
    tab.sees("How did revenue by region change, and why?")
    tab.page.get_by_role("link", name="Open").first.click()
    tab.heading("Sources").wait_for()
    assert tab.run_id == read.run_id
