"""schemathesis over the server's own OpenAPI document: no 5xx, and no reply that it does not say.

    python bench/fuzz.py --venv /tmp/fuzz --install      once: makes a venv with schemathesis
    python bench/fuzz.py --venv /tmp/fuzz                20,000 requests; half an hour and more
    python bench/fuzz.py --venv /tmp/fuzz --requests 500 a look at it

Starts a server of its own on loopback, with a key for the memory API and a person's token for
sessions, and runs rounds, each with the next seed, until as many requests were made; they are
counted in the server's own log. A round that finds something is printed with the command that
repeats it, and the exit code is 1. Every check of schemathesis is made but one:
positive_data_acceptance. The document cannot say of a cursor that it is ours, nor of an id that
its scope is given with it; what is left of that check is printed as shares of requests accepted.
"""

from __future__ import annotations

import argparse
import json
import os
import subprocess
import sys
import tempfile
import time
from collections import Counter
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any

PACKAGE = "schemathesis==4.32.5"
BENCH = Path(__file__).parent
EXAMPLES = 60
"""Of an operation in a round."""
LEFT_OUT = "positive_data_acceptance"
CONFIG = """\
hooks = "fuzz_hooks.py"
color = false

[[operations]]
include-path-regex = "^/v1/me"
headers = {{ Authorization = "Bearer {key}" }}

[[operations]]
include-path-regex = "^/v1/sessions"
headers = {{ Authorization = "Bearer {token}" }}
"""


@dataclass(frozen=True, slots=True)
class Server:
    url: str
    key: str
    token: str
    log: Path

    def logged(self, event: str) -> list[dict[str, Any]]:
        lines = (json.loads(line) for line in self.log.read_text("utf-8").splitlines())
        return [line for line in lines if line["event"] == event]

    def served(self) -> list[dict[str, Any]]:
        """Every request so far, as its line of the log."""
        return self.logged("request")


@contextmanager
def serving(folder: Path) -> Iterator[Server]:
    home, data, log = folder / "home", folder / "data", folder / "log"
    home.mkdir()
    (home / "config.toml").write_text('model = "none"\n', "utf-8")
    environment = {**os.environ, "LOCALMEM_HOME": str(home)}
    serve = [sys.executable, "-m", "localmem", "serve"]

    def made(*argv: str) -> dict[str, Any]:
        said = subprocess.run(
            [*serve, *argv, "--data", str(data), "--json"],
            env=environment, check=True, capture_output=True, text=True, cwd=BENCH.parent,
        )  # fmt: skip
        answer: dict[str, Any] = json.loads(said.stdout)
        return answer

    key = made("keys", "create", "fuzz")["secret"]
    made("people", "add", "Ana")
    token = made("people", "token", "Ana")["secret"]
    with (
        log.open("w") as told,
        subprocess.Popen(
            [*serve, "--data", str(data), "--json", "--port", "0", "--rate", "0"],
            env=environment, stdout=subprocess.PIPE, stderr=told, text=True, cwd=BENCH.parent,
        ) as process,
    ):  # fmt: skip
        try:
            assert process.stdout is not None
            line = process.stdout.readline()
            if not line:
                raise SystemExit(log.read_text("utf-8"))
            yield Server(json.loads(line)["url"], key, token, log)
        finally:
            process.terminate()
            process.wait(30)


def round_(asked: argparse.Namespace, server: Server, folder: Path, seed: int) -> dict[str, Any]:
    """The report of one run of schemathesis; what it found is printed."""
    report = folder / f"{seed}.json"
    argv = [
        str(asked.venv / "bin" / "schemathesis"), "run", f"{server.url}/openapi.json",
        "--seed", str(seed), "--max-examples", str(asked.examples), "--no-shrink",
        "--continue-on-failure", "--exclude-checks", LEFT_OUT, "--warnings", "off",
        "--report", "json", "--report-json-path", str(report),
        *(["--phases", "fuzzing,stateful"] if seed > asked.seed else []),
    ]  # fmt: skip
    said = subprocess.run(argv, cwd=folder, capture_output=True, text=True)
    if not report.exists():
        raise SystemExit(f"schemathesis gave up:\n{said.stdout[-3000:]}{said.stderr[-3000:]}")
    found: dict[str, Any] = json.loads(report.read_text("utf-8"))
    if said.returncode:
        sys.stdout.write(said.stdout)
    return found


def run(asked: argparse.Namespace) -> int:
    failures = 0
    with tempfile.TemporaryDirectory() as place:
        folder = Path(place)
        with serving(folder) as server:
            (folder / "schemathesis.toml").write_text(
                CONFIG.format(key=server.key, token=server.token), "utf-8"
            )
            (folder / "fuzz_hooks.py").write_text((BENCH / "fuzz_hooks.py").read_text("utf-8"))
            seed, started = asked.seed, time.monotonic()
            while (made := len(server.served())) < asked.requests:
                report = round_(asked, server, folder, seed)
                failures += len(report["failures"]) + len(report["errors"])
                after = len(server.served())
                sys.stdout.write(
                    f"seed {seed}: {after - made:,} requests, {after:,} in all, "
                    f"{len(report['failures'])} failures, {len(report['errors'])} errors, "
                    f"{time.monotonic() - started:.0f} s\n"
                )
                sys.stdout.flush()
                seed += 1
                if after == made:
                    raise SystemExit("A round made no request.")
            served, faults = server.served(), server.logged("fault")
    _tell(served)
    broken = [line for line in served if line["status"] >= 500]
    for line in {line["trace"][-1]: line for line in faults}.values():
        sys.stdout.write(json.dumps(line, indent=1) + "\n")
    sys.stdout.write(
        f"\n{len(served):,} requests, {len(broken)} answered 5xx, {failures} kinds of failures\n"
    )
    return 1 if broken or failures else 0


def _tell(served: list[dict[str, Any]]) -> None:
    operations = Counter(line["operation"] or "(none)" for line in served)
    statuses = Counter((line["operation"] or "(none)", line["status"]) for line in served)
    sys.stdout.write(
        "\n| operation | requests | accepted | statuses |\n| --- | --- | --- | --- |\n"
    )
    for name, count in sorted(operations.items()):
        here = {status: n for (where, status), n in sorted(statuses.items()) if where == name}
        accepted = sum(n for status, n in here.items() if status < 300)
        each = ", ".join(f"{status}: {n:,}" for status, n in here.items())
        sys.stdout.write(f"| {name} | {count:,} | {accepted / count:.0%} | {each} |\n")


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    parser.add_argument("--venv", type=Path, required=True, help="where schemathesis is installed")
    parser.add_argument("--install", action="store_true", help="install it there, and stop")
    parser.add_argument("--requests", type=int, default=20_000)
    parser.add_argument("--examples", type=int, default=EXAMPLES, help="of an operation, a round")
    parser.add_argument("--seed", type=int, default=1)
    asked = parser.parse_args()
    if asked.install:
        subprocess.run([sys.executable, "-m", "venv", asked.venv], check=True)
        subprocess.run([asked.venv / "bin" / "pip", "install", "-q", PACKAGE], check=True)
        return 0
    return run(asked)


if __name__ == "__main__":
    sys.exit(main())
