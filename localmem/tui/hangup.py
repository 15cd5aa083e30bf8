"""A terminal that goes away under the app, or that the app is taken from and given back (FR-88).

When a window is closed the system sends SIGHUP and then SIGCONT, and every write fails. Textual
starts a second time over the first on SIGCONT, and its thread that writes ends at the first failed
write, so that the app then waited for ever with the library open. Here what cannot be written is
dropped, the app leaves as on a signal, and going on after SIGSTOP starts anew only what was ended.
"""

from __future__ import annotations

import signal
import termios
from contextlib import suppress
from functools import partial
from typing import TYPE_CHECKING, Any, TextIO, cast

from textual.drivers.linux_driver import LinuxDriver

if TYPE_CHECKING:
    from localmem.tui.app import LocalmemApp


class PatientDriver(LinuxDriver):
    """Textual's, over a terminal that may be gone."""

    def __init__(
        self,
        app: LocalmemApp,
        *,
        debug: bool = False,
        mouse: bool = True,
        size: tuple[int, int] | None = None,
    ) -> None:
        super().__init__(app, debug=debug, mouse=mouse, size=size)
        self._file = cast(Any, Forgiving(cast(TextIO, self._file)))
        self._leave = partial(app.leave, at_once=True)
        self._redraw = partial(app.refresh, layout=True)
        self._begun = self._away = False
        signal.signal(signal.SIGCONT, self._continued)

    def start_application_mode(self) -> None:
        super().start_application_mode()  # type: ignore[no-untyped-call]
        self._begun, self._away = True, False

    def stop_application_mode(self) -> None:
        self._begun = False
        super().stop_application_mode()

    def suspend_application_mode(self) -> None:
        self._away = True
        super().suspend_application_mode()

    def _continued(self, *_: Any) -> None:
        """On the loop: the signal may have come in the middle of a write."""
        self._loop.call_soon_threadsafe(self._go_on)

    def _go_on(self) -> None:
        if self._begun and not self._gone:  # stopped from outside, and nothing was told
            self.suspend_application_mode()
        if self._away and not self._gone:
            self._sigcont_application()
        if self._begun:
            self._redraw()

    @property
    def _gone(self) -> bool:
        try:
            termios.tcgetattr(self.fileno)
        except termios.error:
            return True
        return False

    def run_input_thread(self) -> None:
        try:
            super().run_input_thread()
        except OSError:
            self._loop.call_soon_threadsafe(self._leave)


class Forgiving:
    """A file whose reader may be gone."""

    def __init__(self, file: TextIO) -> None:
        self._file = file

    def write(self, text: str) -> int:
        with suppress(OSError):
            return self._file.write(text)
        return len(text)

    def flush(self) -> None:
        with suppress(OSError):
            self._file.flush()

    def fileno(self) -> int:
        return self._file.fileno()

    def isatty(self) -> bool:
        return self._file.isatty()
