"""The main job, measured: how much of a run's time is not spent waiting for its calls.

One run on the sample documents with the scripted model of the tests, at the pace of a hosted one.
Its wall time is set against the longest chain of calls that did not overlap: what is left over
is our own work between calls. The same question is then answered without a key.

    python benchmarks/main_job.py [--quick] [--check]
"""

from __future__ import annotations

import argparse
import sys
import tempfile
import time
from collections.abc import Iterable
from pathlib import Path

ROOT = Path(__file__).resolve().parents[1]
sys.path.insert(0, str(ROOT))

from research.models import RunOptions, RunStatus  # noqa: E402
from research.runs.service import RunService  # noqa: E402
from research.runs.view import CallView, RunView  # noqa: E402
from research.settings import Settings  # noqa: E402
from tests.servers.server import serve  # noqa: E402

QUESTION = "How did revenue by region change, and why?"
MOST_RATIO = 1.10
MOST_SECONDS = 60.0


def run(settings: Settings) -> RunView:
    """The sample question on the sample documents, from a fresh data folder."""
    service = RunService(settings)
    try:
        for path in sorted((ROOT / "samples").glob("meridian-*")):
            service.library.add(path.name, path.read_bytes())
        service.surroundings.sandbox().warm()
        run_id = service.start(QUESTION, RunOptions(accept_plan=True, use_web=False))
        status = service.wait(run_id)
        assert status is RunStatus.COMPLETE, status
        return service.view(run_id)
    finally:
        service.close()


def longest_chain(calls: Iterable[CallView]) -> float:
    """Seconds of the longest chain of calls of which each began after the one before had ended."""
    best: list[tuple[float, float]] = []
    for call in sorted(calls, key=lambda call: call.started + (call.seconds or 0)):
        before = max((chain for end, chain in best if end <= call.started + 0.002), default=0.0)
        best.append((call.started + (call.seconds or 0), before + (call.seconds or 0)))
    return max(chain for _, chain in best)


def with_model(quick: bool) -> tuple[float, float]:
    """Wall time and longest chain of a run with the scripted model."""
    with serve() as server, tempfile.TemporaryDirectory() as home:
        server.model.first_token_s = 0.4
        server.model.tokens_per_s = 240.0 if quick else 80.0
        settings = Settings(
            home=Path(home),
            openai_api_key="sk-benchmark",
            openai_base_url=server.model_url,
            model="scripted",
        )
        view = run(settings)
    return view.worked(view.time), longest_chain(view.calls.values())


def without_key() -> float:
    """Seconds of the same job without a key, reading the documents included."""
    with tempfile.TemporaryDirectory() as home:
        began = time.monotonic()
        run(Settings(home=Path(home), openai_api_key=None))
        return time.monotonic() - began


def main() -> int:
    """Measure, print, and judge when asked to."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--quick", action="store_true", help="a faster model; done in a minute")
    parser.add_argument("--check", action="store_true", help="exit 1 where a figure falls short")
    asked = parser.parse_args()
    wall, chain = with_model(asked.quick)
    alone = without_key()
    ratio = wall / chain
    print(f"with a model: wall {wall:.2f} s, longest chain of calls {chain:.2f} s")
    print(f"without a key: {alone:.2f} s of at most {MOST_SECONDS:.0f} s")
    short = [
        words
        for words, enough in (
            (f"wall / chain is over {MOST_RATIO}", ratio <= MOST_RATIO),
            (f"without a key it took over {MOST_SECONDS:.0f} s", alone <= MOST_SECONDS),
        )
        if not enough
    ]
    for words in short if asked.check else ():
        print(f"falls short: {words}")
    print(f"wall / longest chain: {ratio:.3f}")
    return 1 if asked.check and short else 0


if __name__ == "__main__":
    sys.exit(main())
