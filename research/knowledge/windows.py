"""What is embedded of a passage: each couple of its sentences, under the headings above it.

A vector of a whole passage blurs: on the sample documents the passage that answers a question was
among the first three in 67 % of the cases with one vector a passage, in 94 % with one for about
two sentences (Chinese questions on English text: 61 and 83 %).
"""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING

from research.knowledge.embedding import Embedder
from research.models import Passage

if TYPE_CHECKING:
    import numpy as np

WIDTH = 200
"""Of a window, in Latin characters; a Chinese one counts twice."""
HEADING_SHARE = 0.2
SENTENCE = re.compile(r"(?<=[.!?])\s+|(?<=[。！？；])|\n+")
CHINESE = re.compile("[\u3040-\u30ff\u3400-\u9fff\uac00-\ud7af]")


def passage_vectors(
    passages: Sequence[Passage], titles: Mapping[str, str], embedder: Embedder
) -> list[np.ndarray]:
    """The vectors of each passage, one a window.

    Args:
        passages: What to embed.
        titles: Of the documents, by id; serves where a passage has no heading.
        embedder: Makes the vectors.

    Returns:
        For each passage ``(windows, dimension)``, float32, rows of unit length.
    """
    import numpy as np

    heads = [" ".join(p.place.heading) or titles.get(p.source_id, "") for p in passages]
    cut = [windows(passage.text) for passage in passages]
    texts = [
        ". ".join(filter(None, (" ".join(passage.place.heading[-2:]), window)))
        for passage, parts in zip(passages, cut, strict=True)
        for window in parts
    ]
    distinct = list(dict.fromkeys(heads))
    of_head = dict(zip(distinct, embedder.embed(distinct), strict=True))
    of_text = embedder.embed(texts)
    found = []
    at = 0
    for head, parts in zip(heads, cut, strict=True):
        mixed = of_text[at : at + len(parts)] * (1 - HEADING_SHARE) + of_head[head] * HEADING_SHARE
        found.append((mixed / np.linalg.norm(mixed, axis=1, keepdims=True)).astype(np.float32))
        at += len(parts)
    return found


def windows(text: str) -> list[str]:
    """``text`` cut into pieces of a few sentences."""
    found = [""]
    for sentence in filter(str.strip, SENTENCE.split(text)):
        if found[-1] and _width(found[-1]) + _width(sentence) > WIDTH:
            found.append("")
        found[-1] = f"{found[-1]} {sentence}".strip()
    return found


def _width(text: str) -> int:
    return len(text) + len(CHINESE.findall(text))
