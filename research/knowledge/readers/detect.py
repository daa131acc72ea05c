"""Which format a file has: by what is in it first, by its name second."""

from __future__ import annotations

import csv
import re
import zipfile
from pathlib import Path, PurePath

from research.knowledge.readers import UnreadableError
from research.knowledge.readers.encoding import decode, looks_binary
from research.knowledge.readers.locked import OLE

HEAD = 65_536
BY_NAME = {
    ".csv": "csv",
    ".tsv": "tsv",
    ".tab": "tsv",
    ".md": "markdown",
    ".markdown": "markdown",
    ".json": "json",
    ".geojson": "json",
    ".jsonl": "jsonl",
    ".ndjson": "jsonl",
}
"""Text formats that only the name tells apart."""

NOT_TEXT = {
    ".pdf", ".docx", ".docm", ".doc", ".xlsx", ".xlsm", ".xls", ".pptx", ".pptm", ".ppt", ".epub",
    ".png", ".jpg", ".jpeg", ".tif", ".tiff", ".webp", ".bmp", ".gif",
}  # fmt: skip
"""Names that promise something else than text."""

PICTURES = re.compile(
    rb"\x89PNG\r\n\x1a\n|\xff\xd8\xff|II\*\x00|MM\x00\*|RIFF....WEBP|GIF8[79]a|BM.{4}\x00\x00\x00\x00",
    re.DOTALL,
)
ARCHIVES = re.compile(
    rb"7z\xbc\xaf\x27\x1c|Rar!\x1a\x07|\x1f\x8b\x08|BZh\d|\xfd7zXZ\x00|.{257}ustar", re.DOTALL
)
MAIN_PART = re.compile(
    rb"(?:(?P<docx>wordprocessingml|ms-word)|(?P<xlsx>spreadsheetml|ms-excel)"
    rb"|(?P<pptx>presentationml|ms-powerpoint))\.[\w.]+\.main\+xml"
)
"""What the list of an Office file's parts calls the one with the document itself."""
SAVE_AS = (
    ("xl/workbook.bin", "readers.save_as_xlsx"),
    ("Index/Document.iwa", "readers.save_as_office"),
    ("Index.zip", "readers.save_as_office"),
    ("content.xml", "readers.save_as_office"),
)
"""What an archive holds that is a document in a format that is not read."""
OLD = (
    ("EncryptedPackage", "readers.unknown_lock"),
    ("WordDocument", "readers.save_as_docx"),
    ("PowerPoint Document", "readers.save_as_pptx"),
    ("__properties_version1.0", "readers.save_as_eml"),
)
"""Streams of the old Office and Outlook formats."""

HTML = re.compile(
    r"(?:<\?xml[^>]*>\s*)?(?:<!--.*?-->\s*)*<(?:!doctype\s+html|html|head|body|title|meta|table)\b",
    re.IGNORECASE | re.DOTALL,
)
HTML_PART = re.compile(r"<(?:div|p|h[1-6]|ul|ol|section|article|main|span)\b[^>]*>", re.IGNORECASE)
OFFICE_XML = re.compile(r"urn:schemas-microsoft-com:office:spreadsheet|<\?mso-application")
MAIL_FIELD = re.compile(
    r"^(?:from|to|subject|date|received|message-id|mime-version|return-path|delivered-to"
    r"|content-type|x-[\w-]+):",
    re.IGNORECASE | re.MULTILINE,
)
FIELD = re.compile(r"(?:From .*\n)?[A-Za-z][\w-]*:")
JSON = re.compile(r'\{\s*"(?:[^"\\\n]|\\.)*"\s*:|\[\s*\{\s*(?:"|\})')
RECORD = re.compile(r"\s*[{\[].*[}\]]\s*")


def kind_of(path: Path, name: str) -> str:
    """The kind of document at ``path``, a key of :data:`READERS`.

    Raises:
        UnreadableError: It is empty, of no known format, or not what its name says.
    """
    with path.open("rb") as file:
        head = file.read(HEAD)
    suffix = PurePath(name).suffix.lower()
    if not head.strip(b"\x00\t\r\n \xef\xbb\xbf\xff\xfe"):
        raise UnreadableError("knowledge.empty_file")
    if b"%PDF-" in head[:1024]:
        return "pdf"
    if head.startswith((b"PK\x03\x04", b"PK\x05\x06")):
        return _archive_kind(path)
    if head.startswith(OLE):
        return _old_kind(path)
    if PICTURES.match(head):
        return "image"
    if ARCHIVES.match(head):
        raise UnreadableError("readers.archive")
    if looks_binary(head):
        if suffix in NOT_TEXT:
            raise UnreadableError("knowledge.not_what_it_says", suffix=suffix)
        raise UnreadableError("knowledge.unknown_format")
    return _text_kind(decode(head).lstrip("\ufeff \t\n\x00"), suffix, whole=len(head) < HEAD)


def _archive_kind(path: Path) -> str:
    try:
        with zipfile.ZipFile(path) as archive:
            names = set(archive.namelist())
            types = _beginning(archive, "[Content_Types].xml") if names else b""
            mimetype = _beginning(archive, "mimetype") if names else b""
    except (zipfile.BadZipFile, OSError, ValueError, RuntimeError, NotImplementedError) as error:
        raise UnreadableError("knowledge.damaged") from error
    if (part := MAIN_PART.search(types)) and part.lastgroup:
        return part.lastgroup
    if "META-INF/container.xml" in names or mimetype.startswith(b"application/epub"):
        return "epub"
    for entry, sentence in SAVE_AS:
        if entry in names:
            raise UnreadableError(sentence)
    raise UnreadableError("knowledge.damaged" if types else "readers.archive")


def _beginning(archive: zipfile.ZipFile, entry: str) -> bytes:
    try:
        with archive.open(entry) as file:
            return file.read(1_000_000)
    except KeyError:
        return b""


def _old_kind(path: Path) -> str:
    import olefile

    try:
        with olefile.OleFileIO(str(path)) as file:
            if file.exists("Workbook") or file.exists("Book"):
                return "xls"
            for stream, sentence in OLD:
                if file.exists(stream):
                    raise UnreadableError(sentence)
    except (OSError, ValueError, IndexError, TypeError) as error:
        raise UnreadableError("knowledge.damaged") from error
    raise UnreadableError("knowledge.unknown_format")


def _text_kind(text: str, suffix: str, whole: bool) -> str:
    if text.startswith("{\\rtf"):
        raise UnreadableError("readers.save_as_docx")
    if HTML.match(text) or (suffix != ".md" and HTML_PART.match(text)):
        return "html"
    if text.startswith("<?xml") or text.startswith("<svg"):
        excel = OFFICE_XML.search(text[:4000])
        raise UnreadableError("readers.save_as_office" if excel else "knowledge.unknown_format")
    if _is_mail(text):
        return "html" if "multipart/related" in text[:4000] and "Snapshot-" in text else "eml"
    if kind := _json_kind(text, suffix):
        return kind
    return BY_NAME.get(suffix) or _table_kind(text, whole) or "text"


def _is_mail(text: str) -> bool:
    head = text.split("\n\n", 1)[0]
    return bool(FIELD.match(head)) and len({*map(str.lower, MAIL_FIELD.findall(head))}) >= 3


def _json_kind(text: str, suffix: str) -> str | None:
    """JSON by its first characters; lines of it by the first two."""
    if suffix in (".csv", ".tsv", ".md", ".markdown") or not JSON.match(text):
        return None
    first, _, rest = text.partition("\n")
    second = rest.partition("\n")[0]
    if RECORD.fullmatch(first) and (RECORD.fullmatch(second) or suffix in (".jsonl", ".ndjson")):
        return "jsonl"
    return "json"


def _table_kind(text: str, whole: bool) -> str | None:
    """Whether the lines of a text are rows of a table, whatever its name."""
    lines = [line for line in text.split("\n")[: None if whole else -1] if line.strip()][:50]
    for delimiter in "\t;|,":
        try:
            rows = list(csv.reader(lines, delimiter=delimiter))
        except csv.Error:
            continue
        widths = {len(row) for row in rows}
        cells = [cell for row in rows for cell in row]
        if len(rows) < 3 or len(widths) > 1 or max(widths) < 2:
            continue
        # Verses and sentences have their commas, too: but a space after them, and long parts.
        spaced = sum(cell.startswith(" ") for cell in cells) > len(cells) / 3
        if all(len(cell) <= 200 for cell in cells) and not (delimiter == "," and spaced):
            return "tsv" if delimiter == "\t" else "csv"
    return None
