"""The lowest version that pyproject.toml allows of each dependency, as pip constraints."""

import re
import sys
import tomllib
from pathlib import Path

file = Path(__file__).parents[1] / "pyproject.toml"
for requirement in tomllib.loads(file.read_text("utf-8"))["project"]["dependencies"]:
    found = re.match(r"([\w.-]+)(?:\[[^]]*\])?(?:>=|==)([\w.]+)", requirement)
    if found is None:
        sys.exit(f"no lower bound in {requirement!r}")
    sys.stdout.write(f"{found[1]}=={found[2]}\n")
