from __future__ import annotations

from research.models import Language, Passage, Place, Source
from research.report.citations import Numbered, number_citations
from research.report.evidence import Evidence
from research.report.inlines import plain
from research.report.tree import inline_runs
from tests.report.reports import NOON

FILE = Source(id="f", kind="document", title="Report", locator="Report 2025.pdf", sha256="0")
PAGE = Source(
    id="w",
    kind="web",
    title="Market review",
    locator="https://a.example/r",
    sha256="0",
    retrieved_at=NOON,
)
SUM = Source(id="k", kind="calculation", title="Step", locator="Sales by region", sha256="0")
PASSAGES = {
    name: Passage(id=name, source_id=source, text=name, place=place)
    for name, source, place in (
        ("a", "f", Place(page=4)),
        ("b", "f", Place(rows=(12, 18), sheet="Sales")),
        ("c", "w", Place()),
        ("d", "f", Place(heading=("Part", "Outlook"))),
        ("e", "k", Place(rows=(1, 60))),
        ("orphan", "nowhere", Place()),
    )
}
EVIDENCE = Evidence(passages=PASSAGES, sources={"f": FILE, "w": PAGE, "k": SUM})


def numbers(numbered: Numbered) -> list[list[int]]:
    return [
        part["numbers"]
        for run in inline_runs(list(numbered.tree))
        for part in run
        if part["t"] == "cite"
    ]


def test_passages_are_numbered_in_order_of_first_appearance() -> None:
    numbered = number_citations("One.[^c] Two.[^a] Three.[^c]", EVIDENCE)
    assert numbers(numbered) == [[1], [2], [1]]
    assert [entry.passage.id for entry in numbered.entries] == ["c", "a"]


def test_citations_side_by_side_are_sorted_and_merged() -> None:
    numbered = number_citations("One.[^a] Two.[^b][^a], [^b] Three[^b ,^a]", EVIDENCE)
    assert numbers(numbered) == [[1], [1, 2], [1, 2]]


def test_table_cells_and_lists_are_numbered_too() -> None:
    numbered = number_citations("- x[^b]\n\n| h |\n|---|\n| y[^a] |", EVIDENCE)
    assert numbers(numbered) == [[1], [2]]


def test_what_leads_nowhere_is_removed_and_counted() -> None:
    text = "It rose [^made-up]. It fell [^orphan] again.\n\n![x](chart:none)\n\n**b[^nope]**"
    numbered = number_citations(text, EVIDENCE)
    assert [plain(run) for run in inline_runs(list(numbered.tree))] == [
        "It rose. It fell again.",
        "b",
    ]
    assert numbered.dropped == 4
    assert numbered.entries == ()


def labels(language: Language) -> list[str]:
    numbered = number_citations("[^a][^b][^c][^d][^e]", EVIDENCE)
    return [entry.label(language) for entry in numbered.entries]


def test_labels_name_the_place_in_english() -> None:
    assert labels("en") == [
        "Report 2025.pdf, page 4",
        "Report 2025.pdf, sheet “Sales”, rows 12–18",
        "Market review, https://a.example/r, read on 17 March 2026",
        "Report 2025.pdf, section “Outlook”",
        "Sales by region, calculation, rows 1–60",
    ]


def test_labels_name_the_place_in_chinese() -> None:
    assert labels("zh") == [
        "Report 2025.pdf，第4页",
        "Report 2025.pdf，工作表“Sales”，第12–18行",
        "Market review，https://a.example/r，2026年3月17日读取",
        "Report 2025.pdf，“Outlook”一节",
        "Sales by region，计算结果，第1–60行",
    ]
