"""Which requests were answered how, so that one that is sent again is not done again.

In the library itself and in the transaction of the write: a crash leaves both or neither. Keys
and requests are kept as keyed digests, answers as ids and numbers; when something a request made
is forgotten, the digest of what it said goes too, for a short text could be guessed from it.
"""

from __future__ import annotations

import json
from collections.abc import Iterable
from dataclasses import dataclass

from localmem.core.answers import Answered
from localmem.core.model import ItemId, Millis
from localmem.store.session import Session

_SAID = "answered"
"""Keeps these digests apart from others of the library."""


@dataclass(frozen=True, slots=True)
class AnswerTable:
    session: Session

    def find(self, key: str, asked: str, *, since: Millis) -> Answered | None:
        """What was answered to a request of that key since then; None when it was not asked."""
        row = self.session.run(
            "SELECT asked, status, kept, change FROM answered WHERE key = ? AND at >= ?",
            self.session.digest(_SAID, key),
            since,
        ).fetchone()
        if row is None:
            return None
        digest, status, kept, change = row
        same = digest is None or digest == self.session.digest(_SAID, key, asked)
        return Answered(same, int(status), json.loads(kept), change)

    def keep(
        self, key: str, asked: str | None, answered: Answered, about: Iterable[ItemId], at: Millis
    ) -> None:
        """Keep what was answered; `about` are the items that the request told of.

        Without `asked`, whatever comes under that key is taken for the same.
        """
        held = self.session.digest(_SAID, key)
        self.session.run(
            "INSERT INTO answered (key, asked, status, kept, change, at) VALUES (?, ?, ?, ?, ?, ?)",
            held,
            None if asked is None else self.session.digest(_SAID, key, asked),
            answered.status,
            json.dumps(answered.kept),
            answered.seq,
            at,
        )
        self.session.connection.executemany(
            "INSERT OR IGNORE INTO answered_item (item, key) VALUES (?, ?)",
            ((id, held) for id in about),
        )

    def changed_since(self, seq: int) -> list[ItemId]:
        """The items whose last change came behind that one."""
        found = self.session.run("SELECT id FROM item WHERE change > ?", seq)
        return [ItemId(id) for (id,) in found]

    def aged(self, before: Millis) -> bool:
        """Whether one was answered before then."""
        return bool(self.session.one("SELECT 1 FROM answered WHERE at < ? LIMIT 1", before))

    def drop(self, before: Millis) -> None:
        """Drop what was answered before then."""
        self.session.run("DELETE FROM answered WHERE at < ?", before)
