"""Arguments, and what becomes of them."""

from __future__ import annotations

import argparse
import signal
import sys
from collections.abc import Sequence
from contextlib import closing
from pathlib import Path

from research.cli import ask, doctor
from research.cli.documents import add_document
from research.cli.files import write_results
from research.cli.plan import ask_about_plan
from research.cli.progress import Progress
from research.errors import DossierError
from research.i18n import language_of, text
from research.models import Event, Language, PlanDecision, RunOptions, RunStatus
from research.runs.service import RunService
from research.runs.surroundings import run_language
from research.runs.view import RunView
from research.settings import Settings

EXIT_CODES = {
    RunStatus.COMPLETE: 0,
    RunStatus.ANSWERED: 0,
    RunStatus.FAILED: 1,
    RunStatus.PARTIAL: 3,
    RunStatus.STOPPED: 4,
    RunStatus.WAITING: 5,
}
"""2 is left to wrong arguments, as everywhere."""


def main(arguments: Sequence[str] | None = None) -> int:
    """Run the command line.

    Args:
        arguments: Without the program's name; those of the process by default.

    Returns:
        The exit status.
    """
    given = list(sys.argv[1:] if arguments is None else arguments)
    if given[:1] == ["ask"]:
        return ask.main(given[1:])
    if given[:1] == ["doctor"]:
        return doctor.main(given[1:])
    parser = _parser()
    asked = parser.parse_args(given)
    if not asked.question and not asked.resume:
        parser.error(text("cli.need_question", "en"))
    language: Language = asked.language or language_of(asked.question or "")
    try:
        with closing(RunService(Settings())) as service:
            if asked.resume and not asked.language and (run := service.run(asked.resume)):
                language = run_language(run)
            return _run(service, asked, language)
    except DossierError as error:
        print(error.sentence(language), file=sys.stderr)
        return EXIT_CODES[RunStatus.FAILED]


def _parser() -> argparse.ArgumentParser:
    def words(key: str) -> str:
        return text(f"cli.{key}", "en")

    parser = argparse.ArgumentParser(
        prog="python -m research",
        description=words("description"),
        epilog=words("epilog"),
        formatter_class=argparse.RawDescriptionHelpFormatter,
    )
    add = parser.add_argument
    add("question", nargs="?", help=words("question"))
    add("--file", action="append", type=Path, default=[], metavar="PATH", help=words("file"))
    add("--out", type=Path, default=Path("out"), metavar="DIR", help=words("out"))
    add("--accept-plan", action="store_true", help=words("accept_plan"))
    add("--resume", metavar="RUN", help=words("resume"))
    add("--no-web", action="store_true", help=words("no_web"))
    add("--max-steps", type=int, default=5, choices=range(1, 13), metavar="N", help=words("steps"))
    add("--language", choices=("en", "zh"), help=words("language"))
    add("--events", action="store_true", help=words("events"))
    return parser


def _run(service: RunService, asked: argparse.Namespace, language: Language) -> int:
    known = service.view(asked.resume) if asked.resume else RunView()
    progress = Progress(language, sys.stderr, known)

    def on_event(event: Event) -> None:
        progress.show(event)
        if asked.events:
            print(event.model_dump_json(), flush=True)

    if asked.resume:
        run_id = asked.resume
        service.resume(run_id, on_event)
    else:
        run_id = service.start(asked.question, _options(service, asked, language), on_event)
    progress.say("cli.run", run=run_id)
    status = _wait(service, run_id)
    while status is RunStatus.WAITING:
        decision = _decision(service, run_id, asked, language)
        if decision is None:
            progress.say("cli.waiting", run=run_id)
            return EXIT_CODES[status]
        service.decide(run_id, decision, on_event)
        status = _wait(service, run_id)
    for path in write_results(service, run_id, asked.out):
        progress.say("cli.written", path=path)
    progress.say(f"cli.ended_{status}")
    if status not in (RunStatus.COMPLETE, RunStatus.ANSWERED):
        progress.say("cli.how_to_resume", run=run_id)
    if not asked.events and status is RunStatus.ANSWERED:
        print(service.view(run_id).reply)
    return EXIT_CODES[status]


def _options(service: RunService, asked: argparse.Namespace, language: Language) -> RunOptions:
    return RunOptions(
        documents=tuple(add_document(service, path, language) for path in asked.file),
        use_web=not asked.no_web,
        accept_plan=asked.accept_plan,
        max_steps=asked.max_steps,
        language=asked.language,
    )


def _wait(service: RunService, run_id: str) -> RunStatus:
    """Wait for the run; Ctrl-C stops it, and what was done is kept."""

    def stop(*_: object) -> None:
        service.stop(run_id)

    before = signal.signal(signal.SIGINT, stop)
    try:
        return service.wait(run_id)
    finally:
        signal.signal(signal.SIGINT, before)


def _decision(
    service: RunService, run_id: str, asked: argparse.Namespace, language: Language
) -> PlanDecision | None:
    if asked.accept_plan:
        return PlanDecision(action="approve")
    plan = service.view(run_id).plan
    if plan is None or not sys.stdin.isatty():
        return None
    return ask_about_plan(plan, language)
