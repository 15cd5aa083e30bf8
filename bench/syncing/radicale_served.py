"""Radicale over a folder, all by default but the login: `-m syncing.radicale_served FOLDER`."""

from __future__ import annotations

import sys

from radicale import Application, config  # type: ignore[import-not-found]

from syncing.waitress_served import run

settings = config.load()
own = {
    "auth": {"type": "none"},
    "storage": {"filesystem_folder": sys.argv[1]},
    "logging": {"level": "warning"},
}
settings.update(own, "bench", privileged=True)
run(Application(settings))
