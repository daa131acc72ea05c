"""What a call to a model does when all goes well: streaming, counting, limits, endpoints' ways."""

from __future__ import annotations

import asyncio
from typing import Any

import pytest

from research.errors import BadModelOutputError
from research.llm.client import RESTART, ModelClient
from research.settings import Price
from tests.llm.conftest import KEY, Run
from tests.servers import Answer, Server

ASK = [{"role": "user", "content": "What is the tonnage of the port, in figures?"}]
SCHEMA = {
    "title": "Port",
    "type": "object",
    "properties": {"name": {"type": "string"}},
    "required": ["name"],
    "additionalProperties": False,
}


def test_text_is_streamed_as_it_is_written(server: Server, run: Run) -> None:
    server.model.say("The port handled 41.2 million tonnes in 2024.")
    pieces: list[str] = []
    completion = run(lambda client: client.complete(ASK, model="m", on_text=pieces.append))
    assert completion.text == "The port handled 41.2 million tonnes in 2024."
    assert len(pieces) > 2 and "".join(pieces) == completion.text
    assert (completion.finish, completion.model) == ("stop", "m")
    assert server.model.requests[0].key == KEY


def test_tokens_are_those_the_endpoint_counted_and_cost_what_the_settings_say(
    server: Server, run: Run
) -> None:
    server.model.say("a" * 400)
    prices = {"m": Price(prompt=10.0, completion=100.0)}
    usage = run(lambda client: client.complete(ASK, model="m"), prices=prices).usage
    assert (usage.calls, usage.prompt_tokens, usage.completion_tokens) == (1, 11, 100)
    assert usage.cost == pytest.approx((11 * 10 + 100 * 100) / 1e6)


def test_tokens_are_estimated_where_the_endpoint_does_not_count(server: Server, run: Run) -> None:
    server.model.usage = False
    server.model.say("港口吞吐量" * 10, "word" * 30)
    chinese = run(lambda client: client.complete(ASK, model="m")).usage
    english = run(lambda client: client.complete(ASK, model="m")).usage
    assert (chinese.completion_tokens, english.completion_tokens) == (50, 30)
    assert english.prompt_tokens == 11


def test_no_more_calls_are_under_way_at_once_than_the_settings_allow(
    server: Server, run: Run
) -> None:
    server.model.script = lambda request: Answer("done", first_token_s=0.15)

    async def six(client: ModelClient) -> None:
        await asyncio.gather(*(client.complete(ASK, model="m") for _ in range(6)))

    run(six, model_calls=2)
    log = server.model.requests
    assert len(log) == 6
    peak = max(sum(a.started <= b.started < (a.ended or 0) for a in log) for b in log)
    assert peak == 2


def test_a_cancelled_call_ends_at_the_endpoint_within_a_second(server: Server, run: Run) -> None:
    server.model.say(Answer("x" * 200, stall_after=24))

    async def cancel(client: ModelClient) -> None:
        begun = asyncio.Event()
        call = asyncio.create_task(
            client.complete(ASK, model="m", on_text=lambda piece: begun.set())
        )
        await begun.wait()
        call.cancel()
        with pytest.raises(asyncio.CancelledError):
            await call
        gone = asyncio.to_thread(
            server.model.wait_until, lambda: server.model.requests[0].outcome == "gone", 1.0
        )
        assert await gone

    run(cancel)


def test_what_an_endpoint_refuses_is_left_out_and_remembered(server: Server, run: Run) -> None:
    server.model.refuses = {"stream_options", "max_completion_tokens", "json_schema"}

    async def twice(client: ModelClient) -> None:
        for _ in range(2):
            await client.complete(ASK, model="m", schema=SCHEMA, max_tokens=50)
        await client.complete(ASK, model="other", schema=SCHEMA, max_tokens=50)

    run(twice)
    bodies = [request.body for request in server.model.requests]
    assert len(bodies) == 4 + 1 + 4  # another model is asked anew
    for body in (bodies[3], bodies[4]):
        assert "stream_options" not in body
        assert body["max_tokens"] == 50 and "max_completion_tokens" not in body
        assert body["response_format"] == {"type": "json_object"}


def test_json_is_asked_for_in_words_alone_where_no_format_is_taken(
    server: Server, run: Run
) -> None:
    server.model.refuses = {"response_format"}
    run(lambda client: client.complete(ASK, model="m", schema=SCHEMA))
    assert ["response_format" in r.body for r in server.model.requests] == [True, True, False]


def test_an_endpoint_that_does_not_say_what_it_refuses_gets_the_plain_request(
    server: Server, run: Run
) -> None:
    def script(request: Any) -> Answer | None:
        plain = set(request.body) == {"model", "messages", "stream"}
        return None if plain else Answer("Bad request", status=400)

    server.model.script = script
    run(lambda client: client.complete(ASK, model="m", schema=SCHEMA, max_tokens=9))
    assert len(server.model.requests) == 2


def test_a_strict_schema_is_passed_on(server: Server, run: Run) -> None:
    run(lambda client: client.complete(ASK, model="m", schema=SCHEMA))
    asked = server.model.requests[0].body["response_format"]
    assert asked["json_schema"] == {"name": "Port", "strict": True, "schema": SCHEMA}


@pytest.mark.parametrize(
    "written",
    ["<think>Let me see {1}</think>\n\nForty million.", "Let me see</think>Forty million."],
)
def test_thoughts_are_no_part_of_the_answer(server: Server, run: Run, written: str) -> None:
    server.model.say(written)
    pieces: list[str] = []
    completion = run(lambda client: client.complete(ASK, model="m", on_text=pieces.append))
    assert completion.text == "Forty million."
    assert "".join(pieces).rpartition(RESTART)[2] == "Forty million."


def test_an_answer_that_merely_mentions_the_tag_is_left_alone(server: Server, run: Run) -> None:
    server.model.say("Models write <think>...</think> before they answer. < b")
    text = run(lambda client: client.complete(ASK, model="m")).text
    assert text == "Models write <think>...</think> before they answer. < b"


def test_thoughts_sent_beside_the_answer_are_counted_but_not_shown(
    server: Server, run: Run
) -> None:
    server.model.usage = False
    server.model.say(Answer("Forty.", thought="word" * 100))
    completion = run(lambda client: client.complete(ASK, model="m"))
    assert completion.text == "Forty."
    assert completion.usage.completion_tokens == 102


def test_an_empty_answer_is_asked_for_again_without_a_bound_on_its_length(
    server: Server, run: Run
) -> None:
    server.model.say(Answer("", thought="hm" * 50, finish="length"), "Forty.")
    completion = run(lambda client: client.complete(ASK, model="m", max_tokens=20))
    assert completion.text == "Forty."
    assert ["max_completion_tokens" in r.body for r in server.model.requests] == [True, False]
    assert completion.usage.calls == 2


def test_a_model_that_only_gives_empty_answers_is_named(server: Server, run: Run) -> None:
    server.model.say(*[Answer("")] * 3)
    with pytest.raises(BadModelOutputError, match="“m” gave an empty answer"):
        run(lambda client: client.complete(ASK, model="m"))
    assert len(server.model.requests) == 2
