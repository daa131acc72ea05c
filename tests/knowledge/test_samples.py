from __future__ import annotations

import shutil
import subprocess
import sys
import tomllib
from pathlib import Path

import pandas as pd
import pytest

from tests.knowledge import making
from tests.knowledge.conftest import FIGURES, REPORT, SAMPLES

FACTS = tomllib.loads((SAMPLES / "facts.toml").read_text("utf-8"))["fact"]


def test_the_script_makes_the_same_samples_again(tmp_path: Path) -> None:
    for name in ("make_samples.py", "annual_report.typ"):
        shutil.copy(SAMPLES / name, tmp_path / name)
    subprocess.run([sys.executable, str(tmp_path / "make_samples.py")], check=True)
    assert (tmp_path / FIGURES.name).read_bytes() == FIGURES.read_bytes()
    assert (tmp_path / REPORT.name).read_bytes() == REPORT.read_bytes()


def test_the_table_of_the_report_equals_the_figures(tmp_path: Path) -> None:
    reading = making.read(tmp_path, REPORT.name, REPORT.read_bytes())
    [table] = [b.text for b in reading.blocks if b.text.startswith("Revenue by region, USD")]
    frame = pd.read_csv(FIGURES)
    totals = frame.groupby(["region", "year"], sort=False)["revenue_musd"].sum().unstack()
    for region, years in totals.iterrows():
        row = " | ".join(f"{value:,.1f}" for value in years)
        assert f"\n| {region} | {row} |" in table
    group = " | ".join(f"{value:,.1f}" for value in totals.sum())
    assert f"\n| Group | {group} |" in table


@pytest.mark.parametrize("fact", FACTS, ids=[fact["question"] for fact in FACTS])
def test_a_fact_stands_where_it_says(fact: dict[str, str | int], pages: dict[int, str]) -> None:
    if "page" in fact:
        assert str(fact["answer"]) in pages[int(fact["page"])]
    else:
        line = FIGURES.read_text("utf-8").splitlines()[int(fact["rows"])]
        assert line == "EMEA,2024,Q2,52.3,6.0,3763"


@pytest.fixture(scope="module")
def pages(tmp_path_factory: pytest.TempPathFactory) -> dict[int, str]:
    reading = making.read(tmp_path_factory.mktemp("pages"), REPORT.name, REPORT.read_bytes())
    text: dict[int, str] = {}
    for block in reading.blocks:
        assert block.page is not None
        text[block.page] = text.get(block.page, "") + block.text + "\n"
    return text
