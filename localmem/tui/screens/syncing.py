"""What a person does about a sync: run it, look ahead, answer it, leave out, undo, decide.

Refuses to let anything go for good, here or there, before the numbers were read; what removes much
wants its count typed.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, cast

from textual.content import Content

from localmem.core.syncing import (
    Clash,
    NotDone,
    Past,
    Question,
    State,
    Status,
    Undone,
    Waiting,
)
from localmem.core.visible import visible
from localmem.engine import Engine
from localmem.engine.outcomes import UndoPreview
from localmem.errors import MemoryNotFound
from localmem.tui.desk import Desk
from localmem.tui.present import ink
from localmem.tui.present import syncing as present
from localmem.tui.present.rows import Row
from localmem.tui.present.words import count, some
from localmem.tui.screens.account import open_account
from localmem.tui.screens.ask import AskScreen
from localmem.tui.screens.base import Screenful
from localmem.tui.screens.conflict import open_conflict
from localmem.tui.screens.count import CountScreen
from localmem.tui.screens.look_ahead import LookScreen

if TYPE_CHECKING:
    from localmem.tui.app import LocalmemApp

_MANY_GONE, _OTHER_SERVER = "many_gone", "other_server"


def app_of(screen: Screenful[Any]) -> LocalmemApp:
    return cast("LocalmemApp", screen.app)


async def status_of(desk: Desk) -> Status | None:
    """How it stands now; None where there is nothing to ask."""

    def work(engine: Engine) -> Status | None:
        syncing = desk.syncing(engine)
        return syncing.status() if syncing is not None else None

    return await desk.bridge.read(work)


async def _signed_in(screen: Screenful[Any]) -> Status | None:
    """How it stands; None when nobody is signed in, which is said with the way to do so."""
    status = await status_of(screen.desk)
    if status is None or status.account is None:
        if screen.desk.sync is None:
            screen.say("No file holds this library, so there is nothing to keep in step.")
        elif status is None:
            screen.say("Synchronisation is being loaded; try again in a moment.")
        else:
            key = screen.desk.keys.label("account")
            screen.say(f"Nobody is signed in, so everything stays here. {key} signs in.")
        return None
    return status


async def now(screen: Screenful[Any]) -> None:
    """Run it, or first answer what it asks."""
    status = await _signed_in(screen)
    if status is None:
        return
    if status.state is State.ASKING and status.question is not None:
        await answer(screen, status.question)
        return
    if screen.desk.seen.keyless or status.state is State.SIGNED_OUT:
        await open_account(screen)
        return
    app_of(screen).keeper.now()
    screen.say("Synchronising.")


async def answer(screen: Screenful[Any], question: Question) -> None:
    """Show the numbers and take a yes or a no."""
    if question.brake == _OTHER_SERVER:
        text = _asked(question)
        asked = AskScreen(screen.desk, "Another server", text, yes="Sign in again", no="Not now")
        if await screen.app.push_screen_wait(asked):
            await open_account(screen)
        return
    if question.brake == _MANY_GONE:
        said = await screen.app.push_screen_wait(
            CountScreen(screen.desk, "Remove them here?", _asked(question), question.items)
        )
    else:
        title = "Fill the server again?" if question.brake == "went_back" else "Send all of it?"
        said = await screen.app.push_screen_wait(
            AskScreen(screen.desk, title, _asked(question), yes="Yes, do it", no="Not now")
        )
    if said:
        app_of(screen).keeper.now([question.allowance])
        screen.say("It goes on.")


def _asked(question: Question) -> Content:
    return Content.assemble(
        (visible(question.text), ink.STRONG), "\n\n", visible(question.hint)
    )  # fmt: skip


async def look_ahead(screen: Screenful[Any]) -> None:
    """Show what a run would do."""
    if await _signed_in(screen) is not None and screen.desk.sync is not None:
        await screen.app.push_screen_wait(LookScreen(screen.desk, screen.desk.sync))


async def pause(screen: Screenful[Any]) -> None:
    """Pause, or go on."""
    status = await _signed_in(screen)
    if status is None or status.account is None:
        return
    paused = not status.account.paused
    await screen.desk.bridge.write(lambda engine: _pause(screen.desk, engine, paused))
    key = screen.desk.keys.label
    screen.say(
        f"Paused: it runs only when you press {key('sync')}. {key('pause')} goes on."
        if paused
        else "It goes on by itself again."
    )
    app_of(screen).look_at_sync()


def _pause(desk: Desk, engine: Engine, paused: bool) -> None:
    syncing = desk.syncing(engine)
    if syncing is not None:
        syncing.pause(paused)


async def do(screen: Screenful[Any], deed: str, row: Row | None) -> None:
    """What a key means for a line of Sync or Conflicts."""
    match deed, row:
        case "open" | "edit", Clash():
            await open_conflict(screen, row)
        case "open", present.About(_, status) if status.question is not None:
            await answer(screen, status.question)
        case "reject", Waiting():
            await _hold(screen, row)
        case "reject", _:
            screen.say("There is nothing here to leave out: go to what waits.")
        case "undo", Past():
            await _undo(screen, row)
        case "undo", _:
            screen.say("Go to one of the last runs to take back what it changed here.")
        case _:
            return
    app_of(screen).look_at_sync()


async def _hold(screen: Screenful[Any], waiting: Waiting) -> None:
    desk = screen.desk

    def work(engine: Engine) -> bool:
        syncing = desk.syncing(engine)
        if syncing is None:
            return False
        return syncing.take_in(waiting.id) if waiting.code else syncing.leave_out(waiting.id)

    if not await desk.bridge.write(work):
        screen.say(
            "What is deleted here is deleted there too; it cannot be left out."
            if waiting.act == "delete"
            else "It does not wait any more."
        )
    elif waiting.code:
        screen.say("Taken in again: it is sent with the next run.")
    else:
        screen.say(f"Left out: it stays on this device. {desk.keys.label('reject')} takes it in.")


async def _undo(screen: Screenful[Any], past: Past) -> None:
    """Say what taking a run back does, ask, do it."""
    desk = screen.desk
    if past.undone or not past.undoable:
        screen.say("It was taken back already." if past.undone
                   else "That run changed nothing here.")  # fmt: skip
        return
    preview = await desk.bridge.read(lambda engine: _preview(engine, past.id))
    question = AskScreen(desk, "Take the run back?", _taking_back(past, preview),
                         yes="Take it back", no="Leave it")  # fmt: skip
    if not await screen.app.push_screen_wait(question):
        return

    def work(engine: Engine) -> Undone | NotDone | None:
        syncing = desk.syncing(engine)
        return syncing.undo(past.id) if syncing is not None else None

    done = await desk.bridge.write(work)
    if isinstance(done, NotDone):
        screen.say(f"{done.message} {done.hint}".strip(), "warning")
    elif done is not None:
        screen.say(_undone(done))


def _preview(engine: Engine, run: int) -> UndoPreview | None:
    """What taking a run back is about; None where that is told when it is done."""
    try:
        preview = engine.sync_runs.undo_preview(run)
    except MemoryNotFound:
        return None
    return preview if isinstance(preview, UndoPreview) else None


def _taking_back(past: Past, preview: UndoPreview | None) -> Content:
    about = count(preview.count if preview is not None else past.undoable, "memory", "memories")
    total = present.total(past.counts)
    did = [f"{number:,} {word}" for number, word in (
        (total.taken, "taken over"), (total.changed_here, "changed"),
        (total.deleted_here, "deleted"),
    ) if number]  # fmt: skip
    lines = [
        f"That run changed here: {', '.join(did) or count(past.undoable, 'memory', 'memories')}.",
        "",
        f"Taking it back is about {about}: what it changed says again what it said before, and "
        "what was new with it is erased for good.",
    ]
    if total.deleted_here:
        lines.append("What it deleted here does not come back.")
    lines += ["", "The next run tells the server, so this goes for your other devices too."]
    named = [Content(""), *some(preview.items, preview.count)] if preview is not None else []
    parts = [*map(Content, lines[:3]), *named, *map(Content, lines[3:])]
    return Content("\n").join(parts)


def _undone(done: Undone) -> str:
    parts = [
        f"{number:,} {word}"
        for number, word in (
            (done.restored, "as before"),
            (done.erased, "erased"),
            (done.kept, "changed since, kept"),
            (done.lost, "deleted, not back"),
        )
        if number
    ]
    return f"Taken back: {', '.join(parts) or 'nothing was left to take back'}."
