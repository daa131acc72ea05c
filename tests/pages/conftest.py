"""The pages on a service of their own, driven without a browser."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from pathlib import Path

import pytest
from streamlit.testing.v1 import AppTest

from research.models import RunOptions
from research.runs import close_service, get_service
from research.runs.service import RunService
from research.settings import get_settings
from tests.servers.server import Server, serve

ROOT = Path(__file__).resolve().parents[2]
SHELL = ROOT / "pages" / "_shell.py"
SAMPLES = sorted((ROOT / "samples").glob("meridian-*"))
QUESTION = "How did revenue by region change, and why?"

OpenPage = Callable[..., AppTest]


@pytest.fixture(scope="session")
def server() -> Iterator[Server]:
    with serve() as running:
        yield running


@pytest.fixture(autouse=True)
def home(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, server: Server) -> Iterator[Path]:
    """A data folder for this test, no key for a model, and a web that is on this machine."""
    server.reset()
    for name in ("OPENAI_API_KEY", "OPENAI_BASE_URL", "DOSSIER_MODEL", "DOSSIER_EMBEDDER"):
        monkeypatch.delenv(name, raising=False)
    monkeypatch.setenv("TAVILY_API_KEY", "tvly-secret")
    monkeypatch.setenv("TAVILY_BASE_URL", server.url)
    monkeypatch.setenv("DOSSIER_HOME", str(tmp_path))
    get_settings.cache_clear()
    yield tmp_path
    close_service()
    get_settings.cache_clear()


@pytest.fixture
def model(monkeypatch: pytest.MonkeyPatch, server: Server, home: Path) -> Server:
    """The scripted model does the thinking."""
    monkeypatch.setenv("OPENAI_API_KEY", "sk-secret")
    monkeypatch.setenv("OPENAI_BASE_URL", server.model_url)
    monkeypatch.setenv("DOSSIER_MODEL", "scripted")
    return server


@pytest.fixture
def service(home: Path) -> RunService:
    """The service that the pages talk to."""
    return get_service()


@pytest.fixture
def opened() -> OpenPage:
    """Opens a page: its name, and what stands in the address."""

    def open_page(name: str = "research", **address: str) -> AppTest:
        page = AppTest.from_file(str(SHELL), default_timeout=60)
        page.query_params.update(address)
        page.run()
        if name != "research":
            page.switch_page(f"{name}.py")
            page.query_params.update(address)
            page.run()
        assert not page.exception, page.exception
        return page

    return open_page


def stock(service: RunService) -> None:
    """Put the sample documents into the library."""
    for path in SAMPLES:
        service.library.add(path.name, path.read_bytes())


def waiting_run(service: RunService, question: str = QUESTION) -> str:
    """A run whose plan waits for the user."""
    run_id = service.start(question, RunOptions(use_web=False))
    service.wait(run_id)
    return run_id


def finished_run(service: RunService, question: str = QUESTION) -> str:
    """A run that was carried out without asking."""
    run_id = service.start(question, RunOptions(use_web=False, accept_plan=True))
    service.wait(run_id)
    return run_id


def press(page: AppTest, label: str) -> None:
    """Click the first button with these words on it."""
    next(each for each in page.button if each.label == label).click().run()
    assert not page.exception, page.exception


def words(page: AppTest) -> str:
    """Everything that can be read on the page."""
    parts = [str(getattr(each, "value", "")) for each in page.main]
    parts += [str(getattr(each, "label", "")) for each in page.main]
    return "\n".join(parts)
