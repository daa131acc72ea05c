"""What honest code gets and gives back."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from pydantic import TypeAdapter

from research.errors import SandboxError
from research.models import Table
from research.sandbox import Job, Result
from tests.sandbox.conftest import Run

CHART = """
import json
import pandas as pd
import plotly.express as px

manifest = json.load(open("data/manifest.json"))
frame = pd.read_parquet(manifest[0]["file"])
sums = frame.groupby("region", as_index=False)["revenue"].sum()
fig = px.bar(sums, x="region", y="revenue", title="Revenue <b>by region</b>")
fig.update_layout(meta={"alt": "South leads"})
fig.write_json("out/revenue.json")
sums.to_csv("out/revenue.csv", index=False)
frame.to_csv("out/all.csv", index=False)
print(json.dumps(manifest))
"""


@pytest.fixture(scope="module")
def chart(run: Run, revenue: Table) -> Result:
    return run(CHART, revenue)


def test_a_chart_comes_back_with_the_rows_behind_it(chart: Result) -> None:
    assert (chart.ok, chart.error, chart.notices) == (True, "", ())
    (made,) = chart.charts
    assert (made.name, made.title) == ("revenue", "Revenue  by region")
    assert made.columns == ("region", "revenue")
    assert made.rows == (("South", 52.5), ("北", 10.5))
    assert made.figure is not None
    assert made.figure["data"][0]["y"] == [52.5, 10.5]
    assert made.figure["layout"]["meta"] == {"alt": "South leads"}


def test_a_csv_without_a_chart_is_a_table(chart: Result) -> None:
    (table,) = chart.tables
    assert (table.name, table.columns) == ("all", ("region", "year", "revenue"))
    assert table.rows[3] == ("South", 2, 31.5)


def test_a_result_survives_json(chart: Result) -> None:
    adapter = TypeAdapter(Result)
    assert adapter.validate_json(adapter.dump_json(chart)) == chart


def test_code_runs_as_a_script_with_threads_and_common_libraries(run_best: Run) -> None:
    result = run_best(
        """
import dataclasses, datetime, statistics, tempfile, zoneinfo
from concurrent.futures import ThreadPoolExecutor
import numpy as np, pandas as pd, plotly.graph_objects as go

@dataclasses.dataclass
class Point:
    x: int

if __name__ == "__main__":
    with ThreadPoolExecutor(4) as pool:
        print(list(pool.map(lambda x: x * x, range(4))), Point(3))
    print(round(float(np.linalg.inv(np.eye(50) * 2).trace())))
    print(pd.date_range("2024-01-31", periods=2, freq="ME", tz="Asia/Shanghai")[1])
    with tempfile.TemporaryFile() as file:
        file.write(b"x")
    go.Figure(go.Scatter(x=[1, 2], y=np.array([1.5, np.nan]))).write_json("out/gaps.json")
    raise SystemExit(0)
"""
    )
    assert result.error == ""
    assert result.stdout.splitlines() == [
        "[0, 1, 4, 9] Point(x=3)",
        "25",
        "2024-02-29 00:00:00+08:00",
    ]
    assert result.charts[0].figure is not None
    assert result.charts[0].figure["data"][0]["y"] == [1.5, None]


def test_a_syntax_error_is_told_with_its_line(run_best: Run) -> None:
    result = run_best("x = 1\nprint('a'\n")
    assert not result.ok
    assert 'File "code.py", line 2' in result.error
    assert result.error.endswith("SyntaxError: '(' was never closed")


def test_a_table_that_is_gone_is_named(run_best: Run, revenue: Table) -> None:
    gone = revenue.model_copy(update={"path": revenue.path + ".gone"})
    with pytest.raises(SandboxError, match="“revenue_by_region” is gone"):
        run_best("", gone)


def test_the_manifest_describes_each_table(chart: Result) -> None:
    assert json.loads(chart.stdout) == [
        {
            "file": "data/revenue_by_region.parquet",
            "name": "revenue_by_region",
            "title": "Revenue by region",
            "columns": [
                {"name": "region", "type": "text", "unit": ""},
                {"name": "year", "type": "number", "unit": ""},
                {"name": "revenue", "type": "number", "unit": ""},
            ],
            "rows": 4,
            "totals": [],
        }
    ]


def test_an_exception_is_told_with_its_line_and_its_cause_and_without_host_paths(
    run: Run, scratch: Path, revenue: Table
) -> None:
    result = run(
        """
import os, sys
import pandas as pd

print(os.path.abspath("x.txt"), os.listdir("out"))
sys.stderr.write(os.__file__)

def load():
    return pd.read_parquet("data/revenue_by_region.parquet")["turnover"]

try:
    load()
except KeyError as error:
    raise ValueError("no turnover") from error
""",
        revenue,
    )
    assert not result.ok
    assert 'File "code.py", line 9, in load' in result.error
    assert 'return pd.read_parquet("data/revenue_by_region.parquet")["turnover"]' in result.error
    assert 'File "pandas/' in result.error
    assert "KeyError: 'turnover'" in result.error
    assert result.error.endswith("ValueError: no turnover")
    assert (result.stdout, result.stderr) == ("x.txt []\n", "os.py")
    for hidden in ("worker.py", str(scratch), "/lib/python"):
        assert hidden not in result.error


def test_a_message_at_exit_is_the_error(run_best: Run) -> None:
    result = run_best("import sys\nprint('\ud800 \\ud800')\nsys.exit('no data')")
    assert (result.ok, result.error) == (False, "SystemExit: no data")
    assert result.stdout == "? \\ud800\n"


def test_a_table_name_never_reaches_another_folder(revenue: Table) -> None:
    for name in ("../x", "a/b", "", ".hidden", "x\0"):
        with pytest.raises(SandboxError, match="cannot be used as a file name"):
            Job("", (revenue.model_copy(update={"name": name}),))
