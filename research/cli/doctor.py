"""``python -m research doctor``: what this installation can do, and what it lacks."""

from __future__ import annotations

import argparse
import json
import os
import shutil
import tempfile
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from importlib.util import find_spec
from pathlib import Path

from research.errors import ConfigurationError
from research.i18n import notice_text, text
from research.models import Language, Notice
from research.sandbox import Description, Trial, describe
from research.sandbox.description import outcome, unavailable
from research.settings import Settings

HEALTHY, NO_SANDBOX = 0, 1
"""Exit statuses; 2 is left to wrong arguments, as everywhere."""


@dataclass(frozen=True)
class Fact:
    """One line of the examination; the names of facts are those of its JSON."""

    name: str
    well: bool
    notice: Notice
    """What it is, or what to set or install for it."""


def main(arguments: Sequence[str]) -> int:
    """Examine the installation and print what was found; no secret is ever printed.

    Args:
        arguments: What stands after ``doctor``.

    Returns:
        The exit status: 0 when code can be run.
    """
    asked = _parser().parse_args(arguments)
    language: Language = asked.language or _language_of_system()
    settings = Settings()
    facts = list(_facts(settings))
    found, trouble = _sandbox(settings)
    if asked.json:
        print(_as_json(facts, found, trouble, language))
    else:
        for line in (*_told(facts, language), *_told_of_sandbox(found, language)):
            print(line)
        if trouble:
            print(f"! {notice_text(trouble, language)}")
    return NO_SANDBOX if trouble else HEALTHY


def _parser() -> argparse.ArgumentParser:
    def words(key: str) -> str:
        return text(f"cli.{key}", "en")

    parser = argparse.ArgumentParser(
        prog="python -m research doctor",
        description=words("doctor_description"),
        epilog=words("doctor_epilog"),
        formatter_class=argparse.RawDescriptionHelpFormatter,
    )
    parser.add_argument("--language", choices=("en", "zh"), help=words("doctor_language"))
    parser.add_argument("--json", action="store_true", help=words("doctor_json"))
    return parser


def _language_of_system() -> Language:
    names = (os.environ.get(name, "") for name in ("LC_ALL", "LC_MESSAGES", "LANG"))
    return "zh" if next(filter(None, names), "").lower().startswith("zh") else "en"


def _facts(settings: Settings) -> Iterable[Fact]:
    yield _fact("model", settings.has_model, model=settings.model)
    yield _fact("search", settings.tavily_api_key is not None)
    yield _embedding(settings)
    yield _data(settings.home)
    from research.knowledge.readers.ocr import engine_installed

    yield _fact("ocr", engine_installed())
    from research.report.fonts import PACKAGES

    lacking = [package.replace("_", "-") for package in PACKAGES if not find_spec(package)]
    yield _fact("fonts", not lacking, packages=" ".join(lacking))


def _embedding(settings: Settings) -> Fact:
    from research.knowledge.embedding import open_embedder

    try:
        embedder = open_embedder(settings.embedder, settings)
    except ConfigurationError as error:
        return Fact("embedding", False, error.notice)
    return _fact("embedding", True, embedder=embedder.name)


def _data(home: Path) -> Fact:
    try:
        home.mkdir(parents=True, exist_ok=True)
        with tempfile.TemporaryFile(dir=home):
            free = shutil.disk_usage(home).free / 2**30
    except OSError as error:
        return _fact("data", False, folder=str(home), reason=error.strerror or str(error))
    return _fact("data", True, folder=str(home), free=f"{free:.1f}")


def _fact(name: str, well: bool, **params: object) -> Fact:
    """The fact with the sentence for its state."""
    key = f"cli.doctor_{name}" if well else f"cli.doctor_no_{name}"
    return Fact(name, well, Notice(key=key, params=params))


def _sandbox(settings: Settings) -> tuple[Description | None, Notice | None]:
    """What was found of the sandbox, and why code cannot be run where that is so."""
    try:
        found = describe(settings.sandbox, settings.home / "scratch", settings.home / "cache")
    except OSError as error:
        return None, Notice(key="cli.doctor_untested", params={"reason": str(error.strerror)})
    return found, None if found.backend else unavailable()


def _told(facts: Iterable[Fact], language: Language) -> Iterable[str]:
    for fact in facts:
        head = text(f"cli.doctor_head_{fact.name}", language)
        yield _line(fact.well, head, notice_text(fact.notice, language), language)


def _told_of_sandbox(found: Description | None, language: Language) -> Iterable[str]:
    if found is None:
        return
    name = found.backend or text("cli.doctor_none", language)
    head = text("cli.doctor_head_sandbox", language)
    yield _line(bool(found.backend), head, name, language)
    for heading, notices in (("stops", found.stops), ("leaves", found.leaves)):
        if notices:
            yield f"    {text(f'cli.doctor_{heading}', language)}"
            yield from (f"      - {notice_text(notice, language)}" for notice in notices)
    for trial in found.trials:
        yield f"    {_verdict(trial, language)}"
        for attempt, well in trial.attempts.items():
            result = notice_text(outcome(attempt, well), language)
            what = text(f"sandbox.try_{attempt}", language)
            yield f"      {_line(well, what, result, language)}"


def _verdict(trial: Trial, language: Language) -> str:
    name = trial.name if trial.user is None else f"{trial.name} ({trial.user})"
    if trial.reason is None:
        return text("cli.doctor_chosen", language, name=name)
    reason = notice_text(trial.reason, language)
    return text("cli.doctor_refused", language, name=name, reason=reason)


def _line(well: bool, head: str, said: str, language: Language) -> str:
    return f"{'+' if well else '-'} {text('cli.doctor_line', language, head=head, said=said)}"


def _as_json(
    facts: Iterable[Fact], found: Description | None, trouble: Notice | None, language: Language
) -> str:
    def sentences(notices: Iterable[Notice]) -> list[str]:
        return [notice_text(notice, language) for notice in notices]

    told: dict[str, object] = {
        fact.name: {"well": fact.well, "text": notice_text(fact.notice, language)} for fact in facts
    }
    told["sandbox"] = {
        "well": trouble is None,
        "text": notice_text(trouble, language) if trouble else "",
        "backend": found.backend if found else "",
        "stops": sentences(found.stops) if found else [],
        "leaves": sentences(found.leaves) if found else [],
        "tried": [
            {
                "name": trial.name,
                "user": trial.user,
                "passed": trial.reason is None,
                "text": notice_text(trial.reason, language) if trial.reason else "",
                "attempts": trial.attempts,
            }
            for trial in (found.trials if found else ())
        ],
    }
    return json.dumps(told, ensure_ascii=False, indent=1)
