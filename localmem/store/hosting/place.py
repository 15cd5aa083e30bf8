"""A server's folder: where its files are, and that one program alone serves from it.

server.db                   who may use it
spaces/<id>/live.db         a space's library; test.db its test partition
people/<id>/library.db      a person's own library
before-restore-<time>/      the same three, as they were before a restore
"""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from localmem.errors import StoreBusy, StoreDamaged
from localmem.store.alone import only
from localmem.store.hosting.access import AccessTable

CONTROL = "server.db"
PARTS = (CONTROL, "spaces", "people")
LOCK = "server.lock"
RESTORE = (
    "It was left exactly as it is. Stop the server, then `localmem serve restore FOLDER` brings a "
    "backup back and keeps this one beside it."
)


@contextmanager
def alone(place: Path) -> Iterator[None]:
    """Nobody else serves from the folder meanwhile, or restores it. A kill ends it too.

    Commands that only look at `server.db` or change it need not be alone. Raises StoreBusy,
    StoreUnavailable.
    """
    with only(place / LOCK) as alone:
        if not alone:
            raise StoreBusy(
                f"A server runs on {place}, or it is just being restored.",
                hint="Stop it first, or choose another folder with --data.",
            )
        yield


@contextmanager
def restorable() -> Iterator[None]:
    """What is damaged in a server is brought back with the whole server."""
    try:
        yield
    except StoreDamaged as problem:
        problem.hint = RESTORE
        raise


def libraries(access: AccessTable) -> list[str]:
    """Of everybody whom the server knows: paths inside its folder, of files that may not be there
    yet."""
    return [f"spaces/{part.space}/{part.mode}.db" for part in access.partitions()] + [
        f"people/{person.id}/library.db" for person in access.people()
    ]
