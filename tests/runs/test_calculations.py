"""What the coder step makes of code that fails, of odd charts, and of numbers found before."""

from __future__ import annotations

import json
import re
import shutil
from collections.abc import Callable
from functools import partial
from pathlib import Path

import pytest

from research.calculations import Calculation
from research.errors import RunError, SandboxUnavailableError
from research.i18n import notice_text
from research.knowledge.readers import Correction
from research.models import Finding, RunStatus, StepStatus
from research.report.credits import credit
from research.runs.recomputing import Comparison
from research.runs.service import RunService
from research.sandbox import open_sandbox
from research.settings import SandboxLimits
from tests.runs.conftest import ACCEPT, QUESTION, Open, model_settings
from tests.servers.model import Request
from tests.servers.server import Server

SALES = b"Region,Year,Revenue\nNorth,2024,100.5\nNorth,2025,120\nSouth,2024,80\nSouth,2025,90\n"

READ = """\
import pandas as pd
import plotly.express as px

frame = pd.read_parquet("data/sales.parquet")
sums = frame.groupby("Region", as_index=False)["Revenue"].sum()
"""
KEYS = """\
total = sums.Revenue.sum()
pd.DataFrame(
    [["Revenue of all", total, "USD", "2024 to 2025"]], columns=["name", "value", "unit", "period"]
).to_csv("out/key_figures.csv", index=False)
print(f"Together all regions had a revenue of {total} USD.")
"""
BAR = """\
figure = px.bar(sums, x="Region", y="Revenue", title="Revenue by region")
figure.update_layout(meta={"alt": "North is ahead of South."})
figure.write_json("out/regions.json")
sums.to_csv("out/regions.csv", index=False)
"""
WHOLE = READ + KEYS + BAR


def is_coder(request: Request) -> bool:
    return request.prompt.startswith("You write Python")


def coded(*versions: str) -> Callable[[Request], str | None]:
    """The coder's answers in turn, the last one for ever; everybody else does as always."""
    left = list(versions)

    def answer(request: Request) -> str | None:
        if not is_coder(request):
            return None
        return f"```python\n{left.pop(0) if len(left) > 1 else left[0]}\n```"

    return answer


@pytest.fixture(scope="session")
def tried(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A data folder in which the sandbox has passed its self-test, and nothing else."""
    home = tmp_path_factory.mktemp("tried")
    open_sandbox(SandboxLimits(), scratch=home / "scratch", cache=home / "cache").close()
    return home


@pytest.fixture
def empty(tried: Path, tmp_path: Path, opened: Open, server: Server) -> RunService:
    """A service whose library holds nothing."""
    home = tmp_path / "home"
    shutil.copytree(tried / "cache", home / "cache")
    return opened(model_settings(home, server))


@pytest.fixture
def service(empty: RunService) -> RunService:
    """A service whose library holds one small table."""
    empty.library.add("sales.csv", SALES)
    return empty


def finding_of(service: RunService, run_id: str) -> Finding:
    """That of the processing step."""
    findings = [step.finding for step in service.view(run_id).steps.values()]
    return next(one for one in findings if one and one.code)


def calculation_of(service: RunService, run_id: str) -> Calculation:
    (calculation,) = service.evidence(run_id).calculations.values()
    return calculation


def carried_out(service: RunService, server: Server, *versions: str) -> str:
    server.model.script = coded(*versions)
    run_id = service.start(QUESTION, ACCEPT)
    service.wait(run_id)
    return run_id


def again(service: RunService, run_id: str) -> Comparison:
    calculation = calculation_of(service, run_id)
    return service.run_again(run_id, calculation.id).result(60)


def said(comparison: Comparison) -> str:
    return "\n".join(notice_text(notice, "en") for notice in comparison.notices)


def test_the_coder_is_told_what_the_table_holds_and_never_all_of_it(
    empty: RunService, server: Server
) -> None:
    rows = "".join(f"{'NS'[n % 3 > 1]},{2000 + n % 25},{n / 10}\n" for n in range(3_000))
    empty.library.add("sales.csv", b"Region,Year,Revenue\n" + rows.encode())
    carried_out(empty, server, WHOLE)
    prompt = next(request.prompt for request in server.model.requests if is_coder(request))
    assert "Region (text): 2 distinct; most frequent: N (2000), S (1000)" in prompt
    assert re.search(r"Revenue \(number\): 3000 distinct; from 0 to 299.9; mean 149.95, ", prompt)
    assert "N | 2001 | 0.1\n" in prompt
    assert "S | 2024 | 299.9\n" in prompt
    assert "| 150\n" not in prompt
    assert len(prompt) < 14_000


def test_code_that_fails_is_mended_with_its_error_before_it(
    service: RunService, server: Server
) -> None:
    run_id = carried_out(service, server, "raise KeyError('Umsatz')", WHOLE)
    assert service.report(run_id).complete
    asked = [request.prompt for request in server.model.requests if is_coder(request)]
    assert len(asked) == 2
    assert "KeyError: 'Umsatz'" in asked[1]
    assert "raise KeyError('Umsatz')" in asked[1]
    assert "Umsatz" not in calculation_of(service, run_id).code


def test_after_three_failures_the_report_says_that_and_why_and_the_code_is_shown(
    service: RunService, server: Server
) -> None:
    run_id = carried_out(service, server, "raise KeyError('Umsatz')")
    assert service.run(run_id).status is RunStatus.PARTIAL  # type: ignore[union-attr]
    finding = finding_of(service, run_id)
    assert finding.status is StepStatus.FAILED
    assert "KeyError('Umsatz')" in finding.code
    told = [notice_text(notice, "en") for notice in service.report(run_id).notices]
    assert any("failed 3 times" in line and "KeyError: 'Umsatz'" in line for line in told)
    assert service.evidence(run_id).calculations == {}


def test_a_number_of_the_report_leads_to_code_input_and_output(
    service: RunService, server: Server
) -> None:
    run_id = carried_out(service, server, WHOLE)
    evidence = service.evidence(run_id)
    calculation = calculation_of(service, run_id)
    (table,) = service.library.tables()
    (given,) = calculation.inputs
    assert (given.id, given.name, given.rows) == (table.id, "sales", 4)
    assert re.fullmatch("[0-9a-f]{64}", given.sha256)
    assert [(one.name, one.value, one.unit) for one in calculation.key_figures] == [
        ("Revenue of all", 390.5, "USD")
    ]
    assert calculation.backend and set(calculation.versions) >= {"python", "pandas", "plotly"}
    (passage_id,) = finding_of(service, run_id).passage_ids
    passage, source = evidence.cited(passage_id) or (None, None)
    assert passage and source and source.id == calculation.id
    assert "a revenue of 390.5 USD" in passage.text
    claims = [one for one in service.report(run_id).claims if passage_id in one.passage_ids]
    assert any("390.5" in claim.text for claim in claims)
    assert not any(claim.missing for claim in claims)


def test_what_was_not_explained_is_listed_and_result_tables_follow(
    service: RunService, server: Server
) -> None:
    silent = READ + KEYS.replace("print", "str") + 'sums.to_csv("out/by_region.csv", index=False)\n'
    server.model.script = lambda request: (
        f"```python\n{silent}```"
        if is_coder(request)
        else "It was computed."
        if request.prompt.startswith("You explain what a calc")
        else None
    )
    run_id = service.start(QUESTION, ACCEPT)
    service.wait(run_id)
    explain = next(r.prompt for r in server.model.requests if "explain what a calc" in r.prompt)
    assert "Revenue of all | 390.5 | USD | 2024 to 2025" in explain
    assert "North | 220.5" in explain
    finding = finding_of(service, run_id)
    mark = f"[^{finding.passage_ids[0]}]"
    assert f"- Revenue of all, 2024 to 2025: 390.5 USD {mark}" in finding.text
    assert f"| North | 220.5 {mark} |" in finding.text


def test_a_chart_without_titles_is_sent_back_once_and_then_completed(
    service: RunService, server: Server
) -> None:
    bare = (
        READ
        + KEYS
        + (
            'figure = px.bar(sums, x="Region", y="Revenue")\n'
            "figure.update_layout(xaxis_title=None, yaxis_title=None)\n"
            'figure.write_json("out/regions.json")\nsums.to_csv("out/regions.csv", index=False)\n'
        )
    )
    run_id = carried_out(service, server, bare)
    asked = [request.prompt for request in server.model.requests if is_coder(request)]
    assert len(asked) == 2
    assert "out/regions.json has no title." in asked[1]
    assert "no title on its y axis" in asked[1]
    (chart,) = service.evidence(run_id).charts.values()
    layout = chart.figure["layout"]
    assert layout["xaxis"]["title"]["text"] == "Region"
    assert layout["yaxis"]["title"]["text"] == "Revenue"
    step = next(one.step for one in service.view(run_id).steps.values() if one.charts)
    assert layout["title"]["text"] == chart.title == step.title
    assert "2 values, from 170 (South) to 220.5 (North)" in chart.alt
    assert credit(chart, service.evidence(run_id), "en") == "Source: sales.csv"


def test_a_version_that_only_lost_its_charts_does_not_replace_the_one_that_ran(
    service: RunService, server: Server
) -> None:
    bare = WHOLE.replace(', title="Revenue by region"', "")
    run_id = carried_out(service, server, bare, "raise KeyError('Umsatz')")
    assert service.report(run_id).complete
    assert "Umsatz" not in finding_of(service, run_id).code
    assert service.evidence(run_id).charts
    keys = {notice.key for notice in finding_of(service, run_id).notices}
    assert "coder.chart_faults_left" in keys


def test_a_map_becomes_a_table_and_the_report_says_so(service: RunService, server: Server) -> None:
    world = (
        READ
        + KEYS
        + (
            'figure = px.choropleth(locations=["FRA", "DEU"], color=[7, 9], title="On a map")\n'
            'figure.write_json("out/world.json")\n'
        )
    )
    run_id = carried_out(service, server, world)
    assert service.evidence(run_id).charts == {}
    finding = finding_of(service, run_id)
    assert "**On a map**" in finding.text
    assert re.search(r"\| FRA \| 7 \[", finding.text)
    told = [notice_text(notice, "en") for notice in service.report(run_id).notices]
    assert any("“On a map” is of a kind that not every file can show" in line for line in told)


def test_without_a_table_the_numbers_of_earlier_steps_are_computed_on(
    empty: RunService, server: Server
) -> None:
    service = empty
    text = b"# Freight\n\nThe harbour of Aberg handled 41.2 million tonnes of freight in 2024. "
    service.library.add("freight.md", text + b"It handled 38.0 million tonnes in 2023.")
    code = (
        "import pandas as pd\n"
        'found = pd.read_parquet("data/findings.parquet")\n'
        'by = found[found.unit == "tonnes"].groupby("period")["value"].max()\n'
        "print(f\"Growth: {(by['2024'] / by['2023'] - 1) * 100:.1f} %\")\n"
    )
    plan = {
        "title": "Freight",
        "thought": "",
        "has_enough_context": False,
        "steps": [
            {**STEP, "title": "Find the tonnes", "queries": ["freight tonnes Aberg"]},
            {**STEP, "title": "Compute growth", "type": "processing"},
        ],
        "dependencies": [{"step": 2, "needs": 1}],
    }

    def script(request: Request) -> str | None:
        if request.prompt.startswith("You plan research"):
            return json.dumps(plan)
        if request.prompt.startswith("You are a researcher"):
            return (
                "Aberg handled 41.2 million tonnes in 2024 [1]. It was 38.0 million tonnes in "
                "2023 [1]. It will be 99 million tonnes in 2030 [1]."
            )
        return coded(code)(request)

    server.model.script = script
    run_id = service.start("How did freight at Aberg grow?", ACCEPT)
    assert service.wait(run_id) is RunStatus.COMPLETE
    calculation = calculation_of(service, run_id)
    assert [(one.value, one.period) for one in calculation.found] == [
        (41_200_000, "2024"),
        (38_000_000, "2023"),
    ], "a number that its passage does not hold is no number to compute on"
    assert calculation.output == "Growth: 8.4 %"
    prompt = next(request.prompt for request in server.model.requests if is_coder(request))
    assert "data/findings.parquet" in prompt
    assert "41200000" in prompt
    finding = finding_of(service, run_id)
    passages = {one.passage_id for one in calculation.found}
    assert passages < set(finding.passage_ids)
    assert all(f"[^{one}]" in finding.text for one in passages)
    comparison = again(service, run_id)
    assert comparison.agrees
    assert said(comparison) == "Same result: the one number agrees."


STEP = {
    "title": "",
    "description": "",
    "type": "research",
    "needs_web": False,
    "queries": [],
    "tables": [],
}


def test_the_same_calculation_agrees_when_it_is_run_again(
    service: RunService, server: Server
) -> None:
    run_id = carried_out(service, server, WHOLE)
    comparison = again(service, run_id)
    assert comparison.agrees
    # One key figure, two bars and the number that was printed.
    assert said(comparison) == "Same result: 4 numbers agree."


def test_a_table_that_was_corrected_since_is_named_with_what_differs(
    service: RunService, server: Server
) -> None:
    every = "print(f\"All: {frame.select_dtypes('number').sum().sum():.1f} in numbers.\")\n"
    run_id = carried_out(service, server, WHOLE + every)
    (table,) = service.library.tables()
    service.library.correct_table(table.id, Correction(types={"Year": "text"}))
    comparison = again(service, run_id)
    assert not comparison.agrees
    assert "has been changed since" in said(comparison)
    (difference,) = comparison.differences
    assert (difference.name, difference.was, difference.now) == (
        "All: … in numbers.",
        "8488.5",
        "390.5",
    )


def test_numbers_that_differ_are_told_with_what_they_were(
    service: RunService, server: Server
) -> None:
    drifting = WHOLE + "import os\nprint(f'Drawn: {int.from_bytes(os.urandom(6))} balls')\n"
    run_id = carried_out(service, server, drifting)
    comparison = again(service, run_id)
    assert not comparison.agrees
    (difference,) = comparison.differences
    assert difference.name == "Drawn: … balls"
    assert difference.was != difference.now
    assert "1 of 5 figures differ" in said(comparison)


def test_a_table_that_is_gone_is_named_and_nothing_is_run(
    service: RunService, server: Server
) -> None:
    run_id = carried_out(service, server, WHOLE)
    (document,) = service.library.documents()
    service.library.remove(document.id)
    comparison = again(service, run_id)
    assert not comparison.agrees
    assert "Nothing was run" in said(comparison)
    assert "sales" in said(comparison)


def test_a_run_from_before_calculations_were_kept_opens_and_says_that_it_cannot(
    service: RunService, server: Server
) -> None:
    run_id = carried_out(service, server, WHOLE)
    calculation = calculation_of(service, run_id)
    with service._store._db.write() as database:
        database.execute("DELETE FROM evidence WHERE kind = 'calculation'")
    evidence = service.evidence(run_id)
    (chart,) = evidence.charts.values()
    assert credit(chart, evidence, "zh") == "数据来源：sales.csv"
    with pytest.raises(RunError, match="cannot be run again"):
        service.run_again(run_id, calculation.id).result(10)


def test_without_a_sandbox_nothing_is_run_again_and_the_reason_is_given(
    service: RunService, server: Server, opened: Open, monkeypatch: pytest.MonkeyPatch
) -> None:
    run_id = carried_out(service, server, WHOLE)
    calculation = calculation_of(service, run_id)
    home = service.settings.home
    service.close()
    monkeypatch.setattr(
        "research.runs.surroundings.open_sandbox", partial(open_sandbox, candidates=())
    )
    later = opened(model_settings(home, server))
    with pytest.raises(SandboxUnavailableError):
        later.run_again(run_id, calculation.id).result(30)
