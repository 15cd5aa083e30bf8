"""`localmem usage`: how much is kept, how full each scope is, what expires, where the files lie.

Refuses colour for meaning: a bar stands beside the numbers it shows, and only in a terminal.
"""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import TYPE_CHECKING

import click

from localmem.cli import columns, present
from localmem.cli.framework import command
from localmem.cli.session import Session
from localmem.core.model import Json, Kind
from localmem.core.visible import visible
from localmem.wire import shapes

if TYPE_CHECKING:
    from localmem.core.incoming import Run
    from localmem.engine.outcomes import Usage
    from localmem.paths import Paths

BAR = 12
"""Cells of a bar."""
FULL, EMPTY = "━", "┄"
MOST_RUNS = 5
NAMES = 13
"""Cells of the names in the first column."""


@command("usage", examples=["localmem usage", "localmem usage --json | jq .storageBytes"])
@click.pass_obj
def usage(session: Session) -> None:
    """Show how much is kept, where, and how full each scope is.

    Facts stand beside what their scope may hold at most. `next` is when the next of what has an
    end expires; `by meaning` how many are ready to be found so.
    """
    with session.reading() as engine:
        held = engine.library.usage()
        runs = engine.imports.recent(limit=MOST_RUNS)
        times = present.Times(engine.now(), session.zone())
        places = session.home().paths
        shape = {
            **shapes.usage(held),
            "imports": [_run_shape(run) for run in runs],
            "files": {name: _place_shape(path) for name, path in _places(places)},
        }
        session.answer(shape, list(_lines(session, held, runs, times, places)))
        for note in engine.notes:
            session.warn(note)


def _lines(
    session: Session, held: Usage, runs: tuple[Run, ...], times: present.Times, places: Paths
) -> Iterator[str]:
    yield from _facts(session, held)
    yield _row("preferences", f"{held.preferences:,}")
    yield from _documents(session, held)
    yield _row("versions", f"{held.versions:,}")
    if held.expiry.first is not None:
        soon = f"; {held.expiry.soon:,} within a week" if held.expiry.soon else ""
        yield _row("expire", f"{held.expiry.items:,}{soon}")
        yield _row("next", times.until(held.expiry.first))
    yield from _meaning(held)
    for number, run in enumerate(runs):
        yield from _cut(session, _row("" if number else "imports", _run(run, times)))
    yield _row("on disk", present.size(held.bytes))
    for name, path in _places(places):
        # Whole: a path that is cut cannot be used.
        yield _row(name, visible(str(path)) + _weight(path))


def _row(name: str, said: str) -> str:
    return f"{name:<{NAMES}}{said}"


def _cut(session: Session, line: str) -> list[str]:
    room = session.console.room
    return [line if room is None else columns.cut(line, room)]


def _facts(session: Session, held: Usage) -> Iterator[str]:
    """One line a scope: how many of how many, a bar, and what share that is."""
    bars = session.console.room is not None
    numbers = [f"{each.facts:,} of {each.cap:,}" for each in held.facts]
    width = max(map(len, numbers))
    for at, (each, number) in enumerate(zip(held.facts, numbers, strict=True)):
        share = min(each.facts / each.cap, 1.0)
        drawn = f"  {bar(share)} {share:4.0%}" if bars else ""
        row = _row("" if at else "facts", f"{number:>{width}}{drawn}  {visible(each.scope)}")
        yield from _cut(session, row)


def _documents(session: Session, held: Usage) -> Iterator[str]:
    documents = [each for each in held.counts if each.kind is Kind.DOCUMENT]
    total = f"{held.documents:,} in {present.count(held.collections, 'collection')}"
    yield _row("documents", total)
    width = max((len(f"{each.items:,}") for each in documents), default=0)
    for each in documents:
        where = f"{visible(each.collection)}  {visible(str(each.scope))}"
        yield from _cut(session, _row("", f"{each.items:>{width},}  {where}"))


def _meaning(held: Usage) -> Iterator[str]:
    embeddable = sum(each.items for each in held.counts if each.kind is not Kind.DOCUMENT)
    model = visible(held.model.name) if held.model is not None else "no model yet"
    ready = max(embeddable - held.waiting, 0)
    yield _row("by meaning", f"{ready:,} of {embeddable:,} ({model})")


def _run(run: Run, times: present.Times) -> str:
    done = f"{run.counts.new:,} new, {run.counts.changed:,} changed"
    return f"{times.at(run.started_at)}  {run.state}  {done}  {visible(run.source)}"


def _run_shape(run: Run) -> Json:
    return {
        "id": run.id,
        "source": run.source,
        "format": run.format,
        "startedAt": shapes.moment(run.started_at),
        "state": str(run.state),
        "new": run.counts.new,
        "changed": run.counts.changed,
    }


def _places(places: Paths) -> list[tuple[str, Path]]:
    return [("library", places.library), ("settings", places.settings), ("cache", places.cache)]


def _place_shape(path: Path) -> Json:
    return {"path": str(path), "exists": path.exists()}


def _weight(path: Path) -> str:
    """Whether it is there, and for a folder how much lies in it."""
    if not path.exists():
        return "  (not there yet)"
    if not path.is_dir():
        return ""
    held = sum(each.stat().st_size for each in path.iterdir() if each.is_file())
    return f"  ({present.size(held)})"


def bar(share: float) -> str:
    """A share of one as `BAR` cells, full and empty; something is never nothing."""
    full = min(max(round(share * BAR), share > 0), BAR)
    return FULL * full + EMPTY * (BAR - full)
