"""``python -m research ask``: a question to the documents, answered at once."""

from __future__ import annotations

import argparse
import sys
from collections.abc import Sequence
from contextlib import closing
from pathlib import Path

from research.cli.documents import add_document
from research.errors import DossierError
from research.i18n import language_of, notice_text, text
from research.models import Language
from research.report.citations import number_citations
from research.report.writer import Dialect, write
from research.runs.asking import Answer
from research.runs.service import RunService
from research.settings import Settings

ANSWERED, FAILED, NOTHING_FOUND, STOPPED = 0, 1, 3, 4
"""Exit statuses; 2 is left to wrong arguments, as everywhere."""


def main(arguments: Sequence[str]) -> int:
    """Answer a question.

    Args:
        arguments: What stands after ``ask``.

    Returns:
        The exit status.
    """
    asked = _parser().parse_args(arguments)
    language: Language = asked.language or language_of(asked.question)
    try:
        with closing(RunService(Settings())) as service:
            return _ask(service, asked, language)
    except KeyboardInterrupt:
        print(text("cli.ask_stopped", language), file=sys.stderr)
        return STOPPED
    except DossierError as error:
        print(error.sentence(language), file=sys.stderr)
        return FAILED


def _parser() -> argparse.ArgumentParser:
    def words(key: str) -> str:
        return text(f"cli.{key}", "en")

    parser = argparse.ArgumentParser(
        prog="python -m research ask",
        description=words("ask_description"),
        epilog=words("ask_epilog"),
        formatter_class=argparse.RawDescriptionHelpFormatter,
    )
    add = parser.add_argument
    add("question", help=words("ask_question"))
    add("--file", action="append", type=Path, default=[], metavar="PATH", help=words("ask_file"))
    add("--language", choices=("en", "zh"), help=words("ask_language"))
    add("--json", action="store_true", help=words("ask_json"))
    return parser


def _ask(service: RunService, asked: argparse.Namespace, language: Language) -> int:
    documents = [add_document(service, path, language) for path in asked.file]
    asking = service.ask(asked.question, documents=documents or None, language=asked.language)
    try:
        answer = asking.result()
    except KeyboardInterrupt:
        asking.cancel()
        raise
    for notice in answer.notices:
        print(f"! {notice_text(notice, language)}", file=sys.stderr)
    print(answer.model_dump_json(indent=1) if asked.json else _readable(answer))
    return ANSWERED if answer.answered else NOTHING_FOUND


def _readable(answer: Answer) -> str:
    """The answer with numbers for citations, and below it what each number stands for."""
    numbered = number_citations(answer.markdown, answer.evidence)
    dialect = Dialect(cite=lambda number: f"[{number}]", figure=lambda _figure: "")
    body = write(list(numbered.tree), dialect, 2)
    sources = [f"[{entry.number}] {entry.label(answer.language)}" for entry in numbered.entries]
    return "\n\n".join(filter(None, (body.strip(), "\n".join(sources))))
