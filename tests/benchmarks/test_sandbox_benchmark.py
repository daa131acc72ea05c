"""The figures of the sandbox benchmark: what they are taken from, and when they fall short."""

from __future__ import annotations

from pathlib import Path
from tempfile import TemporaryDirectory

import pytest

from benchmarks.sandbox import CHILD, Times, fits, label, lines, measure, shortfalls, verdict
from research.sandbox.backends import backends

GOOD = {
    CHILD: {"cold": Times(start=900, job=1_200)},
    "bwrap": {"cold": Times(start=1_000, job=1_500), "warm": Times(start=60, job=400)},
}


def test_good_figures_are_told_beside_the_child_without_walls() -> None:
    assert shortfalls(GOOD) == []
    assert "0.07 x" in lines(GOOD)[3]
    assert verdict(GOOD) == (
        "warm: 60 ms to the first line of code, 400 ms for a pandas + plotly job,"
        " 0.33 of what a child without walls takes"
    )


@pytest.mark.parametrize(
    ("warm", "said"),
    [
        (Times(start=150, job=400), "150 ms to the first line of code"),
        (Times(start=60, job=1_000), "1000 ms for a warm pandas + plotly job"),
        (Times(start=60, job=900), "the child without walls 800"),
    ],
)
def test_each_figure_that_falls_short_is_named(warm: Times, said: str) -> None:
    beside = 800 if warm.job == 900 else 1_200
    figures = {CHILD: {"cold": Times(900, beside)}, "bwrap": {"cold": warm, "warm": warm}}
    (found,) = shortfalls(figures)
    assert said in found


def test_without_a_backend_the_figures_fall_short() -> None:
    assert shortfalls({CHILD: GOOD[CHILD]}) == ["no backend can be run here"]


def test_a_round_measures_the_best_backend_in_every_state() -> None:
    with TemporaryDirectory() as name:
        folder = Path(name)
        folder.chmod(0o711)
        backend = next((each for each in backends() if fits(each, folder)), None)
        if backend is None:
            pytest.skip("no backend passes here")
        figures = measure({label(backend): backend}, folder, 1)
    child, found = figures[CHILD]["cold"], figures[label(backend)]
    assert 0 < child.start < child.job
    assert 0 < found["warm"].start < found["cold"].start
    assert 0 < found["warm"].job < found["cold"].job
