"""The call ledger: a finished outside call is never made twice, whatever happens to the process.

Each call is filed under the place in the graph it was made from and what was asked, and kept
before its value is used. A run that is resumed walks the same way again and finds the answers.
"""

from __future__ import annotations

import hashlib
import json
from collections.abc import Iterator
from contextlib import contextmanager
from contextvars import ContextVar
from dataclasses import asdict, dataclass, replace
from typing import Any

from research.runs.store import RunStore


@dataclass(frozen=True)
class Scope:
    """Where in the graph a call is made from.

    The round and the attempt belong to it: without them an answer that led to a bad plan would be
    found again for ever.
    """

    node: str = ""
    step: str = ""
    round: int = 0
    attempt: int = 0


_scope: ContextVar[Scope] = ContextVar("scope", default=Scope())  # noqa: B039 - it is frozen


def current_scope() -> Scope:
    """The scope of the code that is running."""
    return _scope.get()


@contextmanager
def scoped(**changes: Any) -> Iterator[None]:
    """Run a block, and the tasks it starts, in a scope changed by ``changes``."""
    token = _scope.set(replace(_scope.get(), **changes))
    try:
        yield
    finally:
        _scope.reset(token)


class Ledger:
    """The finished calls of one run."""

    def __init__(self, store: RunStore, run_id: str) -> None:
        self._store = store
        self._run_id = run_id

    def key(self, kind: str, request: Any) -> str:
        """The name of a call made from the current scope.

        Args:
            kind: What is called, e.g. ``model``.
            request: All that the answer depends on, as JSON.
        """
        called = [asdict(current_scope()), kind, request]
        body = json.dumps(called, sort_keys=True, ensure_ascii=False)
        return hashlib.sha256(body.encode()).hexdigest()

    def kept(self, key: str) -> Any | None:
        """What a finished call returned, or None when it was not made yet."""
        return self._store.call(self._run_id, key)

    def keep(self, key: str, value: Any) -> None:
        """Keep what a call returned; to be done before anybody uses it."""
        self._store.keep_call(self._run_id, key, value)
