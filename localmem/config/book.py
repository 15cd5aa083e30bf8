"""The settings of one person as surfaces use them: list, set and unset, each checked first."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from localmem.config import reading
from localmem.config.reading import Found
from localmem.config.settings import SETTINGS, Source

Value = str | float | tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Entry:
    """One setting as it stands."""

    key: str
    value: Value
    """A tuple for the keys of an action."""
    source: Source
    variable: str
    """The environment variable that wins over the file."""
    meaning: str
    kind: str


@dataclass(frozen=True, slots=True)
class Changed:
    """What a setting held before and holds now; `outranked` names a variable that still wins."""

    key: str
    old: Value | None
    new: Value | None
    """None: what the app has by itself, for the keys of an action."""
    outranked: str = ""


@dataclass(frozen=True, slots=True)
class Book:
    file: Path
    environment: Mapping[str, str]
    check_model: Callable[[str], None]
    """Whether an adapter knows the name; raises LocalmemError."""

    def found(self) -> Found:
        return reading.understand(self.file, self.environment)

    def entries(self) -> tuple[Entry, ...]:
        """Every setting; of the keys those that the person chose."""
        found = self.found()
        plain = [
            Entry(name, getattr(found.settings, each.field), _source(found, name), each.variable,
                  each.meaning, each.kind)
            for name, each in SETTINGS.items() if each.kind != "table"
        ]  # fmt: skip
        chosen = [
            Entry(f"keys.{action}", keys, _source(found, f"keys.{action}"), "",
                  "Your keys for this action of the app.", "keys")
            for action, keys in found.settings.keys.items()
        ]  # fmt: skip
        return (*plain, *chosen)

    def value(self, key: str) -> Value | None:
        """What holds; None for an action whose keys are the app's own. Raises InvalidSettings."""
        settings = self.found().settings
        if key.startswith("keys."):
            return settings.keys.get(key.removeprefix("keys."))
        if not _is_known(key):
            raise reading.unknown(key)
        held: Value = getattr(settings, SETTINGS[key].field)
        return held

    def typed(self, key: str, text: str) -> Value:
        """The checked value that a typed text means; not for keys. Raises InvalidSettings."""
        if key not in SETTINGS or not _is_known(key):
            raise reading.unknown(key)
        value: Value = reading.typed(key, text)
        if key == "model":
            self.check_model(str(value))
        return value

    def set(self, key: str, value: Value) -> Changed:
        """Write one key; `value` is checked already. Raises InvalidSettings: nothing changed."""
        if not _is_known(key):
            raise reading.unknown(key)
        return self._put(key, list(value) if isinstance(value, tuple) else value)

    def unset(self, key: str) -> Changed:
        """Take a key out of the file, so that its default holds; also one that is none of ours.

        Raises InvalidSettings: nothing changed.
        """
        if not _is_known(key) and not self._stands(key):
            raise reading.unknown(key)
        return self._put(key, None)

    def _put(self, key: str, value: Any | None) -> Changed:
        from localmem.config import writing

        if not _is_known(key):
            writing.put(self.file, key, value)
            return Changed(key, None, None)
        old = self.value(key)
        writing.put(self.file, key, value)
        variable = SETTINGS[key].variable if key in SETTINGS else ""
        outranked = variable if self.environment.get(variable) else ""
        return Changed(key, old, self.value(key), outranked)

    def _stands(self, key: str) -> bool:
        """Whether the file holds the key, or the table that its first part names does."""
        raw = reading.table(reading.read_text(self.file) or "", self.file.name)
        head, dot, last = key.partition(".")
        held = raw.get(head)
        return last in held if dot and isinstance(held, dict) else key in raw


def _is_known(key: str) -> bool:
    return key.startswith("keys.") or (key in SETTINGS and SETTINGS[key].kind != "table")


def _source(found: Found, key: str) -> Source:
    return found.sources.get(key, Source.DEFAULT)
