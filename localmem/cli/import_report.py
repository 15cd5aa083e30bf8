"""What an import says of itself: its progress, how many of what, and each line that stood out.

Refuses to show a line of a file as it is: sentences about it are cleaned and screened.
"""

from __future__ import annotations

import textwrap
import time
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, TextIO

from localmem.cli import present
from localmem.cli.session import Session
from localmem.core import plain
from localmem.core.incoming import Counts, Definition, Incoming, Line, Standing, Whole
from localmem.core.model import Json, Kind
from localmem.core.screening import screen
from localmem.core.visible import visible
from localmem.wire.shapes import Shape

if TYPE_CHECKING:
    from localmem.engine.imports import Outcome, Run
    from localmem.portable import Source

MOST_SHOWN = 20
"""Lines that stood out which are named on the screen, and as many that would be new."""
MOST_SAID = 160
_SAID = {
    "new": "new",
    "changed": "changed",
    "unchanged": "here already",
    "skipped": "left out",
    "refused": "refused",
}


@dataclass(slots=True)
class Progress:
    """A line on a terminal that says how far it is; silent elsewhere."""

    session: Session
    source: Source | None = None
    _began: float = field(default_factory=time.monotonic)
    _lines: int = 0

    def moved(self, lines: int) -> None:
        self._lines += lines
        seconds = time.monotonic() - self._began
        rate = f" · {self._lines / seconds:,.0f} a second" if seconds > 0.5 else ""
        self.session.console.progress(f"{self._lines:,} lines{rate}{self._share()}")

    def over(self) -> None:
        self.session.console.progress("")

    def _share(self) -> str:
        if self.source is None or not self.source.total:
            return ""
        return f" · {min(100, 100 * self.source.read_bytes // self.source.total)}%"


@dataclass(slots=True)
class Report:
    """Grows with each batch; holds only what is shown."""

    file: TextIO | None = None
    """Where all that stood out goes, an object a line."""
    counts: Counter[str] = field(default_factory=Counter)
    shown: list[Outcome] = field(default_factory=list)
    more: int = 0
    """Lines that stood out and are not shown."""
    rehearsal: bool = False
    """What would be new is named too: nothing of it can be looked at afterwards."""
    coming: list[str] = field(default_factory=list)

    def take(self, batch: Sequence[Line], outcomes: Sequence[Outcome]) -> None:
        for line, outcome in zip(batch, outcomes, strict=True):
            if outcome.why or not isinstance(line, Definition | Standing):
                self.counts[str(outcome.fate)] += 1
            if self.rehearsal and len(self.coming) < MOST_SHOWN and str(outcome.fate) == "new":
                self.coming += _told(line)
            if outcome.why:
                self._stood_out(outcome)

    @property
    def refused(self) -> int:
        return self.counts["refused"]

    def shape(self) -> Shape:
        return {
            "counts": {fate: self.counts[fate] for fate in _SAID},
            "lines": [_shape(outcome) for outcome in self.shown],
            "moreLines": self.more,
        }

    def lines(self, room: int | None) -> list[str]:
        told = [*self.coming, *self._not_named()]
        told += [
            f"line {outcome.line}, {_SAID[str(outcome.fate)]}: {_clean(outcome.why)}"
            for outcome in self.shown
        ]
        if self.more:
            told.append(f"and {present.count(self.more, 'more line')}; --report FILE keeps all")
        if room is None:
            return told
        return [
            part for line in told for part in textwrap.wrap(line, room, subsequent_indent="    ")
        ]

    def _not_named(self) -> list[str]:
        more = self.counts["new"] - len(self.coming) if self.rehearsal else 0
        return [f"and {more:,} more that are new"] if more else []

    def _stood_out(self, outcome: Outcome) -> None:
        if self.file is not None:
            from localmem.portable import ndjson

            self.file.write(ndjson.line(_shape(outcome)))
        if len(self.shown) < MOST_SHOWN:
            self.shown.append(outcome)
        else:
            self.more += 1


def _told(line: Line) -> list[str]:
    """`line 3, new: Prefers tea. (contact:ana, waits in the inbox)`."""
    if isinstance(line, Incoming):
        where = str(line.scope or "") if line.kind is not Kind.PREFERENCE else ""
        content, key, collection = line.content, line.key, line.collection
        waits = "waits in the inbox" if line.author else ""
    elif isinstance(line, Whole):
        item = line.item
        where = "" if item.kind is Kind.PREFERENCE else str(item.scope)
        content, key, collection = item.head.content, item.key, item.collection
        waits = "waits in the inbox" if line.waiting else ""
    else:
        return []
    said = _clean(plain.content_text(content, key=key, collection=collection))
    aside = ", ".join(part for part in (where, waits) if part)
    return [f"line {line.line}, new: {said[:MOST_SAID]}{f' ({aside})' if aside else ''}"]


def summary(counts: Counts | Counter[str]) -> str:
    """`12 new, 3 here already, 1 refused`; what there is none of is not named."""
    held = counts if isinstance(counts, Counter) else Counter(_of(counts))
    told = [f"{held[fate]:,} {said}" for fate, said in _SAID.items() if held[fate]]
    return ", ".join(told) or "nothing"


def run_shape(run: Run) -> Shape:
    """`{id, source, format, state, startedAt, endedAt?, line, counts}`."""
    from localmem.wire.shapes import moment

    shape: Shape = {
        "id": run.id,
        "source": run.source,
        "format": run.format,
        "state": str(run.state),
        "startedAt": moment(run.started_at),
    }
    if run.ended_at is not None:
        shape["endedAt"] = moment(run.ended_at)
    counts: dict[str, Json] = dict(_of(run.counts))
    return shape | {"line": run.line, "counts": counts}


def _of(counts: Counts) -> dict[str, int]:
    return {fate: getattr(counts, fate) for fate in _SAID}


def _shape(outcome: Outcome) -> Shape:
    shape: Shape = {
        "line": outcome.line,
        "outcome": str(outcome.fate),
        "why": screen(outcome.why).text,
    }
    return shape if outcome.item is None else shape | {"id": outcome.item}


def _clean(why: str) -> str:
    return visible(screen(why).text)
