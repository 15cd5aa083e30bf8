"""Writes the first shell command under a heading of the README, so that CI runs what it says."""

import re
import sys
from pathlib import Path

text = (Path(__file__).parents[1] / "README.md").read_text("utf-8")
section = text.partition(f"\n## {sys.argv[1]}\n")[2]
found = re.search(r"```sh\n(.+?)\n```", section, re.DOTALL)
if found is None:
    sys.exit(f"README has no command under {sys.argv[1]!r}")
sys.stdout.write(found[1] + "\n")
