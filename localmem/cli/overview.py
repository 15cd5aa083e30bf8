"""Commands about the library itself: usage, activity, backup."""

from __future__ import annotations

from pathlib import Path

import click

from localmem.cli import columns, options, present
from localmem.cli.framework import command
from localmem.cli.session import Session
from localmem.core.visible import visible
from localmem.wire import shapes


@command("usage", examples=["localmem usage", "localmem usage --json | jq .storageBytes"])
@click.pass_obj
def usage(session: Session) -> None:
    """Show how much is kept, where, and how full each scope is."""
    with session.reading() as engine:
        held = engine.library.usage()
        rows = [["facts", each.scope, f"{each.facts:,} of {each.cap:,}"] for each in held.facts]
        rows += [
            ["preferences", "", f"{held.preferences:,}"],
            ["documents", "", f"{held.documents:,}"],
            ["collections", "", f"{held.collections:,}"],
            ["versions", "", f"{held.versions:,}"],
            ["on disk", "", present.size(held.bytes)],
            ["library", "", visible(engine.path)],
        ]
        session.answer(shapes.usage(held), columns.lines(rows, room=None))
        for note in engine.notes:
            session.warn(note)


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


@command("backup", examples=["localmem backup ~/localmem-2026-11-30.db"])
@click.argument("file", type=options.FILE)
@click.pass_obj
def backup(session: Session, file: Path) -> None:
    """Copy the whole library to a new file, while other programs use it.

    To use a backup, put it in place of library.db while localmem is closed. What you forget later
    stays in it.
    """
    with session.reading() as engine:
        engine.library.backup(str(file))
    size = file.stat().st_size
    session.answer({"file": str(file), "bytes": size}, [visible(str(file))])
    session.done(f"Written, {present.size(size)}.")
