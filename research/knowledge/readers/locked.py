"""Office files under a password: a plain copy for as long as it is read."""

from __future__ import annotations

import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from research.knowledge.readers import PasswordNeededError, UnreadableError

OLE = b"\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1"
EVERYBODYS = "VelvetSweatshop"
"""Excel locks with this what it marks as "final" and opens it without asking."""


@contextmanager
def unlocked(path: Path, password: str) -> Iterator[Path]:
    """The file at ``path``, or a plain copy of it that is deleted in the end.

    Raises:
        PasswordNeededError: It is locked, and ``password`` does not open it.
        UnreadableError: It is locked in a way that is not known, or damaged.
    """
    if not _is_locked(path):
        yield path
        return
    with tempfile.TemporaryDirectory() as folder:
        copy = Path(folder) / "plain"
        _decrypt(path, copy, password)
        yield copy


def _is_locked(path: Path) -> bool:
    """Whether it is locked and of a kind that can be read once it is not."""
    with path.open("rb") as file:
        if file.read(len(OLE)) != OLE:
            return False
        from msoffcrypto import OfficeFile
        from msoffcrypto.format.ooxml import OOXMLFile
        from msoffcrypto.format.xls97 import Xls97File

        try:
            office = OfficeFile(file)
            return isinstance(office, OOXMLFile | Xls97File) and bool(office.is_encrypted())
        except Exception:
            return False  # what it is instead, or that it is damaged, is found out later


def _decrypt(path: Path, copy: Path, password: str) -> None:
    for attempt in filter(None, (password, EVERYBODYS)):
        if _opens(path, copy, attempt):
            return
    raise PasswordNeededError


def _opens(path: Path, copy: Path, password: str) -> bool:
    from msoffcrypto import OfficeFile
    from msoffcrypto.exceptions import InvalidKeyError
    from msoffcrypto.format.ooxml import OOXMLFile

    try:
        with path.open("rb") as file, copy.open("wb") as plain:
            office = OfficeFile(file)
            checked = {"verify_password": True} if isinstance(office, OOXMLFile) else {}
            office.load_key(password=password, **checked)
            office.decrypt(plain)
    except InvalidKeyError:
        return False
    except Exception as error:
        raise UnreadableError("readers.unknown_lock") from error
    return True
