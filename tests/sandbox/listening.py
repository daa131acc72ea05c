"""Servers on loopback that must hear nothing."""

from __future__ import annotations

import socket
import threading
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from typing import Any, Literal

Kind = Literal["tcp", "tcp6", "udp", "unix", "abstract", "http"]

_FAMILIES = {
    "tcp6": socket.AF_INET6,
    "unix": socket.AF_UNIX,
    "abstract": socket.AF_UNIX,
}


class Listener:
    """One server, which notes whether anything reached it."""

    def __init__(self, kind: Kind, folder: Path, name: str) -> None:
        """Begin to listen.

        Args:
            kind: Of the server; ``http`` answers as an application would.
            folder: Where a Unix socket gets its path.
            name: Unique on this machine, for an abstract Unix socket.
        """
        self.kind = kind
        self.requests: list[str] = []
        """Paths that an HTTP server was asked for."""
        if kind == "http":
            self._serve()
            return
        family = _FAMILIES.get(kind, socket.AF_INET)
        self._socket = socket.socket(
            family, socket.SOCK_DGRAM if kind == "udp" else socket.SOCK_STREAM
        )
        path = str(folder / "s")
        host = "::1" if kind == "tcp6" else "127.0.0.1"
        self._socket.bind({"unix": path, "abstract": f"\0{name}"}.get(kind, (host, 0)))
        self._socket.setblocking(False)
        if kind != "udp":
            self._socket.listen()
        self.address: Any = path if kind == "unix" else self._socket.getsockname()

    def _serve(self) -> None:
        requests = self.requests

        class Handler(BaseHTTPRequestHandler):
            def do_GET(self) -> None:
                requests.append(self.path)
                self.send_response(204)
                self.end_headers()

            def log_message(self, format: str, *args: Any) -> None:
                """Say nothing."""

        self._server = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
        self.address = f"http://127.0.0.1:{self._server.server_port}/"
        self._thread = threading.Thread(target=self._server.serve_forever, args=(0.05,))
        self._thread.start()

    def heard(self) -> bool:
        """Whether something came since the last time this was asked."""
        if self.kind == "http":
            came = bool(self.requests)
            self.requests.clear()
            return came
        try:
            if self.kind == "udp":
                self._socket.recv(10)
            else:
                self._socket.accept()[0].close()
        except BlockingIOError:
            return False
        return True

    def close(self) -> None:
        """Listen no more."""
        if self.kind == "http":
            self._server.shutdown()
            self._thread.join()
            self._server.server_close()
        else:
            self._socket.close()


def has_ipv6() -> bool:
    """Whether this machine can talk to itself over IPv6."""
    try:
        with socket.socket(socket.AF_INET6) as server:
            server.bind(("::1", 0))
    except OSError:
        return False
    return True
