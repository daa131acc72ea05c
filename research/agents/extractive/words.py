"""Words as the extractive analyst compares them: folded, stemmed, free of what carries no meaning.

English words are compared by stem, with compounds joined ("back up", "back-up" and "backup" are
one word); Chinese words are looked for as they stand, or by their pairs of characters.
"""

from __future__ import annotations

import contextlib
import logging
import re
import threading
import unicodedata
import warnings
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from functools import cache
from typing import Any

from platformdirs import user_cache_path

CHINESE = r"\u3400-\u4dbf\u4e00-\u9fff"
_LATIN_WORD = re.compile(r"[a-zà-öø-ÿ]+(?:['’&][a-z]+)*\d*|\d+(?:[.,]\d+)*")
_CHINESE_RUN = re.compile(f"[{CHINESE}]+")
_ABBREVIATION = re.compile(r"\b[A-Z](?:&?[A-Z]){2,5}\b|\b[A-Z]&[A-Z]\b")
_PARTICLES = frozenset(["up", "down", "in", "out", "on", "off", "over", "back", "away", "through"])

STOPWORDS = frozenset(
    re.findall(
        r"\S+",
        """a about above after again all also am an and any are as at be because been before being
        below between both but by can could did do does doing done during each either else ever
        every few for from further get gets give given had has have having he her here hers him his
        how i if in into is it its itself just let like made make makes many may me might more most
        much must my no nor not now of off on once one only or other our ours out over own per
        please quite rather same she should show so some such tell than that the their theirs them
        then there these they thing things this those through to too under until up us very want was
        we were what when where whether which while who whom whose why will with within would you
        your yours everything anything something overview details information according compare
        compared differ differs difference differences versus vs list explain describe
        mean means happen happens happened kind sort main often usually actually really really let's
        don't doesn't didn't isn't aren't it's that's what's""",
    )
)
_CHINESE_STOPWORDS = frozenset(
    re.findall(
        r"\S+",
        """的 了 和 与 是 在 有 为 对 由 及 或 等 之 以 从 到 把 被 让 给 向 于 其 该 这 那 哪 谁 几
        多少 什么 怎么 怎样 如何 为什么 为何 哪些 哪个 哪里 是否 可以 能否 能 会 要 请 请问 告诉
        介绍 说明 解释 一下 我 我们 你 你们 他 他们 它 它们 进行 通过 关于 以及 还有 情况 方面 问题
        时候 原因 做 得 应该 主要 出现 属于 存在 具有 相比 比较 对比 区别 差异 不同 分别 各 各个 每
        每个 所有 最 更 很 也 都 就""",
    )
)
_IRREGULAR = {
    form: base
    for base, forms in {
        "grow": "grew grown growth",
        "rise": "rose risen",
        "fall": "fell fallen",
        "drive": "drove driven",
        "lead": "led",
        "spend": "spent",
        "buy": "bought",
        "sell": "sold sale sales",
        "build": "built",
        "pay": "paid payment",
        "lose": "lost loss losses",
        "win": "won",
        "leave": "left",
        "hold": "held",
        "keep": "kept",
        "bring": "brought",
        "become": "became",
        "begin": "began begun",
        "run": "ran",
        "write": "wrote written",
        "choose": "chose chosen",
        "take": "took taken",
        "find": "found",
        "person": "people persons",
        "child": "children",
        "woman": "women",
        "man": "men",
        "cost": "costs",
    }.items()
    for form in forms.split()
}


def fold(text: str) -> str:
    """``text`` in lower case, full-width letters and digits made half-width."""
    return unicodedata.normalize("NFKC", text).casefold()


def stem(word: str) -> str:
    """The part of a folded English word that its inflected forms share."""
    if word[:1].isdigit():
        return word.replace(",", "")
    word = re.sub(r"['’].*$", "", word)
    word = _IRREGULAR.get(word, word)
    if len(word) > 4 and word.endswith("ies"):
        word = word[:-3] + "y"
    elif len(word) > 3 and word.endswith("s") and not word.endswith(("ss", "us", "is")):
        word = word[:-1]
    while (shorter := _without_ending(word)) != word:
        word = shorter
    return word.rstrip("e") if len(word) > 3 else word


def _without_ending(word: str) -> str:
    if word.endswith("ery"):
        return word[:-1]
    for ending, least in (("ing", 3), ("ed", 3), ("ment", 4), ("er", 4), ("al", 4), ("ly", 4)):
        if word.endswith(ending) and len(word) - len(ending) >= least:
            word = word[: -len(ending)]
            doubled = len(word) > 3 and word[-1] == word[-2] and word[-1] not in "lsz"
            return word[:-1] if doubled else word
    return word


def english_words(text: str) -> list[str]:
    """The folded English words and numbers of ``text``, in order."""
    return _LATIN_WORD.findall(fold(text).replace("-", " "))


def has_chinese(text: str) -> bool:
    """Whether a Chinese character stands in ``text``."""
    return _CHINESE_RUN.search(text) is not None


@dataclass(frozen=True)
class Term:
    """A word of a question that carries meaning, in the forms that count as finding it."""

    word: str
    stems: frozenset[str] = frozenset()
    """Of an English word or a number; empty for a Chinese word."""
    written_out: re.Pattern[str] | None = None
    """Finds the words an abbreviation stands for: "chief executive officer" for CEO."""


@dataclass(frozen=True)
class Bag:
    """A text made ready for looking up terms."""

    stems: frozenset[str]
    folded: str

    @classmethod
    def of(cls, text: str) -> Bag:
        """Take ``text`` apart once."""
        return cls(frozenset(_stems(english_words(text))), fold(text))

    def share(self, term: Term) -> float:
        """How much of ``term`` is here: 1 where all of it, in between for part of a compound."""
        if term.stems:
            known = not term.stems.isdisjoint(self.stems)
            return float(known or bool(term.written_out and term.written_out.search(self.folded)))
        if term.word in self.folded:
            return 1.0
        pairs = [term.word[i : i + 2] for i in range(len(term.word) - 1)]
        found = sum(pair in self.folded for pair in pairs)
        return found / len(pairs) if len(pairs) > 1 else 0.0


def terms_of(text: str) -> tuple[Term, ...]:
    """The words of ``text`` that carry meaning, each once, in order."""
    found = {term.word: term for term in (*_english_terms(text), *_chinese_terms(text))}
    return tuple(found.values())


def tagged(text: str) -> list[tuple[str, str]]:
    """The Chinese words of ``text`` with their part of speech in jieba's notation."""
    return [(pair.word, pair.flag) for pair in _jieba().cut(fold(text))]


def content_word(word: str, flag: str) -> bool:
    """Whether a tagged Chinese word says what is asked, as nouns, verbs and adjectives do."""
    return (
        _CHINESE_RUN.fullmatch(word) is not None
        and word not in _CHINESE_STOPWORDS
        and (flag[0] in "nvaijlzb" or flag == "eng")
    )


def _stems(words: Sequence[str]) -> Iterator[str]:
    for here, word in enumerate(words):
        yield stem(word)
        if here + 1 < len(words) and words[here + 1] in _PARTICLES:
            yield stem(word) + words[here + 1]


def _english_terms(text: str) -> Iterable[Term]:
    words = english_words(text)
    capitals = {fold(word) for word in _ABBREVIATION.findall(text)}
    for here, word in enumerate(words):
        if word in STOPWORDS or (len(word) < 2 and not word.isdigit()):
            continue
        stems = {stem(word)}
        if here + 1 < len(words) and words[here + 1] in _PARTICLES:
            stems.add(stem(word) + words[here + 1])
        yield Term(word, frozenset(stems), _written_out(word) if word in capitals else None)


def _written_out(abbreviation: str) -> re.Pattern[str]:
    between = {"&": r"[\s,-]+and\s+", "": r"[\s,-]+(?:(?:and|of|the|for)\s+)*"}
    letters = re.findall(r"(&?)(\w)", abbreviation)
    return re.compile(
        r"\b"
        + "".join(
            (between[link] if i else "") + letter + r"\w*"
            for i, (link, letter) in enumerate(letters)
        )
    )


def _chinese_terms(text: str) -> Iterable[Term]:
    if has_chinese(text):
        for word, flag in tagged(text):
            if content_word(word, flag):
                yield Term(word)


_loading = threading.Lock()


@cache
def _load_jieba() -> Any:
    with warnings.catch_warnings():
        # The package leaves files open and has invalid escapes, which newer Pythons report.
        warnings.simplefilter("ignore")
        import jieba
        import jieba.posseg

    jieba.setLogLevel(logging.WARNING)
    with contextlib.suppress(OSError):
        # Its own choice is a fixed name in the shared temporary folder, which anyone may write.
        jieba.dt.tmp_dir = str(user_cache_path("dossier", ensure_exists=True))
    return jieba.posseg


def _jieba() -> Any:
    with _loading:
        return _load_jieba()
