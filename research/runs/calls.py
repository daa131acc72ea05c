"""Every outside call of a run: looked up in the ledger, kept within limits, told as events."""

from __future__ import annotations

import asyncio
import time
from collections.abc import Awaitable, Callable
from dataclasses import dataclass
from typing import Any

from pydantic import TypeAdapter

from research.errors import DossierError
from research.llm.client import Completion, ModelClient, OnText
from research.models import EventKind, Hit, Usage
from research.runs.journal import Journal
from research.runs.ledger import Ledger, current_scope
from research.sandbox import Sandbox
from research.sandbox.job import Job, Result
from research.settings import Role, Settings
from research.web.page import Page
from research.web.search import EngineChain, WebHit

Made = tuple[Any, Usage]
"""A call's value, and what it cost."""


@dataclass(frozen=True)
class Limits:
    """How many calls of a kind may be under way at once, in the whole process."""

    searches: asyncio.Semaphore
    pages: asyncio.Semaphore
    sandboxes: asyncio.Semaphore

    @classmethod
    def of(cls, settings: Settings) -> Limits:
        """The limits that ``settings`` names."""
        return cls(
            searches=asyncio.Semaphore(settings.searches),
            pages=asyncio.Semaphore(settings.page_reads),
            sandboxes=asyncio.Semaphore(settings.sandboxes),
        )


@dataclass(frozen=True)
class Services:
    """What the calls of all runs go to."""

    settings: Settings
    limits: Limits
    model: ModelClient | None
    engine: EngineChain
    read_page: Callable[[str], Awaitable[Page]]
    sandbox: Callable[[], Sandbox]
    """Gives the sandbox; raises SandboxUnavailableError where there is none."""
    warm_sandbox: Callable[[], None]
    """Makes the sandbox ready in the background."""


class DirectCalls:
    """Model calls outside of any run: told to nobody and kept nowhere."""

    def __init__(self, services: Services) -> None:
        self._services = services
        self.usage = Usage()
        """Of the calls so far."""

    def model_name(self, role: Role) -> str:
        """The model that speaks for ``role``."""
        return self._services.settings.model_for(role)

    async def model(
        self,
        role: Role,
        messages: list[dict[str, str]],
        *,
        model: str,
        schema: dict[str, Any] | None = None,
        max_tokens: int | None = None,
        on_text: OnText | None = None,
    ) -> Completion:
        """One answer of the model that speaks for ``role``; see :meth:`ModelClient.complete`.

        Raises:
            ModelError: The endpoint gave none.
        """
        client = self._services.model
        assert client is not None  # only the model-backed analyst calls, and it has one
        completion = await client.complete(
            messages, model=model, schema=schema, max_tokens=max_tokens, on_text=on_text
        )
        self.usage += completion.usage
        return completion


class Calls(DirectCalls):
    """The outside calls of one run: told to its journal and kept in its ledger."""

    def __init__(self, services: Services, ledger: Ledger, journal: Journal) -> None:
        super().__init__(services)
        self._ledger = ledger
        self._journal = journal
        self._pages: dict[str, asyncio.Task[Page]] = {}

    async def model(
        self,
        role: Role,
        messages: list[dict[str, str]],
        *,
        model: str,
        schema: dict[str, Any] | None = None,
        max_tokens: int | None = None,
        on_text: OnText | None = None,
    ) -> Completion:
        """See :meth:`DirectCalls.model`."""
        answer = super().model

        async def make() -> Made:
            completion = await answer(
                role, messages, model=model, schema=schema, max_tokens=max_tokens, on_text=on_text
            )
            return completion, completion.usage

        request = {"model": model, "messages": messages, "schema": schema, "max": max_tokens}
        return await self._call("model", role, request, Completion, make)

    async def search(self, query: str, limit: int) -> list[WebHit]:
        """What the search engine finds.

        Raises:
            WebError: It answered with an error, or not at all.
        """
        engine = self._services.engine

        async def make() -> Made:
            async with self._services.limits.searches:
                return await engine.search(query, limit, self._journal.notice), Usage()

        request = {"engine": engine.name, "query": query, "limit": limit}
        return await self._call("search", query, request, list[WebHit], make)

    async def read_page(self, url: str) -> Page:
        """A page; each is read once in a run, whoever asks for it.

        Raises:
            WebError: It could not be read, or must not be.
        """
        if url not in self._pages:
            self._pages[url] = asyncio.create_task(self._read_page(url))
        return await asyncio.shield(self._pages[url])

    async def _read_page(self, url: str) -> Page:
        async def make() -> Made:
            async with self._services.limits.pages:
                return await self._services.read_page(url), Usage()

        return await self._call("page", url, {"url": url}, Page, make)

    async def documents(self, label: str, find: Callable[[], list[Hit]]) -> list[Hit]:
        """What the user's own documents hold; ``find`` runs in a thread.

        It is filed like an outside call so that a resumed run reads what it read before, even
        when documents came or went meanwhile.
        """

        async def make() -> Made:
            return await asyncio.to_thread(find), Usage()

        return await self._call("documents", label, {"label": label}, list[Hit], make)

    def warm_sandbox(self) -> None:
        """Have a sandbox ready by the time that code is written; returns at once."""
        self._services.warm_sandbox()

    async def sandbox(self, label: str, job: Job) -> Result:
        """What model-written code did.

        Raises:
            SandboxUnavailableError: No sandbox passes its self-test here.
        """

        async def make() -> Made:
            async with self._services.limits.sandboxes:
                sandbox = await asyncio.to_thread(self._services.sandbox)
                return await sandbox.run(job), Usage()

        request = {"code": job.code, "tables": [table.id for table in job.tables]}
        return await self._call("sandbox", label, request, Result, make)

    async def _call(
        self,
        kind: str,
        label: str,
        request: Any,
        shape: Any,
        make: Callable[[], Awaitable[Made]],
    ) -> Any:
        """The value of a call, from the ledger or by making it.

        Args:
            kind: What is called.
            label: What a reader knows the call by.
            request: All that the answer depends on, as JSON.
            shape: Type of the value, for its way into the ledger and back.
            make: Makes the call.
        """
        adapter: TypeAdapter[Any] = TypeAdapter(shape)
        key = self._ledger.key(kind, request)
        kept = self._ledger.kept(key)
        if kept is not None:
            return adapter.validate_python(kept)
        started = time.monotonic()
        begun = self._journal.emit(
            EventKind.CALL_STARTED, kind=kind, label=label, step_id=current_scope().step or None
        )

        def tell(usage: Usage, error: DossierError | None = None) -> None:
            self._journal.emit(
                EventKind.CALL_FINISHED,
                call=begun.seq,
                seconds=round(time.monotonic() - started, 3),
                usage=usage.model_dump(),
                error=error.notice.model_dump(mode="json") if error else None,
            )

        try:
            value, usage = await make()
        except DossierError as error:
            tell(Usage(), error)
            raise
        self._ledger.keep(key, adapter.dump_python(value, mode="json"))
        tell(usage)
        return value
