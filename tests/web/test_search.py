"""Searching: each engine, and the chain in which they stand in for each other."""

from __future__ import annotations

import asyncio
import socket
import time
from collections.abc import Sequence
from typing import Any

import pytest
from ddgs.exceptions import DDGSException
from pydantic import SecretStr

from research.errors import WebError
from research.models import Notice
from research.settings import Settings
from research.web.ddgs import DdgsEngine
from research.web.guard import Guard
from research.web.network import reachable
from research.web.search import EngineChain, WebHit, choose_engine
from research.web.tavily import TavilyEngine, without_links
from research.web.wikipedia import WikipediaEngine
from tests.servers import Server

KEY = SecretStr("tvly-test-2718281828")


def _search(engine: Any, query: str, limit: int = 3) -> list[WebHit]:
    hits: list[WebHit] = asyncio.run(engine.search(query, limit))
    return hits


@pytest.fixture
def tavily(server: Server) -> TavilyEngine:
    return TavilyEngine(KEY, server.url)


# ---------------------------------------------------------------- Tavily


def test_tavily_gives_the_text_of_pages_along(server: Server, tavily: TavilyEngine) -> None:
    hits = _search(tavily, "ferry fares", 2)
    assert hits[0].title == "How ferry fares are set"
    assert len(hits) == 2 and hits[0].score > hits[1].score
    assert hits[0].content and "2.6 million" in hits[0].content
    assert [path for path, _ in server.web.requests] == ["/search"]


def test_tavily_is_asked_for_the_texts_that_did_not_come(
    server: Server, tavily: TavilyEngine
) -> None:
    server.web.raw_content = False
    hits = _search(tavily, "ferry fares", 2)
    assert all(hit.content for hit in hits)
    assert [path for path, _ in server.web.requests] == ["/search", "/extract"]


def test_a_long_query_is_cut_to_what_tavily_takes(server: Server, tavily: TavilyEngine) -> None:
    _search(tavily, "ferry " * 200)
    assert len(server.web.requests[0][1]["query"]) == 400


@pytest.mark.parametrize(
    ("status", "says"),
    [
        (401, "check TAVILY_API_KEY"),
        (429, "no searches left"),
        (432, "no searches left"),
        (400, "Tavily answered with an error"),
        (500, "Tavily answered with an error"),
    ],
)
def test_what_tavily_refuses_is_said_without_the_key(
    server: Server, tavily: TavilyEngine, status: int, says: str
) -> None:
    server.web.status = status
    with pytest.raises(WebError, match=says) as caught:
        _search(tavily, "ferry fares")
    assert KEY.get_secret_value() not in str(caught.value)
    assert len(server.web.requests) == (2 if status == 500 else 1)


def test_pictures_and_addresses_are_taken_out_of_page_texts() -> None:
    written = 'See ![a crane](https://x.example/c.png "crane") the [report](https://x.example/r).'
    assert without_links(written) == "See  the report."


# ---------------------------------------------------------------- without a key


def test_wikipedia_gives_articles_in_their_order(server: Server, guard: Guard) -> None:
    engine = WikipediaEngine(guard, server.url)
    hits = _search(engine, "shore power for ships", 2)
    assert hits[0].title == "Shore power for ships"
    assert len(hits) == 2 and hits[0].content is None and hits[0].snippet.startswith("Since June")


def test_wikipedia_that_fails_says_so(server: Server, guard: Guard) -> None:
    server.web.status = 503
    with pytest.raises(WebError, match="Wikipedia answered with an error"):
        _search(WikipediaEngine(guard, server.url), "ships")


def test_results_of_the_keyless_engines_are_ranked() -> None:
    found = [
        {"href": "https://a.example", "title": "A\u200b", "body": "one"},
        {"href": "", "title": "no address", "body": ""},
        {"href": "https://b.example", "title": "B", "body": "two"},
    ]
    hits = _search(DdgsEngine(lambda query, limit: found), "ports")
    assert [(hit.url, hit.title) for hit in hits] == [
        ("https://a.example", "A"),
        ("https://b.example", "B"),
    ]
    assert hits[0].score > hits[1].score


@pytest.mark.parametrize(
    ("said", "says"),
    [("Ratelimit 202", "answered with an error"), ("DNSError", "cannot be reached")],
)
def test_keyless_engines_that_fail_say_so(said: str, says: str) -> None:
    def find(query: str, limit: int) -> list[dict[str, Any]]:
        raise DDGSException(said)

    with pytest.raises(WebError, match=says):
        _search(DdgsEngine(find), "ports")


def test_no_results_are_no_failure() -> None:
    def find(query: str, limit: int) -> list[dict[str, Any]]:
        raise DDGSException("No results found.")

    assert _search(DdgsEngine(find), "ports") == []


# ---------------------------------------------------------------- the chain


async def _always(addresses: Sequence[str]) -> bool:
    return True


async def _never(addresses: Sequence[str]) -> bool:
    return False


def test_the_next_engine_takes_over_with_a_word(server: Server, guard: Guard) -> None:
    broken = TavilyEngine(KEY, f"{server.url}/nothing")
    chain = EngineChain([broken, WikipediaEngine(guard, server.url)], _always)
    words: list[Notice] = []

    async def search() -> list[list[WebHit]]:
        at_once = [chain.search("ferry fares", 2, words.append) for _ in range(3)]
        return [*await asyncio.gather(*at_once), await chain.search("fares", 2, words.append)]

    found = asyncio.run(search())
    assert [hits[0].title for hits in found] == ["How ferry fares are set"] * 4
    assert [(word.key, word.level) for word in words] == [("web.engine_failed", "warning")]


def test_an_engine_that_failed_is_left_alone_for_a_while(server: Server) -> None:
    server.web.status = 401
    chain = EngineChain([TavilyEngine(KEY, server.url)], _always)

    async def twice() -> None:
        for _ in range(2):
            with pytest.raises(WebError, match="TAVILY_API_KEY"):
                await chain.search("ferry", 2)

    asyncio.run(twice())
    assert len(server.web.requests) == 1


def test_an_engine_that_finds_nothing_is_followed_by_the_next(server: Server, guard: Guard) -> None:
    chain = EngineChain(
        [DdgsEngine(lambda query, limit: []), WikipediaEngine(guard, server.url)], _always
    )
    assert _search(chain, "ferry fares")[0].title == "How ferry fares are set"
    assert _search(EngineChain([DdgsEngine(lambda query, limit: [])], _always), "x") == []


def test_an_engine_that_is_not_there_is_passed_over(server: Server, guard: Guard) -> None:
    async def only_here(addresses: Sequence[str]) -> bool:
        return any(address.startswith(server.url) for address in addresses)

    chain = EngineChain([DdgsEngine(), WikipediaEngine(guard, server.url)], only_here)
    assert _search(chain, "ferry fares")[0].title == "How ferry fares are set"


def test_without_a_network_it_says_so_at_once(server: Server) -> None:
    chain = EngineChain([TavilyEngine(KEY, server.url), DdgsEngine()], _never)
    began = time.monotonic()
    with pytest.raises(WebError) as caught:
        _search(chain, "ferry")
    assert caught.value.key == "web.no_network"
    assert time.monotonic() - began < 1
    assert server.web.requests == []


def test_an_address_counts_as_reachable_when_it_takes_a_connection(server: Server) -> None:
    with socket.create_server(("127.0.0.1", 0)) as listener:
        port = listener.getsockname()[1]
    closed = f"http://127.0.0.1:{port}"
    assert asyncio.run(reachable([closed, server.url]))
    assert not asyncio.run(reachable([closed]))


def test_tavily_is_chosen_where_there_is_a_key() -> None:
    assert choose_engine(Settings(tavily_api_key=KEY)).name == "Tavily"
    for none in (None, SecretStr("  ")):
        assert choose_engine(Settings(tavily_api_key=none)).name == "DuckDuckGo"
