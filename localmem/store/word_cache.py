"""What the word index answered, in a long-lived process: a question that is typed asks it again.

Each keystroke changes one word and looks all of them up. Refuses to outlive a write: any change to
the library, by this or another process, empties it; inside a write nothing is kept at all.
"""

from __future__ import annotations

from collections.abc import Callable

import apsw

from localmem.core.records import Where
from localmem.store.session import Session

MOST_ROWS = 400_000
"""Rows kept, about 15 MB."""


class WordCache:
    """One per connection; not shared between threads."""

    def __init__(self, session: Session) -> None:
        self._session = session
        self._version: tuple[object, int] | None = None
        self._answers: dict[tuple[str, Where], list[int]] = {}
        """The one longest not asked for first."""
        self._rows = 0

    def get(self, match: str, where: Where, ask: Callable[[str, Where], list[int]]) -> list[int]:
        """What `ask` answers to both, or did since the library last changed."""
        if self._session.connection.txn_state() == apsw.SQLITE_TXN_WRITE:
            return ask(match, where)  # it may be taken back
        self._follow()
        answer = self._answers.pop((match, where), None)
        if answer is None:
            answer = ask(match, where)
            self._rows += len(answer)
        self._answers[match, where] = answer
        while self._rows > MOST_ROWS:
            self._rows -= len(self._answers.pop(next(iter(self._answers))))
        return answer

    def _follow(self) -> None:
        connection = self._session.connection
        version = self._session.one("PRAGMA data_version"), connection.total_changes()
        if version != self._version:
            self._version = version
            self._answers.clear()
            self._rows = 0
