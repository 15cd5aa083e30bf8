"""What a system does for the bench: two devices that hold records, one server between them.

A file of a system has `opened`, a context manager that starts the server and both devices, empty,
and gives the `System`; what has to be set up once a device (an account, a collection) happens in
there and is no request of any step. A system never times itself: the bench does, in `trial.py`.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from contextlib import AbstractContextManager
from pathlib import Path
from typing import Literal, NamedTuple, Protocol

from syncing.records import Record

Device = Literal["A", "B"]
"""A is the one that has the records first; B comes later."""


class NotThere(Exception):
    """This system cannot be measured here. The text says why, to a person."""


class Tally(NamedTuple):
    """What was spent since the start, by the server and by all devices."""

    requests: int
    server: float
    """Seconds of the processor."""
    client: float
    """Of all devices together."""


class System(Protocol):
    def hold(self, device: Device, records: Sequence[Record]) -> None:
        """Write them on the device as its person does; nothing is sent."""
        ...

    def change(self, device: Device, key: str, text: str) -> None:
        """On the device; nothing is sent."""
        ...

    def delete(self, device: Device, key: str) -> None:
        """On the device; nothing is sent."""
        ...

    def sync(self, device: Device) -> None:
        """One whole run in both directions. An exception if it was not a success."""
        ...

    def held(self, device: Device) -> Mapping[str, str]:
        """The text of every record on the device, by its key."""
        ...

    def tally(self) -> Tally:
        """Once no request is under way any more: some clients leave a few behind them."""
        ...


Opened = Callable[[Path, Path], AbstractContextManager[System]]
"""Of a folder for its files and the folder the peers are installed in."""
