"""What the engine asks of the world, as Protocols; implementations live in store/ and embed/."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Protocol

from localmem.core.model import Millis


class Clock(Protocol):
    def __call__(self) -> Millis:
        """Now, in UTC milliseconds."""
        ...


class Ids(Protocol):
    def __call__(self) -> str:
        """A new UUIDv7 text, later than every one before it."""
        ...


@dataclass(frozen=True, slots=True)
class Model:
    """Identity of an embedding model, recorded beside the vectors it made."""

    name: str
    """Selects the calibration, e.g. "use-m3-512"."""
    version: str
    """Package version and weights digest, or the endpoint's own model name."""
    dimensions: int


class Embedder(Protocol):
    @property
    def model(self) -> Model: ...

    def embed(self, texts: Sequence[str]) -> list[bytes]:
        """One unit-length little-endian float32 vector per text. Raises ModelUnavailable."""
        ...
