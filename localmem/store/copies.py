"""Backups: a whole copy of a library while others write to it, encrypted as it is or in the clear.

Refuses to write over a file that is there, and leaves no half one.
"""

from __future__ import annotations

import os
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import apsw

from localmem.errors import BackupFailed, StoreError
from localmem.store import cipher, folder
from localmem.store.connect import translated

PAGES = 1_000
"""Copied between two looks at whether the caller gave up."""


def write(source: apsw.Connection, target: str, key: bytes | None, held: bytes | None) -> None:
    """Copy the library, which `held` opens, to a new file under `key`. Raises BackupFailed."""
    try:
        final = Path(target).expanduser()
        if final.exists() or not final.name:
            raise BackupFailed(
                f"{final} exists already.", hint="Name a new file, or remove the old one first."
            )
        descriptor, partial = tempfile.mkstemp(prefix=".localmem-", dir=final.parent)
        os.close(descriptor)
        try:
            with translated(partial, writing=True):
                _copy(source, Path(partial), key, held)
            folder.sync(Path(partial))
            os.rename(partial, final)
        finally:
            Path(partial).unlink(missing_ok=True)
    except (StoreError, OSError, RuntimeError) as problem:
        if isinstance(problem, BackupFailed):
            raise
        raise BackupFailed(
            f"The backup to {target[:200]} was not written: {problem}",
            hint="Check that the folder exists, can be written and has space.",
        ) from problem


def _copy(source: apsw.Connection, target: Path, key: bytes | None, held: bytes | None) -> None:
    if key == held:
        _copy_pages(source, target, key)
        return
    # Pages under another key have another layout, so the copy is written anew.
    again = cipher.connect(source.filename, held)
    try:
        cipher.copy_into(again, target, key)
    finally:
        again.close()


def _copy_pages(source: apsw.Connection, target: Path, key: bytes | None) -> None:
    copy = cipher.connect(target, key)
    try:
        with _snapshot(source), copy.backup("main", source, "main") as running:
            while not running.done:
                running.step(PAGES)
        copy.pragma("journal_mode", "DELETE")
    finally:
        copy.close()


@contextmanager
def _snapshot(source: apsw.Connection) -> Iterator[None]:
    """The library as it is now, while others write: the copy would begin anew with each of their
    writes, and beside a busy program never end."""
    source.execute("BEGIN")
    try:
        source.execute("SELECT count(*) FROM sqlite_master").fetchall()
        yield
    finally:
        source.execute("ROLLBACK")
