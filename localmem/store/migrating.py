"""Brings a database file to its latest schema, for libraries and for a server's own database.

All that it lacks goes in one transaction, together with the record of it. Refuses to judge whose
file it is: each kind of database knows its own marks.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence

import apsw


def upgrade(
    connection: apsw.Connection,
    migrations: Sequence[str],
    application_id: int,
    version: Callable[[apsw.Connection], int],
) -> None:
    """Apply the migrations from `version` on, which is asked again once nobody else can write.

    Raises what `version` raises.
    """
    connection.execute("BEGIN IMMEDIATE")
    try:
        for number in range(version(connection), len(migrations)):
            connection.execute(migrations[number])
            connection.execute(f"PRAGMA user_version = {number + 1}")
        connection.execute(f"PRAGMA application_id = {application_id}")
        connection.execute("COMMIT")
    except BaseException:
        if connection.in_transaction:  # a full disk ends it by itself
            connection.execute("ROLLBACK")
        raise
