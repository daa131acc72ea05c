"""Runs the scripted model and the small web in a thread, on a free port of loopback."""

from __future__ import annotations

import socket
import threading
import time
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass

import uvicorn
from starlette.applications import Starlette

from tests.servers.model import ScriptedModel
from tests.servers.web import SmallWeb

START_SECONDS = 15.0


@dataclass
class Server:
    """What is being served, and where."""

    url: str
    """``http://127.0.0.1:PORT``: Tavily's and Wikipedia's paths, and pages under ``/pages/``."""
    model: ScriptedModel
    web: SmallWeb

    @property
    def model_url(self) -> str:
        """The base address for an OpenAI client."""
        return f"{self.url}/v1"

    def reset(self) -> None:
        """Forget every script and log."""
        self.model.reset()
        self.web.reset()


@contextmanager
def serve() -> Iterator[Server]:
    """Serve the model and the web until the block ends."""
    model, web = ScriptedModel(), SmallWeb()
    with serve_app(Starlette(routes=[*model.routes(), *web.routes()])) as url:
        try:
            yield Server(url, model, web)
        finally:
            model.release()


@contextmanager
def serve_app(app: Starlette) -> Iterator[str]:
    """Serve any application until the block ends; gives its address."""
    listener = socket.create_server(("127.0.0.1", 0))
    config = uvicorn.Config(
        app, log_level="critical", ws="none", lifespan="off", timeout_graceful_shutdown=1
    )
    runner = uvicorn.Server(config)
    thread = threading.Thread(target=runner.run, kwargs={"sockets": [listener]}, daemon=True)
    thread.start()
    deadline = time.monotonic() + START_SECONDS
    while not runner.started and time.monotonic() < deadline:
        time.sleep(0.01)
    try:
        yield f"http://127.0.0.1:{listener.getsockname()[1]}"
    finally:
        runner.should_exit = True
        thread.join(START_SECONDS)
        listener.close()
