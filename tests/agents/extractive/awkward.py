"""Tables as analysts get them, each awkward in its own way, in the bytes of the files."""

from __future__ import annotations

import io
from collections.abc import Callable
from datetime import date
from functools import cache

import openpyxl


def workbook(rows: list[list[object]], merges: tuple[str, ...] = (), sheet: str = "Data") -> bytes:
    """A workbook with one sheet."""
    book = openpyxl.Workbook()
    page = book.active
    page.title = sheet
    for row in rows:
        page.append(row)
    for merge in merges:
        page.merge_cells(merge)
    file = io.BytesIO()
    book.save(file)
    return file.getvalue()


def lines(*rows: str, encoding: str = "utf-8") -> bytes:
    return ("\n".join(rows) + "\n").encode(encoding)


def header_in_the_third_row() -> bytes:
    return workbook(
        [
            ["Revenue by division, fiscal years 2023 to 2025"],
            ["(in EUR thousand)"],
            ["Division", "Year", "Revenue", "Operating cost"],
            ["Pumps", 2023, 1200, 900],
            ["Valves", 2023, 800, 650],
            ["Service", 2023, 400, 250],
            ["Pumps", 2024, 1320, 950],
            ["Valves", 2024, 760, 640],
            ["Service", 2024, 520, 300],
            ["Pumps", 2025, 1500, 1010],
            ["Valves", 2025, 700, 600],
            ["Service", 2025, 650, 340],
        ]
    )


def german_decimals() -> bytes:
    return lines(
        "Filiale;Jahr;Umsatz (EUR)",
        "Hamburg;2024;1.234,50",
        "Bremen;2024;987,25",
        "Kiel;2024;12.400,00",
        "Rostock;2024;450,75",
        "Hamburg;2025;1.500,00",
        "Bremen;2025;1.012,75",
        "Kiel;2025;11.900,10",
        "Rostock;2025;587,15",
        encoding="cp1252",
    )


def chinese_units() -> bytes:
    return lines(
        "产品线,2023年,2024年",
        "智能终端,1.2亿,1.5亿",
        "云服务,8600万,1.1亿",
        "配件,3400万,4000万",
        "合计,2.4亿,3亿",
        encoding="gbk",
    )


def wide_years() -> bytes:
    return workbook(
        [
            ["Exports by country (USD million)"],
            ["Country", 2021, 2022, 2023, 2024, "Total"],
            ["Norway", 10.5, 11.0, 12.5, 14.0, 48.0],
            ["Poland", 20.0, 19.0, 18.0, 17.5, 74.5],
            ["Spain", 5.0, 6.5, 8.0, 9.5, 29.0],
            ["Total", 35.5, 36.5, 38.5, 41.0, 151.5],
        ]
    )


def quarters_and_a_year_not_over() -> bytes:
    return lines(
        "Channel,Quarter,Orders",
        *(
            f"{channel},{year}-Q{quarter},{start + 10 * step}"
            for channel, start in (("Online", 100), ("Store", 300))
            for step, (year, quarter) in enumerate(
                [(year, quarter) for year in (2022, 2023, 2024) for quarter in (1, 2, 3, 4)]
                + [(2025, 1), (2025, 2)]
            )
        ),
    )


def days_before_months() -> bytes:
    return lines(
        "Date,Depot,Deliveries",
        "15/01/2025,North,120",
        "03/02/2025,North,130",
        "17/03/2025,North,-",
        "28/04/2025,North,150",
        "15/01/2025,South,80",
        "03/02/2025,South,n/a",
        "17/03/2025,South,95",
        "28/04/2025,South,105",
        "29/04/2025,South,20",
    )


def currency_signs() -> bytes:
    return lines(
        "Business unit,Year,Net profit",
        'Retail,2024,"$1,250.50"',
        'Wholesale,2024,"($300.25)"',
        'Licensing,2024,"$2,100.00"',
        'Retail,2025,"$1,400.00"',
        'Wholesale,2025,"($120.75)"',
        'Licensing,2025,"$1,900.00"',
    )


def percentages() -> bytes:
    return lines(
        "Hospital,Year,Readmission rate",
        "Alder,2023,12.5 %",
        "Birch,2023,9.0 %",
        "Cedar,2023,15.5 %",
        "Alder,2024,11.0 %",
        "Birch,2024,9.5 %",
        "Cedar,2024,13.0 %",
        "Alder,2025,10.5 %",
        "Birch,2025,8.5 %",
        "Cedar,2025,12.0 %",
    )


def merged_with_subtotals() -> bytes:
    return workbook(
        [
            ["Region", "Product", "Sales (GBP thousand)"],
            ["North", "Chairs", 120],
            [None, "Tables", 200],
            [None, "Lamps", 30],
            ["Subtotal", None, 350],
            ["South", "Chairs", 90],
            [None, "Tables", 60],
            [None, "Lamps", 75],
            ["Subtotal", None, 225],
            ["Grand total", None, 575],
        ],
        merges=("A2:A4", "A6:A8"),
    )


def two_categories() -> bytes:
    return lines(
        "销售地区,产品类别,月份,收入（万元）",
        "华东,家电,2024-01,100",
        "华东,家电,2024-02,120",
        "华东,服装,2024-01,80",
        "华南,家电,2024-01,60",
        "华南,服装,2024-01,90",
        "华南,服装,2024-02,30",
        "西北,家电,2024-01,20",
        "西北,食品,2024-01,45",
        "华东,食品,2024-01,55",
        "华东,食品,2024-01,5",
    )


PRICES = (4.0, 5.0, 6.0, 7.0, 8.0, 9.0, 10.0, 11.0)
UNITS = (200, 190, 185, 160, 150, 120, 118, 90)


def price_and_units() -> bytes:
    names = ["Apricot", "Bramble", "Cassis", "Damson", "Elder", "Fig", "Gooseberry", "Hawthorn"]
    return lines(
        "Product,Price (USD),Units sold",
        *(f"{n} jam,{p:.2f},{u}" for n, p, u in zip(names, PRICES, UNITS, strict=True)),
        "Ivy jam,12.00,n/a",
    )


CITIES = (
    "Aldham",
    "Borough",
    "Corwen",
    "Dunster",
    "Ely",
    "Frome",
    "Goole",
    "Hythe",
    "Ilkley",
    "Jarrow",
    "Kendal",
    "Leek",
    "Malton",
    "Newark",
)


def many_cities() -> bytes:
    return workbook(
        [
            ["City", "Opened on", "Visitors"],
            *[
                [f"City of {name}", date(2020, 1, 1 + at), 1000 * (at + 1) + 7]
                for at, name in enumerate(CITIES)
            ],
        ]
    )


FILES: dict[str, Callable[[], bytes]] = {
    "revenue-by-division.xlsx": header_in_the_third_row,
    "umsatz-filialen.csv": german_decimals,
    "产品线收入.csv": chinese_units,
    "exports.xlsx": wide_years,
    "orders-by-channel.csv": quarters_and_a_year_not_over,
    "deliveries.csv": days_before_months,
    "net-profit.csv": currency_signs,
    "readmissions.csv": percentages,
    "furniture-sales.xlsx": merged_with_subtotals,
    "销售明细.csv": two_categories,
    "jam-prices.csv": price_and_units,
    "museum-visitors.xlsx": many_cities,
}


@cache
def bytes_of(name: str) -> bytes:
    """The bytes of a file, the same each time: a workbook holds the moment it was made."""
    return FILES[name]()
