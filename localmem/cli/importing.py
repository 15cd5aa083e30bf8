"""Running one import from the command line: look through, take batch by batch, stop, report.

Stopping with Ctrl-C keeps what was taken; the same file goes on there. Strict looks through the
whole file first and takes nothing when one line is bad.
"""

from __future__ import annotations

import io
import os
import shutil
import tempfile
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import IO, TYPE_CHECKING, BinaryIO, TextIO

from localmem.cli import options
from localmem.cli.exit_codes import ExitCode
from localmem.cli.import_report import Progress, Report, run_shape, summary
from localmem.cli.session import Session
from localmem.core.model import Millis
from localmem.core.visible import visible

if TYPE_CHECKING:
    from localmem.engine import Engine
    from localmem.engine.imports import Rules, Run
    from localmem.portable import Source

Open = Callable[[Millis], "Source"]
"""Opens the file from its beginning, given what time it is. Raises ImportUnreadable."""


@dataclass(frozen=True, slots=True)
class Chosen:
    """How the person wants it done."""

    rules: Rules
    dry_run: bool = False
    strict: bool = False
    report: Path | None = None


@contextmanager
def input_of(
    session: Session, file: str, *, again: bool
) -> Iterator[Callable[[], Path | BinaryIO]]:
    """What opens the file, or stdin for `-`.

    Where it is read `again`, stdin goes into a nameless file first, which no one else can open.
    """
    if file != "-":
        path = options.FILE.convert(file, None, None)
        yield lambda: path
        return
    stdin = session.console.stdin
    if session.console.can_ask:
        session.console.tell("Type what to bring in; end with Ctrl-D on a line of its own.")
    piped = getattr(stdin, "buffer", None) or io.BytesIO(stdin.read().encode())
    if not again:
        yield lambda: piped
        return
    with tempfile.TemporaryFile() as held:
        shutil.copyfileobj(piped, held)
        yield lambda: _from_start(held)


def _from_start(held: IO[bytes]) -> BinaryIO:
    held.seek(0)
    return os.fdopen(os.dup(held.fileno()), "rb")


def bring_in(session: Session, open_file: Open, chosen: Chosen) -> ExitCode:
    """Raises ImportUnreadable, StoreError, BackupFailed (the report's file)."""
    with _report_file(chosen.report) as file:
        if chosen.dry_run:
            return _rehearse(session, open_file, chosen, Report(file, rehearsal=True))
        if chosen.strict:
            found = Report(file)
            code = _rehearse(session, open_file, chosen, found, quiet=True)
            if code is not ExitCode.DONE:
                return code
            return _take(session, open_file, chosen, Report())
        return _take(session, open_file, chosen, Report(file))


@contextmanager
def _report_file(path: Path | None) -> Iterator[TextIO | None]:
    if path is None:
        yield None
        return
    from localmem.portable import saving

    with saving.new_file(path) as file:
        yield file


def _rehearse(
    session: Session, open_file: Open, chosen: Chosen, report: Report, *, quiet: bool = False
) -> ExitCode:
    """Answer every line without writing; `quiet` says nothing when every line is good."""
    from localmem.engine.imports import Seen, batches

    seen = Seen()
    with session.reading() as engine, open_file(engine.now()) as source:
        progress = Progress(session, source)
        for batch in batches(source):
            report.take(batch, engine.imports.preview(batch, chosen.rules, seen))
            progress.moved(len(batch))
        progress.over()
        if quiet and not report.refused:
            return ExitCode.DONE
        _answer(session, source, report, None)
    session.warn("Nothing was written." if quiet else "Nothing was written: this was a dry run.")
    return ExitCode.FAILURE if report.refused else ExitCode.DONE


def _take(session: Session, open_file: Open, chosen: Chosen, report: Report) -> ExitCode:
    with session.writing() as engine, open_file(engine.now()) as source:
        run = engine.imports.begin(source.name, source.format, source.fingerprint, chosen.rules)
        if run.resumed:
            session.warn(
                f"Going on with import {run.id} behind line {run.line:,}: "
                f"{summary(run.counts)} before."
            )
        run, ended = _batches(session, engine, source, run, chosen, report)
        _answer(session, source, report, run)
        if not ended:
            session.warn(
                f"Stopped behind line {run.line:,}. What was taken is kept; the same command goes "
                f"on there. `localmem import --undo {run.id}` takes it back."
            )
            return ExitCode.INTERRUPTED
        _tell_next(session, source, run)
    return ExitCode.FAILURE if report.refused else ExitCode.DONE


def _batches(
    session: Session, engine: Engine, source: Source, run: Run, chosen: Chosen, report: Report
) -> tuple[Run, bool]:
    """The run as it ended, and whether it came to the file's end."""
    from localmem.engine.imports import batches

    progress = Progress(session, source)
    try:
        for batch in batches(source, after=run.line):
            taken = engine.imports.take(run, batch, chosen.rules)
            run = taken.run
            report.take(batch, taken.outcomes)
            progress.moved(len(batch))
    except KeyboardInterrupt:
        return engine.imports.stop(run), False
    finally:
        progress.over()
    return engine.imports.finish(run), True


def _answer(session: Session, source: Source, report: Report, run: Run | None) -> None:
    shape = {"title": source.title, "dryRun": run is None, **report.shape()}
    if run is None:
        shape |= {"source": source.name, "format": source.format}
    else:
        shape["run"] = run_shape(run)
    shape["notes"] = list(source.notes)
    lines = [f"{visible(source.name)}, {source.title}: {summary(report.counts)}."]
    session.answer(shape, lines + report.lines(session.console.room))
    if not session.as_json:
        for note in source.notes:
            session.warn(note)


def _tell_next(session: Session, source: Source, run: Run) -> None:
    if source.author and run.counts.new:
        session.done("What an assistant wrote waits in your inbox until you accept it.")
    if run.undo is not None:
        session.done(f"`localmem import --undo {run.id}` takes all of it back.")
