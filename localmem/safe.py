"""The library as a file of the person's: encrypt it, open it on another machine, bring it back.

Knows where its key is kept, which neither the store nor a surface does. The key is in the keyring
before the first page is encrypted with it, and stays there after decrypting, for the backups that
were made meanwhile. Refuses to encrypt when the key could not be had again.
"""

from __future__ import annotations

import secrets
from collections.abc import Callable, Iterator, Mapping
from contextlib import AbstractContextManager, contextmanager
from dataclasses import dataclass, field
from datetime import UTC, datetime
from pathlib import Path

from localmem import credentials, ids
from localmem.core import recovery_key
from localmem.core.model import Actor
from localmem.errors import InvalidInput, RestoreFailed, StoreLocked, StoreReadOnly
from localmem.store import connect, encryption, restoring
from localmem.store.sqlite import open_store

KEYRING = "keyring"
NOWHERE = ""


@dataclass(frozen=True, slots=True)
class Encrypting:
    """An encrypted copy that is ready to take the library's place."""

    recovery_key: str = field(repr=False)
    kept_in: str
    """`KEYRING`, the name of an environment variable, or `NOWHERE`."""
    known: bool
    """The key was there before: other libraries and backups may have the same."""
    other_names: bool
    """The plain file has a second name on the disk, which stays as it is."""
    finish: Callable[[], None]


WITHOUT_KEYRING = (
    f"set {credentials.LIBRARY_VARIABLE} to your recovery key, or "
    f"{credentials.LIBRARY_FILE_VARIABLE} to a file that holds it"
)
"""What opens an encrypted library where no keyring is, as part of a sentence."""


@dataclass(frozen=True, slots=True)
class Safe:
    library: Path
    environment: Mapping[str, str] = field(repr=False)
    allow_network: bool
    by: Actor
    """Who does it, for the activity log."""

    def is_encrypted(self) -> bool:
        """Raises StoreDamaged, StoreUnavailable, StoreNewer."""
        return connect.look(self.library)

    @contextmanager
    def encrypting(self, *, keyring: bool) -> Iterator[Encrypting]:
        """Make ready to encrypt; without `keyring` the key is kept nowhere but with the person.

        Raises StoreLocked when no key can be kept, StoreBusy, StoreFull and others; all is as it
        was then.
        """
        self._open_once()
        key, kept_in, known = self._key_to_encrypt_with(keyring)
        shared = encryption.has_other_names(self.library)
        with encryption.converting(self.library, old=None, new=key) as swap:

            def finish() -> None:
                if kept_in == KEYRING and self.key() != key:
                    raise _cannot_keep("Another localmem put another key into the keyring.")
                swap()

            yield Encrypting(recovery_key.written(key), kept_in, known, shared, finish)

    def decrypt(self) -> None:
        """Raises StoreLocked, StoreBusy, StoreFull and others; all is as it was then."""
        self._open_once()
        with encryption.converting(self.library, old=self.key(), new=None) as finish:
            finish()

    def unlock(self, typed: str, beside: Path | None = None, *, replace: bool = False) -> bool:
        """Keep a recovery key in the keyring, once it opens the library or the file `beside`.

        False when there was nothing to try it on. Raises InvalidInput for what is no key, and
        when the keyring holds another one that is not to be replaced; StoreLocked and others.
        """
        key = recovery_key.read(typed)
        file = beside or self.library
        encrypted = file.is_file() and connect.look(file)
        if encrypted:
            with connect.translated(str(file)):
                connect.looking(file, key).close()
        held = credentials.library_key({})
        if held.value is not None and held.value != recovery_key.written(key) and not replace:
            raise InvalidInput(
                "The keyring holds the key of another library already.",
                hint="`--replace` puts this one in its place: have the other recovery key written "
                f"down first. Or set {credentials.LIBRARY_VARIABLE} for this library.",
            )
        self._keep(key)
        return encrypted

    def check_keyring(self, otherwise: str = "") -> None:
        """Raises StoreLocked when no keyring could keep a key, before anything is asked.

        `otherwise` says what to do then, in place of encrypting without one.
        """
        why = "" if self._set() else credentials.library_key({}).why
        if why:
            raise _cannot_keep(why, otherwise)

    def is_plain(self) -> bool:
        """Whether a library is there that opens without a key."""
        return self.library.is_file() and not self.is_encrypted()

    def forget_key(self) -> str:
        """Take the key out of the keyring; "" or why that failed, a sentence."""
        return credentials.drop_library_key()

    def key(self) -> bytes:
        """The key of the encrypted library. Raises StoreLocked."""
        return library_key(self.environment)

    def contents(self, backup: Path) -> restoring.Contents:
        """What a backup holds, once it is found whole. Raises RestoreFailed, StoreLocked, ..."""
        return restoring.contents(backup, self.key)

    def present(self) -> restoring.Contents | str | None:
        """What the library holds now: a sentence when it cannot be read, None when there is none.

        Raises StoreNewer, StoreUnavailable.
        """
        try:
            if not self.library.exists():
                return None
            return restoring.contents(self.library, self.key)
        except (RestoreFailed, StoreLocked):
            return "a library that cannot be read"

    def restoring(
        self, backup: Path, *, forgotten_too: bool
    ) -> AbstractContextManager[restoring.Restoring]:
        """Make ready to bring a backup back. Raises what `store.restoring` does."""
        connect.refuse_network(self.library, allowed=self.allow_network)
        now = datetime.fromtimestamp(ids.now() / 1000, UTC)
        return restoring.restoring(
            self.library.resolve(),
            backup,
            ids.now,
            key=self.key,
            kept_as=self.library.resolve().with_name(f"before-restore-{now:%Y%m%dT%H%M%SZ}.db"),
            by=self.by,
            forgotten_too=forgotten_too,
        )

    def _open_once(self) -> None:
        """Made when it is not there, brought to this schema, and refused for what `open_store`
        refuses."""
        store = open_store(self.library, ids.now, allow_network=self.allow_network, key=self.key)
        read_only = store.read_only
        store.close()
        if read_only:
            raise StoreReadOnly(
                f"{self.library} can only be read, so it cannot be written anew.",
                hint="Make the file and its folder writable, then try again.",
            )

    def _key_to_encrypt_with(self, keyring: bool) -> tuple[bytes, str, bool]:
        """The key, where it is kept, and whether it was there before."""
        held = credentials.library_key(self.environment) if keyring or self._set() else None
        if held is not None and held.value is not None:
            return _read(held), held.variable or KEYRING, True
        if held is not None and held.why:
            raise _cannot_keep(held.why)
        key = secrets.token_bytes(recovery_key.KEY_BYTES)
        if keyring:
            self._keep(key)
        return key, KEYRING if keyring else NOWHERE, False

    def _set(self) -> bool:
        names = (credentials.LIBRARY_VARIABLE, credentials.LIBRARY_FILE_VARIABLE)
        return any(self.environment.get(name) for name in names)

    def _keep(self, key: bytes) -> None:
        why = credentials.keep_library_key(recovery_key.written(key))
        if why:
            raise _cannot_keep(why)


def library_key(environment: Mapping[str, str]) -> bytes:
    """The key of this person's encrypted library. Raises StoreLocked."""
    held = credentials.library_key(environment)
    if held.value is None:
        raise StoreLocked(
            f"Your library is encrypted, and {_why(held.why)}",
            hint=f"Unlock the keyring and start again, or {WITHOUT_KEYRING}."
            if held.why
            else f"Type your recovery key into `localmem config unlock`, or {WITHOUT_KEYRING}.",
        )
    return _read(held)


def _why(why: str) -> str:
    return why[0].lower() + why[1:] if why else "its key is not in the keyring."


def _read(held: credentials.Key) -> bytes:
    try:
        return recovery_key.read(held.value or "")
    except InvalidInput as problem:
        place = held.variable or "The keyring"
        raise StoreLocked(f"{place} holds no key of a library. {problem.message}",
                          hint=problem.hint) from problem  # fmt: skip


def _cannot_keep(why: str, otherwise: str = "") -> StoreLocked:
    return StoreLocked(
        f"The key cannot be kept, so nothing was changed. {why}",
        hint=otherwise
        or "Unlock the keyring and try again. On a machine without one, `localmem config encrypt "
        f"--no-keyring` gives you a key for {credentials.LIBRARY_VARIABLE}.",
    )
