"""Taking passages apart into whole sentences that may be quoted as they stand."""

from __future__ import annotations

import re
from collections.abc import Iterable
from dataclasses import dataclass

from research.agents.extractive.words import CHINESE, STOPWORDS, has_chinese
from research.i18n import text
from research.models import Language, Passage

LANGUAGES: tuple[Language, ...] = ("en", "zh")

SHORTEST = {"en": 20, "zh": 7}
"""Characters under which a sentence says too little to be quoted."""
LONGEST = 700
"""Characters above which something was taken for one sentence that is none."""

_BULLET = re.compile(
    r"^\s*(?:[-*•▪◦–·‣●■]|\(?[0-9a-zA-Z]{1,2}[.)]|[①-⑳]|[（(][一二三四五六七八九十\d]+[)）])\s+"
)
_END = re.compile(r"[.!?。！？…][\"'”’」』）)\]]*$")
_POINTER = re.compile(
    r"\b(the|this|following) (table|figure|chart|section|chapter)s? (\w+ )?(shows?|lists?|gives?"
    r"|presents?|summari[sz]es?|describes?|below|above)\b|\bsee (page|note|section|table|figure)\b"
    r"|(下|上|如)(表|图)|见(第|表|图|附)|本(节|章)(介绍|说明)",
    re.IGNORECASE,
)
"""Sentences that only lead the reader about in their own document."""
_DANGLING = re.compile(
    r"^(?:it|they|its|their|he|she|his|her|this|these|that|those|such|both|here|there|then|also"
    r"|in addition|moreover|however|therefore|instead|by contrast|another|the (?:\w+ )?"
    r"(?:increase|decrease|decline|rise|fall|drop|growth|reduction|change|improvement|loss|gain"
    r"|former|latter|remaining|region|company|same))\b"
    r"|^(?:其中|其|该|这|那|此|它|他|她|上述|前者|后者|但|因此|同时|此外|另外|然而|与此同时)",
    re.IGNORECASE,
)


@dataclass(frozen=True)
class Sentence:
    """A whole sentence of a passage, word for word; only its line breaks are gone."""

    text: str
    passage: Passage
    index: int
    """Its number in the passage; neighbours in the text have neighbouring numbers."""
    leaning: bool
    """Whether it starts with a word that points back, so that it cannot stand alone."""
    row: bool = False
    """Whether it is a row of a table, written out."""
    source: str = ""
    """The title of its source."""

    @property
    def context(self) -> str:
        """The headings it stands under, as one line."""
        return " > ".join(self.passage.place.heading)


def sentences_of(passage: Passage, source: str = "") -> list[Sentence]:
    """The quotable sentences of ``passage`` in reading order.

    What is cut off at either end of the passage, titles, and remains of tables are left out.
    """
    if passage.place.rows is not None:
        return _rows(passage, source)
    if _is_profile(passage):
        return []
    found = []
    for index, (piece, opens, bullet) in enumerate(_pieces(passage.text)):
        if _whole(piece, opens, bullet):
            leaning = _DANGLING.match(piece) is not None
            found.append(Sentence(piece, passage, index, leaning, source=source))
    return found


def one_line(text: str) -> str:
    """``text`` with every line break closed: by a space, or by nothing within Chinese text."""
    joined = re.sub(rf"(?<=[{CHINESE}，。；：、！？])\s*\n\s*(?=[{CHINESE}“（《])", "", text)
    return " ".join(joined.split())


def _is_profile(passage: Passage) -> bool:
    """Whether it is the knowledge base's own description of a table, which nobody wrote."""
    title = passage.place.heading[-1:]
    starts = (
        text("knowledge.profile", language, title=title[0], rows="\0", columns="")
        for language in LANGUAGES
        if title
    )
    return any(passage.text.startswith(start.partition("\0")[0]) for start in starts)


def _rows(passage: Passage, source: str) -> list[Sentence]:
    lines = (one_line(line) for line in passage.text.splitlines())
    return [
        Sentence(line, passage, index, leaning=False, row=True, source=source)
        for index, line in enumerate(filter(None, lines))
    ]


def _pieces(text: str) -> Iterable[tuple[str, bool, bool]]:
    """Each sentence-like piece, whether it opens the passage, and whether it is a list item."""
    from sentencex import segment

    first = True
    for block in _blocks(text):
        bullet = _BULLET.match(block)
        body = block[bullet.end() :] if bullet else block
        language = "zh" if has_chinese(body) else "en"
        for sentence in segment(language, one_line(body)):
            for part in _chinese_split(sentence.strip()):
                yield part, first, bullet is not None
                first = False


def _chinese_split(sentence: str) -> list[str]:
    """Cut after each Chinese full stop, where the splitter sees Latin figures and goes on."""
    parts = re.split(r"(?<=[。！？])(?=[^”’」』）)\]])", sentence)
    return [part.strip() for part in parts if part.strip()]


def _blocks(text: str) -> list[str]:
    """Paragraphs, list items and titles: lines are joined unless something new begins."""
    lines = [line.rstrip() for line in text.splitlines()]
    width = max(map(len, lines), default=0)
    blocks: list[str] = []
    fresh = True
    for line in lines:
        if not line.strip():
            fresh = True
            continue
        if fresh or _BULLET.match(line):
            blocks.append(line)
        else:
            blocks[-1] += "\n" + line
        # A short line that ends like no sentence is a title or a row of figures.
        fresh = len(line) < 0.7 * width and not re.search(r"[,;，；、]$", line)
    return blocks


def _whole(text: str, opens: bool, bullet: bool) -> bool:
    shortest = SHORTEST["zh" if has_chinese(text) else "en"]
    if not shortest <= len(text) <= LONGEST:
        return False
    if opens and re.match(r"[a-z,;:.)，。；：、）]", text):
        return False
    if (not bullet and not _END.search(text)) or _POINTER.search(text):
        return False
    if has_chinese(text):
        return True
    # A title, such as one that opens a paragraph, has nothing but names.
    return any(word not in STOPWORDS for word in re.findall(r"\b[a-zà-ÿ]{2,}", text))
