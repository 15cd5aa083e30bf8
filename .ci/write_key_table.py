"""Writes the key table of the README from the app's action table: run it when a key changes."""

import re
from pathlib import Path

from localmem.tui.actions import key_table

README = Path(__file__).parents[1] / "README.md"


def written(text: str) -> str:
    """`text` with the table between its markers."""
    return re.sub(
        r"(?<=<!-- keys -->\n).*?(?=<!-- /keys -->)",
        lambda _: key_table().strip() + "\n",
        text,
        flags=re.DOTALL,
    )


if __name__ == "__main__":
    README.write_text(written(README.read_text("utf-8")), "utf-8")
