"""Doing several things at once, so that none outlives the failure of another."""

from __future__ import annotations

import asyncio
from collections.abc import Iterable
from typing import Any


async def together(tasks: Iterable[asyncio.Task[Any]]) -> list[Any]:
    """The results of ``tasks``, in their order.

    Raises:
        BaseException: The first error of any, as it is (a task group would wrap it), once every
            other task has been cancelled and has ended.
    """
    tasks = list(tasks)
    try:
        return await asyncio.gather(*tasks)
    except BaseException:
        for task in tasks:
            task.cancel()
        await asyncio.gather(*tasks, return_exceptions=True)
        raise
