"""That one program alone does something, on any system, and that its death ends it too."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import apsw

from localmem.store import folder
from localmem.store.connect import translated


@contextmanager
def only(file: Path) -> Iterator[bool]:
    """Whether nobody else is inside with that file, which is made and stays empty.

    Raises StoreUnavailable where no file can be made there.
    """
    with folder.named(file):
        folder.make_private(file.parent)
        folder.make_private_file(file)
    with translated(str(file)):
        connection = apsw.Connection(str(file))
    try:
        try:
            connection.execute("BEGIN EXCLUSIVE")
        except apsw.BusyError:
            yield False
        else:
            yield True
    finally:
        connection.close()
