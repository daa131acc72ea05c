from __future__ import annotations

import json
import time

import pytest

from research.report.inlines import plain
from research.report.tree import inline_runs, parse
from research.report.writer import Dialect, write

KINDS = {"[^ab]": [["ab"]], "[^a1][^b2]": [["a1"], ["b2"]], "[^a1, ^b2；c3]": [["a1", "b2", "c3"]]}


def words(markdown: str) -> str:
    return " ".join(plain(run) for run in inline_runs(parse(markdown)))


def kinds(markdown: str) -> list[str]:
    return [part["t"] for run in inline_runs(parse(markdown)) for part in run]


@pytest.mark.parametrize(("written", "ids"), KINDS.items())
def test_a_citation_is_read_with_all_its_ids(written: str, ids: list[list[str]]) -> None:
    (run,) = inline_runs(parse(f"It rose.{written}"))
    assert [part["ids"] for part in run if part["t"] == "cite"] == ids


def test_a_citation_in_code_is_code() -> None:
    assert kinds("`x[^ab]`") == ["code"]
    assert parse("```\n[^ab]\n```")[0] == {"t": "code", "text": "[^ab]", "language": ""}


def test_footnotes_that_a_model_defined_itself_are_dropped() -> None:
    assert words("It rose.[^ab]\n[^ab]: The Report, page 4\n\n[^cd]: another") == "It rose."


def test_a_figure_leaves_its_paragraph_and_its_list() -> None:
    blocks = parse("Before ![a](chart:X) after\n\n- item\n\n  ![b](chart:Y)\n- next")
    assert [block["t"] for block in blocks] == [
        "paragraph",
        "figure",
        "paragraph",
        "list",
        "figure",
    ]
    assert blocks[1] == {"t": "figure", "chart": "X", "alt": "a"}


def test_other_pictures_become_links_and_are_never_loaded() -> None:
    (run,) = inline_runs(parse("![logo](https://evil.example/?d=1)"))
    assert run == [
        {"t": "link", "href": "https://evil.example/?d=1", "c": [{"t": "text", "text": "logo"}]}
    ]
    assert kinds("![x](data:image/png;base64,AAAA)") == ["text"]


def test_links_lead_to_the_web_or_nowhere() -> None:
    assert kinds("[a](https://a.example)") == ["link"]
    for href in ("javascript:alert(1)", "file:///etc/passwd", "/relative", "data:text/html,x"):
        assert "link" not in kinds(f"[a]({href})")


def test_a_bare_address_ends_where_chinese_text_goes_on() -> None:
    (run,) = inline_runs(parse("详见https://a.example/x。后文"))
    assert [part.get("href") or part["text"] for part in run] == [
        "详见",
        "https://a.example/x",
        "。后文",
    ]
    assert kinds("see report.md and main.py") == ["text"]


def test_html_is_text() -> None:
    assert words("<script>alert(1)</script>\n\n<b>x</b>") == "<script>alert(1)</script> <b>x</b>"


@pytest.mark.parametrize(
    "money",
    [
        "from $5 to $10",
        "US$5=6 and US$7",
        "$5_000 or $6_000",
        "$1.2m ($0.9m)",
        "每股$5至$10",
        "\\$a=b\\$",
    ],
)
def test_money_stays_money(money: str) -> None:
    assert "math" not in kinds(money)


@pytest.mark.parametrize("formula", ["$x^2$", "$n$", "$$a=b$$", r"$\alpha$"])
def test_a_formula_is_a_formula(formula: str) -> None:
    blocks = parse(f"so {formula} holds")
    assert any(part["t"] == "math" for part in blocks[0]["c"])


@pytest.mark.parametrize(
    "markdown", ["**结论：**增长", "**结论：**2025年", "“**增长**”后", "他说**“增长”**后面"]
)
def test_emphasis_works_next_to_chinese_punctuation(markdown: str) -> None:
    assert "strong" in kinds(markdown)
    assert "*" not in words(markdown)


def test_a_line_break_in_chinese_is_no_space() -> None:
    assert words("营业收入\n增长") == "营业收入增长"
    assert words("net\nincome") == "net income"


def test_headings_start_at_one_and_skip_nothing() -> None:
    levels = [b["level"] for b in parse("### a\n##### b\n#### c\n## d\n#### e")]
    assert levels == [1, 2, 2, 1, 2]


def test_a_first_heading_that_repeats_the_title_is_left_out() -> None:
    assert [plain(b["c"]) for b in parse("# My report\n\n## Part", "My report")] == ["Part"]


def test_a_tree_is_json() -> None:
    blocks = parse(
        "# a\n\n- b\n\n> c\n\n| d |\n|---|\n| e[^x] |\n\n---\n\n$$x=1$$\n\n```py\nf\n```"
    )
    assert json.loads(json.dumps(blocks)) == blocks


ROUND_TRIPS = [
    "# A *b* `c|d`\n\ntext **bold** ~~gone~~ [l](<https://a.example/x>)",
    "1. one\n   - two\n   - three\n2. four\n\n   more\n\n- other\n\n+ list",
    "> quote\n>\n> - in it\n\n```py\na ``` b\n```",
    "| a\\|b | c |\n|:-:|--:|\n| `x\\|y` | \\* |",
    "1\\. no list\n\\# no heading\n\\- no item\n\\--- \\>",
    "\\_x\\_ \\[a\\](b) \\`c\\` &amp;amp; \\<b>",
    "a\\\nb $x^2$ and \\$5 to \\$6 5\\*3\\*2",
]


@pytest.mark.parametrize("markdown", ROUND_TRIPS)
def test_what_is_written_back_is_read_alike(markdown: str) -> None:
    dialect = Dialect(cite=str, figure=lambda _block: "")
    blocks = parse(markdown)
    assert parse(write(blocks, dialect)) == blocks


@pytest.mark.parametrize(
    "hostile",
    [
        "a" * 200_000,
        "> " * 5_000 + "x",
        "".join("  " * depth + "- x\n" for depth in range(120)),
        "*a " * 20_000,
        "$" * 50_000,
        "x\n" * 20_000,
        "[^a]" * 20_000,
        "\x00\ud83d\u202e",
    ],
    ids=["run", "quotes", "lists", "stars", "dollars", "lines", "citations", "controls"],
)
def test_hostile_text_is_read_in_bounded_time_and_depth(hostile: str) -> None:
    began = time.process_time()
    blocks = parse(hostile)
    assert time.process_time() - began < 8
    assert _depth(blocks) < 80


def _depth(node: object) -> int:
    if isinstance(node, dict):
        return 1 + max(map(_depth, node.values()), default=0)
    if isinstance(node, list):
        return max(map(_depth, node), default=0)
    return 0
