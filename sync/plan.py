"""What one look at the server means for one record: the planner, pure and total (sync.md 2.6).

Three trees: what is here (`local`), what both sides last agreed on (`base`), what is there (a
`Look`). `observe` says what becomes of them; nothing else decides it. Refuses clocks: generations,
incarnations and version vectors decide what comes from what.

> Never lose an edit, never bring back what was forgotten, never leak across scopes.
"""

from __future__ import annotations

from collections.abc import Container
from dataclasses import dataclass, replace
from typing import NamedTuple

from localmem.core import merge
from localmem.core.bodies import (
    NO_VV,
    VV,
    Body,
    DocumentBody,
    Held,
    PreferenceBody,
    Slot,
    generation,
    husk,
    incarnation,
    join,
    le,
    live,
    same,
)
from localmem.core.model import DocumentContent, Kind, Millis, PreferenceContent
from localmem.core.replica import Clashing, Conflict, Copy, Flight, Verb

MOST_FIGHTS = 3
"""So often what another device keeps putting back is overwritten, before the person decides."""


@dataclass(frozen=True, slots=True)
class Record:
    """One record with everything that is known of it."""

    kind: Kind
    local: Body | None
    """What the person sees; the marker of a forgotten preference, None for what is not there."""
    known: bool
    """Whether it ever was here: what was not is taken as it comes."""
    copy: Copy
    flight: Flight | None = None
    conflict: Conflict | None = None
    log: tuple[Held, ...] = ()
    """Older bases, oldest first."""

    @property
    def dirty(self) -> bool:
        """Whether what is here differs from what both sides agreed on."""
        return self.known and not same(self.local, self.base)

    @property
    def base(self) -> Body | None:
        return self.copy.base.body if self.copy.base else None


class Look(NamedTuple):
    """What the server has of it."""

    rev: str | None
    body: Body | None
    """None: it is not there."""
    vv: VV | None = None
    """None where another client wrote it, or nothing is there."""
    unreadable: bool = False
    """Something is there that nobody can read; `body` is None."""


class Outcome(NamedTuple):
    record: Record
    """As it is now; its flight is over."""
    write: bool = False
    """Whether the person's own copy changes to `record.local`."""
    merged: bool = False
    """Whether that is of both sides."""
    died: tuple[str, ...] = ()
    """Incarnations that are gone for ever."""


def observe(
    record: Record,
    look: Look,
    *,
    me: str,
    dead: Container[str],
    now: Millis,
    back: bool = False,
) -> Outcome:
    """What a look at the server means. `me` is this device; `now` only dates a conflict. `back`:
    the server may be an older one than it was."""
    flight = record.flight
    record = replace(record, flight=None)
    if look.unreadable:
        return _clash(record, look, record.copy.base, Clashing.SHAPE, now)
    if not record.known and incarnation(look.body) not in dead:
        return _take(record, look)
    record = replace(record, known=True)  # what is dead is known, though nothing else is left of it
    if _still_forgotten(record, look, dead):
        shown = Look(look.rev, None) if incarnation(look.body) in dead else look
        return _clash(record, shown, record.copy.base, Clashing.FORGOTTEN, now)
    look = _as_marker(record, look)
    previous = record.copy.last
    record = replace(record, copy=record.copy._replace(last=look.body))
    base = record.copy.base
    forked = False
    if look.body is None:
        if base is None and not (flight and flight.verb is Verb.DELETE) and previous is not None:
            base = Held(previous, NO_VV)  # it was there, now it is gone
        if flight is not None and flight.verb is Verb.DELETE:
            base = None
    elif flight is not None and flight.body is not None and _landed(me, flight, look):
        base = flight.body
    elif look.vv is None:
        if back and any(same(held.body, look.body) for held in record.log):
            return _ancestor(record, look)
        if (back or flight is not None) and not same(look.body, record.base):
            # Nothing tells whether somebody else wrote, while a write of ours was under way, or
            # the server went back behind what both sides had.
            base, forked = None, True
    elif le(look.vv, record.copy.vv):
        base = _written_over(record, look)
        if base is None:
            return _ancestor(record, look)
    elif base is not None and not le(base.vv, look.vv):
        base, forked = _common(record.log, look.vv), True
    died = _died(record, look, base, dead)
    if died:
        dead = _With(dead, died)
    return _decide(record, look, base, forked, dead, now)._replace(died=died)


def _still_forgotten(record: Record, look: Look, dead: Container[str]) -> bool:
    """Whether the person is asked about a document that was forgotten elsewhere, and a server that
    went back has it again, or another that was forgotten, or a late one of before: that answers
    nothing."""
    if record.conflict is None or incarnation(record.local) not in dead:
        return False
    old = look.vv is not None and le(look.vv, record.copy.vv)
    return old or incarnation(look.body) in dead


def _take(record: Record, look: Look) -> Outcome:
    """Nothing was ever here: what is there comes as it is."""
    if look.body is None:
        return Outcome(
            replace(record, conflict=None, copy=_agreed(record.copy, look, record.copy.vv))
        )
    copy = _agreed(record.copy, look, look.vv or record.copy.vv)
    return Outcome(replace(record, known=True, local=look.body, conflict=None, copy=copy), True)


def _as_marker(record: Record, look: Look) -> Look:
    """A preference that was there and is not was erased by somebody who knows no markers."""
    if record.kind is not Kind.PREFERENCE or look.body is not None:
        return look
    before = record.base if live(record.base) else record.copy.last
    if live(before):
        return look._replace(body=PreferenceBody(generation(before) + 1, forgotten=True), vv=None)
    if record.base is not None:
        return look._replace(body=record.base, vv=None)
    return look


def _landed(me: str, flight: Flight, look: Look) -> bool:
    """Whether what is there is what that flight carried, or descends from it."""
    if look.vv is None:
        return flight.body is not None and same(flight.body.body, look.body)
    return look.vv.get(me, 0) >= flight.counter


def _written_over(record: Record, look: Look) -> Held | None:
    """What another client read, changed and wrote back with the vector still in it; None where
    what is there is simply old."""
    bases = [*record.log, record.copy.base] if record.copy.base else record.log
    read = next((held for held in reversed(bases) if held.vv == look.vv), None)
    if read is None or read.body.erased or same(read.body, look.body):
        return None
    return read


def _ancestor(record: Record, look: Look) -> Outcome:
    """What is there is older than what is here: a late duplicate, or the server went back."""
    copy = _agreed(record.copy, _emptied(record, look), record.copy.vv)
    return Outcome(replace(record, conflict=None, copy=copy))


def _common(log: tuple[Held, ...], vv: VV) -> Held | None:
    return next((held for held in reversed(log) if le(held.vv, vv)), None)


def _died(record: Record, look: Look, base: Held | None, dead: Container[str]) -> tuple[str, ...]:
    """A document that was seen and is gone never comes back as that incarnation; nor does one in
    whose place another was made, unless that one was forgotten and goes again."""
    if record.kind is not Kind.DOCUMENT or base is None:
        return ()
    was = incarnation(base.body)
    now = incarnation(look.body)
    replaced = look.vv is not None and now != was == incarnation(record.local) and now not in dead
    return (was,) if look.body is None or replaced else ()


class _With(Container[str]):
    def __init__(self, dead: Container[str], more: tuple[str, ...]) -> None:
        self._dead, self._more = dead, more

    def __contains__(self, id: object) -> bool:
        return id in self._more or id in self._dead


def _decide(
    record: Record, look: Look, base: Held | None, forked: bool, dead: Container[str], now: Millis
) -> Outcome:
    mine, theirs = record.local, look.body
    if (
        incarnation(theirs) in dead
        and incarnation(theirs)
        and incarnation(mine) != incarnation(theirs)
    ):
        return _overwrite(record, look, base, now)
    if incarnation(mine) in dead and _alike(mine, theirs):
        return _theirs(record, look)  # it is there again under another name
    if generation(mine) > generation(theirs) and theirs is not None and mine is not None:
        return _keep(record, look)  # an older generation never wins, forked or not
    before = base.body if base else None
    if forked and base is None and live(mine) and not _alike(mine, theirs):
        merged: Merged | Clash = Clash(Clashing.FORK)
    elif theirs is None and incarnation(mine) in dead and not same(before, mine):
        # It was forgotten before, and what came in its place is gone too: that changes nothing.
        merged = Clash(Clashing.FORGOTTEN)
    else:
        merged = merge3(record.kind, before, mine, theirs, dead)
    if isinstance(merged, Clash):
        return _clash(record, look, base, merged.why, now, merged.parts)
    if same(merged.body, theirs):
        return _theirs(record, look)
    vv = join(look.vv or NO_VV, record.copy.vv)
    copy = _agreed(record.copy, look, vv)
    moved = not same(merged.body, mine)
    return Outcome(replace(record, local=merged.body, conflict=None, copy=copy), moved, moved)


def _overwrite(record: Record, look: Look, base: Held | None, now: Millis) -> Outcome:
    """What is there was forgotten here; it goes again, but two devices never fight for ever."""
    fights = record.copy.fights + (record.local is not None)
    if fights < MOST_FIGHTS:
        return _keep(replace(record, copy=record.copy._replace(fights=fights)), look)
    calm = replace(record, copy=record.copy._replace(fights=0))
    return _clash(calm, look, base, Clashing.CREATED, now)


def _keep(record: Record, look: Look) -> Outcome:
    """What is here stays, on top of what is there."""
    vv = join(look.vv or NO_VV, record.copy.vv)
    copy = _agreed(record.copy, _emptied(record, look), vv)
    return Outcome(replace(record, conflict=None, copy=copy))


def _emptied(record: Record, look: Look) -> Look:
    """The look without the words that were forgotten here: nothing may remember them."""
    body, mine = look.body, record.local
    assert body is not None, "what is not there has no words"
    later = mine is not None and generation(mine) == generation(body)
    if later and incarnation(mine) == incarnation(body):
        return look
    return look._replace(body=husk(body), vv=look.vv if look.vv is not None else NO_VV)


def _theirs(record: Record, look: Look) -> Outcome:
    if look.vv is None:
        vv = record.copy.vv
    else:
        vv = look.vv if look.body is not None else join(look.vv, record.copy.vv)
    copy = _agreed(record.copy, look, vv)
    moved = not same(record.local, look.body)
    return Outcome(replace(record, local=look.body, conflict=None, copy=copy), moved)


def _clash(
    record: Record,
    look: Look,
    base: Held | None,
    why: Clashing,
    now: Millis,
    parts: tuple[tuple[str, ...], ...] = (),
) -> Outcome:
    """The person decides: nothing is sent until then, and the base stays what it was."""
    since = record.conflict.since if record.conflict else now
    theirs = None if look.body is None else Held(look.body, look.vv or NO_VV)
    before = base.body if base else None
    conflict = Conflict(why, since, before, record.local, theirs, look.rev, parts)
    copy = record.copy._replace(rev=look.rev, base=base, synced=True)
    return Outcome(replace(record, conflict=conflict, copy=copy))


def _agreed(copy: Copy, look: Look, vv: VV) -> Copy:
    base = None if look.body is None else Held(look.body, vv if look.vv is None else look.vv)
    return copy._replace(vv=vv, synced=True, rev=look.rev, base=base, last=look.body)


# --- three-way merge ---------------------------------------------------------------------------


class Merged(NamedTuple):
    body: Body | None


class Clash(NamedTuple):
    why: Clashing
    parts: tuple[tuple[str, ...], ...] = ()


def merge3(
    kind: Kind, base: Body | None, mine: Body | None, theirs: Body | None, dead: Container[str]
) -> Merged | Clash:
    """Merge by kind (sync.md 2.9): a forget beats an edit, a person decides what is not safe."""
    if same(mine, theirs) or same(base, mine):
        return Merged(theirs)
    if same(base, theirs):
        return Merged(mine)
    if isinstance(mine, PreferenceBody) and isinstance(theirs, PreferenceBody):
        return _preferences(base if isinstance(base, PreferenceBody) else None, mine, theirs)
    if kind is Kind.DOCUMENT:
        return _documents(
            base if isinstance(base, DocumentBody) else None,
            mine if isinstance(mine, DocumentBody) else None,
            theirs if isinstance(theirs, DocumentBody) else None,
            dead,
        )
    return Merged(theirs if mine is None else mine)


def _documents(
    base: DocumentBody | None,
    mine: DocumentBody | None,
    theirs: DocumentBody | None,
    dead: Container[str],
) -> Merged | Clash:
    if theirs is None:
        if mine is None or (base is not None and base.inc != mine.inc):
            return Merged(mine)
        return Clash(Clashing.FORGOTTEN)
    if mine is None:
        return Merged(None if theirs.inc in dead else theirs)
    if mine.inc != theirs.inc:
        return _two_incarnations(base, mine, theirs, dead)
    known = base if base is not None and not base.erased else None
    before = None if known is None else DocumentContent(known.value)
    merged = merge.merge(before, DocumentContent(mine.value), DocumentContent(theirs.value))
    if isinstance(merged, merge.Clash):
        return Clash(Clashing.CHANGED, tuple(clash.path for clash in merged.clashes))
    assert isinstance(merged.content, DocumentContent)
    ends = _end(known, mine, theirs)
    return Merged(theirs._replace(value=merged.content.value, expires_at=ends))


def _two_incarnations(
    base: DocumentBody | None, mine: DocumentBody, theirs: DocumentBody, dead: Container[str]
) -> Merged | Clash:
    """A delete kills one incarnation, and who creates again makes the next."""
    if theirs.inc in dead:
        return Merged(mine)
    if base is None and _alike(mine, theirs):
        return Merged(theirs)  # both sides had it before they ever met
    edited = base is not None and base.inc == mine.inc
    return Clash(Clashing.FORGOTTEN if edited else Clashing.CREATED)


def _alike(mine: Body | None, theirs: Body | None) -> bool:
    """Whether both say the same, be it in two incarnations."""
    if isinstance(mine, DocumentBody) and isinstance(theirs, DocumentBody):
        theirs = theirs._replace(inc=mine.inc)
    return same(mine, theirs)


def _end(base: DocumentBody | None, mine: DocumentBody, theirs: DocumentBody) -> Millis | None:
    """The lifetime that changed; where both did, the longer one loses nothing."""
    if base is not None and base.expires_at == mine.expires_at:
        return theirs.expires_at
    if base is not None and base.expires_at == theirs.expires_at:
        return mine.expires_at
    if mine.expires_at is None or theirs.expires_at is None:
        return None
    return max(mine.expires_at, theirs.expires_at)


def _preferences(
    base: PreferenceBody | None, mine: PreferenceBody, theirs: PreferenceBody
) -> Merged | Clash:
    if mine.gen != theirs.gen:
        # A forget of a generation kills every value up to it, and nothing later.
        if mine.gen > theirs.gen:
            return Merged(mine)
        return Merged(theirs) if mine.forgotten or _empty(mine) else Clash(Clashing.FORGOTTEN)
    if mine.forgotten or theirs.forgotten:
        return Merged(theirs if mine.forgotten else mine)
    known = base is not None and base.gen == mine.gen and not base.forgotten and not base.erased
    before = base if known else None
    declared = _declared(before.declared if before else None, mine.declared, theirs.declared)
    if isinstance(declared, Clash):
        return declared
    inferred = _inferred(before.inferred if before else None, mine.inferred, theirs.inferred)
    return Merged(theirs._replace(declared=declared, inferred=inferred))


def _empty(body: PreferenceBody) -> bool:
    return body.declared is None and body.inferred is None


def _declared(base: Slot | None, mine: Slot | None, theirs: Slot | None) -> Slot | Clash | None:
    if _equal(mine, theirs) or _equal(base, mine):
        return theirs
    if _equal(base, theirs):
        return mine
    if mine is None or theirs is None:
        return mine or theirs  # taken back on one side, said anew on the other
    before = None if base is None else PreferenceContent(base.value)
    merged = merge.merge(before, PreferenceContent(mine.value), PreferenceContent(theirs.value))
    if isinstance(merged, merge.Clash):
        return Clash(Clashing.CHANGED, (("declared",),))
    assert isinstance(merged.content, PreferenceContent)
    value = merged.content.value
    if value == theirs.value:
        return theirs
    if value == mine.value:
        return mine
    # What said another list is not the source of this one.
    return mine._replace(value=value, quote=None, at=max(mine.at, theirs.at))


def _inferred(base: Slot | None, mine: Slot | None, theirs: Slot | None) -> Slot | None:
    if _equal(mine, theirs) or _equal(base, mine):
        return theirs
    if _equal(base, theirs):
        return mine
    return mine or theirs  # the later one in the order of the server: mine is yet to come


def _equal(left: Slot | None, right: Slot | None) -> bool:
    return (None if left is None else left.says()) == (None if right is None else right.says())
