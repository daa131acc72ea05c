from __future__ import annotations

from pathlib import Path

import pytest

from research.errors import DocumentError
from research.knowledge.readers.pdf.quality import fault
from tests.knowledge import making, making_pdf

PROSE = (
    "Revenue grew by 44.7 million US dollars in 2025. The new distribution contract with Halvorsen "
    "Teknik covers the Nordic and Baltic markets and added a good part of the sales in the region."
)
CHINESE = (
    "公司全年实现营业收入八十六亿元，同比增长百分之十二。增长主要来自储能业务，其收入超过二十亿元。"
)


@pytest.fixture
def no_engine(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """A package without models in place of the engine, so that nothing can be recognised."""
    package = tmp_path / "shadow" / "rapidocr"
    package.mkdir(parents=True)
    (package / "__init__.py").touch()
    monkeypatch.syspath_prepend(str(package.parent))


SOUND = {
    "English": PROSE,
    "Chinese": CHINESE,
    "German": "Für Übergrößen müssen Käufer künftig höhere Gebühren für Zölle zahlen, hieß es. "
    * 2,
    "French": "L’été dernier, l’électricité a été achetée à des prix élevés, naïveté mise à part.",
    "figures": "1,204.1 1,119.7 1,087.2\n(640.2) (612.0) (601.5)\n" * 4,
    "a bullet from a symbol font": f"\uf0b7 {PROSE}\n\uf0b7 {PROSE}",
    "a short mark": "12",
}
GARBLED = {
    "private use": "".join(chr(0xE000 + ord(char)) for char in PROSE),
    "replacement characters": PROSE.replace("e", "\ufffd"),
    "UTF-8 as Latin": CHINESE.encode().decode("latin-1"),
    "GBK as Latin": CHINESE.encode("gbk").decode("latin-1"),
    "numbers of glyphs": "".join(f"(cid:{ord(char)})" for char in PROSE),
    "names of glyphs": "".join(f"/g{ord(char)}" for char in PROSE),
    "glyphs taken for letters": "".join(chr(ord(c) - 29) if c.isalpha() else c for c in PROSE),
    "one character a line": "\n".join(PROSE.replace(" ", "")),
    "control characters": "".join(chr(ord(char) % 31 + 1) for char in PROSE),
}


@pytest.mark.parametrize("name", SOUND)
def test_sound_text_is_taken_as_it_is(name: str) -> None:
    assert fault(SOUND[name]) is None


@pytest.mark.parametrize("name", GARBLED)
def test_garbled_text_is_seen(name: str) -> None:
    assert fault(GARBLED[name]) == "garbled"


def test_characters_that_the_font_does_not_name_are_kept_if_they_make_words() -> None:
    assert fault(PROSE, unmapped=1.0) is None
    assert fault("Wkh txlfn eurzq ira mxpsv ryhu wkh od", unmapped=1.0) == "garbled"
    assert fault(" \n ") == "empty"


@pytest.mark.usefixtures("no_engine")
def test_pages_that_cannot_be_read_are_named_with_the_reason_and_leave_nothing(
    tmp_path: Path,
) -> None:
    text = making_pdf.paper(PROSE)
    garbled = making_pdf.without_names_of_glyphs(making_pdf.paper(PROSE + " " + CHINESE))
    blank = making_pdf.drawn("")
    data = making.joined(text, making.scan(2), blank, garbled, text, making.scan())
    reading = making.read(tmp_path, "a.pdf", data)
    assert [(notice.key, notice.params) for notice in reading.warnings] == [
        ("readers.pages_scanned_no_engine", {"pages": "2-3, 7"}),
        ("readers.pages_garbled_no_engine", {"pages": "5"}),
    ]
    assert [(block.page, block.text) for block in reading.blocks] == [(1, PROSE), (6, PROSE)]


@pytest.mark.usefixtures("no_engine")
@pytest.mark.parametrize(
    ("data", "key"),
    [
        (making.scan(2), "readers.all_pages_scanned_no_engine"),
        (
            making_pdf.without_names_of_glyphs(making_pdf.paper(PROSE)),
            "readers.all_pages_garbled_no_engine",
        ),
        (making_pdf.drawn(""), "knowledge.no_text"),
    ],
)
def test_a_file_of_which_no_page_can_be_read_says_why(
    tmp_path: Path, data: bytes, key: str
) -> None:
    with pytest.raises(DocumentError) as caught:
        making.read(tmp_path, "a.pdf", data)
    assert caught.value.key == key
    assert "a.pdf" in caught.value.sentence("zh")


def test_a_page_tree_that_goes_round_in_circles_ends(tmp_path: Path) -> None:
    data = making_pdf.assembled(
        {
            1: "<< /Type /Catalog /Pages 2 0 R >>",
            2: "<< /Type /Pages /Count 5 /Kids [3 0 R 2 0 R] >>",
            3: "<< /Type /Pages /Parent 2 0 R /Count 9 /Kids [2 0 R 3 0 R] >>",
        }
    )
    with pytest.raises(DocumentError) as caught:
        making.read(tmp_path, "a.pdf", data)
    assert caught.value.key == "readers.all_pages_broken"


@pytest.mark.parametrize(
    ("old", "new"),
    [
        (b"/Count 2", b"/Count 900000000"),
        (b"/Count 2", b"/Count -1"),
        (b"startxref", b"startxxxx"),
        (b"xref\n0 8", b"xxxx\n0 8"),
        (b"[0 0 595 842]", b"[0 0 1e7 1e7]"),
    ],
)
def test_the_pages_of_a_damaged_file_are_found(tmp_path: Path, old: bytes, new: bytes) -> None:
    page = making_pdf.text_at(50, 700, PROSE[:80])
    data = making_pdf.drawn(page, page)
    assert old in data
    reading = making.read(tmp_path, "a.pdf", data.replace(old, new))
    assert [(block.page, block.text) for block in reading.blocks] == [
        (1, PROSE[:80].strip()),
        (2, PROSE[:80].strip()),
    ]


def test_a_file_that_has_lost_its_end_is_mended(tmp_path: Path) -> None:
    pytest.importorskip("pypdf")
    page = making_pdf.text_at(50, 700, PROSE[:80])
    data = making_pdf.drawn(page, page)
    cut = data[: data.index(b"6 0 obj")]  # with the second page
    for broken, pages in ((data.replace(b"/Root 1 0 R", b"/Root 9 0 R"), [1, 2]), (cut, [1])):
        reading = making.read(tmp_path, "a.pdf", broken)
        assert [block.page for block in reading.blocks] == pages
        assert [warning.key for warning in reading.warnings] == ["readers.pdf_repaired"]


def test_pages_that_the_file_only_claims_are_named(tmp_path: Path) -> None:
    page = making_pdf.text_at(50, 700, PROSE[:80])
    data = making_pdf.drawn(page, page).replace(b"/Count 2", b"/Count 9")
    reading = making.read(tmp_path, "a.pdf", data)
    [warning] = reading.warnings
    assert (warning.key, warning.params) == ("readers.pages_broken", {"pages": "3-9"})
    assert len(reading.blocks) == 2


def test_an_endless_outline_ends(tmp_path: Path) -> None:
    page = making_pdf.text_at(50, 700, PROSE[:80])
    objects = {
        1: "<< /Type /Catalog /Pages 2 0 R /Outlines 6 0 R >>",
        2: "<< /Type /Pages /Count 1 /Kids [4 0 R] >>",
        3: "<< /Type /Font /Subtype /Type1 /BaseFont /Helvetica >>",
        4: "<< /Type /Page /Parent 2 0 R /MediaBox [0 0 595 842] "
        "/Resources << /Font << /F1 3 0 R >> >> /Contents 5 0 R >>",
        5: f"<< /Length {len(page)} >> stream\n{page}\nendstream",
        6: "<< /First 7 0 R /Last 7 0 R >>",
    }
    for number in range(7, 2000):
        objects[number] = (
            f"<< /Title (T{number}) /First {number + 1} 0 R /Next 7 0 R /Dest [4 0 R /Fit] >>"
        )
    objects[2000] = "<< /Title (end) /First 7 0 R /Next 7 0 R /Dest [4 0 R /Fit] >>"
    reading = making.read(tmp_path, "a.pdf", making_pdf.assembled(objects))
    assert reading.blocks[-1].text == PROSE[:80].strip()
