"""A scripted model and a small web on loopback, for every test that needs an endpoint.

``with serve() as server:`` gives a :class:`Server`: point ``OPENAI_BASE_URL`` at
``server.model_url`` and ``TAVILY_BASE_URL`` at ``server.url``, with any keys. Without a script the
model plays its part in a whole research run: see ``brain.py``.
"""

from tests.servers.model import Answer, Request, ScriptedModel
from tests.servers.server import Server, serve, serve_app

__all__ = ["Answer", "Request", "ScriptedModel", "Server", "serve", "serve_app"]
