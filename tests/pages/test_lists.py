"""Reports, trace and settings."""

from __future__ import annotations

import pytest

from research.runs.service import RunService
from tests.pages.conftest import OpenPage, finished_run, press, waiting_run, words
from tests.servers.server import Server


def test_an_empty_list_of_reports_says_what_it_is_for(opened: OpenPage) -> None:
    assert "No reports yet" in words(opened("reports"))


def test_reports_are_found_by_their_words(
    model: Server, service: RunService, opened: OpenPage
) -> None:
    waiting_run(service, "What moves the tides?")
    waiting_run(service, "Which region grew?")
    page = opened("reports")
    page.text_input(key="reports-filter").set_value("region grew").run()
    text = words(page)
    assert "Which region grew?" in text and "tides" not in text


def test_a_run_is_deleted_only_after_a_second_word(
    model: Server, service: RunService, opened: OpenPage
) -> None:
    waiting_run(service)
    page = opened("reports")
    press(page, "Delete")
    assert page.button(key="delete-confirm").label == "Delete"
    assert len(service.runs()) == 1


def test_the_trace_has_a_row_for_each_node_and_call(
    model: Server, service: RunService, opened: OpenPage
) -> None:
    run_id = finished_run(service)
    view = service.view(run_id)
    page = opened("trace", run=run_id)
    assert len(page.dataframe[0].value) == len(view.nodes) + len(view.calls)
    assert page.get("plotly_chart")


def test_settings_show_what_is_on_and_no_secret(model: Server, opened: OpenPage) -> None:
    text = words(opened("settings"))
    assert "scripted" in text and "Tavily" in text
    assert "sk-secret" not in text and "tvly-secret" not in text


def test_settings_without_a_key_say_exactly_what_to_set(opened: OpenPage) -> None:
    page = opened("settings")
    assert "export OPENAI_API_KEY=..." in [code.value for code in page.code]


@pytest.mark.parametrize("name", ["research", "knowledge", "reports", "trace", "settings"])
@pytest.mark.parametrize("lang", ["en", "zh"])
def test_every_page_opens_in_both_languages(opened: OpenPage, name: str, lang: str) -> None:
    page = opened(name, lang=lang)
    assert page.title[0].value
