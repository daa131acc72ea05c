"""How a worker is started inside walls, one module a kind of wall."""

from __future__ import annotations

import os
import sys

from research.sandbox.backends.bwrap import Bwrap
from research.sandbox.backends.container import Container
from research.sandbox.backends.landlock import Landlock
from research.sandbox.backends.launch import NOBODY, Backend, BackendName, Launch
from research.sandbox.backends.seatbelt import Seatbelt

__all__ = [
    "NOBODY",
    "Backend",
    "BackendName",
    "Bwrap",
    "Container",
    "Landlock",
    "Launch",
    "Seatbelt",
    "backends",
]


def backends(image: str = "") -> tuple[Backend, ...]:
    """What can be tried here, the strongest first.

    A root app makes its workers another user where that user can reach the interpreter and the
    scratch folder. Where it cannot (both often lie under a closed ``/root``) they stay root, but
    without a single capability: then Landlock and seccomp alone stand between them and root's
    files.

    Args:
        image: Of the container to try after all others; empty for none.
    """
    if sys.platform == "darwin":
        return (Seatbelt(),)
    if sys.platform != "linux":
        return ()
    users = (NOBODY, None) if os.geteuid() == 0 else (None,)
    own: list[Backend] = [Bwrap(), *(Landlock(user=user) for user in users)]
    return (*own, Container.of(image)) if image else tuple(own)
