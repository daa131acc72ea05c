"""Amounts as most long columns hold them, all at once: ``1234.5``, ``1,234.5``, ``(12)``, ``3.1%``.

What is said of a column here is what its cells say one by one in ``amounts.py``; it only takes a
fraction of the time.
"""

from __future__ import annotations

from collections.abc import Collection, Sequence
from dataclasses import dataclass
from typing import Any

from research.knowledge.readers.amounts import Mark

BODY = r"(?:0|[1-9]\d{0,14}|[1-9]\d{0,2}(?:,\d{3}){1,4})(?:\.\d+)?"
PLAIN = rf"^(?:-?{BODY}|\({BODY}\))%?$"
EITHER = r"^[-(]?[1-9]\d{0,2}MARK\d{3}[)%]*$"
LONG = r"^[-(]?\d{4,}[)%]*$"
ZERO = r"^[-(]?0(?:\.0+)?[)%]*$"


@dataclass(frozen=True)
class Facts:
    """What the cells of a column say together."""

    marks: frozenset[Mark]
    """What may stand before decimals."""
    either: frozenset[str]
    """Marks that stand where they may mean either."""
    pointed: bool
    """Whether any has a point, which makes a fraction or, read otherwise, a thousand."""
    grouped: bool
    short: bool
    long: bool
    percent: bool
    bare: bool
    """Whether any but zero stands without a percent sign."""


def facts_of(cells: Collection[str]) -> Facts | None:
    """What is said by ``cells``, none of which is missing; None unless all are plain."""
    import pyarrow as pa
    from pyarrow import compute

    texts = pa.array(cells, pa.string())
    if not compute.all(compute.match_substring_regex(texts, PLAIN)).as_py():
        return None

    def count(pattern: str, among: Any) -> int:
        return compute.sum(compute.match_substring_regex(among, pattern)).as_py() or 0

    points, commas = count(r"\.", texts), count(",", texts)
    either_points = count(EITHER.replace("MARK", r"\."), texts) if points else 0
    either_commas = count(EITHER.replace("MARK", ","), texts) if commas else 0
    sure = points > either_points or commas > either_commas
    marked = compute.match_substring_regex(texts, "[.,]")
    integers = texts.filter(compute.invert(marked))
    longs = count(LONG, integers)
    percents = count("%$", texts)
    unmarked = texts.filter(compute.invert(compute.match_substring(texts, "%")))
    return Facts(
        marks=frozenset({"."} if sure else {".", ","}),
        either=frozenset(["."] * bool(either_points) + [","] * bool(either_commas)),
        pointed=points > 0,
        grouped=commas > 0,
        short=longs < len(integers),
        long=longs > 0,
        percent=percents > 0,
        bare=len(unmarked) > count(ZERO, unmarked),
    )


def numbers_of(cells: Sequence[str | None], missing: Collection[str], type_: Any) -> Any:
    """An array of ``type_`` with a decimal point read; None unless all cells are plain.

    Args:
        cells: As written.
        missing: What says in small letters that there is nothing.
        type_: Integers or floating point numbers.
    """
    import pyarrow as pa
    from pyarrow import compute

    texts = pa.array(cells, pa.string())
    nothing = compute.is_in(compute.utf8_lower(texts), value_set=pa.array(missing, pa.string()))
    texts = compute.if_else(nothing, pa.scalar(None, pa.string()), texts)
    if compute.all(compute.match_substring_regex(texts, PLAIN)).as_py() is False:
        return None
    negative = compute.match_substring_regex(texts, "^[-(]")
    bare = compute.replace_substring_regex(texts, "[-(),%]", "")
    if pa.types.is_integer(type_):
        bare = compute.replace_substring_regex(bare, r"\.0*$", "")
    numbers = compute.cast(bare, type_)
    return compute.if_else(negative, compute.negate(numbers), numbers)
