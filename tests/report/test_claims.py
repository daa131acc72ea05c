from __future__ import annotations

import pytest

from research.models import Claim, Passage, Place, Source, Verdict
from research.report.claims import check_claims, count_uncited
from research.report.evidence import Evidence
from tests.report.conftest import Given

SOURCE = Source(id="s", kind="document", title="Annual Report 2025", locator="a.pdf", sha256="0")
TEXTS = {
    "en": "Revenue for the year rose 12.4% to $412.6 million, driven by EMEA, where the new "
    "distribution agree-\nment with Nordwind added 31.2 million.",
    "zh": "本年度营业收入为41.26亿元，同比增长12.4%，主要得益于欧洲、中东及非洲地区"
    "新签的分销协议。",
}
EVIDENCE = Evidence(
    passages={
        name: Passage(id=name, source_id="s", text=text, place=Place(page=1))
        for name, text in TEXTS.items()
    },
    sources={"s": SOURCE},
)

VERDICTS = [
    ("Revenue rose 12.4% to $413 million.[^en]", "supported", ()),
    ("Revenue rose 12.4% to $500 million.[^en]", "partly", ("500 million",)),
    ("Costs fell 9%.[^en]", "not_found", ("9%",)),
    ("It names “the new distribution agreement with Nordwind”.[^en]", "supported", ()),
    ('It names "a long-term alliance" and rose 12.4%.[^en]', "partly", ("a long-term alliance",)),
    ("It names “the new … agreement”.[^en]", "supported", ()),
    ("EMEA drove revenue through the new distribution agreement.[^en]", "supported", ()),
    ("The board plans acquisitions in Asia.[^en]", "not_found", ()),
    ("In 2025 the chief executive resigned.[^en]", "partly", ()),
    ("营业收入同比增长12.4%，达到41.3亿元。[^zh]", "supported", ()),
    ("增长主要得益于欧洲地区新签的分销协议。[^zh]", "supported", ()),
    ("文中写道“新签的分销协议”。[^zh]", "supported", ()),
    ("公司计划收购亚洲企业。[^zh]", "not_found", ()),
    ("收入为4.126亿美元。[^en]", "supported", ()),
    ("公司主要依靠分销渠道。[^en]", "partly", ()),
    ("Revenue rose 12.4% to 41.26亿元.[^en][^zh]", "supported", ()),
]


@pytest.mark.parametrize(("sentence", "verdict", "missing"), VERDICTS)
def test_a_claim_gets_the_verdict_its_passages_allow(
    sentence: str, verdict: str, missing: tuple[str, ...]
) -> None:
    (claim,) = check_claims(sentence, EVIDENCE)
    assert (claim.verdict, claim.missing) == (Verdict(verdict), missing)


def test_a_citation_belongs_to_the_sentence_it_follows() -> None:
    text = "First is not cited. Second is[^en]. Third is as well.[^zh] 第四句。[^zh]第五句。"
    claims = check_claims(text, EVIDENCE)
    assert [(claim.text, claim.passage_ids) for claim in claims] == [
        ("Second is.", ("en",)),
        ("Third is as well.", ("zh",)),
        ("第四句。", ("zh",)),
    ]


def test_a_row_of_a_table_is_one_claim_read_with_its_head() -> None:
    table = "| Region | Added, $m |\n|---|---|\n| EMEA | 31.2[^en] |\n| Asia | 9.9[^en] |"
    assert [claim.verdict for claim in check_claims(table, EVIDENCE)] == ["supported", "not_found"]


def test_citations_that_lead_nowhere_make_no_claim() -> None:
    assert check_claims("It rose 12.4%.[^nothing]", EVIDENCE) == ()


def test_uncited_facts_are_counted() -> None:
    text = (
        "# 5 things\n\nIt rose 5%. It rose 6%.[^en] We think so. He said “never again”.\n\n- 7 of 8"
    )
    assert count_uncited(text) == 3


def test_whole_reports_are_judged_as_their_authors_would(english: Given, chinese: Given) -> None:
    def bad(claims: tuple[Claim, ...]) -> list[str]:
        return [claim.text for claim in claims if claim.verdict is Verdict.NOT_FOUND]

    assert bad(english[0].claims) == ["Sales in Asia doubled to $91.0 million."]
    assert bad(chinese[0].claims) == ["亚洲销售额翻了一番，达到9.1亿元。"]
    assert len(english[0].claims) > 15
