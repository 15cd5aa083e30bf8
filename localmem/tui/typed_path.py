"""A path as people put it into a field: quoted, escaped, dropped as an address, half typed.

Only turns text into a path and completes it; refuses to open anything.
"""

from __future__ import annotations

import os
import re
from dataclasses import dataclass
from pathlib import Path
from urllib.parse import unquote, urlsplit

_QUOTES = "\"'“”‘’"
_MOST = 5_000
"""Names of a folder that are looked at."""


def path_of(typed: str) -> str:
    """What is meant: without quotes, escapes and `file://`; "" for nothing."""
    text = typed.strip()
    if len(text) > 1 and text[0] in _QUOTES and text[-1] in _QUOTES:
        return text[1:-1]
    if text.startswith("file://"):
        return unquote(urlsplit(text).path)
    if os.name != "nt" and re.search(r"\\[ ()&'\[\]]", text) and not os.path.lexists(text):
        return re.sub(r"\\(.)", r"\1", text)  # as a terminal writes what is dropped on it
    return text


@dataclass(frozen=True, slots=True)
class Completed:
    text: str
    """What the field holds then; what was typed where nothing fits."""
    names: tuple[str, ...] = ()
    """What may follow, where there is more than one."""


def complete(typed: str) -> Completed:
    """The path as far as the disk leaves no choice. Reads one folder."""
    text = path_of(typed)
    if text == "~":
        return Completed("~/")
    folder, _, begun = text.rpartition("/")
    place = Path(os.path.expanduser(f"{folder}/" if "/" in text else "."))
    try:
        with os.scandir(place) as listed:
            entries = [each for each, _ in zip(listed, range(_MOST), strict=False)]
    except (OSError, ValueError):
        return Completed(typed)
    hidden = begun.startswith(".")
    fitting = sorted(
        f"{each.name}/" if _is_folder(each) else each.name
        for each in entries
        if each.name.startswith(begun) and (hidden or not each.name.startswith("."))
    )
    if not fitting:
        return Completed(typed)
    common = os.path.commonprefix(fitting)  # noqa: RUF071 - of letters, not of folders
    whole = f"{folder}/{common}" if "/" in text else common
    return Completed(whole, tuple(fitting) if len(fitting) > 1 else ())


def _is_folder(entry: os.DirEntry[str]) -> bool:
    try:
        return entry.is_dir()
    except OSError:
        return False
