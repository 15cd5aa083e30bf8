"""What the doctor looks at: where it lies, how it is set up, and how it is opened."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING

from localmem.engine import Engine
from localmem.paths import Paths

if TYPE_CHECKING:
    from localmem.core.ports import Clock, Embedder

SIDE_FILES = ("", "-wal", "-shm", "-journal")


@dataclass(frozen=True, slots=True)
class Patient:
    paths: Paths
    environment: Mapping[str, str] = field(repr=False)
    problems: tuple[str, ...]
    """Sentences about settings that were passed over."""
    model: str
    """The setting."""
    clock: Clock
    look: Callable[[], Engine]
    """Opens the library without changing it. Raises StoreError."""
    open: Callable[[], Engine]
    """Opens it as every command does, model included. Raises StoreError."""
    copy: Callable[[Path], None]
    """Copies the library to a new file, whatever its schema. Raises BackupFailed, StoreError."""
    try_model: Callable[[], Embedder] | None = None
    """Loads the model without keeping anything of it; None for words alone."""

    @property
    def library(self) -> Path:
        return self.paths.library

    def files(self) -> list[Path]:
        """The library's own files that exist."""
        named = (Path(f"{self.library}{suffix}") for suffix in SIDE_FILES)
        return [file for file in named if file.is_file()]

    @contextmanager
    def looking(self) -> Iterator[Engine]:
        engine = self.look()
        try:
            yield engine
        finally:
            engine.close()

    @contextmanager
    def opened(self) -> Iterator[Engine]:
        engine = self.open()
        try:
            yield engine
        finally:
            engine.close()
