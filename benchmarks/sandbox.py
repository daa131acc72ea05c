"""How long model-written code waits for its sandbox, beside a child process without any walls.

Two moments count: when the first line of the job's code runs, and when the result of a job with
pandas and plotly is there. Cold is a sandbox that was only just opened; warm has a spare worker
that waits. The child imports the same libraries and does the same work. All of it is measured in
turn, in one run: times depend on the machine, their ratios much less.

    python benchmarks/sandbox.py [--quick] [--check]

``--quick`` takes the median of fewer rounds.
"""

from __future__ import annotations

import argparse
import asyncio
import os
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable, Mapping
from contextlib import closing
from dataclasses import dataclass
from pathlib import Path
from statistics import median

ROOT = Path(__file__).resolve().parents[1]
sys.path.insert(0, str(ROOT))

from research.i18n import notice_text  # noqa: E402
from research.models import Column, Table  # noqa: E402
from research.sandbox import Job, Sandbox  # noqa: E402
from research.sandbox.backends import Backend, backends  # noqa: E402
from research.sandbox.canary import self_test  # noqa: E402
from research.sandbox.watch import descendants  # noqa: E402
from research.settings import SandboxLimits  # noqa: E402

ROUNDS, QUICK_ROUNDS = 7, 3
MOST_START_MS = 150.0
MOST_JOB_MS = 1_000.0
REST = 0.3
"""Seconds without any work after which a spare worker is taken to be ready."""
CHILD = "unconfined"

FIRST_LINE = "import time; print(time.monotonic())\n"
WORK = """
import pandas as pd
import plotly.express as px

frame = pd.read_parquet("data/sales.parquet")
sums = frame.groupby("region", as_index=False)["sales"].sum()
px.bar(sums, x="region", y="sales", title="Sales").write_json("out/sales.json")
sums.to_csv("out/sales.csv", index=False)
print(len(frame), sums["sales"].sum())
"""


@dataclass(frozen=True)
class Times:
    """Milliseconds from the start to the first line of the code, and to the result of the job."""

    start: float
    job: float


Figures = Mapping[str, Mapping[str, Times]]
"""By ``unconfined`` or the backend's name, and then by ``cold`` or ``warm``."""


def main() -> int:
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawTextHelpFormatter
    )
    parser.add_argument("--quick", action="store_true", help="be done within 60 s")
    parser.add_argument("--check", action="store_true", help="exit 1 where a figure falls short")
    asked = parser.parse_args()
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        folder.chmod(0o711)  # another user's worker has to reach its own folder in it
        usable = {label(backend): backend for backend in backends() if fits(backend, folder)}
        figures = measure(usable, folder, QUICK_ROUNDS if asked.quick else ROUNDS)
    for line in lines(figures):
        print(line)
    short = shortfalls(figures)
    if asked.check and short:
        print("falls short: " + "; ".join(short))
    print(verdict(figures))
    return 1 if asked.check and short else 0


def label(backend: Backend) -> str:
    """The backend as it is named in the figures."""
    return backend.name if backend.user is None else f"{backend.name} as user {backend.user}"


def fits(backend: Backend, folder: Path) -> bool:
    """Whether the backend passes its self-test here; says so where it does not."""
    reason = self_test(backend, folder)
    if reason is not None:
        print(f"{label(backend)} is not measured: {notice_text(reason, 'en')}")
    return reason is None


def measure(usable: Mapping[str, Backend], folder: Path, rounds: int) -> Figures:
    """The median times of each backend and of the child without walls, taken in turn."""
    table = sales(folder)
    taken: dict[tuple[str, str], list[Times]] = {}
    for _ in range(rounds):
        taken.setdefault((CHILD, "cold"), []).append(child(table, folder))
        for name, backend in usable.items():
            cold, warm = confined(backend, table, folder)
            taken.setdefault((name, "cold"), []).append(cold)
            taken.setdefault((name, "warm"), []).append(warm)
    figures: dict[str, dict[str, Times]] = {}
    for (name, state), times in taken.items():
        middle = Times(median(one.start for one in times), median(one.job for one in times))
        figures.setdefault(name, {})[state] = middle
    return figures


def confined(backend: Backend, table: Table, folder: Path) -> tuple[Times, Times]:
    """The times of a sandbox just opened, and of one with a spare worker."""

    def opened() -> Sandbox:
        return Sandbox(backend, SandboxLimits(), folder / "scratch", jobs=1)

    with closing(opened()) as box:
        start = timed_start(box)
        rest()
        warm_start = timed_start(box)
        rest()
        warm_job = timed_job(box, table)
    with closing(opened()) as box:
        job = timed_job(box, table)
    return Times(start, job), Times(warm_start, warm_job)


def timed_start(box: Sandbox) -> float:
    """Milliseconds to the first line of a job's code, by the machine's one monotonic clock."""
    began = time.monotonic()
    result = asyncio.run(box.run(Job(FIRST_LINE)))
    assert result.ok, result.error
    return (float(result.stdout) - began) * 1_000


def timed_job(box: Sandbox, table: Table) -> float:
    """Milliseconds to the result of a job with pandas and plotly."""
    began = time.monotonic()
    result = asyncio.run(box.run(Job(WORK, (table,))))
    seconds = time.monotonic() - began
    assert result.ok, result.error
    assert result.charts, result.notices
    return seconds * 1_000


def child(table: Table, folder: Path) -> Times:
    """The times of a plain child process, with the libraries that a worker has imported."""
    with tempfile.TemporaryDirectory(dir=folder) as name:
        place = Path(name)
        for part in ("data", "out"):
            (place / part).mkdir()
        (place / "data" / "sales.parquet").write_bytes(Path(table.path).read_bytes())
        code = f"import pandas\nimport plotly.express\n{FIRST_LINE}{WORK}"
        began = time.monotonic()
        done = subprocess.run(
            [sys.executable, "-I", "-c", code], cwd=place, capture_output=True, check=True
        )
        seconds = time.monotonic() - began
    first = float(done.stdout.split()[0])
    return Times((first - began) * 1_000, seconds * 1_000)


def rest() -> None:
    """Wait until no child process of this one computes any more: the spare worker is ready."""
    wait_until_still(lambda: sum(map(ticks, descendants(os.getpid()))))


def wait_until_still(work: Callable[[], int]) -> None:
    """Wait until ``work`` has not grown for a while."""
    done, since = work(), time.monotonic()
    while time.monotonic() - since < REST:
        time.sleep(REST / 10)
        if (now := work()) != done:
            done, since = now, time.monotonic()


def ticks(pid: int) -> int:
    """CPU time that a process has used, in the kernel's ticks; 0 when it is gone."""
    try:
        fields = Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()
    except OSError:
        return 0
    return int(fields[11]) + int(fields[12])


def sales(folder: Path) -> Table:
    """A table of ten thousand rows."""
    import pandas as pd

    count = 10_000
    path = folder / "sales.parquet"
    rows = {
        "region": [f"R{i % 12}" for i in range(count)],
        "sales": [i * 0.5 for i in range(count)],
    }
    pd.DataFrame(rows).to_parquet(path)
    return Table(
        id="sales",
        source_id="benchmark",
        name="sales",
        title="Sales",
        columns=(Column(name="region", type="text"), Column(name="sales", type="number")),
        rows=count,
        path=str(path),
    )


def lines(figures: Figures) -> list[str]:
    """The figures as a table, each with its ratio to the child's."""
    beside = figures[CHILD]["cold"]
    found = [f"{'':28}  first line of code       pandas + plotly job"]
    for name, states in figures.items():
        for state, times in states.items():
            found.append(
                f"{name + ', ' + state:28}"
                f"  {times.start:7.0f} ms ({times.start / beside.start:5.2f} x)"
                f"   {times.job:7.0f} ms ({times.job / beside.job:5.2f} x)"
            )
    return found


def shortfalls(figures: Figures) -> list[str]:
    """What falls short of what is wanted, in a sentence each."""
    beside = figures[CHILD]["cold"]
    warm = {name: states["warm"] for name, states in figures.items() if name != CHILD}
    found = [] if warm else ["no backend can be run here"]
    for name, times in warm.items():
        if times.start >= MOST_START_MS:
            found.append(
                f"{name}: {times.start:.0f} ms to the first line of code on a warm worker,"
                f" and less than {MOST_START_MS:.0f} are wanted"
            )
        if times.job >= MOST_JOB_MS:
            found.append(
                f"{name}: {times.job:.0f} ms for a warm pandas + plotly job,"
                f" and less than {MOST_JOB_MS:.0f} are wanted"
            )
        if times.job > beside.job:
            found.append(
                f"{name}: a warm job takes {times.job:.0f} ms,"
                f" and the child without walls {beside.job:.0f}"
            )
    return found


def verdict(figures: Figures) -> str:
    """The figures that count, of the slowest backend, in one line."""
    beside = figures[CHILD]["cold"]
    warm = [states["warm"] for name, states in figures.items() if name != CHILD]
    if not warm:
        return "no sandbox"
    start, job = max(times.start for times in warm), max(times.job for times in warm)
    return (
        f"warm: {start:.0f} ms to the first line of code, {job:.0f} ms for a pandas + plotly job,"
        f" {job / beside.job:.2f} of what a child without walls takes"
    )


if __name__ == "__main__":
    sys.exit(main())
