"""Nothing forgotten is left: erases at random and searches the bytes of every file for it.

    python -m bench.erase [--rounds 1000] [--seed N]

Each round is one erasure in a library that goes on for some forty; one library in three is
encrypted and searched as it is once decrypted too. In a third of them another process has the
library open, in another third it reads while the erasure comes: that must be said, and finished
later by whoever comes. Ends with 1 when a byte of it was found, or something kept was not.
"""

# ruff: noqa: T201  a benchmark prints

from __future__ import annotations

import argparse
import multiprocessing
import os
import random
import sys
import tempfile
import time
from collections import Counter
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from multiprocessing.connection import Connection
from pathlib import Path

from bench.durability import erasing, traces, writer
from bench.durability.erasing import Forgetful, Traces
from bench.durability.tallies import table, wrong
from localmem.engine.outcomes import Receipt
from localmem.store import erase
from tests.support.library import FixedClock

LIBRARY_ROUNDS = 40
PRESENCES = ("alone", "watched", "busy")
FORMS = ("typed", "folded", "escaped", "vectors")
FAULTS = ("left", "missing", "untold", "unfinished")
COLUMNS = ("erasures", "items", "traces", *(f"{form} seen" for form in FORMS), "pending", "kept",
           *FAULTS)  # fmt: skip
_FORK = multiprocessing.get_context("fork")


@contextmanager
def helper(serve: Callable[[Connection], None]) -> Iterator[Connection]:
    """Another process that answers. Forked before this one opens a library."""
    ours, theirs = _FORK.Pipe()
    process = _FORK.Process(target=_alone_with, args=(serve, ours, theirs), daemon=True)
    process.start()
    theirs.close()
    try:
        yield ours
    finally:
        ours.close()
        process.join(10)


def _alone_with(serve: Callable[[Connection], None], ours: Connection, theirs: Connection) -> None:
    ours.close()  # or it would never hear that nobody is left to ask
    serve(theirs)


def ask(process: Connection, *message: object) -> object:
    process.send(message)
    return process.recv()


def search(connection: Connection) -> None:
    """Which traces stand in the files of a folder. In a process of its own: whoever has a library
    open must not open its files past SQLite."""
    while True:
        try:
            folder, library, encrypted, wanted = connection.recv()
        except EOFError:
            os._exit(0)
        held = traces.held_in(folder, key=traces.KEY if encrypted else None, library=library)
        connection.send(traces.seen(held.values(), wanted))


def neighbour(connection: Connection) -> None:
    """Another program that has the library open, and reads it when told to."""
    store = engine = None
    clock = FixedClock()
    while True:
        try:
            task, library, clock.now = connection.recv()
        except EOFError:
            os._exit(0)
        if store is None or engine is None:
            store, engine = writer.open_engine(library, clock)
        session = store.items.session.connection
        if task == "hold":
            session.execute("BEGIN; SELECT count(*) FROM item").fetchall()
        elif task == "release":
            session.execute("COMMIT")
        elif task == "maintain":
            engine.maintain()
        connection.send(True)


def one_round(
    library: Forgetful, chance: random.Random, searcher: Connection, other: Connection | None,
    presence: str, tally: dict[str, Counter[str]],
) -> list[str]:  # fmt: skip
    """Write a little, erase, search; what was wrong, as lines."""
    for _ in range(chance.randint(1, 4)):
        library.write()
    erasure = library.erasure()
    taken = library.traces(erasure.candidates, secrets_only=erasure.masks)
    going = Traces()
    for id, each in taken.items():
        if id in erasure.gone or erasure.masks:
            going.join(each)
    before = library.living()
    encrypted = library.key is not None

    def found() -> set[bytes]:
        answer = ask(searcher, library.library.parent, library.library, encrypted, going.all())
        assert isinstance(answer, set)
        return answer

    seen = found()
    counts = Counter[str]({"erasures": 1, "items": len(erasure.gone) or len(taken),
                           "traces": len(going.all())})  # fmt: skip
    counts.update({f"{form} seen": len(seen & getattr(going, form)) for form in FORMS})
    wrong: list[tuple[str, str]] = []
    if not seen & going.typed:
        wrong.append(("unfinished", "the search found nothing before: it proves nothing"))
    holding = presence == "busy" and chance.random() < 0.5
    if holding and other is not None:
        ask(other, "hold", library.library, library.clock.now)
    receipt = erasure.run()
    if holding and other is not None:
        counts["pending"] += 1
        told = isinstance(receipt, Receipt) and receipt.complete
        if told or not library.pending():
            wrong.append(("untold", "it was said to be erased while a reader held it"))
        ask(other, "release", library.library, library.clock.now)
        _finish(library, chance, other)
    elif isinstance(receipt, Receipt) and not receipt.complete:
        wrong.append(("unfinished", receipt.why))
    if library.pending():
        wrong.append(("unfinished", "the rewrite was not finished"))
    wrong += [("left", repr(each)) for each in sorted(found())]
    wrong += _kept(library, erasure, before, chance, counts)
    counts.update(fault for fault, _ in wrong)
    tally[erasure.kind].update(counts)
    return [f"{erasure.kind}, {presence}, encrypted {encrypted}: {fault}: {why}"
            for fault, why in wrong]  # fmt: skip


def _finish(library: Forgetful, chance: random.Random, other: Connection) -> None:
    """Later, by this program, by the other, or by the next start."""
    how = chance.choice(["here", "there", "next"])
    if how == "there":
        ask(other, "maintain", library.library, library.clock.now)
        return
    if how == "next":
        library.reopen()
    library.engine.maintain()


def _kept(
    library: Forgetful, erasure: erasing.Erasure, before: dict[erasing.ItemId, tuple[str, ...]],
    chance: random.Random, counts: Counter[str],
) -> Iterator[tuple[str, str]]:  # fmt: skip
    now = library.living()
    for id in erasure.gone & now.keys():
        yield "unfinished", f"{id} is still kept"
    staying = before.keys() - erasure.gone
    counts["kept"] += len(staying)
    for id in sorted(staying):
        if id not in now or (now[id] != before[id] and not erasure.masks):
            yield "missing", f"{id} was not to be erased"
    for id in chance.sample(sorted(now), min(3, len(now))):
        if not library.finds(id):
            yield "missing", f"{id} is not found by its words"


def run(rounds: int, seed: int, say: Callable[[str], None] = print) -> dict[str, Counter[str]]:
    """The tally of each kind; `say` hears what is wrong."""
    # A reader of these lets go only when told: waiting longer for it shows nothing more.
    erase.SCRUB_ATTEMPTS, erase.SCRUB_BUSY_MILLISECONDS = 2, 5
    tally = {kind: Counter[str]() for kind in erasing.ERASERS}
    place = "/dev/shm" if Path("/dev/shm").is_dir() else None
    done = number = 0
    with helper(search) as searcher:
        while done < rounds:
            chance = random.Random(f"{seed}.{number}")
            presence, encrypted = PRESENCES[number % 3], number // 3 % 3 == 2
            number += 1
            with (
                tempfile.TemporaryDirectory(prefix="localmem-erase-", dir=place) as folder,
                helper(neighbour) as other,
            ):
                path = Path(folder) / "home" / "library.db"
                if encrypted:
                    with writer.library_safe(path).encrypting(keyring=False) as ready:
                        ready.finish()
                library = Forgetful(path, chance, encrypted=encrypted)
                if presence != "alone":
                    ask(other, "open", path, library.clock.now)
                for _ in range(min(LIBRARY_ROUNDS, rounds - done)):
                    beside = None if presence == "alone" else other
                    for line in one_round(library, chance, searcher, beside, presence, tally):
                        say(f"{seed}.{number - 1}: {line}")
                    done += 1
                library.store.close()
    return tally


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0] if __doc__ else "")
    parser.add_argument("--rounds", type=int, default=1_000)
    parser.add_argument("--seed", type=int, default=random.SystemRandom().randrange(10**6))
    chosen = parser.parse_args()
    print(f"seed {chosen.seed}")
    began = time.perf_counter()
    tally = run(chosen.rounds, chosen.seed)
    print(table(tally, COLUMNS))
    used = sum(os.times()[:4])
    print(f"{time.perf_counter() - began:.0f} s, {used:.0f} s of processor time")
    return 1 if wrong(tally, FAULTS) else 0


if __name__ == "__main__":
    sys.exit(main())
