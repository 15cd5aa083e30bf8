"""Facts of one cycle: wordings are sent, taken in, and go; a text is never merged (sync.md 2.9).

A fact here is an item whose versions are wordings; on the server each wording is a fact of its own
that names those it replaces (`sup`). What is gone is known by `lm`, never by the server's id. The
forget of a wording takes every later wording with it; what was only replaced, or is merely missing,
takes nothing else with it. `sync/fact_sending.py` sends them.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from localmem.core import facts
from localmem.core.bodies import same_end
from localmem.core.model import ItemId
from localmem.core.records import Removal
from localmem.core.replica import (
    Block,
    Clashing,
    Conflict,
    Errand,
    Fact,
    FactBody,
    Pending,
    Wording,
)
from localmem.core.scope import Scope
from localmem.errors import LocalmemError
from sync import encoding
from sync.encoding import Incoming
from sync.messages import (
    FactRow,
)
from sync.run import FORGETS, KILLS, Act, Run

# --- taking in ---------------------------------------------------------------------------------


def adopt(run: Run, rows: Iterable[FactRow]) -> None:
    """Take in facts as the server has them; inside `writing()`."""
    fresh: list[Incoming] = []
    later: list[Incoming] = []
    named: set[object] = set()
    told = [_named(run, encoding.read_fact(row)) for row in rows]
    gone = run.tables.gone_among([each.lm for each in told])
    for incoming in told:
        names = {incoming.lm, (incoming.scope, facts.sameness(incoming.body.text))}
        if names.isdisjoint(named) and incoming.lm not in gone and _is_new(run, incoming):
            fresh.append(incoming)
        else:
            later.append(incoming)
        named |= names
    _add(run, fresh)
    for incoming in later:
        _adopt(run, incoming)


def _named(run: Run, incoming: Incoming) -> Incoming:
    """Where no names are told, what was sent from here is known by its id there."""
    if run.can.echoes_metadata:
        return incoming
    name = encoding.name_of(incoming.scope, incoming.server_id)
    if run.tables.gone(name) is None and run.tables.wording(name) is None:
        return incoming
    return incoming._replace(lm=name)


def _add(run: Run, fresh: Sequence[Incoming]) -> None:
    """Keep what is new together; one by one where the library refuses one of them."""
    try:
        made = run.library.add_facts(
            [(each.scope, each.lm, each.body, not each.ours) for each in fresh]
        )
    except LocalmemError:
        for each in fresh:
            _adopt(run, each)
        return
    held = [_wording(each, fact) for each, fact in zip(fresh, made, strict=True)]
    run.tables.put_wordings(held)
    for each in fresh:
        run.tally.add(each.scope, Act.TAKEN)


def _is_new(run: Run, incoming: Incoming) -> bool:
    """Nothing here knows of it in any way, and it is not gone: it can be kept with others."""
    tables, place = run.tables, (incoming.scope, incoming.server_id)
    if incoming.sup or tables.wording(incoming.lm) is not None or _over(run, incoming):
        return False
    if tables.errand(*place) is not None or tables.wording_at(*place) is not None:
        return False
    return run.library.twin(incoming.scope, incoming.body.text) is None


def _over(run: Run, incoming: Incoming) -> bool:
    ends = incoming.body.expires_at
    return ends is not None and ends <= run.now()


def _adopt(run: Run, incoming: Incoming) -> None:
    if run.tables.errand(incoming.scope, incoming.server_id) is not None or _over(run, incoming):
        return
    _rename(run, incoming)
    held, why = run.tables.wording(incoming.lm), _fate(run, incoming.lm)
    if why is Removal.EXPIRED:
        return
    if why is Removal.SUPERSEDED and held is not None:
        _old(run, held, incoming)
        return
    if why in KILLS:
        assert why is not None
        owe(run, incoming.scope, incoming.server_id, why, incoming.lm)
        return
    if any(_fate(run, lm) in FORGETS for lm in incoming.sup):
        run.bury(incoming.lm, incoming.scope, Removal.FORGET)
        owe(run, incoming.scope, incoming.server_id, Removal.FORGET, incoming.lm)
        _erase_holder(run, incoming.lm)
        return
    if held is not None:
        _meet_again(run, held, incoming)
        return
    try:
        _take(run, incoming)
    except LocalmemError as problem:
        place = f"fact:{incoming.lm}"
        message = f"It cannot be kept here: {problem}"
        run.keep_back(place, Block(problem.code, message), incoming.scope)


def _rename(run: Run, incoming: Incoming) -> None:
    """What the server keeps under that id is known by the name it has there: it may have known
    the same words before, under another."""
    known = run.tables.wording_at(incoming.scope, incoming.server_id)
    if known is None or known.lm == incoming.lm:
        return
    if run.tables.wording(incoming.lm) is None and run.tables.gone(incoming.lm) is None:
        run.tables.drop_wording(known.lm)
        run.tables.put_wording(known._replace(lm=incoming.lm, sup=incoming.sup))


def _old(run: Run, held: Wording, incoming: Incoming) -> None:
    """The server still has what was replaced here: it goes once the newer wording is there."""
    fact = run.library.fact(held.item)
    if fact is not None and not in_step(run, fact):
        run.tables.put_wording(held._replace(server_id=incoming.server_id, sent=False))
        _was_only_missing(run, held.item)
    else:
        owe(run, incoming.scope, incoming.server_id, Removal.SUPERSEDED, incoming.lm)


def _was_only_missing(run: Run, item: ItemId) -> None:
    """What a newer wording was made from is there again: nothing is left to ask, unless somebody
    forgot a part of it."""
    names = {name for held in run.tables.wordings_of(item) for name in (held.lm, *held.sup)}
    gone = run.tables.gone_among(sorted(names))
    if run.tables.fact_conflict(item) is not None and not {*FORGETS} & {*gone.values()}:
        run.tables.drop_fact_conflict(item)
        run.tables.add_pending(Pending(None, item))


def _fate(run: Run, lm: str) -> Removal | None:
    """Why a wording is no more; None for what is current, and for what nobody here knows."""
    gone = run.tables.gone(lm)
    held = run.tables.wording(lm)
    if gone is not None or held is None:
        return gone
    fact = run.library.fact(held.item)
    if fact is None:
        return run.library.why_gone(held.item) or Removal.EXPIRED  # not purged yet
    return None if held.number >= fact.number else Removal.SUPERSEDED


def _erase_holder(run: Run, lm: str) -> None:
    held = run.tables.wording(lm)
    if held is not None:
        remove(run, held.item, Removal.FORGET)


def _meet_again(run: Run, held: Wording, incoming: Incoming) -> None:
    """The server has what is current here: under the id that is known, or kept twice."""
    if held.server_id not in (None, incoming.server_id):
        assert held.server_id is not None
        keep, drop = sorted((held.server_id, incoming.server_id))
        owe(run, held.scope, drop, Removal.DUPLICATE, held.lm)
        run.tables.put_wording(held._replace(server_id=keep, sent=False))
        return
    run.tables.put_wording(held._replace(server_id=incoming.server_id, sent=False, leaving=False))
    replaced(run, held.item)
    settle_pending(run, held.item)


def _take(run: Run, incoming: Incoming) -> None:
    """A wording that nobody here had: a newer one of a fact, the same words, or a new fact."""
    before = _predecessor(run, incoming)
    if before is not None:
        fact = run.library.reword_fact(before.item, incoming.lm, incoming.body)
        _hold(run, incoming, fact)
        replaced(run, fact.item)
        run.tally.add(incoming.scope, Act.CHANGED_HERE)
        return
    twin = run.library.twin(incoming.scope, incoming.body.text)
    if twin is not None and run.tables.fact_conflict(twin.item) is None:
        _unite(run, incoming, twin)
        return
    made = run.library.add_fact(
        incoming.scope, incoming.lm, incoming.body, proposed=not incoming.ours
    )
    _hold(run, incoming, made)
    run.tally.add(incoming.scope, Act.TAKEN)


def _predecessor(run: Run, incoming: Incoming) -> Wording | None:
    """The wording it replaces here, where that is current and on both sides.

    Where the person has another newer wording, both stay: two edits of one fact are two facts.
    """
    for lm in incoming.sup:
        held = run.tables.wording(lm)
        if held is None:
            continue
        fact = run.library.fact(held.item)
        current = fact is not None and fact.number == held.number
        known = held.server_id is not None or held.leaving
        calm = run.tables.fact_conflict(held.item) is None
        return held if current and known and calm else None
    return None


def _unite(run: Run, incoming: Incoming, twin: Fact) -> None:
    """The same words were kept on both sides: one fact here, known by both names."""
    same = _equal(twin.body, incoming.body, all_of_it=run.can.echoes_metadata)
    number = twin.number if same else 0
    run.tables.put_wording(
        Wording(
            incoming.lm,
            twin.item,
            number,
            incoming.scope,
            incoming.server_id,
            sup=incoming.sup,
        )
    )
    settle_pending(run, twin.item)


def _equal(left: FactBody, right: FactBody, *, all_of_it: bool) -> bool:
    """The same words in another spelling are the same text. Not `all_of_it`, what stands beside a
    text is nothing that the server tells."""
    if facts.sameness(left.text) != facts.sameness(right.text):
        return False
    if not same_end(left.expires_at, right.expires_at):
        return False
    beside = (dict(left.metadata), left.path), (dict(right.metadata), right.path)
    return not all_of_it or beside[0] == beside[1]


def _hold(run: Run, incoming: Incoming, fact: Fact) -> None:
    run.tables.put_wording(_wording(incoming, fact))


def _wording(incoming: Incoming, fact: Fact) -> Wording:
    return Wording(
        incoming.lm, fact.item, fact.number, fact.scope, incoming.server_id, sup=incoming.sup
    )


def settle_pending(run: Run, item: ItemId) -> None:
    fact = run.library.fact(item)
    if fact is not None and not in_step(run, fact):
        run.tables.add_pending(Pending(None, item))
    else:
        run.tables.drop_pending(Pending(None, item))


def in_step(run: Run, fact: Fact) -> bool:
    """Whether the server has the current wording."""
    return has_current(fact, run.tables.wordings_of(fact.item))


def has_current(fact: Fact, wordings: Sequence[Wording]) -> bool:
    return any(held.number == fact.number and held.server_id is not None for held in wordings)


def replaced(run: Run, item: ItemId) -> None:
    """The current wording is there: the older ones need not be any more."""
    fact, wordings = run.library.fact(item), run.tables.wordings_of(item)
    if fact is None or not has_current(fact, wordings):
        return
    for held in wordings:
        if held.number < fact.number and held.server_id is not None:
            owe(run, held.scope, held.server_id, Removal.SUPERSEDED, held.lm)
            run.tables.put_wording(held._replace(server_id=None, sent=False, leaving=False))


def owe(run: Run, scope: Scope, server_id: str, why: Removal, lm: str) -> None:
    """A delete to be sent. A forget counts more than any other reason."""
    owed = run.tables.errand(scope, server_id)
    if owed is None or why in FORGETS:
        run.tables.put_errand(Errand(scope, server_id, why, lm))


# --- going -------------------------------------------------------------------------------------


def vanish(run: Run, scope: Scope, lm: str, server_id: str, why: Removal) -> None:
    """The server has a wording no more; inside `writing()`. A tombstone kills the wording,
    whatever id it has there now."""
    run.tables.drop_errand(scope, server_id)
    held = run.tables.wording(lm)
    if held is None:
        held = run.tables.wording_at(scope, server_id)
    if held is None:
        if lm and why is not Removal.DUPLICATE:
            run.bury(lm, scope, why)
    elif why is Removal.ABSENT and held.server_id != server_id:
        return  # it is there under another id
    elif why is Removal.DUPLICATE:
        _lost_a_double(run, held, server_id)
        return
    else:
        _vanish(run, held, server_id, why)
    if why in FORGETS and lm:
        _follow(run, lm)


def _lost_a_double(run: Run, held: Wording, server_id: str) -> None:
    """Of two that were kept under one name the other stays; which that is will be told."""
    if held.server_id == server_id:
        run.tables.put_wording(held._replace(server_id=None, sent=True))
        run.tables.add_pending(Pending(None, held.item))


def _vanish(run: Run, held: Wording, server_id: str, why: Removal) -> None:
    if held.server_id not in (None, server_id):
        assert held.server_id is not None
        owe(run, held.scope, held.server_id, why, held.lm)
    held = held._replace(server_id=None, sent=False)
    run.tables.put_wording(held)
    fact = run.library.fact(held.item)
    if fact is None:
        remove(run, held.item, why)  # hidden by this device's clock, which may be set back
        return
    if held.number < fact.number:
        _vanish_old(run, fact, held, why)
    elif why is Removal.SUPERSEDED:
        run.tables.put_wording(held._replace(leaving=True))
    elif why not in FORGETS and in_step(run, fact):
        run.tables.drop_wording(held.lm)  # it is there under another name
        run.bury(held.lm, held.scope, why)
    else:
        remove(run, held.item, why)


def _vanish_old(run: Run, fact: Fact, held: Wording, why: Removal) -> None:
    """A forgotten text takes its newer wording along. What was never sent is the person's to
    decide, and so it is where the text it was made from is gone without a word."""
    there = in_step(run, fact)
    if why in FORGETS:
        run.bury(held.lm, held.scope, Removal.FORGET)
        if there:
            remove(run, fact.item, Removal.FORGET)
        else:
            _clash(run, fact)
    elif why is Removal.ABSENT and not there and _newest(run, fact.item) == held.number:
        _clash(run, fact)


def _newest(run: Run, item: ItemId) -> int:
    """The newest version that ever left this library or came to it."""
    return max((held.number for held in run.tables.wordings_of(item)), default=0)


def _follow(run: Run, lm: str) -> None:
    """Every wording made from a forgotten one goes too."""
    for held in run.tables.naming(lm):
        fact = run.library.fact(held.item)
        if fact is None:
            continue
        if in_step(run, fact):
            remove(run, fact.item, Removal.FORGET)
        else:
            _clash(run, fact)


def _clash(run: Run, fact: Fact) -> None:
    """Forgotten elsewhere, changed here and never sent: the person decides."""
    for held in run.tables.wordings_of(fact.item):
        if held.server_id is not None:
            owe(run, held.scope, held.server_id, Removal.FORGET, held.lm)
            run.tables.put_wording(held._replace(server_id=None))
    if run.tables.fact_conflict(fact.item) is None:
        run.tables.put_fact_conflict(fact.item, Conflict(Clashing.FORGOTTEN, run.now()))
        run.tally.add(fact.scope, Act.CONFLICT)
    run.tables.drop_pending(Pending(None, fact.item))


def remove(run: Run, item: ItemId, why: Removal) -> None:
    """Take a fact away here, and what the server still has of it. What the person forgot meanwhile
    is forgotten, whatever became of it there."""
    fact, gone = run.library.fact(item), run.library.why_gone(item)
    noted(run, item, gone if gone in FORGETS else why)
    run.library.remove(item, why)
    if fact is not None:
        run.tally.add(fact.scope, Act.DELETED_HERE)


def noted(run: Run, item: ItemId, why: Removal) -> None:
    """A fact is gone here: what the server has of it goes too, but for what expired, which goes
    by itself. Inside `writing()`.

    The wordings before the newest are only replaced, as they are for everybody else.
    """
    newest, followed = _newest(run, item), []
    for held in run.tables.wordings_of(item):
        mine = why if held.number == newest else Removal.SUPERSEDED
        run.bury(held.lm, held.scope, mine)
        if held.server_id is not None and why is not Removal.EXPIRED:
            owe(run, held.scope, held.server_id, mine, held.lm)
        run.tables.drop_wording(held.lm)
        if mine in FORGETS:
            followed.append(held.lm)
    run.tables.drop_pending(Pending(None, item))
    run.tables.drop_fact_conflict(item)
    for lm in followed:
        _follow(run, lm)


def settle(run: Run) -> None:
    """At the end of a complete look: what was replaced by a wording that never came is gone.
    Inside `writing()`."""
    for held in run.tables.leaving():
        fact = run.library.fact(held.item)
        if fact is None:
            continue
        if held.number == fact.number:
            remove(run, held.item, Removal.SUPERSEDED)
        else:
            run.tables.put_wording(held._replace(leaving=False))
