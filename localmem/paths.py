"""Where a person's files live: pure functions of the environment; creates nothing.

LOCALMEM_HOME moves data, settings and caches to one folder of the person's own.
"""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from typing import NamedTuple


class Paths(NamedTuple):
    library: Path
    """The SQLite file that holds everything."""
    settings: Path
    """config.toml; need not exist."""
    cache: Path
    """What can be made again: the model prepared for a fast start."""


def paths(environment: Mapping[str, str]) -> Paths:
    """LOCALMEM_HOME when it is set and not empty, otherwise the operating system's own places.

    Raises RuntimeError when it begins with `~` and the name of nobody.
    """
    home = environment.get("LOCALMEM_HOME", "")
    if home:
        folder = Path(home).expanduser()
        return Paths(folder / "library.db", folder / "config.toml", folder / "cache")
    import platformdirs

    return Paths(
        Path(platformdirs.user_data_dir("localmem", False)) / "library.db",
        Path(platformdirs.user_config_dir("localmem", False)) / "config.toml",
        Path(platformdirs.user_cache_dir("localmem", False)),
    )
