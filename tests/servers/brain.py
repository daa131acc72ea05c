"""What the scripted model says when no script is given: enough for a whole research run.

It reads prompts as ``prompts/`` writes them, with data between ``<<<DATA`` and ``DATA>>>``. A JSON
schema is filled by the names of its properties; a request for Python gets a program that really
works on the tables; everything else gets prose that quotes the numbered evidence and cites it as
``[n]``. The same request gets the same answer.
"""

from __future__ import annotations

import json
import re
from typing import Any

from tests.servers.program import PROGRAM

Schema = dict[str, Any]

QUOTED = 5
"""Pieces of evidence that an answer quotes at most."""
ITEMS = 3
"""Steps of a plan, sections of a report."""

_DATA = re.compile(r"<<<DATA\n(.*?)\nDATA>>>", re.DOTALL)
_EVIDENCE = re.compile(r"^\[(\d+)\][^\n]*\n(.*?)(?=^\[\d+\]|\Z)", re.MULTILINE | re.DOTALL)
_SENTENCE = re.compile(r"[^\n。!?]{20,300}?(?:[.!?](?=\s|$)|[。！？])")
_CITED = re.compile(r"^[^\n\[]*\[\d+\].*$", re.MULTILINE)
_TABLE = re.compile(r"^table (\d+), NAME ", re.MULTILINE)
_ANGLES = {
    "en": ("What happened", "Why it happened", "The figures"),
    "zh": ("发生了什么", "原因何在", "数据分析"),
}


def respond(body: dict[str, Any]) -> str:
    """The answer to one chat completion request."""
    prompt = "\n\n".join(str(message["content"]) for message in body["messages"])
    if schema := _schema(body, prompt):
        return json.dumps(_Filler(prompt, schema).fill(schema, "answer"), ensure_ascii=False)
    if "data/manifest.json" in prompt:
        return f"```python\n{PROGRAM}```"
    return _prose(_data(prompt))


def _schema(body: dict[str, Any], prompt: str) -> Schema | None:
    """The schema of the request, or the one that its last words quote."""
    asked = body.get("response_format", {})
    if asked.get("type") == "json_schema":
        return dict(asked["json_schema"]["schema"])
    start = prompt.rfind("fits this JSON schema")
    if start < 0 or (brace := prompt.find("{", start)) < 0:
        return None
    return dict(json.JSONDecoder().raw_decode(prompt[brace:])[0])


def _data(prompt: str) -> list[str]:
    """The pieces of data in a prompt: the question first, what to work on last."""
    return _DATA.findall(prompt) or [prompt]


def _prose(data: list[str]) -> str:
    """Quotes of the evidence, key points of what is cited, or what a program printed."""
    question, material = data[0].splitlines()[0], data[-1]
    quotes = []
    for number, text in _EVIDENCE.findall(material):
        if sentence := _SENTENCE.search(text):
            said = sentence.group().strip(" #*-|>")
            quotes.append(f"{said[:-1]} [{number}]{said[-1]}")
    if quotes:
        return "\n\n".join(dict.fromkeys(quotes[:QUOTED]))
    if cited := _CITED.findall(material):
        return "\n".join(f"- {line.strip(' -')}" for line in dict.fromkeys(cited[:QUOTED]))
    if len(data) > 1 and len(material) > 1:
        return "\n".join(f"- {line}" for line in material.splitlines()[:QUOTED] if line.strip())
    return f"The evidence does not tell: {question}"


class _Filler:
    """Fills a schema; what each property means is taken from its name."""

    def __init__(self, prompt: str, root: Schema) -> None:
        data = _data(prompt)
        self.definitions: Schema = root.get("$defs", {})
        self.question = data[0].splitlines()[0].rstrip("?？ ")
        self.angles = _ANGLES["zh" if re.search("[\u4e00-\u9fff]", self.question) else "en"]
        self.tables = _TABLE.findall(prompt)
        self.steps = len(re.findall(r"^\d+\. ", data[-1], re.MULTILINE)) or ITEMS
        wanted = re.search(r"exactly (\d+)", prompt)
        self.variants = int(wanted[1]) if wanted else ITEMS

    def fill(self, schema: Schema, name: str, at: int = 0) -> Any:
        """A value for ``schema``; ``at`` is its place in the list around it, from 0."""
        if "$ref" in schema:
            return self.fill(self.definitions[schema["$ref"].rsplit("/", 1)[-1]], name, at)
        if options := schema.get("anyOf"):
            return self.fill(options[0], name, at)
        if words := schema.get("enum"):
            return self._word(words, at)
        match schema.get("type"):
            case "object":
                return {key: self.fill(p, key, at) for key, p in schema["properties"].items()}
            case "array":
                return self._list(schema["items"], name, at)
            case "boolean":
                return name in ("passed", "relevant", "needs_web")
            case "integer" | "number":
                return at + 1
        return self._text(name, at)

    def _computes(self, at: int) -> bool:
        """Whether the step at this place is the processing step."""
        return at == ITEMS - 1 and bool(self.tables)

    def _word(self, words: list[str], at: int) -> str:
        if "processing" in words:
            return "processing" if self._computes(at) else "research"
        if "refuse" in words and re.search(
            r"(?i)ignore .*instructions|system prompt", self.question
        ):
            return "refuse"
        if "chat" in words and re.match(r"(?i)(hi|hello|你好)\b", self.question):
            return "chat"
        return words[0]

    def _list(self, items: Schema, name: str, at: int) -> list[Any]:
        match name:
            case "steps" if items.get("type") == "integer":
                last = at == ITEMS - 1
                return list(range(at + 1, self.steps + 1 if last else at + 2))
            case "sections":
                count = min(ITEMS, self.steps)
            case "dependencies":
                return [{"step": ITEMS, "needs": 1}]
            case "tables":
                return [1] if self._computes(at) else []
            case "queries":
                count = 0 if self._computes(at) else 1
            case "variants":
                count = self.variants
            case _:
                count = ITEMS
        return [self.fill(items, name, place if count > 1 else at) for place in range(count)]

    def _text(self, name: str, at: int) -> str:
        angle = self.angles[at % len(self.angles)]
        if re.search(r"quer|variants", name):
            return f"{self.question} {angle}"
        if name == "reply":
            return f"Hello. I can look into questions, for example: {self.question}?"
        return f"{angle}: {self.question}"
