"""Settings from config.toml: read, checked, never written or rewritten by reading.

Refuses to guess: an unknown key is an error that names the nearest one, and a broken file is left
as it is (field report FR-152).
"""

from __future__ import annotations

import difflib
import tomllib
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from localmem.errors import InvalidSettings


@dataclass(frozen=True, slots=True)
class Settings:
    model: str = "bundled"
    """Which model finds by meaning: "bundled", "none" or an adapter's name (docs/settings)."""
    floor: float = 0.30
    """Hits scored below are hidden; 0 … 1."""
    theme: str = "localmem"
    """The app's colours: "localmem" or any theme of Textual."""


def _text(value: Any) -> bool:
    return isinstance(value, str) and bool(value)


def _share(value: Any) -> bool:
    return isinstance(value, int | float) and not isinstance(value, bool) and 0 <= value <= 1


_KEYS: Mapping[str, tuple[Callable[[Any], bool], str]] = {
    "model": (_text, 'a name in quotes, such as "bundled"'),
    "floor": (_share, "a number from 0 to 1, such as 0.3"),
    "theme": (_text, 'a name in quotes, such as "localmem"'),
}


def read(file: Path) -> Settings:
    """The settings of `file`; the defaults when there is none. Raises InvalidSettings."""
    try:
        text = file.read_text("utf-8-sig")
    except FileNotFoundError:
        return Settings()
    except (OSError, UnicodeDecodeError) as problem:
        raise InvalidSettings(
            f"{file} cannot be read: {problem}.", hint="Save it as UTF-8 text."
        ) from problem
    return parse(text, name=str(file))


def parse(text: str, *, name: str = "config.toml") -> Settings:
    """Raises InvalidSettings, naming the line or the key."""
    try:
        held = tomllib.loads(text.replace("\r\n", "\n"))
    except tomllib.TOMLDecodeError as problem:
        raise InvalidSettings(
            f"{name} is not valid TOML: {problem}.", hint="Mend that line; nothing was changed."
        ) from problem
    for key, value in held.items():
        _check(name, key, value)
    return Settings(**held)


def _check(name: str, key: str, value: Any) -> None:
    if key not in _KEYS:
        near = difflib.get_close_matches(key, _KEYS, n=1)
        meant = f"Did you mean {near[0]}?" if near else f"The keys are {', '.join(_KEYS)}."
        raise InvalidSettings(f"{name} has an unknown key {key!r}.", hint=meant)
    accepts, what = _KEYS[key]
    if not accepts(value):
        raise InvalidSettings(f"{key} in {name} must be {what}.")
