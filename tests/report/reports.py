"""Two whole reports, one English and one Chinese, with everything a report can hold."""

from __future__ import annotations

import json
import re
from datetime import datetime
from pathlib import Path
from typing import Any

from research.models import Chart, Notice, Passage, Place, Report, Source
from research.report.claims import check_claims
from research.report.evidence import Evidence

NOON = datetime(2026, 3, 17, 12).timestamp() + 0.25

HERE = Path(__file__).parent


def _text(name: str, passages: dict[str, Passage], charts: dict[str, Chart]) -> str:
    """The Markdown of a report, the names in it replaced by ids."""
    text = (HERE / name).read_text("utf-8")
    text = re.sub(r"\[\^(\w+)\]", lambda found: f"[^{passages[found[1]].id}]", text)
    return re.sub(r"chart:(\w+)", lambda found: f"chart:{charts[found[1]].id}", text)


def _source(name: str, kind: Any = "document", **more: Any) -> Source:
    given: dict[str, Any] = {"title": name, "locator": name, "sha256": "0" * 64} | more
    return Source(id=f"source-{name}", kind=kind, **given)


def _passages(source: Source, texts: dict[str, tuple[str, Place]]) -> dict[str, Passage]:
    return {key: Passage.of(source.id, text, at) for key, (text, at) in texts.items()}


def _figure(made: Any) -> dict[str, Any]:
    figure: dict[str, Any] = json.loads(made.to_json())
    return figure


def english() -> tuple[Report, Evidence]:
    """A report by a model on an English annual report, a table and a web page."""
    annual = _source("Meridian Annual Report 2025.pdf", title="Meridian Annual Report 2025")
    sales = _source("revenue_by_region.csv")
    web = _source(
        "Cocoa market review",
        "web",
        locator="https://www.example.com/markets/cocoa/2026/annual-review-of-cocoa-prices?lang=en",
        retrieved_at=NOON - 86400,
    )
    passages = _passages(
        annual,
        {
            "revenue": (
                "The year began slowly. Group revenue for 2025 increased by 12.4% to $412.6 "
                "million (2024: $367.1 million), the fastest growth in five years. Volume added "
                "10.5% and price and mix 1.9%. The board calls it a year of disciplined expansion "
                "and keeps its policy of paying out between $5 and $10 a share.",
                Place(page=4, heading=("Chair's letter",)),
            ),
            "emea": (
                "EMEA contributed more than half of the increase in revenue, after the "
                "distribution agree-\nment with Nordwind took effect in February.",
                Place(page=7),
            ),
            "nordwind": (
                "In February we signed a distribution agreement with Nordwind. It put the "
                "premium line into 4,200 stores in Germany, Austria and Switzerland. “We gained "
                "shelf space in one spring that we had planned to win over three years,” says the "
                "head of EMEA. The roll-out was complete by October, so that this gain will not "
                "repeat itself. "
                + "Store staff were trained in 14 regional workshops, and returns stayed low. "
                * 6,
                Place(page=12),
            ),
            "margin": (
                "Gross margin narrowed from 40.2% to 38.1% as cocoa prices rose.",
                Place(page=19),
            ),
            "outlook": (
                "For 2026 we expect growth of 5% to 7% and a gross margin above 38%. Relief on "
                "input costs is likely only in the second half of 2026. The dividend policy, "
                "between $5 and $10 a share, is unchanged; discipline remains our expansion rule.",
                Place(page=31, heading=("Outlook",)),
            ),
            "asia": ("Sales in Asia grew by 5.9% to $81.0 million.", Place(page=8)),
        },
    )
    passages |= _passages(
        sales,
        {
            "regions": (
                "Region, 2023 ($ million), 2024 ($ million), 2025 ($ million), Change\n"
                "EMEA, 121.4, 139.0, 170.2, 31.2\nAmericas, 148.2, 151.6, 161.4, 9.8\n"
                "Asia, 70.3, 76.5, 81.0, 4.5\n",
                Place(rows=(1, 3)),
            )
        },
    )
    passages |= _passages(
        web,
        {
            "industry": (
                "Cocoa futures rose 61% over 2025. The association had expected its members to "
                "grow by about 7% on average.",
                Place(),
            )
        },
    )
    charts = _english_charts(sales.id)
    markdown = _text("english.md", passages, charts)
    evidence = Evidence(
        passages={passage.id: passage for passage in passages.values()},
        sources={source.id: source for source in (annual, sales, web)},
        charts={chart.id: chart for chart in charts.values()},
    )
    report = Report(
        title="Meridian Foods: what drove revenue in 2025",
        question="How did Meridian's revenue by region change, and why?",
        language="en",
        mode="model",
        complete=False,
        markdown=markdown,
        notices=(Notice(key="report.dropped", params={"count": 2}, level="warning"),),
        claims=check_claims(markdown, evidence),
        created_at=NOON,
    )
    return report, evidence


def _english_charts(source_id: str) -> dict[str, Chart]:
    import pandas as pd
    import plotly.express as px
    import plotly.graph_objects as go
    from plotly.subplots import make_subplots

    rows = [
        (region, year, value)
        for region, values in {
            "EMEA": (121.4, 139.0, 170.2),
            "Americas": (148.2, 151.6, 161.4),
            "Asia": (70.3, 76.5, 81.0),
        }.items()
        for year, value in zip((2023, 2024, 2025), values, strict=True)
    ]
    data = pd.DataFrame(rows, columns=["Region", "Year", "Revenue, $m"])
    bars = px.bar(data, x="Year", y="Revenue, $m", color="Region", barmode="group", text_auto=".0f")
    dual = make_subplots(specs=[[{"secondary_y": True}]])
    years = ["2021", "2022", "2023", "2024", "2025"]
    dual.add_bar(x=years, y=[301.0, 322.5, 339.9, 367.1, 412.6], name="Revenue, $m")
    dual.add_scatter(
        x=years, y=[0.418, 0.411, 0.405, 0.402, 0.381], name="Gross margin", secondary_y=True
    )
    dual.update_yaxes(title_text="$m", secondary_y=False)
    dual.update_yaxes(title_text="Gross margin", tickformat=".1%", secondary_y=True)
    pie = px.pie(data[data["Year"] == 2025], names="Region", values="Revenue, $m", hole=0.5)
    stores = go.Figure(go.Scattergeo(lat=[48.1, 47.0], lon=[11.6, 8.5]))

    def chart(title: str, alt: str, figure: Any, table: Any) -> Chart:
        return Chart(
            id=f"chart-{title[:4]}",
            step_id="2",
            title=title,
            alt=alt,
            figure=_figure(figure),
            code="fig.write_json('out/chart.json')",
            columns=tuple(map(str, table.columns)),
            rows=tuple(tuple(row) for row in table.to_numpy().tolist()),
            source_ids=(source_id,),
        )

    margins = pd.DataFrame({"Year": years, "Gross margin": [0.418, 0.411, 0.405, 0.402, 0.381]})
    places = pd.DataFrame({"City": ["Munich", "Zurich"], "Stores": [310, 122]})
    return {
        "bars": chart("Revenue by region, 2023 to 2025", "Bars of revenue by region", bars, data),
        "dual": chart("Margin against revenue", "Bars of revenue, line of margin", dual, margins),
        "pie": chart("Share of revenue in 2025", "Ring of shares of revenue", pie, data),
        "map": chart("Stores on the map", "Map of stores", stores, places),
    }


def chinese() -> tuple[Report, Evidence]:
    """An extractive report on a Chinese annual report and a spreadsheet."""
    annual = _source("子午食品2025年年度报告.pdf", title="子午食品2025年年度报告", language="zh")
    sheet = _source("月度销售.xlsx", language="zh")
    web = _source(
        "可可市场回顾", "web", locator="https://www.example.cn/cocoa/2026", retrieved_at=NOON
    )
    passages = _passages(
        annual,
        {
            "revenue": (
                "2025年公司实现营业收入41.26亿元，同比增长12.4%（上年为36.71亿元），为五年来最快增速。"
                "其中销量贡献10.5%，价格与结构贡献1.9%。",
                Place(page=4),
            ),
            "emea": (
                "欧洲、中东及非洲地区贡献了一半以上的增量，主要得益于新签的分销协议。负责人表示：“我们用一个"
                "春天拿下了原计划三年才能争取到的货架。”",
                Place(page=7),
            ),
            "margin": ("受可可价格上涨影响，毛利率由40.2%降至38.1%。", Place(page=19)),
            "outlook": (
                "公司预计2026年增长5%至7%，毛利率高于38%。成本压力预计2026年下半年才会缓解。"
                "董事会认为本年度实现了稳健扩张，每股派息维持在$5至$10之间。",
                Place(page=31),
            ),
        },
    )
    passages |= _passages(
        web, {"industry": ("2025年可可价格上涨61%。协会预计会员增速约为7%。", Place())}
    )
    charts = _chinese_charts(sheet.id)
    markdown = _text("chinese.md", passages, charts)
    evidence = Evidence(
        passages={passage.id: passage for passage in passages.values()},
        sources={source.id: source for source in (annual, sheet, web)},
        charts={chart.id: chart for chart in charts.values()},
    )
    report = Report(
        title="子午食品：2025年营业收入增长的原因",
        question="各地区营业收入有何变化，原因是什么？",
        language="zh",
        mode="extractive",
        complete=True,
        markdown=markdown,
        claims=check_claims(markdown, evidence),
        created_at=NOON,
    )
    return report, evidence


def _chinese_charts(source_id: str) -> dict[str, Chart]:
    import pandas as pd
    import plotly.express as px

    rows = [
        (region, f"{year}年", value)
        for region, values in {
            "欧洲、中东及非洲": (12.14, 13.90, 17.02),
            "美洲": (14.82, 15.16, 16.14),
            "亚洲": (7.03, 7.65, 8.10),
        }.items()
        for year, value in zip((2023, 2024, 2025), values, strict=True)
    ]
    data = pd.DataFrame(rows, columns=["地区", "年份", "营业收入（亿元）"])
    bars = px.bar(data, x="年份", y="营业收入（亿元）", color="地区", barmode="group")
    months = [f"2025-{month:02d}-28" for month in range(1, 13)]
    sales = [2.8e8 + 1.1e7 * month for month in range(12)]
    line = px.line(x=months, y=sales, labels={"x": "月份", "y": "销售额（元）"}, markers=True)

    def chart(name: str, title: str, figure: Any, columns: Any, table: Any) -> Chart:
        return Chart(
            id=name,
            step_id="2",
            title=title,
            alt=title,
            figure=_figure(figure),
            code="",
            columns=columns,
            rows=table,
            source_ids=(source_id,),
        )

    return {
        "bars": chart("c1", "各地区营业收入", bars, tuple(data.columns), tuple(rows)),
        "line": chart(
            "c2", "月度销售额", line, ("月份", "销售额"), tuple(zip(months, sales, strict=True))
        ),
    }
