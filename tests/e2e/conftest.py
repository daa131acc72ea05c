"""A browser, the running application without a key, and the same with the scripted model."""

from __future__ import annotations

import os
import shutil
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import NoReturn

import pytest

from tests.e2e.program import Program
from tests.e2e.screen import Screen
from tests.servers.server import Server, serve

PATIENCE_MS = 30_000
CHROMIUM = ("chromium", "chromium-browser", "google-chrome")

OpenScreen = Callable[..., Screen]


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    for item in items:
        if Path(__file__).parent in item.path.parents:
            item.add_marker(pytest.mark.browser)


@pytest.fixture(scope="package")
def browser() -> Iterator[object]:
    """One browser, gone before other tests begin: its driver keeps an event loop running."""
    try:
        from playwright.sync_api import sync_playwright
    except ImportError:
        _cannot("playwright is not installed: pip install playwright")
    path = next(filter(None, map(shutil.which, CHROMIUM)), None)
    if path is None:
        _cannot("there is no browser: apt-get install chromium")
    with sync_playwright() as driver:
        running = driver.chromium.launch(executable_path=path, args=["--no-sandbox"])
        yield running
        running.close()


def _cannot(reason: str) -> NoReturn:
    """Browser tests are left out where there is none, but never silently in CI."""
    if os.environ.get("CI") == "true":
        pytest.fail(reason)
    pytest.skip(reason)


@pytest.fixture
def screen(browser: object) -> Iterator[OpenScreen]:
    """Opens tabs; each call is a tab of its own in one browser profile."""
    context = browser.new_context(  # type: ignore[attr-defined]
        viewport={"width": 1280, "height": 900}, locale="en-US", accept_downloads=True
    )
    context.set_default_timeout(PATIENCE_MS)

    def open_screen(program: Program, path: str = "/") -> Screen:
        return Screen.open(context, program.url, path)

    yield open_screen
    context.close()


@pytest.fixture(scope="session")
def server() -> Iterator[Server]:
    with serve() as running:
        yield running


def web(server: Server) -> dict[str, str]:
    """Web searches that stay on this machine."""
    return {"TAVILY_API_KEY": "tvly-test", "TAVILY_BASE_URL": server.url}


def model(server: Server) -> dict[str, str]:
    """The scripted model, and the small web."""
    return {
        **web(server),
        "OPENAI_API_KEY": "sk-test",
        "OPENAI_BASE_URL": server.model_url,
        "DOSSIER_MODEL": "scripted",
    }


@pytest.fixture(scope="module")
def keyless(tmp_path_factory: pytest.TempPathFactory, server: Server) -> Iterator[Program]:
    """The application without a key for a model."""
    program = Program(tmp_path_factory.mktemp("keyless"), web(server))
    program.start()
    yield program
    program.stop()


@pytest.fixture(scope="module")
def _modelled(tmp_path_factory: pytest.TempPathFactory, server: Server) -> Iterator[Program]:
    program = Program(tmp_path_factory.mktemp("modelled"), model(server))
    program.start()
    yield program
    program.stop()


@pytest.fixture
def modelled(_modelled: Program, server: Server) -> Program:
    """The application with the scripted model, its script empty."""
    server.reset()
    return _modelled


@pytest.fixture
def mortal(tmp_path: Path, server: Server) -> Iterator[Program]:
    """An application of the test's own, to be killed."""
    server.reset()
    program = Program(tmp_path / "home", model(server))
    program.start()
    yield program
    program.stop()
