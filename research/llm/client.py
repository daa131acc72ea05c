"""The one client for language models: any OpenAI-compatible endpoint, always streamed.

A call is tried again when the endpoint is busy or the connection breaks, asked a second time when
its first token is late, and asked for less when the endpoint does not know a parameter; all of it
within one time limit. What an endpoint can and how fast it is are learned as calls are made.
"""

from __future__ import annotations

import asyncio
import random
from collections.abc import Callable
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Protocol

from research.errors import ConfigurationError, ModelUnreachableError
from research.llm.answer import Answer
from research.llm.dialect import Dialect
from research.llm.failures import AttemptError, empty
from research.llm.hedge import FirstTokens, first_answer
from research.llm.thoughts import without_thoughts
from research.llm.tokens import count_tokens, priced
from research.models import Usage
from research.settings import Settings

if TYPE_CHECKING:
    from openai import AsyncOpenAI

OnText = Callable[[str], None]

RESTART = "\f"
"""Sent alone to ``on_text``: the answer begins anew, and all text before this is void.

Where texts have been joined, what counts is ``joined.rpartition(RESTART)[2]``.
"""

FIRST_WAIT = 0.5
"""Seconds before the second try; doubled for each further one."""
CONNECT_SECONDS = 10.0

PATIENCE_SHARE = 1 / 12
"""The part of the time limit that a stream may stand still: 10 s of 120."""
LATE_SHARE = 1 / 15
"""The part after which a first token is late while nothing is known: 8 s of 120."""


@dataclass(frozen=True)
class Completion:
    """What a model said, without what it thought aloud."""

    text: str
    usage: Usage
    finish: str
    """``stop``, ``length`` when it was cut off, or another word of the endpoint's."""
    model: str


class Complete(Protocol):
    """The call that everything which speaks through a model is given."""

    async def __call__(
        self,
        messages: list[dict[str, str]],
        *,
        model: str,
        schema: dict[str, Any] | None = None,
        max_tokens: int | None = None,
        on_text: OnText | None = None,
    ) -> Completion:
        """See :meth:`ModelClient.complete`."""


@dataclass
class _Call:
    """One call while it is under way."""

    messages: list[dict[str, str]]
    model: str
    schema: dict[str, Any] | None
    max_tokens: int | None
    on_text: OnText | None
    dialect: Dialect
    shown: bool = False
    """Whether text of an answer that may yet fail was given out."""
    lost: int = 0
    """Requests that were accepted and came to nothing: they are paid for all the same."""
    lost_tokens: int = 0

    def show(self, text: str) -> None:
        if self.on_text:
            self.on_text(text)
            self.shown = True

    def restart(self) -> None:
        if self.shown:
            self.show(RESTART)
            self.shown = False


class ModelClient:
    """Speaks to one endpoint; one for the process, used on one event loop.

    Args:
        settings: Endpoint, key, prices, the time limit of a call, and how many calls may be under
            way at once.
    """

    def __init__(self, settings: Settings) -> None:
        self._settings = settings
        self._slots = asyncio.Semaphore(settings.model_calls)
        self._dialects: dict[str, Dialect] = {}
        self._first_tokens: dict[str, FirstTokens] = {}
        self._sdk: AsyncOpenAI | None = None

    async def complete(
        self,
        messages: list[dict[str, str]],
        *,
        model: str,
        schema: dict[str, Any] | None = None,
        max_tokens: int | None = None,
        on_text: OnText | None = None,
    ) -> Completion:
        """Have ``model`` answer ``messages``.

        Args:
            messages: ``role`` and ``content`` of each.
            model: Its name at the endpoint.
            schema: A strict JSON schema for the answer. It is passed on as far as the endpoint
                takes one, so the messages have to ask for JSON too, and the text may still not
                fit it: see :func:`research.llm.structured.complete_json`.
            max_tokens: Bound on the length of the answer.
            on_text: Takes the text as it comes, and :data:`RESTART` when it begins anew.

        Raises:
            ConfigurationError: There is no key.
            WrongKeyError, NoSuchModelError, QuotaError: The endpoint says so.
            ModelUnreachableError: No whole answer within the time limit and the tries.
            BadModelOutputError: The answers were empty.
            ModelError: The endpoint refuses the request for another reason.
        """
        sdk = self._open_sdk()
        dialect = self._dialects.get(model, Dialect())
        call = _Call(messages, model, schema, max_tokens, on_text, dialect)
        limit = self._settings.model_timeout
        async with self._slots:
            try:
                async with asyncio.timeout(limit):
                    return await self._persist(sdk, call)
            except TimeoutError:
                raise ModelUnreachableError(
                    "llm.too_slow", host=sdk.base_url.host, seconds=round(limit)
                ) from None

    async def close(self) -> None:
        """Close the connections."""
        if self._sdk:
            await self._sdk.close()

    def _open_sdk(self) -> AsyncOpenAI:
        """The SDK's client, made on first use because importing it takes seconds."""
        if self._sdk is None:
            import httpx2
            from openai import AsyncOpenAI

            if not self._settings.has_model or self._settings.openai_api_key is None:
                raise ConfigurationError("llm.no_key")
            self._sdk = AsyncOpenAI(
                api_key=self._settings.openai_api_key.get_secret_value().strip(),
                base_url=self._settings.openai_base_url,
                max_retries=0,
                timeout=httpx2.Timeout(self._settings.model_timeout, connect=CONNECT_SECONDS),
            )
        return self._sdk

    async def _persist(self, sdk: AsyncOpenAI, call: _Call) -> Completion:
        """Try until there is an answer, or no hope or time for one."""
        now = asyncio.get_running_loop().time
        deadline = now() + self._settings.model_timeout
        tries = 0
        while True:
            body = call.dialect.body(call.messages, call.model, call.schema, call.max_tokens)
            try:
                return await self._attempt(sdk, call, body)
            except AttemptError as failure:
                call.restart()
                if failure.complaint and (poorer := call.dialect.without(failure.complaint, body)):
                    call.dialect = poorer
                    continue
                wait = FIRST_WAIT * 2**tries if failure.wait is None else failure.wait
                wait *= random.uniform(1.0, 1.25)
                tries += 1
                if tries >= failure.tries or now() + wait >= deadline:
                    raise failure.error from None
            await asyncio.sleep(wait)

    async def _attempt(self, sdk: AsyncOpenAI, call: _Call, body: dict[str, Any]) -> Completion:
        """One try, with a second request beside it when the first token is late."""
        timings = self._first_tokens.setdefault(
            call.model, FirstTokens(self._settings.model_timeout * LATE_SHARE)
        )
        answer, given_up = await first_answer(
            lambda: Answer.open(sdk, body), timings.late_after, self._slots
        )
        timings.saw(answer.first_after)
        call.lost += given_up
        if call.dialect != Dialect():
            self._dialects[call.model] = call.dialect
        try:
            async for piece in answer.pieces(self._settings.model_timeout * PATIENCE_SHARE):
                call.show(piece)
            return self._completion(call, answer)
        except AttemptError:
            call.lost += 1
            call.lost_tokens += answer.completion_tokens
            raise
        finally:
            await answer.close()

    def _completion(self, call: _Call, answer: Answer) -> Completion:
        """The finished call.

        Raises:
            AttemptError: It has no text; the next try goes without a bound on the length, because
                thinking may have used all of it up.
        """
        text = answer.text
        if "<think>" not in text and "</think>" in text:
            # The opening tag was part of the endpoint's own template.
            text = without_thoughts(text)
            call.restart()
            call.show(text)
        if not text.strip():
            call.max_tokens = None
            raise empty(call.model)
        prompt = count_tokens("".join(m["content"] for m in call.messages))
        counted = answer.tokens or (prompt, answer.completion_tokens)
        usage = priced(
            1 + call.lost,
            counted[0] * (1 + call.lost),
            counted[1] + call.lost_tokens,
            self._settings.prices.get(call.model),
        )
        return Completion(text=text, usage=usage, finish=answer.finish, model=answer.model)
