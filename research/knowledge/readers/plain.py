"""Plain text: paragraphs between blank lines."""

from __future__ import annotations

import re
from pathlib import Path

from research.knowledge.readers import Block, Output
from research.knowledge.readers.cleaning import clean, join_lines
from research.knowledge.readers.encoding import decode
from research.knowledge.readers.noise import check_noise

BLANK = re.compile(r"\n\s*\n")
WRAPPED = 60
"""Lines of about this length on average were broken by a program, not by the writer."""


def read(path: Path, output: Output) -> None:
    """Read the text at ``path``."""
    text = decode(path.read_bytes())
    check_noise(text, output)
    send_paragraphs(text, output)


def send_paragraphs(text: str, output: Output) -> None:
    """Send the paragraphs of ``text``."""
    parts = BLANK.split(text)
    for number, part in enumerate(parts):
        lines = list(filter(None, map(clean, part.split("\n"))))
        if lines:
            output.block(Block(_unwrapped(lines)))
        if number % 1000 == 0:
            output.progress(number, len(parts))


def _unwrapped(lines: list[str]) -> str:
    body = lines[:-1]
    longest = max(map(len, lines))
    if not body or longest > 100 or min(map(len, body)) < WRAPPED * 0.75 or longest < WRAPPED:
        return "\n".join(lines)
    text = lines[0]
    for line in lines[1:]:
        text = join_lines(text, line)
    return text
