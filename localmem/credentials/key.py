"""A key as it was found, and the environment as a place to find one."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path

MOST_BYTES = 1_000
"""Of a file that the environment names."""


@dataclass(frozen=True, slots=True)
class Key:
    value: str | None
    """None when there is none, or it cannot be had."""
    why: str = ""
    """Why it cannot be had, as a sentence; "" otherwise."""
    variable: str = ""
    """The environment variable that gave it; "" for every other place."""
    hint: str = ""
    """What to do next, where the place knows it."""
    wants_passphrase: bool = False
    """A passphrase opens it: ask for one, and ask again with it."""

    def __repr__(self) -> str:
        return f"Key({'set' if self.value else 'none'}, why={self.why!r})"


def from_environment(environment: Mapping[str, str], variable: str, file_variable: str) -> Key:
    """What a variable holds, or the file that another one names; the first wins.

    Neither is set: no value and no reason.
    """
    value = environment.get(variable)
    if value:
        return Key(value, variable=variable)
    named = environment.get(file_variable)
    return _from_file(file_variable, Path(named)) if named else Key(None)


def _from_file(variable: str, file: Path) -> Key:
    try:
        with file.expanduser().open("rb") as opened:
            value = opened.read(MOST_BYTES).decode("utf-8-sig").strip()
    except (OSError, RuntimeError, UnicodeDecodeError) as problem:
        reason = problem.strerror if isinstance(problem, OSError) else "it is not text"
        return Key(None, f"{variable} names {file}, which cannot be read: {reason}.")
    if not value:
        return Key(None, f"{variable} names {file}, which is empty.")
    return Key(value, variable=variable)
