"""The check of a report: does each cited sentence say what its passages say?

Numbers are compared as values, quotations letter by letter, and a sentence with neither by its
words. This is a check of presence, not of meaning: it finds what was made up, not what was
misunderstood.
"""

from __future__ import annotations

import re
from functools import lru_cache

from research.i18n import language_of
from research.models import Claim, Language, Verdict
from research.report.evidence import Evidence
from research.report.quantities import Figures, normalised, quantities, scales_named
from research.report.sentences import Sentence, sentences
from research.report.tree import parse

SUPPORTED_COVERAGE = {"en": 0.6, "zh": 0.45}
"""Share of a sentence's content words that must stand in its passages for it to be supported.
A paraphrase keeps the nouns and changes verbs and connectives, about a third of the words; of
Chinese pairs of characters, those across two words change as well, about half."""

PARTLY_COVERAGE = {"en": 0.3, "zh": 0.15}
"""Below this share a sentence without numbers or quotations says something else than its
passages: two texts on one topic that say different things share a fifth of their words."""

UNRELATED_COVERAGE = 0.1
"""Below this share even a sentence whose numbers were all found is only partly supported: a year
alone stands in any passage."""

_QUOTE = re.compile(r"\"([^\"\n]{2,600})\"|“([^”]{2,600})”|「([^」]{2,600})」|『([^』]{2,600})』")
_GAP = re.compile(r"\s*(?:\.\.\.|…+|\[[^\]]{0,20}\])\s*")
_WORD = re.compile(r"[^\W\d_]{3,}")
_HAN_RUN = re.compile(r"[\u3400-\u9fff]{2,}")
_PLURAL = re.compile(r"(?<=..)(?:ies|es|s)$")
_ENDING = re.compile(r"(?<=...)(?:ation|ingly|ing|edly|ied|ed|ly|al|er|ion|ment|y|e)$")
_STOP = frozenset(
    re.findall(
        r"\w+",
        """
        the and for are was were been being have has had its their this that these those
        with from into than then them they which who whom whose what when where while
        will would could should can may might must not nor but also such more most some
        any each both all other over under between about after before during through
        because there here very only own same does did according report reports states
        said says shows show our your his her you
        """,
    )
)


def check_claims(markdown: str, evidence: Evidence) -> tuple[Claim, ...]:
    """Check every cited sentence of a report against its passages.

    Citations that lead nowhere are passed over; a sentence that has no other is no claim.
    """
    found = []
    for sentence in sentences(parse(markdown)):
        ids = tuple(each for each in sentence.passage_ids if evidence.cited(each))
        if ids:
            found.append(_check(sentence, ids, evidence))
    return tuple(found)


def count_uncited(markdown: str) -> int:
    """How many sentences give a number or a quotation and cite nothing for it."""
    return sum(
        not sentence.passage_ids and _states_fact(sentence)
        for sentence in sentences(parse(markdown))
    )


def _states_fact(sentence: Sentence) -> bool:
    return bool(quantities(sentence.text) or _quotes(sentence.text))


def _check(sentence: Sentence, ids: tuple[str, ...], evidence: Evidence) -> Claim:
    text = sentence.text
    passages = "\n".join(_readable(passage_id, evidence) for passage_id in ids)
    figures, scales = Figures(passages), scales_named(sentence.head)
    numbers, quotes = quantities(text), _quotes(text)
    missing = [number.text for number in numbers if not figures.hold(number, scales)]
    missing += [quote for quote in quotes if not _holds_quote(passages, quote)]
    checked = len(numbers) + len(quotes)
    verdict = _verdict(checked, len(missing), _coverage(text, passages), language_of(text))
    return Claim(text=text, passage_ids=ids, verdict=verdict, missing=tuple(dict.fromkeys(missing)))


def _quotes(text: str) -> list[str]:
    return [next(filter(None, match.groups())) for match in _QUOTE.finditer(text)]


def _verdict(checked: int, missing: int, share: float | None, language: Language) -> Verdict:
    """From numbers and quotations where there are any, otherwise from the share of words."""
    if not checked:
        if share is None:
            return Verdict.PARTLY
        if share >= SUPPORTED_COVERAGE[language]:
            return Verdict.SUPPORTED
        return Verdict.PARTLY if share >= PARTLY_COVERAGE[language] else Verdict.NOT_FOUND
    if missing == checked:
        return Verdict.NOT_FOUND
    related = share is None or share >= UNRELATED_COVERAGE
    return Verdict.SUPPORTED if related and not missing else Verdict.PARTLY


def _coverage(text: str, passages: str) -> float | None:
    """Share of the content words of ``text`` that stand in ``passages``.

    None where there are none, or where sentence and passages are of different languages.
    """
    words = _content(text)
    if not words or language_of(text) != language_of(passages):
        return None
    return len(words & _content_of_passages(passages)) / len(words)


def _content(text: str) -> frozenset[str]:
    """Stems of the content words, and every pair of neighbouring Chinese characters."""
    plain = normalised(text).casefold()
    stems = {
        _ENDING.sub("", _PLURAL.sub("", word)).rstrip("e")
        for word in _WORD.findall(_HAN_RUN.sub(" ", plain))
        if word not in _STOP
    }
    pairs = {run[i : i + 2] for run in _HAN_RUN.findall(plain) for i in range(len(run) - 1)}
    return frozenset(stems | pairs)


_content_of_passages = lru_cache(maxsize=256)(_content)


def _readable(passage_id: str, evidence: Evidence) -> str:
    """What a reader has before them at a passage: its source's name, headings and text."""
    cited = evidence.cited(passage_id)
    if not cited:
        return ""
    passage, source = cited
    return "\n".join([source.title, source.locator, *passage.place.heading, passage.text])


def _holds_quote(passages: str, quote: str) -> bool:
    """Whether every piece of ``quote`` between its gaps stands in ``passages``."""
    held = _squeezed(passages)
    pieces = [piece for part in _GAP.split(quote) if (piece := _squeezed(part))]
    return all(piece in held for piece in pieces)


@lru_cache(maxsize=256)
def _squeezed(text: str) -> str:
    """Letters and digits alone: line breaks, hyphens at them and kinds of marks do not count."""
    return re.sub(r"[\W_]+", "", normalised(text).casefold())
