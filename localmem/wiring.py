"""The composition root: the only reader of the environment, the settings and the keyring.

Puts store, model and engine together for a surface; imports each part when it is needed, so that
a command which only reads words loads no model, no numpy and no httpx.
"""

from __future__ import annotations

import os
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from datetime import tzinfo
from pathlib import Path
from typing import TYPE_CHECKING

from localmem import config, ids
from localmem import paths as places
from localmem.core.model import Actor, AuthorKind, Origin
from localmem.engine import Engine
from localmem.store.connect import MEMORY
from localmem.store.sqlite import open_store

if TYPE_CHECKING:
    from localmem.core.ports import Embedder

YOU = "you"
"""How the person is named in their own library."""
NO_MODEL = "none"
KEY_VARIABLE = "LOCALMEM_MODEL_KEY"
"""Environment variable with the key of an embedding endpoint."""


@dataclass(frozen=True, slots=True)
class Home:
    """Where this person's library is and how it is set up."""

    paths: places.Paths
    settings: config.Settings
    allow_network: bool
    model_key: str | None


def home(environment: Mapping[str, str] = os.environ) -> Home:
    """Read the environment and the settings. Raises InvalidSettings."""
    found = places.paths(environment)
    return Home(
        found,
        config.read(found.settings),
        allow_network=environment.get("LOCALMEM_ALLOW_NETWORK") == "1",
        model_key=environment.get(KEY_VARIABLE) or None,
    )


def zone() -> tzinfo:
    """The person's own zone, for the days they name and the times they are shown."""
    return ids.LocalZone()


def person(origin: Origin) -> Actor:
    """The owner of the library, at their own keyboard."""
    return Actor(AuthorKind.PERSON, YOU, origin)


def open_engine(home: Home, actor: Actor, *, long_lived: bool, meaning: bool = True) -> Engine:
    """The person's library. `long_lived` keeps vectors in memory for many searches.

    Raises StoreError subclasses. The model is loaded later, when it is first asked for.
    """
    return _engine(home.paths.library, home, actor, long_lived=long_lived, meaning=meaning)


def open_nothing_kept(home: Home, actor: Actor) -> Engine:
    """A library in memory, gone when it is closed."""
    return _engine(MEMORY, home, actor, long_lived=True, meaning=True)


def _engine(
    path: Path | str, home: Home, actor: Actor, *, long_lived: bool, meaning: bool
) -> Engine:
    store = open_store(path, ids.now, cached=long_lived, allow_network=home.allow_network)
    load = _loader(home) if meaning and home.settings.model != NO_MODEL else None
    return Engine(store, ids.now, ids.TimeOrderedIds(), actor, load_embedder=load)


def _loader(home: Home) -> Callable[[], Embedder]:
    def load() -> Embedder:
        from localmem import embed

        return embed.load(home.settings.model, cache_dir=home.paths.cache, api_key=home.model_key)

    return load
