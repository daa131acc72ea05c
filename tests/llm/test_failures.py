"""What a call to a model does when something goes wrong."""

from __future__ import annotations

import asyncio
import socket
import time
from datetime import UTC, datetime, timedelta
from email.utils import format_datetime

import pytest

from research.errors import (
    ConfigurationError,
    ModelError,
    ModelUnreachableError,
    NoSuchModelError,
    QuotaError,
    WrongKeyError,
)
from research.llm.client import RESTART, ModelClient
from research.llm.failures import retry_after
from tests.llm.conftest import KEY, Run
from tests.servers import Answer, Server

ASK = [{"role": "user", "content": "How much freight was there?"}]
LONG = "The port handled 41.2 million tonnes of freight in 2024, more than ever."


async def _ask(client: ModelClient) -> str:
    return (await client.complete(ASK, model="m")).text


@pytest.mark.parametrize("status", [408, 429, 500, 503])
def test_a_busy_endpoint_is_asked_again(server: Server, run: Run, status: int) -> None:
    server.model.say(Answer("busy", status=status), "Forty.")
    assert run(_ask) == "Forty."


def test_the_endpoint_is_left_alone_for_as_long_as_it_asks(server: Server, run: Run) -> None:
    server.model.say(Answer("busy", status=429, headers={"retry-after-ms": "900"}), "Forty.")
    run(_ask)
    first, second = server.model.requests
    assert second.started - (first.ended or 0) >= 0.9


def test_retry_after_is_read_as_seconds_or_as_a_date() -> None:
    soon = format_datetime(datetime.now(UTC) + timedelta(seconds=30), usegmt=True)
    assert retry_after({"retry-after": "2"}) == 2.0
    assert 28 <= (retry_after({"retry-after": soon}) or 0) <= 30
    assert retry_after({"retry-after": "whenever"}) is None
    assert retry_after({}) is None


def test_a_wait_that_goes_beyond_the_time_limit_is_not_begun(server: Server, run: Run) -> None:
    server.model.say(Answer("busy", status=429, headers={"retry-after": "3000"}))
    began = time.monotonic()
    with pytest.raises(ModelUnreachableError, match="overloaded or limits requests"):
        run(_ask, model_timeout=20)
    assert time.monotonic() - began < 5
    assert len(server.model.requests) == 1


def test_a_cut_stream_is_read_anew_and_the_reader_is_told(server: Server, run: Run) -> None:
    server.model.say(Answer(LONG, cut_after=36), LONG)
    pieces: list[str] = []

    async def ask(client: ModelClient) -> object:
        return await client.complete(ASK, model="m", on_text=pieces.append)

    completion = run(ask)
    assert completion.text == LONG
    assert pieces.count(RESTART) == 1
    before, _, after = "".join(pieces).partition(RESTART)
    assert LONG.startswith(before) and before and after == LONG
    assert completion.usage.calls == 2
    assert completion.usage.completion_tokens > len(LONG) // 4


def test_a_stream_that_stands_still_is_read_anew(server: Server, run: Run) -> None:
    server.model.say(Answer(LONG, stall_after=36), LONG)
    assert run(_ask, model_timeout=9) == LONG
    assert server.model.wait_until(lambda: server.model.requests[0].outcome == "gone")


def test_an_answer_that_takes_too_long_is_given_up(server: Server, run: Run) -> None:
    server.model.script = lambda request: Answer(LONG, first_token_s=60)
    began = time.monotonic()
    with pytest.raises(ModelUnreachableError, match="no whole answer within 1 seconds"):
        run(_ask, model_timeout=1)
    assert time.monotonic() - began < 3


def test_an_endpoint_that_is_not_there_is_named_without_the_key(run: Run) -> None:
    with socket.create_server(("127.0.0.1", 0)) as listener:
        port = listener.getsockname()[1]
    with pytest.raises(ModelUnreachableError, match="could not be reached") as caught:
        run(_ask, openai_base_url=f"http://127.0.0.1:{port}/v1", model_timeout=2)
    assert KEY not in str(caught.value) and caught.value.__cause__ is None


@pytest.mark.parametrize(
    ("answer", "error", "says"),
    [
        (Answer("no", status=401), WrongKeyError, "check OPENAI_API_KEY"),
        (Answer("no", status=403), WrongKeyError, "check OPENAI_API_KEY"),
        (Answer("no", status=404), NoSuchModelError, "does not offer the model “m”"),
        (Answer("The model `m` does not exist", status=400), NoSuchModelError, "“m”"),
        (Answer("pay", status=402), QuotaError, "no credit or quota left"),
        (Answer("x", status=429, code="insufficient_quota"), QuotaError, "no credit or quota"),
        (Answer("maximum context length is 9 tokens", status=400), ModelError, "longer than"),
        (Answer("weird", status=418), ModelError, "status 418: weird"),
        (Answer("<html>", media_type="text/html"), ModelError, "usually ends in /v1"),
    ],
)
def test_what_cannot_be_helped_is_said_at_once(
    server: Server, run: Run, answer: Answer, error: type[ModelError], says: str
) -> None:
    server.model.say(answer)
    with pytest.raises(error, match=says) as caught:
        run(_ask)
    assert len(server.model.requests) == 1
    assert caught.value.sentence("zh") != caught.value.sentence("en")


def test_a_refusal_is_quoted_shortly_and_without_keys(server: Server, run: Run) -> None:
    said = f"Incorrect value for {KEY}. " + "x" * 1000
    server.model.script = lambda request: Answer(said, status=400)
    with pytest.raises(ModelError) as caught:
        run(_ask)
    assert KEY not in str(caught.value) and len(str(caught.value)) < 350


def test_without_a_key_no_call_is_made(run: Run) -> None:
    with pytest.raises(ConfigurationError, match="set OPENAI_API_KEY"):
        run(_ask, openai_api_key=None)


def test_a_late_first_token_is_raced_by_a_second_request(server: Server, run: Run) -> None:
    server.model.say(Answer("slow " * 20, first_token_s=60), "fast")
    pieces: list[str] = []

    async def ask(client: ModelClient) -> object:
        return await client.complete(ASK, model="m", on_text=pieces.append)

    began = time.monotonic()
    completion = run(ask, model_timeout=9)
    assert time.monotonic() - began < 5
    assert completion.text == "".join(pieces) == "fast"
    assert completion.usage.calls == 2
    assert server.model.wait_until(lambda: server.model.requests[0].outcome == "gone")


def test_the_first_request_may_still_win_the_race(server: Server, run: Run) -> None:
    server.model.say(Answer("first", first_token_s=0.9), Answer("second", first_token_s=60))
    assert run(_ask, model_timeout=9) == "first"
    assert server.model.wait_until(lambda: server.model.requests[1].outcome == "gone")


def test_late_is_what_is_late_for_this_model(server: Server, run: Run) -> None:
    async def learn(client: ModelClient) -> float:
        for _ in range(3):
            await client.complete(ASK, model="m")
        server.model.say(Answer("slow", first_token_s=60), "fast")
        began = time.monotonic()
        await client.complete(ASK, model="m")
        return time.monotonic() - began

    assert 1.9 < run(learn, model_timeout=600) < 4


def test_no_second_request_is_made_where_no_call_is_free(server: Server, run: Run) -> None:
    server.model.say(Answer("first", first_token_s=0.9))
    assert run(_ask, model_timeout=9, model_calls=1) == "first"
    assert len(server.model.requests) == 1


def test_a_failing_second_request_does_no_harm(server: Server, run: Run) -> None:
    server.model.say(Answer("first", first_token_s=1.2), Answer("busy", status=429))
    assert run(_ask, model_timeout=9) == "first"


def test_a_free_slot_is_given_back_after_a_race(server: Server, run: Run) -> None:
    async def race_then_fill(client: ModelClient) -> None:
        server.model.say(Answer("slow", first_token_s=60), "fast")
        await client.complete(ASK, model="m")
        await asyncio.wait_for(asyncio.gather(*(_ask(client) for _ in range(4))), 5)

    run(race_then_fill, model_timeout=9, model_calls=2)
