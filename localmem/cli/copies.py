"""`backup`: a whole copy of the library, and bringing one back in its place.

Refuses to bring one back before it was found whole and the person saw what would be replaced; the
library that is replaced stays beside it as a file, which is the way back.
"""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

import click

from localmem.cli import answers, options, present
from localmem.cli.exit_codes import ExitCode
from localmem.cli.framework import command
from localmem.cli.session import Session
from localmem.core.visible import visible
from localmem.wire.shapes import Shape

if TYPE_CHECKING:
    from localmem.store.restoring import Contents, Restoring


@command(
    "backup",
    examples=[
        "localmem backup ~/localmem-2026-11-30.db",
        "localmem backup --plain ~/readable.db",
        "localmem backup --restore ~/localmem-2026-11-30.db",
    ],
)
@click.argument("file", type=options.FILE)
@click.option("--plain", is_flag=True, help="In the clear, though the library is encrypted.")
@click.option("--restore", is_flag=True, help="Bring FILE back in the library's place.")
@click.option(
    "--forgotten-too",
    is_flag=True,
    help="With --restore: bring back what you have forgotten since, too.",
)
@options.yes_option
@click.pass_obj
def backup(
    session: Session, file: Path, plain: bool, restore: bool, forgotten_too: bool, yes: bool
) -> ExitCode:
    """Copy the whole library to a new file, while other programs use it.

    The copy of an encrypted library is encrypted with the same key. What you forget later stays in
    a copy.

    With --restore, FILE takes the library's place. The library of now is kept beside it first, as a
    file that is named: --restore with that one takes it back. What you have forgotten since the
    copy was made stays forgotten. Close the app and other programs before.
    """
    if plain and restore:
        raise click.UsageError("--plain is for writing a copy, --restore for bringing one back.")
    if forgotten_too and not restore:
        raise click.UsageError("--forgotten-too belongs to --restore.")
    if restore:
        return _restore(session, file, forgotten_too=forgotten_too, yes=yes)
    return _write(session, file, plain=plain, yes=yes)


def _write(session: Session, file: Path, *, plain: bool, yes: bool) -> ExitCode:
    with session.reading() as engine:
        encrypted = engine.library.encrypted
        question = "Write a copy that anyone who gets hold of it can read?"
        if (
            encrypted
            and plain
            and not answers.confirmed(
                session, question, (), yes=yes, otherwise="Nothing was written."
            )
        ):
            return ExitCode.FAILURE
        engine.library.backup(str(file), plain=plain)
    size, encrypted = file.stat().st_size, encrypted and not plain
    shape: Shape = {"file": str(file), "bytes": size, "encrypted": encrypted}
    session.answer(shape, [visible(str(file))])
    session.done(
        f"Written, {present.size(size)}"
        + (", encrypted with the library's key." if encrypted else ".")
    )
    return ExitCode.DONE


def _restore(session: Session, file: Path, *, forgotten_too: bool, yes: bool) -> ExitCode:
    safe = session.safe()
    found, now = safe.contents(file), safe.present()
    since = "comes back too" if forgotten_too else "stays forgotten"
    lines = (
        f"Now:  {_described(session, now) if not isinstance(now, str) else now}",
        f"Then: {_described(session, found)}",
        f"What you have forgotten since {since}.",
        "The library of now is kept beside it as a file.",
    )
    question = f"Put {visible(file.name)} in the place of your library?"
    if not answers.confirmed(session, question, lines, yes=yes, otherwise="Nothing was restored."):
        return ExitCode.FAILURE
    with safe.restoring(file, forgotten_too=forgotten_too) as ready:
        kept = ready.finish()
    _tell_restored(session, file, ready, kept)
    return ExitCode.DONE


def _described(session: Session, held: Contents | None) -> str:
    if held is None:
        return "nothing yet"
    counts = ", ".join(
        present.count(number, noun)
        for number, noun in (
            (held.facts, "fact"),
            (held.preferences, "preference"),
            (held.documents, "document"),
        )
    )
    if held.newest is None:
        return counts
    return f"{counts}; last change {present.Times(held.newest, session.zone()).at(held.newest)}"


def _tell_restored(session: Session, file: Path, ready: Restoring, kept: Path | None) -> None:
    held = ready.backup
    shape: Shape = {
        "restored": str(file),
        "keptAs": str(kept) if kept is not None else None,
        "facts": held.facts,
        "preferences": held.preferences,
        "documents": held.documents,
        "stillForgotten": ready.still_forgotten,
        "encrypted": ready.encrypted,
    }
    session.answer(shape, [visible(str(kept))] if kept is not None else [])
    session.done(f"Restored: {_described(session, held)}.")
    if ready.still_forgotten:
        session.warn(
            f"Of these, {present.count(ready.still_forgotten, 'memory', 'memories')} you have "
            "forgotten since; they stay forgotten."
        )
    if ready.unreadable and not session.as_json:
        session.warn(
            "What was forgotten since could not be told: the library that was replaced "
            "cannot be read."
        )
    if kept is not None:
        session.done("The library of before is kept in the file named above; it takes it back.")
