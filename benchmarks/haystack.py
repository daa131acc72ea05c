"""The library the benchmark searches: the judged documents among passages of documentation.

The documentation is what the packages of ``requirements-base.txt`` bring along: their description
and the docstrings of their modules. It is all but English, technical and not judged.
"""

from __future__ import annotations

import ast
import hashlib
import re
from collections.abc import Iterator
from importlib.metadata import Distribution, PackageNotFoundError, distribution
from itertools import islice
from pathlib import Path

from benchmarks.judged import JudgedDocument
from research.knowledge.documents import Document
from research.knowledge.entries import Entry, insert
from research.knowledge.library import Library
from research.knowledge.readers import Block
from research.knowledge.splitting import passages_of
from research.models import Passage, Place

REQUIREMENTS = Path(__file__).resolve().parents[1] / "requirements-base.txt"
SHORTEST = 200
"""Characters; a shorter docstring says next to nothing."""
MOST_OF_ONE = 0.1
"""The share of the haystack that one package may fill with docstrings."""


def documentation(most: int) -> dict[str, list[Passage]]:
    """Passages of the installed documentation, by package, about as many of each.

    Args:
        most: Passages in all.
    """
    names = _packages()
    found: dict[str, list[Passage]] = {name: [] for name in names}
    share = most
    # What a small package leaves of its share goes to the larger ones: the smallest come first.
    limit = round(most * MOST_OF_ONE)
    blocks = {name: list(islice(_of_package(name), limit)) for name in names}
    for at, name in enumerate(sorted(names, key=lambda name: (len(blocks[name]), name))):
        found[name] = passages_of(name, blocks[name])[: share // (len(names) - at)]
        share -= len(found[name])
    return {name: passages for name, passages in found.items() if passages}


def fill(library: Library, judged: list[JudgedDocument], distractors: int) -> int:
    """Put everything into ``library`` and embed it.

    The judged paragraphs go in one by one and not through the reader and the splitter: retrieval
    is measured here, not how a document is cut.

    Returns:
        How many passages there are.
    """
    for document in judged:
        passages = [
            Passage(
                id=paragraph.id,
                source_id=document.name,
                text=paragraph.text,
                place=Place(heading=paragraph.heading),
            )
            for paragraph in document.paragraphs
        ]
        _insert(library, document.name, document.title, passages)
    for name, passages in documentation(distractors).items():
        _insert(library, name, name, passages)
    library.embed()
    return library.store.count()


def _insert(library: Library, name: str, title: str, passages: list[Passage]) -> None:
    document = Document(
        id=name,
        name=f"{name}.md",
        title=title,
        kind="md",
        sha256="",
        passages=len(passages),
        tables=0,
        language="en",
        bytes=0,
        added_at=0.0,
    )
    with library.store.change() as db:
        insert(db, Entry(document, passages, []))


def _packages() -> list[str]:
    lines = REQUIREMENTS.read_text(encoding="utf-8").splitlines()
    names = (re.match(r"[A-Za-z0-9_.-]+", line) for line in lines)
    return [name[0] for name in names if name]


def _of_package(name: str) -> Iterator[Block]:
    try:
        package = distribution(name)
    except PackageNotFoundError:
        return
    description = (package.read_text("METADATA") or "").partition("\n\n")[2]
    yield from _blocks(name, "description", description)
    for path in _modules(package):
        yield from _docstrings(name, path)


def _modules(package: Distribution) -> list[Path]:
    """The modules of a package, well mixed and always in the same order."""
    files = [f for f in package.files or () if f.suffix == ".py" and "test" not in str(f)]
    mixed = sorted(files, key=lambda f: hashlib.sha256(str(f).encode()).digest())
    return [Path(str(package.locate_file(file))) for file in mixed]


def _docstrings(package: str, path: Path) -> Iterator[Block]:
    try:
        tree = ast.parse(path.read_text(encoding="utf-8"))
    except (OSError, SyntaxError, UnicodeDecodeError):
        return
    for node in ast.walk(tree):
        if isinstance(node, ast.Module | ast.ClassDef | ast.FunctionDef | ast.AsyncFunctionDef):
            yield from _blocks(package, getattr(node, "name", path.stem), ast.get_docstring(node))


def _blocks(package: str, heading: str, text: str | None) -> Iterator[Block]:
    if text and len(text) >= SHORTEST:
        yield Block(text=text, heading=(package, heading))
