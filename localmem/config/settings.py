"""The one table of settings: names, defaults, what each may hold and what it means.

Reading, writing, `localmem config`, the Settings screen and docs/settings.md derive from it.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping
from enum import StrEnum
from types import MappingProxyType
from typing import Any, NamedTuple

Keys = Mapping[str, tuple[str, ...]]
"""An action's id -> the person's own keys for it; none at all takes its key away."""

NO_MODEL = "none"
"""Words alone: also what holds while nobody can say which model was meant, because another model
than the one before would have every memory embedded again."""

THEMES = (
    "localmem", "localmem-light", "textual-dark", "textual-light", "nord", "gruvbox",
    "catppuccin-mocha", "dracula", "tokyo-night", "monokai", "flexoki", "catppuccin-latte",
    "catppuccin-frappe", "catppuccin-macchiato", "solarized-light", "solarized-dark", "rose-pine",
    "rose-pine-moon", "rose-pine-dawn", "atom-one-dark", "atom-one-light", "ansi-dark",
    "ansi-light",
)  # fmt: skip
"""Ours and Textual's; a test holds the list to Textual's own."""

SYMBOLS = ("auto", "unicode", "ascii")


class Source(StrEnum):
    """Where a value comes from."""

    DEFAULT = "default"
    FILE = "config.toml"
    ENVIRONMENT = "environment"


NO_KEYS: Keys = MappingProxyType({})


class Settings(NamedTuple):
    model: str = "bundled"
    floor: float = 0.30
    theme: str = "localmem"
    symbols: str = "auto"
    account_url: str = ""
    """Empty without an account."""
    keys: Keys = NO_KEYS


def _as_it_is(value: Any) -> Any:
    return value


class Setting(NamedTuple):
    name: str
    """Dotted when it stands in a table: `account.url` is `url` under `[account]`."""
    kind: str
    """Its type, as documents name it."""
    what: str
    """What it must be, to stand behind "must be"."""
    meaning: str
    """One or two sentences."""
    accepts: Callable[[Any], bool]
    typed: Callable[[str], Any]
    """The value that a typed text means, not checked yet; ValueError when it can be none."""
    near: tuple[str, ...] = ()
    """Every value there is, where they can be listed."""
    instead: str = "Until then the default holds."
    """What holds while the file says something that cannot be."""
    held: Callable[[Any], Any] = _as_it_is
    """The one form of a value that is accepted."""
    wrong: Callable[[Any], str] = lambda _: ""
    """What is wrong with a value that is not, to stand behind a colon; "" when `what` says it."""

    @property
    def field(self) -> str:
        """Its name in `Settings`."""
        return self.name.replace(".", "_")

    @property
    def variable(self) -> str:
        """Environment variable that wins over the file; "" for a table."""
        return "" if self.kind == "table" else f"LOCALMEM_{self.field.upper()}"

    @property
    def default(self) -> Any:
        return getattr(DEFAULTS, self.field)


DEFAULTS = Settings()


def _text(value: Any) -> bool:
    return isinstance(value, str) and bool(value.strip()) and value.isprintable()


def _share(value: Any) -> bool:
    number = isinstance(value, int | float) and not isinstance(value, bool)
    return number and not math.isnan(value) and 0 <= value <= 1


def _address_or_none(value: Any) -> bool:
    return isinstance(value, str) and not _not_an_address(value)


def _not_an_address(value: Any) -> str:
    from localmem.config import address

    return address.read(value).wrong if isinstance(value, str) and value else ""


def _address(value: str) -> str:
    from localmem.config import address

    return address.read(value).url


def key_list(value: Any) -> bool:
    """A key's name, or a list of them."""
    names = value if isinstance(value, list | tuple) else [value]
    return all(_text(name) for name in names)


def _key_table(value: Any) -> bool:
    return isinstance(value, Mapping)


def _one_of(values: tuple[str, ...]) -> Callable[[Any], bool]:
    return lambda value: isinstance(value, str) and value in values


def _never(text: str) -> Any:
    raise ValueError(text)


SETTINGS: Mapping[str, Setting] = {
    each.name: each
    for each in (
        Setting(
            "model", "text", 'a name in quotes, such as "bundled"',
            "The model that finds by meaning: bundled (comes along, works offline), quality (finds "
            "more, slower; an extra), none (words alone), openai:MODEL@URL (an endpoint such as "
            "Ollama), or fastembed:MODEL. Another model has every memory embedded again, in the "
            "background.",
            _text, str.strip, instead="Until then search is by words alone.",
        ),
        Setting(
            "floor", "number", "a number from 0 to 1, such as 0.3",
            "Hits scored below it are hidden and counted; + shows them. 0.45 is for whoever wants "
            "no false hit, 0 hides nothing.",
            _share, float, held=float,
        ),
        Setting(
            "theme", "text", 'the name of a theme in quotes, such as "localmem"',
            "The app's colours: localmem (dark), localmem-light, or any theme of Textual.",
            _one_of(THEMES), str.strip, THEMES,
        ),
        Setting(
            "symbols", "text", '"auto", "unicode" or "ascii"',
            "What icons, bars and arrows are drawn with: ascii for terminals and fonts that lack "
            "the signs; auto decides by the terminal.",
            _one_of(SYMBOLS), str.strip, SYMBOLS,
        ),
        Setting(
            "account.url", "text",
            'the address of a memory API, such as "https://memory.example.com"',
            "The memory API that your account is at; without one nothing leaves this machine for "
            "it. http is for this machine itself only. The account's key never stands here.",
            _address_or_none, str.strip, instead="Until then there is no account.",
            held=_address, wrong=_not_an_address,
        ),
        Setting(
            "keys", "table", "a table of its own, [keys], with lines such as search = \"ctrl+f\"",
            "Your own keys for the app's actions: `localmem config keys` lists the actions.",
            _key_table, _never, instead="Until then the app's own keys hold.",
        ),
    )
}  # fmt: skip

TABLES = frozenset(name.partition(".")[0] for name in SETTINGS if "." in name)
"""The tables of the file that hold settings, beside `[keys]`."""
