"""Bytes of a file as UTF-8, whatever they were: counted, bounded, and read once.

A file that is joined from two keeps its second byte order mark in the middle (FR-95), Windows
programs write UTF-16, and old ones an alphabet of 256 letters. What is certain is read, with a note
that says so; what is not is refused with how to convert it. Refuses values without end: a text of
16 MB holds no memory, only the machine's.
"""

from __future__ import annotations

import codecs
import io
import re
from collections.abc import Callable
from dataclasses import dataclass
from typing import IO, Any

from localmem.errors import ImportUnreadable

HEAD = 65_536
"""Bytes looked at before anything is decided."""
LONGEST = 16 * 1024 * 1024
"""Bytes of the longest line or value that is read."""
_CHUNK = 65_536

_MARKS = {
    codecs.BOM_UTF8: "utf-8",
    codecs.BOM_UTF32_LE: "utf-32",
    codecs.BOM_UTF32_BE: "utf-32",
    codecs.BOM_UTF16_LE: "utf-16",
    codecs.BOM_UTF16_BE: "utf-16",
}
"""Byte order marks; UTF-32's little one begins as UTF-16's does, so it comes first."""
_WESTERN = frozenset(
    "àáâãäåæçèéêëìíîïñòóôõöøùúûüýÿßœÀÁÂÃÄÅÆÇÈÉÊËÌÍÎÏÑÒÓÔÕÖØÙÚÛÜÝŒ€£§°ºª«»‘’“”„–—…•¿¡´·"
)
_TELLING = frozenset(
    ("não", "são", "você", "também", "está", "até", "já", "só", "más", "años", "año", "qué", "cómo",
     "día", "español", "señor", "à", "été", "être", "même", "où", "très", "après", "préfère",
     "déjà", "für", "über", "möchte", "können", "schön", "größe", "straße")
)  # fmt: skip
"""Words that only one of the 8-bit alphabets spells so."""


class Counted(io.RawIOBase):
    """The head that was looked at, then the rest; knows how many bytes were given."""

    def __init__(self, head: bytes, rest: IO[bytes], check: Callable[[], object] = int) -> None:
        """`check` is asked before every read; it raises when nobody wants the rest."""
        super().__init__()
        self._head, self._rest, self._check = memoryview(head), rest, check
        self.given = 0

    def readable(self) -> bool:
        return True

    def readinto(self, buffer: Any) -> int:
        self._check()
        target = memoryview(buffer).cast("B")
        if self._head:
            data: bytes | memoryview = self._head[: len(target)]
            self._head = self._head[len(data) :]
        else:
            data = self._rest.read(len(target)) or b""
        target[: len(data)] = data
        self.given += len(data)
        return len(data)

    def close(self) -> None:
        self._rest.close()
        super().close()


class _Rewritten(io.RawIOBase):
    """Another stream's chunks, each changed on the way."""

    def __init__(self, below: IO[bytes] | Counted) -> None:
        super().__init__()
        self._below = below
        self._waiting = b""
        self._ended = False

    def readable(self) -> bool:
        return True

    def change(self, chunk: bytes) -> bytes:
        """`chunk` is empty once, at the end."""
        raise NotImplementedError

    def readinto(self, buffer: Any) -> int:
        target = memoryview(buffer).cast("B")
        while not self._waiting and not self._ended:
            chunk = self._below.read(_CHUNK) or b""
            self._ended = not chunk
            self._waiting = self.change(chunk)
        data = self._waiting[: len(target)]
        self._waiting = self._waiting[len(data) :]
        target[: len(data)] = data
        return len(data)

    def close(self) -> None:
        self._below.close()
        super().close()


class Transcoded(_Rewritten):
    """UTF-8 of a stream in another encoding; what has no meaning in it becomes U+FFFD."""

    def __init__(self, below: IO[bytes] | Counted, encoding: str) -> None:
        super().__init__(below)
        self._decoder = codecs.getincrementaldecoder(encoding)("replace")

    def change(self, chunk: bytes) -> bytes:
        return self._decoder.decode(chunk, final=not chunk).encode("utf-8", "replace")


class OldMac(_Rewritten):
    """Line feeds for the carriage returns that end lines on an old Mac."""

    def change(self, chunk: bytes) -> bytes:
        return chunk.replace(b"\r", b"\n")


class JsonBytes(_Rewritten):
    """JSON without byte order marks between its values and without a value that never ends."""

    _MARK = re.compile(rb"(?:(?<=[\s}\]])|\A)\xef\xbb\xbf(?=[\s{\[])")
    _OVERLAP = 5

    def __init__(self, below: IO[bytes] | Counted) -> None:
        super().__init__(below)
        self._kept = b""
        self._since_quote = 0

    def change(self, chunk: bytes) -> bytes:
        self._check_end(chunk)
        data = self._MARK.sub(b"", self._kept + chunk)
        cut = max(len(data) - self._OVERLAP, 0) if chunk else len(data)
        self._kept = data[cut:]
        return data[:cut]

    def _check_end(self, chunk: bytes) -> None:
        last = chunk.rfind(b'"')
        self._since_quote = self._since_quote + len(chunk) if last < 0 else len(chunk) - last
        if self._since_quote > LONGEST:
            raise ImportUnreadable(
                "The file holds a value of more than 16 MB, which no memory is.",
                hint="Check that it is the right file.",
            )


class TokenBytes(JsonBytes):
    """JSON for `ijson`: without whole numbers of thousands of digits, which crash its C reader.

    What stands before the first of them is given, then it is refused.
    """

    _NUMBER = re.compile(rb"[:\[,]\s{0,16}-?[0-9]{4000}")
    _NUMBER_OVERLAP = 4_100

    def __init__(self, below: IO[bytes] | Counted) -> None:
        super().__init__(below)
        self._before = b""
        self._endless = False

    def change(self, chunk: bytes) -> bytes:
        found = None if self._endless else self._NUMBER.search(self._before + chunk)
        if found:
            chunk = chunk[: max(found.start() - len(self._before), 0)]
        if self._endless or (found and not chunk):
            raise ImportUnreadable(
                "The file holds a number of thousands of digits, which no reader can hold.",
                hint="Write it as text, in quotes, or leave it out.",
            )
        self._endless = found is not None
        self._before = (self._before + chunk)[-self._NUMBER_OVERLAP :]
        return super().change(chunk)


@dataclass(frozen=True, slots=True)
class Text:
    """A stream of UTF-8, its first part as text, and what had to be done for that."""

    stream: io.BufferedReader
    head: str
    note: str = ""


def as_text(head: bytes, below: Counted, name: str) -> Text:
    """Raises ImportUnreadable where the alphabet cannot be told."""
    encoding = _encoding(head)
    stream: io.RawIOBase = below
    note = ""
    if encoding == "utf-8":
        text = head.decode("utf-8-sig", "replace")
    elif encoding:
        text = codecs.getincrementaldecoder(encoding)("replace").decode(head)
        stream = Transcoded(below, encoding)
        note = f"{name} is written in {_NAMES[encoding]}; it was read as that."
    else:
        raise ImportUnreadable(
            f"{name} is not written in UTF-8, and in which alphabet cannot be told.",
            hint="Save it as UTF-8 in your editor, or convert it: "
            "iconv -f WINDOWS-1252 -t UTF-8 FILE > NEW",
        )
    if "\r" in text and "\n" not in text:
        stream, text = OldMac(stream), text.replace("\r", "\n")  # type: ignore[arg-type]
    return Text(io.BufferedReader(stream, _CHUNK), text, note)


_NAMES = {"utf-16": "UTF-16", "utf-16-le": "UTF-16", "utf-16-be": "UTF-16", "utf-32": "UTF-32",
          "cp1252": "Windows-1252 (Western European)"}  # fmt: skip


def _encoding(head: bytes) -> str:
    """ "" when it is none of those that can be told."""
    for mark, encoding in _MARKS.items():
        if head.startswith(mark):
            return encoding
    if wide := _wide_without_mark(head):
        return wide
    if _is_utf8(head) or _mostly_utf8(head):
        return "utf-8"
    return "cp1252" if is_western(head) else ""


def _wide_without_mark(head: bytes) -> str:
    """UTF-16 of a Latin text has a zero in every other byte."""
    sample = head[:2_000]
    if len(sample) < 4:
        return ""
    even, odd = sample[0::2].count(0), sample[1::2].count(0)
    half = len(sample) // 2
    if odd > half * 0.7 and not even:
        return "utf-16-le"
    return "utf-16-be" if even > half * 0.7 and not odd else ""


def _is_utf8(head: bytes) -> bool:
    try:
        codecs.getincrementaldecoder("utf-8")().decode(head, final=len(head) < HEAD)
    except UnicodeDecodeError:
        return False
    return True


def _mostly_utf8(head: bytes) -> bool:
    """Whether the text is UTF-8 with a broken place: then its line is refused, not the file."""
    lines = head.decode("utf-8", "replace").splitlines()
    broken = [line for line in lines if "\ufffd" in line]
    whole = sum(not line.isascii() for line in lines) - len(broken)
    letters = sum(letter > "\x7f" and letter != "\ufffd" for line in broken for letter in line)
    return whole > len(broken) or letters > sum(line.count("\ufffd") for line in broken)


def is_western(head: bytes) -> bool:
    """Whether this is Windows-1252 beyond doubt: its letters alone, in words it alone spells."""
    try:
        text = head.decode("cp1252")
    except UnicodeDecodeError:
        return False
    high = {character for character in text if character > "\x7f"}
    words = set(re.findall(r"[^\W\d_]+", text.casefold()))
    return high <= _WESTERN and bool(words & _TELLING)
