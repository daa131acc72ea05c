"""What models answer, freed from what they put around it."""

from __future__ import annotations

import re

_FENCED = re.compile(r"```(?:python|py)?[ \t]*\n(.*?)(?:\n```|\Z)", re.DOTALL)


def code_in(answer: str) -> str:
    """The longest code block of an answer, or all of it."""
    blocks = _FENCED.findall(answer)
    return (max(blocks, key=len) if blocks else answer).strip() + "\n"


_HEADING = re.compile(r"^(#{1,6})\s+(.*)$", re.MULTILINE)
_SOURCES = re.compile(
    r"\n#{1,6}\s*(?:references|sources|citations|参考文献|参考资料|来源)[^\w\n]*\n.*\Z",
    re.IGNORECASE | re.DOTALL,
)


def body_only(written: str, title: str) -> str:
    """A section's Markdown without what the report adds itself.

    A heading that repeats the section's title and a closing list of sources go; further headings
    are moved to level three and below, where they belong in the report.
    """
    body = _SOURCES.sub("", written).strip()
    if (first := _HEADING.match(body)) and (
        len(first[1]) <= 2 or first[2].strip().lower() == title.strip().lower()
    ):
        body = body[first.end() :].strip()
    return _HEADING.sub(lambda match: f"{'#' * max(3, len(match[1]))} {match[2]}", body)
