"""Runs model-written Python where it can do no harm.

The rules for code that runs inside: the working directory is a scratch folder; each table is
``data/NAME.parquet`` (read-only), described in ``data/manifest.json``; ``out/NAME.json`` written
with ``fig.write_json`` is a chart and ``out/NAME.csv`` beside it holds its figures (a CSV alone is
a result table); what was found is printed. pandas, numpy and plotly are there, a network and other
processes are not.

The way of a job: :mod:`box` takes a locked-in worker from :mod:`pool`, fills its :mod:`folder`, and
has :mod:`process` run it under :mod:`watch`; when its processes are dead :mod:`artefacts` reads
what they left. :mod:`backends` builds the walls, :mod:`canary` tries them out, and
:mod:`description` tells the user about them.
"""

from __future__ import annotations

from pathlib import Path

from research.errors import SandboxUnavailableError
from research.sandbox.backends import Backend, backends
from research.sandbox.box import Sandbox
from research.sandbox.canary import Trial, choose
from research.sandbox.description import Description, describe, unavailable
from research.sandbox.job import Artefact, Job, Result
from research.settings import SandboxLimits

__all__ = [
    "Artefact",
    "Description",
    "Job",
    "Result",
    "Sandbox",
    "Trial",
    "describe",
    "open_sandbox",
]


def open_sandbox(
    limits: SandboxLimits,
    scratch: Path,
    cache: Path,
    candidates: tuple[Backend, ...] | None = None,
    jobs: int = 2,
) -> Sandbox:
    """The sandbox with the best backend that passes its self-test on this machine.

    The first start on a machine takes a few seconds for the self-test.

    Args:
        limits: What one job may use.
        scratch: Folder for the jobs' files; made if it is not there.
        cache: Folder for the result of the self-test, ``sandbox.json``; made if it is not there.
        candidates: The backends to try, the best first; None for all there are.
        jobs: How many run at once at most.

    Raises:
        SandboxUnavailableError: None passes: code can be shown, not run.
        OSError: The disk is full or ``scratch`` cannot be written.
    """
    tried = backends(limits.container) if candidates is None else candidates
    backend = choose(tried, scratch, cache).backend
    if backend is None:
        raise SandboxUnavailableError(unavailable().key)
    return Sandbox(backend, limits, scratch, jobs)
