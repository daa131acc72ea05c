"""What a settings or doctor page says about the sandbox."""

from __future__ import annotations

import os
import sys
from dataclasses import dataclass
from pathlib import Path

from research.models import Notice
from research.sandbox.backends import Backend, backends
from research.sandbox.canary import MUST_WORK, Trial, choose
from research.settings import SandboxLimits


@dataclass(frozen=True)
class Description:
    """What is in use, what it does, and how it was chosen."""

    backend: str
    """Empty when none passes."""
    stops: tuple[Notice, ...]
    leaves: tuple[Notice, ...]
    """What it does not stop."""
    trials: tuple[Trial, ...]
    """The backends that were tried, the best first: the last is the one in use, if there is one."""

    @property
    def refused(self) -> tuple[Trial, ...]:
        """The better backends that are not in use; each has its reason."""
        return tuple(trial for trial in self.trials if trial.reason is not None)


def describe(
    limits: SandboxLimits,
    scratch: Path,
    cache: Path,
    candidates: tuple[Backend, ...] | None = None,
) -> Description:
    """What is in use, what it stops, and what the better backends lack.

    Takes the self-test's result from the cache, or runs the self-test; the arguments are those of
    :func:`research.sandbox.open_sandbox`.
    """
    tried = backends(limits.container) if candidates is None else candidates
    choice = choose(tried, scratch, cache)
    backend = choice.backend
    if backend is None:
        return Description("", (), (), choice.trials)
    stops = ("files", "network", "processes", "resources")
    return Description(
        backend=backend.name,
        stops=tuple(Notice(key=f"sandbox.stops_{what}") for what in stops),
        leaves=tuple(Notice(key=f"sandbox.leaves_{what}") for what in _leaves(backend)),
        trials=choice.trials,
    )


def unavailable() -> Notice:
    """What to install where no backend passes on this system."""
    system = {"linux": "unavailable", "darwin": "unavailable_mac"}.get(sys.platform, "other_system")
    return Notice(key=f"sandbox.{system}", level="error")


def outcome(attempt: str, well: bool) -> Notice:
    """How one attempt of a self-test went, in a word or two."""
    if attempt in MUST_WORK:
        return Notice(key="sandbox.attempt_worked" if well else "sandbox.attempt_failed")
    return Notice(key="sandbox.attempt_stopped" if well else "sandbox.attempt_got_out")


def _leaves(backend: Backend) -> list[str]:
    own = {
        "bwrap": [],
        "landlock": ["names"],
        "seatbelt": ["names", "untried", "uncounted"],
        "container": ["engine", "image"],
    }
    leaves = ["kernel", "libraries", *own[backend.name]]
    if backend.name == "landlock" and backend.user is None and os.geteuid() == 0:
        leaves.append("root")
    return leaves
