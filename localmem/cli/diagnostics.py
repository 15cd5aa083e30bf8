"""What went wrong, on stderr: a sentence and what to do next, or the same as JSON.

Refuses to repeat a secret: messages quote what was typed, so each passes the screening first.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field

from localmem.cli import columns
from localmem.cli.console import Console
from localmem.core.screening import screen
from localmem.core.visible import visible
from localmem.wire import shapes


@dataclass(frozen=True, slots=True)
class Problem:
    code: str
    """An error's code, or that of an outcome which is no error inside: `revision_conflict`."""
    message: str
    hint: str = ""
    details: Mapping[str, object] = field(default_factory=dict)
    typed: str = ""
    """The text in which `details["column"]` is a place; "" when there is none."""


def report(console: Console, problem: Problem, *, as_json: bool) -> None:
    """Say it on stderr; never raises."""
    message, hint = _safe(problem.message), _safe(problem.hint)
    if as_json:
        shape = shapes.error(problem.code, message, hint, problem.details)
        console.tell(console.as_json(shape))
        return
    console.tell(f"Error: {message}")
    for line in (*_pointer(problem), hint):
        if line:
            console.tell(f"  {line}")


def _safe(text: str) -> str:
    return visible(screen(text).text, keep_newlines=True)


def _pointer(problem: Problem) -> tuple[str, ...]:
    """The line that was typed and a mark under the place where it stops making sense."""
    column = problem.details.get("column")
    if not problem.typed or not isinstance(column, int) or screen(problem.typed).kinds:
        return ()
    before = visible(problem.typed[:column])
    return visible(problem.typed), " " * columns.width(before) + "^"
