"""What a command runs in: its console, whether it answers in JSON, and the person's library.

Opening is the only thing here that costs; `localmem --help` never does it.
"""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from datetime import tzinfo
from pathlib import Path
from typing import TYPE_CHECKING

from localmem.cli.console import Console
from localmem.core.model import Origin
from localmem.errors import StoreError

if TYPE_CHECKING:
    from localmem.config.address import Address
    from localmem.core.syncing import Background, Syncing
    from localmem.credentials import Key, Whereabouts
    from localmem.doctor import Patient
    from localmem.engine import Engine
    from localmem.hosting.issuing import Issuing
    from localmem.safe import Safe
    from localmem.store.hosting.copying import BackedUp
    from localmem.store.hosting.restore import Restored
    from localmem.synchronise import Synchroniser
    from localmem.wire.shapes import Shape
    from localmem.wiring import Home


@dataclass(slots=True)
class Session:
    console: Console
    as_json: bool = False
    """Set by the command's own `--json`."""
    typed: str = ""
    """A query, for pointing at the place an error names."""
    completing: bool = False
    """The shell asks while somebody types: nothing may be said."""
    _home: Home | None = field(default=None, init=False, repr=False)
    """Read once, so that a mistake in the settings is said once."""
    _synchroniser: Synchroniser | None = field(default=None, init=False, repr=False)

    def home(self, *, quiet: bool = False) -> Home:
        """Where the library is and how it is set up; what is wrong with that is said, once.

        `quiet` for the app, which says it itself.

        Raises InvalidSettings when there can be no library at all.
        """
        if self._home is None:
            from localmem import wiring

            self._home = wiring.home()
            if not self.completing and not quiet:
                for problem in self._home.problems:
                    self.warn(problem)
        return self._home

    def patient(self) -> Patient:
        """What `doctor` looks at. Raises InvalidSettings when there can be no library at all."""
        from localmem import wiring
        from localmem.cli.settings import key_problems

        home = wiring.home()
        problems = key_problems(home.settings.keys)
        return wiring.patient(home, wiring.person(Origin.CLI), problems=problems)

    def settings_changed(self) -> None:
        """Read them again, without saying again what was said."""
        self._home = None
        self.home(quiet=True)

    @contextmanager
    def glancing(self) -> Iterator[Engine]:
        """The library as it is, for the shell that completes: nothing is made, asked or waited for.

        Raises StoreError, InvalidSettings.
        """
        from localmem import wiring

        engine = wiring.open_to_look(self.home(), wiring.person(Origin.CLI), ask=False)
        try:
            yield engine
        finally:
            engine.close()

    def safe(self) -> Safe:
        """The library as a file. Raises InvalidSettings."""
        from localmem import wiring

        return wiring.safe(self.home())

    def server_folder(self) -> Path:
        """Where the person's own server keeps everything. Raises InvalidSettings."""
        from localmem import wiring

        return wiring.server_folder(self.home())

    @contextmanager
    def issuing(self, folder: Path) -> Iterator[Issuing]:
        """Who may use the server in that folder, to be seen and changed. Raises StoreError."""
        from localmem import wiring

        store = wiring.open_hosting(self.home(), folder)
        try:
            yield wiring.issuing(store)
        finally:
            store.close()

    def erase_removed(self, folder: Path) -> bool:
        """Whether it was done; a server that runs there does it itself. Raises StoreError."""
        from localmem import wiring

        return wiring.erase_removed(folder)

    def back_up_server(self, folder: Path, target: Path) -> BackedUp:
        """Raises BackupFailed, StoreError."""
        from localmem import wiring

        return wiring.back_up_server(folder, target)

    def restore_server(self, folder: Path, backup: Path) -> Restored:
        """Raises RestoreFailed, StoreError; all is as it was then."""
        from localmem import wiring

        return wiring.restore_server(folder, backup)

    @contextmanager
    def reading(self) -> Iterator[Engine]:
        """The library for a command that only looks. Raises StoreError, InvalidSettings."""
        with self._opened(meaning=False) as engine:
            yield engine

    @contextmanager
    def writing(self) -> Iterator[Engine]:
        """The library for a command that changes it; afterwards what expired is erased."""
        with self._opened(meaning=False) as engine:
            self._tell_notes(engine)
            yield engine
            try:
                engine.maintain()
            except StoreError:
                return  # what was asked for is done; the next command tries the rest again

    @contextmanager
    def searching(self, *, meaning: bool) -> Iterator[Engine]:
        """The library with its model at hand, loaded when it is first needed."""
        with self._opened(meaning=meaning) as engine:
            self._tell_notes(engine)
            yield engine

    @contextmanager
    def _opened(self, *, meaning: bool) -> Iterator[Engine]:
        from localmem import wiring

        engine = wiring.open_engine(
            self.home(), wiring.person(Origin.CLI), long_lived=False, meaning=meaning
        )
        try:
            yield engine
        finally:
            engine.close()

    def syncing(self, engine: Engine) -> Syncing:
        """Synchronisation of the open library."""
        return self._once().of(engine)

    def background(self) -> Background:
        """The sync that runs on a thread of its own; not started yet."""
        return self._once().background()

    def synchronising(self) -> bool:
        """Whether a localmem, this one or another, synchronises the library just now."""
        from localmem import wiring

        return wiring.synchronising(self.home())

    def _once(self) -> Synchroniser:
        """One a command: a passphrase that was typed holds for all of it."""
        if self._synchroniser is None:
            from localmem import wiring

            self._synchroniser = wiring.synchroniser(self.home())
        return self._synchroniser

    def address(self, text: str) -> Address:
        """The address of a memory API that a typed text means, or why it is none."""
        from localmem import wiring

        return wiring.read_address(text)

    def read_account_key(self, text: str) -> Key:
        """The key that a typed text holds, or why it is none."""
        from localmem import wiring

        return wiring.read_account_key(text)

    def given_account_key(self) -> Key:
        """The key that this machine was given in its environment."""
        from localmem import wiring

        return wiring.given_account_key(self.home())

    def given_passphrase(self) -> Key:
        """The passphrase that this machine was given for the file of the account's key."""
        from localmem import wiring

        return wiring.given_passphrase(self.home())

    def account_key(self) -> Key:
        """The key of the account, as far as it can be had unasked. Asks the keyring."""
        from localmem import wiring

        return wiring.account_key(self.home())

    def where_account_key(self) -> Whereabouts:
        """Which places hold a key of the account. Asks the keyring."""
        from localmem import wiring

        return wiring.where_account_key(self.home())

    def floor(self) -> float:
        """The person's own floor for hits. Raises InvalidSettings."""
        return self.home().settings.floor

    def zone(self) -> tzinfo:
        from localmem import wiring

        return wiring.zone()

    def answer(self, shape: Shape, lines: list[str]) -> None:
        """The command's data: the shape with `--json`, otherwise the lines."""
        if self.as_json:
            self.console.json(shape)
            return
        for line in lines:
            self.console.line(line)

    def done(self, sentence: str) -> None:
        """That it worked: for somebody who watches, never for a script's log."""
        if self.console.watched and not self.as_json:
            self.console.tell(sentence)

    def warn(self, sentence: str) -> None:
        self.console.tell(sentence)

    def _tell_notes(self, engine: Engine) -> None:
        for note in engine.notes:
            self.warn(note)
