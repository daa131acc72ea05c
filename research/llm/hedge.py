"""Asking a second time beside a request whose first token is late."""

from __future__ import annotations

import asyncio
from collections import deque
from collections.abc import Awaitable, Callable
from statistics import median

from research.llm.answer import Answer

LATE_BY = 2.0
"""Seconds over the usual time to the first token after which a request counts as late."""
REMEMBERED = 25


class FirstTokens:
    """How long one model usually takes to its first token.

    Args:
        guess: Seconds after which a token is late, before anything is known.
    """

    def __init__(self, guess: float) -> None:
        self._guess = guess
        self._seen: deque[float] = deque(maxlen=REMEMBERED)

    @property
    def late_after(self) -> float:
        """Seconds after which the next first token is late."""
        return median(self._seen) + LATE_BY if self._seen else self._guess

    def saw(self, seconds: float) -> None:
        """Learn from one request."""
        self._seen.append(seconds)


async def first_answer(
    ask: Callable[[], Awaitable[Answer]], late_after: float, slots: asyncio.Semaphore
) -> tuple[Answer, int]:
    """The answer that gives a token first; another request is made when the first is late.

    Args:
        ask: Makes one request.
        late_after: Seconds.
        slots: A second request is made only where one is free.

    Returns:
        The answer, and how many requests were given up for it.

    Raises:
        AttemptError: Every request failed; the failure of the first.
    """
    racers = [asyncio.ensure_future(ask())]
    winner = None
    borrowed = False
    try:
        await asyncio.wait(racers, timeout=late_after)
        if not racers[0].done() and not slots.locked():
            borrowed = await slots.acquire()
            racers.append(asyncio.ensure_future(ask()))
        while winner is None:
            running = [racer for racer in racers if not racer.done()]
            winner = next((racer for racer in racers if _succeeded(racer)), None)
            if winner is None and not running:
                return racers[0].result(), 0
            if winner is None:
                await asyncio.wait(running, return_when=asyncio.FIRST_COMPLETED)
        return winner.result(), len(racers) - 1
    finally:
        for racer in racers:
            if racer is not winner:
                await _give_up(racer)
        if borrowed:
            slots.release()


def _succeeded(racer: asyncio.Future[Answer]) -> bool:
    return racer.done() and not racer.cancelled() and racer.exception() is None


async def _give_up(racer: asyncio.Future[Answer]) -> None:
    racer.cancel()
    (outcome,) = await asyncio.gather(racer, return_exceptions=True)
    if isinstance(outcome, Answer):
        await outcome.close()
