"""TablesOf: the tables of one account as `core.replica.Tables`, on the store's own connection."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from contextlib import AbstractContextManager, contextmanager
from typing import TYPE_CHECKING

from localmem.core.replica import Standing
from localmem.core.scope import Scope
from localmem.errors import StoreUnavailable
from localmem.store.session import Session
from localmem.store.syncing import shape
from localmem.store.syncing.facts import Facts
from localmem.store.syncing.records import Records
from localmem.store.syncing.waiting import Waiting

if TYPE_CHECKING:
    from localmem.core.replica import Tables

_STANDING = "confirmed, epoch, cursor, seq, watermark, resync, sweep, cycle, last_full"


class TablesOf(Records, Facts, Waiting):
    def __init__(
        self,
        session: Session,
        account: int,
        reading: Callable[[], AbstractContextManager[None]],
        writing: Callable[[], AbstractContextManager[None]],
    ) -> None:
        super().__init__(session, account)
        self._reading, self._writing = reading, writing

    @contextmanager
    def reading(self) -> Iterator[None]:
        with self._reading():
            self._check()
            yield

    @contextmanager
    def writing(self) -> Iterator[None]:
        with self._writing():
            self._check()
            yield

    def _check(self) -> None:
        """Another process may have signed the account out, and dropped what was known of it."""
        if self._one("SELECT 1 FROM account WHERE id = ?") is None:
            raise StoreUnavailable(
                "This library was signed out of the account meanwhile.",
                hint="Nothing is lost: it holds everything. Sign in again to synchronise.",
            )

    def standing(self) -> Standing:
        row = self._run(f"SELECT {_STANDING} FROM account WHERE id = ?").fetchone()
        assert row is not None, "`reading` and `writing` look for it"
        confirmed, epoch, cursor, seq, watermark, resync, sweep, cycle, last_full = row
        return Standing(
            device=self._session.device,
            counter=int(self._session.one("SELECT value FROM library WHERE key = 'sends'")),
            confirmed=confirmed,
            epoch=epoch,
            cursor=cursor,
            seq=seq,
            watermark=watermark,
            resync=bool(resync),
            sweep=bool(sweep),
            cycle=cycle,
            last_full=last_full,
        )

    def stand(self, standing: Standing) -> None:
        """The device is the library's, whatever is said here, and its counter never falls: a
        number that was used once would be used again."""
        self._session.run(
            "UPDATE library SET value = max(value, ?) WHERE key = 'sends'", standing.counter
        )
        self._run(
            f"UPDATE account SET ({_STANDING}) = (?2, ?3, ?4, ?5, ?6, ?7, ?8, ?9, ?10) "
            "WHERE id = ?1",
            standing.confirmed,
            standing.epoch,
            standing.cursor,
            standing.seq,
            standing.watermark,
            int(standing.resync),
            int(standing.sweep),
            standing.cycle,
            standing.last_full,
        )

    def scopes(self) -> Sequence[Scope]:
        found = self._run(
            "SELECT scope FROM account_scope WHERE account = ? UNION SELECT scope FROM item "
            "ORDER BY scope"
        )
        return shape.scopes(found.fetchall())

    def learn_scope(self, scope: Scope) -> None:
        self._was_in(scope)


if TYPE_CHECKING:

    def _keeps_its_promise(tables: TablesOf) -> Tables:
        return tables
