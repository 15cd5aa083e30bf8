"""A WSGI app on a free port of loopback, counted; prints its address once it listens."""

from __future__ import annotations

import sys
from typing import Any

from waitress import create_server  # type: ignore[import-untyped]

from syncing.counting import CountedWsgi


def run(app: Any) -> None:
    server = create_server(
        CountedWsgi(app), host="127.0.0.1", port=0, threads=8, max_request_body_size=1 << 30
    )
    sys.stdout.write(f"http://127.0.0.1:{server.effective_port}\n")
    sys.stdout.flush()
    server.run()
