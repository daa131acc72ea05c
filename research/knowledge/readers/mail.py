"""Mails: who wrote to whom and when, the message, what it quotes, and what is attached."""

from __future__ import annotations

import email
import email.policy
import re
import tempfile
from collections.abc import Iterator
from contextlib import suppress
from email.message import EmailMessage
from email.utils import parsedate_to_datetime
from importlib import import_module
from pathlib import Path

from research.i18n import language_of, text
from research.knowledge.readers import (
    READERS,
    Block,
    LimitReachedError,
    Output,
    PasswordNeededError,
    UnreadableError,
)
from research.knowledge.readers.cleaning import clean
from research.knowledge.readers.detect import kind_of
from research.knowledge.readers.encoding import decode
from research.knowledge.readers.html import text_of
from research.knowledge.readers.markup import send_markup
from research.knowledge.readers.noise import check_noise
from research.knowledge.readers.plain import send_paragraphs
from research.knowledge.readers.within import Within

FIELDS = ("From", "To", "Cc", "Date", "Subject")
MOST_ATTACHMENTS = 50
MOST_BYTES = 100 * 1024 * 1024
"""Of all attachments together."""
MOST_NAMED = 5
QUOTE = re.compile(
    r"^(?:On .{5,200}wrote:|.{0,120}(?:写道|寫道)[:：]|Am .{5,200}schrieb .{0,100}:"
    r"|Le .{5,200}a écrit\s?:"
    r"|-{2,} ?(?:Original Message|Forwarded message|Urspr.{1,40}|原始邮件|转发邮件|原始郵件) ?-{2,}"
    r"|(?:From|发件人|寄件者)[:：] .+\n(?:Sent|Date|To|发送时间|日期)[:：] .+"
    r"|>.*\n>.*\n)",
    re.MULTILINE,
)
"""Where the mails that this one answers begin."""


def read(path: Path, output: Output) -> None:
    """Read the mail at ``path``."""
    message = email.message_from_bytes(path.read_bytes(), policy=email.policy.default)
    fields = {name: _field(message, name) for name in FIELDS}
    head = "\n".join(f"{name}: {value}" for name, value in fields.items() if value)
    if fields["Subject"]:
        output.title(fields["Subject"])
    if head:
        output.block(Block(head))
    with suppress(ValueError, TypeError, AttributeError):
        output.date(parsedate_to_datetime(fields["Date"]))
    _send_body(message, output)
    _send_attachments(message, output)


def _field(message: EmailMessage, name: str) -> str:
    """A field of the head as text, however badly it was written."""
    try:
        return clean(str(message.get(name, "")))
    except Exception:  # the parsers of the fields fail in many ways on what is not allowed
        raw = dict(message.raw_items()).get(name, "")
        return clean(str(raw).encode("utf-8", "replace").decode())


def _send_body(message: EmailMessage, output: Output) -> None:
    plain = html = ""
    for part in _parts(message):
        if _is_attachment(part):
            continue
        # What says it has parts and has none is a text that lost its end.
        is_plain = part.get_content_type() == "text/plain"
        if (is_plain or part.get_content_maintype() == "multipart") and not plain.strip():
            plain = _text(part)
        elif part.get_content_type() == "text/html" and not html.strip():
            html = text_of(_bytes(part))
    if not plain.strip() and html.strip():
        send_markup(html, output)
        return
    check_noise(plain, output)
    quote = QUOTE.search(plain)
    send_paragraphs(plain[: quote.start()] if quote else plain, output)
    if quote:
        earlier = "\n".join(line.lstrip("> ") for line in plain[quote.start() :].split("\n"))
        heading = text("readers.earlier_mails", language_of(plain))
        send_paragraphs(earlier, Within(output, output.name, heading=(heading,)))


def _parts(message: EmailMessage) -> Iterator[EmailMessage]:
    """The parts that hold something themselves; a mail in a mail is one part."""
    waiting = [message]
    while waiting:
        part = waiting.pop()
        inner = part.get_payload() if part.get_content_maintype() == "multipart" else None
        if isinstance(inner, list):
            waiting += [one for one in reversed(inner) if isinstance(one, EmailMessage)]
        else:
            yield part


def _is_attachment(part: EmailMessage) -> bool:
    return bool(part.get_content_disposition() == "attachment" or part.get_filename())


def _bytes(part: EmailMessage) -> bytes:
    if part.get_content_type() == "message/rfc822":
        payload = part.get_payload()
        inner = payload[0] if isinstance(payload, list) and payload else None
        return inner.as_bytes() if isinstance(inner, EmailMessage) else b""
    content = part.get_payload(decode=True)
    return content if isinstance(content, bytes) else b""


def _text(part: EmailMessage) -> str:
    """The text of a part in the encoding it names, or else in the one it has."""
    data = _bytes(part)
    with suppress(LookupError, ValueError):
        return data.decode(part.get_content_charset() or "").replace("\r\n", "\n")
    return decode(data)


def _send_attachments(message: EmailMessage, output: Output) -> None:
    unread: list[str] = []
    left = MOST_BYTES
    number = 0
    for part in _parts(message):
        if not _is_attachment(part) and part.get_content_type() != "message/rfc822":
            continue
        number += 1
        name = clean(part.get_filename() or part.get_content_type().replace("/", "."))[:120]
        data = _bytes(part)
        left -= len(data)
        if number > MOST_ATTACHMENTS or left < 0 or not _send_attachment(name, data, output):
            unread.append(name)
    if unread:
        shown = ", ".join(unread[:MOST_NAMED]) + (", …" if len(unread) > MOST_NAMED else "")
        output.warn("readers.unread_attachments", count=len(unread), names=shown)


def _send_attachment(name: str, data: bytes, output: Output) -> bool:
    """Read what is attached as a file of its own, and say whether that went well."""
    heading = text("readers.attachment", language_of(name), name=name)
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "attachment"
        path.write_bytes(data)
        try:
            kind = kind_of(path, name)
            if kind == "eml":  # its own attachments stay where they are
                _send_inner_mail(path, Within(output, name, heading=(heading,)))
            else:
                reader = import_module(f"research.knowledge.readers.{READERS[kind]}")
                reader.read(path, Within(output, name, heading=(heading,)))
        except LimitReachedError as error:
            if error.reason == "size":
                raise
            return False
        except (UnreadableError, PasswordNeededError):
            return False
        except Exception:  # a reader that fails on one attachment costs that one only
            return False
    return True


def _send_inner_mail(path: Path, output: Output) -> None:
    message = email.message_from_bytes(path.read_bytes(), policy=email.policy.default)
    fields = ((name, _field(message, name)) for name in FIELDS)
    output.block(Block("\n".join(f"{name}: {value}" for name, value in fields if value)))
    _send_body(message, output)
