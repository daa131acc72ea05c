"""Runs: started, carried out, kept and read. One service for the whole process."""

from __future__ import annotations

import threading
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from research.runs.service import RunService

_lock = threading.Lock()
_services: list[RunService] = []


def get_service() -> RunService:
    """The service of this process; the first call starts it and takes up interrupted runs.

    Raises:
        StoreError: The data folder cannot be used.
    """
    # The graph imports parts of this package, and the service imports the graph.
    from research.runs.service import RunService
    from research.settings import get_settings

    with _lock:
        if not _services:
            service = RunService(get_settings())
            service.adopt()
            _services.append(service)
        return _services[0]


def close_service() -> None:
    """Let go of the service; runs under way go on at the next start."""
    with _lock:
        while _services:
            _services.pop().close()
