"""A process that turns a library over and dies by SIGKILL at one of its steps, for tests.

Says how many steps there are when it lives to the end.
"""

from __future__ import annotations

import os
import signal
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

from localmem.safe import Safe
from localmem.store import cipher, encryption, folder, swap
from tests.support.library import PERSON


class Steps:
    """Counts the calls that change something on the disk, and dies before or after one of them."""

    def __init__(self, last: int) -> None:
        self.last = last
        self.taken = 0

    def watch(self, place: object, name: str) -> None:
        real: Callable[..., Any] = getattr(place, name)

        def step(*arguments: Any, **named: Any) -> Any:
            self.take()
            result = real(*arguments, **named)
            self.take()
            return result

        setattr(place, name, step)

    def take(self) -> None:
        self.taken += 1
        if self.taken == self.last:
            os.kill(os.getpid(), signal.SIGKILL)


def main(path: str, task: str, last: int) -> None:
    steps = Steps(last)
    for place, name in (
        (cipher, "copy_into"), (cipher, "unlock"), (encryption, "held"), (folder, "sync"),
        (folder, "make_private_file"), (os, "replace"), (os, "fsync"), (os, "write"),
        (swap, "_take"), (Path, "unlink"),
    ):  # fmt: skip
        steps.watch(place, name)
    safe = Safe(Path(path), os.environ, allow_network=False, by=PERSON)
    if task == "encrypt":
        with safe.encrypting(keyring=False) as ready:
            ready.finish()
    elif task == "decrypt":
        safe.decrypt()
    else:
        with safe.restoring(Path(task), forgotten_too=False) as restoring:
            restoring.finish()
    sys.stdout.write(f"{steps.taken}\n")


if __name__ == "__main__":
    main(sys.argv[1], sys.argv[2], int(sys.argv[3]))
