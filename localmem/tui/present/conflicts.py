"""A conflict in words: whose each side is, what could be merged, and what each choice does. Pure.

What is gone on a side is said to be gone, never shown as an empty one; of what cannot be read
nothing is guessed.
"""

from __future__ import annotations

from datetime import tzinfo

from textual.content import Content

from localmem.core.merge import Clash as Unmerged
from localmem.core.merge import Clean
from localmem.core.model import Millis
from localmem.core.scope import PERSON
from localmem.core.syncing import Clash
from localmem.core.visible import visible
from localmem.tui.present import changes, ink
from localmem.tui.present.past import Label
from localmem.tui.present.words import ICON, one_line, when

SHAPE = "shape"
"""Why: the server has something there that cannot be read."""
_TITLE = 40
"""Cells; why and since are to be read below it in a narrow window, too."""


def head(clash: Clash, now: Millis, zone: tzinfo) -> Content:
    """What it is, where it belongs, what happened, since when."""
    where = "yours" if clash.scope == PERSON else visible(str(clash.scope))
    title = Content(one_line(clash.title) or f"a {clash.kind}").truncate(_TITLE, ellipsis=True)
    return Content.assemble(
        ("⚠ Conflict: ", ink.ALERT), (f"{ICON[clash.kind]} ", ink.NAME),
        title.stylize(ink.STRONG), f"\n{visible(clash.text)}",
        (f" ({where} · since {when(clash.since, now, zone)})", ink.DIM),
    )  # fmt: skip


def titles(clash: Clash) -> tuple[str, str, str, str]:
    here = "yours · here" if clash.mine is not None else "yours · gone here"
    there = "theirs" if clash.theirs is not None else "theirs · gone there"
    if clash.why == SHAPE:
        there = "theirs · not readable"
    below = "merged" if clash.mine is not None and clash.theirs is not None else "what to do"
    return "before", here, there, below


def sides(clash: Clash) -> tuple[Content, Content, Content]:
    gone = Content.styled("Gone here: it was forgotten, or has expired.", ink.DIM)
    if clash.why == SHAPE:
        away = "The server has something there that localmem cannot read; it is left as it is."
    else:
        away = "Gone there: it was forgotten on another device, or expired."
    return (
        changes.kept_lines(clash.base)
        if clash.base is not None
        else Content.styled("Not known: they never agreed on a version.", ink.DIM),
        changes.kept_lines(clash.mine) if clash.mine is not None else gone,
        changes.kept_lines(clash.theirs)
        if clash.theirs is not None
        else Content.styled(away, ink.DIM),
    )


def whose(clash: Clash, now: Millis, zone: tzinfo) -> str:
    """Who wrote theirs, and when; "" where that is not told."""
    by = visible(clash.theirs_by.name) if clash.theirs_by is not None else ""
    at = when(clash.theirs_at, now, zone) if clash.theirs_at is not None else ""
    return " · ".join(part for part in (by, at) if part)


def merged_head(clash: Clash, outcome: Clean | Unmerged | None, key: Label) -> Content:
    if outcome is not None:
        return changes.merged_head(outcome, key)
    missing = "Theirs cannot be read" if clash.why == SHAPE else (
        "One side is gone" if clash.mine is None or clash.theirs is None else "They differ in kind"
    )  # fmt: skip
    return Content.assemble(("✗ ", ink.BAD), f"{missing}, so nothing can be merged.")


def choices(clash: Clash, key: Label) -> Content:
    """What each key does with this one."""
    told = [(key("mine"), _mine(clash)), (key("theirs"), _theirs(clash))]
    if clash.mine is not None:
        told.append((key("edit"), "opens yours in the form; what you save is kept, and sent"))
    told += [
        (key("forget"), "forgets it for good, here and there"),
        (key("later"), "leaves it for later; everything else goes on"),
    ]
    return Content("\n").join(
        Content.assemble((each, ink.NAME), f"  {does}") for each, does in told
    )


def _mine(clash: Clash) -> str:
    if clash.mine is None:
        return "keeps it gone: it is deleted there too"
    if clash.why == SHAPE:
        return "sends yours, in place of what is there"
    return "keeps yours" if clash.theirs is not None else "keeps yours, and brings it back there"


def _theirs(clash: Clash) -> str:
    if clash.why == SHAPE:
        return "cannot be: localmem does not know what it says"
    return "takes theirs" if clash.theirs is not None else "forgets it here too, with every version"
