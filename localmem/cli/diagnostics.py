"""What went wrong, on stderr: a sentence and what to do next, or the same as JSON.

The console screens every line, because messages quote what was typed. Refuses to point at a
place in a text that holds a secret.
"""

from __future__ import annotations

import textwrap
from collections.abc import Mapping
from dataclasses import dataclass, field

from localmem.cli import columns
from localmem.cli.console import Console
from localmem.core.screening import screen
from localmem.core.visible import visible
from localmem.wire import shapes

REPORTED = ("store_", "backup_failed", "restore_failed")
"""How codes begin that lie in the file, the disk or the driver, not in what was typed."""


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
    if as_json:
        message, hint = (
            visible(text, keep_newlines=True) for text in (problem.message, problem.hint)
        )
        console.report(shapes.error(problem.code, message, hint, problem.details))
        return
    _tell(console, f"Error: {problem.message}")
    for line in _pointer(problem):
        console.tell(f"  {line}")
    for line in (problem.hint, _to_report(problem)):
        if line:
            _tell(console, f"  {line}")


def _tell(console: Console, text: str) -> None:
    """Parted between words where somebody reads it, so that a command in it can be copied."""
    if not console.watched:
        console.tell(text)
        return
    parts = textwrap.wrap(
        text,
        console.width,
        subsequent_indent="  ",
        drop_whitespace=True,
        break_long_words=False,
        break_on_hyphens=False,
    )
    for part in parts or [text]:
        console.tell(part)


def _to_report(problem: Problem) -> str:
    """What somebody who gets this report needs: the code, and what the library's driver said."""
    if not problem.code.startswith(REPORTED):
        return ""
    details = "".join(f"; {name}: {value}" for name, value in problem.details.items())
    return f"Code: {problem.code}{details}"


def _pointer(problem: Problem) -> tuple[str, ...]:
    """The line that was typed and a mark under the place where it stops making sense."""
    column = problem.details.get("column")
    if not problem.typed or not isinstance(column, int) or screen(problem.typed).kinds:
        return ()
    before = visible(problem.typed[:column])
    return visible(problem.typed), " " * columns.width(before) + "^"
