"""Erases the libraries of removed spaces and people while no server runs; a running one does it
itself (server/upkeep.py).

Their folders stay named in `server.db`, so that what a stop left is erased later, and a restore
brings nobody back who was removed since. Out of reach: backups, folders kept by a restore, and what
the disk keeps of overwritten blocks.
"""

from __future__ import annotations

import shutil
from contextlib import closing
from pathlib import Path

from localmem.store import swap
from localmem.store.hosting.database import open_hosting
from localmem.store.hosting.place import CONTROL


def erase(place: Path) -> None:
    """For whoever is alone with the folder. Raises StoreError, OSError."""
    with closing(open_hosting(place / CONTROL)) as store, store.reading():
        names = store.access.removed()
    for name in names:
        folder = place / name
        for file in sorted(folder.glob("*.db")):
            swap.erase(file)
        shutil.rmtree(folder, ignore_errors=True)
