"""What a model call costs: tokens counted where the endpoint does not say, and their price."""

from __future__ import annotations

from research.models import Usage
from research.settings import Price

FIRST_WIDE = "\u2e80"
"""From here on a character is Chinese, Japanese, Korean or an emoji."""


def count_tokens(text: str) -> int:
    """About how many tokens ``text`` is: four letters each, or one wide character each."""
    wide = sum(char >= FIRST_WIDE for char in text)
    return wide + (len(text) - wide + 3) // 4


def priced(calls: int, prompt: int, completion: int, price: Price | None) -> Usage:
    """The usage of ``calls`` calls with this many tokens altogether.

    Args:
        calls: Requests that the endpoint accepted.
        prompt: Tokens that were sent.
        completion: Tokens that came back.
        price: Of the model; None counts as free.
    """
    cost = (prompt * price.prompt + completion * price.completion) / 1e6 if price else 0.0
    return Usage(calls=calls, prompt_tokens=prompt, completion_tokens=completion, cost=cost)
