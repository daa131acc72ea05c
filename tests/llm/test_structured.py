"""Answers of a given shape, over real HTTP."""

from __future__ import annotations

import json

import pytest
from pydantic import BaseModel

from research.errors import BadModelOutputError
from research.llm.client import RESTART, ModelClient
from research.llm.structured import complete_json
from research.models import Usage
from tests.llm.conftest import Run
from tests.servers import Answer, Server

ASK = [
    {"role": "system", "content": "You plan."},
    {"role": "user", "content": "How did the ports do?"},
]


class Plan(BaseModel):
    title: str
    steps: list[str]


PLAN = Plan(title="Ports", steps=["tonnage", "fares", "power"])
GOOD = PLAN.model_dump_json()


async def _plan(client: ModelClient) -> tuple[Plan, Usage]:
    return await complete_json(client.complete, ASK, model="m", shape=Plan)


@pytest.mark.parametrize("refuses", [set(), {"json_schema"}, {"response_format"}])
def test_a_shape_is_got_from_an_endpoint_of_any_kind(
    server: Server, run: Run, refuses: set[str]
) -> None:
    server.model.refuses = refuses
    plan, usage = run(_plan)
    assert isinstance(plan, Plan) and len(plan.steps) == 3
    assert usage.calls == 1


def test_the_shape_is_told_in_words_in_the_last_message(server: Server, run: Run) -> None:
    server.model.say(GOOD)
    run(_plan)
    first, last = server.model.requests[0].body["messages"]
    assert first == ASK[0]
    assert last["content"].startswith(ASK[1]["content"])
    assert '"steps"' in last["content"] and "{{" not in last["content"]


def test_a_wrapped_answer_is_not_asked_for_again(server: Server, run: Run) -> None:
    server.model.say(f"<think>{{}}</think>Of course:\n```json\n{GOOD}\n```")
    assert run(_plan)[0] == PLAN
    assert len(server.model.requests) == 1


def test_a_wrong_answer_is_asked_for_again_with_what_is_wrong(server: Server, run: Run) -> None:
    server.model.say('{"title": "Ports"}', GOOD)
    plan, usage = run(_plan)
    assert plan == PLAN and usage.calls == 2
    messages = server.model.requests[1].body["messages"]
    assert [message["role"] for message in messages] == ["system", "user", "assistant", "user"]
    assert messages[2]["content"] == '{"title": "Ports"}'
    assert "steps: Field required" in messages[3]["content"]


@pytest.mark.parametrize("finish", ["length", "stop"])
def test_an_answer_that_was_cut_off_is_never_taken_for_the_whole(
    server: Server, run: Run, finish: str
) -> None:
    cut = GOOD[: GOOD.index(', "power') if ', "power' in GOOD else GOOD.index(',"power')]
    server.model.say(Answer(cut, finish=finish), GOOD)
    assert run(_plan)[0] == PLAN
    assert "cut off" in server.model.requests[1].body["messages"][-1]["content"]


def test_a_model_that_never_writes_the_last_bracket_is_understood(server: Server, run: Run) -> None:
    server.model.script = lambda request: GOOD[:-1]
    assert run(_plan)[0] == PLAN
    assert len(server.model.requests) == 3


@pytest.mark.parametrize("answer", [Answer(GOOD[:-12], finish="length"), Answer("I would not.")])
def test_after_three_bad_answers_the_user_is_told(server: Server, run: Run, answer: Answer) -> None:
    server.model.script = lambda request: answer
    with pytest.raises(BadModelOutputError, match="in 3 tries"):
        run(_plan)
    assert len(server.model.requests) == 3


def test_the_reader_is_told_when_the_text_begins_anew(server: Server, run: Run) -> None:
    server.model.say("no", GOOD)
    pieces: list[str] = []

    async def plan(client: ModelClient) -> None:
        await complete_json(client.complete, ASK, model="m", shape=Plan, on_text=pieces.append)

    run(plan)
    assert json.loads("".join(pieces).rpartition(RESTART)[2]) == PLAN.model_dump()
