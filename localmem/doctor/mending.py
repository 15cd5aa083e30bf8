"""What `--fix` does: one safe thing for one finding, and how it is taken back.

Refuses what the finding did not promise: nothing is looked for again and mended beside it, and
where a fix takes something away a copy of the library is made first.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from datetime import UTC, datetime
from pathlib import Path

from localmem.core.health import Finding
from localmem.doctor import places
from localmem.doctor.patient import Patient
from localmem.engine import Engine
from localmem.engine.health import Mend


@dataclass(frozen=True, slots=True)
class Mended:
    said: str
    """What was done, as a sentence."""
    undo: str
    """How it is taken back, as a sentence."""
    copy: Path | None = None
    """The copy of the library that was made first."""


def mend(
    patient: Patient,
    finding: Finding,
    engine: Engine | None = None,
    *,
    step: Callable[[int], None] = lambda left: None,
) -> Mended:
    """Do what the finding's `fix` says. `engine` is the library where it is open already.

    Raises LocalmemError, OSError; then the library is as it was.
    """
    by_file = _FILES.get(finding.code)
    if by_file is not None:
        return Mended(by_file(patient), finding.undo)
    if engine is not None:
        return _inside(patient, finding, engine, step)
    copy = _copy_of_old(patient) if finding.code == "schema_old" else None
    with patient.opened() as opened:
        if finding.code in ("schema_old", "log_left"):
            return Mended(_OPENED[finding.code], _undo(finding, copy), copy)
        return _inside(patient, finding, opened, step)


def before_opening(finding: Finding) -> bool:
    """Whether its fix is about files beside the library, not about what is in it."""
    return finding.code in _FILES


def _inside(
    patient: Patient, finding: Finding, engine: Engine, step: Callable[[int], None]
) -> Mended:
    copy = None
    if finding.backup:
        copy = _copy_name(patient)
        engine.library.backup(str(copy))
    return Mended(engine.health.mend(Mend(finding.code), step), _undo(finding, copy), copy)


def _undo(finding: Finding, copy: Path | None) -> str:
    return finding.undo if copy is None else f"`localmem backup --restore {copy}` brings it back."


def _copy_name(patient: Patient) -> Path:
    """A new name beside the library."""
    now = datetime.fromtimestamp(patient.clock() // 1000, UTC)
    stem = f"before-fix-{now:%Y%m%dT%H%M%SZ}"
    names = (f"{stem}{'' if n == 1 else f'-{n}'}.db" for n in range(1, 1000))
    return next(p for name in names if not (p := patient.library.with_name(name)).exists())


def _copy_of_old(patient: Patient) -> Path:
    target = _copy_name(patient)
    patient.copy(target)
    return target


def _tighten(patient: Patient) -> str:
    loose = places.open_to_others(patient)
    for path, mode in loose:
        path.chmod(mode)
    return "Only you may read them now."


def _remove_temporary(patient: Patient) -> str:
    return _removed(places.temporary_files(patient))


def _remove_models(patient: Patient) -> str:
    return _removed(places.old_models(patient))


def _removed(files: list[Path]) -> str:
    size = sum(file.stat().st_size for file in files)
    for file in files:
        file.unlink(missing_ok=True)
    return f"Removed {len(files):,} files, {size // 1000:,} KB."


_FILES: Mapping[str, Callable[[Patient], str]] = {
    "files_open_to_others": _tighten,
    "temporary_files": _remove_temporary,
    "old_models": _remove_models,
}
_OPENED: Mapping[str, str] = {
    "schema_old": "The library was upgraded.",
    "log_left": "The log was folded into the library.",
}
