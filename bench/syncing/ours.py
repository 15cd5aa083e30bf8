"""localmem's own sync: `localmem serve` as a process of its own, two libraries that take turns.

Not there yet. To fill it in: a class that is a `protocol.System`, and in `opened` a server through
`processes.served` whose app stands behind `counting.CountedAsgi` (as peers/served.py puts vectors
into the server that is otherwise `localmem serve` as it is), an account and its key, and a library
for each device. `tally` is the server's and `time.process_time` where the engine runs in this
process: `Tally(*self._server.spent(), time.process_time())`.
"""

from __future__ import annotations

from contextlib import AbstractContextManager
from pathlib import Path

from syncing.protocol import NotThere, System


def opened(folder: Path, peers: Path) -> AbstractContextManager[System]:
    raise NotThere("the sync engine is not there yet")
