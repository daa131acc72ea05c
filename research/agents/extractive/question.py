"""What a question asks, read by rules: its kind, what it compares, its names, words and years."""

from __future__ import annotations

import re
from dataclasses import dataclass

from research.agents.extractive.words import (
    CHINESE,
    STOPWORDS,
    Term,
    content_word,
    fold,
    tagged,
    terms_of,
)
from research.i18n import language_of
from research.models import Language, QuestionKind

_CUES: tuple[tuple[QuestionKind, str], ...] = (
    (
        "compare",
        r"\b(compar\w*|versus|vs\.?|differ(s|ence|ences|ent)?|better than|worse than"
        r"|pros and cons|advantages?)\b|比较|对比|相比|区别|差异|不同|优缺点|优劣",
    ),
    (
        "why",
        r"\b(why|reasons?|causes?d?|drove|drivers?|driving|led to|because|explains?)\b"
        r"|为什么|为何|原因|缘由|因何|怎么会|导致|驱动",
    ),
    (
        "trend",
        r"\b(trends?|chang(e|es|ed|ing)|develop(s|ed|ment)?|evolv\w+|grow(s|n|th)?|grew|rise|rose"
        r"|risen|fall|fell|fallen|declin\w+|increas\w+|decreas\w+|over time|since (19|20)\d\d)\b"
        r"|变化|趋势|走势|演变|增长|下降|增加|减少|提高|上升|历年",
    ),
    (
        "list",
        r"^\W*(which|list|name)\b|\bwhat are\b|\b(enumerate|overview of|kinds of|types of)\b"
        r"|哪些|列出|列举|有哪几",
    ),
    (
        "definition",
        r"^\W*(what|who)( is|'s)( an?)? [^,\d]{1,40}\?*$|\bdefin(e|ition)\b|meaning of"
        r"|^\W*什么(是|叫)|是什么意思|的?(定义|含义)",
    ),
    ("how", r"\bhow (do|does|can|could|to|should|is|are|would)\b|怎么|怎样|如何"),
)
_PERIOD = re.compile(r"(?<!\d)(19\d\d|20\d\d)(?!\d)")
_WORD = r"[A-Z][A-Za-zÀ-ÿ0-9&.-]*"
_NAME = re.compile(rf"(?<![A-Za-zÀ-ÿ0-9]){_WORD}(?:\s+(?:of\s+)?{_WORD})*")
_ODD_CAPITALS = re.compile(r"[A-Z0-9].*[A-Z]|\d")
"""Of words that are names wherever they stand: CEO, VaultKeep, E23."""


@dataclass(frozen=True)
class Question:
    """A question taken apart."""

    text: str
    language: Language
    kind: QuestionKind
    kinds: frozenset[QuestionKind]
    """Every kind whose cue stands in it: "How did X change, and why?" is of two."""
    terms: tuple[Term, ...]
    phrases: tuple[str, ...]
    """What it is about, as written; the longest run of meaning first."""
    names: tuple[str, ...]
    """Proper names in it."""
    sides: tuple[str, ...]
    """What is compared with what; empty unless it is a comparison of two or more."""
    period: tuple[int, int] | None
    """First and last year named."""

    @property
    def topic(self) -> str:
        """The phrase that says best what it is about."""
        return self.phrases[0] if self.phrases else self.text.strip(" ?？。.!！")


def read_question(text: str, language: Language | None = None) -> Question:
    """Take ``text`` apart; ``language`` is found out where it is not given."""
    plain = " ".join(text.split())
    kinds = [kind for kind, cue in _CUES if re.search(cue, plain, re.IGNORECASE)]
    years = [int(year) for year in _PERIOD.findall(plain)]
    return Question(
        text=plain,
        language=language or language_of(plain),
        kind=kinds[0] if kinds else "general",
        kinds=frozenset(kinds),
        terms=tuple(term for term in terms_of(plain) if not _is_cue(term.word)),
        phrases=_phrases(plain),
        names=_names(plain),
        sides=_sides(plain),
        period=(min(years), max(years)) if years else None,
    )


def _is_cue(word: str) -> bool:
    """Whether ``word`` says how is asked, and not about what."""
    cues = dict(_CUES)
    return any(re.fullmatch(cues[kind], word, re.IGNORECASE) for kind in ("why", "compare"))


def _phrases(text: str) -> tuple[str, ...]:
    """Runs of neighbouring words that carry meaning, longest first, then as they stand."""
    runs = [*_english_runs(text), *_chinese_runs(text)]
    unique = list(dict.fromkeys(run for run in runs if len(run) > 1))
    return tuple(sorted(unique, key=lambda run: -len(re.findall(rf"[\w-]+|[{CHINESE}]", run))))


def _english_runs(text: str) -> list[str]:
    runs: list[list[str]] = [[]]
    for word in re.findall(
        r"[A-Za-zÀ-ÿ][A-Za-zÀ-ÿ0-9'’&-]*|\d[\d.,]*|[^\s\w]|[^\sA-Za-z\d]+", text
    ):
        if (re.match(r"[A-Za-zÀ-ÿ]", word) and fold(word) not in STOPWORDS) or (
            fold(word) in {"by", "of", "in", "for"} and runs[-1]
        ):
            runs[-1].append(word)
        else:
            runs.append([])
    return [" ".join(_trimmed(run)) for run in runs if _trimmed(run)]


def _trimmed(run: list[str]) -> list[str]:
    while run and fold(run[-1]) in STOPWORDS:
        run = run[:-1]
    while run and re.fullmatch(r"chang(e|es|ed)|develop(ed)?|compared?|list|name", fold(run[-1])):
        run = run[:-1]
    return run


def _chinese_runs(text: str) -> list[str]:
    if not re.search(f"[{CHINESE}]", text):
        return []
    runs = [""]
    for word, flag in tagged(text):
        noun = content_word(word, flag) and not re.fullmatch("变化|趋势|原因|计划", word)
        runs = [*runs[:-1], runs[-1] + word] if noun else [*runs, ""]
    return [run for run in runs if run]


def _names(text: str) -> tuple[str, ...]:
    chinese = re.search(f"[{CHINESE}]", text) is not None
    found = []
    for match in _NAME.finditer(text):
        name = match.group().strip(" .-")
        opens = match.start() == 0 or text[: match.start()].rstrip()[-1:] in ".?!:"
        if opens and not chinese:
            name = _without_first(name)
        found.append(name)
    words = re.findall(r"[A-Za-z]+", text)
    if len(words) > 4 and sum(word[0].isupper() for word in words) > 0.7 * len(words):
        # In a headline every word has a capital.
        found = [word for name in found for word in name.split() if _ODD_CAPITALS.search(word)]
    if chinese:
        found += [word for word, flag in tagged(text) if flag[:2] in {"nr", "ns", "nt", "nz"}]
    return tuple(name for name in dict.fromkeys(found) if name and fold(name) not in STOPWORDS)


def _without_first(name: str) -> str:
    """A name at the start of a sentence, where the first capital may be no more than that."""
    first, _, rest = name.partition(" ")
    if _ODD_CAPITALS.search(first) or (rest and fold(first) not in STOPWORDS):
        return name
    return rest


_SIDES = (
    r"\bcompare\s+(?P<sides>.+)",
    r"\bdifferences?\s+between\s+(?P<sides>.+)",
    r"\b(?:how|where)\s+(?:do|does|did)\s+(?P<a>.+?)\s+(?:differ\s+from|compare\s+(?:to|with))"
    r"\s+(?P<b>.+)",
    r"\b(?:how|where)\s+(?:do|does|did)\s+(?P<sides>.+?)\s+(?:differ|compare)\b",
    r"\b(?:is|are)\s+(?P<a>.+?)\s+\w+\s+than\s+(?P<b>.+)",
    r"(?P<a>[\w&.' -]+?)\s+(?:vs\.?|versus|compared\s+(?:to|with))\s+(?P<b>.+)",
    r"(?:比较|对比)(?:一下)?(?P<sides>.+)",
    r"(?P<sides>[^，。,]+?)(?:相比|之间)?(?:有|的|有什么|有何|有哪些)?(?:什么|哪些|主要)*的?"
    r"(?:区别|差异|不同|优缺点|优劣)",
    r"(?P<sides>[^，。,]+?)相比",
)
_AND = re.compile(
    r"\s*,\s*(?:and\s+)?|\s+(?:and|with|to|against|or)\s+|\s*[、，]\s*|(?<=[^平])[和与跟及同](?!期|比)"
)


def _sides(text: str) -> tuple[str, ...]:
    plain = re.split(r"[:：;；?？]", text)[0].rstrip(" 。.!！")
    for pattern in _SIDES:
        found = re.search(pattern, plain, re.IGNORECASE)
        if not found:
            continue
        groups = found.groupdict()
        sides = (
            [groups["a"], groups["b"]] if groups.get("a") else _AND.split(groups.get("sides", ""))
        )
        cleaned = tuple(side for side in map(_side, sides) if side)
        if len(cleaned) >= 2:
            return _without_shared(cleaned)
    return ()


def _side(text: str) -> str:
    plain = re.sub(r"^(?:the|a|an|what is|what are|which is)\s+", "", text.strip(), flags=re.I)
    plain = re.sub(r"(?:相比|之间).*$", "", plain)
    return plain.strip(" ,，") if len(plain) <= 60 else ""


def _without_shared(sides: tuple[str, ...]) -> tuple[str, ...]:
    """Strip what the first or last side says of all: "growth in A" and "B", "A" and "B growth"."""
    first, last = sides[0], sides[-1]
    first = re.sub(r"^.*\s(?:in|of|for|between)\s+(?:the\s+)?(?=\S)", "", first)
    if first[:1].isupper():
        name = re.match(r"(?:[A-Z][\w&.-]*\s*)+", last)
        if name and re.fullmatch(r"[a-z].*", last[name.end() :].strip() or "x"):
            words_in_first = len(first.split())
            shared = last[name.end() :].strip()
            same_noun = first.split()[-1:] == shared.split()[:1] and words_in_first > 1
            last = last if same_noun else name.group().strip()
    last = re.sub(f"(?<=[{CHINESE}])的[{CHINESE}]+$", "", last)
    return (first, *sides[1:-1], last)
