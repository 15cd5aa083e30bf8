"""Writes the tables of keys and settings into the README and docs/ from the app's own tables."""

import re
from collections.abc import Callable, Mapping
from pathlib import Path

from localmem.config import SETTINGS
from localmem.tui.actions import ACTIONS, key_label, key_table

ROOT = Path(__file__).parents[1]


def names_table() -> str:
    """Every action by the name it has in `[keys]`."""
    lines = ["| Name | Keys | Action | Where |", "|---|---|---|---|"]
    for action in ACTIONS:
        keys = ", ".join(f"`{key_label(key)}`" for key in action.keys) or "none"
        where = ", ".join((*action.places, *action.beside))
        lines.append(f"| `{action.id}` | {keys} | {action.label} | {where} |")
    return "\n".join(lines)


def settings_table() -> str:
    lines = ["| Key | Type | Default | Variable | What it means |", "|---|---|---|---|---|"]
    for name, each in SETTINGS.items():
        default = "none" if each.kind == "table" or each.default == "" else f"`{each.default}`"
        variable = f"`{each.variable}`" if each.variable else "none"
        lines.append(f"| `{name}` | {each.kind} | {default} | {variable} | {each.meaning} |")
    return "\n".join(lines)


TABLES: Mapping[Path, tuple[str, Callable[[], str]]] = {
    ROOT / "README.md": ("keys", key_table),
    ROOT / "docs" / "keys.md": ("keys", names_table),
    ROOT / "docs" / "settings.md": ("settings", settings_table),
}


def written(text: str, mark: str, table: str) -> str:
    """`text` with the table between its markers."""
    return re.sub(
        rf"(?<=<!-- {mark} -->\n).*?(?=<!-- /{mark} -->)",
        lambda _: table.strip() + "\n",
        text,
        flags=re.DOTALL,
    )


if __name__ == "__main__":
    for page, (mark, table) in TABLES.items():
        page.write_text(written(page.read_text("utf-8"), mark, table()), "utf-8")
