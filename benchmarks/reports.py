"""Reports that read like reports: no sentence comes twice, and every page has its figures."""

from __future__ import annotations

import random

from tests.knowledge import making

SUBJECTS = [
    "revenue",
    "operating income",
    "the order backlog",
    "the gross margin",
    "working capital",
    "net debt",
    "the workforce",
    "capital expenditure",
    "research spending",
    "the share of services",
    "the return on capital",
    "free cash flow",
]
PLACES = [
    "North America",
    "Greater China",
    "EMEA",
    "Latin America",
    "the Nordic countries",
    "the Iberian plants",
    "Rest of Asia",
    "the Gulf region",
    "the Baltic sites",
    "Oceania",
    "Central Africa",
    "the Andean markets",
]
REASONS = [
    "two large customers moved their orders into the next quarter",
    "the new plant came into use in spring",
    "freight rates fell by a third",
    "a supplier was closed for six weeks",
    "prices were raised twice",
    "the framework contract with the railways was renewed",
    "a competitor left the market",
    "exchange rates turned against exporters",
    "the product line was sold",
    "wages rose under the agreement",
    "demand for spare parts held up better than for machines",
    "an outage stopped the furnace for a month",
]
ZH_SUBJECTS = [
    "营业收入",
    "营业利润",
    "在手订单",
    "毛利率",
    "净负债",
    "员工人数",
    "资本开支",
    "研发投入",
    "服务收入占比",
]
ZH_PLACES = [
    "华东地区",
    "华南地区",
    "华北地区",
    "西南地区",
    "海外市场",
    "欧洲市场",
    "北美市场",
    "东南亚市场",
]
ZH_REASONS = [
    "两家主要客户推迟了订单",
    "新工厂在三月投产",
    "运费下降了三分之一",
    "一家供应商停产六周",
    "年内两次提价",
    "与铁路公司的框架合同续签",
    "一家竞争对手退出市场",
    "汇率变化不利于出口",
    "备件需求好于整机",
]


def sentence(chance: random.Random, *, chinese: bool) -> str:
    """One sentence with a subject, a figure, a year and a reason."""
    change = chance.uniform(-20, 30)
    year = chance.randint(2015, 2026)
    amount = chance.uniform(10, 5_000)
    if chinese:
        what, where, why = (chance.choice(each) for each in (ZH_SUBJECTS, ZH_PLACES, ZH_REASONS))
        moved = "增长" if change > 0 else "下降"
        return (
            f"{year}年{where}的{what}为{amount:,.1f}万元，{moved}{abs(change):.1f}%，原因是{why}。"
        )
    what, where, why = (chance.choice(each) for each in (SUBJECTS, PLACES, REASONS))
    moved = "rose" if change > 0 else "fell"
    return (
        f"In {year}, {what} in {where} {moved} by {abs(change):.1f} percent to"
        f" {amount:,.1f} million, because {why}. "
    )


def paragraph(chance: random.Random, *, chinese: bool) -> str:
    """About a thousand characters."""
    return "".join(sentence(chance, chinese=chinese) for _ in range(22 if chinese else 8))


def typst_report(pages: int, chance: random.Random, *, chinese: bool) -> str:
    """The Typst source of a report; each page has a heading, prose, and every third a table."""
    parts = []
    for number in range(pages):
        names = ZH_PLACES if chinese else PLACES
        parts.append(f"= {chance.choice(names)} {number + 1}\n")
        parts += [paragraph(chance, chinese=chinese)[:620] + "\n"]
        if number % 3 == 0:
            cells = "".join(
                f"[{name}],[{chance.uniform(1, 900):,.1f}],[{chance.uniform(1, 900):,.1f}],"
                for name in names[:6]
            )
            parts.append(f"#table(columns: 3, [Region],[2024],[2025],{cells})\n")
        else:
            parts.append(paragraph(chance, chinese=chinese)[:620] + "\n")
        parts.append("#pagebreak(weak: true)\n")
    return "\n".join(parts)


def word_report(paragraphs: int, chance: random.Random) -> bytes:
    """A Word file of so many paragraphs, with a table after every tenth."""

    def build(document) -> None:  # type: ignore[no-untyped-def]
        for number in range(paragraphs):
            document.add_paragraph(paragraph(chance, chinese=False))
            if number % 10 == 9:
                table = document.add_table(rows=4, cols=3)
                for cell in table._cells:
                    cell.text = f"{chance.uniform(1, 99):.1f}"

    return making.word(build)


def html_page(paragraphs: int, chance: random.Random) -> bytes:
    """A saved web page of so many paragraphs."""
    body = "".join(
        f"<h2>Part {number}</h2><p>{paragraph(chance, chinese=False)}</p>"
        for number in range(paragraphs)
    )
    title = "<title>Report</title>"
    return f"<!doctype html><html><head>{title}</head><body>{body}</body></html>".encode()


def csv_table(rows: int, chance: random.Random) -> bytes:
    """A table of names and figures."""
    lines = (
        f"Region {number % 40},{2000 + number % 25},{chance.uniform(1, 900):.1f}"
        for number in range(rows)
    )
    return ("region,year,revenue\n" + "\n".join(lines) + "\n").encode()
