"""The person's own editor, on a file only they can read that is gone afterwards."""

from __future__ import annotations

import os
import shlex
import shutil
import subprocess
import tempfile
from pathlib import Path
from typing import Any

from textual.app import App, SuspendNotSupported

from localmem.errors import InvalidInput, InvalidSettings

_FALLBACKS = ("nano", "vim", "vi", "notepad")


def edit(app: App[Any], editor: str, text: str, suffix: str) -> str | None:
    """`text` as the editor left it; None when it ended with an error.

    The terminal is the editor's meanwhile. Raises InvalidSettings when there is no editor.
    """
    command = _command(editor)
    with tempfile.TemporaryDirectory(prefix="localmem-") as folder:
        os.chmod(folder, 0o700)
        file = Path(folder) / f"memory{suffix}"
        file.write_text(text, "utf-8", newline="\n")
        try:
            with app.suspend():
                ended = subprocess.run([*command, str(file)], check=False)
        except SuspendNotSupported as problem:
            raise InvalidSettings(
                "An editor cannot be opened from this terminal.", hint="Edit in the form."
            ) from problem
        if ended.returncode:
            return None
        return _read(file, text)


def _command(editor: str) -> list[str]:
    wanted = shlex.split(editor, posix=os.name != "nt") if editor.strip() else []
    if wanted and shutil.which(wanted[0]):
        return wanted
    found = next((name for name in _FALLBACKS if shutil.which(name)), None)
    if wanted or found is None:
        named = f"{wanted[0]!r} is not a program here." if wanted else "No editor was found."
        raise InvalidSettings(named, hint="Set EDITOR to the editor you use, such as nano.")
    return [found]


def _read(file: Path, before: str) -> str:
    try:
        text = file.read_bytes().decode("utf-8-sig")
    except UnicodeDecodeError as problem:
        raise InvalidInput(
            "The editor did not save UTF-8 text.", hint="Save as UTF-8; the form is as before."
        ) from problem
    # Editors end the last line; a text that had no such end does not get one.
    if not before.endswith("\n"):
        text = text.removesuffix("\n").removesuffix("\r")
    return text
