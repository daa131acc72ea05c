"""What the code of a step says: texts of the catalogue, with gaps that it fills as it runs."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING, Any

from research.agents.extractive.labels import label_of
from research.i18n import text

if TYPE_CHECKING:
    from research.agents.extractive.pictures import Picture

TOTALS = [
    "total", "totals", "grand total", "subtotal", "sub-total", "sum", "all", "overall", "group",
    "group total", "all regions", "world", "gesamt", "summe", "insgesamt",
    "合计", "总计", "小计", "总和", "总数", "全部",
]  # fmt: skip
"""Names of rows that add up others, where the reader did not find them."""
PUNCTUATION = {
    "en": {
        "comma": ", ",
        "colon": ": ",
        "open": " (",
        "close": ")",
        "between": ", ",
        "semicolon": "; ",
    },
    "zh": {
        "comma": "，",
        "colon": "：",
        "open": "（",
        "close": "）",
        "between": "、",
        "semicolon": "；",
    },
}
_WORDS: Mapping[str, tuple[str, ...]] = {
    "total": (),
    "median": (),
    "mean": (),
    "highest": (),
    "average": (),
    "added": (),
    "level": (),
    "nothing": (),
    "no_cause": (),
    "negative_shares": (),
    "count_axis": (),
    "change_axis": (),
    "share_axis": (),
    "line_name": (),
    "rows_name": (),
    "n_name": (),
    "change_of": (),
    "share_of": (),
    "and_more": ("count",),
    "missing": ("count",),
    "missing_cells": ("count",),
    "too_few": ("count",),
    "totals_out": ("rows",),
    "not_shown": ("names",),
    "no_percent": ("names",),
    "left_out": ("years",),
    "count": ("count",),
    "span": ("first", "last"),
    "span_name": ("first", "last"),
    "r_line": ("x", "y", "r", "count"),
    "r_means": ("strength", "direction"),
    "box_line": ("name", "median", "low", "high", "count"),
}
"""Texts that the code prints, and their gaps, which it fills when it runs."""
_ALTS = ("lines", "bars", "groups", "histogram", "boxes", "scatter", "heatmap")
_BOX_COLUMNS = ("count_name", "lowest", "lower_quarter", "median", "upper_quarter", "highest")


def wording(picture: Picture) -> dict[str, Any]:
    """Everything the code of ``picture`` may say, by the gap of a block that it fills."""
    say = picture.language

    def said(key: str, **params: object) -> str:
        return text(f"extractive.chart.{key}", say, **params)

    change, share = said("change_name"), said("share_name")
    comma = PUNCTUATION[say]["comma"]
    found: dict[str, Any] = {
        word: said(word, **{gap: f"{{{gap}}}" for gap in gaps})
        for word, gaps in _WORDS.items()
        if word not in ("change_of", "share_of")
    }
    shown = "not_all_changed" if picture.form == "change" else "not_all"
    shown = "not_all_lowest" if picture.lowest and picture.form != "change" else shown
    scale = picture.scale
    return found | {
        **{f"alt_{one}": said(f"alt.{one}", title="{title}") for one in _ALTS},
        "change_of": f"{comma}{change}",
        "share_of": f"{comma}{share}",
        "lowest_name": said("lowest"),
        "not_all": said(shown, shown="{shown}", all="{all}"),
        "all_name": said("all_average" if picture.how == "mean" else "all_total"),
        "r_name": said("r_name"),
        "strengths": [said("weak"), said("moderate"), said("strong")],
        "directions": [said("positive"), said("negative")],
        "box_columns": [said(one) for one in _BOX_COLUMNS],
        "period_axis": said("year")
        if picture.split
        else label_of(picture.periods[0].name)
        if picture.periods
        else said("period"),
        "category_axis": label_of(picture.category.name) if picture.category else "",
        "scaled": said(
            "scaled", written=PUNCTUATION[say]["between"].join(scale.written), unit=scale.unit
        ),
        "column_out": said("column_out", columns=comma.join(picture.total_columns)),
        "no_years": said("no_years", years="–".join(map(str, dict.fromkeys(picture.years or ())))),
    }
