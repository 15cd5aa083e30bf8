"""Commands about what was done in the library: activity."""

from __future__ import annotations

import click

from localmem.cli import columns, options, present
from localmem.cli.framework import command
from localmem.cli.session import Session
from localmem.core.visible import visible
from localmem.wire import shapes


@command("activity", examples=["localmem activity", "localmem activity --limit 200 --json"])
@options.limit_option(50)
@click.pass_obj
def activity(session: Session, limit: int) -> None:
    """Show who read and wrote what, newest first; never what it said."""
    with session.reading() as engine:
        deeds = engine.library.activity(limit=limit)
        times = present.Times(engine.now(), session.zone())
        rows = [
            [
                times.at(deed.at),
                present.author(deed.by),
                deed.action,
                visible(f"{present.count(deed.items, deed.kind)} {deed.scope}"),
                deed.item[:13] if deed.item else "",
            ]
            for deed in deeds
        ]
        shape: shapes.Shape = {"items": [shapes.deed(deed) for deed in deeds]}
        lines = columns.lines(rows, room=session.console.room, styles=(session.console.faint,))
        session.answer(shape, lines)
        if not deeds and not session.as_json:
            session.warn("Nothing has been done here yet.")
