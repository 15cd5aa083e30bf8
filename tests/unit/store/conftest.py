"""How a library is made is tested here: each is made anew."""

from __future__ import annotations

import pytest


@pytest.fixture(scope="session")
def blank_library() -> None:
    return None
