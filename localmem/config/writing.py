"""Changes single keys of config.toml and leaves everything else in it as the person wrote it.

Comments, order, unknown keys, line ends and a byte order mark stay. Refuses to write over a file
that cannot be understood, and to keep a result that says anything else than it should. The file
is replaced in one step and private to the person.
"""

from __future__ import annotations

import os
import stat
import tempfile
from collections.abc import MutableMapping
from pathlib import Path
from typing import Any

from localmem.config.reading import read_text, table
from localmem.errors import InvalidSettings

_BOM = "\ufeff"


def put(file: Path, key: str, value: Any | None) -> None:
    """Have `key` (`floor`, `keys.search`) hold `value`; None takes it out of the file.

    Raises InvalidSettings; then the file is as it was.
    """
    before = read_text(file) or ""
    wanted = table(before, file.name)
    _set(wanted, key, value)
    after = _changed(before, key, value)
    if table(after, file.name) != wanted:
        raise InvalidSettings(
            f"{key} cannot be changed without touching more of {file.name}; nothing was changed.",
            hint=f"Change it by hand in {file}.",
        )
    _replace(file, after)


def _changed(text: str, key: str, value: Any | None) -> str:
    import tomlkit

    document = tomlkit.parse(text)
    _set(document, key, value, new_table=tomlkit.table)
    changed = tomlkit.dumps(document)
    if "\r\n" in text:
        changed = changed.replace("\r\n", "\n").replace("\n", "\r\n")
    return changed


def _set(
    held: MutableMapping[str, Any], key: str, value: Any | None, *, new_table: Any = dict
) -> None:
    head, dot, last = key.partition(".")
    if dot:
        if value is None and not isinstance(held.get(head), MutableMapping):
            return
        if not isinstance(held.get(head), MutableMapping):
            held[head] = new_table()
        _set(held[head], last, value)
    elif value is None:
        held.pop(key, None)
    else:
        held[key] = value


def _replace(file: Path, text: str) -> None:
    """Raises InvalidSettings."""
    target = Path(os.path.realpath(file))  # a link into somebody's dotfiles stays one
    try:
        _refuse_read_only(target)
        target.parent.mkdir(mode=0o700, parents=True, exist_ok=True)
        mark = _BOM if target.exists() and target.read_bytes()[:3] == _BOM.encode() else ""
        _write_beside(target, (mark + text).encode())
    except OSError as problem:
        raise InvalidSettings(
            f"{file} cannot be written: {problem.strerror or problem}.",
            hint="Nothing was changed. Check the rights and the room of its folder.",
        ) from problem


def _refuse_read_only(file: Path) -> None:
    """A file that its owner made read-only is meant to stay, though its folder would allow it."""
    if file.exists() and not file.stat().st_mode & stat.S_IWUSR:
        raise InvalidSettings(
            f"{file} is read-only; nothing was changed.", hint="Make it writable to change it here."
        )


def _write_beside(file: Path, content: bytes) -> None:
    handle, name = tempfile.mkstemp(prefix=".config-", suffix=".toml", dir=file.parent)
    try:
        with os.fdopen(handle, "wb") as out:  # mkstemp makes it 0600
            out.write(content)
            out.flush()
            os.fsync(out.fileno())
        os.replace(name, file)
    except BaseException:
        Path(name).unlink(missing_ok=True)
        raise
