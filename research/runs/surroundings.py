"""What runs work with: one model client, search engine and sandbox for the whole process."""

from __future__ import annotations

import asyncio
import threading
import time
from contextlib import suppress
from dataclasses import dataclass
from functools import cached_property

from research.agents.analyst import Analyst
from research.errors import ConfigurationError, SandboxError
from research.graph.context import Context
from research.i18n import language_of
from research.knowledge.library import Library
from research.models import Language, Mode, Notice, Run
from research.runs.calls import Calls, DirectCalls, Limits, Services
from research.runs.journal import Journal
from research.runs.ledger import Ledger
from research.sandbox import Sandbox, open_sandbox
from research.sandbox.job import Job, Result
from research.settings import Settings


def run_language(run: Run) -> Language:
    """The language a run speaks: the one that was chosen, or the question's."""
    return run.options.language or language_of(run.question)


@dataclass(frozen=True)
class EngineStatus:
    """What is on, for the line under the question, and what to set to get more."""

    mode: Mode
    model: str
    """Name of the model, or ``""`` in extractive mode."""
    search: str
    """Name of the search engine that is asked first."""
    notices: tuple[Notice, ...]


class Surroundings:
    """Makes the context of each run from what all runs share."""

    def __init__(self, settings: Settings, library: Library) -> None:
        self._settings = settings
        self._library = library
        self._lock = threading.Lock()
        self._sandbox: Sandbox | None = None
        self._warming: threading.Thread | None = None

    def status(self) -> EngineStatus:
        """What a new run would work with."""
        has_model = self._settings.has_model
        missing = []
        if not has_model:
            missing.append(Notice(key="notices.set_model_key"))
        if self._settings.tavily_api_key is None:
            missing.append(Notice(key="notices.set_search_key"))
        return EngineStatus(
            mode="model" if has_model else "extractive",
            model=self._settings.model if has_model else "",
            search=self._services.engine.name,
            notices=tuple(missing),
        )

    def sandbox(self) -> Sandbox:
        """The sandbox of this process, opened when it is first needed.

        Raises:
            SandboxUnavailableError: None passes its self-test here.
        """
        with self._lock:
            if self._sandbox is None:
                home = self._settings.home
                self._sandbox = open_sandbox(
                    self._settings.sandbox,
                    scratch=home / "scratch",
                    cache=home / "cache",
                    jobs=self._settings.sandboxes,
                )
            return self._sandbox

    def warm_sandbox(self) -> None:
        """Make the sandbox ready in the background; whoever runs code is told if there is none."""

        def warm() -> None:
            with suppress(SandboxError):
                self.sandbox().warm()

        with self._lock:
            if self._warming is None or not self._warming.is_alive():
                self._warming = threading.Thread(target=warm, name="sandbox-warming", daemon=True)
                self._warming.start()

    async def run_code(self, job: Job) -> Result:
        """Run code outside of any run; it waits its turn like that of runs.

        Raises:
            SandboxError: There is no sandbox here, or a table's file is gone.
        """
        async with self._services.limits.sandboxes:
            sandbox = await asyncio.to_thread(self.sandbox)
            return await sandbox.run(job)

    def of_run(self, run: Run, journal: Journal) -> Context:
        """The surroundings of one run.

        Raises:
            ConfigurationError: The run was begun with a model, and no key is set any more.
        """
        calls = Calls(self._services, Ledger(journal.store, run.id), journal)
        return Context(
            options=run.options,
            language=run_language(run),
            analyst=self._analyst(run.mode, calls, run.created_at),
            library=self._library,
            calls=calls,
            journal=journal,
            web=run.options.use_web,
            started_at=run.created_at,
        )

    def of_question(self) -> tuple[Analyst, DirectCalls]:
        """Who answers a question now, without a run, and the calls it is going to make."""
        calls = DirectCalls(self._services)
        return self._analyst(self.status().mode, calls, time.time()), calls

    async def close(self) -> None:
        """Let go of the model client and the sandbox; on the loop that used them."""
        if self._services.model:
            await self._services.model.close()
        if self._warming:
            await asyncio.to_thread(self._warming.join)
        if self._sandbox:
            await asyncio.to_thread(self._sandbox.close)

    @cached_property
    def _services(self) -> Services:
        from research.llm.client import ModelClient
        from research.web.page import read_page
        from research.web.search import choose_engine

        return Services(
            settings=self._settings,
            limits=Limits.of(self._settings),
            model=ModelClient(self._settings) if self._settings.has_model else None,
            engine=choose_engine(self._settings),
            read_page=read_page,
            sandbox=self.sandbox,
            warm_sandbox=self.warm_sandbox,
        )

    def _analyst(self, mode: Mode, calls: Calls | DirectCalls, moment: float) -> Analyst:
        if mode == "extractive":
            from research.agents.extractive import ExtractiveAnalyst

            return ExtractiveAnalyst(self._library.embedder)
        if not self._settings.has_model:
            raise ConfigurationError("errors.key_gone")
        from research.agents.model.analyst import ModelAnalyst

        return ModelAnalyst(calls, moment)
