"""A file of memories on its way to the disk: whole or not at all, and for its owner alone.

Refuses to replace a file nobody said may go, and anything that is no plain file.
"""

from __future__ import annotations

import os
import tempfile
from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import TextIO

from localmem.errors import BackupFailed


def save(target: Path, lines: Iterable[str], *, force: bool) -> int:
    """Write the lines to `target`, mode 0600; how many bytes. Raises BackupFailed."""
    final = Path(os.path.realpath(target))
    check(final, force=force)
    try:
        descriptor, partial = tempfile.mkstemp(prefix=".localmem-", dir=final.parent)
    except OSError as problem:
        raise _failed(target, problem) from problem
    try:
        with open(descriptor, "w", encoding="utf-8", newline="\n") as file:
            file.writelines(lines)
            file.flush()
            os.fsync(file.fileno())
            size = file.tell()
        _put(partial, final, force=force)
    except OSError as problem:
        raise _failed(target, problem) from problem
    finally:
        Path(partial).unlink(missing_ok=True)
    return size


@contextmanager
def new_file(target: Path) -> Iterator[TextIO]:
    """A file that was not there, mode 0600, to be written as it comes. Raises BackupFailed."""
    try:
        descriptor = os.open(target, os.O_CREAT | os.O_EXCL | os.O_WRONLY, 0o600)
    except FileExistsError as problem:
        raise BackupFailed(f"{target} exists already.", hint="Name a new file.") from problem
    except OSError as problem:
        raise _failed(target, problem) from problem
    with open(descriptor, "w", encoding="utf-8", newline="\n") as file:
        yield file


def check(target: Path, *, force: bool) -> None:
    """Whether a file may be written there. Raises BackupFailed."""
    if target.exists() and not target.is_file():
        raise BackupFailed(f"{target} is not a plain file.", hint="Name a new file.")
    if target.exists() and not force:
        raise BackupFailed(
            f"{target} exists already.", hint="Name a new file, or add --force to replace it."
        )


def _put(partial: str, final: Path, *, force: bool) -> None:
    if force:
        os.replace(partial, final)
        return
    try:
        os.link(partial, final)  # unlike a rename it never replaces what came meanwhile
    except FileExistsError:
        raise
    except OSError:
        check(final, force=False)
        os.rename(partial, final)


def _failed(target: Path, problem: OSError) -> BackupFailed:
    return BackupFailed(
        f"{str(target)[:200]} was not written: {problem.strerror or problem}.",
        hint="Check that the folder exists, can be written and has space.",
    )
