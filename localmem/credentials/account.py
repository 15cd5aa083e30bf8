"""The key of an account: from the environment, the keyring, or a file that a passphrase opens.

The file is for machines without a keyring, and is made only with a passphrase, which is the
person's consent to it. The key lies in one place of the two: keeping it in one takes it out of the
other. Nothing here raises for what a place does; it becomes a sentence and a next step.
"""

from __future__ import annotations

import os
from collections.abc import Mapping
from dataclasses import replace
from enum import StrEnum
from pathlib import Path
from typing import NamedTuple

from localmem.credentials import ring
from localmem.credentials.key import Key, from_environment
from localmem.credentials.passphrase import COST, derived, passphrase_problem
from localmem.credentials.shape import read_account_key
from localmem.errors import StoreError, StoreLocked

ACCOUNT_VARIABLE = "LOCALMEM_ACCOUNT_KEY"
"""Environment variable with the key of the account; wins over every other place."""
ACCOUNT_FILE_VARIABLE = "LOCALMEM_ACCOUNT_KEY_FILE"
"""The same in a file, as services and containers are handed their secrets."""
PASSPHRASE_VARIABLE = "LOCALMEM_ACCOUNT_PASSPHRASE"
"""What opens the encrypted file where nobody can be asked."""
PASSPHRASE_FILE_VARIABLE = "LOCALMEM_ACCOUNT_PASSPHRASE_FILE"
ACCOUNT_ENTRY = "account"
ACCOUNT_FILE = "account.key"
"""In the library's folder."""
A_MOMENT = 2.0
"""Seconds for a keyring beside such a file: whoever has one has no keyring that answers."""

_UNLOCK = "Unlock the keyring and try again"
_SIGN_IN = "Sign in with `localmem account login`"
_MACHINES = f"set {ACCOUNT_VARIABLE}, or {ACCOUNT_FILE_VARIABLE} to a file that holds the key"
_ANEW = "`localmem account logout` takes it away; then sign in again."


class Place(StrEnum):
    """Where the key may be; the first that has one gives it."""

    ENVIRONMENT = "environment"
    KEYRING = "keyring"
    FILE = "file"


class Kept(NamedTuple):
    place: Place | None
    """None when it was not kept."""
    why: str = ""
    """Why it was not, as a sentence."""
    hint: str = ""
    warnings: tuple[str, ...] = ()
    """Sentences about another key that is left, or that wins over this one."""


class Dropped(NamedTuple):
    gone: tuple[Place, ...]
    left: tuple[str, ...]
    """A sentence for each place that has a key still, or may have one."""
    meaning: str = ""
    """What the removal of a file means and what not, as sentences."""


class Found(NamedTuple):
    place: Place
    name: str
    """The variable, the keyring's entry, or the file."""


class Whereabouts(NamedTuple):
    found: tuple[Found, ...]
    """The first gives the key."""
    why: str = ""
    """Why the keyring could not be asked, as a sentence."""


def account_key(
    environment: Mapping[str, str],
    folder: Path,
    *,
    passphrase: str | None = None,
    patience: float = ring.PATIENCE,
) -> Key:
    """The key of the account; `folder` is the library's.

    `passphrase` is what a person typed; without one the environment's is taken.
    """
    given = given_account_key(environment)
    if given.value is not None or given.why:
        return given
    file = folder / ACCOUNT_FILE
    there = os.path.lexists(file)
    held = ring.fetch(ACCOUNT_ENTRY, min(patience, A_MOMENT) if there else patience)
    if held.value is not None:
        return read_account_key(held.value, "What the keyring holds")
    if there:
        return _from_sealed(environment, file, passphrase)
    return replace(held, hint=_way_on(held.why))


def given_account_key(environment: Mapping[str, str]) -> Key:
    """The key that a machine was given; neither value nor reason where it was given none."""
    given = from_environment(environment, ACCOUNT_VARIABLE, ACCOUNT_FILE_VARIABLE)
    if given.value is not None:
        return replace(read_account_key(given.value, given.variable), variable=given.variable)
    if given.why:
        return replace(given, hint=f"Mend that, or unset {ACCOUNT_FILE_VARIABLE}.")
    return given


def _way_on(why: str) -> str:
    if not why:
        return f"{_SIGN_IN}."
    first = _SIGN_IN if why == ring.NONE_HERE else _UNLOCK
    return f"{first}, or {_MACHINES}."


def given_passphrase(environment: Mapping[str, str]) -> Key:
    """The passphrase that a machine was given for the encrypted file."""
    return from_environment(environment, PASSPHRASE_VARIABLE, PASSPHRASE_FILE_VARIABLE)


def keep_account_key(
    value: str,
    environment: Mapping[str, str],
    folder: Path,
    *,
    passphrase: str | None = None,
    patience: float = ring.PATIENCE,
) -> Kept:
    """Keep the key in the keyring; or, with a passphrase, in an encrypted file and not there."""
    read = read_account_key(value)
    if read.value is None:
        return Kept(None, read.why, read.hint)
    if passphrase is None:
        kept = _keep_in_keyring(read.value, folder / ACCOUNT_FILE, patience)
    else:
        kept = _keep_in_file(read.value, folder / ACCOUNT_FILE, passphrase, patience)
    set_ = _set_variable(environment)
    if kept.place is None or not set_:
        return kept
    wins = f"{set_} is set and wins over it until it is unset."
    return kept._replace(warnings=(*kept.warnings, wins))


def drop_account_key(
    environment: Mapping[str, str], folder: Path, *, patience: float = ring.PATIENCE
) -> Dropped:
    """Take the key out of the keyring and remove the file."""
    gone: list[Place] = []
    left: list[str] = []
    meaning = ""
    was_there, why = ring.drop(ACCOUNT_ENTRY, patience)
    if was_there:
        gone.append(Place.KEYRING)
    if why and why != ring.NONE_HERE:
        left.append(f"The keyring may have the key still. {why} Unlock it and sign out again.")
    removed, why = _remove(folder / ACCOUNT_FILE)
    if removed:
        gone.append(Place.FILE)
        meaning = (
            f"{ACCOUNT_FILE} is removed, not overwritten: what the disk or a backup keeps of it is "
            "encrypted, and its passphrase opens it. The key itself works until it is revoked in "
            "your account."
        )
    if why:
        left.append(why)
    if set_ := _set_variable(environment):
        left.append(f"{set_} is set and gives a key still. Unset it.")
    return Dropped(tuple(gone), tuple(left), meaning)


def where_account_key(
    environment: Mapping[str, str], folder: Path, *, patience: float = ring.PATIENCE
) -> Whereabouts:
    """Which places hold a key, whatever it is."""
    found: list[Found] = []
    if set_ := _set_variable(environment):
        found.append(Found(Place.ENVIRONMENT, set_))
    file = folder / ACCOUNT_FILE
    there = os.path.lexists(file)
    held = ring.fetch(ACCOUNT_ENTRY, min(patience, A_MOMENT) if there else patience)
    if held.value is not None:
        found.append(Found(Place.KEYRING, f"{ring.SERVICE}/{ACCOUNT_ENTRY}"))
    if there:
        found.append(Found(Place.FILE, str(file)))
    return Whereabouts(tuple(found), held.why)


def _set_variable(environment: Mapping[str, str]) -> str:
    names = (ACCOUNT_VARIABLE, ACCOUNT_FILE_VARIABLE)
    return next((name for name in names if environment.get(name)), "")


def _keep_in_keyring(value: str, file: Path, patience: float) -> Kept:
    why = ring.keep(ACCOUNT_ENTRY, value, patience)
    if why:
        ways = ["keep the key in an encrypted file, with a passphrase of yours", f"or {_MACHINES}"]
        if why != ring.NONE_HERE:
            ways.insert(0, _UNLOCK)
        hint = ", ".join(ways)
        return Kept(None, f"The key was not kept. {why}", f"{hint[0].upper()}{hint[1:]}.")
    _, why = _remove(file)
    return Kept(Place.KEYRING, warnings=(f"An older key is left. {why}",) if why else ())


def _keep_in_file(value: str, file: Path, passphrase: str, patience: float) -> Kept:
    from localmem.store import sealed

    if why := passphrase_problem(passphrase):
        return Kept(None, why, "Choose another one; nothing was written.")
    try:
        sealed.seal(file, value, lambda salt: derived(passphrase, salt))
    except StoreError as problem:
        return Kept(None, problem.message, problem.hint)
    except MemoryError:
        return Kept(None, _NO_MEMORY, f"Close other programs; or {_MACHINES}.")
    _, why = ring.drop(ACCOUNT_ENTRY, min(patience, A_MOMENT))
    if not why or why == ring.NONE_HERE:
        return Kept(Place.FILE)
    older = f"A key that the keyring holds from before would win over this one. {why}"
    return Kept(Place.FILE, warnings=(older,))


_NO_MEMORY = (
    f"There is no memory for the passphrase of {ACCOUNT_FILE}, which takes {COST.memory >> 20} MB."
)


def _from_sealed(environment: Mapping[str, str], file: Path, typed: str | None) -> Key:
    given = Key(typed) if typed is not None else given_passphrase(environment)
    if given.value is None:
        return Key(
            None,
            given.why or f"The account's key is in {file}, and its passphrase opens it.",
            hint=f"Type it when you are asked, or set {PASSPHRASE_VARIABLE}, or "
            f"{PASSPHRASE_FILE_VARIABLE} to a file that holds it.",
            wants_passphrase=True,
        )
    return _unsealed(file, given.value, given.variable or "That passphrase")


def _unsealed(file: Path, passphrase: str, named: str) -> Key:
    from localmem.store import sealed

    try:
        value = sealed.unseal(file, lambda salt: derived(passphrase, salt))
    except StoreLocked:
        return Key(
            None,
            f"{named} does not open {file}.",
            hint=f"Try again. If it is the right one, the file is damaged: {_ANEW}",
            wants_passphrase=True,
        )
    except StoreError as problem:
        return Key(None, problem.message, hint=problem.hint or _ANEW[0].upper() + _ANEW[1:])
    except MemoryError:
        return Key(None, _NO_MEMORY, hint=f"Close other programs; or {_MACHINES}.")
    return read_account_key(value, f"What {file.name} holds")


def _remove(file: Path) -> tuple[bool, str]:
    """Whether the file was there, and "" or why it could not be removed, a sentence."""
    if not file.parent.is_dir():
        return False, ""
    from localmem.store import sealed

    try:
        return sealed.remove(file), ""
    except StoreError as problem:
        return False, f"{problem.message} {problem.hint}".strip()
