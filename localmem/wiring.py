"""The composition root: the only reader of the environment, the settings and the keyring.

Puts store, model and engine together for a surface; imports each part when it is needed, so that
a command which only reads words loads no model, no numpy and no httpx.
"""

from __future__ import annotations

import os
import threading
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field, replace
from datetime import tzinfo
from pathlib import Path
from typing import TYPE_CHECKING

from localmem import config, ids
from localmem import paths as places
from localmem.core.model import Actor, AuthorKind, Origin
from localmem.engine import Engine
from localmem.errors import InvalidInput, InvalidSettings, ModelUnavailable, StoreBusy
from localmem.store.connect import MEMORY
from localmem.store.sqlite import copy_unopened, look_into, open_store

if TYPE_CHECKING:
    from localmem.config.address import Address
    from localmem.config.book import Book
    from localmem.core.hosting_ports import Hosting
    from localmem.core.ports import Clock, Embedder
    from localmem.core.syncing import Background, Syncing
    from localmem.credentials import Dropped, Kept, Key, Whereabouts
    from localmem.doctor import Patient
    from localmem.hosting.issuing import Issuing
    from localmem.safe import Safe
    from localmem.store.hosting.copying import BackedUp
    from localmem.store.hosting.restore import Restored
    from localmem.synchronise import Synchroniser

YOU = "you"
"""How the person is named in their own library."""
SERVER = "server"
"""How a server is named where it acts for nobody."""
ENDPOINT = "openai:"
"""Models that may need a key begin so."""


@dataclass(frozen=True, slots=True)
class Home:
    """Where this person's library is and how it is set up."""

    paths: places.Paths
    settings: config.Settings
    allow_network: bool
    environment: Mapping[str, str] = field(repr=False)
    """May hold keys, so it is never shown."""
    problems: tuple[str, ...] = ()
    """Sentences about settings that were passed over; the app and the command line show them."""

    def at(self, library: Path) -> Home:
        """The same settings with another library."""
        return replace(self, paths=self.paths._replace(library=library))

    @property
    def book(self) -> Book:
        """The settings, to be listed and changed."""
        from localmem.config.book import Book

        return Book(self.paths.settings, self.environment, check_model)


def home(environment: Mapping[str, str] = os.environ) -> Home:
    """Read the environment and the settings, of which nothing keeps a person from their memories.

    Raises InvalidSettings when LOCALMEM_HOME cannot be a folder.
    """
    found = _places(environment)
    held = config.understand(found.settings, environment)
    return Home(
        found,
        held.settings,
        allow_network=environment.get("LOCALMEM_ALLOW_NETWORK") == "1",
        environment=environment,
        problems=held.problems,
    )


def _places(environment: Mapping[str, str]) -> places.Paths:
    """Raises InvalidSettings."""
    named = environment.get("LOCALMEM_HOME", "")
    try:
        found = places.paths(environment)
        str(found.library).encode()
    except RuntimeError as problem:
        raise InvalidSettings(
            f"LOCALMEM_HOME is {named[:200]!r}, and no such user is known here.",
            hint="Write the whole path of a folder.",
        ) from problem
    except UnicodeEncodeError as problem:
        raise InvalidSettings(
            f"The library's folder, {str(found.library.parent)[:200]!r}, has a name that is not "
            "UTF-8.",
            hint="Set LOCALMEM_HOME to another folder.",
        ) from problem
    if named:
        _refuse_a_file(found.library.parent)
    return found


def _refuse_a_file(home: Path) -> None:
    """A folder that is not there yet is made later; a file where it would be never gives way."""
    there = next((each for each in (home, *home.parents) if os.path.lexists(each)), home)
    if os.path.lexists(there) and not os.path.isdir(there):
        raise InvalidSettings(
            f"LOCALMEM_HOME needs {there} to be a folder, and it is none.",
            hint="Set LOCALMEM_HOME to a folder, or to one that can be made.",
        )


def zone() -> tzinfo:
    """The person's own zone, for the days they name and the times they are shown."""
    return ids.LocalZone()


def person(origin: Origin) -> Actor:
    """The owner of the library, at their own keyboard."""
    return Actor(AuthorKind.PERSON, YOU, origin)


def open_engine(home: Home, actor: Actor, *, long_lived: bool, meaning: bool = True) -> Engine:
    """The person's library. `long_lived` keeps vectors in memory for many searches.

    Raises StoreError subclasses. The model is loaded later, when it is first asked for.
    """
    store = open_store(
        home.paths.library,
        ids.now,
        cached=long_lived,
        allow_network=home.allow_network,
        key=library_key(home),
    )
    load = loader(home, home.settings.model) if meaning else None
    return Engine(store, ids.now, ids.TimeOrderedIds(), actor, load_embedder=load)


def library_key(home: Home) -> Callable[[], bytes]:
    """Fetches the key of an encrypted library, when it is one: the keyring is asked only then."""

    def fetch() -> bytes:
        from localmem import safe

        return safe.library_key(home.environment)

    return fetch


def safe(home: Home) -> Safe:
    """The library as a file: to be encrypted, unlocked and brought back from a backup."""
    from localmem.safe import Safe

    by = person(Origin.CLI)
    return Safe(home.paths.library, home.environment, home.allow_network, by)


def open_to_look(home: Home, actor: Actor, *, ask: bool = True) -> Engine:
    """The library as it is, words only: nothing is made, upgraded or written.

    Without `ask` the keyring is not asked for a key. Raises StoreError subclasses.
    """
    key = library_key(home) if ask else None
    store = look_into(home.paths.library, ids.now, key=key)
    return Engine(store, ids.now, ids.TimeOrderedIds(), actor)


def open_in_memory(home: Home, actor: Actor, *, clock: Clock | None = None) -> Engine:
    """An empty library that no file holds, for tests of programs that use one."""
    kept_time = clock or ids.now
    store = open_store(MEMORY, kept_time, cached=True)
    made = ids.TimeOrderedIds(kept_time)
    return Engine(store, kept_time, made, actor, load_embedder=_unkept_model(home))


def clock() -> Clock:
    """This machine's."""
    return ids.now


def server_folder(home: Home) -> Path:
    """Where a server of this person keeps everything, unless it is told otherwise."""
    return home.paths.library.parent / "server"


def open_hosting(home: Home, folder: Path) -> Hosting:
    """The database of the server in that folder, made when there is none. Raises StoreError."""
    from localmem.store.hosting import restore
    from localmem.store.hosting.database import open_hosting as open_database

    restore.settle(folder)
    return open_database(folder / "server.db", allow_network=home.allow_network)


@contextmanager
def serving(folder: Path) -> Iterator[None]:
    """Alone to serve from the folder. Raises StoreBusy, StoreUnavailable."""
    from localmem.store.hosting import place, restore

    with place.alone(folder):
        restore.settle_alone(folder)
        yield


def back_up_server(folder: Path, target: Path) -> BackedUp:
    """Copy a whole server, running or not. Raises BackupFailed, StoreBusy, StoreNewer."""
    from localmem.store.hosting import copying, restore

    restore.settle(folder)
    return copying.back_up(folder, target, ids.now)


def restore_server(folder: Path, backup: Path) -> Restored:
    """Bring a whole server back. Raises RestoreFailed, StoreBusy and others; all is as it was."""
    from localmem.hosting import admission
    from localmem.store.hosting import restore

    return restore.restore(folder, backup, ids.now, person(Origin.CLI), admission.epoch)


def issuing(store: Hosting) -> Issuing:
    """Who may use a server: to be changed by commands beside it."""
    from localmem.hosting.issuing import Issuing

    return Issuing(store, ids.now)


def space_opener(home: Home) -> Callable[[Path], Engine]:
    """Opens the libraries of a server, which share one model in memory."""
    load = _once(loader(home, home.settings.model))

    def open_space(file: Path) -> Engine:
        store = open_store(file, ids.now, cached=True, allow_network=home.allow_network)
        by = Actor(AuthorKind.BACKEND, SERVER, Origin.HTTP)
        return Engine(store, ids.now, ids.TimeOrderedIds(), by, load_embedder=load)

    return open_space


def erase_library(file: Path) -> None:
    """Remove a library that nobody has open, with all its files. Raises OSError."""
    from localmem.store import swap

    swap.erase(file)


def erase_removed(folder: Path) -> bool:
    """Erase the libraries of whoever was removed from the server in that folder; whether it was
    done: a server that runs there does it itself. Raises StoreError, OSError."""
    from localmem.store.hosting import removal

    try:
        with serving(folder):
            removal.erase(folder)
    except StoreBusy:
        return False
    return True


def _once(load: Callable[[], Embedder] | None) -> Callable[[], Embedder] | None:
    """Loads at the first call, on whatever thread, and answers with that from then on."""
    if load is None:
        return None
    held: list[Embedder] = []
    lock = threading.Lock()

    def loaded() -> Embedder:
        with lock:
            if not held:
                held.append(load())
            return held[0]

    return loaded


def open_demo(home: Home) -> Engine:
    """A made-up library in memory: nothing it does is kept, and no file is written for it.

    Its model is the one of the package, whatever the settings say, unless they say `none`.
    """
    from localmem import demo

    clock = demo.Rewound(ids.now)
    store = open_store(MEMORY, clock, cached=True)
    load = _unkept_model(home) if home.settings.model != config.NO_MODEL else None
    made = ids.TimeOrderedIds(clock)
    engine = Engine(store, clock, made, person(Origin.TUI), load_embedder=load)
    demo.fill(engine, clock, zone())
    return engine


def _unkept_model(home: Home) -> Callable[[], Embedder]:
    def load() -> Embedder:
        os.environ.setdefault("OPENBLAS_NUM_THREADS", "1")
        from localmem import embed

        return embed.load(cache_dir=home.paths.cache, keep=False)

    return load


def loader(home: Home, choice: str, *, keep: bool = True) -> Callable[[], Embedder] | None:
    """How to get the model that a setting names; None for words alone.

    Without `keep`, nothing of it is written to the cache.
    """
    if choice == config.NO_MODEL:
        return None

    def load() -> Embedder:
        # Before numpy is imported, which reads it once: a second thread gains a query half a
        # millisecond, and on a busy machine the two wait ten for each other.
        os.environ.setdefault("OPENBLAS_NUM_THREADS", "1")
        from localmem import embed

        key = _model_key(home) if choice.startswith(ENDPOINT) else None
        try:
            return embed.load(choice, cache_dir=home.paths.cache, api_key=key, keep=keep)
        except InvalidInput as problem:
            raise ModelUnavailable(
                f"{home.paths.settings}: {problem.message}", hint=problem.hint
            ) from problem

    return load


def patient(home: Home, actor: Actor, *, problems: Sequence[str] = ()) -> Patient:
    """What the doctor looks at; looking changes nothing of it.

    `problems` are a surface's own with the settings: keys that clash.
    """
    from localmem.doctor import Patient

    library, choice = home.paths.library, home.settings.model

    def copy(target: Path) -> None:
        copy_unopened(library, target)

    return Patient(
        paths=home.paths,
        environment=home.environment,
        problems=(*home.problems, *problems),
        model=choice,
        clock=ids.now,
        look=lambda: open_to_look(home, actor),
        open=lambda: open_engine(home, actor, long_lived=False),
        copy=copy,
        try_model=loader(home, choice, keep=False),
    )


def check_model(choice: str) -> None:
    """Raises InvalidSettings for a name that no adapter knows."""
    from localmem import embed

    if choice == config.NO_MODEL:
        return
    try:
        embed.check(choice)
    except InvalidInput as problem:
        raise InvalidSettings(problem.message, hint=f'{problem.hint[:-1]}, or "none".') from problem


def _model_key(home: Home) -> str | None:
    from localmem import credentials

    return credentials.model_key(home.environment).value


def read_address(text: str) -> Address:
    """The address of a memory API that a typed text means, or why it is none."""
    from localmem.config import address

    return address.read(text)


def read_account_key(text: str) -> Key:
    """The key of an account that a typed or pasted text holds, or why it is none."""
    from localmem import credentials

    return credentials.read_account_key(text)


def given_account_key(home: Home) -> Key:
    """The key that a machine was given in its environment; the keyring is not asked."""
    from localmem import credentials

    return credentials.given_account_key(home.environment)


def given_passphrase(home: Home) -> Key:
    """The passphrase that a machine was given for the file of the account's key."""
    from localmem import credentials

    return credentials.given_passphrase(home.environment)


def account_key(home: Home, *, passphrase: str | None = None) -> Key:
    """The key of the account. Asks the keyring: call it where a key is needed, and off a loop."""
    from localmem import credentials

    return credentials.account_key(home.environment, _folder(home), passphrase=passphrase)


def keep_account_key(home: Home, value: str, *, passphrase: str | None = None) -> Kept:
    """Keep the key in the keyring; with a passphrase, in an encrypted file instead."""
    from localmem import credentials

    return credentials.keep_account_key(
        value, home.environment, _folder(home), passphrase=passphrase
    )


def drop_account_key(home: Home) -> Dropped:
    """Take the key out of the keyring and remove the file."""
    from localmem import credentials

    return credentials.drop_account_key(home.environment, _folder(home))


def where_account_key(home: Home) -> Whereabouts:
    """Which places hold a key of the account."""
    from localmem import credentials

    return credentials.where_account_key(home.environment, _folder(home))


def _folder(home: Home) -> Path:
    return home.paths.library.parent


def synchroniser(home: Home) -> Synchroniser:
    """What synchronises this person's library, once a process."""
    from localmem.synchronise import AccountKey, Synchroniser

    def open_again() -> Engine:
        return open_engine(home, person(Origin.SYNC), long_lived=False, meaning=False)

    key = AccountKey(home.environment, _folder(home))
    return Synchroniser(home.paths.library, open_again, key)


def syncing(home: Home, engine: Engine) -> Syncing:
    """Synchronisation of an open library, for a command."""
    return synchroniser(home).of(engine)


def synchronising(home: Home) -> bool:
    """Whether somebody synchronises this person's library just now. Raises StoreUnavailable."""
    from localmem.synchronise import goes_on

    return goes_on(home.paths.library)


def background(home: Home) -> Background:
    """The sync that goes on until it is stopped; not started yet."""
    return synchroniser(home).background()
