from __future__ import annotations

import io
from typing import Any

import numpy as np
import pypdfium2
import pytest
from pypdf import PdfReader

from research.models import Chart, Passage, Report, Source
from research.report.evidence import Evidence
from research.report.pdf import to_pdf
from tests.report.reports import NOON


def words(pdf: PdfReader) -> str:
    return "\n".join(page.extract_text() for page in pdf.pages)


def squeezed(pdf: PdfReader) -> str:
    return "".join(words(pdf).split())


def links(pdf: PdfReader) -> tuple[list[str], list[str]]:
    """Addresses outside, and names of destinations within."""
    outside, inside = [], []
    for page in pdf.pages:
        for annotation in page.get("/Annots") or []:
            action: Any = annotation.get_object()
            if "/Dest" in action:
                inside.append(str(action["/Dest"]))
            elif "/URI" in action.get("/A", {}):
                outside.append(str(action["/A"]["/URI"]))
            else:
                inside.append(str(action.get("/A", {}).get("/D")))
    return outside, inside


def resources(page: Any) -> Any:
    return page["/Resources"]


def pictures(pdf: bytes) -> list[np.ndarray[Any, Any]]:
    """Each page as rows of RGB pixels."""
    document = pypdfium2.PdfDocument(pdf)
    try:
        return [page.render(scale=1).to_numpy()[:, :, :3].astype(int) for page in document]
    finally:
        document.close()


def plain_report(markdown: str, **more: Any) -> bytes:
    evidence = Evidence(
        passages={"a": Passage(id="a", source_id="s", text="Revenue rose 5%.")},
        sources={"s": Source(id="s", kind="document", title="S", locator="s.pdf", sha256="0")},
        charts=more.pop("charts", {}),
    )
    given: dict[str, Any] = {
        "title": "A report",
        "question": "What?",
        "language": "en",
        "mode": "model",
        "complete": True,
        "created_at": NOON,
    }
    return to_pdf(Report(markdown=markdown, **given | more), evidence)


def read(pdf: bytes) -> str:
    return words(PdfReader(io.BytesIO(pdf)))


def test_the_text_is_there_from_title_to_sources(english_pdf: PdfReader) -> None:
    text = words(english_pdf)
    for expected in (
        "Meridian Foods: what drove revenue in 2025",
        "Question: How did Meridian's revenue by region change, and why?",
        "Written by a language model from the sources listed at the end.",
        "This report is partial",
        "15 of 19 cited statements",
        "between \n$5 and $10 a share",
        "Figure 1 Revenue by region, 2023 to 2025",
        "Source: revenue_by_region.csv",
        "Not in its passages: 91.0 million.",
        "Meridian Annual Report 2025.pdf, page 12",
        "Sales in Asia grew by 5.9% to $81.0 million.",
    ):
        assert expected in text


def test_the_labels_of_a_chart_can_be_searched_for(english_pdf: PdfReader) -> None:
    assert "Americas" in english_pdf.pages[1].extract_text()


def test_chinese_is_extracted_as_it_was_written(chinese_pdf: PdfReader) -> None:
    text = squeezed(chinese_pdf)
    for expected in (
        "子午食品：2025年营业收入增长的原因",
        "内容摘自原文，并非由模型撰写。",
        "结论：2025年营业收入同比增长12.4%，达到41.26亿元，为五年来最快增速。[1]",
        "图1各地区营业收入",
        "子午食品2025年年度报告.pdf，第31页",
        "2026年3月17日读取",
    ):
        assert expected in text


def test_chinese_glyphs_come_from_the_packaged_fonts(chinese_pdf: PdfReader) -> None:
    names = {
        str(font.get_object()["/BaseFont"])
        for page in chinese_pdf.pages
        for font in resources(page)["/Font"].values()
    }
    assert any("NotoSansCJKjp-Bold" in name for name in names)
    assert any("NotoSansCJKjp-Regular" in name for name in names)


def test_metadata_language_and_tags_are_set(english_pdf: PdfReader, chinese_pdf: PdfReader) -> None:
    assert english_pdf.metadata
    assert english_pdf.metadata.title == "Meridian Foods: what drove revenue in 2025"
    assert english_pdf.metadata.subject == "How did Meridian's revenue by region change, and why?"
    root: Any = english_pdf.trailer["/Root"]
    assert root["/MarkInfo"]["/Marked"]
    assert b"<pdfuaid:part>1</pdfuaid:part>" in root["/Metadata"].get_object().get_data()
    chinese_root: Any = chinese_pdf.trailer["/Root"]
    assert str(chinese_root["/Lang"]).startswith("zh")


def test_the_outline_follows_the_headings(english_pdf: PdfReader) -> None:
    def titles(entries: Any) -> list[Any]:
        return [titles(each) if isinstance(each, list) else each.title for each in entries]

    outline = titles(english_pdf.outline)
    assert outline[:3] == ["Key points", "Overview", "Detailed analysis"]
    assert outline[3] == ["The Nordwind agreement", "Costs", "Cash", "Quarterly detail"]
    assert outline[-1] == "Sources"


def test_citations_lead_to_sources_and_addresses_to_the_web(english_pdf: PdfReader) -> None:
    outside, inside = links(english_pdf)
    assert any(address.startswith("https://www.example.com/markets") for address in outside)
    assert "https://example.com/method" in outside
    assert len(inside) > 20


def test_pages_are_a4_and_a_wide_table_turns_its_page(english_pdf: PdfReader) -> None:
    sizes = [(round(p.mediabox.width), round(p.mediabox.height)) for p in english_pdf.pages]
    assert sizes[0] == (595, 842)
    turned = sizes.index((842, 595))
    text = english_pdf.pages[turned].extract_text()
    assert "Quarterly detail" in text
    assert "Clara Winter" in text


def test_charts_are_pictures_in_colour(english_bytes: bytes, chinese_bytes: bytes) -> None:
    for pdf in (english_bytes, chinese_bytes):
        colours = [(page.max(axis=2) - page.min(axis=2) > 80).sum() for page in pictures(pdf)]
        assert max(colours) > 15_000


def test_a_chart_that_cannot_be_drawn_is_a_table(english_pdf: PdfReader) -> None:
    assert "This chart cannot be drawn on paper; these are its data." in words(english_pdf)
    assert "Munich 310" in words(english_pdf)


@pytest.mark.parametrize(
    "hostile",
    [
        '#read("/etc/passwd") #let x = 1 @cite <label> $x$ \\u{41} = no heading',
        "<script>alert(1)</script> and <b>bold</b>",
        "costs $$ or $$5 and $6$",
        "`#panic()` and ``a`b``",
    ],
)
def test_text_is_never_code(hostile: str) -> None:
    text = "".join(read(plain_report(hostile)).split())
    kept = hostile.replace("$x$", "x").replace("``a`b``", "a`b").replace("`#panic()`", "#panic()")
    assert "".join(kept.split()) in text
    assert "root:" not in text


def test_long_words_can_be_broken_and_others_can_be_searched_for() -> None:
    text = read(plain_report("Meridian_Annual_Report_2025.pdf " + "a" * 60))
    assert "Meridian_Annual_Report_2025.pdf" in text
    assert "a" * 60 not in text
    assert "a" * 60 in "".join(text.split())


def test_remote_pictures_are_words() -> None:
    pdf = PdfReader(io.BytesIO(plain_report("![a logo](https://evil.example/?d=1)")))
    assert "a logo" in words(pdf)
    assert not list(pdf.pages[0].images)


@pytest.mark.parametrize(
    "long",
    ["a" * 200_000, "word " * 40_000, "营收增长。" * 40_000, "```\n" + "x" * 20_000 + "\n```"],
    ids=["run", "words", "chinese", "code"],
)
def test_very_long_paragraphs_pass(long: str) -> None:
    pdf = PdfReader(io.BytesIO(plain_report(long)))
    assert len(pdf.pages) > 4


def test_deep_nesting_passes() -> None:
    deep = "".join("> " * depth + "- level\n" for depth in range(60))
    text = read(plain_report(deep + "\n\n" + "**_" * 40 + "x" + "_**" * 40))
    assert text.count("level") == 60


def test_other_scripts_and_stray_characters_pass() -> None:
    text = read(plain_report("日本語のテスト 한국어 😀 Ελλάδα ✓ \u202e\u0000\ufeff end"))
    assert "日本語のテスト" in text
    assert "한국어" in text


def test_rows_beyond_the_cap_are_left_out_with_a_word() -> None:
    table = "| a | b |\n|---|---|\n" + "".join(f"| row{n} | {n} |\n" for n in range(2_050))
    text = read(plain_report(table))
    assert "row1999" in text
    assert "row2001" not in text
    assert "Further rows not printed here: 50." in text


def test_a_table_of_sixty_columns_is_cut_into_several() -> None:
    heads = "|" + "|".join(f"column{n}" for n in range(60)) + "|\n|" + "---|" * 60 + "\n"
    text = "".join(read(plain_report(heads + "|" + "|".join("x" * 60) + "|")).split())
    assert "column59" in text
    assert text.count("column0") == 6


def test_a_flawless_report_has_no_warnings() -> None:
    text = read(plain_report("Revenue rose 5%.[^a]"))
    assert "Before you rely on this" not in text
    assert "Statements to check" not in text
    assert "[1]" in text


def test_a_broken_chart_costs_the_picture_and_nothing_else() -> None:
    chart = Chart(
        id="c",
        step_id="1",
        title="Broken",
        alt="",
        figure={"data": [{"type": "bar", "x": 5}]},
        code="",
        columns=("a",),
        rows=((1.5,), (None,)),
    )
    text = read(plain_report("Before\n\n![x](chart:c)\n\nAfter", charts={"c": chart}))
    assert "Figure 1 Broken" in text
    assert "1.5" in text
    assert "After" in text
