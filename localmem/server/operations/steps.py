"""Operations of a batch: judged one by one, a result for each, and the same results once more.

What is refused keeps nothing else from its work. Of a result only ids, numbers and codes are kept
for when the batch comes again: its words stand in the request.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from typing import TypeVar

from localmem.core.model import Json
from localmem.errors import LocalmemError
from localmem.server.errors import Refused, refusal
from localmem.server.operations.operation import WRITE_UNITS, another_request
from localmem.wire.shapes import Shape

S = TypeVar("S")

KEPT = ("ok", "rev", "seq", "inc", "id", "created", "replaced")
"""Members of results without words."""


def judge(
    steps: Iterable[S],
    do: Callable[[S, int], Shape],
    high: Callable[[], int],
    *,
    numbered: bool,
) -> tuple[list[Shape], int]:
    """The results in order, and how many operations were done.

    `do` is given the units that were used before its turn came.
    `high` is the number of the newest change; a result has it when it is `numbered`.
    """  # fmt: skip
    results: list[Shape] = []
    done, newest = 0, high()
    for step in steps:
        try:
            result = {"ok": True, **do(step, done * WRITE_UNITS)}
        except (LocalmemError, Refused) as problem:
            results.append({"ok": False, "error": refusal(problem).body})
            continue
        done, before, newest = done + 1, newest, high()
        if numbered and newest > before:
            result["seq"] = newest
        results.append(result)
    return results, done


def outcomes(results: Sequence[Shape]) -> Mapping[str, Json]:
    """What is kept of them."""
    return {"results": [_outcome(result) for result in results]}


def kept(held: Mapping[str, Json], count: int) -> list[dict[str, Json]]:
    """The outcomes again, of as many operations. Raises Refused (idempotency_conflict)."""
    found = held["results"]
    assert isinstance(found, list)
    if len(found) != count:
        raise another_request()
    return [each for each in found if isinstance(each, dict)]


def again(held: Mapping[str, Json]) -> Shape:
    """The result that an outcome is of, without its words."""
    result: Shape = {name: value for name, value in held.items() if name in KEPT}
    if "code" in held:
        error: dict[str, Json] = {
            "code": held["code"],
            "message": "This was refused when it was first asked.",
        }
        if "currentRev" in held:
            error["details"] = {"currentRev": held["currentRev"]}
        result["error"] = error
    return result


def _outcome(result: Shape) -> Json:
    held: dict[str, Json] = {name: result[name] for name in KEPT if name in result}
    error = result.get("error")
    if isinstance(error, dict):
        held["code"] = error["code"]
        details = error.get("details")
        if isinstance(details, dict) and "currentRev" in details:
            held["currentRev"] = details["currentRev"]
    return held
