"""How a file that is brought in is shown: what it is, how far it is, and each of its lines."""

from __future__ import annotations

from collections.abc import Callable
from datetime import tzinfo

from textual.content import Content

from localmem.core.incoming import Counts, Run, RunState
from localmem.core.model import Millis
from localmem.core.visible import visible
from localmem.engine.imports import Fate
from localmem.tui.bringing import Entry, Tally
from localmem.tui.present import ink
from localmem.tui.present.words import count, one_line, spread, stamp

Named = Callable[[str], str]
"""The key that an action has, by its id."""

_WORDS = {
    Fate.NEW: ("+", "new", ink.GOOD),
    Fate.CHANGED: ("~", "changed", ink.GOOD),
    Fate.UNCHANGED: ("=", "known", ink.DIM),
    Fate.SKIPPED: ("-", "left out", ink.ALERT),
    Fate.REFUSED: ("!", "refused", ink.BAD),
}
"""Sign, word and style of what becomes of a line; the sign tells it without colour."""
_INBOX = ("✎", "to inbox", ink.NAME)
_WIDEST = 8
_ROOMY = 76
"""Cells a row must have before it says where a memory comes from."""
_BAR = 20
_STATE = {
    RunState.RUNNING: "not ended",
    RunState.STOPPED: "stopped",
    RunState.DONE: "whole",
    RunState.UNDONE: "taken back",
}


def row(entry: Entry, width: int) -> Content:
    """One line of the file: its number, what becomes of it, its words, where it is from."""
    sign, word, style = _INBOX if entry.inbox else _WORDS[entry.fate]
    left = Content.assemble(
        (f"{entry.line:>6,} ", ink.DIM),
        (f"{sign} {word:<{_WIDEST}} ", style),
        *_said(entry),
    )
    source = one_line(entry.source) if width >= _ROOMY else ""
    shown = Content.styled(source, ink.DIM).truncate(width // 3, ellipsis=True)
    return spread(left, shown, width)


def _said(entry: Entry) -> tuple[Content | tuple[str, str], ...]:
    text = one_line(entry.text)
    if not entry.why:
        return ((text, ink.PLAIN),)
    return ((one_line(entry.why), ink.STRONG), (f"  {text}" if text else "", ink.DIM))


def detail(entry: Entry | None) -> Content:
    """All there is to say of the line under the cursor."""
    if entry is None:
        return Content("")
    parts: list[Content | tuple[str, str]] = []
    if entry.why:
        parts.append((f"{one_line(entry.why)} ", ink.STRONG))
    if entry.quote:
        parts.append((f"You said: “{one_line(entry.quote)}” ", ink.PLAIN))
    if entry.source:
        parts.append((f"From {one_line(entry.source)}.", ink.DIM))
    return Content.assemble(*parts)


def found(tally: Tally) -> Content:
    """What the file was taken for."""
    if not tally.title:
        return Content.styled("Opening the file …", ink.DIM)
    return Content.assemble((visible(tally.name), ink.STRONG), f" is {tally.title}.")


def counted(tally: Tally) -> str:
    """`12 new, 3 known already, 1 refused; 12 wait in the inbox`."""
    fates = tally.fates
    parts = [
        f"{fates[fate]:,} {word}"
        for fate, word in (
            (Fate.NEW, "new"),
            (Fate.CHANGED, "changed"),
            (Fate.UNCHANGED, "known already"),
            (Fate.SKIPPED, "left out"),
            (Fate.REFUSED, "refused"),
        )
        if fates[fate] or fate is Fate.NEW
    ]
    waits = f"; {tally.inbox:,} to the inbox" if tally.inbox else ""
    return ", ".join(parts) + waits


def progress(read: int, total: int | None) -> Content:
    """`▇▇▇▇▇·····  48%`, or the megabytes where the size is not known."""
    if not total:
        return Content.styled(f"{read / 1e6:,.1f} MB", ink.SCORE)
    share = min(read / total, 1.0)
    filled = int(share * _BAR)
    return Content.assemble(
        ("▇" * filled, ink.SCORE), ("·" * (_BAR - filled), ink.DIM), f" {share:>4.0%}"
    )


def looking(tally: Tally, read: int) -> Content:
    return Content.assemble(progress(read, tally.total), f"  would be {counted(tally)}")


def looked(tally: Tally, key: Named) -> Content:
    whole = "" if tally.ended else f" in the first {count(tally.lines, 'line')}"
    if not tally.lines:
        return Content.assemble(
            ("There is nothing in it to take. ", ink.STRONG), " ".join(map(visible, tally.notes))
        )
    fresh = tally.fates[Fate.NEW] or tally.fates[Fate.CHANGED]
    said = Content.styled(f"{counted(tally)}{whole}. ", ink.STRONG)
    if fresh or not tally.ended:
        said = Content.assemble(said, (key("save"), ink.NAME), " imports. ")
    return Content.assemble(said, (" ".join(map(visible, tally.notes)), ink.DIM))


def taking(tally: Tally, read: int, key: Named, *, stopping: bool) -> Content:
    if stopping:
        return Content.assemble(progress(read, tally.total), ("  Stopping …", ink.STRONG))
    return Content.assemble(
        progress(read, tally.total), f"  {counted(tally)} · ", (key("back"), ink.NAME), " stops"
    )


def taken(tally: Tally, run: Run, key: Named) -> Content:
    """How an import ended."""
    notes = (" ".join(map(visible, tally.notes)), ink.DIM)
    undo = ((key("undo"), ink.NAME), " takes the whole import back. ")
    back = undo if run.undo is not None else ()
    if run.state is RunState.STOPPED:
        return Content.assemble(
            (f"Stopped at line {run.line:,}; import again to go on. ", ink.ALERT),
            f"So far {counted(tally)}. ", *back, notes,
        )  # fmt: skip
    since = f" behind line {tally.resumed:,}" if tally.resumed else ""
    return Content.assemble((f"Imported{since}: {counted(tally)}. ", ink.GOOD), *back, notes)


def empty() -> Content:
    return Content.styled(
        "What is read: a list of sentences, Markdown, JSON, an export of ChatGPT, Claude or "
        "localmem, as a file, a zip or its folder.",
        ink.DIM,
    )


def run_row(run: Run, width: int, now: Millis, zone: tzinfo) -> Content:
    """One import so far."""
    left = Content.assemble(
        (f"{stamp(run.started_at, now, zone):<13} ", ink.DIM),
        (one_line(run.source), ink.STRONG),
        (f" · {visible(run.format)} · {run_counts(run.counts)}", ink.PLAIN),
    )
    state = _STATE[run.state]
    if run.state is RunState.STOPPED:
        state = f"stopped at line {run.line:,}"
    return spread(left, Content.styled(state, ink.DIM), width)


def run_counts(counts: Counts) -> str:
    parts = [
        f"{number:,} {word}"
        for number, word in (
            (counts.new, "new"),
            (counts.changed, "changed"),
            (counts.unchanged, "known"),
            (counts.skipped, "left out"),
            (counts.refused, "refused"),
        )
        if number
    ]
    return ", ".join(parts) or "nothing in it"
