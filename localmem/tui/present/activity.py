"""The activity log: who did what, and to which memory; never what it said.

Says in words, not in colour, whether an agent read or wrote. Refuses to guess: a deed this release
does not know is shown by its own name.
"""

from __future__ import annotations

from collections.abc import Mapping
from datetime import tzinfo

from textual.content import Content

from localmem.core.model import AuthorKind, Item, Millis
from localmem.core.records import Deed
from localmem.core.visible import visible
from localmem.tui.present import ink
from localmem.tui.present.words import count, spread, stamp, when

READS = frozenset({"searched", "read", "listed", "exported"})
"""Deeds that change nothing."""
_WHO: Mapping[AuthorKind, str] = {
    AuthorKind.PERSON: "a person",
    AuthorKind.AGENT: "an agent",
    AuthorKind.BACKEND: "a program",
}
_SIDES: Mapping[AuthorKind, str] = {
    AuthorKind.PERSON: "",
    AuthorKind.AGENT: "agent",
    AuthorKind.BACKEND: "program",
}
_NAME, _SIDE = 11, 15
"""Cells of a name, and of `program writes`."""
_ROOMY = 64
"""Cells from which reading and writing are told in words."""
_PLURAL = {"memory": "memories", "item": "memories"}


def row(deed: Deed, width: int, now: Millis, zone: tzinfo) -> Content:
    """`shop-agent  agent reads   searched contact:ana · 3 memories   18:02`."""
    name = Content(visible(deed.by.name)).truncate(_NAME, ellipsis=True, pad=True)
    side = f"{_side(deed):<{_SIDE}}" if width >= _ROOMY else f"{_sign(deed)} "
    left = Content.assemble(name.stylize(ink.STRONG), " ", (side, ink.NAME), _what(deed))
    return spread(left, Content.styled(when(deed.at, now, zone), ink.DIM), width)


def title(deed: Deed) -> str:
    """Over the preview."""
    return f"{'read' if deed.action in READS else 'change'} · {visible(deed.by.name)}"


def lines(deed: Deed, item: Item | None, now: Millis, zone: tzinfo) -> Content:
    """The deed in a sentence, and what became of the memory it was about."""
    by = deed.by
    who = "You" if by.kind is AuthorKind.PERSON else visible(by.name)
    aside = "" if by.kind is AuthorKind.PERSON else f", {_WHO[by.kind]},"
    told = Content.assemble(
        (who, ink.STRONG), f"{aside} {_what(deed)}, through {by.origin}, "
        f"{stamp(deed.at, now, zone)}.",
    )  # fmt: skip
    return Content("\n").join([told, Content(""), *_became(deed, item)])


def _became(deed: Deed, item: Item | None) -> list[Content]:
    if item is not None:
        return [Content.styled("What it says now; enter goes there", ink.NAME), Content("")]
    if deed.item is not None:
        return [Content.styled("The memory was forgotten since, or has expired.", ink.DIM)]
    if deed.action in READS:
        return [Content.styled("Reading changes nothing of a memory.", ink.DIM)]
    return [Content.styled("Which memories these were is not kept in this log.", ink.DIM)]


def _what(deed: Deed) -> str:
    """`searched contact:ana · 3 memories`, `edited a fact · project`."""
    scope = visible(deed.scope)
    if deed.action == "searched":
        return f"searched {scope or 'all'} · {deed.items:,} found"
    kind = "memory" if deed.kind == "item" else visible(deed.kind)
    many = count(deed.items, kind, _PLURAL.get(kind, "")) if deed.items > 1 else f"a {kind}"
    where = f" · {'yours' if scope == 'person' else scope}" if scope and scope != "many" else ""
    return f"{visible(deed.action)} {many}{where}"


def _side(deed: Deed) -> str:
    """`agent reads`, `program writes`; nothing for what you did yourself."""
    side = _SIDES[deed.by.kind]
    return f"{side} {'reads' if deed.action in READS else 'writes'}" if side else ""


def _sign(deed: Deed) -> str:
    """The same where there is no room for words: `◂` was read, `▸` was written; yours has none."""
    if not _SIDES[deed.by.kind]:
        return " "
    return "◂" if deed.action in READS else "▸"
