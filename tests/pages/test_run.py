"""One run, from its address alone."""

from __future__ import annotations

from research.models import RunStatus
from research.runs.service import RunService
from tests.pages.conftest import OpenPage, finished_run, press, stock, waiting_run, words
from tests.servers.server import Server


def test_an_unknown_run_is_told_in_one_sentence(opened: OpenPage) -> None:
    page = opened(run="nosuchrun")
    assert "There is no such run" in page.warning[0].value


def test_a_report_shows_its_sources_charts_and_downloads(
    model: Server, service: RunService, opened: OpenPage
) -> None:
    stock(service)
    run_id = finished_run(service)
    view = service.view(run_id)
    assert view.report
    page = opened(run=run_id)
    text = words(page)
    assert view.report.title in text.replace("\\", "")
    assert "meridian-annual-report-2025" in text.replace("\\", "")
    assert "Sources" in [header.value for header in page.header]
    assert "(<#source-1>)" in text
    labels = {getattr(each, "label", "") for each in page.get("download_button")}
    assert labels == {"Markdown", "PDF"}
    assert page.get("plotly_chart")


def test_every_step_is_there_with_its_state(
    model: Server, service: RunService, opened: OpenPage
) -> None:
    run_id = finished_run(service)
    text = words(opened(run=run_id)).replace("\\", "")
    for step in service.view(run_id).steps.values():
        assert step.step.title in text
    assert "done" in text


def test_a_stopped_run_can_be_resumed(model: Server, service: RunService, opened: OpenPage) -> None:
    run_id = waiting_run(service)
    service.stop(run_id)
    page = opened(run=run_id)
    page.button(key="resume").click().run()
    assert not page.exception
    service.wait(run_id)
    assert service.view(run_id).status is RunStatus.WAITING


def test_a_new_question_leaves_the_run(
    model: Server, service: RunService, opened: OpenPage
) -> None:
    page = opened(run=waiting_run(service))
    page.button(key="new-question").click().run()
    assert [title.value for title in page.title] == ["What do you want to know?"]


def test_a_question_is_shown_word_for_word(
    model: Server, service: RunService, opened: OpenPage
) -> None:
    question = "Is *this* :red[worth] $5 <b>or</b> ![x](https://example.org/x.png)?"
    page = opened(run=waiting_run(service, question))
    title = page.title[0].value
    assert "![x](" not in title and ":red[" not in title and " $5" not in title


def test_a_chart_has_a_source_note_its_code_and_can_be_made_again(
    model: Server, service: RunService, opened: OpenPage
) -> None:
    stock(service)
    page = opened(run=finished_run(service))
    assert "Source: meridian-" in words(page).replace("\\", "")
    assert not page.get("code")
    press(page, "Show code")
    assert "read_parquet" in page.get("code")[0].value
    press(page, "Run again")
    assert "numbers agree" in words(page)


def test_a_calculation_among_the_sources_leads_to_its_tables(
    service: RunService, opened: OpenPage
) -> None:
    stock(service)
    run_id = finished_run(service)
    (calculation,) = service.evidence(run_id).calculations.values()
    page = opened(run=run_id)
    label = next(each.label for each in page.button if each.label.startswith("Table: "))
    assert calculation.inputs[0].title in label.replace("\\", "")
    press(page, label)
    (link,) = [each for each in page.get("page_link") if "library" in each.proto.label]
    assert calculation.inputs[0].source_id in link.proto.query_string


def test_an_old_run_opens_and_says_that_its_charts_cannot_be_made_again(
    model: Server, service: RunService, opened: OpenPage
) -> None:
    stock(service)
    run_id = finished_run(service)
    with service._store._db.write() as database:
        database.execute("DELETE FROM evidence WHERE kind = 'calculation'")
    page = opened(run=run_id)
    press(page, "Run again")
    assert "cannot be run again" in words(page)
