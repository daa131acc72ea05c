"""Prompts: one Markdown file each in ``prompts/``, with ``{{name}}`` gaps.

A file may open with an HTML comment for its readers; a line ``=== user ===`` divides the system
message from the user message.
"""

from __future__ import annotations

import re
from functools import cache
from pathlib import Path

FOLDER = Path(__file__).resolve().parents[2] / "prompts"
USER_MARK = "\n=== user ===\n"

_COMMENT = re.compile(r"\A\s*<!--.*?-->\s*", re.DOTALL)
_GAP = re.compile(r"\{\{(\w+)\}\}")


@cache
def _template(name: str) -> str:
    return _COMMENT.sub("", (FOLDER / f"{name}.md").read_text("utf-8")).strip()


def render(name: str, **gaps: object) -> str:
    """The text of prompt ``name``, its gaps filled in one pass: a value is never a template.

    Raises:
        KeyError: A gap has no value.
    """
    return _GAP.sub(lambda match: str(gaps[match.group(1)]), _template(name))


def messages(name: str, **gaps: object) -> list[dict[str, str]]:
    """The system and user messages of prompt ``name``.

    The file is divided before its gaps are filled, so that no value can forge the division.

    Raises:
        KeyError: A gap has no value.
    """
    system, _, user = _template(name).partition(USER_MARK)
    filled = (_GAP.sub(lambda m: str(gaps[m.group(1)]), part).strip() for part in (system, user))
    return [
        {"role": role, "content": content}
        for role, content in zip(("system", "user"), filled, strict=True)
        if content
    ]


def fence(data: str) -> str:
    """Mark ``data`` as data for a model, whatever it says: forged marks in it lose their force."""
    return f"<<<DATA\n{data.replace('<<<', '‹‹‹').replace('>>>', '›››')}\nDATA>>>"
