"""Citations as a model writes them: short numbers in its prompt, passage ids everywhere else."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping

from research.agents.prompts import fence
from research.models import Passage, Source

_GROUP = re.compile(r"( ?)[\[【]\s*\d{1,3}(?:\s*[,;，、–-]\s*\d{1,3})*\s*[\]】](?!\()")
_PART = re.compile(r"(\d+)(?:\s*[–-]\s*(\d+))?")
_CITATION = re.compile(r"\[\^([0-9a-f]{16})\]")
_MAX_RANGE = 10


class Numbering:
    """Numbers the passages of one prompt from 1, and translates both ways.

    Args:
        passages: In the order of their numbers; doubles are passed over.
        sources: The sources they stand in, by id.
    """

    def __init__(self, passages: Iterable[Passage], sources: Mapping[str, Source]) -> None:
        self.passages = list({passage.id: passage for passage in passages}.values())
        self._sources = sources
        self._numbers = {passage.id: n for n, passage in enumerate(self.passages, 1)}

    def evidence(self, characters: int) -> str:
        """The passages for the prompt, fenced, each cut to ``characters``."""
        blocks = [
            f"[{number}] {self._label(passage)}\n{passage.text[:characters]}"
            for number, passage in enumerate(self.passages, 1)
        ]
        return fence("\n\n".join(blocks) or "-")

    def to_numbers(self, text: str) -> str:
        """``text`` with ``[^id]`` turned into ``[n]``."""
        return _CITATION.sub(
            lambda match: f"[{self._numbers[match[1]]}]" if match[1] in self._numbers else "",
            text,
        )

    def to_ids(self, text: str) -> str:
        """``text`` with ``[n]`` turned into ``[^id]``; numbers that were not listed are cut."""
        return _GROUP.sub(lambda match: self._ids(match[0], match[1]), text)

    def _ids(self, group: str, space: str) -> str:
        ids: list[str] = []
        for part in _PART.finditer(group):
            first = int(part[1])
            last = min(int(part[2] or first), first + _MAX_RANGE)
            ids += [
                self.passages[number - 1].id
                for number in range(first, last + 1)
                if 0 < number <= len(self.passages)
            ]
        marks = "".join(f"[^{passage_id}]" for passage_id in dict.fromkeys(ids))
        return space + marks if marks else ""

    def _label(self, passage: Passage) -> str:
        source = self._sources.get(passage.source_id)
        if source is None:
            return passage.source_id
        place = passage.place
        at = [f"page {place.page}"] if place.page else []
        if place.rows:
            at.append(f"rows {place.rows[0]}-{place.rows[1]}")
        if place.heading:
            at.append(" > ".join(place.heading))
        name = f"{source.title} — {source.locator}" if source.kind == "web" else source.title
        return ", ".join([name, *at])


def cited_ids(text: str) -> tuple[str, ...]:
    """The ids of the passages that ``text`` cites, each once, in order."""
    return tuple(dict.fromkeys(_CITATION.findall(text)))
