from __future__ import annotations

from pathlib import Path

from tests.knowledge import making
from tests.knowledge.conftest import REPORT
from tests.knowledge.making_formats import mail

ANSWER = """The visit is on Monday.

We meet at the gate.

On Mon, 3 Mar 2025 at 10:00, Bo Lind wrote:
> When is the visit?
>
> Bo
"""


def test_a_mail_says_who_wrote_to_whom_and_keeps_what_it_quotes_apart(tmp_path: Path) -> None:
    reading = making.read(tmp_path, "visit.eml", mail(ANSWER, "<p>The visit, in HTML.</p>"))
    assert (reading.kind, reading.title, reading.date) == (
        "eml", "Visit to the plant 工厂", "2025-03-04",
    )  # fmt: skip
    assert [(block.heading, block.text) for block in reading.blocks] == [
        (
            (),
            "From: Ada Park <ada@example.org>\nTo: Bo Lind <bo@example.org>\n"
            "Date: Tue, 04 Mar 2025 09:30:00 +0100\nSubject: Visit to the plant 工厂",
        ),
        ((), "The visit is on Monday."),
        ((), "We meet at the gate."),
        (
            ("Earlier messages",),
            "On Mon, 3 Mar 2025 at 10:00, Bo Lind wrote:\nWhen is the visit?",
        ),
        (("Earlier messages",), "Bo"),
    ]


def test_a_mail_in_html_only_is_read(tmp_path: Path) -> None:
    data = mail(html="<style>p {}</style><h1>News</h1><p>收入增长。</p><table><tr><th>a</th>"
                "<th>b</th></tr><tr><td>1</td><td>2</td></tr></table>")  # fmt: skip
    reading = making.read(tmp_path, "news.eml", data)
    assert [block.text.split("\n")[0] for block in reading.blocks[1:]] == [
        "收入增长。",
        "| a | b |",
    ]
    assert len(reading.grids) == 1


def test_attachments_are_read_like_files_and_the_others_named(tmp_path: Path) -> None:
    attachments = {
        "report.pdf": REPORT.read_bytes(),
        "figures.xlsx": making.workbook({"Data": [["city", "people"], ["Bern", 1], ["Ulm", 2]]}),
        "注释.txt": "附件中的文字。".encode("gb18030"),
        "photo.raw": bytes(range(256)) * 10,
        "forwarded.eml": mail("A mail in a mail.", attachments={"deep.txt": b"too deep"}),
    }
    reading = making.read(tmp_path, "visit.eml", mail("See attached.", attachments=attachments))
    heads = {block.heading[0] for block in reading.blocks if block.heading}
    assert heads == {
        "Attachment: report.pdf",
        "Attachment: figures.xlsx",
        "附件：注释.txt",
        "Attachment: forwarded.eml",
    }
    texts = [block.text for block in reading.blocks]
    assert "附件中的文字。" in texts
    assert "A mail in a mail." in texts
    assert "too deep" not in texts
    assert any(grid.rows == 2 for grid in reading.grids)
    assert (reading.title, reading.pages) == ("Visit to the plant 工厂", None)
    warning = next(one for one in reading.warnings if one.key == "readers.unread_attachments")
    assert warning.params == {"count": 1, "names": "photo.raw"}


def test_a_wrong_or_missing_encoding_is_survived(tmp_path: Path) -> None:
    for charset in ("", "; charset=no-such", "; charset=us-ascii", "; charset=utf-8"):
        data = (
            "From: a@example.org\r\nTo: b@example.org\r\nSubject: 报告\r\nDate: yesterday\r\n"
            f"MIME-Version: 1.0\r\nContent-Type: text/plain{charset}\r\n\r\n"
            "公司全年实现营业收入八十六亿元，同比增长百分之十二。\r\n"
        ).encode("gb18030")
        reading = making.read(tmp_path, "report.eml", data)
        assert reading.blocks[-1].text.startswith("公司全年实现营业收入"), charset
        assert reading.date is None


def test_a_mail_whose_parts_are_cut_off_keeps_its_text(tmp_path: Path) -> None:
    whole = mail("The visit is on Monday.", attachments={"a.bin": bytes(9000)})
    reading = making.read(tmp_path, "cut.eml", whole[:900])
    assert reading.blocks[1].text == "The visit is on Monday."
