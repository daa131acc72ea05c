"""The picture of a page shows where a passage stands, and a hostile page costs only itself."""

from __future__ import annotations

import io
import json
import subprocess
import sys
from pathlib import Path

import pytest
from PIL import Image, ImageChops
from pypdf import PdfReader, PdfWriter
from pypdf.generic import DecodedStreamObject, DictionaryObject, NameObject

from research.errors import DocumentError
from research.knowledge import pictures
from research.knowledge.drawing import Ending
from research.knowledge.library import Library
from research.knowledge.pictures import NothingToShowError, page_picture
from research.models import Passage
from tests.knowledge.conftest import FIGURES
from tests.knowledge.making import encrypted, pdf

PAGE = """
#place(dy: 0pt)[The first paragraph tells of the harvest of quinces in the valley of the Loire.]
#place(dy: 150pt)[The second paragraph tells of the prices of olive oil, which rose by 31 percent
in Andalusia because the rain stayed away for seven months.]
#place(dy: 300pt)[The third paragraph tells of the fishing fleet of Vigo and its new harbour.]
"""
OIL = "The second paragraph tells of the prices of olive oil, which rose by 31 percent in Andalusia"

Box = tuple[int, int, int, int]


def opened(picture: bytes) -> Image.Image:
    return Image.open(io.BytesIO(picture)).convert("RGB")


def marked(library: Library, document_id: str, words: str, page: int = 1) -> Box | None:
    """Left, top, right and bottom of what is marked, in percent of the page."""
    passage = Passage.of(document_id, words)
    plain = opened(page_picture(library, document_id, page))
    shown = opened(page_picture(library, document_id, page, passage))
    box = ImageChops.difference(plain, shown).getbbox()
    if box is None:
        return None
    size = (*plain.size, *plain.size)
    left, top, right, bottom = (round(100 * at / of) for at, of in zip(box, size, strict=True))
    return left, top, right, bottom


@pytest.fixture
def document(library: Library) -> str:
    return library.add("page.pdf", pdf(PAGE)).id


def test_the_words_of_a_passage_are_marked_and_nothing_else(
    library: Library, document: str
) -> None:
    box = marked(library, document, OIL)
    assert box is not None
    left, top, right, bottom = box
    # The paragraph stands 150 pt below the margin of a page of 420 pt.
    assert 40 < top < bottom < 60
    assert left < 20 and right > 70


def test_a_passage_of_the_sample_report_is_marked_on_its_page(samples: Library) -> None:
    hits = samples.search(["Why did revenue in Greater China fall?"])
    passage = next(hit.passage for hit in hits if hit.passage.place.page)
    assert marked(samples, passage.source_id, passage.text, passage.place.page or 0)


def test_chinese_words_are_marked(library: Library) -> None:
    report = pdf("#v(200pt)\n华东地区收入增长百分之十八，原因是苏州新工厂在三月投产。")
    document = library.add("中文.pdf", report)
    box = marked(library, document.id, "收入增长百分之十八，原因是苏州新工厂")
    assert box is not None and box[1] > 45


def test_marks_turn_with_the_page(library: Library) -> None:
    writer = PdfWriter(clone_from=io.BytesIO(pdf(PAGE)))
    writer.pages[0].rotate(90)
    file = io.BytesIO()
    writer.write(file)
    box = marked(library, library.add("turned.pdf", file.getvalue()).id, OIL)
    assert box is not None
    left, top, right, bottom = box
    assert 40 < left < right < 60
    assert top < 20 and bottom > 70


def test_where_the_words_are_not_found_the_page_is_shown_unmarked(
    library: Library, document: str
) -> None:
    assert marked(library, document, "Nothing of the kind is written here at all.") is None


@pytest.mark.parametrize(("asked", "given"), [(640, 640), (1, 100), (1_000_000, 2_400)])
def test_the_width_is_as_asked_within_bounds(
    library: Library, document: str, asked: int, given: int
) -> None:
    assert abs(opened(page_picture(library, document, 1, width=asked)).width - given) <= 1


def test_an_endlessly_long_page_is_made_narrow(library: Library) -> None:
    long = pdf("#set page(width: 20pt, height: 14000pt, margin: 0pt)\n#set text(size: 6pt)\nWords")
    picture = opened(page_picture(library, library.add("long.pdf", long).id, 1, width=2_400))
    assert picture.width * picture.height < 10_100_000


def test_a_locked_file_is_named_in_a_sentence_and_its_password_is_kept_nowhere(
    library: Library,
) -> None:
    document = library.add("locked.pdf", encrypted(pdf(PAGE), "sesame"), password="sesame")
    with pytest.raises(NothingToShowError) as refused:
        page_picture(library, document.id, 1)
    assert "password" in refused.value.sentence("en")


def test_what_is_not_there_cannot_be_shown(library: Library, document: str) -> None:
    table = library.add(FIGURES.name, FIGURES.read_bytes())
    for document_id, page in [(document, 0), (document, 2), (table.id, 1), ("unknown", 1)]:
        with pytest.raises(NothingToShowError):
            page_picture(library, document_id, page)


def test_the_pages_of_a_version_that_was_replaced_are_still_shown(
    library: Library, document: str
) -> None:
    library.add("page.pdf", pdf("A newer version without any of it."))
    assert library.document(document) is None
    assert marked(library, document, OIL)


def test_a_page_that_was_drawn_is_not_drawn_again(library: Library, document: str) -> None:
    first = page_picture(library, document, 1)
    library.original(document).write_bytes(b"gone")
    assert page_picture(library, document, 1) == first
    with pytest.raises(DocumentError) as refused:
        page_picture(library, document, 1, width=500)
    assert not isinstance(refused.value, NothingToShowError)


def test_the_cache_keeps_what_was_looked_at_last(
    library: Library, document: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    sizes = [len(page_picture(library, document, 1, width=width)) for width in (300, 310, 320)]
    monkeypatch.setattr(pictures, "CACHE_BYTES", sum(sizes))
    page_picture(library, document, 1, width=300)
    page_picture(library, document, 1, width=330)
    kept = list((library.home / "cache" / "pages").glob("*/*.png"))
    assert 0 < sum(path.stat().st_size for path in kept) <= sum(sizes)
    library.original(document).unlink()
    page_picture(library, document, 1, width=300)
    with pytest.raises(DocumentError):
        page_picture(library, document, 1, width=310)


def nested_forms(page: bytes) -> bytes:
    """A page that draws a form eleven times, which draws another eleven times, and so on."""
    writer = PdfWriter(clone_from=PdfReader(io.BytesIO(page)))
    inner = None
    for _ in range(9):
        form = DecodedStreamObject()
        form.set_data(b"0 0 1 1 re f " if inner is None else b"/F Do " * 11)
        form[NameObject("/Type")] = NameObject("/XObject")
        form[NameObject("/Subtype")] = NameObject("/Form")
        form[NameObject("/BBox")] = writer.pages[0].mediabox
        if inner is not None:
            forms = DictionaryObject({NameObject("/F"): inner})
            form[NameObject("/Resources")] = DictionaryObject({NameObject("/XObject"): forms})
        inner = writer._add_object(form)
    first = writer.pages[0]
    first["/Resources"][NameObject("/XObject")] = DictionaryObject({NameObject("/F"): inner})
    contents = DecodedStreamObject()
    contents.set_data(first.get_contents().get_data() + b"\n/F Do")
    first[NameObject("/Contents")] = writer._add_object(contents)
    file = io.BytesIO()
    writer.write(file)
    return file.getvalue()


def test_a_page_that_never_ends_is_given_up(
    library: Library, document: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    library.original(document).write_bytes(nested_forms(pdf(PAGE)))
    monkeypatch.setattr(pictures, "WALL_SECONDS", 2.0)
    with pytest.raises(DocumentError) as refused:
        page_picture(library, document, 1)
    assert "too long to draw" in refused.value.sentence("en")


@pytest.mark.parametrize("page", [1, 2, 3])
def test_a_document_that_is_a_picture_is_shown_itself(tmp_path: Path, page: int) -> None:
    path = tmp_path / "fax"
    first, second = Image.new("RGB", (800, 400), "white"), Image.new("RGB", (400, 800), "black")
    first.save(path, "TIFF", save_all=True, append_images=[second])
    order = {"path": str(path), "kind": "image", "page": page, "width": 200, "text": ""}
    drawn = subprocess.run(
        [sys.executable, "-m", "research.knowledge.drawing"],
        input=json.dumps(order).encode(),
        capture_output=True,
        check=False,
    )
    if page == 3:
        assert drawn.returncode == Ending.NO_PAGE
        return
    shown = opened(drawn.stdout)
    assert shown.size == {1: (200, 100), 2: (200, 400)}[page]
    assert shown.getpixel((5, 5)) == {1: (255, 255, 255), 2: (0, 0, 0)}[page]
