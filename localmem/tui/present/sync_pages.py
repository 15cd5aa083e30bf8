"""What stands beside a line of Sync or Conflicts: why, and what to do next. Pure."""

from __future__ import annotations

from datetime import tzinfo

from textual.content import Content

from localmem.core.accounts import Account
from localmem.core.bodies import Author
from localmem.core.model import Millis
from localmem.core.syncing import Clash, Past, State, Status, Waiting
from localmem.core.visible import visible
from localmem.tui.present import changes, ink, sync_state
from localmem.tui.present.past import Label
from localmem.tui.present.syncing import (
    LEFT_OUT,
    About,
    Heading,
    SyncRow,
    counts_lines,
    title_of,
    where_of,
)
from localmem.tui.present.words import ICON, count, hanging, stamp, table
from localmem.tui.synchronising import Seen

_STATES = {
    State.OFF: "Signed out.",
    State.IN_STEP: "In step: both have the same.",
    State.WAITING: "The server was not looked at yet.",
    State.WORKING: "Another localmem synchronises this library just now.",
    State.OFFLINE: "No answer that can be used. You can go on; it is tried again by itself.",
    State.LATER: "The server asked to wait. It is tried again by itself.",
    State.SIGNED_OUT: "The server does not let the key in.",
    State.ASKING: "It stopped before something large and asks you.",
    State.PAUSED: "Paused: it runs only when you say so.",
}
"""Total over State; a test asserts it."""


def title(shown: SyncRow) -> str:
    """Over the preview."""
    match shown:
        case Clash():
            return f"conflict · {where_of(shown.scope)}"
        case Waiting():
            return f"{'held' if shown.code else 'to be sent'} · {where_of(shown.scope)}"
        case Past():
            return "a run"
        case _:
            return "sync"


def page(
    shown: SyncRow, seen: Seen, *, now: Millis, zone: tzinfo, width: int, key: Label
) -> Content:
    match shown:
        case About(_, status):
            return standing(status, seen, now=now, zone=zone, width=width, key=key)
        case Heading("runs"):
            return Content("What each run did. One that changed something here can be taken back.")
        case Heading():
            return _of_waiting(shown, key)
        case Waiting():
            return _waiting(shown, now, zone, width, key)
        case Past():
            return _past(shown, now, zone, width, key)
        case Clash():
            return _clash(shown, now, zone, width, key)


def standing(
    status: Status, seen: Seen, *, now: Millis, zone: tzinfo, width: int, key: Label
) -> Content:
    """Whose copy it is, how it stands, why, and what to do next."""
    account = status.account
    parts: list[Content] = []
    if account is not None:
        parts += [*table(_account(account, now, zone), width), Content("")]
    parts.append(Content.styled(visible(seen.keyless) or _stands(status), ink.STRONG))
    if status.question is None and status.message and not seen.keyless:
        parts.append(Content(visible(status.message)))
    parts += [Content.styled(step, ink.NAME) for step in (next_step(status, seen, key),) if step]
    rows = [("to send", f"{sync_state.to_send(status):,}")]
    rows += [("held", f"{status.held:,}")] if status.held else []
    rows += [("conflicts", f"{status.conflicts:,}")] if status.conflicts else []
    last = stamp(status.last, now, zone) if status.last is not None else "never"
    rows.append(("last sync", last))
    if status.again is not None:
        rows.append(("again", stamp(status.again, now, zone)))
    parts += [Content(""), *table([(name, Content(text)) for name, text in rows], width)]
    if not status.feed and account is not None:
        parts += [Content(""), Content.styled(
            "This server has to be listed to see what changed there, so that takes longer.",
            ink.DIM,
        )]  # fmt: skip
    parts += [Content(""), *_keys(status, width, key)]
    return Content("\n").join(parts)


def _stands(status: Status) -> str:
    """The state in a sentence; the same on both sides only where nothing is left to do."""
    to_send, apart = sync_state.to_send(status), sync_state.apart(status)
    match status.state:
        case State.IN_STEP | State.WAITING if to_send:
            return f"{count(to_send, 'memory is', 'memories are')} to be sent."
        case State.IN_STEP if apart:
            return f"All went through but for {apart}."
        case State.WAITING if status.last is not None:
            return "The server is to be looked at again."
    return _STATES[status.state]


def _account(account: Account, now: Millis, zone: tzinfo) -> list[tuple[str, Content]]:
    partition = {"live": "live", "test": "test: what is kept there is for trying out"}
    return [
        ("account", Content.styled(visible(account.label), ink.STRONG)),
        ("server", Content(visible(account.url))),
        ("kind", Content(partition.get(account.partition, visible(account.partition)))),
        ("since", Content(stamp(account.signed_in_at, now, zone))),
    ]


def next_step(status: Status, seen: Seen, key: Label) -> str:
    """What the person can do, in one sentence; "" where nothing is to be done."""
    if status.question is not None:
        return f"{visible(status.question.text)} {key('sync')} answers."
    if status.state is State.SIGNED_OUT or seen.keyless:
        return f"{key('account')} signs in again. Everything is kept meanwhile."
    if status.conflicts:
        return "Decide what is in conflict, at Conflicts; all else goes on."
    if status.state is State.PAUSED:
        return f"{key('pause')} goes on by itself; {key('sync')} runs it once."
    return ""


def _keys(status: Status, width: int, key: Label) -> list[Content]:
    paused = status.account is not None and status.account.paused
    told = {
        "sync": "synchronises now",
        "look_ahead": "shows what that would do; nothing is written",
        "pause": "goes on by itself" if paused else "pauses: then it runs only when you say so",
        "account": "signs in anew, or out",
    }
    wide = max(len(key(id)) for id in told) + 2
    return [
        line
        for id, does in told.items()
        for line in hanging(Content.styled(key(id), ink.NAME), Content(does), wide, width)
    ]


def _of_waiting(shown: Heading, key: Label) -> Content:
    lines = [
        "What you changed is sent when the server is reached. What is held stays here, and why "
        "is said beside it; everything else goes on without it.",
        "",
        f"{key('reject')} leaves one out, or takes it in again.",
    ]
    return Content("\n").join(map(Content, lines))


def _waiting(waiting: Waiting, now: Millis, zone: tzinfo, width: int, key: Label) -> Content:
    does = {
        "send": "New here; the server does not have it yet.",
        "change": "Changed here since the server had it.",
        "delete": "Gone here; it will be deleted there.",
    }
    parts = [
        Content.styled(f"{ICON[waiting.kind]} {title_of(waiting.title, waiting.act)}", ink.STRONG),
        Content(""),
        Content(does.get(waiting.act, visible(waiting.act))),
    ]
    if waiting.code:
        parts += [Content(""), Content.assemble(("▲ Held: ", ink.ALERT), held_why(waiting))]
    if waiting.until is not None:
        parts.append(Content(f"Tried again by itself after {stamp(waiting.until, now, zone)}."))
    left = "takes it in again: it is sent with the next run" if waiting.code else (
        "leaves it out: it stays on this device alone"
    )  # fmt: skip
    reject = Content.styled(key("reject"), ink.NAME)
    parts += [Content(""), *hanging(reject, Content(left), len(key("reject")) + 2, width)]
    rows = [("scope", Content(where_of(waiting.scope)))]
    if waiting.code and waiting.code != LEFT_OUT:
        rows.append(("code", Content(visible(waiting.code))))
    return Content("\n").join([*parts, Content(""), *table(rows, width)])


def held_why(waiting: Waiting) -> str:
    return visible(waiting.message) or visible(waiting.code)


def _past(past: Past, now: Millis, zone: tzinfo, width: int, key: Label) -> Content:
    ended = stamp(past.ended_at, now, zone) if past.ended_at is not None else (
        "never" if past.message else "not yet"
    )  # fmt: skip
    parts = [*table([("began", Content(stamp(past.started_at, now, zone))),
                     ("ended", Content(ended))], width), Content("")]  # fmt: skip
    parts += counts_lines(past.counts, width, _nothing(past))
    if past.message:
        parts += [Content(""), Content.assemble(("✗ ", ink.ALERT), visible(past.message))]
    parts.append(Content(""))
    if past.undone:
        parts.append(Content.styled("It was taken back.", ink.DIM))
    elif past.undoable:
        does = Content(
            f"takes back what it changed here: {count(past.undoable, 'memory', 'memories')}"
        )
        parts += hanging(Content.styled(key("undo"), ink.NAME), does, len(key("undo")) + 2, width)
    else:
        parts.append(Content.styled("It changed nothing here that could be taken back.", ink.DIM))
    return Content("\n").join(parts)


def _nothing(past: Past) -> str:
    """What a run did that counted nothing."""
    if past.ended_at is None:
        return "What it did was not counted."
    return "Nothing was done." if past.message or past.code else "Nothing was to be done."


def _clash(clash: Clash, now: Millis, zone: tzinfo, width: int, key: Label) -> Content:
    parts = [
        Content.styled(f"{ICON[clash.kind]} {title_of(clash.title)}", ink.STRONG),
        Content.assemble(("⚠ ", ink.ALERT), visible(clash.text)),
        Content(""),
        Content.assemble((key("open"), ink.NAME), " shows all sides and decides."),
        Content(""),
    ]
    sides = (("yours", clash.mine), ("theirs", clash.theirs))
    for name, content in sides:
        gone = "cannot be read" if clash.why == "shape" else "gone"
        parts.append(Content.styled(name, ink.NAME))
        parts.append(changes.kept_lines(content) if content is not None
                     else Content.styled(gone, ink.DIM))  # fmt: skip
    rows = [
        ("scope", Content(where_of(clash.scope))),
        ("since", Content(stamp(clash.since, now, zone))),
    ]
    if clash.theirs_by is not None:
        rows.append(("theirs by", Content(by(clash.theirs_by))))
    return Content("\n").join([*parts, Content(""), *table(rows, width)])


def by(author: Author) -> str:
    return visible(author.name)
