"""`export` and `import`: everything that is kept as a file, and files of memories brought in.

Refuses to replace a file unasked, to write anything in a dry run, and to be silent about a line
that was not taken.
"""

from __future__ import annotations

from collections.abc import Generator, Iterator
from contextlib import closing
from pathlib import Path
from typing import TYPE_CHECKING

import click

from localmem.cli import answers, columns, import_report, options, present
from localmem.cli.exit_codes import ExitCode
from localmem.cli.framework import command
from localmem.cli.importing import Chosen, bring_in, input_of
from localmem.cli.session import Session
from localmem.core.incoming import RunState
from localmem.core.model import Kind
from localmem.core.scope import Scope
from localmem.core.visible import visible
from localmem.errors import MemoryNotFound

if TYPE_CHECKING:
    from localmem.engine import Engine
    from localmem.engine.exports import Wanted


@command(
    "export",
    examples=[
        "localmem export memories.ndjson --history",
        "localmem export --scope contact:ana | grep WhatsApp",
        "localmem export memories.csv --format csv --kind fact",
    ],
)
@click.argument("file", type=options.FILE, required=False)
@click.option("--history", is_flag=True, help="Every version, not the current one alone.")
@click.option(
    "--format",
    "format",
    type=click.Choice(["ndjson", "csv"]),
    default="ndjson",
    show_default=True,
    help="ndjson comes back whole by `localmem import`; csv is for looking at.",
)
@options.read_scope
@click.option("--kind", type=click.Choice([str(kind) for kind in Kind]), help="Only this kind.")
@click.option("--collection", type=options.COLLECTION, default="", help="Only its documents.")
@click.option("--force", is_flag=True, help="Replace the file when there is one.")
@click.pass_obj
def export(
    session: Session,
    file: Path | None,
    history: bool,
    format: str,
    scope: Scope | None,
    kind: str | None,
    collection: str,
    force: bool,
) -> None:
    """Write everything that is kept to a file, or to stdout without one.

    The file is readable by you alone. The same library always makes the same bytes. What has
    expired and what was forgotten is not in it; the first line names all that is left out.
    """
    from localmem.engine.exports import Wanted

    chosen = Kind(kind) if kind else Kind.DOCUMENT if collection else None
    wanted = Wanted(scope, chosen, collection, history)
    with session.reading() as engine:
        if collection:
            engine.documents.collection(collection)
        if file is None or str(file) == "-":
            _print(session, engine, wanted, format)
        else:
            _save(session, engine, wanted, format, file, force=force)


def _print(session: Session, engine: Engine, wanted: Wanted, format: str) -> None:
    console = session.console
    with closing(_lines(engine, wanted, format, ascii_only=not console.is_utf8)) as lines:
        for line in lines:
            console.line(line.removesuffix("\n"))


def _save(
    session: Session, engine: Engine, wanted: Wanted, format: str, file: Path, *, force: bool
) -> None:
    from localmem.portable import saving

    saving.check(file, force=force)
    with closing(_lines(engine, wanted, format, ascii_only=False)) as lines:
        size = saving.save(file, _counted(session, lines), force=force)
    items = engine.exports.count(wanted)
    session.answer({"file": str(file), "bytes": size, "items": items}, [visible(str(file))])
    session.done(f"Written: {present.count(items, 'memory', 'memories')}, {present.size(size)}.")


def _lines(
    engine: Engine, wanted: Wanted, format: str, *, ascii_only: bool
) -> Generator[str, None, None]:
    from localmem.portable import csv_out, ndjson

    values = engine.exports.all(wanted)
    if format == "csv":
        yield from csv_out.write(values, history=wanted.history)
    else:
        yield from ndjson.write(values, history=wanted.history, ascii_only=ascii_only)


def _counted(session: Session, lines: Iterator[str]) -> Iterator[str]:
    progress = import_report.Progress(session)
    for number, line in enumerate(lines, start=1):
        yield line
        if number % 1_000 == 0:
            progress.moved(1_000)
    progress.over()


class FormatName(click.ParamType):  # type: ignore[type-arg]  # generic from click 8.4 on
    """Completes what files can be; checked where the file is opened."""

    name = "format"

    def shell_complete(
        self, ctx: click.Context, param: click.Parameter, incomplete: str
    ) -> list[click.shell_completion.CompletionItem]:
        from localmem import portable

        return [
            click.shell_completion.CompletionItem(name, help=title)
            for name, title in portable.format_names()
            if name.startswith(incomplete)
        ]


FORMAT = FormatName()
_LAST = "last"


@command(
    "import",
    examples=[
        "localmem import memories.ndjson",
        "localmem import chatgpt-export.zip --dry-run",
        "localmem import notes.md --scope contact:ana --from you",
        "cat a.ndjson b.ndjson | localmem import -",
        "localmem import --list",
        "localmem import --undo",
    ],
)
@click.argument("file", required=False)
@click.option(
    "--from",
    "format",
    type=FORMAT,
    help="What the file is, where it does not show: text, chatgpt, claude, mem0 and others; you "
    "says that a list is your own.",
)
@options.write_scope
@click.option("--dry-run", is_flag=True, help="Say what would be kept; write nothing.")
@click.option(
    "--strict", is_flag=True, help="Look through the whole file first; one bad line, and no line."
)
@click.option("--overwrite", is_flag=True, help="Where both sides changed, the file's counts.")
@click.option("--keep-secrets", is_flag=True, help="Do not mask secrets in your own export.")
@click.option("--bring-back", is_flag=True, help="Take what you forgot or rejected here, too.")
@click.option("--report", type=options.FILE, help="Write each line that stood out to this file.")
@click.option("--list", "listed", is_flag=True, help="Show the imports so far.")
@click.option(
    "--undo",
    is_flag=False,
    flag_value=_LAST,
    metavar="[RUN]",
    help="Take back an import, the last one without its number.",
)
@options.yes_option
@click.pass_obj
def import_(
    session: Session,
    file: str | None,
    format: str | None,
    scope: Scope,
    dry_run: bool,
    strict: bool,
    overwrite: bool,
    keep_secrets: bool,
    bring_back: bool,
    report: Path | None,
    listed: bool,
    undo: str | None,
    yes: bool,
) -> ExitCode:
    """Bring in an export, the memories of another assistant, or a plain list.

    What is here already is not kept twice. A line that cannot be kept is named and passed over,
    and the exit code is 1 then. Stopped with Ctrl-C, the same command goes on where it stopped.
    One `--undo` takes back a whole import. Without --from a file is known by what is in it.
    """
    if listed:
        return _list(session)
    if undo is not None:
        return _undo(session, undo, yes=yes)
    if file is None:
        raise click.UsageError("Name the file to bring in, or - for stdin.")
    from localmem import portable
    from localmem.engine.imports import Rules

    rules = Rules(scope, overwrite, keep_secrets, bring_back)
    with input_of(session, file, again=strict) as place:
        return bring_in(
            session,
            lambda now: portable.open_source(place(), format=format, now=now),
            Chosen(rules, dry_run, strict, report),
        )


def _list(session: Session) -> ExitCode:
    with session.reading() as engine:
        runs = engine.imports.recent()
        times = present.Times(engine.now(), session.zone())
    rows = [
        [
            str(run.id),
            times.at(run.started_at),
            str(run.state),
            visible(run.source),
            f"{run.format}: {import_report.summary(run.counts)}",
        ]
        for run in runs
    ]
    lines = columns.lines(rows, room=session.console.room, styles=(session.console.strong,))
    session.answer({"items": [import_report.run_shape(run) for run in runs]}, lines)
    if not runs and not session.as_json:
        session.warn("Nothing has been imported yet.")
    return ExitCode.DONE


def _undo(session: Session, which: str, *, yes: bool) -> ExitCode:
    from localmem.engine.outcomes import NothingToUndo

    with session.writing() as engine:
        run = _number(engine, which)
        coming = engine.imports.undo_preview(run)
        if isinstance(coming, NothingToUndo):
            return answers.not_undone(session, coming)
        if not answers.may_undo(session, engine, coming, yes=yes):
            return ExitCode.FAILURE
        return answers.undone(session, engine, engine.imports.undo(run))


def _number(engine: Engine, which: str) -> int:
    """The import that is meant. Raises UsageError, MemoryNotFound."""
    if which.isascii() and which.isdigit() and len(which) < 16:
        return int(which)
    if which != _LAST:
        raise click.UsageError(f"{which[:40]!r} is no number of `localmem import --list`.")
    for run in engine.imports.recent():
        if run.undo is not None and run.state is not RunState.UNDONE:
            return run.id
    raise MemoryNotFound("There is no import to take back.")
