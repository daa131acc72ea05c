"""Fixtures for every test that needs an endpoint: import them in a ``conftest.py``."""

from __future__ import annotations

from collections.abc import Iterator

import pytest

from tests.servers.server import Server, serve


@pytest.fixture(scope="session")
def _serving() -> Iterator[Server]:
    with serve() as running:
        yield running


@pytest.fixture
def server(_serving: Server) -> Server:
    """The scripted model and the small web, without any script."""
    _serving.reset()
    return _serving
