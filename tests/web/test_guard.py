"""The one way out: what it fetches, and what it never does."""

from __future__ import annotations

import asyncio
import json
import ssl
import subprocess
import threading
import time
from collections.abc import Sequence
from pathlib import Path
from urllib.parse import quote, urlsplit

import pytest

from research.errors import ForbiddenAddressError, WebError
from research.web.guard import USER_AGENT, Fetched, Guard
from tests.servers import Server
from tests.web.conftest import LOOPBACK


def _fetch(guard: Guard, url: str) -> Fetched:
    return asyncio.run(guard.fetch(url))


def _port(url: str) -> int:
    return urlsplit(url).port or 0


class Names:
    """A resolver that knows a few names, and keeps what it was asked."""

    def __init__(self, **answers: Sequence[str]) -> None:
        self.answers = answers
        self.asked: list[str] = []

    async def __call__(self, host: str, port: int) -> Sequence[str]:
        self.asked.append(host)
        if host.split(".", maxsplit=1)[0] not in self.answers:
            raise OSError("no such name")
        return self.answers[host.split(".", maxsplit=1)[0]]


def test_a_page_is_fetched(guard: Guard, server: Server) -> None:
    fetched = _fetch(guard, f"{server.url}/pages/ferry-fares")
    assert fetched.content_type == "text/html" and fetched.charset == "utf-8"
    assert b"Ferry fares" in fetched.body
    assert abs(fetched.fetched_at - time.time()) < 60


def test_it_says_who_asks_and_keeps_no_cookies(guard: Guard, odd_site: str) -> None:
    async def twice() -> Fetched:
        await guard.fetch(f"{odd_site}/echo")
        return await guard.fetch(f"{odd_site}/echo")

    headers = json.loads(asyncio.run(twice()).body)
    assert headers["user-agent"] == USER_AGENT
    assert "cookie" not in headers and "authorization" not in headers


@pytest.mark.parametrize(
    "url",
    [
        "file:///etc/passwd",
        "ftp://example.com/x",
        "gopher://example.com/",
        "javascript:alert(1)",
        "//example.com/x",
        "example.com",
        "",
        "http://",
        "http://user:secret@example.com/",
        "http://[::1",
    ],
)
def test_only_plain_http_addresses_are_opened(guard: Guard, url: str) -> None:
    with pytest.raises(ForbiddenAddressError) as caught:
        _fetch(guard, url)
    assert "secret" not in str(caught.value)


@pytest.mark.parametrize(
    "host",
    [
        "127.0.0.1",
        "127.1",
        "2130706433",
        "0x7f.0.0.1",
        "017700000001",
        "[::1]",
        "[::ffff:127.0.0.1]",
        "[64:ff9b::7f00:1]",
        "0.0.0.0",
        "localhost",
        "169.254.169.254",
        "[fd00:ec2::254]",
    ],
)
def test_this_machine_is_not_reached_however_it_is_written(server: Server, host: str) -> None:
    with pytest.raises(WebError):
        _fetch(Guard(), f"http://{host}:{_port(server.url)}/pages/ferry-fares")
    assert server.web.requests == []


def test_a_name_with_a_public_and_a_private_address_is_refused(server: Server) -> None:
    names = Names(rebind=["93.184.216.34", "127.0.0.1"])
    with pytest.raises(ForbiddenAddressError, match=r"rebind\.example"):
        _fetch(Guard(resolve=names), f"http://rebind.example:{_port(server.url)}/pages/x")
    assert server.web.requests == []


def test_the_connection_goes_to_the_address_that_was_checked(server: Server) -> None:
    names = Names(ports=["127.0.0.1"])
    url = f"http://ports.example:{_port(server.url)}/pages/ferry-fares"
    fetched = _fetch(Guard(resolve=names, allow=LOOPBACK), url)
    assert names.asked == ["ports.example"]  # and not once more by the connection
    assert fetched.url == url
    (_, headers) = server.web.requests[0]
    assert headers["host"] == f"ports.example:{_port(server.url)}"


def test_the_next_address_is_tried_when_one_does_not_answer(server: Server) -> None:
    names = Names(ports=["127.0.0.77", "127.0.0.1"])
    url = f"http://ports.example:{_port(server.url)}/pages/ferry-fares"
    assert b"Ferry" in _fetch(Guard(resolve=names, allow=LOOPBACK), url).body


def test_a_redirect_is_followed_to_where_it_leads(guard: Guard, odd_site: str) -> None:
    fetched = _fetch(guard, f"{odd_site}/countdown/5")
    assert fetched.body == b"arrived" and fetched.url == f"{odd_site}/countdown/0"


def test_redirects_without_end_are_given_up(guard: Guard, odd_site: str) -> None:
    with pytest.raises(WebError, match="redirects without end"):
        _fetch(guard, f"{odd_site}/countdown/6")


@pytest.mark.parametrize(
    "target",
    ["http://10.0.0.1/x", "http://169.254.169.254/latest/meta-data", "file:///etc/passwd",
     "http://[::1]/", "http://inside.example/"],
)  # fmt: skip
def test_a_redirect_inside_is_refused(odd_site: str, target: str) -> None:
    names = Names(**{"127": ["127.0.0.1"], "10": ["10.0.0.1"], "169": ["169.254.169.254"],
                     "::1": ["::1"], "inside": ["192.168.0.9"]})  # fmt: skip
    with pytest.raises(ForbiddenAddressError):
        _fetch(Guard(resolve=names, allow=LOOPBACK), f"{odd_site}/redirect?to={quote(target)}")


@pytest.mark.parametrize("path", ["/bytes/400000", "/packed/400000", "/packed/300000000"])
def test_a_body_is_bounded_also_when_it_comes_packed(odd_site: str, path: str) -> None:
    with pytest.raises(WebError, match=r"larger than 0\.1 MB"):
        _fetch(Guard(allow=LOOPBACK, max_bytes=100_000), f"{odd_site}{path}")


def test_a_packed_page_is_unpacked(guard: Guard, odd_site: str) -> None:
    assert _fetch(guard, f"{odd_site}/packed/70000").body == b"a" * 70_000


def test_a_page_that_never_ends_is_given_up_in_time(odd_site: str) -> None:
    began = time.monotonic()
    with pytest.raises(WebError, match="took too long"):
        _fetch(Guard(allow=LOOPBACK, seconds=0.5), f"{odd_site}/drip")
    assert time.monotonic() - began < 3


@pytest.mark.parametrize("path", ["/typed?type=video/mp4", "/typed?type=application/zip",
                                  "/packed/10?as=br"])  # fmt: skip
def test_what_is_no_page_is_not_read(guard: Guard, odd_site: str, path: str) -> None:
    with pytest.raises(WebError, match="cannot be read as a page"):
        _fetch(guard, f"{odd_site}{path}")


@pytest.mark.parametrize("status", [403, 404, 429, 500])
def test_a_refusal_of_the_site_is_told(guard: Guard, odd_site: str, status: int) -> None:
    with pytest.raises(WebError, match=f"status {status}"):
        _fetch(guard, f"{odd_site}/status/{status}")


@pytest.mark.parametrize("host", ["nowhere.example", "a" * 300 + ".example", "127.0.0.1:9"])
def test_a_site_that_is_not_there_is_told(host: str) -> None:
    async def resolve(name: str, port: int) -> Sequence[str]:
        if name.startswith("127"):
            return [name]
        raise OSError("no such name")

    with pytest.raises(WebError):
        _fetch(Guard(resolve=resolve, allow=LOOPBACK), f"http://{host}/")


def test_a_certificate_has_to_be_that_of_the_name_asked_for(tmp_path: Path) -> None:
    named: list[str | None] = []
    listening = threading.Event()
    port = 0

    async def serve(stop: asyncio.Event) -> None:
        nonlocal port
        context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
        context.load_cert_chain(*_certificate(tmp_path))
        context.sni_callback = lambda socket, name, context: named.append(name)
        tls_server = await asyncio.start_server(
            lambda reader, writer: None, "127.0.0.1", 0, ssl=context
        )
        port = tls_server.sockets[0].getsockname()[1]
        listening.set()
        async with tls_server:
            await stop.wait()

    async def main() -> None:
        stop = asyncio.Event()
        serving = asyncio.create_task(serve(stop))
        await asyncio.to_thread(listening.wait, 10)
        guard = Guard(resolve=Names(ports=["127.0.0.1"]), allow=LOOPBACK)
        with pytest.raises(WebError, match="could not be reached"):
            await guard.fetch(f"https://ports.example:{port}/")
        stop.set()
        await serving

    asyncio.run(main())
    assert named == ["ports.example"]


def _certificate(folder: Path) -> tuple[Path, Path]:
    """A certificate that nobody has signed, and its key."""
    certificate, key = folder / "certificate.pem", folder / "key.pem"
    subprocess.run(
        ["openssl", "req", "-x509", "-newkey", "rsa:2048", "-nodes", "-days", "2",
         "-subj", "/CN=ports.example", "-keyout", str(key), "-out", str(certificate)],
        check=True, capture_output=True,
    )  # fmt: skip
    return certificate, key
