"""The person's own editor, on a file only they can read that is gone afterwards.

Refuses to take what the editor did not clearly mean: with an error, without a file, or with more
than a memory holds the form stays as it was, and the person hears why.
"""

from __future__ import annotations

import os
import shlex
import shutil
import signal
import subprocess
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from types import FrameType
from typing import Any, Final

from textual.app import App, SuspendNotSupported

from localmem.core import documents
from localmem.errors import InvalidInput, InvalidSettings

_FALLBACKS = ("nano", "vim", "vi", "notepad")
MOST_BYTES: Final = 4 * documents.MAX_BYTES
"""Of a file that is read back: room for spaces that a document does not keep."""
_AS_BEFORE = "The form is as before."


def edit(app: App[Any], editor: str, text: str, suffix: str) -> str:
    """`text` as the editor left it.

    The terminal is the editor's meanwhile. Raises InvalidSettings when there is no editor, and
    InvalidInput when what it left is not to be taken.
    """
    command = _command(editor)
    with tempfile.TemporaryDirectory(prefix="localmem-", ignore_cleanup_errors=True) as folder:
        os.chmod(folder, 0o700)
        file = Path(folder) / f"memory{suffix}"
        file.write_text(text, "utf-8", newline="\n")
        _run(app, [*command, str(file)])
        return _read(file, text)


def _run(app: App[Any], command: list[str]) -> None:
    try:
        with app.suspend(), _keys_for_the_editor():
            ended = subprocess.run(command, check=False).returncode
    except SuspendNotSupported as problem:
        raise InvalidSettings(
            "An editor cannot be opened from this terminal.", hint="Edit in the form."
        ) from problem
    except OSError as problem:
        raise InvalidSettings(
            f"{command[0]!r} does not start: {problem.strerror or problem}.",
            hint="Set EDITOR to the editor you use, such as nano.",
        ) from problem
    if ended:
        how = f"with an error ({ended})" if ended > 0 else f"by signal {-ended}"
        raise InvalidInput(f"The editor ended {how}, so its text is not taken.", hint=_AS_BEFORE)


@contextmanager
def _keys_for_the_editor() -> Iterator[None]:
    """ctrl+c is the editor's while it runs, and ends only what it means to end there."""

    def leave_it(number: int, frame: FrameType | None) -> None:
        return

    before = signal.signal(signal.SIGINT, leave_it)
    try:
        yield
    finally:
        signal.signal(signal.SIGINT, before)


def _command(editor: str) -> list[str]:
    try:
        wanted = shlex.split(editor, posix=os.name != "nt") if editor.strip() else []
    except ValueError as problem:
        raise InvalidSettings(
            f"EDITOR is not a command line: {problem}.", hint="Mind its quotes."
        ) from problem
    if wanted and shutil.which(wanted[0]):
        return wanted
    found = next((name for name in _FALLBACKS if shutil.which(name)), None)
    if wanted or found is None:
        named = f"{wanted[0]!r} is not a program here." if wanted else "No editor was found."
        raise InvalidSettings(named, hint="Set EDITOR to the editor you use, such as nano.")
    return [found]


def _read(file: Path, before: str) -> str:
    try:
        with file.open("rb") as opened:
            data = opened.read(MOST_BYTES + 1)
    except OSError as problem:
        raise InvalidInput("The editor left no file to read back.", hint=_AS_BEFORE) from problem
    if len(data) > MOST_BYTES:
        raise InvalidInput(
            f"The editor left more than {MOST_BYTES:,} bytes, and no memory holds so much.",
            hint=_AS_BEFORE,
        )
    try:
        text = data.decode("utf-8-sig")
    except UnicodeDecodeError as problem:
        raise InvalidInput(
            "The editor did not save UTF-8 text.", hint="Save as UTF-8; the form is as before."
        ) from problem
    # Editors end the last line; a text that had no such end does not get one.
    if not before.endswith("\n"):
        text = text.removesuffix("\n").removesuffix("\r")
    return text
