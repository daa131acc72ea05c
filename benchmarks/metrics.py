"""The two figures of retrieval: nDCG and recall of the first k."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence

K = 10


def ndcg(ranking: Sequence[str], grades: Mapping[str, int], k: int = K) -> float:
    """Normalised discounted cumulative gain, in [0, 1].

    DCG = sum over ranks i of grade(i) / log2(i + 1), divided by the DCG of the best possible
    ranking (Järvelin and Kekäläinen 2002, in the linear form that trec_eval reports as ndcg_cut).

    Args:
        ranking: Ids, the best first, none twice.
        grades: Of every relevant id, above 0; what is not named counts nothing.
        k: Ranks looked at.
    """
    gained = _discounted([grades.get(found, 0) for found in ranking[:k]])
    return gained / _discounted(sorted(grades.values(), reverse=True)[:k])


def recall(ranking: Sequence[str], grades: Mapping[str, int], k: int = K) -> float:
    """The share of the relevant ids, whatever their grade, among the first ``k``."""
    return len(grades.keys() & set(ranking[:k])) / len(grades)


def _discounted(gains: Sequence[int]) -> float:
    return sum(gain / math.log2(rank + 1) for rank, gain in enumerate(gains, start=1))
