"""Searching the web: what an engine is, and a chain of them that stand in for each other."""

from __future__ import annotations

import asyncio
import time
from collections.abc import Awaitable, Callable, Sequence
from dataclasses import dataclass
from typing import Protocol

from research.errors import WebError
from research.models import Notice
from research.settings import Settings
from research.web.network import reachable

ENGINE_SECONDS = 25.0
UNREACHABLE = "web.engine_unreachable"
REST_SECONDS = 60.0
"""How long an engine that failed is left alone."""


@dataclass(frozen=True)
class WebHit:
    """One search result."""

    url: str
    title: str
    snippet: str
    content: str | None
    """The page's text where the engine gave it along."""
    score: float
    """In [0, 1]; comparable within one search only."""


class SearchEngine(Protocol):
    """Whatever searches."""

    @property
    def name(self) -> str:
        """As the user knows it."""

    async def search(self, query: str, limit: int) -> list[WebHit]:
        """At most ``limit`` results, best first; may raise :class:`~research.errors.WebError`."""


class Engine(SearchEngine, Protocol):
    """One engine of a chain."""

    @property
    def addresses(self) -> tuple[str, ...]:
        """Where it is; when none of them takes a connection it is not asked."""


@dataclass
class _Rest:
    """Why an engine is left alone, and how long."""

    until: float
    error: WebError
    told: bool = False

    def tell(self, notify: Callable[[Notice], None]) -> None:
        """Say so, once."""
        if not self.told:
            self.told = True
            notify(Notice(key=self.error.key, params=self.error.params, level="warning"))


class EngineChain:
    """Asks the first engine that works.

    One that fails is passed over for a minute; one that finds nothing is followed by the next.

    Args:
        engines: The best first.
        reaches: Tells whether one of some addresses takes a connection.
    """

    def __init__(
        self,
        engines: Sequence[Engine],
        reaches: Callable[[Sequence[str]], Awaitable[bool]] = reachable,
    ) -> None:
        self._engines = engines
        self._reaches = reaches
        self._reached: set[str] = set()
        self._resting: dict[str, _Rest] = {}

    @property
    def name(self) -> str:
        """Of the engine that is asked first."""
        return self._engines[0].name

    async def search(
        self, query: str, limit: int, notify: Callable[[Notice], None] | None = None
    ) -> list[WebHit]:
        """At most ``limit`` results of the first engine that has any.

        Args:
            query: What to search for.
            limit: Results at most.
            notify: Told of each engine that is passed over, once for as long as it rests.

        Raises:
            WebError: No engine works; ``web.no_network`` when none can even be reached.
        """
        hits: list[WebHit] = []
        failed: list[_Rest] = []
        for place, engine in enumerate(self._engines):
            try:
                hits = await self._ask(engine, query, limit)
            except WebError as error:
                failed.append(self._rest(engine, error))
                if error.key == UNREACHABLE:
                    await asyncio.gather(*map(self._probe, self._engines[place + 1 :]))
            if hits:
                break
        if len(failed) == len(self._engines):
            raise _worst([rest.error for rest in failed])
        if notify:
            for rest in failed:
                rest.tell(notify)
        return hits

    async def _ask(self, engine: Engine, query: str, limit: int) -> list[WebHit]:
        await self._probe(engine)
        if rest := self._resting_of(engine):
            raise rest.error
        try:
            async with asyncio.timeout(ENGINE_SECONDS):
                return await engine.search(query, limit)
        except TimeoutError:
            raise WebError("web.engine_slow", engine=engine.name) from None

    async def _probe(self, engine: Engine) -> None:
        """See whether ``engine`` is there, unless that is known."""
        if engine.name in self._reached or self._resting_of(engine):
            return
        if await self._reaches(engine.addresses):
            self._reached.add(engine.name)
        else:
            self._rest(engine, WebError(UNREACHABLE, engine=engine.name))

    def _resting_of(self, engine: Engine) -> _Rest | None:
        rest = self._resting.get(engine.name)
        return rest if rest and time.monotonic() < rest.until else None

    def _rest(self, engine: Engine, error: WebError) -> _Rest:
        """Leave ``engine`` alone for a while, if it is not left alone already."""
        if rest := self._resting_of(engine):
            return rest
        self._reached.discard(engine.name)
        rest = self._resting[engine.name] = _Rest(time.monotonic() + REST_SECONDS, error)
        return rest


def _worst(problems: list[WebError]) -> WebError:
    """What to say when no engine works: that of the best, or that there is no network."""
    if all(problem.key == UNREACHABLE for problem in problems):
        return WebError("web.no_network")
    return problems[0]


def choose_engine(settings: Settings) -> EngineChain:
    """Tavily where there is a key for it, then the engines that need none."""
    from research.web.ddgs import DdgsEngine
    from research.web.tavily import TavilyEngine
    from research.web.wikipedia import WikipediaEngine

    engines: list[Engine] = [DdgsEngine(), WikipediaEngine()]
    key = settings.tavily_api_key
    if key and key.get_secret_value().strip():
        engines.insert(0, TavilyEngine(key, settings.tavily_base_url))
    return EngineChain(engines)
