"""One cycle of synchronisation: see who answers, take what changed there, send what changed here.

Sans I/O: a generator that yields what is asked and is sent the answers, so that the same code runs
over HTTP, in the simulator and against a crash at any of its steps (sync.md 2.5, 3.2). What lies
between two requests is whole transactions; a cycle that ends anywhere is taken up by the next.

Nothing is sent before a read has shown that the server is the one that is expected. Nothing is
deleted because a list or a part of one does not have it, without asking again for that very thing.
"""

from __future__ import annotations

from localmem.core.model import Kind
from localmem.core.preferences import PreferenceKey
from localmem.core.replica import (
    Changed,
    Library,
    Pending,
    Tables,
    preference_key,
)
from sync import canary, fact_sending, facts, following, known, listing, records, sending
from sync.messages import (
    Identify,
    Identity,
)
from sync.policy import MANY_FIRST, Brake, Braked
from sync.run import End, Ending, Halt, Options, Run, Steps, Tally

DONE = Ending(End.DONE)
ALL = Options()
_PAGE = 500


def cycle(
    tables: Tables,
    library: Library,
    identity: Identity,
    options: Options = ALL,
    tally: Tally | None = None,
) -> Steps[Ending]:
    """Yields requests, is sent replies, returns how it ended. `tally` is counted into meanwhile."""
    run = Run(tables, library, identity.can, options, tally if tally is not None else Tally())
    try:
        yield from _whole(run, identity)
    except Halt as halt:
        if halt.ending.end is End.CHANGED:
            with tables.writing():
                _begin_anew(run)
        return halt.ending
    return DONE


def _whole(run: Run, identity: Identity) -> Steps[None]:
    _start(run, identity)
    scan(run)
    yield from _meet(run, identity)
    yield from sending.recover(run)
    if run.options.pull:
        yield from (following.follow(run) if run.can.changes else listing.list_all(run))
    _ask_before_the_first(run)
    yield from fact_sending.delete(run, forgets=True)
    yield from sending.send(run, forgets=True)
    yield from sending.send(run, forgets=False)
    yield from fact_sending.send(run)
    yield from fact_sending.delete(run, forgets=False)
    if not run.can.epoch:
        yield from canary.confirm(run)
    with run.writing():
        standing = run.standing()
        whole = run.now() if run.options.pull else standing.last_full
        run.tables.stand(standing._replace(last_full=whole))


def _start(run: Run, identity: Identity) -> None:
    with run.writing():
        standing = run.standing()
        if run.can.epoch and standing.epoch != identity.epoch:
            known = standing.epoch is not None
            run.tables.stand(standing._replace(epoch=identity.epoch))
            if known:
                _begin_anew(run)
        standing = run.standing()
        run.tables.stand(standing._replace(cycle=standing.cycle + 1))
        if standing.resync:
            _forget_the_server(run)


def _begin_anew(run: Run) -> None:
    """The server is another one than it was: compare everything. Inside `writing()`."""
    standing = run.standing()
    run.tables.stand(standing._replace(cursor=None, seq=0, resync=True, sweep=False))


def _forget_the_server(run: Run) -> None:
    """What was under way spoke to another server; ids of facts are found again by their names.

    Inside `writing()`."""
    for flight in run.tables.flights():
        copy = run.tables.copy(flight.key)
        if copy is not None and copy.rev is None and copy.base is not None:
            records.regress(run, flight.key)  # it was to be read what became of it
        else:
            run.tables.drop_flight(flight.key)
            run.tables.add_pending(Pending(flight.key, None))
    for errand in run.tables.errands():
        run.tables.drop_errand(errand.scope, errand.server_id)
    for scope in run.tables.scopes():
        for held in run.tables.wordings_in(scope):
            run.tables.put_wording(held._replace(server_id=None, sent=False))
            run.tables.add_pending(Pending(None, held.item))


def scan(run: Run) -> None:
    """Note what the person changed since the last look, page by page."""
    while True:
        with run.tables.writing():
            standing = run.standing()
            changed = run.library.changed(standing.watermark, _PAGE)
            run.changed([pending for each in changed for pending in _noted(run, each)])
            if changed:
                run.tables.stand(standing._replace(watermark=changed[-1].change))
        if len(changed) < _PAGE:
            return


def _noted(run: Run, each: Changed) -> list[Pending]:
    """What is to be sent of a change."""
    if each.kind is Kind.FACT:
        if each.gone is not None:
            facts.noted(run, each.item, each.gone)
            return []
        return [] if run.tables.fact_conflict(each.item) else [Pending(None, each.item)]
    if each.key is not None:
        return [Pending(each.key, None)]
    if each.kind is Kind.PREFERENCE:
        keys = map(preference_key, PreferenceKey)
        return [Pending(key, None) for key in keys if known.load(run, key).dirty]
    left = run.tables.copy_of(each.item)
    return [] if left is None else [Pending(left, None)]


def _meet(run: Run, identity: Identity) -> Steps[None]:
    """See that the server is the one that is expected, where the first read does not show it."""
    if run.can.epoch:
        with run.tables.reading():
            sure = run.options.pull and not run.tables.flights()
        if sure:
            return  # every reply names the epoch, and the first one is a read
    found = yield from run.ask(Identify())
    if isinstance(found, Identity) and found[:3] != identity[:3]:
        raise Halt(Ending(End.BRAKE, Brake.OTHER_SERVER, braked=Braked(Brake.OTHER_SERVER, 0, 0)))
    if not run.can.epoch:
        yield from canary.meet(run)


def _ask_before_the_first(run: Run) -> None:
    """Much is not sent to an account that had nothing of it, before the person said so."""
    with run.tables.reading():
        standing = run.standing()
        waiting = len(run.tables.pending())
    if standing.last_full == 0 and waiting > MANY_FIRST:
        run.brake(Braked(Brake.FIRST_PUSH, waiting, waiting))
