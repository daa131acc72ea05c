"""A figure that is shown leads nowhere and can be read without Plotly."""

from __future__ import annotations

import base64
import json
import time
from typing import Any

import numpy as np
import pytest

from research.sandbox.figure import Budget, figure_title
from research.sandbox.figure import clean_figure as clean_within

EVIL = "https://evil.example/?d=secret"


def clean_figure(raw: Any) -> dict[str, Any]:
    return clean_within(raw, Budget(1_000))


def clean(data: list[Any] | None = None, **layout: Any) -> dict[str, Any]:
    return clean_figure({"data": data or [], "layout": layout})


def test_images_map_styles_and_layers_go() -> None:
    figure = clean(
        [{"type": "bar", "y": [1]}, {"type": "image", "source": EVIL}],
        images=[{"source": EVIL}],
        mapbox={"style": EVIL, "accesstoken": "pk.1", "layers": [{"source": EVIL}], "zoom": 3},
        map2={"style": {"sources": {"x": EVIL}}},
        template={"layout": {"images": [{"source": EVIL}], "mapbox": {"style": "dark"}}},
    )
    assert figure["data"] == [{"type": "bar", "y": [1]}]
    assert figure["layout"] == {
        "mapbox": {"style": "white-bg", "zoom": 3},
        "map2": {"style": "white-bg"},
        "template": {"layout": {"mapbox": {"style": "white-bg"}}},
    }


@pytest.mark.parametrize(
    ("text", "shown"),
    [
        (f"see <a href='{EVIL}' target=x>this</a>", "see this"),
        ("<<a>a href='//evil.example'>x</a>", "x"),
        (EVIL, "evil.example/?d=secret"),
        ("hthttp://tp://evil.example", "evil.example"),
        ("//evil.example/x.png", "evil.example/x.png"),
        ("javascript:alert(1)", "alert(1)"),
        ("data:image/svg+xml;base64,AAAA", "AAAA"),
        ('<span style="fill:url(&#47;&#47;evil.example)">x</span>', "<span>x</span>"),
        ("Data: World Bank, 2024", "Data: World Bank, 2024"),
        ("<b>%{x}</b><br>%{y:.1f} < 3 & > 2<extra></extra>", None),
        ("R&D, a < b and c > d, 收入（亿元）", None),
    ],
)
def test_text_keeps_its_words_and_loses_its_addresses(text: str, shown: str | None) -> None:
    figure = clean([{"text": [text]}], title={"text": text})
    assert figure["data"][0]["text"] == [shown or text]
    assert figure["layout"]["title"]["text"] == (shown or text)


@pytest.mark.parametrize(
    "text",
    ["a" * 10**6, "<" * 10**6, "<a " * 10**5, "data:," * 10**5, ":" * 10**5 + "//" * 10**5],
    ids=lambda text: text[:6],
)
def test_megabytes_of_malice_take_no_time(text: str) -> None:
    began = time.process_time()
    clean([{"text": text}])
    assert time.process_time() - began < 2


def test_a_geojson_address_goes_and_geojson_itself_stays() -> None:
    figure = clean([{"geojson": EVIL}, {"geojson": {"type": "FeatureCollection"}}])
    assert figure["data"] == [{}, {"geojson": {"type": "FeatureCollection"}}]


@pytest.mark.parametrize("kind", ["i1", "u1", "i2", "u2", "i4", "u4", "f4", "f8"])
def test_typed_arrays_become_lists(kind: str) -> None:
    values = np.array([0, 1, 100], dtype=f"<{kind}")
    encoded = {"dtype": kind, "bdata": base64.b64encode(values.tobytes()).decode()}
    assert clean([{"x": encoded}])["data"] == [{"x": [0, 1, 100]}]


def test_typed_arrays_keep_their_shape_and_lose_what_json_cannot_say() -> None:
    values = np.array([[1.5, np.nan], [np.inf, -2.0]])
    encoded = {
        "dtype": "f8",
        "bdata": base64.b64encode(values.tobytes()).decode(),
        "shape": "2, 2",
    }
    assert clean([{"z": encoded}])["data"] == [{"z": [[1.5, None], [None, -2.0]]}]


def test_what_plotly_writes_is_read_back_as_plain_values() -> None:
    import pandas as pd
    import plotly.express as px

    frame = pd.DataFrame({"x": pd.date_range("2024-01-01", periods=3), "y": [1.0, np.nan, 3.0]})
    figure = clean_figure(json.loads(px.line(frame, x="x", y="y", title="T").to_json()))
    assert figure["data"][0]["y"] == [1.0, None, 3.0]
    assert figure["data"][0]["x"][0].startswith("2024-01-01")
    assert figure_title(figure) == "T"
    assert "://" not in json.dumps(figure)
    assert "bdata" not in json.dumps(figure)


def test_numbers_that_json_cannot_say_become_none_or_floats() -> None:
    figure = clean([{"y": [float("nan"), float("-inf"), 10**30, 10**400, True, 7]}])
    assert figure["data"] == [{"y": [None, None, 1e30, None, True, 7]}]


def test_frames_go_with_the_controls_that_play_them() -> None:
    raw = {"data": [], "layout": {"sliders": [{}], "updatemenus": [{}], "width": 3}, "frames": [{}]}
    assert clean_figure(raw) == {"data": [], "layout": {"width": 3}}


def nested(depth: int) -> Any:
    value: Any = 1
    for _ in range(depth):
        value = [value]
    return value


@pytest.mark.parametrize(
    "raw",
    [
        [],
        {},
        {"data": {}},
        {"data": [1], "layout": {}},
        {"data": [], "layout": [1]},
        {"data": [{"x": nested(40)}]},
        {"data": [{"x": [0] * 1_001}]},
        {"data": [{"x": {"dtype": "u1", "bdata": "A" * 4_000}}]},
        {"data": [{"x": {"dtype": "O", "bdata": ""}}]},
        {"data": [{"x": {"dtype": "f8", "bdata": "AAAA"}}]},
        {"data": [{"x": {"dtype": "f8", "bdata": "no base64!"}}]},
        {"data": [{"x": {"dtype": "u1", "bdata": "AAAA", "shape": "2,2"}}]},
        {"data": [{"x": {"dtype": ["f8"], "bdata": "AAAA"}}]},
    ],
    ids=lambda raw: json.dumps(raw)[:40],
)
def test_what_is_no_figure_is_refused(raw: Any) -> None:
    with pytest.raises(ValueError):
        clean_figure(raw)


def test_a_figure_without_title_has_an_empty_one() -> None:
    assert figure_title(clean()) == ""
    assert figure_title(clean(title="<b>Old</b> style")) == "Old  style"
    assert figure_title(clean(title={"text": 3})) == ""
