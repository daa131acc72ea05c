"""The scripted model, and a client for it."""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable
from typing import Any, TypeVar

import pytest

from research.llm.client import ModelClient
from research.settings import Settings
from tests.servers.fixtures import _serving, server
from tests.servers.server import Server

__all__ = ["_serving", "server"]

T = TypeVar("T")
Run = Callable[..., Any]

KEY = "sk-test-3141592653589793"


@pytest.fixture
def run(server: Server) -> Run:
    """Runs ``work(client)`` with a client of the given settings, on a loop of its own."""

    def run(work: Callable[[ModelClient], Awaitable[T]], **changes: Any) -> T:
        async def main() -> T:
            values = {"openai_api_key": KEY, "openai_base_url": server.model_url, **changes}
            client = ModelClient(Settings(**values))
            try:
                return await work(client)
            finally:
                await client.close()

        return asyncio.run(main())

    return run
