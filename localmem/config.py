"""Settings from config.toml: read, checked, never written or rewritten by reading.

Refuses to guess: an unknown key is a problem that names the nearest one, and a broken file is left
as it is (field report FR-152). Refuses to stand between a person and their memories too: what
cannot be read is said and holds its default, and where the model is in doubt nothing is embedded.
"""

from __future__ import annotations

import difflib
import tomllib
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from localmem.errors import InvalidSettings

NO_MODEL = "none"
"""Words alone: also what holds while nobody can say which model was meant, because another model
than the one before would have every memory embedded again."""


@dataclass(frozen=True, slots=True)
class Settings:
    model: str = "bundled"
    """Which model finds by meaning: "bundled", "none" or an adapter's name (docs/settings)."""
    floor: float = 0.30
    """Hits scored below are hidden; 0 … 1."""
    theme: str = "localmem"
    """The app's colours: "localmem" or any theme of Textual."""


@dataclass(frozen=True, slots=True)
class Found:
    """What a settings file says, as far as it can be understood."""

    settings: Settings
    problems: tuple[str, ...] = ()
    """A sentence for each part that was passed over, and what holds instead."""


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
    text = _read(file)
    return Settings() if text is None else parse(text, name=str(file))


def understand(file: Path) -> Found:
    """As `read`, but what is wrong becomes a problem and its default holds. Raises nothing."""
    try:
        text = _read(file)
        held = {} if text is None else _table(text, str(file))
    except InvalidSettings as problem:
        instead = "Until then the defaults hold, and search is by words alone."
        return Found(Settings(model=NO_MODEL), (f"{problem} {instead}",))
    understood, problems = {}, []
    for key, value in held.items():
        try:
            _check(str(file), key, value)
            understood[key] = value
        except InvalidSettings as problem:
            problems.append(f"{problem} {_instead(key)}")
            if key == "model":
                understood[key] = NO_MODEL
    return Found(Settings(**understood), tuple(problems))


def parse(text: str, *, name: str = "config.toml") -> Settings:
    """Raises InvalidSettings, naming the line or the key."""
    held = _table(text, name)
    for key, value in held.items():
        _check(name, key, value)
    return Settings(**held)


def _read(file: Path) -> str | None:
    """The text of the file; None when there is none. Raises InvalidSettings."""
    try:
        return file.read_text("utf-8-sig")
    except FileNotFoundError:
        return None
    except UnicodeDecodeError as problem:
        raise InvalidSettings(
            f"{file} is not UTF-8 (byte {problem.start + 1}).", hint="Save it as UTF-8 text."
        ) from problem
    except OSError as problem:
        raise _unreadable(file, problem) from problem


def _unreadable(file: Path, problem: OSError) -> InvalidSettings:
    match problem:
        case NotADirectoryError():
            return InvalidSettings(
                f"{file.parent} is not a folder, so it holds no settings.",
                hint="Set LOCALMEM_HOME to a folder.",
            )
        case IsADirectoryError():
            return InvalidSettings(
                f"{file} is a folder, not a file.", hint="Move it away; settings are one file."
            )
        case PermissionError():
            return InvalidSettings(
                f"{file} may not be read.",
                hint="Give yourself the right to read it and to enter its folder.",
            )
        case _:
            return InvalidSettings(
                f"{file} cannot be read: {problem.strerror or problem}.",
                hint="Check the folder and the disk it lies on.",
            )


def _table(text: str, name: str) -> dict[str, Any]:
    try:
        return tomllib.loads(text.replace("\r\n", "\n"))
    except tomllib.TOMLDecodeError as problem:
        raise InvalidSettings(
            f"{name} is not valid TOML: {problem}.", hint="Mend that line; nothing was changed."
        ) from problem
    except RecursionError as problem:
        raise InvalidSettings(
            f"{name} is nested too deep to be read.", hint="Settings are single lines, key = value."
        ) from problem


def _check(name: str, key: str, value: Any) -> None:
    if key not in _KEYS:
        near = difflib.get_close_matches(key, _KEYS, n=1)
        meant = f"Did you mean {near[0]}?" if near else f"The keys are {', '.join(_KEYS)}."
        raise InvalidSettings(f"{name} has an unknown key {key[:40]!r}.", hint=meant)
    accepts, what = _KEYS[key]
    if not accepts(value):
        raise InvalidSettings(f"{key} in {name} must be {what}.")


def _instead(key: str) -> str:
    match key:
        case "model":
            return "Until then search is by words alone."
        case "floor" | "theme":
            return "Until then the default holds."
        case _:
            return "It is passed over."
