"""Memories in and out as files: our own NDJSON and CSV, and what other programs export.

    with portable.open_source(path) as source:
        for value in source: ...

Reads and writes files only; nothing here knows the library. ijson and zipfile live in this room.
"""

from __future__ import annotations

from pathlib import Path
from typing import BinaryIO

from localmem.portable.source import Offered, Source

__all__ = ["Offered", "Source", "open_source"]


def open_source(
    place: Path | str | BinaryIO,
    *,
    format: str | None = None,
    author: str | None = None,
) -> Source:
    """Open a file, a folder of an export, or a binary stream (a pipe), and say what it is.

    `format` overrides what it looks like; `author` names the assistant whose memories a plain
    list holds ("" says they are the person's own, whatever the file). Raises ImportUnreadable
    for what cannot be read at all, with the paths that were tried and how to get the right file,
    and InvalidInput for a format nobody knows, with the nearest name.

    Our own NDJSON is read by `ndjson.read(lines)`, where `lines` yields (number, text without its
    line break); what it yields is passed on as it is.
    """
    raise NotImplementedError
