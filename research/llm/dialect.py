"""Which optional parameters an endpoint takes for a model, learned from what it refuses."""

from __future__ import annotations

import re
from dataclasses import dataclass, replace
from typing import Any

_POORER: dict[str, dict[Any, Any]] = {
    "usage": {True: False},
    "limit": {"max_completion_tokens": "max_tokens", "max_tokens": ""},
    "shape": {"json_schema": "json_object", "json_object": ""},
}
_NAMED = {
    "usage": re.compile(r"stream_options|include_usage"),
    "limit": re.compile(r"max_completion_tokens|max_tokens"),
    "shape": re.compile(r"response.?format|json.?schema|json.?object|json.?mode|schema", re.I),
}


@dataclass(frozen=True)
class Dialect:
    """How one endpoint wants to be asked; at first everything is tried."""

    usage: bool = True
    """Whether the stream is asked to close with the number of tokens."""
    limit: str = "max_completion_tokens"
    """The parameter that bounds the length of an answer; empty where none is taken."""
    shape: str = "json_schema"
    """How JSON is asked for: ``json_schema``, ``json_object``, or empty for by words alone."""

    def body(
        self,
        messages: list[dict[str, str]],
        model: str,
        schema: dict[str, Any] | None,
        max_tokens: int | None,
    ) -> dict[str, Any]:
        """The request in this dialect."""
        body: dict[str, Any] = {"model": model, "messages": messages, "stream": True}
        if self.usage:
            body["stream_options"] = {"include_usage": True}
        if max_tokens and self.limit:
            body[self.limit] = max_tokens
        if schema and self.shape == "json_schema":
            named = {"name": schema.get("title", "answer"), "strict": True, "schema": schema}
            body["response_format"] = {"type": "json_schema", "json_schema": named}
        elif schema and self.shape:
            body["response_format"] = {"type": self.shape}
        return body

    def without(self, complaint: str, body: dict[str, Any]) -> Dialect | None:
        """The dialect to try after ``body`` was refused.

        The parameter named in the complaint is replaced by the next poorer one. Where none is
        named, everything optional goes.

        Args:
            complaint: What the endpoint said.
            body: The request that it refused, in this dialect.

        Returns:
            None when ``body`` holds nothing that could be left out.
        """
        used = {
            "usage": "stream_options" in body,
            "limit": bool(self.limit) and self.limit in body,
            "shape": "response_format" in body,
        }
        for part, pattern in _NAMED.items():
            if used[part] and pattern.search(complaint):
                return replace(self, **{part: _POORER[part][getattr(self, part)]})
        dropped = {part: type(getattr(self, part))() for part in used if used[part]}
        return replace(self, **dropped) if dropped else None
