"""What only a real process shows: pipes, code pages, imports, and several writers at once."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]


@pytest.fixture
def environment(tmp_path: Path) -> dict[str, str]:
    kept = {name: os.environ[name] for name in ("PATH", "SYSTEMROOT") if name in os.environ}
    return kept | {"LOCALMEM_HOME": str(tmp_path / "home"), "PYTHONPATH": str(ROOT)}


def run(
    environment: dict[str, str], *argv: str, shell: str = "", **extra: str
) -> subprocess.CompletedProcess[bytes]:
    program = [sys.executable, "-m", "localmem", *argv]
    if shell:
        program = ["sh", "-c", f'"$@" {shell}', "sh", *program]
    return subprocess.run(
        program, env=environment | extra, capture_output=True, timeout=60, cwd=ROOT, check=False
    )


HEAVY = ("textual", "rich", "pydantic", "httpx", "numpy", "keyring")


def test_reading_loads_no_model_no_interface_and_no_validation(environment: dict[str, str]) -> None:
    """One process runs the whole read path, then says what it loaded."""
    script = f"""
import sys
from localmem.cli.main import run
codes = [run(argv) for argv in (
    ["add", "Prefers tea."], ["collection", "set", "orders", "k", "1"],
    ["pref", "remember", "shoe_size", "42"], ["list"], ["search", "--words", "tea", "--why"],
    ["pref", "list"], ["collection", "get", "orders", "k"], ["collection", "list", "orders"],
    ["collections", "list"], ["usage"], ["activity"], ["undo", "--yes"], ["show", "absent-id"],
)]
assert codes == [0] * 12 + [3], codes
loaded = [name for name in {HEAVY!r} if name in sys.modules]
assert not loaded, loaded
"""
    done = subprocess.run(
        [sys.executable, "-c", script], env=environment, capture_output=True, cwd=ROOT, timeout=60,
        check=False,
    )  # fmt: skip
    assert done.returncode == 0, done.stderr.decode()


def test_help_and_version_load_no_engine(environment: dict[str, str]) -> None:
    script = """
import sys
from localmem.cli.main import run
assert run(["--help"]) == run(["--version"]) == run([]) - 2 == 0
loaded = [name for name in sys.modules if name.startswith(("localmem.engine", "localmem.store",
          "localmem.wiring", "apsw"))]
assert not loaded, loaded
"""
    done = subprocess.run(
        [sys.executable, "-c", script], env=environment, capture_output=True, cwd=ROOT, timeout=60,
        check=False, stdin=subprocess.DEVNULL,
    )  # fmt: skip
    assert done.returncode == 0, done.stderr.decode()


def test_version_is_answered_before_anything_is_imported(environment: dict[str, str]) -> None:
    script = """
import sys
sys.argv = ["localmem", "--version"]
from localmem.__main__ import main
try:
    main()
except SystemExit as left:
    assert left.code == 0
assert not [name for name in sys.modules if name.startswith(("click", "localmem.cli"))]
"""
    done = subprocess.run(
        [sys.executable, "-c", script], env=environment, capture_output=True, cwd=ROOT, timeout=60,
        check=False,
    )  # fmt: skip
    assert (done.returncode, done.stdout[:9]) == (0, b"localmem "), done.stderr.decode()


@pytest.fixture
def emoji(environment: dict[str, str]) -> dict[str, str]:
    done = run(environment, "add", "check ✓ 👍 日本 é", "--json")
    assert done.returncode == 0, done.stderr.decode()
    return environment


def test_every_code_page_can_carry_the_answer(emoji: dict[str, str]) -> None:
    """FR-97: cp1252, ascii, LC_ALL=C: no traceback, and JSON stays JSON."""
    for extra in ({"PYTHONIOENCODING": "cp1252"}, {"LC_ALL": "C", "PYTHONUTF8": "0",
                  "PYTHONCOERCECLOCALE": "0"}):  # fmt: skip
        listed = run(emoji, "list", **extra)
        assert (listed.returncode, listed.stderr) == (0, b"")
        assert b"check \\u2713" in listed.stdout
        answer = run(emoji, "list", "--json", **extra)
        (item,) = json.loads(answer.stdout.decode("ascii"))["items"]
        assert item["text"] == "check ✓ 👍 日本 é"


@pytest.mark.parametrize(
    ("shell", "code"), [("| head -c 3; exit 0", 0), (">&-", 0), ("2>&-", 0), (">&- 2>&-", 0)]
)
def test_a_reader_that_leaves_is_no_fault(emoji: dict[str, str], shell: str, code: int) -> None:
    done = run(emoji, "list", shell=shell)
    assert (done.returncode, done.stderr) == (code, b"")


def test_a_long_answer_into_a_closed_pipe_ends_quietly(emoji: dict[str, str]) -> None:
    script = """
from localmem.cli.main import run
for n in range(40):
    run(["add", f"{n} " + "word " * 1500])
"""
    subprocess.run([sys.executable, "-c", script], env=emoji, cwd=ROOT, timeout=60, check=True,
                   stdout=subprocess.DEVNULL)  # fmt: skip
    done = run(emoji, "list", shell="| head -n 1")
    assert done.returncode == 0 and done.stderr == b""
    assert done.stdout.count(b"\n") == 1


@pytest.mark.skipif(not Path("/dev/full").exists(), reason="needs a device that is always full")
def test_output_that_could_not_be_written_is_a_failure(emoji: dict[str, str]) -> None:
    done = run(emoji, "list", shell="> /dev/full")
    assert done.returncode == 1
    assert b"could not be written" in done.stderr and b"Traceback" not in done.stderr


WRITER = """
import sys
from localmem.cli.main import run
codes = {run(["add", f"Fact {n} of process {sys.argv[1]}."]) for n in range(25)}
sys.exit(0 if codes == {0} else 1)
"""


def test_eight_processes_writing_at_once_lose_nothing(environment: dict[str, str]) -> None:
    writers = [
        subprocess.Popen([sys.executable, "-c", WRITER, str(number)], env=environment, cwd=ROOT,
                         stdout=subprocess.DEVNULL, stderr=subprocess.PIPE)
        for number in range(8)
    ]  # fmt: skip
    results = [(writer.communicate(timeout=100)[1], writer.returncode) for writer in writers]
    assert results == [(b"", 0)] * 8
    page = json.loads(run(environment, "list", "--limit", "1000", "--json").stdout)
    texts = {item["text"] for item in page["items"]}
    assert texts == {f"Fact {n} of process {p}." for n in range(25) for p in range(8)}
    ids = [
        line.split()[0] for line in run(environment, "list", "--limit", "1000").stdout.splitlines()
    ]
    assert len(set(ids)) == 200
