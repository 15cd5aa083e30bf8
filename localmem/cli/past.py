"""`--as-of`: the library as it was, in the same shapes and lines as the one of now.

What was forgotten since, or has expired, is in no past; an empty answer says so.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

from localmem.cli import answers, columns, days, present
from localmem.cli.session import Session
from localmem.core.model import Item, ItemId, Millis, Provenance
from localmem.core.query import Query
from localmem.core.records import Slice
from localmem.wire import shapes

if TYPE_CHECKING:
    from localmem.engine import Engine


def page(
    session: Session, engine: Engine, slice: Slice, at: Millis, *, limit: int, cursor: str | None
) -> None:
    """Answer with a page of what was kept then."""
    offset = days.offset(cursor)
    found = engine.past.window(slice, at, offset=offset, limit=limit + 1)
    following = str(offset + limit) if len(found) > limit else None
    _answer(session, engine, found[:limit], at, following)
    answers.more(session, following)


def find(session: Session, engine: Engine, asked: Query, at: Millis, *, limit: int) -> None:
    """Answer with what held every word then."""
    _answer(session, engine, engine.past.find(asked, at, limit=limit), at, None)


def show(session: Session, engine: Engine, id: ItemId, at: Millis) -> None:
    """Answer with one item as it was. Raises MemoryNotFound."""
    item = engine.past.get(id, at)
    times = present.Times(engine.now(), session.zone())
    shape = shapes.mixed(item, shadowed=_is_shadowed(engine, item, at))
    shape["writtenBy"] = shapes.author(item.head.by)
    shape["asOf"] = shapes.moment(at)
    about = [[name, value] for name, value in present.details(item, times, None)]
    lines = [*present.block(item), "", *columns.lines(about, room=None)]
    session.answer(shape, lines)
    _tell(session, at, times)


def _answer(
    session: Session, engine: Engine, found: Sequence[Item], at: Millis, following: str | None
) -> None:
    listed = [shapes.mixed(item, shadowed=_is_shadowed(engine, item, at)) for item in found]
    shape = shapes.page(listed, following) | {"asOf": shapes.moment(at)}
    session.answer(shape, answers.rows(session, engine, found))
    if not found and not session.as_json:
        session.warn("Nothing that is still kept was there then. What was forgotten is gone from "
                     "the past too.")  # fmt: skip
    _tell(session, at, present.Times(engine.now(), session.zone()))


def _is_shadowed(engine: Engine, item: Item, at: Millis) -> bool:
    """Whether an inferred preference stood beside a declared one then."""
    if item.provenance is not Provenance.INFERRED:
        return False
    held = engine.past.preferences(at)
    return any(entry.key == item.key and entry.declared is not None for entry in held)


def _tell(session: Session, at: Millis, times: present.Times) -> None:
    session.done(f"As it was on {times.at(at)}.")
