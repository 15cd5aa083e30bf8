"""How it is set up: settings, the model, the machine it runs on (FR-146, FR-149).

The keyring is asked only where a setting needs a key from it, and never longer than its patience.
"""

from __future__ import annotations

import platform
import sys
from collections.abc import Iterator, Mapping

from localmem.core.health import Condition, Finding, Gravity
from localmem.core.records import Model
from localmem.credentials import MODEL_VARIABLE, model_key
from localmem.doctor.patient import Patient
from localmem.errors import ModelUnavailable


def settings(patient: Patient) -> Iterator[Finding]:
    for number, problem in enumerate(patient.problems, start=1):
        yield Finding(
            "setting_not_understood" if number == 1 else f"setting_not_understood_{number}",
            Gravity.PROBLEM,
            problem,
            fix=f"Mend it in {patient.paths.settings.name}; `localmem config` shows the rest.",
        )
    if not patient.problems:
        yield Finding("settings", Gravity.OK, "The settings are understood.")


def model(patient: Patient, condition: Condition | None) -> Iterator[Finding]:
    """Try the model that the settings name, and compare it with the one the vectors are of."""
    yield from _keyring(patient)
    if patient.try_model is None:
        yield Finding("model_off", Gravity.OK, "Search is by words alone, as the settings say.")
        return
    try:
        found = patient.try_model().model
    except ModelUnavailable as problem:
        yield Finding(
            problem.code,
            Gravity.PROBLEM,
            f"Search by meaning is off: {problem.message}",
            fix=problem.hint,
        )
        return
    yield Finding("model", Gravity.OK, f"The model {found.name} answers.")
    if condition is not None and condition.model not in (None, found):
        yield _changed(condition.model, found)


def _keyring(patient: Patient) -> Iterator[Finding]:
    """Only an endpoint may need a key from there."""
    if not patient.model.startswith("openai:"):
        return
    key = model_key(patient.environment)
    if key.why:
        yield Finding(
            "keyring_unreachable",
            Gravity.NOTE,
            key.why,
            fix=f"Unlock it, or set {MODEL_VARIABLE} where the endpoint needs a key.",
        )


def _changed(held: Model | None, found: Model) -> Finding:
    name = held.name if held is not None else "none"
    return Finding(
        "vectors_other_model",
        Gravity.NOTE,
        f"The vectors are of the model {name} at another version or dimension than {found.name}, "
        "which the settings name.",
        fix="Drop them and have everything prepared again; words find it meanwhile.",
        undo="Setting the model back prepares everything for that one again.",
        mends=True,
    )


def machine(environment: Mapping[str, str], vectors: bool | None) -> Iterator[Finding]:
    yield Finding(
        "machine",
        Gravity.OK,
        f"localmem runs on Python {platform.python_version()} ({platform.system()}) with its own "
        f"SQLite {_sqlite()}.",
    )
    if vectors is False:
        yield Finding(
            "vectors_unavailable",
            Gravity.NOTE,
            "Search by meaning is off, because sqlite-vec cannot be loaded on this machine; search "
            "by words works.",
            fix="Install localmem again: `pip install --force-reinstall sqlite-vec`.",
        )
    encoding = (getattr(sys.stdout, "encoding", None) or "utf-8").lower().replace("-", "")
    if encoding not in ("utf8", "utf8sig") or environment.get("TERM") == "dumb":
        yield Finding(
            "terminal",
            Gravity.NOTE,
            "This terminal does not show every character, so some are written as escapes.",
            fix="Set PYTHONIOENCODING=utf-8, or use another terminal.",
        )


def _sqlite() -> str:
    from localmem.store.health import sqlite_version

    return sqlite_version()
