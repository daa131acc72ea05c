"""A library of very many passages: words by Zipf's law, in two languages, vectors in clusters."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import numpy as np

from research.knowledge.documents import Document
from research.knowledge.entries import Entry, insert
from research.knowledge.store import Store
from research.models import Passage

A_DOCUMENT = 1_000
WINDOWS = 4
VOCABULARY, CHARACTERS = 40_000, 3_500
ENGLISH_WORDS, CHINESE_CHARACTERS, CLAUSE = 110, 300, 25
CLUSTERS, SPREAD = 3_000, 1.2


def fill(store: Store, model: str, dimension: int, count: int) -> None:
    """Write ``count`` passages with their words and vectors into an empty store."""
    chance = np.random.default_rng(1)
    texts = _texts(chance)
    for at in range(0, count, A_DOCUMENT):
        name = f"document {at // A_DOCUMENT}"
        passages = [Passage.of(name, next(texts)) for _ in range(min(A_DOCUMENT, count - at))]
        document = Document(
            id=name, name=name, title=name, kind="text", sha256=name, passages=len(passages),
            tables=0, language="en", bytes=1, added_at=at,
        )  # fmt: skip
        with store.change() as db:
            insert(db, Entry(document, passages, ()))
    centres = chance.standard_normal((CLUSTERS, dimension)).astype(np.float32)
    numbers = [number for (number,) in store.rows("SELECT number FROM passages ORDER BY number")]
    for at in range(0, count, A_DOCUMENT):
        batch = numbers[at : at + A_DOCUMENT]
        rows = len(batch) * WINDOWS
        noise = chance.standard_normal((rows, dimension)).astype(np.float32)
        vectors = centres[chance.integers(0, CLUSTERS, rows)] + SPREAD * noise
        vectors /= np.linalg.norm(vectors, axis=1, keepdims=True)
        store.add_vectors(model, batch, list(vectors.reshape(len(batch), WINDOWS, dimension)))


def queries(store: Store, count: int) -> list[str]:
    """A dozen words, or as many characters, out of passages from all over the library."""
    step = max(1, store.count() // count)
    rows = store.rows("SELECT text FROM passages WHERE number % ? = 0 LIMIT ?", step, count)
    return [" ".join(text.split()[3:15]) if " " in text else text[5:25] for (text,) in rows]


def _texts(chance: np.random.Generator) -> Iterator[str]:
    consonants, vowels = list("bcdfghjklmnprstvwz"), list("aeiou")
    words = [
        "".join(
            chance.choice(consonants) + chance.choice(vowels) for _ in range(chance.integers(2, 5))
        )
        for _ in range(VOCABULARY)
    ]
    characters = [chr(0x4E00 + int(code)) for code in chance.permutation(CHARACTERS)]
    english, chinese = _zipf(VOCABULARY, 1.0), _zipf(CHARACTERS, 0.9)
    while True:
        for _ in range(2):
            yield " ".join(words[at] for at in _drawn(english, ENGLISH_WORDS, chance))
        drawn = "".join(characters[at] for at in _drawn(chinese, CHINESE_CHARACTERS, chance))
        yield "。".join(drawn[at : at + CLAUSE] for at in range(0, len(drawn), CLAUSE))


def _zipf(size: int, exponent: float) -> Any:
    """The cumulated frequencies of so many words (Zipf 1949)."""
    frequencies = 1 / np.arange(1, size + 1) ** exponent
    return np.cumsum(frequencies / frequencies.sum())


def _drawn(cumulated: Any, count: int, chance: np.random.Generator) -> Any:
    return np.minimum(np.searchsorted(cumulated, chance.random(count)), len(cumulated) - 1)
