"""Reading JSON out of whatever a model wrote."""

from __future__ import annotations

import json
import random
import string
from collections.abc import Callable
from typing import Any

import pytest

from research.llm.repair import parse, parse_json

PLAN = {"title": "Ports", "steps": [{"title": "Tonnage"}, {"title": "Fares"}], "enough": False}
TEXT = json.dumps(PLAN)


@pytest.mark.parametrize(
    "written",
    [
        TEXT,
        f"```json\n{TEXT}\n```",
        f"```\n{TEXT}\n```\nHope that helps!",
        f"Here is the plan [as asked], in {{braces}}:\n\n{TEXT}\n\nAnything else?",
        f"See [1] and [2]. {TEXT}",
        f'<think>Perhaps {{"title": "no"}}? Or {{}}...</think>{TEXT}',
        f'Perhaps {{"title": "no", "steps": {list(range(99))}}}</think>{TEXT}',
        f"<think>{{</think>\n```json\n{TEXT}\n```",
        json.dumps(TEXT),
        TEXT.replace('"', "'").replace("false", "False"),
        TEXT.replace("}]", "},]").replace("false}", "false,}"),
        TEXT.replace('{"title": "Ports"', '{\n  // the plan\n  title: "Ports"'),
        TEXT.replace('"', "“", 1).replace('"', "”", 1),
    ],
)
def test_a_whole_answer_is_read_however_it_is_wrapped(written: str) -> None:
    parsed = parse(written)
    assert parsed.value == PLAN
    assert parsed.whole


@pytest.mark.parametrize("share", [0.35, 0.55, 0.8, 0.97])
@pytest.mark.parametrize("wrap", ["{}", "```json\n{}", "Sure:\n{}"])
def test_an_answer_that_was_cut_off_is_read_as_far_as_it_goes(share: float, wrap: str) -> None:
    parsed = parse(wrap.replace("{}", TEXT[: int(len(TEXT) * share)]))
    assert isinstance(parsed.value, dict) and parsed.value["title"].startswith("Port")
    assert not parsed.whole


@pytest.mark.parametrize(
    "written",
    ["", "   ", "I cannot do that.", "<think>{}", '<think>{"a": 1}</think>', "{", "42", '"x"'],
)
def test_where_there_is_no_json_it_says_so(written: str) -> None:
    with pytest.raises(ValueError, match="no JSON"):
        parse_json(written)


def test_quotes_inside_a_text_do_not_end_the_answer() -> None:
    assert parse_json('{"text": "the so-called "hub" grew", "n": 2}')["n"] == 2
    assert parse_json('{"text": "a } and a ] in a text, and \\" too", "n": 2}')["n"] == 2


def test_hostile_lengths_are_read_in_a_bounded_time() -> None:
    with pytest.raises(ValueError, match="no JSON"):
        parse_json("[" * 50_000)
    assert parse_json("{ " * 20 + TEXT) == PLAN


# ---------------------------------------------------------------- properties


def _value(rng: random.Random, depth: int = 0) -> Any:
    kinds = ["text", "number", "flag", "none"] + (["list", "object"] * 2 if depth < 3 else [])
    match rng.choice(kinds):
        case "text":
            return "".join(
                rng.choices(string.ascii_letters + " .,:-{}[]港口", k=rng.randint(0, 20))
            )
        case "number":
            return rng.choice([rng.randint(-999, 999), round(rng.uniform(-9, 9), 3)])
        case "flag":
            return rng.random() < 0.5
        case "none":
            return None
        case "list":
            return [_value(rng, depth + 1) for _ in range(rng.randint(0, 4))]
    return _object(rng, depth + 1)


def _object(rng: random.Random, depth: int = 0) -> dict[str, Any]:
    return {f"key_{n}": _value(rng, depth + 1) for n in range(rng.randint(1, 5))}


DAMAGES: dict[str, Callable[[str], str]] = {
    "fence": lambda text: f"```json\n{text}\n```",
    "prose": lambda text: f"The {{result}} of [1] is:\n{text}\nThat is all.",
    "thought": lambda text: f"<think>maybe {{'a': [}} }}</think>\n{text}",
    "indent": lambda text: json.dumps(json.loads(text), indent=2, ensure_ascii=False),
    "twice": lambda text: json.dumps(text, ensure_ascii=False),
    "trailing comma": lambda text: text[:-1] + ",}",
}


@pytest.mark.parametrize("damage", DAMAGES)
def test_any_object_survives_damage_to_its_form(damage: str) -> None:
    for seed in range(60):
        value = _object(random.Random(seed))
        text = json.dumps(value, ensure_ascii=False)
        parsed = parse(DAMAGES[damage](text))
        assert parsed.value == value, (seed, text)
        assert parsed.whole


def test_no_cut_of_an_object_passes_for_the_whole() -> None:
    for seed in range(40):
        rng = random.Random(seed)
        text = json.dumps(_object(rng), ensure_ascii=False)
        for _ in range(8):
            cut = text[: rng.randint(1, len(text) - 1)]
            try:
                parsed = parse(cut)
            except ValueError:
                continue
            assert not parsed.whole, (seed, cut)
