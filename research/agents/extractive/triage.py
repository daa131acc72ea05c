"""First contact: small talk and requests that are declined, by rules; all else is researched."""

from __future__ import annotations

from research.agents.analyst import Triage
from research.agents.extractive.rules import pattern, rules
from research.agents.extractive.words import (
    STOPWORDS,
    english_words,
    fold,
    has_chinese,
    tagged,
)
from research.i18n import text
from research.models import Language


def sort_out(question: str, language: Language) -> Triage:
    """Decide what becomes of an input: answered, declined, asked back, or researched."""
    plain = " ".join(question.split()).strip(" .!?。！？~～,，")
    for talk in ("greeting", "thanks", "goodbye", "about"):
        if pattern("triage", "small_talk", talk).fullmatch(plain):
            return Triage("chat", text(f"extractive.{talk}", language))
    for reason in ("self_harm", "harm", "prompt"):
        if pattern("triage", "refuse", reason).search(plain):
            return Triage("refuse", text(f"extractive.refuse_{reason}", language))
    if _says_nothing(plain):
        return Triage("clarify", text("extractive.vague", language))
    return Triage("research")


def _says_nothing(plain: str) -> bool:
    """Whether no word of it names a subject; what is in another script is not judged."""
    empty = STOPWORDS | set(rules("triage")["vague"]["words"].split())
    english = any(word[0].isalpha() and word not in empty for word in english_words(plain))
    chinese = has_chinese(plain) and any(
        flag[0] in "nvajlibtz" and len(word) > 1 and word not in empty and has_chinese(word)
        for word, flag in tagged(plain)
    )
    other = any(
        char.isalpha() and char > "\u02ff" and not has_chinese(char) for char in fold(plain)
    )
    return not (english or chinese or other)
