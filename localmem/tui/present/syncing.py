"""The places Sync and Conflicts: a line for each thing, and all there is to say of it. Pure.

What a server says and what is stored stand here as text, cleaned like everything else. Every state
comes with its next step, and what removes something says so before a key does it.
"""

from __future__ import annotations

from collections.abc import Sequence
from datetime import tzinfo
from typing import NamedTuple

from textual.content import Content

from localmem.core.model import Millis
from localmem.core.scope import PERSON, Scope
from localmem.core.syncing import Clash, Counts, Past, State, Status, Waiting
from localmem.core.visible import visible
from localmem.tui.present import ink, sync_state
from localmem.tui.present.past import Label
from localmem.tui.present.words import ICON, one_line, spread, stamp, table, when

LEFT_OUT = "left_out"
"""The code of what the person left out."""
_ROOMY = 46
"""Cells from which a row says where it belongs, and when."""
_NAME = 9

_ACTS = {"send": ("↑", "new"), "change": ("~", "changed"), "delete": ("-", "deleted")}
"""Sign and word of what is to be sent."""
_WHY = {
    "changed": "changed on both sides",
    "forgotten": "forgotten there",
    "created": "made on both sides",
    "fork": "of another origin",
    "shape": "not readable there",
}
_COUNTED = (
    "sent", "changed there", "deleted there", "taken", "changed here", "deleted here",
    "in conflict", "held",
)  # fmt: skip
"""In the order of the fields of Counts."""


class About(NamedTuple):
    """A line about the account, or about how the library stands to it."""

    what: str
    status: Status


class Heading(NamedTuple):
    """A line over others: of what waits, or of the runs."""

    what: str
    items: int
    held: int = 0


SyncRow = About | Heading | Waiting | Past | Clash


def key_of(row: SyncRow) -> object:
    """What stays the same of a row when it is read again."""
    match row:
        case About() | Heading():
            return row.what
        case Waiting() | Past() | Clash():
            return row.id


# rows


def row(shown: SyncRow, width: int, now: Millis, zone: tzinfo) -> Content:
    """One line of at most `width` cells."""
    match shown:
        case About("account", status):
            return _account_row(status, width, now, zone)
        case About(_, status):
            said = sync_state.standing(status, now, zone)
            if status.state is State.ASKING:
                said = sync_state.Said("?", ink.ALERT, "asks you; enter answers", "asks you")
            elif status.state is State.SIGNED_OUT:
                said = sync_state.Said("▲", ink.ALERT, "the key is not let in", "key refused")
            line = Content.assemble((f"{'state':<{_NAME}}", ink.DIM), (said.sign, said.style),
                                    (f" {said.long}", ink.STRONG))  # fmt: skip
            return spread(line, Content(""), width)
        case Heading():
            return spread(Content.styled(_heading(shown), ink.NAME), Content(""), width)
        case Waiting():
            return waiting_row(shown, width)
        case Past():
            return _run_row(shown, width, now, zone)
        case Clash():
            return _clash_row(shown, width, now, zone)


def _account_row(status: Status, width: int, now: Millis, zone: tzinfo) -> Content:
    account = status.account
    if account is None:
        return spread(Content(""), Content(""), width)
    left = Content.assemble(
        (f"{'account':<{_NAME}}", ink.DIM), (visible(account.label), ink.STRONG)
    )
    since = f"{account.partition} · since {when(account.signed_in_at, now, zone)}"
    return spread(left, Content.styled(visible(since), ink.DIM), width)


def _heading(shown: Heading) -> str:
    if shown.what == "runs":
        return "Last runs"
    to_send = max(shown.items - shown.held, 0)
    parts = [f"{to_send:,} to send"] if to_send else []
    parts += [f"{shown.held:,} held"] if shown.held else []
    return "Waiting: " + ", ".join(parts)


def waiting_row(waiting: Waiting, width: int) -> Content:
    sign, word = _ACTS.get(waiting.act, ("↑", visible(waiting.act)))
    style = ink.NAME
    if waiting.code:
        sign, style = "▲", ink.ALERT
        word = "left out" if waiting.code == LEFT_OUT else "held"
    left = Content.assemble((f"{sign} {word:<9}", style), title_of(waiting.title, waiting.act))
    where = where_of(waiting.scope) if width >= _ROOMY else ""
    return spread(left, Content.styled(where, ink.DIM), width)


def title_of(title: str, act: str = "") -> str:
    return one_line(title) or ("a memory that is gone here" if act == "delete" else "a memory")


def where_of(scope: Scope) -> str:
    return "yours" if scope == PERSON else visible(str(scope))


def _run_row(past: Past, width: int, now: Millis, zone: tzinfo) -> Content:
    sign, style = ("✗", ink.ALERT) if past.message or past.code else ("✓", ink.GOOD)
    if past.ended_at is None and not past.message:
        sign, style = "…", ink.DIM
    head = f"{stamp(past.started_at, now, zone):<13} " if width >= _ROOMY else ""
    left = Content.assemble((f"{sign} ", style), (head, ink.DIM), _did(past))
    return spread(left, Content.styled("taken back" if past.undone else "", ink.DIM), width)


def _did(past: Past) -> str:
    counted = counts_words(total(past.counts))
    if past.ended_at is None and not past.message and not counted:
        return "has not ended yet"
    return counted or visible(past.message) or "nothing to do"


def total(counts: Sequence[Counts]) -> Counts:
    """Of all scopes together."""
    return Counts("", *(sum(column) for column in zip(*(each[1:] for each in counts), strict=True)))


def counts_words(counts: Counts) -> str:
    """`3 sent, 1 taken, 1 in conflict`; "" for nothing."""
    return ", ".join(
        f"{number:,} {word}" for number, word in zip(counts[1:], _COUNTED, strict=True) if number
    )


def _clash_row(clash: Clash, width: int, now: Millis, zone: tzinfo) -> Content:
    left = Content.assemble((f"{ICON[clash.kind]} ", ink.NAME), title_of(clash.title))
    parts = [_WHY.get(clash.why, visible(clash.why))]
    if width >= _ROOMY + 20:
        parts += [where_of(clash.scope), when(clash.since, now, zone)]
    return spread(left, Content.styled(" · ".join(parts), ink.DIM), width)


def counts_lines(counts: Sequence[Counts], width: int, nothing: str) -> list[Content]:
    """What was done, or would be, scope by scope; `nothing` says that there is none."""
    shown = [each for each in counts if each.anything]
    if not shown:
        return [Content(nothing)]
    return table([(scope_name(each.scope), Content(counts_words(each))) for each in shown], width)


def scope_name(scope: str) -> str:
    return "yours" if scope == "person" else visible(scope) or "all"


def empty(key: Label, *, conflicts: bool) -> Content:
    """Where nobody is signed in, or nothing is in conflict."""
    if conflicts:
        return Content("Nothing is in conflict.")
    return Content.assemble(
        ("Everything stays on this machine.\n", ink.STRONG),
        "Sign in with ", (key("account"), ink.NAME), " to keep this library in step with your "
        "other devices, through a server of your choice.\n\n",
        ("Nothing is sent before you sign in.", ink.DIM),
    )  # fmt: skip
