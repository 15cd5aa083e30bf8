"""Takes the content of an item out of everything that a sync remembers, of every account.

What stays names and counts: which incarnation or generation it was, where the record is and what
the server had last, so that the other side can be told. It goes when the server has confirmed.
"""

from __future__ import annotations

from localmem.core.model import ItemId, Kind
from localmem.core.replica import Pending, block_place
from localmem.store.session import Session
from localmem.store.syncing import shape

_ACCOUNTS = "account IN (SELECT id FROM account)"
_AT = f"{_ACCOUNTS} AND kind = ? AND scope = ? AND collection = ? AND key = ?"

_RECORD = (
    "UPDATE copy SET base_content = NULL, last_content = NULL "
    f"WHERE {_AT} AND (base_content IS NOT NULL OR last_content IS NOT NULL)",
    "UPDATE copy_log SET content = NULL WHERE content IS NOT NULL "
    f"AND copy IN (SELECT id FROM copy WHERE {_AT})",
    f"UPDATE flight SET content = NULL WHERE {_AT} AND content IS NOT NULL",
    f"UPDATE conflict SET content = NULL WHERE {_AT} AND content IS NOT NULL",
)
_FACT = f"UPDATE fact_conflict SET content = NULL WHERE {_ACCOUNTS} AND item = ? " + (
    "AND content IS NOT NULL"
)
_BLOCK = f"DELETE FROM block WHERE {_ACCOUNTS} AND place = ?"
"""A server's words about an item may repeat what it says."""


def forget(session: Session, id: ItemId, address: tuple[str, str, str, str]) -> int:
    """How many rows held content; `address` is the item's kind, scope, collection and key.

    Both slots of a preference are one record, so its content goes with either of them.
    """
    if address[0] == Kind.FACT:
        return _changed(session, _FACT, id) + _changed(
            session, _BLOCK, block_place(Pending(None, id))
        )
    place = block_place(Pending(shape.record_key(*address), None))
    emptied = sum(_changed(session, sql, *address) for sql in _RECORD)
    return emptied + _changed(session, _BLOCK, place)


def _changed(session: Session, sql: str, *values: str) -> int:
    session.run(sql, *values)
    return session.connection.changes()
