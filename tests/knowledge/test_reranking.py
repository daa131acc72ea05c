"""Re-ranking by a real cross-encoder of sentence-transformers, made here with weights by hand."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

import pytest

from research.errors import ConfigurationError
from research.knowledge.library import Library
from research.knowledge.reranking import CrossEncoderReranker
from tests.knowledge.test_library import HashEmbedder

NOTES = {
    "a.txt": "The price of copper rose in May because a mine was closed.",
    "b.txt": "Copper price, copper price, copper price: see the table.",
    "c.txt": "铜价在五月上涨，因为一座矿山关闭了。",
    "d.txt": "Zinc fell in May, and the price of copper with it.",
}


class Prefers:
    """A judge that likes one word, and knows no Chinese."""

    def __init__(self, word: str) -> None:
        self.word = word
        self.read: list[str] = []

    def scores(self, question: str, texts: Sequence[str]) -> list[float]:
        self.read += texts
        return [0.9 if self.word in text else 0.1 for text in texts]

    def understands(self, text: str) -> bool:
        return text.isascii()


def filled(folder: Path, reranker: object = None) -> Library:
    library = Library(folder, HashEmbedder(), reranker=reranker)  # type: ignore[arg-type]
    for name, text in NOTES.items():
        library.add(name, text.encode())
    return library


def test_the_judge_decides_the_order_and_its_verdict_is_told(tmp_path: Path) -> None:
    library = filled(tmp_path, Prefers("Zinc"))
    first, *rest = library.search(["copper price"])
    assert "Zinc" in first.passage.text
    assert first.reranked == 0.9
    assert {hit.reranked for hit in rest} == {0.1}
    library.close()


def test_a_language_it_does_not_know_keeps_its_fused_order(tmp_path: Path) -> None:
    judge = Prefers("Zinc")
    library = filled(tmp_path, judge)
    [hit] = library.search(["铜价五月"])
    assert hit.reranked is None
    assert judge.read == []
    library.close()


def test_a_missing_package_or_model_is_one_sentence(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    pytest.importorskip("sentence_transformers")
    with pytest.raises(ConfigurationError) as caught:
        CrossEncoderReranker(str(tmp_path / "nowhere")).scores("a", ["b"])
    assert caught.value.key == "retrieval.no_such_reranker"


@pytest.fixture(scope="session")
def cross_encoder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A tiny BERT whose classifier has random weights, saved as people save theirs."""
    pytest.importorskip("sentence_transformers", reason="the optional re-ranking models")
    import torch
    from transformers import BertConfig, BertForSequenceClassification, BertTokenizerFast

    torch.manual_seed(1)
    folder = tmp_path_factory.mktemp("cross-encoder")
    words = "the price of copper rose in may because a mine was closed zinc fell and with it see"
    vocabulary = ["[PAD]", "[UNK]", "[CLS]", "[SEP]", "[MASK]", *dict.fromkeys(words.split())]
    known = [*vocabulary, ",", ".", ":", "table"]
    tokenizer = BertTokenizerFast(vocab={word: at for at, word in enumerate(known)})
    config = BertConfig(
        vocab_size=len(tokenizer),
        hidden_size=16,
        num_hidden_layers=1,
        num_attention_heads=2,
        intermediate_size=32,
        num_labels=1,
    )
    BertForSequenceClassification(config).save_pretrained(folder)
    tokenizer.save_pretrained(folder)
    return folder


def test_a_real_cross_encoder_reads_question_and_passage_together(
    tmp_path: Path, cross_encoder: Path
) -> None:
    judge = CrossEncoderReranker(str(cross_encoder))
    scores = judge.scores("price of copper", [NOTES["a.txt"], NOTES["d.txt"]])
    assert len(scores) == 2 and all(0 < score < 1 for score in scores)
    assert scores != judge.scores("zinc fell", [NOTES["a.txt"], NOTES["d.txt"]])
    assert judge.understands(NOTES["a.txt"])
    assert not judge.understands(NOTES["c.txt"])
    library = filled(tmp_path, judge)
    hits = library.search(["copper price in may"])
    judged = [hit.reranked for hit in hits if hit.reranked is not None]
    assert len(judged) >= 2
    assert judged == sorted(judged, reverse=True)
    library.close()
