"""Makes the two sample documents: ``python samples/make_samples.py``.

The figures are written down once, below. The CSV holds them by quarter; the report reads its
tables and its chart from that CSV, so the two can never disagree. The same input gives the same
bytes, so the files can be committed.
"""

from __future__ import annotations

import csv
import sys
from importlib.util import find_spec
from pathlib import Path

HERE = Path(__file__).parent
FIGURES = HERE / "meridian-revenue-by-region.csv"
REPORT = HERE / "meridian-annual-report-2025.pdf"
SOURCE = HERE / "annual_report.typ"

YEARS = (2023, 2024, 2025)

REVENUE = {  # millions of US dollars a year
    "North America": (412.6, 428.9, 455.3),
    "EMEA": (318.4, 297.1, 341.8),
    "Greater China": (176.2, 189.5, 171.9),
    "Rest of Asia Pacific": (121.7, 143.2, 168.4),
    "Latin America": (58.3, 61.0, 66.7),
}
OPERATING_INCOME = {
    "North America": (72.2, 74.6, 83.8),
    "EMEA": (46.2, 33.9, 52.6),
    "Greater China": (29.1, 31.8, 23.5),
    "Rest of Asia Pacific": (15.8, 20.0, 26.1),
    "Latin America": (6.4, 6.6, 7.6),
}
PRICE = {  # thousands of US dollars for one instrument, service included
    "North America": (14.2, 14.3, 14.8),
    "EMEA": (13.6, 13.9, 14.1),
    "Greater China": (11.8, 11.6, 10.7),
    "Rest of Asia Pacific": (11.1, 11.2, 11.4),
    "Latin America": (12.4, 12.3, 12.5),
}
USUAL_YEAR = (0.232, 0.246, 0.251, 0.271)
"""Share of each quarter in a year's revenue."""
UNUSUAL_YEARS = {
    ("EMEA", 2024): (0.268, 0.176, 0.259, 0.297),  # the Rostock plant stood still in Q2
    ("EMEA", 2025): (0.221, 0.244, 0.259, 0.276),
    ("Greater China", 2025): (0.271, 0.254, 0.241, 0.234),
    ("Rest of Asia Pacific", 2025): (0.222, 0.242, 0.258, 0.278),
}


def quarters(total: float, shares: tuple[float, ...]) -> list[float]:
    """Split ``total`` by ``shares``, in tenths that add up to it exactly."""
    tenths = [round(total * share * 10) for share in shares[:-1]]
    return [part / 10 for part in (*tenths, round(total * 10) - sum(tenths))]


def write_figures() -> None:
    """Write the CSV: one row for each region, year and quarter."""
    with FIGURES.open("w", encoding="utf-8", newline="") as file:
        writer = csv.writer(file, lineterminator="\n")
        writer.writerow(
            ["region", "year", "quarter", "revenue_musd", "operating_income_musd", "units_sold"]
        )
        for region, revenue in REVENUE.items():
            for index, year in enumerate(YEARS):
                shares = UNUSUAL_YEARS.get((region, year), USUAL_YEAR)
                income = quarters(OPERATING_INCOME[region][index], shares)
                for quarter, sales in enumerate(quarters(revenue[index], shares)):
                    units = round(sales * 1000 / PRICE[region][index])
                    writer.writerow(
                        [region, year, f"Q{quarter + 1}", sales, income[quarter], units]
                    )


def write_report() -> None:
    """Set the report with Typst, in Noto Sans from the ``manimgx-fonts`` wheel."""
    import typst

    fonts = find_spec("manimgx_fonts")
    if fonts is None or fonts.origin is None:
        sys.exit("Install manimgx-fonts: the report is set in the Noto fonts it carries.")
    typst.compile(
        SOURCE,
        output=REPORT,
        root=HERE,
        font_paths=[Path(fonts.origin).parent],
        ignore_system_fonts=True,
        timestamp=1773100800,  # 10 March 2026, the day the report is dated
    )


if __name__ == "__main__":
    write_figures()
    write_report()
