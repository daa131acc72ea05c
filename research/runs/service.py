"""The runs service: all that the pages and the command line do with runs."""

from __future__ import annotations

import threading
from collections.abc import Collection
from concurrent.futures import Future

from research.errors import RunError, StoreError
from research.knowledge.embedding import open_embedder
from research.knowledge.ingestion import Ingestion
from research.knowledge.library import Library
from research.knowledge.reranking import CrossEncoderReranker
from research.models import (
    Event,
    EventKind,
    Language,
    Notice,
    PlanDecision,
    Report,
    Run,
    RunOptions,
    RunStatus,
)
from research.report.evidence import Evidence
from research.report.markdown import to_markdown
from research.report.pdf import to_pdf
from research.runs.asking import Answer, OnAnswer, answer_question
from research.runs.engine import Engine, OnEvent
from research.runs.journal import Journal
from research.runs.recomputing import Comparison, recompute
from research.runs.store import RunStore
from research.runs.surroundings import EngineStatus, Surroundings, run_language
from research.runs.view import RunView, fold
from research.settings import Settings


class RunService:
    """Starts, steers and reads runs, and holds the knowledge base they work on.

    Raises:
        StoreError: The data folder cannot be used.
    """

    def __init__(self, settings: Settings) -> None:
        try:
            settings.home.mkdir(parents=True, exist_ok=True)
        except OSError as error:
            raise StoreError(
                "errors.home_unusable", home=settings.home, reason=error.strerror
            ) from error
        self.settings = settings
        self.library = Library(
            settings.home,
            open_embedder(settings.embedder, settings),
            reranker=CrossEncoderReranker(settings.reranker) if settings.reranker else None,
            opener=lambda name: open_embedder(name, settings),
            upload_mb=settings.upload_mb,
        )
        self.ingestion = Ingestion(self.library)
        self.surroundings = Surroundings(settings, self.library)
        self._store = RunStore(settings.home / "runs.db")
        self._engine = Engine(settings.home, self._store, self.surroundings)
        self._driven: dict[str, Future[None]] = {}
        self._lock = threading.Lock()
        self._closed = False

    # ------------------------------------------------------------ steering

    def start(self, question: str, options: RunOptions, on_event: OnEvent | None = None) -> str:
        """Begin a run.

        Args:
            question: In any language.
            options: What the user chose.
            on_event: Is told every event, on the engine's thread.

        Returns:
            The run's id, by which everything else finds it.

        Raises:
            RunError: The question is empty.
        """
        question = question.strip()
        if not question:
            raise RunError("errors.empty_question")
        status = self.surroundings.status()
        run = self._store.create(question, options, status.mode)
        Journal(self._store, run.id, on_event).emit(
            EventKind.RUN_STARTED,
            question=question,
            mode=run.mode,
            search=status.search if options.use_web else "",
            language=run_language(run),
        )
        self._driven[run.id] = self._engine.drive(run.id, on_event)
        return run.id

    def decide(self, run_id: str, decision: PlanDecision, on_event: OnEvent | None = None) -> None:
        """Pass on what the user said about the plan that waits.

        Raises:
            RunError: The run does not wait.
        """
        with self._lock:
            if self._known(run_id).status is not RunStatus.WAITING:
                raise RunError("errors.run_not_waiting")
            # Kept before the engine is called, so that a crash in between loses no word.
            self._store.decide(run_id, self.view(run_id).revision, decision)
            self._take_up(run_id, on_event)

    def stop(self, run_id: str) -> None:
        """End a run; what was found is kept."""
        run = self._known(run_id)
        if run.status is RunStatus.RUNNING:
            self._engine.stop(run_id)
        elif run.status is RunStatus.WAITING:
            self._store.set_status(run_id, RunStatus.STOPPED)
            Journal(self._store, run_id).emit(
                EventKind.RUN_FINISHED, status=RunStatus.STOPPED.value
            )

    def resume(self, run_id: str, on_event: OnEvent | None = None) -> None:
        """Take up a run that was interrupted or stopped, or try again what failed in it.

        Raises:
            RunError: It is being carried out, or there is nothing left to do in it.
        """
        run = self._known(run_id)
        if run.status in (RunStatus.COMPLETE, RunStatus.ANSWERED):
            raise RunError("errors.run_complete")
        again = run.status in (RunStatus.FAILED, RunStatus.PARTIAL)
        self._take_up(run_id, on_event, again=again)

    def adopt(self) -> None:
        """Take up what was left undone: runs whose process died, and passages without vectors.

        Runs of living processes are left alone.
        """
        self.ingestion.catch_up()
        for run in self._store.with_status(RunStatus.RUNNING):
            try:
                self._take_up(run.id, None, Notice(key="notices.resumed"))
            except RunError:
                continue

    def wait(self, run_id: str) -> RunStatus:
        """Block until a run that was begun here has ended or waits for the user."""
        self._driven[run_id].result()
        return self._known(run_id).status

    def delete(self, run_id: str) -> None:
        """Forget a run and all that belongs to it.

        Raises:
            RunError: It is being carried out.
        """
        if self._known(run_id).status is RunStatus.RUNNING:
            raise RunError("errors.run_busy")
        self._engine.forget(run_id)
        self._store.delete(run_id)

    def ask(
        self,
        question: str,
        *,
        documents: Collection[str] | None = None,
        language: Language | None = None,
        on_text: OnAnswer | None = None,
    ) -> Future[Answer]:
        """Answer a question from the documents alone, at once and without a run.

        Args:
            question: In any language.
            documents: Ids of the documents to look in; None means all.
            language: Of the answer; None follows the question.
            on_text: Is told the answer as far as it is written, on the engine's thread.

        Returns:
            The answer to come: ``result()`` waits for it and raises a ModelError where the model
            gave none; ``cancel()`` gives it up, and ends the model call that is under way.

        Raises:
            RunError: The question is empty.
        """
        question = question.strip()
        if not question:
            raise RunError("errors.empty_question")
        return self._engine.submit(
            answer_question(
                self.surroundings,
                self.library,
                question,
                documents=documents,
                language=language,
                on_text=on_text,
            )
        )

    def run_again(self, run_id: str, calculation_id: str) -> Future[Comparison]:
        """Run a calculation of a run again, on its tables as they are now.

        Args:
            run_id: The run.
            calculation_id: Of one of its calculations.

        Returns:
            The comparison to come: ``result()`` waits for it, and raises a RunError where the run
            is from before calculations were kept, and a SandboxError where there is no sandbox.

        Raises:
            RunError: There is no such run.
        """
        run = self._known(run_id)
        evidence = self.evidence(run_id)
        return self._engine.submit(
            recompute(
                self.surroundings,
                self.library,
                evidence.calculations.get(calculation_id),
                evidence.charts.values(),
                run_language(run),
            )
        )

    def close(self) -> None:
        """Let go of everything, once; runs under way go on at the next start."""
        with self._lock:
            if self._closed:
                return
            self._closed = True
        self.ingestion.close()
        self._engine.close()
        self.library.close()
        self._store.close()

    def _take_up(
        self,
        run_id: str,
        on_event: OnEvent | None,
        notice: Notice | None = None,
        *,
        again: bool = False,
    ) -> None:
        self._driven[run_id] = self._engine.drive(run_id, on_event, notice=notice, again=again)

    # ------------------------------------------------------------ reading

    def runs(self) -> list[Run]:
        """All runs, the newest first."""
        return self._store.runs()

    def run(self, run_id: str) -> Run | None:
        """One run, or None."""
        run = self._store.run(run_id)
        if run and run_id in self._engine.unkept:
            return run.model_copy(update={"status": RunStatus.FAILED})
        return run

    def events(self, run_id: str, after: int = 0) -> list[Event]:
        """The events of a run past number ``after``, in order."""
        return self._store.events(run_id, after)

    def view(self, run_id: str, view: RunView | None = None) -> RunView:
        """What there is to see of a run; give the last view to have it brought up to date."""
        view = fold(self.events(run_id, view.seq if view else 0), view)
        if unkept := self._engine.unkept.get(run_id):
            # The store has no room for the end of the run, so it is told from memory.
            view.status = RunStatus.FAILED
            if unkept.notice not in view.notices:
                view.notices.append(unkept.notice)
        return view

    def evidence(self, run_id: str) -> Evidence:
        """Every passage, source, chart and calculation of a run."""
        return Evidence(
            passages=self._store.passages(run_id),
            sources=self._store.sources(run_id),
            charts=self._store.charts(run_id),
            calculations=self._store.calculations(run_id),
        )

    def report(self, run_id: str) -> Report:
        """The report of a run.

        Raises:
            RunError: There is none yet.
        """
        report = self._store.report(run_id)
        if report is None:
            raise RunError("errors.no_report")
        return report

    def markdown(self, run_id: str) -> bytes:
        """The report as one Markdown file, its charts in it.

        Raises:
            RunError: There is none yet.
        """
        return to_markdown(self.report(run_id), self.evidence(run_id)).encode()

    def pdf(self, run_id: str) -> bytes:
        """The report as a PDF.

        Raises:
            RunError: There is none yet.
            ExportError: It could not be made.
        """
        return to_pdf(self.report(run_id), self.evidence(run_id))

    def status(self) -> EngineStatus:
        """What a new run would work with."""
        return self.surroundings.status()

    def _known(self, run_id: str) -> Run:
        run = self.run(run_id)
        if run is None:
            raise RunError("errors.no_such_run", run=run_id)
        return run
