"""Pictures of pages, with the passage that is cited marked on them.

Each is drawn by a child process (``drawing``), because files are hostile and PDFium works on one
page at a time, and kept for a while, because a page is looked at again::

    cache/pages/<document id>/<what is marked, and how wide>.png
"""

from __future__ import annotations

import json
import logging
import os
import subprocess
import sys
import tempfile
import threading
from contextlib import suppress
from pathlib import Path

from research.children import child_environment
from research.errors import DocumentError
from research.knowledge.drawing import Ending
from research.knowledge.library import Library
from research.knowledge.reading import OVERDUE
from research.models import Passage, content_id

log = logging.getLogger(__name__)

WIDTH = 1_000
"""Pixels, where nothing else is asked for."""
NARROWEST, WIDEST = 100, 2_400
WALL_SECONDS = 30.0
AT_ONCE = 2
"""Pages that are drawn at the same time."""
CACHE_BYTES = 128 * 1024 * 1024
LOOK = "1"
"""Changes when pictures are drawn in another way, so that none of the old is shown."""

_turns = threading.BoundedSemaphore(AT_ONCE)


class NothingToShowError(DocumentError):
    """There is no such page, or none that can ever be drawn: the file is locked, or no PDF."""


def page_picture(
    library: Library,
    document_id: str,
    page: int,
    passage: Passage | None = None,
    width: int = WIDTH,
) -> bytes:
    """A page as PNG. Blocks; call it from a thread.

    Args:
        library: Whose document it is.
        document_id: A PDF or a picture; also one that a newer version has replaced.
        page: Its number, from 1.
        passage: What is marked on it. Where its words are not found, nothing is.
        width: In pixels; brought between 100 and 2,400. A very long page comes out narrower.

    Raises:
        NothingToShowError: There is no such document or page, or the file is locked or has no
            pages.
        DocumentError: The page could not be drawn in the time and memory there is for it.
    """
    try:
        original = library.original(document_id)
    except DocumentError as error:
        raise NothingToShowError(error.key, **error.params) from error
    kind = original.suffix.removeprefix(".")
    if kind not in ("pdf", "image"):
        raise NothingToShowError("answers.no_pages")
    width = min(max(width, NARROWEST), WIDEST)
    marked = passage.id if passage else ""
    folder = library.home / "cache" / "pages"
    kept = folder / document_id / f"{content_id(LOOK, str(page), marked, str(width))}.png"
    with suppress(OSError):
        picture = kept.read_bytes()
        os.utime(kept)
        return picture
    order = {
        "path": str(original),
        "kind": kind,
        "page": page,
        "width": width,
        "text": passage.text if passage else "",
    }
    with _turns:
        picture = _draw(order)
    _keep(kept, picture)
    return picture


def _keep(path: Path, picture: bytes) -> None:
    """Put a picture into the cache, and the longest unused ones out of it."""
    try:
        path.parent.mkdir(parents=True, exist_ok=True)
        with tempfile.NamedTemporaryFile(dir=path.parent, delete=False) as file:
            file.write(picture)
        Path(file.name).replace(path)
        _sweep(path.parent.parent)
    except OSError as error:  # a full disk costs the cache and nothing else
        log.warning("a page could not be kept: %s", error)


def _sweep(folder: Path) -> None:
    files = [(path, path.stat()) for path in folder.glob("*/*")]
    files.sort(key=lambda file: file[1].st_mtime, reverse=True)
    total = 0
    for path, stat in files:
        total += stat.st_size
        if total > CACHE_BYTES:
            path.unlink(missing_ok=True)


def _draw(order: dict[str, object]) -> bytes:
    try:
        done = subprocess.run(
            [sys.executable, "-m", "research.knowledge.drawing"],
            input=json.dumps(order).encode(),
            capture_output=True,
            timeout=WALL_SECONDS,
            env=child_environment(),
            check=False,
        )
    except subprocess.TimeoutExpired as error:
        raise DocumentError("answers.page_slow") from error
    match done.returncode:
        case Ending.DRAWN:
            return done.stdout
        case Ending.LOCKED:
            raise NothingToShowError("answers.page_locked")
        case Ending.NO_PAGE:
            raise NothingToShowError("answers.no_such_page", page=order["page"])
    log.warning(
        "drawing ended with %s: %s", done.returncode, done.stderr[-2000:].decode("utf-8", "replace")
    )
    if done.returncode in OVERDUE:
        raise DocumentError("answers.page_slow")
    raise DocumentError("answers.page_unshown")
