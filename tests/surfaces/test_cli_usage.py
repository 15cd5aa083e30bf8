"""`localmem usage`: counts, caps, expiry, imports and places, readable in 60 columns."""

from __future__ import annotations

import pytest

from localmem.cli import columns
from localmem.cli.usage import BAR, EMPTY, FULL, bar
from tests.surfaces.conftest import Cli


def fill(cli: Cli) -> None:
    cli.ok("add", "Tea.")
    cli.ok("add", "For a while.", "--scope", "contact:ana", "--ttl", "2d")
    cli.ok("add", "For long.", "--ttl", "1y")
    cli.ok("pref", "remember", "shoe_size", "42")
    cli.ok("collections", "create", "orders")
    cli.ok("collection", "set", "orders", "ORD-1", "{}")


def test_every_scope_kind_and_collection_is_counted(cli: Cli) -> None:
    fill(cli)
    shape = cli.ok("usage", "--json").json
    assert {(i["kind"], i["scope"], i.get("collection")): i["items"] for i in shape["items"]} == {
        ("document", "project", "orders"): 1,
        ("fact", "contact:ana", None): 1,
        ("fact", "project", None): 2,
        ("preference", "person", None): 1,
    }
    assert shape["expiring"] == {
        "items": 2, "withinAWeek": 1, "next": "2026-12-02T18:00:00.000Z"
    }  # fmt: skip
    assert shape["meaning"] == {"waiting": 4}
    assert not shape["files"]["settings"]["exists"]


def test_a_person_sees_caps_what_expires_next_and_where_the_files_are(cli: Cli) -> None:
    fill(cli)
    out = cli.ok("usage").out
    assert "2 of 10,000  project" in out and "1 of  2,000  contact:ana" in out.replace(
        "1 of 2,000", "1 of  2,000"
    )
    assert "2; 1 within a week" in out and "2026-12-02 18:00" in out
    assert str(cli.home / "library.db") in out
    assert f"{cli.home / 'config.toml'}  (not there yet)" in out


def test_it_fits_60_columns_but_for_paths_and_shows_bars_in_a_terminal_alone(
    cli: Cli, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("COLUMNS", "60")
    fill(cli)
    cli.ok("add", "Long scope.", "--scope", "contact:" + "x" * 120)
    lines = cli("usage", terminal=True).out.splitlines()
    assert any(EMPTY in line for line in lines)
    assert not [line for line in lines if columns.width(line) > 60 and str(cli.home) not in line]
    assert EMPTY not in cli.ok("usage").out


@pytest.mark.parametrize(
    ("share", "full"), [(0.0, 0), (0.00001, 1), (0.5, BAR // 2), (0.999, BAR), (1.0, BAR)]
)
def test_a_bar_has_one_width_and_something_is_never_nothing(share: float, full: int) -> None:
    assert bar(share) == FULL * full + EMPTY * (BAR - full)
