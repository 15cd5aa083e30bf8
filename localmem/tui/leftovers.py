"""What an app that was killed left behind in the terminal, put right before the next one (FR-88).

Nobody can restore a terminal after SIGKILL: every move of the mouse is typed into the shell then.
The next start is the first chance. Refuses to write to anything that is no terminal.
"""

from __future__ import annotations

from typing import Final, TextIO

_MOUSE: Final = (1000, 1002, 1003, 1015, 1006, 1016)
_OTHERS: Final = (2004, 1004, 2048)
"""Paste in brackets, focus that comes and goes, a window's new size told in band."""
_OWN_KEYS_OFF: Final = "\x1b[<u"
_SHOW_CURSOR: Final = "\x1b[?25h"
CLEAN: Final = (
    "".join(f"\x1b[?{mode}l" for mode in (*_MOUSE, *_OTHERS)) + _OWN_KEYS_OFF + _SHOW_CURSOR
)


def clear(terminal: TextIO | None) -> None:
    """Take back the modes of a run before this one; the mouse first, it does the most harm."""
    if terminal is not None and terminal.isatty():
        terminal.write(CLEAN)
        terminal.flush()
