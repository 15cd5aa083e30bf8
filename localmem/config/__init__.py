"""Settings: what there is, what config.toml and the environment say, and changing one key of it.

Refuses to guess and to repair: an unknown key is a problem that names the nearest one, a broken
file is left as it is (field report FR-152), and nothing is written before it was checked. Refuses
to stand between a person and their memories too: what cannot be read is said and its default holds.
"""

from __future__ import annotations

from localmem.config.reading import Found, understand
from localmem.config.settings import NO_MODEL, SETTINGS, THEMES, Keys, Settings, Source

__all__ = [
    "NO_MODEL",
    "SETTINGS",
    "THEMES",
    "Found",
    "Keys",
    "Settings",
    "Source",
    "understand",
]
