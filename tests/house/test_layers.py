"""The rules of the house that no linter knows."""

from __future__ import annotations

import ast
import re
import string
from pathlib import Path

import pytest

from research.i18n import catalogue

ROOT = Path(__file__).resolve().parents[2]
ENGINE = sorted((ROOT / "research").rglob("*.py"))
PAGES = [ROOT / "app.py", *sorted((ROOT / "pages").rglob("*.py"))]
PROMPTS = sorted((ROOT / "prompts").glob("*.md"))
CHINESE = re.compile(r"[\u4e00-\u9fff]")


def imports(path: Path) -> set[str]:
    tree = ast.parse(path.read_text("utf-8"))
    found = set()
    for node in ast.walk(tree):
        if isinstance(node, ast.Import):
            found |= {name.name for name in node.names}
        elif isinstance(node, ast.ImportFrom):
            found.add(node.module or "")
    return found


def strings(path: Path) -> list[str]:
    """The string values of a file that are not docstrings."""
    tree = ast.parse(path.read_text("utf-8"))
    documentation = {
        id(node.value)
        for node in ast.walk(tree)
        if isinstance(node, ast.Expr) and isinstance(node.value, ast.Constant)
    }
    return [
        node.value
        for node in ast.walk(tree)
        if isinstance(node, ast.Constant)
        and isinstance(node.value, str)
        and id(node) not in documentation
    ]


@pytest.mark.parametrize("path", ENGINE, ids=lambda path: str(path.relative_to(ROOT)))
def test_the_engine_never_imports_streamlit(path: Path) -> None:
    assert not any(name.split(".")[0] == "streamlit" for name in imports(path))


@pytest.mark.parametrize("path", ENGINE, ids=lambda path: str(path.relative_to(ROOT)))
def test_prompts_are_not_written_in_code(path: Path) -> None:
    telltale = re.compile(
        r"\byou are an?\b|\byour (task|job|answer|step)\b|\banswer (in|with|only)\b"
        r"|\bdo not (invent|calculate|guess)\b|\brespond (in|with)\b",
        re.IGNORECASE,
    )
    assert [value for value in strings(path) if telltale.search(value)] == []


def test_every_prompt_is_used_and_explains_its_gaps() -> None:
    code = "\n".join(path.read_text("utf-8") for path in ENGINE)
    for prompt in PROMPTS:
        assert f'"{prompt.stem}"' in code, f"nobody uses {prompt.name}"
        text = prompt.read_text("utf-8")
        comment = re.match(r"\s*<!--(.*?)-->", text, re.DOTALL)
        assert comment, f"{prompt.name} does not say what it is for"
        gaps = set(re.findall(r"\{\{\w+\}\}", text[comment.end() :]))
        assert gaps <= set(re.findall(r"\{\{\w+\}\}", comment[1])), prompt.name


@pytest.mark.parametrize("path", PAGES, ids=lambda path: str(path.relative_to(ROOT)))
def test_pages_hold_no_business_logic(path: Path) -> None:
    forbidden = ("sqlite3", "openai", "langgraph", "faiss", "research.graph", "research.agents")
    assert [name for name in imports(path) if name.startswith(forbidden)] == []


def gaps(sentence: str) -> set[str]:
    return {name for _, name, _, _ in string.Formatter().parse(sentence) if name}


def test_every_text_stands_in_both_languages_with_the_same_gaps() -> None:
    faulty = [
        key
        for key, entry in catalogue().items()
        if set(entry) != {"en", "zh"}
        or not all(sentence.strip() for sentence in entry.values())
        or CHINESE.search(entry["en"])
        or gaps(entry["en"]) != gaps(entry["zh"])
    ]
    assert faulty == []


def test_every_catalogue_key_in_the_code_exists() -> None:
    keys = [*catalogue(), *(key.removeprefix("pages.") for key in catalogue())]
    areas = {key.partition(".")[0] for key in catalogue()}
    spoken = re.compile(rf"^({'|'.join(areas)})\.[a-z0-9_.]+$")
    missing = {
        value
        for path in [*ENGINE, *PAGES]
        for value in strings(path)
        if spoken.match(value)
        and not value.endswith((".py", ".db", ".json"))
        and value not in keys
        and not (value.endswith((".", "_")) and any(key.startswith(value) for key in keys))
    }
    assert missing == set()


def test_modules_stay_small() -> None:
    long = {
        str(path.relative_to(ROOT)): lines
        for path in [*ENGINE, *PAGES]
        if (lines := len(path.read_text("utf-8").splitlines())) > 400
    }
    assert long == {}
