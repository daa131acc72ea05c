from __future__ import annotations

from pathlib import Path
from typing import Any

from lxml import etree
from pptx.chart.data import CategoryChartData, XyChartData
from pptx.enum.chart import XL_CHART_TYPE
from pptx.util import Cm

from research.knowledge.reading import Reading
from tests.knowledge import making, making_formats


def read(path: Path, build: Any, change: Any = None) -> Reading:
    data = making_formats.deck(build)
    if change:
        data = making_formats.repacked(data, change)
    return making.read(path, "deck.pptx", data)


def slide(deck: Any, title: str, layout: int = 5) -> Any:
    made = deck.slides.add_slide(deck.slide_layouts[layout])
    made.shapes.title.text = title
    return made


def box(shapes: Any, left: float, top: float, text: str) -> Any:
    made = shapes.add_textbox(Cm(left), Cm(top), Cm(5), Cm(1))
    made.text_frame.text = text
    return made


def places(reading: Reading) -> list[tuple[int | None, tuple[str, ...], str]]:
    return [(block.slide, block.heading, block.text) for block in reading.blocks]


def test_text_stands_under_the_title_of_its_slide_and_notes_under_their_own(
    tmp_path: Path,
) -> None:
    def build(deck: Any) -> None:
        deck.core_properties.title = "Board meeting"
        deck.core_properties.author = "Ada"
        deck.core_properties.version = "2.1"
        first = slide(deck, "Results", layout=1)
        first.placeholders[1].text = "Revenue rose.\nMargin fell."
        first.notes_slide.notes_text_frame.text = "Mention the strike."
        second = slide(deck, "结果", layout=1)
        second.placeholders[1].text = "收入增长。"
        second.notes_slide.notes_text_frame.text = "提到罢工。"
        slide(deck, "The end")

    reading = read(tmp_path, build)
    assert (reading.kind, reading.title, reading.version) == ("pptx", "Board meeting", "2.1")
    assert (reading.pages, reading.warnings) == (3, [])
    assert places(reading) == [
        (1, ("Results",), "Revenue rose.\nMargin fell."),
        (1, ("Results", "Speaker notes"), "Mention the strike."),
        (2, ("结果",), "收入增长。"),
        (2, ("结果", "演讲者备注"), "提到罢工。"),
        (3, ("The end",), "The end"),
    ]


def test_free_boxes_are_read_as_they_are_seen_and_groups_stay_together(tmp_path: Path) -> None:
    def build(deck: Any) -> None:
        made = slide(deck, "Plan")
        box(made.shapes, 2, 12, "fourth")
        box(made.shapes, 10, 5, "second")
        group = made.shapes.add_group_shape()
        box(group.shapes, 2, 9, "third, below")
        box(group.shapes, 2, 8, "third, above")
        box(made.shapes, 2, 5.1, "first")

    texts = [block.text for block in read(tmp_path, build).blocks]
    assert texts == ["first", "second", "third, above", "third, below", "fourth"]


def test_tables_and_the_data_of_charts_can_be_computed_on(tmp_path: Path) -> None:
    def build(deck: Any) -> None:
        made = slide(deck, "Figures")
        table = made.shapes.add_table(3, 2, Cm(1), Cm(4), Cm(10), Cm(3)).table
        for row, cells in enumerate((("Region", "Sales"), ("North", "12"), ("South", "9"))):
            for column, value in enumerate(cells):
                table.cell(row, column).text = value
        data = CategoryChartData()
        data.categories = ["2024", "2025"]
        data.add_series("Revenue", (1200, 1350.5))
        data.add_series("Cost", (900, 950))
        place = (Cm(1), Cm(8), Cm(10), Cm(6))
        frame = made.shapes.add_chart(XL_CHART_TYPE.COLUMN_CLUSTERED, *place, data)
        frame.chart.has_title = True
        frame.chart.chart_title.text_frame.text = "Revenue and cost"
        points = XyChartData()
        points.add_series("Tests").add_data_point(1.5, 20)
        made.shapes.add_chart(XL_CHART_TYPE.XY_SCATTER, Cm(1), Cm(15), Cm(9), Cm(4), points)

    reading = read(tmp_path, build)
    table, chart = reading.grids[:2]
    assert (table.slide, [column.name for column in table.columns]) == (1, ["Region", "Sales"])
    assert (chart.title, chart.rows, chart.slide) == ("Revenue and cost", 2, 1)
    assert [column.most for column in chart.columns][1:] == ["1350.5", "950"]
    texts = "\n".join(block.text for block in reading.blocks)
    assert "| 2025 | 1350.5 | 950 |" in texts
    assert "| 1.5 | 20 |" in texts


def test_hidden_slides_are_left_out_and_slides_with_pictures_only_are_named(
    tmp_path: Path,
) -> None:
    picture = tmp_path / "picture.png"
    making.Image.effect_noise((50, 50), 60).save(picture)

    def build(deck: Any) -> None:
        slide(deck, "Seen", layout=1).placeholders[1].text = "words"
        slide(deck, "Secret").element.set("show", "0")
        deck.slides.add_slide(deck.slide_layouts[6]).shapes.add_picture(str(picture), 0, 0)

    reading = read(tmp_path, build)
    assert [block.slide for block in reading.blocks] == [1]
    assert [(warning.key, warning.params) for warning in reading.warnings] == [
        ("readers.hidden_slides", {"slides": "2"}),
        ("readers.picture_slides", {"slides": "3"}),
    ]


UNKNOWN = """<p:graphicFrame xmlns:p="http://schemas.openxmlformats.org/presentationml/2006/main"
 xmlns:a="http://schemas.openxmlformats.org/drawingml/2006/main"><p:nvGraphicFramePr>
 <p:cNvPr id="99" name="x"/><p:cNvGraphicFramePr/><p:nvPr/></p:nvGraphicFramePr>
 <p:xfrm><a:off x="0" y="0"/><a:ext cx="1" cy="1"/></p:xfrm><a:graphic>
 <a:graphicData uri="http://example.org/never-heard-of"/></a:graphic></p:graphicFrame>"""
NEWER = """<mc:AlternateContent xmlns:mc="http://schemas.openxmlformats.org/markup-compatibility/2006"
 xmlns:a="http://schemas.openxmlformats.org/drawingml/2006/main"><mc:Choice Requires="x">
 <a:p><a:r><a:t>In a newer shape.</a:t></a:r></a:p></mc:Choice><mc:Fallback>
 <a:p><a:r><a:t>In its older form.</a:t></a:r></a:p></mc:Fallback></mc:AlternateContent>"""


def test_shapes_that_nobody_knows_cost_only_themselves(tmp_path: Path) -> None:
    def build(deck: Any) -> None:
        made = slide(deck, "Odd")
        box(made.shapes, 1, 5, "An ordinary box.")
        made.shapes.element.append(etree.fromstring(UNKNOWN))
        made.shapes.element.append(etree.fromstring(NEWER))

    texts = [block.text for block in read(tmp_path, build).blocks]
    assert texts == ["An ordinary box.", "In a newer shape."]


def test_a_slide_show_and_a_deck_with_macros_are_decks_too(tmp_path: Path) -> None:
    for kind in ("slideshow", "template"):
        reading = read(
            tmp_path,
            lambda deck: slide(deck, "Hello"),
            lambda _, data, kind=kind: data.replace(
                b"presentation.main+xml", f"{kind}.main+xml".encode()
            ),
        )
        assert [block.text for block in reading.blocks] == ["Hello"]
