"""The one way out to pages of the web.

A page is fetched over http(s) from the public internet only: its host is resolved here, every
address it has is checked, and the connection is made to the address that was checked, so that a
name cannot point elsewhere a moment later. All of it is done anew at every redirect. Size, time and
kind of content are bounded. Nothing is sent but the address asked for: no cookies, no credentials.
"""

from __future__ import annotations

import asyncio
import socket
import ssl
import time
import zlib
from collections.abc import AsyncIterator, Awaitable, Callable, Sequence
from dataclasses import dataclass
from functools import cache
from ipaddress import ip_address
from typing import TYPE_CHECKING

from research.errors import ForbiddenAddressError, WebError
from research.web.addresses import Address, Network, is_in, is_public

if TYPE_CHECKING:
    from httpx2 import URL, Response

Resolve = Callable[[str, int], Awaitable[Sequence[str]]]
"""Gives the addresses of a host name; raises OSError where there are none."""

USER_AGENT = "Dossier/0.1 (research workbench; reads the pages its user's question leads to)"
CONTENT_TYPES = frozenset(
    {
        "text/html",
        "text/plain",
        "text/markdown",
        "application/xhtml+xml",
        "application/json",
        "application/pdf",
    }
)
MAX_REDIRECTS = 5
MAX_BYTES = 5_000_000
SECONDS = 20.0
CONNECT_SECONDS = 5.0
ADDRESSES_TRIED = 3
HOST_CHARACTERS = 80
"""Of a host name that a sentence may quote."""


@dataclass(frozen=True)
class Fetched:
    """What an address gave."""

    url: str
    """Where the last redirect led."""
    content_type: str
    charset: str | None
    """As the server named it."""
    body: bytes
    fetched_at: float
    """Unix seconds."""


async def system_resolve(host: str, port: int) -> Sequence[str]:
    """The addresses the system knows for ``host``."""
    loop = asyncio.get_running_loop()
    found = await loop.getaddrinfo(host, port, type=socket.SOCK_STREAM)
    return list(dict.fromkeys(str(entry[4][0]) for entry in found))


class Guard:
    """Fetches what may be fetched.

    Args:
        resolve: Gives the addresses of a host.
        allow: Networks that count as public too; for servers on this machine in tests.
        max_bytes: Of one body, unpacked.
        seconds: For one page with all its redirects.
    """

    def __init__(
        self,
        *,
        resolve: Resolve = system_resolve,
        allow: Sequence[Network] = (),
        max_bytes: int = MAX_BYTES,
        seconds: float = SECONDS,
    ) -> None:
        self._resolve = resolve
        self._allow = allow
        self._max_bytes = max_bytes
        self._seconds = seconds

    async def fetch(self, url: str) -> Fetched:
        """Get ``url``.

        Raises:
            ForbiddenAddressError: It, or a redirect, leads to what is not a public http(s) address.
            WebError: It could not be reached, is too large or too slow, or not of a kind to read.
        """
        target = _parse(url)
        try:
            async with asyncio.timeout(self._seconds):
                for _ in range(MAX_REDIRECTS + 1):
                    step = await self._step(target)
                    if isinstance(step, Fetched):
                        return step
                    target = step
        except TimeoutError:
            raise WebError("web.page_slow", host=_shown(target)) from None
        raise WebError("web.page_redirects", host=_shown(target))

    async def _step(self, url: URL) -> Fetched | URL:
        """The page at ``url``, or where it redirects to."""
        import httpx2

        host = _shown(url)
        for address in (await self._addresses(url))[:ADDRESSES_TRIED]:
            transport = httpx2.AsyncHTTPTransport(verify=_tls(), trust_env=False)
            limits = httpx2.Timeout(self._seconds, connect=CONNECT_SECONDS)
            # A client for each connection: one that is kept would be used again for another
            # name at the same address, whose certificate was never checked.
            async with httpx2.AsyncClient(
                transport=transport, trust_env=False, timeout=limits
            ) as client:
                request = client.build_request(
                    "GET",
                    url.copy_with(host=str(address), fragment=None),
                    headers={
                        "Host": url.netloc.decode("ascii"),
                        "User-Agent": USER_AGENT,
                        "Accept": "text/html,application/xhtml+xml,text/plain;q=0.9,*/*;q=0.5",
                        "Accept-Encoding": "gzip, deflate",
                    },
                    extensions={"sni_hostname": url.raw_host.decode("ascii")},
                )
                try:
                    response = await client.send(request, stream=True)
                except (httpx2.ConnectError, httpx2.ConnectTimeout):
                    continue
                except httpx2.HTTPError:
                    raise WebError("web.page_unreachable", host=host) from None
                try:
                    return await self._read(url, response)
                except (httpx2.HTTPError, zlib.error):
                    raise WebError("web.page_unreachable", host=host) from None
        raise WebError("web.page_unreachable", host=host)

    async def _addresses(self, url: URL) -> list[Address]:
        """The addresses of a host, all of which are public.

        Raises:
            ForbiddenAddressError: One is not: a name with both kinds is a trick.
        """
        host = url.raw_host.decode("ascii")
        port = url.port or {"http": 80, "https": 443}[url.scheme]
        try:
            names = await self._resolve(host, port)
            addresses = [ip_address(name.partition("%")[0]) for name in names]
        except (OSError, ValueError):
            raise WebError("web.page_unreachable", host=_shown(url)) from None
        if not all(is_public(one) or is_in(one, self._allow) for one in addresses):
            raise ForbiddenAddressError("web.forbidden_address", host=_shown(url))
        return addresses

    async def _read(self, url: URL, response: Response) -> Fetched | URL:
        host = _shown(url)
        if response.is_redirect and (location := response.headers.get("location")):
            return _parse(location, base=url)
        if response.status_code != 200:
            raise WebError("web.page_status", host=host, status=response.status_code)
        content_type = response.headers.get("content-type", "").partition(";")[0].strip().lower()
        if content_type not in CONTENT_TYPES:
            raise WebError("web.page_type", host=host, type=content_type[:60] or "?")
        body = bytearray()
        async for piece in _unpacked(response, host):
            body += piece
            if len(body) > self._max_bytes:
                raise WebError(
                    "web.page_too_large", host=host, megabytes=round(self._max_bytes / 1e6, 1)
                )
        return Fetched(
            url=str(url),
            content_type=content_type,
            charset=response.charset_encoding,
            body=bytes(body),
            fetched_at=time.time(),
        )


def _parse(url: str, base: URL | None = None) -> URL:
    """``url`` as an address that may be asked for.

    Raises:
        ForbiddenAddressError: It is not http(s), or carries a user name.
    """
    import httpx2

    try:
        parsed = base.join(url) if base else httpx2.URL(url.strip())
    except (httpx2.InvalidURL, ValueError, TypeError):
        raise ForbiddenAddressError("web.forbidden_address", host=url[:HOST_CHARACTERS]) from None
    if parsed.scheme not in ("http", "https") or not parsed.host or parsed.userinfo:
        raise ForbiddenAddressError("web.forbidden_address", host=_shown(parsed))
    return parsed


def _shown(url: URL) -> str:
    """The host, or whatever there is of the address, for a sentence."""
    return (url.host or f"{url.scheme}:")[:HOST_CHARACTERS]


async def _unpacked(response: Response, host: str) -> AsyncIterator[bytes]:
    """The body in pieces, none of which unpacks to much at once.

    The client's own decoder would unpack a small piece into any amount of memory.
    """
    encoding = response.headers.get("content-encoding", "identity").strip().lower()
    if encoding == "identity":
        async for piece in response.aiter_raw():
            yield piece
        return
    if encoding not in ("gzip", "x-gzip", "deflate"):
        raise WebError("web.page_type", host=host, type=encoding[:60])
    unpacker = zlib.decompressobj(zlib.MAX_WBITS | 32)
    async for piece in response.aiter_raw():
        packed = piece
        while packed and not unpacker.eof:
            yield unpacker.decompress(packed, 1 << 16)
            packed = unpacker.unconsumed_tail
    yield unpacker.flush()


@cache
def _tls() -> ssl.SSLContext:
    import httpx2

    return httpx2.create_ssl_context(trust_env=False)
