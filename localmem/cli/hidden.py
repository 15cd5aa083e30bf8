"""Keys and passphrases: typed unseen, or read from stdin or a file, and never from an argument.

What stands on a command line is in the shell's history and in the list of processes of everybody.
Refuses to read more than a key can have.
"""

from __future__ import annotations

import getpass
import io
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING, TextIO

import click

from localmem.cli.console import Console
from localmem.cli.session import Session
from localmem.errors import InvalidInput

if TYPE_CHECKING:
    from localmem.core.syncing import Syncing

MOST_TYPED = 2_000
"""Characters of a line, and bytes of a file."""
TRIES = 3


def line(console: Console, question: str) -> str:
    """One line that is typed without being shown; "" at the end of input."""
    if sys.platform == "win32" and console.stdin.isatty():
        console.prompt(question)
        return getpass.getpass("")
    with _unseen(console.stdin):
        console.prompt(question)
        return console.stdin.readline(MOST_TYPED).strip("\r\n")


def piped(console: Console, what: str) -> str:
    """The first line of stdin where nobody types. Raises UsageError where somebody would."""
    if console.stdin.isatty():
        raise click.UsageError(f"Nobody can be asked for {what} here: give it on stdin.")
    return console.stdin.readline(MOST_TYPED)


def of_file(file: Path) -> str:
    """Raises InvalidInput."""
    try:
        with file.open("rb") as opened:
            return opened.read(MOST_TYPED).decode("utf-8-sig")
    except OSError as problem:
        raise InvalidInput(
            f"{file} cannot be read: {problem.strerror}.", hint="Name the file with the key."
        ) from problem
    except UnicodeDecodeError as problem:
        raise InvalidInput(f"{file} is not text.", hint="Name the file with the key.") from problem


def chosen_passphrase(console: Console) -> str | None:
    """A new passphrase, typed twice; None when nobody wants to give one."""
    for _ in range(TRIES):
        typed = line(console, "A passphrase for it, at least 12 characters:")
        if not typed:
            return None
        if line(console, "The same once more:") == typed:
            return typed
        console.tell("These two differ.")
    return None


def unlock(session: Session, syncing: Syncing) -> bool:
    """Whether the account's key can be had now, after asking for the passphrase of its file."""
    if not session.console.can_ask:
        return False
    found = session.account_key()
    why, wanted = found.why, found.wants_passphrase
    for _ in range(TRIES):
        if not wanted:
            return False
        session.warn(why)
        typed = line(session.console, "Passphrase:")
        if not typed:
            return False
        closed = syncing.unlock(typed)
        if closed is None:
            return True
        why, wanted = closed.message, closed.wants_passphrase
    return False


@contextmanager
def _unseen(stream: TextIO) -> Iterator[None]:
    """A terminal that shows nothing of what is typed but the line's end."""
    if sys.platform == "win32":
        yield
        return
    import termios

    try:
        file = stream.fileno()
        before = termios.tcgetattr(file)
    except (termios.error, io.UnsupportedOperation, ValueError):
        yield  # no terminal, so nothing is shown
        return
    silent = list(before)
    silent[3] = (silent[3] & ~termios.ECHO) | termios.ECHONL
    termios.tcsetattr(file, termios.TCSAFLUSH, silent)
    try:
        yield
    finally:
        termios.tcsetattr(file, termios.TCSADRAIN, before)
