"""The scripted endpoint."""

from tests.servers.fixtures import _serving, server

__all__ = ["_serving", "server"]
