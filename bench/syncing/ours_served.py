"""`localmem serve` as it is, its requests counted: `python -m syncing.ours_served FOLDER`."""

from __future__ import annotations

import sys
from pathlib import Path
from typing import Any

sys.path.insert(0, str(Path(__file__).parents[2]))

from localmem import wiring
from localmem.server import main as serving
from syncing.counting import CountedAsgi

config_of = serving.config_of


def counted(app: Any, *others: Any) -> Any:
    return config_of(CountedAsgi(app), *others)  # type: ignore[arg-type]


def tell(url: str, has_keys: bool) -> None:
    sys.stdout.write(f"{url}\n")
    sys.stdout.flush()


serving.config_of = counted
serving.run(wiring.home(), serving.Options(Path(sys.argv[1]), port=0), tell)
