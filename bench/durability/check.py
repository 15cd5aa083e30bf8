"""Opens a library after a kill, as the product does, and says what of it does not hold.

Every acknowledged write must be there and every acknowledged forget gone, the write that was going
on there whole or not at all, and what is derived from a memory in step with it.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from itertools import product
from pathlib import Path

import apsw

from bench.durability import state as states
from bench.durability.state import Effect, State
from bench.durability.traces import KEY, WORD, DigestEmbedder, held_in, seen, sound
from bench.durability.writer import RUN_LINES, is_encrypted, open_engine, run_lines
from localmem.core import passages, plain
from localmem.core.incoming import RunState
from localmem.engine import Engine, writing
from localmem.engine.imports import Rules
from localmem.errors import LocalmemError
from localmem.store import vectors
from localmem.store.sqlite import SqliteStore

FAULTS = ("lost", "corrupt", "half", "doubled", "leftover", "refused")
KEPT = "before-restore-"
"""What a restore replaces is kept under such a name; the person's to keep or delete."""


@dataclass
class Told:
    """What the writers of one round said, and what the rounds before them left."""

    before: State
    acknowledged: Sequence[Effect]
    going_on: Sequence[Effect]
    """What each writer had begun and not finished when it died."""
    backups: dict[str, State]
    forgotten: set[str]
    """Words that no backup brings back, from the rounds before."""
    erased: set[str]
    """Words that must stand in no byte, from the rounds before."""


@dataclass
class Verdict:
    faults: dict[str, list[str]] = field(default_factory=dict)
    state: State = field(default_factory=dict)
    applied: int = 0
    """Writes that were not acknowledged and are there."""
    rolled_back: int = 0

    def say(self, fault: str, why: str) -> None:
        self.faults.setdefault(fault, []).append(why)


def check(library: Path, told: Told) -> Verdict:
    verdict = Verdict()
    expected = _expected(told)
    try:
        encrypted = is_encrypted(library)
        store, engine = open_engine(library)
    except LocalmemError as problem:
        verdict.say("lost" if told.acknowledged else "refused", f"cannot be opened: {problem}")
        return verdict
    try:
        engine.maintain()
        connection = store.items.session.connection
        for line in sound(connection):
            verdict.say("corrupt", line)
        _compare(connection, encrypted, expected, told, verdict)
        for line in (*_halves(store, engine), *_vectors(store)):
            verdict.say("half", line)
        _resume(engine, connection, encrypted, verdict)
    except states.Doubled as problem:
        verdict.say("doubled", str(problem))
    except (LocalmemError, apsw.Error) as problem:
        verdict.say("corrupt", f"{type(problem).__name__}: {problem}")
    finally:
        store.close()
    _search(library, told, verdict)
    return verdict


def _expected(told: Told) -> State:
    expected = told.before
    for effect in told.acknowledged:
        told.erased |= states.erased(expected, effect)
        told.forgotten |= states.erased(expected, effect, for_good=True)
        expected = states.after(expected, effect, told.backups, frozenset(told.forgotten))
    return expected


def _compare(
    connection: apsw.Connection, encrypted: bool, expected: State, told: Told, verdict: Verdict
) -> None:
    """The library is one of the states it may be in, or something is wrong."""
    verdict.state, _ = states.read(connection, encrypted=encrypted)
    found = states.by_writer(verdict.state)
    for chosen in product((False, True), repeat=len(told.going_on)):
        possible, erased, for_good = expected, set[str](), set[str]()
        for effect, done in zip(told.going_on, chosen, strict=True):
            if done:
                erased |= states.erased(possible, effect)
                for_good |= states.erased(possible, effect, for_good=True)
                forgotten = frozenset(told.forgotten | for_good)
                possible = states.after(possible, effect, dict(told.backups), forgotten)
        if states.by_writer(possible) == found:
            verdict.applied = sum(chosen)
            verdict.rolled_back = len(chosen) - sum(chosen)
            told.erased |= erased
            told.forgotten |= for_good
            return
    for fault, why in _differences(states.by_writer(expected), found):
        verdict.say(fault, f"{why}; going on: {told.going_on}")


def _differences(
    expected: Mapping[str, tuple[tuple[str, ...], ...]],
    found: Mapping[str, tuple[tuple[str, ...], ...]],
) -> Iterator[tuple[str, str]]:
    for name in expected.keys() | found.keys():
        wanted, held = expected.get(name, ()), found.get(name, ())
        if wanted == held:
            continue
        missing = set().union(*wanted) - set().union(*held)
        twice = any(len(set(words)) < len(words) for words in held)
        fault = "lost" if missing else "doubled" if twice and set().union(*held) else "half"
        yield fault, f"{name}: {wanted} is {held}"


def _halves(store: SqliteStore, engine: Engine) -> Iterator[str]:
    condition = engine.health.condition()
    wrong = {
        name: value
        for name in ("orphans", "headless", "wordless", "loose_vectors", "twins",
                     "unfinished_erasure", "damage", "broken_indexes", "broken_words")
        if (value := getattr(condition, name))
    }  # fmt: skip
    if wrong:
        yield str(wrong)
    if engine.health.outdated_fields():
        yield "a document is indexed otherwise than it says"
    run = store.items.session.run
    for (id,) in run(
        "SELECT item.id FROM item JOIN version ON version.item = item.seq GROUP BY item.seq "
        "HAVING max(number) <> item.head OR max(number) - min(number) + 1 <> count(*)"
    ):
        yield f"{id} has holes in its versions"
    for table in ("activity", "undo"):
        ((low, high, count),) = run(f"SELECT min(seq), max(seq), count(*) FROM {table}")
        if count and high - low + 1 != count:
            yield f"{table} has holes"
    ((top, held, apart),) = run(
        "SELECT max(change), count(*), count(DISTINCT change) FROM "
        "(SELECT change FROM item UNION ALL SELECT change FROM tombstone)"
    )
    library = store.items.session.one("SELECT value FROM library WHERE key = 'change'")
    if held and (top > library or held != apart):
        yield "change numbers are used twice or run ahead"
    yield from _steps(store)
    yield from _words(store)


def _steps(store: SqliteStore) -> Iterator[str]:
    """Each version a person made can be taken back, and each step has its memory or tombstone."""
    run = store.items.session.run
    for (id,) in run(
        "SELECT DISTINCT item FROM undo_step WHERE item NOT IN (SELECT id FROM item) "
        "AND item NOT IN (SELECT id FROM tombstone)"
    ):
        yield f"an undo step of {id}, of which nothing is known"
    for id, number in run(
        "SELECT item.id, version.number FROM version JOIN item ON item.seq = version.item "
        "WHERE author_kind = 'person' AND version.change <> 'restore' AND NOT EXISTS "
        "(SELECT 1 FROM undo_step WHERE undo_step.item = item.id "
        "AND undo_step.made >= version.number) "
        "AND (SELECT count(*) FROM undo) < 500"
    ):
        yield f"{id} version {number} has no undo step"


def _words(store: SqliteStore) -> Iterator[str]:
    run = store.items.session.run
    held = dict(run("SELECT id, c0 FROM words_content"))
    rows = [row for (row,) in run("SELECT seq FROM item")]
    for row, item in store.items.many(rows).items():
        if held.get(row) != writing.index_words(item):
            yield f"{item.id} is found by other words than it says"


def _vectors(store: SqliteStore) -> Iterator[str]:
    """Every vector that counts as current is of what the memory says now."""
    session = store.items.session
    model = vectors.active_model(session)
    if model is None:
        return
    embedder = DigestEmbedder(model.name)
    current = [row for (row,) in session.run(
        "SELECT item FROM embedded JOIN item ON item.seq = embedded.item "
        "WHERE embedded.number = item.head"
    )]  # fmt: skip
    for row, item in store.items.many(current).items():
        held = [
            bytes(vector)
            for (vector,) in session.run(
                "SELECT e FROM vectors WHERE id >= ? AND id < ? ORDER BY id",
                row * vectors.PASSAGES,
                (row + 1) * vectors.PASSAGES,
            )
        ]
        if held != embedder.embed(passages.split(plain.text(item))):
            yield f"{item.id} has the vectors of something else"


def _resume(engine: Engine, connection: apsw.Connection, encrypted: bool, verdict: Verdict) -> None:
    """An import that was stopped goes on where it was and brings each line once."""
    for run in engine.imports.recent(limit=5):
        if run.state is not RunState.RUNNING:
            continue
        again = engine.imports.begin(run.source, "lines", run.source, Rules())
        if (again.id, again.line, again.resumed) != (run.id, run.line, True):
            verdict.say("half", f"import {run.source} does not go on: {again}")
        taken = engine.imports.take(again, run_lines(run.source)[run.line :], Rules())
        engine.imports.finish(taken.run)
        if taken.run.counts.lines != RUN_LINES or taken.run.line != RUN_LINES:
            verdict.say("half", f"import {run.source} counted {taken.run.counts}")
    verdict.state, _ = states.read(connection, encrypted=encrypted)


def _search(library: Path, told: Told, verdict: Verdict) -> None:
    """Nothing erased stands in any byte beside the library, and nothing at all of an encrypted."""
    encrypted = is_encrypted(library)
    live = {word for words in verdict.state.values() for word in words if WORD.fullmatch(word)}
    wanted = [word.encode() for word in told.erased - live]
    held = {
        name: content
        for name, content in held_in(
            library.parent, key=KEY if encrypted else None, library=library
        ).items()
        if not name.startswith(KEPT)
    }
    found = seen(held.values(), wanted)
    if encrypted:
        readable = [word.encode() for word in live]
        found |= seen((held[name] for name in held if name != "decrypted"), readable)
    for each in sorted(found):
        names = [name for name, content in held.items() if each in content]
        verdict.say("leftover", f"{each.decode()} stands in {names}")
    strangers = held.keys() - {library.name, f"{library.name}-wal", f"{library.name}-shm",
                               "decrypted"}  # fmt: skip
    for name in sorted(strangers):
        verdict.say("leftover", f"{name} was left")
