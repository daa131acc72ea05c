"""Makes a Plotly figure safe to show: plain values only, nothing that is fetched from anywhere."""

from __future__ import annotations

import base64
import math
import re
from typing import Any

_MAX_DEPTH = 32
_MAX_PASSES = 10
_MAX_INTEGER = 2**63
_MAX_FLOAT = 10**300

_TYPES = ("i1", "u1", "i2", "u2", "i4", "u4", "f4", "f8")
_MAP = re.compile(r"(map|mapbox)\d*")
_REMOTE = {"images", "layers", "accesstoken", "updatemenus", "sliders"}
"""Keys whose values are loaded from elsewhere, are secrets for that, or can set such keys later."""
_JOINED = re.compile(r"[_.\[\]]+")
"""Plotly takes ``map_style``, ``map.style`` and ``images[0]`` for the keys they are made of."""

# Each pattern takes time in proportion to the text: it may be megabytes of malice. Browsers take
# \ for / in an address, and overlook line breaks and tabs in it.
_GAP = r"[\t\r\n]*"
_SCHEME = re.compile(rf"[a-z0-9+.-]{{0,20}}:{_GAP}[/\\]{_GAP}[/\\]", re.IGNORECASE | re.ASCII)
_OPENINGS = "|".join(map(_GAP.join, ("javascript:", "vbscript:", "blob:")))
_HTTP = rf"{_GAP.join('http')}{_GAP}s?{_GAP}:(?=\S)"
_ADDRESS = re.compile(
    rf"([\x00-\x20]*([/\\]{_GAP}[/\\]|{_OPENINGS}|{_HTTP}|{_GAP.join('data:')}[\w/+.;=\t\r\n-]*,))+",
    re.IGNORECASE | re.ASCII,
)
_LINK = re.compile(r"</?a(\s[^<>]*)?/?>", re.IGNORECASE)
_ATTRIBUTES = re.compile(r"<([a-z][a-z0-9]{0,20})\s[^<>]*>", re.IGNORECASE)


class TooManyError(ValueError):
    """The artefacts of a job hold more values than are kept."""


class Budget:
    """How many values the artefacts of one job may still bring into memory."""

    def __init__(self, values: int) -> None:
        self.left = values

    def take(self, values: int) -> None:
        """Use some up.

        Raises:
            TooManyError: There are not so many left.
        """
        self.left -= values
        if self.left < 0:
            raise TooManyError


def clean_figure(raw: Any, budget: Budget) -> dict[str, Any]:
    """A figure with ``data`` and ``layout`` only, from what ``fig.write_json`` wrote.

    Binary-encoded arrays become plain lists, NaN and infinities become None. Images, map tiles
    and layers go; in every text, links lose their target, addresses their scheme and tags their
    attributes. Animation frames go too, and controls: buttons and sliders can set anything later.

    Raises:
        ValueError: It is not a Plotly figure, too deep, or beyond ``budget``.
    """
    if not isinstance(raw, dict) or not isinstance(raw.get("data"), list):
        raise ValueError("no data")
    if not all(isinstance(trace, dict) for trace in raw["data"]):
        raise ValueError("a trace is not an object")
    layout = raw.get("layout") or {}
    if not isinstance(layout, dict):
        raise ValueError("layout is not an object")
    data = [_clean(trace, 0, budget) for trace in raw["data"] if trace.get("type") != "image"]
    return {"data": data, "layout": _clean(layout, 0, budget)}


def figure_title(figure: dict[str, Any]) -> str:
    """The title of a clean figure, without tags; empty where it has none."""
    title = figure["layout"].get("title")
    text = title.get("text") if isinstance(title, dict) else title
    return re.sub(r"<[^<>]*>", " ", text).strip() if isinstance(text, str) else ""


def _clean(value: Any, depth: int, budget: Budget) -> Any:
    budget.take(1)
    if depth > _MAX_DEPTH:
        raise ValueError("too deep")
    if isinstance(value, dict):
        if value.keys() >= {"bdata", "dtype"}:
            return _clean(_decode(value, budget.left), depth, budget)
        kept = {key: value[key] for key in value if not _is_remote(key, value[key])}
        tiles = {key: {**kept[key], "style": "white-bg"} for key in kept if _is_map(key, kept[key])}
        return {key: _clean(child, depth + 1, budget) for key, child in (kept | tiles).items()}
    if isinstance(value, list):
        return [_clean(child, depth + 1, budget) for child in value]
    return _scalar(value)


def _scalar(value: Any) -> Any:
    if isinstance(value, str):
        return _plain(value)
    if isinstance(value, float):
        return value if math.isfinite(value) else None
    if isinstance(value, int) and abs(value) >= _MAX_INTEGER:
        return float(value) if abs(value) < _MAX_FLOAT else None
    return value


def _is_remote(key: str, value: Any) -> bool:
    if isinstance(value, str) and (
        key == "geojson" or (key == "source" and _plain(value) != value)
    ):
        return True
    parts = _JOINED.split(key)
    joined = len(parts) > 1 and any(_MAP.fullmatch(part) for part in parts)
    return joined or not _REMOTE.isdisjoint(parts)


def _is_map(key: str, value: Any) -> bool:
    return isinstance(value, dict) and _MAP.fullmatch(key) is not None


def _decode(array: dict[str, Any], most: int) -> list[Any]:
    """A typed array ``{"dtype", "bdata", "shape"}`` as (nested) lists.

    Raises:
        ValueError: The type is unknown, bytes and shape do not fit, or it has over ``most`` values.
    """
    import numpy as np

    kind = array["dtype"]
    if kind not in _TYPES or not isinstance(array["bdata"], str):
        raise ValueError("unknown array")
    values = np.frombuffer(base64.b64decode(array["bdata"], validate=True), f"<{kind}")
    if values.size > most:
        raise TooManyError
    if "shape" in array:
        values = values.reshape([int(side) for side in str(array["shape"]).split(",")])
    decoded: list[Any] = values.tolist()
    return decoded


def _plain(text: str) -> str:
    """Text that leads nowhere. Repeated, because taking a part away can join two others."""
    for _ in range(_MAX_PASSES):
        start = _ADDRESS.match(text)
        cut = text[start.end() :] if start else text
        cut = _SCHEME.sub("", _ATTRIBUTES.sub(r"<\1>", _LINK.sub("", cut)))
        if cut == text:
            return text
        text = cut
    return ""  # nested that deep, it is not meant to be read
