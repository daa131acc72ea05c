"""A scripted language model behind OpenAI's chat completions, with latency and faults.

What it says is, in this order: the next of ``queue``, what ``script`` makes of the request, what
``brain.respond`` does. Every request is kept in ``requests``.
"""

from __future__ import annotations

import asyncio
import json
import threading
import time
from collections import deque
from collections.abc import AsyncIterator, Callable
from dataclasses import dataclass, field
from typing import Any

from starlette.requests import Request as HttpRequest
from starlette.responses import JSONResponse, Response, StreamingResponse
from starlette.routing import Route

from tests.servers import brain

PIECE = 12
"""Characters in a streamed chunk."""


@dataclass
class Answer:
    """What the model does with one request."""

    text: str = ""
    status: int = 200
    """Any other one gives an error with ``text`` as its message and ``code`` as its code."""
    code: str = ""
    headers: dict[str, str] = field(default_factory=dict)
    first_token_s: float | None = None
    tokens_per_s: float | None = None
    thought: str = ""
    """Reasoning that is sent beside the answer, before it."""
    finish: str = "stop"
    cut_after: int | None = None
    """Characters after which the connection breaks."""
    stall_after: int | None = None
    """Characters after which nothing more comes."""
    media_type: str = "text/event-stream"


@dataclass
class Request:
    """One request as it was received, and what became of it."""

    number: int
    """From 1."""
    body: dict[str, Any]
    key: str
    started: float
    ended: float | None = None
    outcome: str = ""
    """``answered``, ``cut``, ``gone`` when the client left, or the status of an error."""
    text: str = ""

    @property
    def prompt(self) -> str:
        """All messages, one after another."""
        return "\n\n".join(str(message["content"]) for message in self.body["messages"])


class ScriptedModel:
    """The model; its attributes may be changed at any time."""

    def __init__(self) -> None:
        self._changed = threading.Condition()
        self._released = False
        self.reset()

    def reset(self) -> None:
        """Forget the script and the log."""
        self.queue: deque[Answer | str] = deque()
        self.script: Callable[[Request], Answer | str | None] = lambda request: None
        self.requests: list[Request] = []
        self.first_token_s = 0.01
        self.tokens_per_s = 4000.0
        self.usage = True
        """Whether it counts tokens when it is asked to."""
        self.refuses: set[str] = set()
        """Parameters, or types of ``response_format``, that it answers with status 400."""

    def say(self, *answers: Answer | str) -> None:
        """Queue the answers to the next requests."""
        self.queue.extend(answers)

    def wait_until(self, met: Callable[[], bool], seconds: float = 10.0) -> bool:
        """Wait until ``met``, looked at after everything that happens here."""
        with self._changed:
            return self._changed.wait_for(met, seconds)

    def release(self) -> None:
        """End every stall."""
        self._released = True

    def routes(self) -> list[Route]:
        """The endpoint."""
        return [
            Route("/v1/chat/completions", self._complete, methods=["POST"]),
            Route("/v1/models", self._models),
        ]

    async def _models(self, http: HttpRequest) -> Response:
        return JSONResponse({"object": "list", "data": [{"id": "scripted", "object": "model"}]})

    async def _complete(self, http: HttpRequest) -> Response:
        body = await http.json()
        key = http.headers.get("authorization", "").removeprefix("Bearer ")
        with self._changed:
            request = Request(len(self.requests) + 1, body, key, time.monotonic())
            self.requests.append(request)
            self._changed.notify_all()
        if refused := self._refused(body):
            return self._error(request, 400, f"Unsupported parameter: '{refused}'", "unsupported")
        answer = self._answer(request)
        if answer.status != 200:
            return self._error(request, answer.status, answer.text, answer.code, answer.headers)
        return StreamingResponse(self._stream(request, answer), media_type=answer.media_type)

    def _refused(self, body: dict[str, Any]) -> str | None:
        used = {*body, body.get("response_format", {}).get("type", "")}
        return next(iter(sorted(self.refuses & used)), None)

    def _answer(self, request: Request) -> Answer:
        said = self.queue.popleft() if self.queue else self.script(request)
        if said is None:
            said = brain.respond(request.body)
        return Answer(said) if isinstance(said, str) else said

    def _error(
        self,
        request: Request,
        status: int,
        message: str,
        code: str,
        headers: dict[str, str] | None = None,
    ) -> Response:
        self._end(request, str(status))
        error = {"message": message or "scripted", "type": "scripted", "param": None, "code": code}
        return JSONResponse({"error": error}, status, headers)

    def _end(self, request: Request, outcome: str) -> None:
        with self._changed:
            request.outcome, request.ended = outcome, time.monotonic()
            self._changed.notify_all()

    async def _stream(self, request: Request, answer: Answer) -> AsyncIterator[bytes]:
        first, rate = answer.first_token_s, answer.tokens_per_s
        try:
            yield _chunk(request, {"role": "assistant", "content": ""})
            await self._rest(self.first_token_s if first is None else first)
            if answer.thought:
                yield _chunk(request, {"reasoning_content": answer.thought})
            for start in range(0, len(answer.text), PIECE):
                if answer.stall_after is not None and start >= answer.stall_after:
                    await self._rest(3600)
                if answer.cut_after is not None and start >= answer.cut_after:
                    self._end(request, "cut")
                    raise ConnectionError("cut on purpose")
                await self._rest(PIECE / 4 / (rate or self.tokens_per_s))
                request.text = answer.text[: start + PIECE]
                yield _chunk(request, {"content": answer.text[start : start + PIECE]})
            yield _chunk(request, {}, finish=answer.finish)
            if self.usage and request.body.get("stream_options"):
                yield _chunk(request, None, usage=_usage(request))
            yield b"data: [DONE]\n\n"
            self._end(request, "answered")
        finally:
            if not request.outcome:
                self._end(request, "gone")

    async def _rest(self, seconds: float) -> None:
        end = time.monotonic() + seconds
        while not self._released and (left := end - time.monotonic()) > 0:
            await asyncio.sleep(min(left, 0.1))


def _chunk(
    request: Request,
    delta: dict[str, Any] | None,
    finish: str | None = None,
    usage: dict[str, int] | None = None,
) -> bytes:
    choice = {"index": 0, "delta": delta, "finish_reason": finish}
    chunk = {
        "id": f"chatcmpl-{request.number}",
        "object": "chat.completion.chunk",
        "created": 0,
        "model": request.body["model"],
        "choices": [] if delta is None else [choice],
        "usage": usage,
    }
    return f"data: {json.dumps(chunk, ensure_ascii=False)}\n\n".encode()


def _usage(request: Request) -> dict[str, int]:
    prompt, completion = len(request.prompt) // 4, len(request.text) // 4
    return {
        "prompt_tokens": prompt,
        "completion_tokens": completion,
        "total_tokens": prompt + completion,
    }
