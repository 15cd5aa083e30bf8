"""A process that dies by SIGKILL at its n-th step on the disk, sometimes in the middle of a write.

Steps are the system calls by which SQLite writes, cuts and removes files, counted below its cipher,
and the calls by which we put one file in another's place. So a kill can stand between any two of
them: a delay alone seldom meets the short ones.
"""

from __future__ import annotations

import ctypes
import os
import signal
from collections.abc import Callable
from pathlib import Path
from typing import Any

import apsw

_SIZE, _OFFSET = ctypes.c_size_t, ctypes.c_int64
_CALLS: dict[str, tuple[Any, ...]] = {
    "write": (ctypes.c_ssize_t, ctypes.c_int, ctypes.c_void_p, _SIZE),
    "pwrite64": (ctypes.c_ssize_t, ctypes.c_int, ctypes.c_void_p, _SIZE, _OFFSET),
    "pwrite": (ctypes.c_ssize_t, ctypes.c_int, ctypes.c_void_p, _SIZE, _OFFSET),
    "ftruncate": (ctypes.c_int, ctypes.c_int, _OFFSET),
    "unlink": (ctypes.c_int, ctypes.c_char_p),
}
"""Result and arguments; SQLite calls whatever its table of system calls holds."""
_MOVES = ((os, "replace"), (os, "rename"), (os, "fsync"), (Path, "unlink"))


class Steps:
    """Counts; at step `last` the process is gone. `torn`: a write that dies is half done."""

    def __init__(self, last: int, *, torn: bool) -> None:
        self._last = last
        self._torn = torn
        self._taken = 0
        self._held: list[object] = []
        """What SQLite calls must not be collected."""

    def watch(self) -> None:
        """From now on, for every file this process writes."""
        system = apsw.VFS("dying", "unix")
        self._held.append(system)
        for name, types in _CALLS.items():
            if pointer := system.xGetSystemCall(name):
                made = ctypes.CFUNCTYPE(*types)
                call = made(self._step(made(pointer), torn="write" in name))
                self._held.append(call)
                system.xSetSystemCall(name, ctypes.cast(call, ctypes.c_void_p).value)
        for place, name in _MOVES:
            setattr(place, name, self._step(getattr(place, name), torn=False))

    def _step(self, real: Callable[..., Any], *, torn: bool) -> Callable[..., Any]:
        def step(*arguments: Any, **named: Any) -> Any:
            self._taken += 1
            if self._taken == self._last:
                if torn and self._torn:
                    file, data, size, *offset = arguments
                    real(file, data, size // 2, *offset)
                os.kill(os.getpid(), signal.SIGKILL)
            return real(*arguments, **named)

        return step
