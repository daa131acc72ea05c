"""The judged collection: documents in English and Chinese, and questions with what answers them."""

from __future__ import annotations

import json
import re
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path

FOLDER = Path(__file__).with_name("collection")
LANGUAGES = ("en", "zh")
DIRECTIONS = ("en-en", "zh-zh", "en-zh", "zh-en")
"""Language of the questions and of the documents they are about."""
SPLITS = ("development", "test")
PARAGRAPH = re.compile(r"\[(\d+)\] (.+)")


@dataclass(frozen=True)
class Paragraph:
    """What is found and judged."""

    id: str
    """Name of the document and the number in front of the paragraph: ``harrowgate-2022#3``."""
    heading: tuple[str, ...]
    text: str


@dataclass(frozen=True)
class JudgedDocument:
    """A document of the collection."""

    name: str
    language: str
    title: str
    paragraphs: tuple[Paragraph, ...]


@dataclass(frozen=True)
class Question:
    """A question, and the grade of every paragraph that serves it."""

    text: str
    direction: str
    split: str
    kind: str
    """What makes it hard: keyword, paraphrase, figure, name, why, several."""
    relevant: Mapping[str, int]
    """2 where the paragraph answers, 1 where it helps."""

    @property
    def about(self) -> str:
        """The language of the documents that are asked."""
        return self.direction.split("-")[1]


def documents() -> list[JudgedDocument]:
    """Every document, by language and name."""
    return [
        _document(path, language)
        for language in LANGUAGES
        for path in sorted((FOLDER / language).glob("*.md"))
    ]


def questions(split: str) -> list[Question]:
    """The questions of a split, in the order of :data:`DIRECTIONS`."""
    return [
        Question(row["question"], direction, row["split"], row["kind"], row["relevant"])
        for direction in DIRECTIONS
        for row in _rows(FOLDER / "questions" / f"{direction}.jsonl")
        if row["split"] == split
    ]


def _rows(path: Path) -> list[dict]:
    return [json.loads(line) for line in path.read_text(encoding="utf-8").splitlines()]


def _document(path: Path, language: str) -> JudgedDocument:
    title, section = "", ""
    found: list[Paragraph] = []
    for line in path.read_text(encoding="utf-8").splitlines():
        if line.startswith("# "):
            title = line[2:]
        elif line.startswith("## "):
            section = line[3:]
        elif match := PARAGRAPH.fullmatch(line):
            heading = (title, section) if section else (title,)
            found.append(Paragraph(f"{path.stem}#{match[1]}", heading, match[2]))
    return JudgedDocument(path.stem, language, title, tuple(found))
