"""A runs service on its own folder, with the scripted model or without any."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from research.models import RunOptions
from research.runs.service import RunService
from research.settings import Settings
from tests.servers.fixtures import _serving, server
from tests.servers.server import Server

SAMPLES = Path(__file__).resolve().parents[2] / "samples"
QUESTION = "How did revenue by region change, and why?"
ACCEPT = RunOptions(accept_plan=True, use_web=False)

__all__ = ["_serving", "server"]

Open = Callable[..., RunService]


def model_settings(home: Path, server: Server, **changes: object) -> Settings:
    return Settings(
        home=home,
        openai_api_key="sk-test",
        openai_base_url=server.model_url,
        tavily_api_key="tvly-test",
        tavily_base_url=server.url,
        model="scripted",
        **changes,
    )


@pytest.fixture(scope="session")
def stocked(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A data folder that already holds the sample documents, to be copied by each test."""
    home = tmp_path_factory.mktemp("stocked")
    service = RunService(Settings(home=home, openai_api_key=None, tavily_api_key=None))
    for path in sorted(SAMPLES.glob("meridian-*")):
        service.library.add(path.name, path.read_bytes())
    service.close()
    return home


@pytest.fixture
def home(stocked: Path, tmp_path: Path) -> Path:
    import shutil

    return Path(shutil.copytree(stocked, tmp_path / "home"))


@pytest.fixture
def opened() -> Iterator[Open]:
    """Opens services that are closed when the test ends."""
    services: list[RunService] = []

    def open_service(settings: Settings) -> RunService:
        services.append(RunService(settings))
        return services[-1]

    yield open_service
    for service in services:
        service.close()
