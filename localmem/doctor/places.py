"""Files and folders: who may read them (FR-140), what a crash left, where they lie."""

from __future__ import annotations

import os
import shutil
import stat
from collections.abc import Iterator
from pathlib import Path

from localmem.core.health import Finding, Gravity
from localmem.doctor.patient import Patient
from localmem.store import folder

LEFT_ALONE = 600
"""Seconds since a temporary file was written, after which nobody is writing it any more."""
LEAST_ROOM = 100_000_000
"""Bytes of room on the disk below which it is said."""
TEMPORARY = ".localmem-*"
COPIES = "before-*.db"
"""What a restore or a fix keeps of the library beside it."""


def findings(patient: Patient) -> Iterator[Finding]:
    home = patient.library.parent
    if not home.is_dir():
        return
    yield from _modes(patient)
    yield from _owner(patient)
    yield from _writable(patient)
    yield from _kind_of_folder(home)
    yield from _room(patient)
    yield from _leftovers(patient)
    yield from _old_models(patient)
    yield from _copies(patient)


def open_to_others(patient: Patient) -> list[tuple[Path, int]]:
    """What others may read or write, and the mode it should have."""
    if os.name != "posix":
        return []
    home = patient.library.parent
    folders = (home, patient.paths.settings.parent, patient.paths.cache)
    files = [*patient.files(), patient.paths.settings, *_temporary(home), *home.glob(COPIES)]
    wanted = [(each, 0o700) for each in dict.fromkeys(folders)]
    wanted += [(each, 0o600) for each in dict.fromkeys(files)]
    return [(path, mode) for path, mode in wanted if _loose(path)]


def temporary_files(patient: Patient) -> list[Path]:
    """What a backup or another long step left when it was cut off."""
    now = patient.clock() / 1000
    return [file for file in _temporary(patient.library.parent) if _age(file, now) > LEFT_ALONE]


def old_models(patient: Patient) -> list[Path]:
    """Prepared models that this release does not use, and halves of one."""
    from localmem.embed.bundled import NAME, cache_path

    cache = patient.paths.cache
    current, now = cache_path(cache), patient.clock() / 1000
    made = [file for file in cache.glob(f"{NAME}-*.tables") if file != current]
    halves = [file for file in cache.glob("*.tables.*.tmp") if _age(file, now) > LEFT_ALONE]
    return [file for file in (*made, *halves) if file.is_file() and not file.is_symlink()]


def _modes(patient: Patient) -> Iterator[Finding]:
    loose = open_to_others(patient)
    names = tuple(path.name for path, _ in loose)
    open_ways = [path for path, _ in loose if path.is_dir() or _mode(path.parent) & 0o011]
    if loose:
        yield Finding(
            "files_open_to_others",
            Gravity.PROBLEM if open_ways else Gravity.NOTE,
            f"Other people on this machine may look into {_listed(names)}."
            if open_ways
            else f"Only the closed folder keeps other people out of {_listed(names)}.",
            fix="Let nobody but you read them.",
            undo="`chmod` gives the old modes back: "
            + ", ".join(f"{path.name} {_mode(path):o}" for path, _ in loose) + ".",
            mends=all(_owned(path) for path, _ in loose),
            count=len(loose),
            ids=names,
        )  # fmt: skip
    elif os.name == "posix":
        yield Finding("files_private", Gravity.OK, "Nobody but you may read the library's files.")


def _owner(patient: Patient) -> Iterator[Finding]:
    foreign = [path for path in (patient.library.parent, *patient.files()) if not _owned(path)]
    if foreign:
        yield Finding(
            "files_of_somebody_else",
            Gravity.PROBLEM,
            f"Another user of this machine owns {_listed([path.name for path in foreign])}.",
            fix="Ask them, or an administrator, to give it to you with `chown`.",
            ids=tuple(path.name for path in foreign),
        )


def _writable(patient: Patient) -> Iterator[Finding]:
    shut = [p for p in (patient.library.parent, *patient.files()) if not os.access(p, os.W_OK)]
    if shut:
        yield Finding(
            "files_read_only",
            Gravity.PROBLEM,
            f"Nothing can be kept, because this cannot be written: "
            f"{_listed([path.name for path in shut])}.",
            fix="Give yourself the right to write there, for example with `chmod u+w`.",
            ids=tuple(path.name for path in shut),
        )


def _kind_of_folder(home: Path) -> Iterator[Finding]:
    network = folder.network_filesystem(home.resolve(), folder.mounts())
    if network:
        yield Finding(
            "folder_on_network",
            Gravity.PROBLEM,
            f"The library lies on a network folder ({network}), where file locks cannot be "
            "trusted.",
            fix="Move it to this machine's own disk and set LOCALMEM_HOME to that folder.",
        )
    cloud = folder.cloud_service(home.resolve())
    if cloud:
        yield Finding(
            "folder_in_cloud",
            Gravity.PROBLEM,
            f"The library lies in {cloud}, which copies files while they change.",
            fix="Move it out, and put copies there with `localmem backup FILE`.",
        )


def _room(patient: Patient) -> Iterator[Finding]:
    held = sum(file.stat().st_size for file in patient.files())
    free = shutil.disk_usage(patient.library.parent).free
    if free < max(LEAST_ROOM, 2 * held):
        yield Finding(
            "disk_nearly_full",
            Gravity.NOTE if free > held else Gravity.PROBLEM,
            f"The disk has {free // 1_000_000:,} MB left; forgetting needs room for a second copy "
            "of the library.",
            fix="Make some room on that disk.",
            count=free,
        )


def _leftovers(patient: Patient) -> Iterator[Finding]:
    left = temporary_files(patient)
    if left:
        yield Finding(
            "temporary_files",
            Gravity.NOTE,
            f"A step that was cut off left {_count(len(left), 'temporary file')} in the library's "
            "folder.",
            fix="Remove them; they are unfinished copies, and may hold memories.",
            undo="Nothing to undo: no finished file is touched.",
            mends=True,
            count=len(left),
            ids=tuple(file.name for file in left),
        )


def _old_models(patient: Patient) -> Iterator[Finding]:
    old = old_models(patient)
    if old:
        megabytes = sum(file.stat().st_size for file in old) // 1_000_000
        yield Finding(
            "old_models",
            Gravity.NOTE,
            f"The cache holds {_count(len(old), 'prepared model')} of another release "
            f"({megabytes:,} MB).",
            fix="Remove what is not used.",
            undo="The release that used it prepares it again by itself.",
            mends=True,
            count=len(old),
            ids=tuple(file.name for file in old),
        )


def _copies(patient: Patient) -> Iterator[Finding]:
    kept = sorted(patient.library.parent.glob(COPIES))
    if kept:
        size = sum(file.stat().st_size for file in kept) // 1_000_000
        yield Finding(
            "copies_kept",
            Gravity.NOTE,
            "What you forget stays in the copies from before a fix or a restore, which lie beside "
            f"the library: {len(kept):,} ({size:,} MB).",
            fix="Delete them when you no longer need the way back.",
            count=len(kept),
            ids=tuple(file.name for file in kept),
            lines=tuple(file.name for file in kept[:20]),
        )


def _temporary(home: Path) -> list[Path]:
    return [f for f in sorted(home.glob(TEMPORARY)) if f.is_file() and not f.is_symlink()]


def _age(file: Path, now: float) -> float:
    return now - file.stat().st_mtime


def _mode(path: Path) -> int:
    return stat.S_IMODE(path.stat().st_mode)


def _loose(path: Path) -> bool:
    return path.exists() and bool(_mode(path) & 0o077)


def _owned(path: Path) -> bool:
    return os.name != "posix" or path.stat().st_uid == os.getuid()


def _listed(names: list[str] | tuple[str, ...]) -> str:
    return ", ".join(names[:4]) + (f" and {len(names) - 4} more" if len(names) > 4 else "")


def _count(number: int, one: str) -> str:
    return f"{number:,} {one}{'' if number == 1 else 's'}"
