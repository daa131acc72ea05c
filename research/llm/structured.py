"""Answers of a given shape: asked for, repaired, and asked for again with what was wrong."""

from __future__ import annotations

import json
from typing import TypeVar

from pydantic import BaseModel, ValidationError

from research.agents.prompts import render
from research.errors import BadModelOutputError
from research.llm.client import RESTART, Complete, Completion, OnText
from research.llm.repair import parse
from research.llm.shape import fit, strict
from research.models import Usage

Shape = TypeVar("Shape", bound=BaseModel)

ASKS = 3
QUOTED_CHARACTERS = 4_000
"""How much of a broken answer the model is shown again."""
PROBLEMS = 6
"""How many of its faults it is told."""


async def complete_json(
    complete: Complete,
    messages: list[dict[str, str]],
    *,
    model: str,
    shape: type[Shape],
    max_tokens: int | None = None,
    on_text: OnText | None = None,
) -> tuple[Shape, Usage]:
    """Have ``model`` answer ``messages`` with a value of ``shape``.

    The endpoint is given the schema in the strictest form it takes, and the model is told it in
    words. What comes back is repaired where only its form is off. Where something is missing or
    wrong, the model is told what and asked again: nothing is dropped in silence.

    Args:
        complete: :meth:`ModelClient.complete`, or what stands for it.
        messages: The last one is the user's.
        model: Its name at the endpoint.
        shape: What the answer has to be.
        max_tokens: Bound on the length of each answer.
        on_text: Takes the JSON text as it comes; ``RESTART`` before it is written anew.

    Returns:
        The value, and the usage of all calls that it took.

    Raises:
        BadModelOutputError: No usable answer in three.
        ModelError: As :meth:`ModelClient.complete`.
    """
    schema = shape.model_json_schema()
    asked = _with_instruction(messages, schema)
    usage = Usage()
    for ask in range(1, ASKS + 1):
        answer = await complete(
            asked, model=model, schema=strict(schema), max_tokens=max_tokens, on_text=on_text
        )
        usage += answer.usage
        try:
            return _read(answer, shape, last=ask == ASKS), usage
        except ValueError as error:
            problem = _in_words(error)
        asked = _with_retry(_with_instruction(messages, schema), answer.text, problem)
        if on_text and ask < ASKS:
            on_text(RESTART)
    raise BadModelOutputError("llm.bad_output", model=model, tries=ASKS)


def _read(answer: Completion, shape: type[Shape], *, last: bool) -> Shape:
    """The value in an answer.

    An answer without its end is taken only as the last, and only when the model itself thought it
    finished: some never write the last bracket.

    Raises:
        ValueError: There is none, or it does not fit.
    """
    parsed = parse(answer.text)
    if not parsed.whole and not (last and answer.finish != "length"):
        raise ValueError("the answer was cut off before its end")
    return shape.model_validate(fit(parsed.value, shape.model_json_schema()))


def _in_words(error: ValueError) -> str:
    if not isinstance(error, ValidationError):
        return str(error)
    faults = [
        f"{'.'.join(str(part) for part in fault['loc']) or 'answer'}: {fault['msg']}"
        for fault in error.errors(include_url=False, include_input=False)
    ]
    return "; ".join(faults[:PROBLEMS])


def _with_instruction(messages: list[dict[str, str]], schema: dict) -> list[dict[str, str]]:
    """The shape goes into the last message: not every endpoint takes two of one role in a row."""
    instruction = render("structured_output", schema=json.dumps(schema, ensure_ascii=False))
    last = messages[-1]
    return [*messages[:-1], {**last, "content": f"{last['content']}\n\n{instruction}"}]


def _with_retry(asked: list[dict[str, str]], text: str, problem: str) -> list[dict[str, str]]:
    retry = render("structured_retry", problem=problem)
    return [
        *asked,
        {"role": "assistant", "content": text[:QUOTED_CHARACTERS]},
        {"role": "user", "content": retry},
    ]
