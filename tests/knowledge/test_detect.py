from __future__ import annotations

import io
from pathlib import Path
from typing import Any

import olefile
import pytest
from PIL import Image

from research.errors import DocumentError, PasswordError
from research.knowledge.readers import UnreadableError
from research.knowledge.readers.detect import kind_of
from research.knowledge.readers.encoding import encoding_of, open_text
from tests.knowledge import making, making_formats
from tests.knowledge.conftest import REPORT


def kind(path: Path, name: str, data: bytes | str) -> str:
    """The kind, or the key of the sentence that refuses the file."""
    file = path / "file"
    file.write_bytes(data.encode() if isinstance(data, str) else data)
    try:
        return kind_of(file, name)
    except UnreadableError as error:
        return error.key


def picture(form: str) -> bytes:
    file = io.BytesIO()
    Image.new("RGB", (8, 8)).save(file, form)
    return file.getvalue()


def titled(deck: Any, title: str) -> None:
    deck.slides.add_slide(deck.slide_layouts[5]).shapes.title.text = title


DOCX = making.word(lambda document: document.add_paragraph("x"))


def test_the_content_says_what_a_file_is_whatever_it_is_called(tmp_path: Path) -> None:
    workbook = making.workbook({"a": [["b"]]})
    files = {
        "letter.docx": (REPORT.read_bytes(), "pdf"),
        "a.pdf": (DOCX, "docx"),
        "b.zip": (workbook, "xlsx"),
        "c.docx": (making_formats.deck(lambda deck: None), "pptx"),
        "d.xlsx": (making_formats.old_workbook([["a", "b"]]), "xls"),
        "export.xls": ("<table><tr><td>a</td></tr></table>", "html"),
        "e.txt": ("\ufeff<!-- saved --><!DOCTYPE html><p>x", "html"),
        "f.docx": ("Just words.", "text"),
        "g.txt": (making_formats.mail("x"), "eml"),
        "h.txt": ('{"a": [1, 2]}', "json"),
        "i.log": ('{"a": 1}\n{"a": 2}\n', "jsonl"),
        "k.zip": (making_formats.book({"a.xhtml": "x"}), "epub"),
        "l.txt": ("city;people;area\nBern;134;51\nUlm;129;118\n", "csv"),
        "m.dat": ("city\tpeople\nBern\t134\nUlm\t129\n", "tsv"),
        "n.dat": ("地区,收入\n华东,31\n华南,20\n".encode("gb18030"), "csv"),
        "o.txt": ("Roses are red, and\nviolets blue, and\nsugar is sweet, too\n", "text"),
        "p.md": ("<h1 align=center>Notes</h1>\n\n# More", "markdown"),
        "q.txt": ("From: here\n\nTo be or not to be", "text"),
        "r.txt": ("[1] A reference.\n[2] Another.", "text"),
        "s.csv": ("a,b\n1,2\n", "csv"),
    }  # fmt: skip
    found = {name: kind(tmp_path, name, data) for name, (data, _) in files.items()}
    assert found == {name: expected for name, (_, expected) in files.items()}


@pytest.mark.parametrize("form", ["PNG", "JPEG", "TIFF", "WEBP", "BMP", "GIF"])
def test_pictures_are_known_by_their_first_bytes(tmp_path: Path, form: str) -> None:
    assert kind(tmp_path, "scan.pdf", picture(form)) == "image"


def test_what_cannot_be_read_is_refused_in_words_of_its_own(tmp_path: Path) -> None:
    junk = bytes(range(256)) * 50
    zipped = making_formats.archive({"a.docx": DOCX})
    open_document = making_formats.archive(
        {"mimetype": "application/vnd.oasis.x", "content.xml": ""}
    )
    files = {
        "a.pdf": (junk, "knowledge.not_what_it_says"),
        "a.bin": (junk, "knowledge.unknown_format"),
        "a.zip": (zipped, "readers.archive"),
        "a.gz": (b"\x1f\x8b\x08" + junk, "readers.archive"),
        "a.odt": (open_document, "readers.save_as_office"),
        "a.xlsb": (making_formats.archive({"xl/workbook.bin": "x"}), "readers.save_as_xlsx"),
        "a.rtf": ("{\\rtf1 words}", "readers.save_as_docx"),
        "a.xml": ("<?xml version='1.0'?><data/>", "knowledge.unknown_format"),
        "a.doc": (b"\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1" + bytes(4096), "knowledge.damaged"),
        "cut.docx": (DOCX[:5000], "knowledge.damaged"),
        "empty.docx": (b"", "knowledge.empty_file"),
        "mark.txt": ("\ufeff\n", "knowledge.empty_file"),
    }  # fmt: skip
    found = {name: kind(tmp_path, name, data) for name, (data, _) in files.items()}
    assert found == {name: expected for name, (_, expected) in files.items()}


def test_old_word_powerpoint_and_outlook_files_are_told_apart(tmp_path: Path) -> None:
    workbook = making_formats.old_workbook([["a"]])
    for stream, key in (
        ("WordDocument", "readers.save_as_docx"),
        ("EncryptedPackage", "readers.unknown_lock"),
    ):
        # The name of the one stream in the directory of the file, in UTF-16 with its length.
        old = "Workbook".encode("utf-16-le").ljust(64, b"\0") + (18).to_bytes(2, "little")
        new = stream.encode("utf-16-le").ljust(64, b"\0")
        new += (2 * len(stream) + 2).to_bytes(2, "little")
        data = workbook.replace(old, new)
        assert olefile.OleFileIO(io.BytesIO(data)).listdir() == [[stream]]
        assert kind(tmp_path, "old.xls", data) == key


@pytest.mark.parametrize(
    "data",
    [
        DOCX,
        making.workbook({"Data": [["city", "people"], ["Bern", 1]]}),
        making_formats.deck(lambda deck: titled(deck, "A deck")),
    ],
    ids=["docx", "xlsx", "pptx"],
)
def test_a_locked_office_file_is_read_with_its_password_only(tmp_path: Path, data: bytes) -> None:
    plain = making.read(tmp_path, "plain", data) if data != DOCX else None
    locked = making_formats.locked(data, "geheim 密码")
    for password, key in (("", "knowledge.encrypted"), ("x", "knowledge.wrong_password")):
        with pytest.raises(PasswordError) as caught:
            making.read(tmp_path, "locked.docx", locked, password=password)
        assert caught.value.key == key
    reading = making.read(tmp_path, "locked.docx", locked, password="geheim 密码")
    assert reading.blocks == (plain.blocks if plain else reading.blocks) != []


def test_a_workbook_that_is_only_marked_as_final_is_opened_without_a_word(tmp_path: Path) -> None:
    data = making.workbook({"Data": [["city", "people"], ["Bern", 1]]})
    reading = making.read(tmp_path, "a.xlsx", making_formats.locked(data, "VelvetSweatshop"))
    assert len(reading.grids) == 1


CHINESE = "公司全年实现营业收入八十六亿元，同比增长百分之十二。增长主要来自储能业务。"
FRENCH = "Le résumé de l'année a été très négatif à cause de la grêle, déjà prévue. "


@pytest.mark.parametrize(
    ("text", "encoding"),
    [
        (CHINESE, "gb18030"),
        ("水庫的水位在三月下降，四月的降雨使水位回升。", "big5"),
        ("当社の売上高は前年比12％増の860億円となりました。", "shift-jis"),
        ("当社の売上高は前年比12％増の860億円となりました。", "euc-jp"),
        (CHINESE, "utf-16"),
        (CHINESE, "utf-16-le"),
        (CHINESE, "utf-16-be"),
        (FRENCH, "latin-1"),
        ("Price – 5 € “quoted”", "cp1252"),
        ("Привет, мир, это отчёт", "cp1251"),
        (CHINESE, "utf-8"),
    ],
)
def test_a_file_is_streamed_in_the_encoding_it_has(
    tmp_path: Path, text: str, encoding: str
) -> None:
    plain = "a,b\r\n" * 300_000 if not encoding.startswith("utf-16") else ""
    for written in (text, plain + text):
        (tmp_path / "file").write_bytes(written.encode(encoding))
        with open_text(tmp_path / "file") as file:
            assert file.read().removeprefix("\ufeff") == written


def test_a_few_bad_bytes_do_not_make_utf_8_something_else() -> None:
    assert encoding_of((CHINESE * 20).encode() + b"\xff\xfe" + FRENCH.encode()) == "utf-8"
    assert encoding_of(b"a,b\n" * 50 + "Zürich,1\n".encode("latin-1")) == "Windows-1252"


@pytest.mark.parametrize(
    "noise",
    [
        "".join(bytes([byte]).decode("cp1252", "ignore") or chr(byte) for byte in CHINESE.encode()),
        CHINESE.encode().decode("gb18030", "replace"),
        CHINESE.encode("gb18030").decode("latin-1"),
        "锟斤拷锟斤拷锟斤拷 " * 9,
    ],
    ids=["UTF-8 read as Latin-1", "UTF-8 read as GBK", "GBK read as Latin-1", "lost"],
)
def test_text_that_is_noise_is_refused_and_told_of_where_it_is_rare(
    tmp_path: Path, noise: str
) -> None:
    for name in ("a.txt", "a.md"):
        with pytest.raises(DocumentError) as caught:
            making.read(tmp_path, name, noise.encode())
        assert caught.value.key == "readers.all_noise"
    sound = (FRENCH + CHINESE + "\n\n") * 8
    reading = making.read(tmp_path, "a.txt", (sound + noise).encode())
    assert [warning.key for warning in reading.warnings] == ["readers.some_noise"]


@pytest.mark.parametrize(
    "text",
    [
        FRENCH, CHINESE, "«à» é—è “x”… 12°–15°", "Tiếng Việt rất đẹp", "Привет, мир",
        "매출은 증가했다", "当社の売上高は前年比12％増",
        "Zażółć gęślą jaźń ÄÖÜ ß", "Ærøskøbing på Ærø",
    ],
)  # fmt: skip
def test_sound_text_of_any_language_is_no_noise(tmp_path: Path, text: str) -> None:
    assert making.read(tmp_path, "a.txt", (text * 10).encode()).warnings == []


def test_french_with_each_accent_broken_is_read_with_a_warning(tmp_path: Path) -> None:
    reading = making.read(tmp_path, "a.txt", FRENCH.encode().decode("latin-1").encode())
    [warning] = reading.warnings
    assert (warning.key, warning.params["example"][:2]) == ("readers.some_noise", "Ã©")


def test_the_plain_copy_of_a_locked_file_is_gone_afterwards(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    temporary = tmp_path / "temporary"
    temporary.mkdir()
    monkeypatch.setenv("TMPDIR", str(temporary))
    made = making.read(tmp_path, "a.docx", making_formats.locked(DOCX), password="secret")
    assert made.blocks[0].text == "x"
    assert list(temporary.rglob("*")) == []
