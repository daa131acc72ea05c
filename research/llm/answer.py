"""One answer under way: the request is accepted, its text comes in pieces."""

from __future__ import annotations

import asyncio
import time
from collections.abc import AsyncIterator
from typing import TYPE_CHECKING, Any

from research.llm.failures import AttemptError, broken, failures, not_an_endpoint, stalled
from research.llm.thoughts import ThoughtFilter
from research.llm.tokens import count_tokens

if TYPE_CHECKING:
    from openai import AsyncOpenAI, AsyncStream
    from openai.types.chat import ChatCompletionChunk


class Answer:
    """A streamed answer, from its first token on.

    Attributes:
        text: What was said so far, without what was thought aloud.
        finish: Why the model stopped; empty while it has not.
        tokens: Prompt and completion tokens; None where the endpoint did not say.
        first_after: Seconds from the request to the first token.
    """

    def __init__(self, stream: AsyncStream[ChatCompletionChunk], host: str, model: str) -> None:
        self.text = ""
        self.finish = ""
        self.model = model
        self.tokens: tuple[int, int] | None = None
        self.first_after = 0.0
        self._stream = stream
        self._chunks = aiter(stream)
        self._host = host
        self._filter = ThoughtFilter()
        self._thought = 0
        self._unread = ""

    @classmethod
    async def open(cls, sdk: AsyncOpenAI, body: dict[str, Any]) -> Answer:
        """Send the request and wait for the first token, spoken or thought.

        Raises:
            AttemptError: The endpoint refused, or the stream broke or ended before that.
        """
        began = time.monotonic()
        host, model = sdk.base_url.host, body["model"]
        with failures(host, model):
            stream = await sdk.chat.completions.create(**body)
        answer = cls(stream, host, model)
        try:
            if "text/html" in stream.response.headers.get("content-type", ""):
                raise not_an_endpoint(host)
            while not (answer._unread or answer._thought or answer.finish):
                if not await answer._take():
                    raise broken(host)
        except BaseException:
            await answer.close()
            raise
        answer.first_after = time.monotonic() - began
        return answer

    async def pieces(self, patience: float) -> AsyncIterator[str]:
        """The text as it comes.

        Args:
            patience: Seconds without a token after which the stream counts as stalled.

        Raises:
            AttemptError: The stream broke, stalled, or ended before the model had finished.
        """
        more = True
        while more:
            piece = self._filter.feed(self._unread)
            self._unread = ""
            if piece:
                self.text += piece
                yield piece
            try:
                async with asyncio.timeout(patience):
                    more = await self._take()
            except (TimeoutError, AttemptError) as trouble:
                if not self.finish:  # afterwards only the token count may be missing
                    raise (
                        trouble if isinstance(trouble, AttemptError) else stalled(self._host)
                    ) from None
                more = False
        if not self.finish:
            raise broken(self._host)
        if rest := self._filter.rest():
            self.text += rest
            yield rest

    @property
    def completion_tokens(self) -> int:
        """What came so far, as the endpoint counts it or else by estimate."""
        return self.tokens[1] if self.tokens else count_tokens(self.text) + self._thought

    async def close(self) -> None:
        """Give the connection back; safe to call twice."""
        await self._stream.close()

    async def _take(self) -> bool:
        """Take in one chunk; False when there is none any more."""
        with failures(self._host, self.model):
            chunk = await anext(self._chunks, None)
        if chunk is None:
            return False
        if chunk.usage:
            self.tokens = (chunk.usage.prompt_tokens, chunk.usage.completion_tokens)
        self.model = chunk.model or self.model
        for choice in chunk.choices[:1]:
            delta = choice.delta
            # A form feed would read as RESTART.
            self._unread += (delta.content or delta.refusal or "").replace("\f", " ")
            # Not in OpenAI's own shape: reasoning that some endpoints send beside the answer.
            thought = getattr(delta, "reasoning_content", None) or getattr(delta, "reasoning", None)
            self._thought += count_tokens(thought) if isinstance(thought, str) else 0
            self.finish = choice.finish_reason or self.finish
        return True
