"""The process that makes pictures and PDF files, apart from the server and within limits.

Drawing and typesetting take what a model wrote, and a report can be made to need any amount of
time or memory. So they run in a child with a clean environment: ``python -m
research.report.press`` reads one job as JSON and writes one file.
"""

from __future__ import annotations

import base64
import json
import logging
import subprocess
import sys
from typing import Any

from research.children import child_environment
from research.errors import ExportError

LOG = logging.getLogger(__name__)

WALL_SECONDS = 120
CPU_SECONDS = 90
MEMORY_MB = 3072
"""Of address space, about half of which is libraries and the stacks of threads."""

_OUT_OF_MEMORY = 3


def press(job: dict[str, Any]) -> bytes:
    """Have ``job`` done by a child process.

    Raises:
        ExportError: It took too long or too much memory, or it failed.
    """
    try:
        done = subprocess.run(
            [sys.executable, "-m", "research.report.press"],
            input=json.dumps(job).encode(),
            capture_output=True,
            timeout=WALL_SECONDS,
            env=child_environment("MPLCONFIGDIR") | {"RAYON_NUM_THREADS": "2"},
            check=False,
        )
    except subprocess.TimeoutExpired as error:
        raise ExportError("report.export_slow") from error
    if done.returncode == 0:
        return done.stdout
    LOG.warning(
        "export ended with %s: %s", done.returncode, done.stderr[-2000:].decode("utf-8", "replace")
    )
    raise _failure(done.returncode)


def draw_pngs(charts: dict[str, dict[str, Any]], language: str) -> dict[str, bytes]:
    """Each chart that can be drawn, as PNG, by its id.

    Args:
        charts: ``figure`` and ``caption`` of each chart, by its id.
        language: For large numbers and dates.

    Raises:
        ExportError: As :func:`press`.
    """
    if not charts:
        return {}
    pictures = json.loads(press({"kind": "pngs", "charts": charts, "language": language}))
    return {chart_id: base64.b64decode(data) for chart_id, data in pictures.items()}


def _failure(status: int) -> ExportError:
    import signal

    if status == -getattr(signal, "SIGXCPU", 0):
        return ExportError("report.export_slow")
    if status in (_OUT_OF_MEMORY, -signal.SIGABRT, -getattr(signal, "SIGKILL", 9)):
        return ExportError("report.export_large")
    return ExportError("report.export_failed")


# ---------------------------------------------------------------- in the child


def _limit() -> None:
    try:
        import resource
    except ImportError:  # Windows has no such limits; the deadline holds there too.
        return
    resource.setrlimit(resource.RLIMIT_CPU, (CPU_SECONDS, CPU_SECONDS + 5))
    resource.setrlimit(resource.RLIMIT_AS, (MEMORY_MB << 20, MEMORY_MB << 20))
    resource.setrlimit(resource.RLIMIT_CORE, (0, 0))


def _pngs(job: dict[str, Any]) -> bytes:
    from research.report.charts import draw

    pictures = {}
    for chart_id, chart in job["charts"].items():
        picture = draw(chart["figure"], "png", job["language"], chart["caption"])
        if picture:
            pictures[chart_id] = base64.b64encode(picture).decode()
    return json.dumps(pictures).encode()


def _main() -> int:
    _limit()
    try:
        job = json.loads(sys.stdin.buffer.read())
        if job["kind"] == "pngs":
            made = _pngs(job)
        else:
            from research.report.typeset import typeset

            made = typeset(job)
    except MemoryError:
        return _OUT_OF_MEMORY
    sys.stdout.buffer.write(made)
    return 0


if __name__ == "__main__":
    sys.exit(_main())
