"""Runs model-written Python where it can do no harm.

The rules for code that runs inside: the working directory is a scratch folder; each table is
``data/NAME.parquet`` (read-only), described in ``data/manifest.json``; ``out/NAME.json`` written
with ``fig.write_json`` is a chart and ``out/NAME.csv`` beside it holds its figures (a CSV alone is
a result table); what was found is printed. pandas, numpy and plotly are there, a network and other
processes are not.

The way of a job: :mod:`box` takes a locked-in worker from :mod:`pool`, fills its :mod:`folder`, and
has :mod:`process` run it under :mod:`watch`; when its processes are dead :mod:`artefacts` reads
what they left. :mod:`backends` builds the walls, :mod:`canary` tries them out.
"""

from __future__ import annotations

import os
import sys
from dataclasses import dataclass
from pathlib import Path

from research.errors import SandboxUnavailableError
from research.models import Notice
from research.sandbox.backends import Backend, backends
from research.sandbox.box import Sandbox
from research.sandbox.canary import Refusal, choose
from research.sandbox.job import Artefact, Job, Result
from research.settings import SandboxLimits

__all__ = [
    "Artefact",
    "Description",
    "Job",
    "Refusal",
    "Result",
    "Sandbox",
    "describe",
    "open_sandbox",
]


@dataclass(frozen=True)
class Description:
    """What a settings or doctor page says about the sandbox."""

    backend: str
    """Empty when none passes."""
    stops: tuple[Notice, ...]
    leaves: tuple[Notice, ...]
    """What it does not stop."""
    refused: tuple[Refusal, ...]
    """The better backends that are not in use, and why."""


def open_sandbox(
    limits: SandboxLimits,
    scratch: Path,
    cache: Path,
    candidates: tuple[Backend, ...] | None = None,
) -> Sandbox:
    """The sandbox with the best backend that passes its self-test on this machine.

    The first start on a machine takes a few seconds for the self-test.

    Args:
        limits: What one job may use.
        scratch: Folder for the jobs' files; made if it is not there.
        cache: Folder for the result of the self-test, ``sandbox.json``; made if it is not there.
        candidates: The backends to try, the best first; None for all there are.

    Raises:
        SandboxUnavailableError: None passes: code can be shown, not run.
        OSError: The disk is full or ``scratch`` cannot be written.
    """
    tried = backends() if candidates is None else candidates
    backend = choose(tried, scratch, cache).backend
    if backend is None:
        system = "sandbox.unavailable" if sys.platform == "linux" else "sandbox.other_system"
        raise SandboxUnavailableError(system)
    return Sandbox(backend, limits, scratch)


def describe(
    scratch: Path, cache: Path, candidates: tuple[Backend, ...] | None = None
) -> Description:
    """What is in use, what it stops, and what the better backends lack.

    Takes the self-test's result from the cache, or runs the self-test; the arguments are those of
    :func:`open_sandbox`.
    """
    choice = choose(backends() if candidates is None else candidates, scratch, cache)
    backend = choice.backend
    if backend is None:
        return Description("", (), (), choice.refused)
    stops = ("files", "network", "processes", "resources")
    leaves = ["kernel", "libraries"]
    if backend.name == "landlock":
        leaves += ["names"] if backend.user is not None or os.geteuid() != 0 else ["names", "root"]
    return Description(
        backend=backend.name,
        stops=tuple(Notice(key=f"sandbox.stops_{what}") for what in stops),
        leaves=tuple(Notice(key=f"sandbox.leaves_{what}") for what in leaves),
        refused=choice.refused,
    )
