"""The first screen."""

from __future__ import annotations

from research.runs.service import RunService
from tests.pages.conftest import SAMPLES, OpenPage, words
from tests.servers.server import Server


def test_without_a_key_it_says_so_and_what_to_set(opened: OpenPage) -> None:
    text = words(opened())
    assert "Extractive mode" in text and "OPENAI_API_KEY" in text


def test_with_a_key_it_names_the_model(model: Server, opened: OpenPage) -> None:
    text = words(opened())
    assert "Written by **scripted**" in text and "Extractive" not in text


def test_an_empty_question_gives_one_sentence(opened: OpenPage, service: RunService) -> None:
    page = opened()
    page.button(key="start").click().run()
    assert [error.value for error in page.error] == ["Write a question first."]
    assert service.runs() == []


def test_the_samples_are_one_click_away(opened: OpenPage, service: RunService) -> None:
    page = opened()
    next(each for each in page.button if "sample" in each.label).click().run()
    assert str(page.text_area(key="question").value).startswith("How did revenue")
    assert {job.name for job in service.ingestion.jobs()} == {path.name for path in SAMPLES}


def test_the_options_go_into_the_run(model: Server, opened: OpenPage, service: RunService) -> None:
    page = opened()
    page.toggle(key="use_web").set_value(False)
    page.slider(key="max_steps").set_value(3)
    page.selectbox(key="report_language").set_value("zh")
    page.text_area(key="question").set_value("What moves the tides?")
    page.button(key="start").click().run()
    (run,) = service.runs()
    assert (run.options.use_web, run.options.max_steps, run.options.language) == (False, 3, "zh")
    assert page.query_params["run"] in ([run.id], run.id)


def test_it_speaks_chinese(opened: OpenPage) -> None:
    page = opened(lang="zh")
    assert [title.value for title in page.title] == ["你想了解什么？"]
