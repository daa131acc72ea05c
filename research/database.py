"""SQLite as Dossier uses it: WAL, small named migrations, errors as plain sentences."""

from __future__ import annotations

import sqlite3
import threading
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from pathlib import Path

from research.errors import StoreError

BUSY_SECONDS = 20.0


class Database:
    """One SQLite file, shared by the threads of this process and by other processes.

    Args:
        path: The file; it and its folder are made when missing.
        migrations: SQL scripts by name, in the order in which they are applied, each once.

    Raises:
        StoreError: The file was written by a newer version, or the disk refuses.
    """

    def __init__(self, path: Path, migrations: Mapping[str, str]) -> None:
        self._lock = threading.RLock()
        with store_errors():
            path.parent.mkdir(parents=True, exist_ok=True)
            self._connection = sqlite3.connect(
                path, timeout=BUSY_SECONDS, check_same_thread=False, isolation_level=None
            )
            self._connection.row_factory = sqlite3.Row
            for pragma in ("journal_mode=WAL", "synchronous=NORMAL", "foreign_keys=ON"):
                self._connection.execute(f"PRAGMA {pragma}")
            self._migrate(path.name, migrations)

    def _migrate(self, name: str, migrations: Mapping[str, str]) -> None:
        with self.write() as connection:
            connection.execute("CREATE TABLE IF NOT EXISTS migrations (name TEXT PRIMARY KEY)")
            applied = {row["name"] for row in connection.execute("SELECT name FROM migrations")}
            if applied - set(migrations):
                raise StoreError("errors.store_newer", name=name)
            for step, script in migrations.items():
                if step not in applied:
                    for statement in filter(str.strip, script.split(";\n")):
                        connection.execute(statement)
                    connection.execute("INSERT INTO migrations VALUES (?)", (step,))

    @contextmanager
    def write(self) -> Iterator[sqlite3.Connection]:
        """One transaction: all of it is kept, or none.

        Raises:
            StoreError: The disk is full, or the database stays locked.
        """
        with self._lock, store_errors():
            self._connection.execute("BEGIN IMMEDIATE")
            try:
                yield self._connection
            except BaseException:
                if self._connection.in_transaction:
                    self._connection.execute("ROLLBACK")
                raise
            self._connection.execute("COMMIT")

    def read(self, sql: str, parameters: tuple[object, ...] = ()) -> list[sqlite3.Row]:
        """All rows of a query."""
        with self._lock, store_errors():
            return self._connection.execute(sql, parameters).fetchall()

    def close(self) -> None:
        """Close the connection; further calls fail."""
        with self._lock:
            self._connection.close()


@contextmanager
def store_errors() -> Iterator[None]:
    """Turn what SQLite and the disk say into a sentence with a next step."""
    try:
        yield
    except sqlite3.OperationalError as error:
        reason = str(error)
        if "full" in reason:
            raise StoreError("errors.disk_full") from error
        if "locked" in reason or "busy" in reason:
            raise StoreError("errors.store_locked") from error
        raise StoreError("errors.store_failed", reason=reason) from error
    except sqlite3.IntegrityError:  # a rule of the tables, which the caller knows
        raise
    except sqlite3.DatabaseError as error:
        raise StoreError("errors.store_failed", reason=str(error)) from error
    except OSError as error:
        if error.errno == 28:  # ENOSPC
            raise StoreError("errors.disk_full") from error
        raise
