"""Commands about what was done in the library: activity."""

from __future__ import annotations

from typing import TYPE_CHECKING

import click

from localmem.cli import answers, columns, days, options, present
from localmem.cli.framework import command
from localmem.cli.session import Session
from localmem.core.model import ItemId
from localmem.core.records import Deed
from localmem.core.visible import visible
from localmem.wire import shapes

if TYPE_CHECKING:
    from localmem.engine import Engine


@command(
    "activity",
    examples=[
        "localmem activity",
        "localmem activity --by shop-agent --since yesterday",
        "localmem activity --item 0199c1b2-3d4e --json",
    ],
)
@click.option("--by", default="", metavar="NAME", help="Only what this author did; you are `you`.")
@days.since_option
@days.until_option
@click.option("--item", type=options.ID, metavar="ID", help="Only what was done to one memory.")
@options.limit_option(50)
@options.cursor_option
@click.pass_obj
def activity(
    session: Session,
    by: str,
    since: str | None,
    until: str | None,
    item: str | None,
    limit: int,
    cursor: str | None,
) -> None:
    """Show who read and wrote what, newest first; never what it said.

    Days are yours: `--since 2026-03 --until 2026-03` is the whole of March.
    """
    with session.reading() as engine:
        now = engine.now()
        found = engine.activity.window(
            limit=limit + 1,
            before=days.offset(cursor) or None,
            by=by,
            item=_whole_id(engine, item),
            since=days.first(session, now, since),
            until=days.behind(session, now, until),
        )
        deeds = found[:limit]
        following = str(deeds[-1].seq) if len(found) > limit else None
        shape = shapes.page([shapes.deed(deed) for deed in deeds], following)
        session.answer(shape, _lines(session, deeds, now))
        if not deeds and not session.as_json:
            narrowed = by or since or until or item or cursor
            session.warn("Nothing like that was done." if narrowed
                         else "Nothing has been done here yet.")  # fmt: skip
        answers.more(session, following)


def _whole_id(engine: Engine, text: str | None) -> ItemId | None:
    """The log names what is forgotten too, so a whole id need not be kept any more."""
    if text is None:
        return None
    return ItemId(text) if len(text) == _ID_LENGTH else engine.library.resolve(text)


_ID_LENGTH = 36


def _lines(session: Session, deeds: list[Deed], now: int) -> list[str]:
    times = present.Times(now, session.zone())
    rows = [
        [
            times.at(deed.at),
            present.author(deed.by),
            str(deed.by.kind),
            visible(deed.action),
            visible(f"{present.count(deed.items, deed.kind)} {deed.scope}"),
            deed.item[:13] if deed.item else "",
        ]
        for deed in deeds
    ]
    return columns.lines(rows, room=session.console.room, styles=(session.console.faint,))
