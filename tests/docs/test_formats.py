"""The page on import names every kind of file that is read."""

from __future__ import annotations

from pathlib import Path

from localmem import portable
from localmem.portable import records

PAGE = (Path(__file__).parents[2] / "docs" / "import-export.md").read_text("utf-8")


def test_every_name_that_from_takes_is_documented() -> None:
    assert [name for name, _ in portable.format_names() if f"`{name}`" not in PAGE] == []


def test_every_field_that_holds_a_text_is_documented() -> None:
    assert [name for name in records.TEXT if f"`{name}`" not in PAGE] == []
