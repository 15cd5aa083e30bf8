"""What tells a server without epochs from another one, and from what it was (sync.md 2.11).

One item, `localmem/store` in the project's scope, holds a random name of the account's memory and
the counter each device had when it last sent something. Missing, the server was emptied or is
another one; a counter that fell, it was brought back from a backup. It also names the scopes that
devices have, because such a server lists none, and what nobody asks for nobody gets.
"""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import suppress

from localmem.core.model import Json
from localmem.core.scope import PERSON, PROJECT, Scope, parse
from localmem.errors import InvalidScope
from sync.messages import Done, ItemRow, ReadItem, Refusal, Refused, Step, WriteItem
from sync.policy import Brake, Braked
from sync.run import Run, Steps

COLLECTION = "localmem"
KEY = "store"
MOST_SCOPES = 600
"""So many fit into one item, whatever their ids."""
_ROUNDS = 3


def meet(run: Run) -> Steps[None]:
    """Raises Halt (brake) for a server that is not the one this account was in step with."""
    reply = yield from run.ask(ReadItem(PROJECT, COLLECTION, KEY))
    with run.writing():
        standing = run.standing()
        if not isinstance(reply, ItemRow):
            if standing.epoch is not None:
                run.brake(Braked(Brake.WENT_BACK, 0, 0))
                run.tables.stand(standing._replace(epoch=None, resync=True, confirmed=0))
            return
        name, counters, scopes = _read(reply.value)
        run.told_scopes |= scopes
        for each in scopes:
            run.tables.learn_scope(each)
        if standing.epoch is None:
            run.tables.stand(standing._replace(epoch=name))
        elif standing.epoch != name:
            run.brake(Braked(Brake.OTHER_SERVER, 0, 0))
            run.tables.stand(standing._replace(epoch=name, resync=True, confirmed=0))
        elif counters.get(standing.device, 0) < standing.confirmed:
            run.tables.stand(standing._replace(resync=True, confirmed=0))


def _read(value: Json) -> tuple[str, dict[str, int], set[Scope]]:
    held = value if isinstance(value, dict) else {}
    name, devices, scopes = held.get("store_id"), held.get("devices"), held.get("scopes")
    counters = devices if isinstance(devices, dict) else {}
    return (
        name if isinstance(name, str) else "",
        {device: count for device, count in counters.items() if type(count) is int},
        set(_scopes(scopes if isinstance(scopes, list) else [])),
    )


def _scopes(told: list[Json]) -> Iterator[Scope]:
    for text in told[:MOST_SCOPES]:
        with suppress(InvalidScope):
            yield parse(text if isinstance(text, str) else "")


def confirm(run: Run) -> Steps[None]:
    """Note the counter of what was sent, and the scopes of this device, where they are new."""
    with run.tables.reading():
        standing, scopes = run.standing(), set(run.tables.scopes()) - {PERSON}
    told = len(run.told_scopes) >= MOST_SCOPES or scopes <= run.told_scopes
    if standing.epoch is not None and standing.confirmed == standing.counter and told:
        return
    for _ in range(_ROUNDS):
        reply = yield from run.ask(ReadItem(PROJECT, COLLECTION, KEY))
        there = reply if isinstance(reply, ItemRow) else None
        name, counters, others = _read(there.value if there else None)
        name = name or standing.epoch or run.library.new_id()
        counters[standing.device] = standing.counter
        named: list[Json] = [*sorted(map(str, scopes | others))[:MOST_SCOPES]]
        value: Json = {"store_id": name, "devices": {**counters}, "scopes": named}
        rev = there.rev if there else None
        step = Step(KEY, value, if_match=rev, only_new=rev is None)
        written = yield from run.tell(WriteItem(PROJECT, COLLECTION, step, run.library.new_id()))
        if isinstance(written, Done):
            with run.writing():
                now = run.standing()
                run.tables.stand(now._replace(epoch=name, confirmed=standing.counter))
            return
        if isinstance(written, Refusal):
            run.check(written)
            if written.why is not Refused.STALE:
                return  # told with the next run
