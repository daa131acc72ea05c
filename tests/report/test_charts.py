from __future__ import annotations

import base64
import io
import json
import re
from typing import Any

import numpy as np
import pandas as pd
import plotly.express as px
import plotly.graph_objects as go
import pytest
from PIL import Image
from plotly.subplots import make_subplots

from research.report.charts import draw
from research.report.charts.scales import d3_format, short_number

SALES = pd.DataFrame(
    {
        "地区": ["EMEA", "APAC", "美洲"] * 3,
        "year": [2023] * 3 + [2024] * 3 + [2025] * 3,
        "v": [100, 80, 150, 120, 95, 160, 130, 99, 171.5],
    }
)
RNG = np.random.default_rng(7)


def two_axes() -> go.Figure:
    figure = make_subplots(specs=[[{"secondary_y": True}]])
    figure.add_bar(x=["2023", "2024"], y=[412, 455], name="Revenue")
    figure.add_scatter(x=["2023", "2024"], y=[0.12, 0.14], name="Margin", secondary_y=True)
    return figure.update_yaxes(tickformat=".1%", secondary_y=True)


def grid_of_four() -> go.Figure:
    figure = make_subplots(rows=2, cols=2, subplot_titles=["One", "Two", "三", "Four"])
    for index in range(4):
        figure.add_scatter(x=[1, 2], y=[1, index], row=index // 2 + 1, col=index % 2 + 1)
    return figure


DRAWN = {
    "grouped bars": lambda: px.bar(SALES, x="year", y="v", color="地区", barmode="group"),
    "stacked bars": lambda: px.bar(SALES, x="year", y="v", color="地区", text_auto=True),
    "lying bars": lambda: px.bar(SALES, x="v", y="地区", orientation="h"),
    "shares": lambda: px.bar(SALES, x="year", y="v", color="地区").update_layout(
        barmode="stack", barnorm="percent"
    ),
    "lines": lambda: px.line(SALES, x="year", y="v", color="地区", markers=True),
    "dates": lambda: px.line(x=pd.date_range("2025-01-31", periods=9, freq="ME"), y=range(9)),
    "facets": lambda: px.line(SALES, x="year", y="v", facet_col="地区"),
    "area": lambda: px.area(SALES, x="year", y="v", color="地区"),
    "points": lambda: px.scatter(SALES, x="year", y="v", color="v", size="v"),
    "logarithms": lambda: px.scatter(x=[1, 10, 1000], y=[1, 1e3, 1e6], log_x=True, log_y=True),
    "ring": lambda: px.pie(SALES, names="地区", values="v", hole=0.4),
    "histogram": lambda: px.histogram(x=RNG.normal(size=300), nbins=20),
    "averages": lambda: px.histogram(SALES, x="地区", y="v", histfunc="avg"),
    "boxes": lambda: px.box(SALES, x="地区", y="v", color="地区"),
    "heat map": lambda: px.imshow([[1, 2], [3, 4]], x=["甲", "乙"], y=["c", "d"], text_auto=True),
    "two axes": two_axes,
    "grid": grid_of_four,
}
NOT_DRAWN = {
    "map": lambda: go.Figure(go.Scattergeo(lat=[1], lon=[2])),
    "3D": lambda: go.Figure(go.Scatter3d(x=[1], y=[2], z=[3])),
    "sunburst": lambda: px.sunburst(SALES, path=["地区"], values="v"),
    "nothing": go.Figure,
    "too many categories": lambda: px.bar(x=[f"c{n}" for n in range(400)], y=range(400)),
}
MALFORMED: list[Any] = [
    {"data": [{"type": "bar", "x": 5, "y": "abc"}]},
    {"data": [{"type": "bar", "x": {"dtype": "O8", "bdata": "AAAA"}}]},
    {"data": [{"type": "scatter", "y": {"dtype": "f8", "bdata": "!"}}]},
    {"data": ["bar"], "layout": {}},
    {"data": [{"type": "pie", "labels": ["a"], "values": [-1]}]},
    {"data": [{"type": "bar", "y": [1], "x": ["a"]}], "layout": {"yaxis": {"range": ["x", None]}}},
    {"data": [{"type": "heatmap", "z": [[1, 2], [3]]}]},
    {"data": [{"type": "bar", "x": ["\ud800"], "y": [1]}]},
    {},
]


def plotly_json(figure: go.Figure) -> dict[str, Any]:
    loaded: dict[str, Any] = json.loads(figure.to_json())
    return loaded


def coloured(picture: bytes) -> int:
    """How many pixels are neither white nor grey."""
    pixels = np.asarray(Image.open(io.BytesIO(picture)).convert("RGB")).astype(int)
    return int((pixels.max(axis=2) - pixels.min(axis=2) > 60).sum())


@pytest.mark.parametrize("name", DRAWN)
def test_a_chart_is_drawn_in_colour(name: str) -> None:
    picture = draw(plotly_json(DRAWN[name]()), "png", "en")
    assert picture
    assert coloured(picture) > 300


@pytest.mark.parametrize("name", NOT_DRAWN)
def test_what_cannot_be_drawn_right_is_not_drawn(name: str) -> None:
    assert draw(plotly_json(NOT_DRAWN[name]()), "png", "en") is None


@pytest.mark.parametrize("figure", MALFORMED)
def test_a_malformed_figure_does_no_harm(figure: dict[str, Any]) -> None:
    picture = draw(figure, "svg", "en")
    assert picture is None or picture.startswith(b"<?xml")


def svg_words(figure: go.Figure, language: Any = "en", caption: str = "") -> str:
    picture = draw(plotly_json(figure), "svg", language, caption)
    assert picture
    return "\n".join(re.findall(r"<(?:text|tspan)[^>]*>([^<]+)<", picture.decode()))


def test_titles_axes_legend_and_figures_are_on_the_chart() -> None:
    figure = px.bar(
        SALES,
        x="year",
        y="v",
        color="地区",
        title="<b>Sales</b>, $5 to $10",
        labels={"v": "Sales, $m"},
        text_auto=".1f",
        barmode="group",
    )
    shown = svg_words(figure)
    for words in ("Sales, $5 to $10", "Sales, $m", "year", "美洲", "171.5", "2024"):
        assert words in shown
    assert "2023.5" not in shown
    assert "Sales, $5" not in svg_words(figure, caption="sales, $5 to $10")


def test_traces_keep_the_colours_of_the_figure() -> None:
    figure = px.bar(SALES, x="year", y="v", color="地区", color_discrete_sequence=["#123456"])
    picture = draw(plotly_json(figure), "svg", "en")
    assert picture
    assert b"#123456" in picture


def test_typed_arrays_and_lists_draw_the_same() -> None:
    typed = {"dtype": "f8", "bdata": base64.b64encode(np.array([1.0, 3.0]).tobytes()).decode()}
    pictures = [
        draw({"data": [{"type": "bar", "x": ["a", "b"], "y": y}]}, "svg", "en")
        for y in (typed, [1.0, 3.0])
    ]
    assert pictures[0] == pictures[1]


def test_categories_follow_the_order_that_is_asked_for() -> None:
    figure = px.bar(x=[5, 9, 2], y=["mid", "top", "low"], orientation="h")
    shown = svg_words(figure.update_yaxes(categoryorder="total ascending"))
    assert shown.index("low") < shown.index("mid") < shown.index("top")


def test_numbers_and_dates_are_written_in_the_language_of_the_report() -> None:
    figure = px.line(x=["2025-01-31", "2025-06-30", "2025-12-31"], y=[1e8, 2e8, 3e8])
    assert "亿" in svg_words(figure, "zh")
    assert "2025年" in svg_words(figure, "zh")
    assert "200M" in svg_words(figure, "en")


@pytest.mark.parametrize(
    ("spec", "value", "shown"),
    [
        (",.1f", 1234.56, "1,234.6"),
        (".0%", 0.256, "26%"),
        ("$,.2f", -3.5, "−$3.50"),
        (".2s", 1234567, "1.2M"),
        ("+.1f", 2, "+2.0"),
        (",", 1234567, "1,234,567"),
        ("d", 7, "7"),
        ("nonsense!", 7.25, "7.25"),
    ],
)
def test_number_formats_mean_what_they_mean_in_plotly(spec: str, value: float, shown: str) -> None:
    assert d3_format(value, spec) == shown


def test_large_numbers_are_short() -> None:
    assert short_number(1_500_000, "en") == "1.5M"
    assert short_number(1_500_000, "zh") == "150万"
    assert short_number(-2.5e9, "en") == "−2.5B"
    assert short_number(2025, "en") == "2025"
