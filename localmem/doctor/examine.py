"""All findings, in the order one reads them: the library, who holds it, its files, its setting up.

A part that cannot be looked at is a finding of its own; it keeps no other from being told.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from datetime import UTC, datetime
from pathlib import Path

from localmem.core.health import Condition, Finding, Gravity
from localmem.core.visible import visible
from localmem.doctor import library, places, setting
from localmem.doctor.holders import Holder, Holders, holders
from localmem.doctor.patient import Patient
from localmem.errors import LocalmemError, StoreError

LARGE_LOG = 64_000_000


def examine(
    patient: Patient, *, say: Callable[[str], None] = lambda text: None
) -> tuple[Finding, ...]:
    """Look at everything and change nothing; `say` hears what is being looked at."""
    found = list[Finding]()
    held = holders(patient.files())
    say("Looking into the library …")
    condition, vectors = _settled(patient, found)
    say("Looking at its files …")
    found += _guarded(lambda: _open_by(held), "programs")
    found += _guarded(lambda: _log(patient, held), "log")
    found += _guarded(lambda: places.findings(patient), "files")
    say("Trying the model …")
    found += _guarded(lambda: setting.settings(patient), "settings")
    found += _guarded(lambda: setting.model(patient, condition), "model")
    found += _guarded(lambda: setting.machine(patient.environment, vectors), "machine")
    return tuple(found)


def _settled(patient: Patient, found: list[Finding]) -> tuple[Condition | None, bool | None]:
    """As `_inside`; once more when somebody began to write meanwhile.

    A library nobody has open is read without locks, so a write under way may look like damage.
    """
    log = Path(f"{patient.library}-wal")
    alone = not log.exists()
    first = list[Finding]()
    told = _inside(patient, first)
    if alone and log.exists() and any(each.code == "store_damaged" for each in first):
        first.clear()
        told = _inside(patient, first)
    found += first
    return told


def _inside(patient: Patient, found: list[Finding]) -> tuple[Condition | None, bool | None]:
    """The findings of the tables go to `found`; the condition and whether vectors can be had."""
    if not patient.library.exists():
        found.append(Finding(
            "library_missing", Gravity.NOTE,
            "There is no library yet; the first thing you keep makes one.",
            fix='`localmem add "…"` keeps a first fact; `localmem` opens the app.',
        ))  # fmt: skip
        return None, None
    try:
        with patient.looking() as engine:
            condition = engine.health.condition()
            found += library.findings(engine, condition)
            return condition, engine.health.vectors_available
    except StoreError as problem:
        found.append(_shut(problem))
        return None, None


def _shut(problem: StoreError) -> Finding:
    """The library cannot be looked into."""
    if "schema" in problem.details and problem.code == "store_read_only":
        return Finding(
            "schema_old",
            Gravity.NOTE,
            "This library was made by an older localmem; the next start upgrades it.",
            fix="Upgrade it now.",
            undo=library.COPY_FIRST,
            mends=True,
            backup=True,
        )
    return Finding(problem.code, Gravity.PROBLEM, problem.message, fix=problem.hint)


def _open_by(held: Holders) -> Iterator[Finding]:
    if held.others:
        lines = tuple(_holder(each, held) for each in held.others)
        yield Finding(
            "open_in",
            Gravity.NOTE,
            f"The library is open in {len(lines)} other "
            f"{'program' if len(lines) == 1 else 'programs'}.",
            fix="Nothing to do: several may use it at once.",
            count=len(lines),
            lines=lines,
        )
    elif not held.hidden:
        yield Finding("open_in_none", Gravity.OK, "No other program has the library open.")
    if held.hidden and not held.others:
        yield Finding(
            "open_in_unknown",
            Gravity.OK,
            f"No program of yours has the library open; {held.hidden:,} of other users may not be "
            "looked into.",
        )


def _holder(each: Holder, held: Holders) -> str:
    since = datetime.fromtimestamp(each.since, UTC).astimezone().strftime("%Y-%m-%d %H:%M")
    writing = ", writing now" if each.pid in held.writing else ""
    return f"{visible(each.name)}  process {each.pid}, running since {since}{writing}"


def _log(patient: Patient, held: Holders) -> Iterator[Finding]:
    """The write-ahead log: left by a crash, or grown because somebody reads for very long."""
    log = Path(f"{patient.library}-wal")
    size = log.stat().st_size if log.is_file() else 0
    if size and not held.found:
        yield Finding(
            "log_left",
            Gravity.NOTE,
            "A program that ended without closing the library left its log beside it; nothing in "
            "it is lost.",
            fix="Fold it into the library; opening it does that too.",
            undo=library.NO_UNDO,
            mends=True,
        )
    elif size > LARGE_LOG:
        yield Finding(
            "log_large",
            Gravity.NOTE,
            f"The library's log has grown to {size // 1_000_000:,} MB, because a program has been "
            "reading for a long time.",
            fix="Close the program that has it open.",
            count=size,
        )


def _guarded(look: Callable[[], Iterator[Finding]], what: str) -> list[Finding]:
    found = list[Finding]()
    try:
        found += look()
    except (OSError, LocalmemError, ValueError) as problem:
        found.append(Finding(
            f"{what}_not_looked_at", Gravity.NOTE,
            f"The {what} could not be looked at ({type(problem).__name__}).",
        ))  # fmt: skip
    return found
