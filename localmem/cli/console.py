"""The three streams of a command: what is data, what is narration, what may be asked.

Refuses to prompt where nobody can answer, to let a pipe or a code page end in a traceback, to send
a stored control character to a terminal, in JSON too, and to read more than can be kept. Narration
may quote what was typed or set, so every line of it passes the screening: no secret is repeated.
"""

from __future__ import annotations

import io
import json
import os
import shutil
import sys
from collections.abc import Mapping
from dataclasses import dataclass
from typing import TextIO, cast

import click

from localmem.core import json_text
from localmem.core.model import Json
from localmem.core.visible import visible
from localmem.errors import InvalidInput

DEFAULT_WIDTH = 80
NARROWEST = 40

_BOLD, _FAINT, _PLAIN = "\x1b[1m", "\x1b[2m", "\x1b[0m"


@dataclass(frozen=True, slots=True)
class Console:
    stdin: TextIO
    stdout: TextIO
    stderr: TextIO
    environment: Mapping[str, str]

    # data

    def line(self, text: str = "") -> None:
        """A line of data. Its text is safe already: see `core.visible`."""
        _write(self.stdout, text + "\n")

    def json(self, value: Json) -> None:
        """One JSON value on one line; two-space indented when a person looks at it."""
        self.line(self.as_json(value, indent=2 if _is_terminal(self.stdout) else None))

    def as_json(self, value: Json, *, indent: int | None = None) -> str:
        """JSON that no terminal obeys and that this stream can carry."""
        text = json.dumps(value, ensure_ascii=not self.is_utf8, indent=indent)
        return json_text.without_controls(text)

    @property
    def is_utf8(self) -> bool:
        """Whether stdout carries every character, or JSON must escape those beyond ASCII."""
        name = (self.stdout.encoding or "utf-8").lower().replace("-", "")
        return name in ("utf8", "utf8sig")

    # narration

    def tell(self, text: str) -> None:
        """A line for the person on stderr; cleaned here, line by line."""
        _narrate(self.stderr, _safe(text, keep_newlines=True) + "\n")

    def report(self, shape: dict[str, Json]) -> None:
        """A JSON value for a program on stderr; every text in it is screened."""
        from localmem.core.screening import screen_json

        safe = screen_json(shape).value
        _narrate(self.stderr, self.as_json(safe) + "\n")

    def progress(self, text: str) -> None:
        """A line that the next one replaces; nothing where nobody watches."""
        if _is_terminal(self.stderr):
            _narrate(self.stderr, f"\r\x1b[K{_safe(text)}")

    @property
    def watched(self) -> bool:
        """Whether somebody reads the narration as it comes."""
        return _is_terminal(self.stderr)

    # asking

    @property
    def is_terminal(self) -> bool:
        """Whether the app can be shown and used here."""
        return _is_terminal(self.stdin) and _is_terminal(self.stdout)

    @property
    def can_ask(self) -> bool:
        return _is_terminal(self.stdin) and _is_terminal(self.stderr)

    def confirm(self, question: str) -> bool:
        """Whether the person typed yes; anything else, and the end of input, is no."""
        return self.ask(f"{question} [y/N]").lower() in ("y", "yes", "s", "sim", "si", "sí")

    def ask(self, question: str) -> str:
        """What the person typed, without spaces around it; "" at the end of input."""
        self.prompt(question)
        return self.stdin.readline().strip()

    def prompt(self, question: str) -> None:
        """A question whose answer is read by somebody else."""
        _narrate(self.stderr, _safe(question) + " ")

    def read_all(self, what: str, most: int) -> str:
        """All of stdin as UTF-8, with or without byte order mark, when it is at most `most` bytes.

        Raises InvalidInput; what is beyond is not even read.
        """
        if _is_terminal(self.stdin) and self.watched:
            self.tell(f"Type {what}; end with Ctrl-D on a line of its own.")
        source = getattr(self.stdin, "buffer", None)
        raw = source.read(most + 1) if source is not None else self.stdin.read(most + 1).encode()
        if len(raw) > most:
            raise InvalidInput(
                f"What came in is too long for {what}: it has more than {most:,} bytes.",
                hint="Pass it in parts, or keep the file where it is and remember its place.",
                details={"limit": most},
            )
        try:
            return cast(bytes, raw).decode("utf-8-sig")
        except UnicodeDecodeError as refused:
            raise InvalidInput(
                f"What came in is not UTF-8 (byte {refused.start + 1}).",
                hint="Convert it, for example with `iconv -t utf-8`.",
            ) from refused

    # looks

    @property
    def room(self) -> int | None:
        """Cells of a line of data; None (nothing is cut) when it goes to a file or a program."""
        if not _is_terminal(self.stdout):
            return None
        return self.width

    @property
    def width(self) -> int:
        """Cells of the terminal, where there is one."""
        return max(shutil.get_terminal_size((DEFAULT_WIDTH, 24)).columns, NARROWEST)

    @property
    def painted(self) -> bool:
        return (
            _is_terminal(self.stdout)
            and not self.environment.get("NO_COLOR")
            and self.environment.get("TERM") != "dumb"
        )

    def strong(self, text: str) -> str:
        return f"{_BOLD}{text}{_PLAIN}" if self.painted else text

    def faint(self, text: str) -> str:
        return f"{_FAINT}{text}{_PLAIN}" if self.painted else text

    def flush(self) -> None:
        """Raises BrokenPipeError, or OutputLost when the output cannot be written."""
        _flush(self.stdout)


def of_process() -> Console:
    """The process's own streams; one that is closed swallows what it is given."""
    for stream in (sys.stdout, sys.stderr):
        if isinstance(stream, io.TextIOWrapper):
            stream.reconfigure(errors="backslashreplace")
    return Console(
        sys.stdin or io.StringIO(), sys.stdout or _Sink(), sys.stderr or _Sink(), os.environ
    )


def give_up_stdout() -> None:
    """Nobody reads any more: what is still buffered must not raise when the process ends."""
    try:
        nowhere = os.open(os.devnull, os.O_WRONLY)
        os.dup2(nowhere, sys.stdout.fileno())
        os.close(nowhere)
    except (OSError, ValueError, AttributeError):
        return  # no file behind stdout, so nothing will be flushed to one


class OutputLost(click.ClickException):
    """What was asked for could not be written down; nothing more can be said on stdout."""


class _Sink(io.StringIO):
    """A stream that was closed before we started."""

    def write(self, text: str) -> int:
        return len(text)


def _is_terminal(stream: TextIO) -> bool:
    try:
        return stream.isatty()
    except ValueError:
        return False  # closed under us


def _write(stream: TextIO, text: str) -> None:
    try:
        stream.write(text)
    except BrokenPipeError:
        raise
    except (OSError, ValueError) as problem:
        raise _lost(problem) from problem


def _narrate(stream: TextIO, text: str) -> None:
    """Narration that nobody can hear any more must not stop the work."""
    try:
        stream.write(text)
        stream.flush()
    except (OSError, ValueError):
        return


def _flush(stream: TextIO) -> None:
    try:
        stream.flush()
    except BrokenPipeError:
        raise
    except (OSError, ValueError) as problem:
        raise _lost(problem) from problem


def _safe(text: str, *, keep_newlines: bool = False) -> str:
    from localmem.core.screening import screen  # where nothing is narrated, nothing is screened

    return visible(screen(text).text, keep_newlines=keep_newlines)


def _lost(problem: Exception) -> OutputLost:
    reason = problem.strerror if isinstance(problem, OSError) else "it is closed"
    return OutputLost(f"The output could not be written: {reason}.")
