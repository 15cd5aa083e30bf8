"""What tells a server without epochs from another one, and from what it was (sync.md 2.11).

One item, `localmem/store` in the project's scope, holds a random name of the account's memory and
the counter each device had when it last sent something. Missing, the server was emptied or is
another one; a counter that fell, it was brought back from a backup.
"""

from __future__ import annotations

from localmem.core.model import Json
from localmem.core.scope import PROJECT
from sync.messages import Done, ItemRow, ReadItem, Refusal, Step, WriteItem
from sync.policy import Brake, Braked
from sync.run import Run, Steps

COLLECTION = "localmem"
KEY = "store"
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
        name, counters = _read(reply.value)
        if standing.epoch is None:
            run.tables.stand(standing._replace(epoch=name))
        elif standing.epoch != name:
            run.brake(Braked(Brake.OTHER_SERVER, 0, 0))
            run.tables.stand(standing._replace(epoch=name, resync=True, confirmed=0))
        elif counters.get(standing.device, 0) < standing.confirmed:
            run.tables.stand(standing._replace(resync=True, confirmed=0))


def _read(value: Json) -> tuple[str, dict[str, int]]:
    held = value if isinstance(value, dict) else {}
    name, devices = held.get("store_id"), held.get("devices")
    counters = devices if isinstance(devices, dict) else {}
    return (
        name if isinstance(name, str) else "",
        {device: count for device, count in counters.items() if type(count) is int},
    )


def confirm(run: Run) -> Steps[None]:
    """Note the counter of what was sent, when something was."""
    with run.tables.reading():
        standing = run.standing()
    if standing.epoch is not None and standing.confirmed == standing.counter:
        return
    for _ in range(_ROUNDS):
        reply = yield from run.ask(ReadItem(PROJECT, COLLECTION, KEY))
        there = reply if isinstance(reply, ItemRow) else None
        name, counters = _read(there.value if there else None)
        name = name or standing.epoch or run.library.new_id()
        counters[standing.device] = standing.counter
        value: Json = {"store_id": name, "devices": {**counters}}
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
