"""Schemas as endpoints take them, and values bent into them."""

from __future__ import annotations

from typing import Any, Literal

import pytest
from pydantic import BaseModel, Field

from research.llm.shape import fit, strict


class Item(BaseModel):
    step_title: str
    kind: Literal["research", "processing"] = "research"
    needs: list[str] = Field(default_factory=list, max_length=3)


class Answer(BaseModel):
    title: str = Field(description="in ten words", max_length=80)
    note: str | None = None
    steps: list[Item]


SCHEMA = Answer.model_json_schema()


def _fitted(value: Any) -> Answer:
    return Answer.model_validate(fit(value, SCHEMA))


GOOD = {"title": "Ports", "steps": [{"step_title": "a", "kind": "processing", "needs": ["b"]}]}


@pytest.mark.parametrize(
    "value",
    [
        GOOD,
        {"Title": "Ports", "STEPS": [{"stepTitle": "a", "Kind": "PROCESSING", "needs": ["b"]}]},
        {"answer": GOOD},
        [GOOD],
        {**GOOD, "confidence": 0.9},
        {**GOOD, "note": None},
        {**GOOD, "steps": {"step title": "a", "kind": " Processing", "needs": "b"}},
    ],
)
def test_a_value_whose_form_alone_is_off_is_bent_into_the_schema(value: Any) -> None:
    assert _fitted(value) == Answer.model_validate(GOOD)


def test_a_list_becomes_the_one_list_an_object_has() -> None:
    class Queries(BaseModel):
        queries: list[str]

    assert fit(["a", "b"], Queries.model_json_schema()) == {"queries": ["a", "b"]}


def test_null_gives_way_to_a_default_but_not_to_nothing() -> None:
    fitted = fit({"title": None, "steps": [{"step_title": "a", "kind": None}]}, SCHEMA)
    assert fitted == {"title": None, "steps": [{"step_title": "a"}]}


def test_what_does_not_fit_is_left_for_the_validation_to_name() -> None:
    assert fit({"steps": "none", "title": 3}, SCHEMA)["title"] == "3"
    assert fit("text", SCHEMA) == "text"
    odd = {"step_title": "a", "kind": "other"}
    assert fit({"title": "x", "steps": [odd]}, SCHEMA)["steps"][0]["kind"] == "other"


def test_a_strict_schema_is_closed_and_free_of_what_endpoints_refuse() -> None:
    schema = strict(SCHEMA)
    item = schema["properties"]["steps"]["items"]
    for node in (schema, item):
        assert node["additionalProperties"] is False
        assert node["required"] == list(node["properties"])
    text = str(schema)
    assert "$ref" not in text and "maxLength" not in text and "default" not in text
    assert schema["properties"]["title"]["description"] == "in ten words"
    assert item["properties"]["kind"]["enum"] == ["research", "processing"]


def test_properties_may_be_named_like_words_of_the_schema_language() -> None:
    class Odd(BaseModel):
        title: str
        default: str
        format: str

    assert set(strict(Odd.model_json_schema())["properties"]) == {"title", "default", "format"}
