"""Quotes as Markdown: whole sentences of a passage, word for word, with their citation."""

from __future__ import annotations

from collections.abc import Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass

from research.agents.extractive.headings import path_of
from research.agents.extractive.sentences import Sentence, sentences_of
from research.agents.extractive.words import has_chinese
from research.models import Passage, Source
from research.report.writer import escape

GAP = " … "
"""Stands where sentences of a passage are left out."""
_LEAD_INS = 2
"""Sentences put before one that points back."""


@dataclass(frozen=True)
class Quote:
    """Sentences of one passage, in reading order."""

    passage: Passage
    sentences: tuple[Sentence, ...]

    @classmethod
    def of(cls, wanted: Collection[Sentence]) -> Quote:
        """Sentences of one passage, with the sentence before each that points back."""
        passage = next(iter(wanted)).passage
        neighbours = {one.index: one for one in sentences_of(passage)}
        taken = {one.index: one for one in wanted}
        for sentence in wanted:
            leaning, steps = sentence, 0
            while leaning.leaning and steps < _LEAD_INS and leaning.index - 1 in neighbours:
                leaning, steps = neighbours[leaning.index - 1], steps + 1
                taken[leaning.index] = leaning
        return cls(passage, tuple(taken[index] for index in sorted(taken)))

    @property
    def bullets(self) -> str:
        """As Markdown: one bullet, or one for each row of a table, with the citation."""
        cite = f" [^{self.passage.id}]"
        if self.sentences[0].row:
            return "\n".join(f"- {escape(one.text)}{cite}" for one in self.sentences)
        words = self.sentences[0].text
        for before, here in zip(self.sentences, self.sentences[1:], strict=False):
            closed = "" if has_chinese(before.text[-2:]) or has_chinese(here.text[:1]) else " "
            words += (closed if here.index == before.index + 1 else GAP) + here.text
        return f"- {escape(words)}{cite}"


def written(quotes: Sequence[Quote], title: str, sources: Mapping[str, Source]) -> str:
    """The quotes under the headings they stand under, where these say more than ``title``."""
    groups: dict[str, list[str]] = {}
    for quote in quotes:
        path = path_of(quote.passage, sources)
        groups.setdefault(path[-1] if path else "", []).append(quote.bullets)
    if len(groups) == 1 and title.endswith(next(iter(groups))):
        return "\n".join(bullets for group in groups.values() for bullets in group)
    return "\n\n".join(
        f"**{escape(label)}**\n\n" + "\n".join(bullets) if label else "\n".join(bullets)
        for label, bullets in groups.items()
    )


def quoted_in(markdown: str, passages: Mapping[str, Passage]) -> Iterator[Quote]:
    """The quotes that :func:`written` put into ``markdown``."""
    for line in markdown.splitlines():
        bullet, _, mark = line.rpartition(" [^")
        passage = passages.get(mark.rstrip("]"))
        if bullet.startswith("- ") and passage:
            found = [one for one in sentences_of(passage) if escape(one.text) in bullet]
            if found:
                yield Quote(passage, tuple(found))
