"""Sessions of tools: opened, found, closed by whoever opened them; each ends by itself.

Says the same of a session that never was, is over, or is somebody else's.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from localmem.core.hosting import Session
from localmem.core.model import Millis
from localmem.hosting import digests

if TYPE_CHECKING:
    from localmem.core.hosting_ports import Hosting
    from localmem.core.ports import Clock

LASTS: Millis = 24 * 3_600_000
MOST_OPEN = 1_000
"""Of one owner; the oldest is closed for one more."""
_LETTERS = 24


@dataclass(frozen=True, slots=True)
class Sessions:
    store: Hosting
    clock: Clock

    def open(self, owner: str, user: str, servers: tuple[str, ...]) -> Session:
        now = self.clock()
        session = Session(
            f"ses_{digests.letters(_LETTERS)}", owner, user, servers, now, now + LASTS
        )
        with self.store.writing():
            self.store.sessions.drop_expired(now)
            self.store.sessions.drop_oldest(owner, keep=MOST_OPEN - 1)
            self.store.sessions.add(session)
        return session

    def find(self, id: str, owner: str) -> Session | None:
        with self.store.reading():
            return self.store.sessions.get(id, owner, self.clock())

    def close(self, id: str, owner: str) -> bool:
        """Whether there was one to close."""
        with self.store.writing():
            held = self.store.sessions.get(id, owner, self.clock())
            if held is not None:
                self.store.sessions.remove(id, owner)
        return held is not None
