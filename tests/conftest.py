"""Fixtures for every test: a scrubbed environment and a library of one's own."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from itertools import count
from pathlib import Path

import pytest

from localmem.engine import Engine
from localmem.store import connect
from tests.support.library import FixedClock, open_library, put_blank

SCRUBBED = ("LOCALMEM_HOME", "LOCALMEM_ALLOW_NETWORK", "LOCALMEM_MODEL_KEY", "LOCALMEM_KEY",
            "LOCALMEM_KEY_FILE", "LOCALMEM_ACCOUNT_KEY", "LOCALMEM_ACCOUNT_KEY_FILE",
            "LOCALMEM_ACCOUNT_PASSPHRASE", "LOCALMEM_ACCOUNT_PASSPHRASE_FILE",
            "LOCALMEM_ACCOUNT_URL", "NO_COLOR",
            "PYTHONDONTWRITEBYTECODE",  # what one started program compiles, the next need not
            "XDG_DATA_HOME", "XDG_CONFIG_HOME", "XDG_CACHE_HOME", "EDITOR", "VISUAL")  # fmt: skip


@pytest.fixture(scope="session")
def homes(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Path]:
    """Folders that are not there, each named once: most tests need none, and pay for none."""
    base = tmp_path_factory.mktemp("homes")
    return (base / str(number) for number in count())


@pytest.fixture(autouse=True)
def scrubbed_environment(homes: Iterator[Path], monkeypatch: pytest.MonkeyPatch) -> None:
    """No test reads or writes the developer's own home, settings or keyring."""
    for name in SCRUBBED:
        monkeypatch.delenv(name, raising=False)
    monkeypatch.setenv("HOME", str(next(homes)))
    monkeypatch.setenv("PYTHON_KEYRING_BACKEND", "keyring.backends.fail.Keyring")


@pytest.fixture
def clock() -> FixedClock:
    return FixedClock()


@pytest.fixture(scope="session")
def blank_library(tmp_path_factory: pytest.TempPathFactory) -> Path | None:
    """A library as it is made, with no salt and no name yet; None where each is made anew."""
    path = tmp_path_factory.mktemp("blank") / "library.db"
    connect.open_library(path).connection.close()
    return path


@pytest.fixture
def make_engine(
    tmp_path: Path, clock: FixedClock, blank_library: Path | None
) -> Iterator[Callable[..., Engine]]:
    """Opens the library of this test, as often as asked: each call is another connection."""
    opened: list[Engine] = []
    path = tmp_path / "data" / "library.db"

    def make(**options: object) -> Engine:
        put_blank(blank_library, path)
        engine = open_library(path, clock, **options)  # type: ignore[arg-type]
        opened.append(engine)
        return engine

    yield make
    for engine in opened:
        engine.close()


@pytest.fixture
def engine(make_engine: Callable[..., Engine]) -> Engine:
    return make_engine()
