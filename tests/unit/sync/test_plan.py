"""What a look at the server means for one record, cell by cell, and the laws of every cell."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from itertools import product
from typing import Any, NamedTuple

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from localmem.core import preferences
from localmem.core.bodies import (
    VV,
    Body,
    DocumentBody,
    Held,
    PreferenceBody,
    Slot,
    generation,
    husk,
    incarnation,
    live,
    same,
)
from localmem.core.model import Kind
from localmem.core.replica import (
    Clashing,
    Conflict,
    Copy,
    Flight,
    Verb,
    document_key,
    preference_key,
)
from localmem.core.scope import PROJECT
from sync.plan import MOST_FIGHTS, Clash, Look, Merged, Outcome, Record, merge3, observe

ME, NOW, REV = "d1", 1_000, '"9"'

# --- how a cell is written ---------------------------------------------------------------------

OLD_VV: VV = {"d0": 1}
"""Of an older base, which is in the log."""
BASE_VV: VV = {"d0": 1, "d1": 1}
SENT_VV: VV = {"d0": 1, "d1": 2}
"""Of the write that is under way."""

VECTORS: dict[str, VV | None] = {
    "foreign": None,
    "as base": BASE_VV,
    "on base": {**BASE_VV, "d2": 1},
    "as sent": SENT_VV,
    "on sent": {**SENT_VV, "d2": 1},
    "fork": {"d2": 1},
    "fork on old": {"d0": 1, "d2": 1},
    "as old": OLD_VV,
}


def size(gen: int, declared: Any = None, inferred: Any = None) -> PreferenceBody:
    """A preference that says so; a list of names is given as one."""
    slots = [None if value is None else Slot(value, 5) for value in (declared, inferred)]
    return PreferenceBody(gen, False, *slots)


def document(inc: str, **members: Any) -> DocumentBody:
    return DocumentBody(inc, members)


GONE: None = None
"""Nothing is there."""
UNREADABLE = "unreadable"
NEVER = "never"
"""Nothing ever was here."""
MARKER = PreferenceBody(2, forgotten=True)


class Cell(NamedTuple):
    base: Body | None
    local: Body | str | None
    remote: Body | str | None
    vector: str = "on base"
    flight: Body | str | None = None
    """What is under way; "delete"."""
    dead: tuple[str, ...] = ()
    log: tuple[Held, ...] = ()
    last: Body | str | None = "base"
    fights: int = 0
    back: bool = False
    clashing: bool = False

    @property
    def kind(self) -> Kind:
        """Of the first body that is there; of a document, where none is."""
        bodies = (self.base, self.local, self.remote, self.flight, self.last)
        found = any(isinstance(body, PreferenceBody) for body in bodies)
        return Kind.PREFERENCE if found else Kind.DOCUMENT

    def record(self) -> Record:
        key = preference_key("shoe_size")
        if self.kind is Kind.DOCUMENT:
            key = document_key(PROJECT, "orders", "A1")
        flight = None
        if self.flight == "delete":
            flight = Flight("op", 0, key, Verb.DELETE, 2)
        elif self.flight is not None:
            assert not isinstance(self.flight, str)
            flight = Flight("op", 0, key, Verb.PUT, 2, Held(self.flight, SENT_VV))
        base = None if self.base is None else Held(self.base, BASE_VV)
        last = self.base if self.last == "base" else self.last
        assert not isinstance(last, str)
        mine = None if isinstance(self.local, str) else self.local
        written = flight is not None and flight.verb is Verb.PUT
        copy = Copy(
            vv=SENT_VV if written else BASE_VV,
            synced=True,
            rev='"8"',
            base=base,
            last=last,
            fights=self.fights,
        )
        theirs = None if last is None else Held(last, BASE_VV)
        conflict = Conflict(Clashing.CHANGED, 7, self.base, mine, theirs, '"8"')
        open_ = conflict if self.clashing else None
        return Record(self.kind, mine, self.local != NEVER, copy, flight, open_, self.log)

    def look(self) -> Look:
        if self.remote == UNREADABLE:
            return Look(REV, None, unreadable=True)
        if self.remote is None:
            return Look(None, None)
        assert not isinstance(self.remote, str)
        return Look(REV, self.remote, VECTORS[self.vector])

    def seen(self) -> Outcome:
        return observe(self.record(), self.look(), me=ME, dead=self.dead, now=NOW, back=self.back)


def became(before: Record, outcome: Outcome) -> str:
    """In a word what became of it.

    nothing   gone, or as it was, on both sides
    taken     what is there is here now
    gone      what was here is not any more
    waits     what is here stays, and is sent
    merged    what is here is of both, and is sent
    asks why  the person decides
    """
    after = outcome.record
    if after.conflict is not None:
        return f"asks {after.conflict.why}"
    if outcome.merged:
        return "merged"
    if outcome.write:
        return "taken" if live(after.local) else "gone"
    return "waits" if after.dirty else "nothing"


# --- the rows that have a name -----------------------------------------------------------------

A, A_MINE = document("a", x=0, y=0), document("a", x=1, y=0)
A_OTHER_MEMBER, A_SAME_MEMBER = document("a", x=0, y=2), document("a", x=2, y=0)
B, B_ALIKE = document("b", z=1), document("b", x=0, y=0)
OLD = Held(document("a", x=9, y=9), OLD_VV)

DOCUMENTS: dict[str, tuple[Cell, str]] = {
    # nothing here yet
    "nothing anywhere": (Cell(None, NEVER, GONE), "nothing"),
    "new there": (Cell(None, NEVER, A), "taken"),
    "new there, by another client": (Cell(None, NEVER, A, "foreign"), "taken"),
    "there again, but forgotten here": (Cell(None, NEVER, A, dead=("a",)), "waits"),
    "nobody can read what is there": (Cell(None, NEVER, UNREADABLE), "asks shape"),
    # in step, and something happens there
    "nothing changed": (Cell(A, A, A, "as base"), "nothing"),
    "changed there": (Cell(A, A, A_OTHER_MEMBER), "taken"),
    "changed there by another client": (Cell(A, A, A_OTHER_MEMBER, "foreign"), "taken"),
    "gone there": (Cell(A, A, GONE), "gone"),
    "made again there": (Cell(A, A, B), "taken"),
    "made again there, alike": (Cell(A, A, B_ALIKE), "taken"),
    "changed to what nobody can read": (Cell(A, A, UNREADABLE), "asks shape"),
    "touched there without a change": (Cell(A, A, A), "nothing"),
    # changed here
    "new here": (Cell(None, A, GONE, last=None), "waits"),
    "new here, and seen there before": (Cell(None, A, GONE, last=A), "gone"),
    "new here, other than was seen there": (Cell(None, A_MINE, GONE, last=A), "asks forgotten"),
    "changed here": (Cell(A, A_MINE, A, "as base"), "waits"),
    "changed here, touched there": (Cell(A, A_MINE, A), "waits"),
    "changed here and gone there": (Cell(A, A_MINE, GONE), "asks forgotten"),
    "changed here and made again there": (Cell(A, A_MINE, B), "asks forgotten"),
    "changed on both sides to the same": (Cell(A, A_MINE, A_MINE), "nothing"),
    "changed in two members": (Cell(A, A_MINE, A_OTHER_MEMBER), "merged"),
    "changed in one member": (Cell(A, A_MINE, A_SAME_MEMBER), "asks changed"),
    "changed by another client too": (Cell(A, A_MINE, A_SAME_MEMBER, "foreign"), "asks changed"),
    # both sides had something before they met
    "met, the same": (Cell(None, A, B_ALIKE, "fork", last=None), "taken"),
    "met, two of them": (Cell(None, A, B, "fork", last=None), "asks created"),
    "met, one inc": (Cell(None, A_MINE, A_SAME_MEMBER, "fork", last=None), "asks changed"),
    # forgotten here
    "forgotten here": (Cell(husk(A), None, A, "as base", dead=("a",)), "waits"),
    "forgotten here, changed there": (Cell(husk(A), None, A_MINE, dead=("a",)), "waits"),
    "forgotten here, gone there": (Cell(husk(A), None, GONE, dead=("a",)), "nothing"),
    "forgotten here, made again there": (Cell(husk(A), None, B, dead=("a",)), "taken"),
    "forgotten and made again here": (Cell(husk(A), B, A, dead=("a",)), "waits"),
    "forgotten and made again here, gone there": (
        Cell(husk(A), B, GONE, dead=("a",)),
        "waits",
    ),
    "forgotten here, both made again": (
        Cell(husk(A), B, document("c", z=2), dead=("a",)),
        "asks created",
    ),
    # dead incarnations and fights
    "the dead put back over mine": (Cell(B, B, A, dead=("a",)), "waits"),
    "put back a second time": (Cell(B, B, A, dead=("a",), fights=1), "waits"),
    "put back once too often": (Cell(B, B, A, dead=("a",), fights=MOST_FIGHTS - 1), "asks created"),
    "put back where nothing is here": (
        Cell(husk(A), None, A, dead=("a",), fights=MOST_FIGHTS - 1),
        "waits",
    ),
    "mine was forgotten elsewhere, and theirs too": (
        Cell(B, A_MINE, B, dead=("a", "b")),
        "waits",
    ),
    "asked about what was forgotten elsewhere, and it is back": (
        Cell(None, A_MINE, A, dead=("a",), clashing=True),
        "asks forgotten",
    ),
    "forgotten before, gone there": (
        Cell(document("b", z=0), A_MINE, GONE, dead=("a",)),
        "asks forgotten",
    ),
    # a write is under way
    "mine arrived": (Cell(A, A_MINE, A_MINE, "as sent", A_MINE), "nothing"),
    "mine arrived, and was changed here since": (
        Cell(A, document("a", x=3, y=0), A_MINE, "as sent", A_MINE),
        "waits",
    ),
    "mine arrived, and was changed there since": (
        Cell(A, A_MINE, document("a", x=1, y=2), "on sent", A_MINE),
        "taken",
    ),
    "mine arrived, both changed it since": (
        Cell(A, document("a", x=3, y=0), document("a", x=4, y=0), "on sent", A_MINE),
        "asks changed",
    ),
    "mine did not arrive": (Cell(A, A_MINE, A, "as base", A_MINE), "waits"),
    "mine did not arrive, theirs did": (Cell(A, A_MINE, A_OTHER_MEMBER, flight=A_MINE), "merged"),
    "mine arrived and was forgotten": (Cell(A, A_MINE, GONE, flight=A_MINE), "asks forgotten"),
    "mine arrived without lineage": (Cell(A, A_MINE, A_MINE, "foreign", A_MINE), "nothing"),
    "another client wrote meanwhile": (
        Cell(A, A_MINE, A_OTHER_MEMBER, "foreign", A_MINE),
        "asks fork",
    ),
    "without lineage as it was": (Cell(A, A_MINE, A, "foreign", A_MINE), "waits"),
    "my delete arrived": (Cell(husk(A), None, GONE, flight="delete", dead=("a",)), "nothing"),
    "my delete did not arrive": (
        Cell(husk(A), None, A, "as base", "delete", dead=("a",)),
        "waits",
    ),
    "my delete arrived, made again here": (
        Cell(husk(A), B, GONE, flight="delete", dead=("a",)),
        "waits",
    ),
    "my first write was refused for theirs": (
        Cell(None, A_MINE, B, "fork", A_MINE, last=None),
        "asks created",
    ),
    # lineage
    "older than mine": (Cell(A, A_MINE, OLD.body, "as old", log=(OLD,)), "waits"),
    "an ancestor": (Cell(A, A_MINE, A, "as base", last=A_MINE), "waits"),
    "an ancestor of what was sent": (
        Cell(A, A_MINE, OLD.body, "as old", A_MINE),
        "waits",
    ),
    "another client wrote my vector back": (
        Cell(A, A, A_OTHER_MEMBER, "as base"),
        "taken",
    ),
    "another client wrote my vector back over my edit": (
        Cell(A, A_MINE, A_OTHER_MEMBER, "as base"),
        "merged",
    ),
    "a vector of the log written back": (
        Cell(A, A, document("a", x=9, y=8), "as old", log=(OLD,)),
        "asks changed",
    ),
    "a fork with a common base": (
        Cell(A, A_MINE, document("a", x=9, y=2), "fork on old", log=(OLD,)),
        "asks changed",
    ),
    "a fork with a common base, other members": (
        Cell(
            document("a", x=9, y=9),
            document("a", x=1, y=9),
            document("a", x=9, y=2),
            "fork on old",
            log=(OLD,),
        ),
        "merged",
    ),
    "a fork without a common base": (Cell(A, A_MINE, A_OTHER_MEMBER, "fork"), "asks fork"),
    "a fork that says the same": (Cell(A, A_MINE, A_MINE, "fork"), "nothing"),
    "a fork that says the same in another inc": (
        Cell(A, document("c", z=1), B, "fork"),
        "taken",
    ),
    # a server that went back
    "went back to what the log has": (
        Cell(A, A, OLD.body, "foreign", log=(OLD,), back=True),
        "waits",
    ),
    "went back to something unknown": (
        Cell(A, A, A_SAME_MEMBER, "foreign", back=True),
        "asks fork",
    ),
    "went back, the same still": (Cell(A, A, A, "foreign", back=True), "nothing"),
    # an open conflict
    "the conflict as it was": (
        Cell(A, A_MINE, A_SAME_MEMBER, last=A_SAME_MEMBER, clashing=True),
        "asks changed",
    ),
    "theirs came round to mine": (
        Cell(A, A_MINE, A_MINE, last=A_SAME_MEMBER, clashing=True),
        "nothing",
    ),
    "theirs went back to the base": (
        Cell(A, A_MINE, A, last=A_SAME_MEMBER, clashing=True),
        "waits",
    ),
    "theirs is gone now": (
        Cell(A, A_MINE, GONE, last=A_SAME_MEMBER, clashing=True),
        "asks forgotten",
    ),
}

S42, S43, S41 = size(1, "42"), size(1, "43"), size(1, "41")
INFERRED = size(1, None, "40")

PREFERENCES: dict[str, tuple[Cell, str]] = {
    "nothing was ever said": (Cell(size(0), size(0), size(0), "as base"), "nothing"),
    "said there": (Cell(None, NEVER, S42), "taken"),
    "forgotten there before it was known here": (Cell(None, NEVER, MARKER), "gone"),
    "nobody can read what is there": (Cell(S42, S42, UNREADABLE), "asks shape"),
    # one generation
    "in step": (Cell(S42, S42, S42, "as base"), "nothing"),
    "changed here": (Cell(S42, S43, S42, "as base"), "waits"),
    "changed there": (Cell(S42, S42, S41), "taken"),
    "changed on both sides": (Cell(S42, S43, S41), "asks changed"),
    "changed to the same": (Cell(S42, S43, S43), "nothing"),
    "said on both sides before they met": (
        Cell(None, S43, S41, "fork", last=None),
        "asks changed",
    ),
    "the same said before they met": (Cell(None, S43, S43, "fork", last=None), "nothing"),
    "taken back here, said anew there": (Cell(S42, size(1), S41), "taken"),
    "said anew here, taken back there": (Cell(S42, S43, size(1)), "waits"),
    "taken back here": (Cell(S42, size(1), S42, "as base"), "waits"),
    # generations
    "forgotten there": (Cell(S42, S42, MARKER), "gone"),
    "forgotten there, changed here": (Cell(S42, S43, MARKER), "asks forgotten"),
    "forgotten there and said anew": (Cell(S42, S42, size(2, "41")), "taken"),
    "forgotten there and said anew, changed here": (
        Cell(S42, S43, size(2, "41")),
        "asks forgotten",
    ),
    "forgotten here": (Cell(husk(S42), MARKER, S42, "as base"), "waits"),
    "forgotten here, changed there": (Cell(husk(S42), MARKER, S41), "waits"),
    "forgotten here, as a fork": (Cell(husk(S42), MARKER, S41, "fork"), "waits"),
    "forgotten on both sides": (Cell(husk(S42), MARKER, MARKER), "nothing"),
    "forgotten on both sides, said anew there": (Cell(husk(S42), MARKER, size(2, "41")), "taken"),
    "forgotten on both sides, said anew here": (Cell(husk(S42), size(2, "43"), MARKER), "waits"),
    "forgotten and said anew here": (Cell(husk(S42), size(2, "43"), S42), "waits"),
    "said anew on both sides": (Cell(MARKER, size(2, "43"), size(2, "41")), "asks changed"),
    "empty here, of an older generation": (Cell(None, size(0), MARKER, "fork"), "gone"),
    # lists
    "names added on both sides": (
        Cell(size(1, ("Asics",)), size(1, ("Asics", "Puma")), size(1, ("Asics", "Nike"))),
        "merged",
    ),
    "names of both before they met": (
        Cell(None, size(1, ("Puma",)), size(1, ("Nike",)), "fork", last=None),
        "merged",
    ),
    "names added here, taken out there": (
        Cell(size(1, ("Asics", "Nike")), size(1, ("Asics", "Nike", "Puma")), size(1, ("Asics",))),
        "merged",
    ),
    "names that do not fit together": (
        Cell(
            size(1, ("a",)),
            size(1, ("a", *"bcdef")),
            size(1, ("a", *"ghijk")),
        ),
        "asks changed",
    ),
    "each took the other's name out": (
        Cell(size(1, ("a", "b")), size(1, ("a",)), size(1, ("b",))),
        "asks changed",
    ),
    # two slots
    "declared here, inferred there": (
        Cell(size(1), size(1, "43"), INFERRED),
        "merged",
    ),
    "inferred on both sides": (Cell(size(1), INFERRED, size(1, None, "39")), "waits"),
    "inferred here, declared there": (Cell(size(1), INFERRED, S41), "merged"),
    "inferred there alone": (Cell(S42, S42, size(1, "42", "40")), "taken"),
    "inference dropped here, another there": (
        Cell(INFERRED, size(1), size(1, None, "39")),
        "taken",
    ),
    "inferred anew here, unchanged there": (
        Cell(size(1, "42", "40"), size(1, "43", "39"), size(1, "42", "40")),
        "waits",
    ),
    # absence is the marker of a client that knows none
    "erased there by another client": (Cell(S42, S42, GONE), "gone"),
    "erased there, changed here": (Cell(S42, S43, GONE), "asks forgotten"),
    "erased there, and never agreed on": (Cell(None, S42, GONE, last=S42), "asks forgotten"),
    "erased there after it was forgotten here": (Cell(husk(S42), MARKER, GONE), "nothing"),
    "a marker that is gone": (Cell(MARKER, MARKER, GONE), "nothing"),
    "never said there": (Cell(None, S42, GONE, last=None), "waits"),
    # a write is under way
    "mine arrived": (Cell(S42, S43, S43, "as sent", S43), "nothing"),
    "mine arrived, and theirs on top": (Cell(S42, S43, S41, "on sent", S43), "taken"),
    "mine did not arrive": (Cell(S42, S43, S42, "as base", S43), "waits"),
    "mine did not arrive, theirs did": (Cell(S42, S43, S41, flight=S43), "asks changed"),
    "the marker arrived": (Cell(husk(S42), MARKER, MARKER, "as sent", MARKER), "nothing"),
    "forgotten while the value was under way": (
        Cell(husk(S42), MARKER, S43, "as sent", husk(S43)),
        "waits",
    ),
    # a server that went back
    "went back behind a forget": (Cell(MARKER, MARKER, S42, "as base", back=True), "waits"),
    "went back to what another client wrote": (
        Cell(S42, S42, S41, "foreign", back=True),
        "asks fork",
    ),
}


@pytest.mark.parametrize(("cell", "expected"), DOCUMENTS.values(), ids=DOCUMENTS)
def test_of_a_document(cell: Cell, expected: str) -> None:
    assert became(cell.record(), cell.seen()) == expected


@pytest.mark.parametrize(("cell", "expected"), PREFERENCES.values(), ids=PREFERENCES)
def test_of_a_preference(cell: Cell, expected: str) -> None:
    assert became(cell.record(), cell.seen()) == expected


# --- what holds in every cell ------------------------------------------------------------------

CONSENTS = ("nothing", "taken", "gone", "waits", "merged")
WORDS = {*CONSENTS, *(f"asks {why}" for why in Clashing)}
OFTEN = 3
"""So many cells have every outcome at least, or the enumeration is not worth its name."""


def cells(
    bases: tuple[Body | None, ...],
    locals: tuple[Body | str | None, ...],
    remotes: tuple[Body | str | None, ...],
    flights: tuple[Body | str | None, ...],
    dead: tuple[tuple[str, ...], ...],
    seen: tuple[tuple[Any, ...], ...],
) -> Iterator[Cell]:
    """`seen`: log, last, fights, back and whether it is in conflict."""
    for remote in remotes:
        vectors = VECTORS if isinstance(remote, DocumentBody | PreferenceBody) else ("on base",)
        for base, local, vector, flight, gone, more in product(
            bases, locals, vectors, flights, dead, seen
        ):
            if local == NEVER and (base is not None or flight is not None):
                continue
            last = base if more[1] == "base" else more[1]
            yield Cell(base, local, remote, vector, flight, gone, more[0], last, *more[2:])


def of_documents() -> Iterator[Cell]:
    return cells(
        (None, A, husk(A), B),
        (NEVER, None, A, A_MINE, B),
        (GONE, UNREADABLE, A, A_MINE, A_OTHER_MEMBER, A_SAME_MEMBER, B_ALIKE, OLD.body),
        (None, A_MINE, husk(A_MINE), "delete"),
        ((), ("a",), ("b",)),
        (
            ((), "base", 0, False, False),
            ((OLD,), A_SAME_MEMBER, 2, False, True),
            ((OLD,), None, 1, True, False),
        ),
    )


def of_preferences() -> Iterator[Cell]:
    names = size(1, ("Asics",))
    return cells(
        (None, S42, husk(S42), MARKER, names),
        (NEVER, size(0), S43, MARKER, size(2, "43"), size(1, ("Asics", "Puma")), INFERRED),
        (GONE, UNREADABLE, size(0), S42, S43, S41, MARKER, size(2, "41"), INFERRED,
         size(1, ("Asics", "Nike")), size(3, None, "40")),
        (None, S43, MARKER, "delete"),
        ((),),
        (
            ((), "base", 0, False, False),
            ((Held(size(1, "39"), OLD_VV),), S41, 0, False, True),
            ((Held(S41, OLD_VV),), None, 0, True, False),
        ),
    )  # fmt: skip


def check(cell: Cell) -> str:
    before, look = cell.record(), cell.look()
    outcome = observe(before, look, me=ME, dead=cell.dead, now=NOW, back=cell.back)
    after, word = outcome.record, became(before, outcome)
    assert word in WORDS
    assert after.flight is None, "what was under way is judged"
    assert after.copy.rev == look.rev, "the next write is made on what is there"
    assert after.copy.synced
    assert outcome.write == (not same(after.local, before.local)), "changes only as it says"
    if after.conflict is not None:
        assert not outcome.write, "until the person decides nothing is changed"
        assert same(after.conflict.mine, before.local)
        shown = look.body is not None and incarnation(look.body) not in cell.dead
        assert after.conflict.theirs is not None or not shown
        assert after.conflict.since == (7 if cell.clashing else NOW), "it is as old as it is"
    assert generation(after.local) >= generation(before.local), "a generation never falls"
    here = incarnation(after.local)
    if outcome.write and here != incarnation(before.local):
        assert here not in cell.dead, "what is dead never comes back"
    if word == "taken":
        assert same(after.local, look.body)
        assert not after.dirty
    if word == "gone":
        assert look.body is None or not live(look.body)
    lost = look.body is None and not look.unreadable and not cell.back
    if lost and not before.dirty and cell.flight != "delete":
        assert word != "waits", "what nobody changed here is never made there again"
    if outcome.write and live(before.local):
        known = [each for each in _had(before) if each is not None and not each.erased]
        for part in _parts(before.local) - _parts(after.local):
            assert any(part in _parts(each) for each in known), "what only mine says is kept"
    assert all(outcome.died), "nothing without a name dies"
    return word


def _had(before: Record) -> Iterator[Body | None]:
    """Everything that both sides were ever in step with."""
    yield before.base
    yield before.copy.last
    yield from (held.body for held in before.log)
    if before.flight is not None and before.flight.body is not None:
        yield before.flight.body.body


def _parts(body: Body | None) -> set[tuple[str, str]]:
    """What it says, member by member or name by name."""
    if isinstance(body, DocumentBody):
        assert isinstance(body.value, dict)
        return {(name, repr(held)) for name, held in body.value.items()}
    found = set()
    for half, slot in (("declared", body.declared), ("inferred", body.inferred)) if body else ():
        values = () if slot is None else slot.value
        found |= {(half, each) for each in ([values] if isinstance(values, str) else values)}
    return found


@pytest.mark.parametrize("every", [of_documents, of_preferences])
def test_every_cell_has_an_outcome_that_loses_nothing(every: Any) -> None:
    counted = Counter(check(cell) for cell in every())
    possible = WORDS if every is of_documents else WORDS - {"asks created"}
    assert {word for word in WORDS if counted[word] >= OFTEN} == possible


# --- merging by itself -------------------------------------------------------------------------


def test_a_preference_of_one_side_is_what_it_says() -> None:
    assert merge3(Kind.PREFERENCE, S42, None, S41, ()) == Merged(S41)
    assert merge3(Kind.PREFERENCE, S42, S43, None, ()) == Merged(S43)


def test_over_what_was_forgotten_mine_stays() -> None:
    assert merge3(Kind.DOCUMENT, A, A_MINE, B, {"b"}) == Merged(A_MINE)
    assert merge3(Kind.DOCUMENT, A, None, B, {"b"}) == Merged(None)
    assert merge3(Kind.DOCUMENT, A, None, B, ()) == Merged(B)


@pytest.mark.parametrize(
    ("base", "mine", "theirs", "after"),
    [
        (10, 10, 20, 20),
        (10, 20, 10, 20),
        (10, 20, 30, 30),
        (10, 30, 20, 30),
        (10, 20, None, None),
        (10, None, 20, None),
        (None, None, 20, 20),
        (None, 20, None, 20),
    ],
)
def test_of_two_lifetimes_the_one_that_changed_counts_and_then_the_longer(
    base: int | None, mine: int | None, theirs: int | None, after: int | None
) -> None:
    def ending(minutes: int | None, **members: int) -> DocumentBody:
        ends = None if minutes is None else minutes * 60_000
        return DocumentBody("a", members, ends)

    result = merge3(
        Kind.DOCUMENT, ending(base, x=0), ending(mine, x=1), ending(theirs, x=0, y=1), ()
    )
    assert result == Merged(ending(after, x=1, y=1))


def test_a_merged_list_bears_the_quote_of_nobody_who_did_not_say_it() -> None:
    base = PreferenceBody(1, declared=Slot(("Asics",), 1))
    mine = PreferenceBody(1, declared=Slot(("Asics", "Puma"), 2, quote="Asics and Puma"))
    theirs = PreferenceBody(1, declared=Slot(("Asics", "Nike"), 3, quote="Asics, Nike"))
    result = merge3(Kind.PREFERENCE, base, mine, theirs, ())
    assert result == Merged(PreferenceBody(1, declared=Slot(("Asics", "Puma", "Nike"), 3)))


# --- the laws of merging -----------------------------------------------------------------------

_WORDS = st.sampled_from("abc")
_NAMES = st.lists(st.sampled_from(["Asics", "Nike", "Puma", "ASICS", "Fila"]), max_size=4).map(
    lambda names: preferences.normalise(preferences.PreferenceKey.PREFERRED_BRANDS, names or ["X"])
)
_SLOTS = st.none() | (_NAMES | st.sampled_from(["41", "42"])).map(lambda value: Slot(value, 5))
_SAID = st.builds(
    lambda gen, declared, inferred: PreferenceBody(gen, False, declared, inferred),
    st.integers(0, 2),
    _SLOTS,
    _SLOTS,
) | st.integers(1, 2).map(lambda gen: PreferenceBody(gen, forgotten=True))
_VALUES = st.recursive(
    st.integers(0, 1) | st.lists(st.integers(0, 1), max_size=1),
    lambda inner: st.dictionaries(_WORDS, inner, max_size=3),
    max_leaves=5,
)
_ENDS = st.sampled_from([None, 10_000_000, 90_000_000])
_KEPT = st.tuples(st.sampled_from(["a", "a", "b"]), _VALUES, _ENDS).map(
    lambda parts: DocumentBody(*parts)
)
_SIDES = st.tuples(st.none() | _SAID, _SAID, _SAID) | st.tuples(
    st.none() | _KEPT, st.none() | _KEPT, st.none() | _KEPT
)
_OF_ONE = st.tuples(*[_NAMES.map(lambda names: size(1, names))] * 3) | st.tuples(
    *[st.dictionaries(_WORDS, _VALUES).map(lambda value: DocumentBody("a", value))] * 3
)
"""Sides that can be merged."""
Sides = tuple[Body | None, Body | None, Body | None]


def merged(base: Body | None, mine: Body | None, theirs: Body | None) -> Merged | Clash:
    said = any(isinstance(body, PreferenceBody) for body in (base, mine, theirs))
    return merge3(Kind.PREFERENCE if said else Kind.DOCUMENT, base, mine, theirs, ())


def reached(law: Any, *wanted: str, sides: Any = _SIDES) -> None:
    """A law that was never put to the test holds nothing: `law` counts what it came to."""
    counted: Counter[str] = Counter()
    settings(max_examples=100, deadline=None, database=None, derandomize=True)(
        given(sides)(lambda sides: counted.update([law(sides)]))
    )()
    assert all(counted[word] >= OFTEN for word in wanted), counted


def _equal(result: Merged | Clash, body: Body | None) -> bool:
    return isinstance(result, Merged) and same(result.body, body)


def test_who_changed_nothing_gets_what_the_other_has() -> None:
    def law(sides: Sides) -> str:
        base, mine, theirs = sides
        assert _equal(merged(base, base, theirs), theirs)
        assert _equal(merged(base, mine, base), mine)
        return "other" if not same(base, theirs) else "same"

    reached(law, "other")


def test_what_says_the_same_is_no_question() -> None:
    def law(sides: Sides) -> str:
        base, mine, _ = sides
        assert _equal(merged(base, mine, mine), mine)
        return "other" if not same(base, mine) else "same"

    reached(law, "other")


def test_what_was_merged_merges_to_itself() -> None:
    def law(sides: Sides) -> str:
        base, mine, theirs = sides
        result = merged(base, mine, theirs)
        if isinstance(result, Clash):
            return "clash"
        assert _equal(merged(base, result.body, theirs), result.body)
        return "mine" if same(result.body, mine) else "both"

    reached(law, "mine", "both")


def test_both_devices_are_asked_about_the_same_parts() -> None:
    """But for a forget, which asks only where the edit is."""

    def law(sides: Sides) -> str:
        base, mine, theirs = sides
        if mine is None or theirs is None or generation(mine) != generation(theirs):
            return "forgotten"
        here, there = merged(base, mine, theirs), merged(base, theirs, mine)
        if isinstance(here, Clash) and isinstance(there, Clash):
            known = incarnation(base) in (incarnation(mine), incarnation(theirs))
            assert here.parts == there.parts
            assert here.why == there.why or known
            return "clash"
        assert isinstance(here, Merged) and isinstance(there, Merged)
        return "merged"

    reached(law, "clash", "merged", sides=_SIDES | _OF_ONE)


def test_what_only_one_side_holds_is_not_dropped() -> None:
    def law(sides: Sides) -> str:
        base, mine, theirs = sides
        result = merged(base, mine, theirs)
        if isinstance(result, Clash):
            return "asked"
        before, here, there, now = map(_told, (base, mine, theirs, result.body))
        assert here - before - (before - there) <= now
        assert there - before - (before - here) <= now
        return "kept" if now not in (here, there) else "one"

    reached(law, "asked", "kept", "one", sides=_OF_ONE)


def test_without_a_base_everything_unites_or_is_asked_about() -> None:
    def law(sides: Sides) -> str:
        _, mine, theirs = sides
        result = merged(None, mine, theirs)
        if isinstance(result, Clash):
            return "asked"
        assert _told(result.body) == _told(mine) | _told(theirs)
        return "united" if _told(mine) != _told(theirs) else "same"

    reached(law, "asked", "united", "same", sides=_OF_ONE)


def _told(body: Body | None) -> set[tuple[str, str]]:
    """Name by name, or leaf by leaf."""
    if isinstance(body, PreferenceBody):
        assert body.declared is not None
        return {("", preferences.same_name_key(name)) for name in body.declared.value}
    return set() if body is None else set(_leaves("", body.value))


def _leaves(path: str, value: Any) -> Iterator[tuple[str, str]]:
    if isinstance(value, dict) and value:
        for name, held in value.items():
            yield from _leaves(f"{path}/{name}", held)
    elif value != {}:
        yield path, repr(value)
