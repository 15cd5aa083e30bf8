"""The lines of a file, numbered as an editor numbers them, each within bounds or named as not.

Byte order marks at a line's start and carriage returns at its end are of the file, not of the
text (FR-95); a last line without its line feed is a line (FR-98).
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import IO

from localmem.core.incoming import Unreadable
from localmem.portable.streams import LONGEST

Numbered = tuple[int, str]
"""Its number from 1, and its text without what ends it."""


def read(stream: IO[bytes], *, longest: int = LONGEST) -> Iterator[Numbered | Unreadable]:
    number = 0
    while raw := stream.readline(longest):
        number += 1
        if len(raw) == longest and not raw.endswith(b"\n"):
            _skip_rest(stream)
            yield Unreadable(number, f"The line is longer than {longest // 1_048_576} MB.")
            continue
        try:
            text = raw.decode("utf-8")
        except UnicodeDecodeError:
            yield Unreadable(number, "The line is not UTF-8.")
            continue
        yield number, text.rstrip("\r\n").lstrip("\ufeff")


def _skip_rest(stream: IO[bytes]) -> None:
    while (part := stream.readline(1_048_576)) and not part.endswith(b"\n"):
        pass


def good(lines: Iterable[Numbered | Unreadable], bad: list[Unreadable]) -> Iterator[Numbered]:
    """The readable ones; the others are put into `bad`, for the caller to pass on in between."""
    for line in lines:
        if isinstance(line, Unreadable):
            bad.append(line)
        else:
            yield line


def of_text(text: str) -> Iterator[Numbered]:
    """The lines of a text that is in memory already."""
    yield from enumerate(text.splitlines(), 1)
