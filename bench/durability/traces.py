"""What is looked for in the bytes of a library: words that stand nowhere else, and vectors.

Reads the files past SQLite. Refuses to run beside an open connection of this process: closing a
file that SQLite has open drops its locks (localmem/store/raw.py).
"""

from __future__ import annotations

import hashlib
import math
import random
import re
from array import array
from collections.abc import Iterable, Sequence
from pathlib import Path

import apsw

from localmem.core.records import Model
from localmem.store import cipher

KEY = bytes(range(32))
WORD = re.compile(r"\b[ab]w[b-df-hj-np-tv-z]{12}\b")
_LETTERS = "bcdfghjklmnpqrstvwxz"
_FLOATS = 4
"""Of a vector so many neighbours are one trace; a page of the file may cut any longer one."""


def word(chance: random.Random, writer: str = "a") -> str:
    """A word that no other text holds by chance; matches WORD."""
    return f"{writer}w" + "".join(chance.choices(_LETTERS, k=12))


class DigestEmbedder:
    """A model without meaning: every text has a direction of its own, always the same."""

    def __init__(self, name: str = "digest", dimensions: int = 32) -> None:
        self.model = Model(name, "1", dimensions)

    def embed(self, texts: Sequence[str]) -> list[bytes]:
        return [self._vector(text) for text in texts]

    def embed_question(self, text: str) -> bytes:
        return self._vector(text)

    def _vector(self, text: str) -> bytes:
        seed = f"{self.model.name}\x00{text}".encode()
        drawn = hashlib.shake_256(seed).digest(4 * self.model.dimensions)
        values = [drawn[at] * 256 + drawn[at + 1] - 32768 + 0.5 for at in range(0, len(drawn), 4)]
        length = math.sqrt(sum(value * value for value in values))
        return array("f", [value / length for value in values]).tobytes()


def of_vector(vector: bytes) -> list[bytes]:
    """Pieces of a vector that show it was there, wherever a page cut it."""
    size = 4 * _FLOATS
    return [vector[at : at + size] for at in range(0, len(vector), size)]


def held_in(folder: Path, *, key: bytes | None, library: Path) -> dict[str, bytes]:
    """The bytes of every file below the folder, by name; of an encrypted library also its pages as
    they are once decrypted, in memory."""
    found = {
        str(file.relative_to(folder)): file.read_bytes()
        for file in sorted(folder.rglob("*"))
        if file.is_file()
    }
    if key is not None:
        connection = cipher.connect(library, key)
        try:
            found["decrypted"] = bytes(connection.serialize("main"))
        finally:
            connection.close()
    return found


def seen(contents: Iterable[bytes], wanted: Iterable[bytes]) -> set[bytes]:
    """Those of `wanted` that stand in any of the contents."""
    everything = b"\x00".join(contents)
    return {each for each in wanted if each in everything}


def sound(connection: apsw.Connection) -> list[str]:
    """What SQLite and FTS5 find broken; nothing when all is well."""
    broken = [str(line) for (line,) in connection.execute("PRAGMA integrity_check")]
    broken += [str(row) for row in connection.execute("PRAGMA foreign_key_check")]
    try:
        connection.execute("INSERT INTO words (words, rank) VALUES ('integrity-check', 1)")
    except apsw.Error as problem:
        broken.append(f"words: {problem}")
    return [line for line in broken if line != "ok"]
