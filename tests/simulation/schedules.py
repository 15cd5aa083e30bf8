"""Many schedules: which server a seed meets, what was counted, and how much of it there must be.

A run that never met a fault proves nothing of it, so every kind has a floor for a thousand
schedules; whoever makes the world milder is told.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping
from typing import NamedTuple

from localmem.core.replica import Clashing
from tests.simulation.oracle import Violation
from tests.simulation.world import EXT, Mode, World

MODES = ("ext", "documented")

_DOCUMENTED = (
    Mode("documented", create_cas=False, delete_cas=False),
    Mode("documented", create_cas=True, delete_cas=True),
    Mode("documented", create_cas=True, delete_cas=False),
    Mode("documented", create_cas=False, delete_cas=False, echoes=False),
)


class Broken(NamedTuple):
    """A schedule that broke a promise."""

    mode: str
    seed: int
    promise: str
    about: str


class Tally(NamedTuple):
    counts: Counter[str]
    broken: list[Broken]


def mode_of(name: str, seed: int) -> Mode:
    """The documented API is met in all of its forms, one after the other."""
    return EXT if name == "ext" else _DOCUMENTED[seed % len(_DOCUMENTED)]


def run(name: str, seeds: Iterable[int]) -> Tally:
    counts: Counter[str] = Counter()
    broken: list[Broken] = []
    for seed in seeds:
        world = World(seed, mode_of(name, seed))
        counts["schedules"] += 1
        try:
            world.run()
        except Violation as problem:
            broken.append(Broken(name, seed, problem.promise, repr(problem.args[1:])[:600]))
        except (AssertionError, LookupError, TypeError, ValueError) as problem:
            about = f"{type(problem).__name__}: {problem}"[:600]
            broken.append(Broken(name, seed, "an error of the program", about))
        counts += world.counts
    return Tally(counts, broken)


BOTH: Mapping[str, int] = {
    "act declare": 1000,
    "act infer": 500,
    "act reject": 20,
    "act forget preference": 500,
    "act write document": 1500,
    "act edit document": 1500,
    "act forget document": 500,
    "act undo document": 50,
    "act undo making": 10,
    "act add fact": 2000,
    "act edit fact": 1000,
    "act forget fact": 800,
    "act undo fact": 20,
    "act add twin": 50,
    "act resolve": 500,
    "act leave out": 200,
    "fault request lost": 2000,
    "fault reply lost": 2000,
    "fault reply broken": 400,
    "fault late": 800,
    "fault arrived late": 500,
    "fault crash": 1000,
    "fault cut begin": 200,
    "fault cut before commit": 200,
    "fault cut after commit": 200,
    "limit account": 200,
    "limit scope": 200,
    "limit signed out": 200,
    "limit busy": 200,
    "limit too large": 200,
    "reply Refusal stale": 100,
    "reply Refusal quota": 100,
    "reply Refusal scope_full": 50,
    "reply Refusal signed_out": 200,
    "reply Refusal busy": 100,
    "reply Refusal too_large": 50,
    "end done": 3000,
    "end no_reply": 2000,
    "end wait": 200,
    "end signed_out": 100,
    "settled without quota": 100,
    "time passes": 100,
    "expired here": 20,
    "expired there": 2,
    "clock jumps": 50,
    "act stranger writes a document": 50,
    "act stranger deletes a document": 30,
    "act stranger adds a fact": 50,
    "act stranger forgets a fact": 30,
    "act stranger deletes a preference": 20,
    "act stranger breaks a preference": 8,
    **{f"resolve {why} mine": 10 for why in Clashing if why is not Clashing.SHAPE},
    **{f"resolve {why} theirs": 10 for why in Clashing if why is not Clashing.SHAPE},
}
OF_EXT: Mapping[str, int] = {
    "backup": 100,
    "restore": 50,
    "wipe": 20,
    "tombstones dropped": 15,
    "reply OtherEpoch": 50,
    "reply Refusal forgotten": 8,
    "reply Expired": 10,
    "end changed": 50,
    "request WriteItems": 100,
    "request AddFacts": 100,
}


def missed(name: str, counts: Counter[str]) -> list[str]:
    """Kinds that were met too rarely for so many schedules."""
    floors = {**BOTH, **(OF_EXT if name == "ext" else {})}
    thousands = counts["schedules"] / 1000
    return [
        f"{what}: {counts[what]:,}, at least {floor * thousands:,.0f} expected"
        for what, floor in floors.items()
        if counts[what] < int(floor * thousands)
    ]
