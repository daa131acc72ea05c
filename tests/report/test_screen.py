from __future__ import annotations

import pytest

from research.models import Chart
from research.report.citations import number_citations
from research.report.screen import for_screen, literal_for_screen, parts_for_screen
from tests.report.conftest import Given

ESCAPED = {
    "costs $5 to $10": "costs \\$5 to \\$10",
    ":red[x]": "\\:red\\[x\\]",
    "so :smile: now": "so \\:smile\u200b: now",
    ":material/home:": "\\:material\\/home:",
    "a -> b": "a -\u2060> b",
    "~x~": "\\~x\\~",
    "at 10:30:45": "at 10:30:45",
    "<script>x</script>": "\\<script>x\\</script>",
}


@pytest.mark.parametrize(("text", "shown"), ESCAPED.items())
def test_what_streamlit_would_rewrite_is_escaped(text: str, shown: str) -> None:
    assert for_screen(text) == shown


def test_code_and_formulas_are_left_as_they_are() -> None:
    assert for_screen("`:red[$5]` and $x^2$") == "`:red[$5]` and $x^2$"
    assert for_screen("```py\n:red[$5]\n```") == "```py\n:red[$5]\n```"
    assert for_screen("```mermaid\na\n```") == "```\na\n```"


def test_remote_pictures_do_not_reach_the_screen() -> None:
    assert "![" not in for_screen("![x](https://evil.example/?d=1) and ![y][1]\n\n[1]: https://e.x")


def test_text_that_is_still_being_written_shows_without_citations() -> None:
    assert for_screen("It rose.[^ab12] And **fe") == "It rose. And \\*\\*fe"


def test_a_passage_is_shown_word_for_word() -> None:
    assert literal_for_screen("# 5 * 3\n  - a\n\nb") == "\\# 5 \\* 3\\\n\\- a\n\nb"


def test_a_report_is_cut_at_its_charts_and_cites_by_link(english: Given) -> None:
    report, evidence = english
    numbered = number_citations(report.markdown, evidence, report.title)
    parts = parts_for_screen(numbered, evidence, lambda citation: f"#source-{citation.number}")
    charts = [part.title for part in parts if isinstance(part, Chart)]
    text = "\n".join(part for part in parts if isinstance(part, str))
    assert len(charts) == 4
    assert charts[0] == "Revenue by region, 2023 to 2025"
    assert "five years.[\\[1\\]](<#source-1>)" in text
    assert "## Key points" in text
    assert report.title not in text
    assert "\\$412.6 million" in text
