"""The memory vendor's own TypeScript SDK against a server of its own (bench/clients/README.md)."""

from __future__ import annotations

import json
import os
import shutil
import subprocess
from pathlib import Path
from typing import Any

import pytest

from tests.server.conftest import Process, StartProcess
from tests.server.memory_clients import FULL, TABLE, set_up

CLIENTS = Path(__file__).parents[2] / "bench" / "clients"
FOLDER = "LOCALMEM_CLIENTS"
"""The folder the SDK is in, and is installed in where it is not."""
SECONDS = 120


@pytest.fixture(scope="module")
def clients() -> Path:
    said = os.environ.get(FOLDER)
    if not said:
        pytest.skip(f"{FOLDER} is not set (bench/clients/README.md)")
    if shutil.which("node") is None:
        pytest.skip("node is missing")
    folder = Path(said)
    if not (folder / "node_modules" / "@zavudev" / "sdk").exists():
        folder.mkdir(parents=True, exist_ok=True)
        shutil.copy(CLIENTS / "package.json", folder)
        install = ["npm", "install", "--no-audit", "--no-fund", "--no-package-lock"]
        subprocess.run(install, cwd=folder, check=True, timeout=SECONDS)
    return folder


def run(clients: Path, url: str, keys: dict[str, str]) -> dict[str, Any]:
    said = subprocess.run(
        ["node", str(CLIENTS / "zavu.mjs")],
        env={
            **os.environ,
            FOLDER: str(clients),
            "LOCALMEM_URL": url,
            "LOCALMEM_KEYS": json.dumps(keys),
            "LOCALMEM_FULL": FULL.partition(":")[2],
        },
        capture_output=True,
        text=True,
        timeout=SECONDS,
    )
    assert said.returncode == 0, said.stderr
    told: dict[str, Any] = json.loads(said.stdout)
    return told


def test_the_whole_table_and_every_permanent_refusal_is_asked_once(
    clients: Path, process: Process
) -> None:
    stage = set_up(process)
    keys = {"everything": stage.everything, "reader": stage.reader, "spent": stage.spent}
    told = run(clients, stage.url, keys)
    served = stage.served()
    assert {operation for operation, status in served if status < 300} == TABLE
    assert [status for _, status in served] == told["statuses"]
    assert sum(status >= 400 for _, status in served) == told["refused"] == 19


def test_plain_rate_limiting_is_asked_again_after_as_long_as_it_says(
    clients: Path, start_process: StartProcess
) -> None:
    process = start_process("--rate", "2")
    told = run(clients, process.url, {"limited": process.new_key()})
    assert told["waited"] >= 2
