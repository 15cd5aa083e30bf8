"""Memories in and out as files: our own NDJSON and CSV, and what other programs export.

    with portable.open_source(path) as source:
        for value in source: ...

Reads and writes files only; nothing here knows the library. ijson and zipfile live in this room.
"""

from __future__ import annotations

import io
import re
import time
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import IO, TYPE_CHECKING, BinaryIO

from localmem.portable import formats
from localmem.portable.source import Source

if TYPE_CHECKING:
    from localmem.core.incoming import Line
    from localmem.portable.opening import Opened
    from localmem.portable.reading import Reader

__all__ = ["Source", "format_names", "open_source"]


def format_names() -> tuple[tuple[str, str], ...]:
    """(name, what it is) of everything `--from` takes, for help and completion."""
    known = tuple((each.name, each.title) for each in formats.FORMATS)
    listed = tuple((name, f"a list copied from {name.capitalize()}") for name in formats.ASSISTANTS)
    return (*known, *listed, (formats.PERSON, "your own, whatever it looks like"))


def open_source(
    place: Path | str | BinaryIO, *, format: str | None = None, now: int | None = None
) -> Source:
    """Open a file, a folder of an export, or a binary stream (a pipe), and say what it is.

    `format` is what `--from` takes: a format, an assistant whose list this is, or "you", which
    says that a list is the person's own. None goes by what the file looks like. `now` is the time
    (UTC milliseconds) a time to live counts from where a file names no other.

    Raises ImportUnreadable for what cannot be read at all, with the paths that were tried and how
    to get the right file, and InvalidInput for a format nobody knows, with the nearest name.
    """
    from localmem.portable import opening

    wanted = formats.checked(format) if format else ""
    named = formats.BY_NAME.get(wanted)
    how = (named.how,) if named and named.how else (formats.EXPORTS,)
    opened = opening.path(place, how) if isinstance(place, str | Path) else opening.stream(place)
    try:
        return _source(opened, wanted, int(time.time() * 1000) if now is None else now)
    except BaseException:
        if opened.file is not None:
            opened.file.close()
        raise


def _source(opened: Opened, wanted: str, now: int) -> Source:
    from localmem.portable import reading, sniff
    from localmem.portable.bundles import Zip
    from localmem.portable.records import Origin

    notes: list[str] = []
    origin = Origin(opened.name, "", now, _collection(opened.name))
    reader = reading.Reader(origin, wanted, notes)
    close: Callable[[], None] = _nothing
    total = opened.total
    if opened.folder is not None or opened.head.startswith(sniff.ZIP):
        bundle = opened.folder or Zip(_seekable(opened), opened.name)
        with reading.explained(opened.name):
            shape, values, total = reader.bundle(bundle)
        close = bundle.close
    else:
        assert opened.file is not None
        file = opened.file
        shape = reader.shape(opened.head, opened.name)
        values = lambda: reader.file(opened.head, file, shape, opened.name)  # noqa: E731
    origin.author = _author(wanted, shape.format)
    return Source(
        shape.format.name,
        _title(wanted, shape.format),
        opened.name,
        opened.fingerprint,
        total,
        origin.author,
        notes,
        lambda: reader.read_bytes,
        lambda: _told(reading.guarded(values(), opened.name), reader),
        lambda: _close(close, opened.file),
        reader.halt,
    )


def _close(bundle: Callable[[], None], file: IO[bytes] | None) -> None:
    bundle()
    if file is not None:
        file.close()


def _nothing() -> None:
    """A single file has no members to close."""


def _told(values: Iterator[Line], reader: Reader) -> Iterator[Line]:
    yield from values
    reader.notes.extend(reader.origin.notes())


def _seekable(opened: Opened) -> BinaryIO:
    """A zip is read from its end; what came through a pipe is held in memory for that."""
    from localmem.errors import ImportUnreadable

    assert opened.file is not None
    if opened.total is not None:
        return opened.file  # type: ignore[return-value]
    held = opened.head + opened.file.read(_LARGEST_PIPED + 1)
    if len(held) > _LARGEST_PIPED:
        raise ImportUnreadable(
            "A zip of more than 64 MB cannot be read from a pipe.", hint="Name the file instead."
        )
    return io.BytesIO(held)


_LARGEST_PIPED = 64 * 1024 * 1024


def _author(wanted: str, found: formats.Format) -> str:
    if wanted == formats.PERSON:
        return ""
    if wanted in formats.ASSISTANTS:
        return wanted
    return (formats.BY_NAME[wanted] if wanted else found).author


def _title(wanted: str, found: formats.Format) -> str:
    copied = wanted in formats.ASSISTANTS or (wanted and formats.BY_NAME.get(wanted) is not found)
    if not copied or wanted == formats.PERSON:
        return found.title
    return f"{found.title}, copied from {wanted}"


def _collection(name: str) -> str:
    """Where documents of a file go that name no collection: `orders` for orders.ndjson."""
    stem = name.split(".")[0].casefold()
    fitting = re.sub(r"[^a-z0-9_-]+", "-", stem).strip("-_")[:63]
    return fitting or "imported"
