"""JSON schemas: made strict for an endpoint, and values bent into them where the sense is plain."""

from __future__ import annotations

import re
from typing import Any

Schema = dict[str, Any]

_UNKNOWN_TO_STRICT = {
    "default", "title", "examples", "format", "pattern", "minLength", "maxLength",
    "minimum", "maximum", "exclusiveMinimum", "exclusiveMaximum", "multipleOf",
    "minItems", "maxItems", "uniqueItems",
}  # fmt: skip


def strict(schema: Schema) -> Schema:
    """``schema`` as endpoints take it: closed, every property required, no bounds.

    The bounds are checked afterwards, on the answer.
    """
    root = schema.get("$defs", {})
    closed = _strict(schema, root)
    return {"title": schema.get("title", "answer"), **closed}


def _strict(node: Any, definitions: Schema) -> Any:
    if isinstance(node, list):
        return [_strict(item, definitions) for item in node]
    if not isinstance(node, dict):
        return node
    node = _resolved(node, definitions)
    kept = {
        key: {name: _strict(child, definitions) for name, child in value.items()}
        if key == "properties"
        else _strict(value, definitions)
        for key, value in node.items()
        if key not in _UNKNOWN_TO_STRICT and key != "$defs"
    }
    if kept.get("type") == "object":
        kept["additionalProperties"] = False
        kept["required"] = list(kept.setdefault("properties", {}))
    return kept


def _resolved(node: Schema, definitions: Schema) -> Schema:
    """``node`` with the definition it points to put in its place."""
    while "$ref" in node:
        beside = {key: value for key, value in node.items() if key != "$ref"}
        node = {**definitions[node["$ref"].rsplit("/", 1)[-1]], **beside}
    return node


def fit(value: Any, schema: Schema) -> Any:
    """``value`` bent into ``schema`` where only the form is off.

    Keys and words of an enumeration in another case, a list around an object or none around an
    item, an object inside a needless one, fields nobody asked for, null where a default serves.
    What still does not fit is left for the validation to name.
    """
    return _fit(value, schema, schema.get("$defs", {}))


def _fit(value: Any, schema: Schema, definitions: Schema) -> Any:
    schema = _resolved(schema, definitions)
    if options := schema.get("anyOf"):
        return _fit_any(value, options, definitions)
    if "enum" in schema:
        return next((word for word in schema["enum"] if _same(word, value)), value)
    match schema.get("type"):
        case "object":
            return _fit_object(value, schema, definitions)
        case "array":
            return _fit_list(value, schema, definitions)
        case "string":
            return _fit_string(value)
    return value


def _fit_any(value: Any, options: list[Schema], definitions: Schema) -> Any:
    """By the option whose type the value has, else by the first that is not null."""
    options = [_resolved(option, definitions) for option in options]
    if value is None:
        return None
    named = {dict: "object", list: "array", str: "string", bool: "boolean"}.get(type(value))
    chosen = [option for option in options if option.get("type") != "null"] or options
    matching = [option for option in chosen if option.get("type") == named]
    return _fit(value, (matching or chosen)[0], definitions)


def _fit_object(value: Any, schema: Schema, definitions: Schema) -> Any:
    properties: Schema = schema.get("properties", {})
    if isinstance(value, list):
        lists = [
            n for n, p in properties.items() if _resolved(p, definitions).get("type") == "array"
        ]
        if len(value) == 1 and isinstance(value[0], dict):
            value = value[0]
        elif len(lists) == 1:
            value = {lists[0]: value}
    if not isinstance(value, dict) or not properties:
        return value
    names = {_plain(name): name for name in properties}
    known = {names[_plain(key)]: item for key, item in value.items() if _plain(key) in names}
    if not known and len(value) == 1 and isinstance(inner := next(iter(value.values())), dict):
        return _fit_object(inner, schema, definitions)
    required = schema.get("required", [])
    return {
        name: _fit(item, properties[name], definitions)
        for name, item in known.items()
        if item is not None or name in required or "anyOf" in properties[name]
    }


def _fit_list(value: Any, schema: Schema, definitions: Schema) -> Any:
    if value is None:
        value = []
    items = value if isinstance(value, list) else [value]
    return [_fit(item, schema.get("items", {}), definitions) for item in items]


def _fit_string(value: Any) -> Any:
    if isinstance(value, list) and all(isinstance(item, str) for item in value):
        return "\n".join(value)
    if isinstance(value, int | float) and not isinstance(value, bool):
        return str(value)
    return value


def _plain(name: Any) -> str:
    return re.sub(r"[\W_]+", "", str(name).casefold())


def _same(word: Any, value: Any) -> bool:
    return word == value or (isinstance(word, str) and _plain(word) == _plain(value))
