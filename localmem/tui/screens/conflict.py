"""An open conflict: both sides and what was before, decided with one key or in the form.

Follows what other devices do while it is open: a newer version of theirs is shown, and what was
settled elsewhere closes it. Decides nothing by itself, and forgets nothing without asking.
"""

from __future__ import annotations

from typing import Any

from textual.content import Content

from localmem.core import merge
from localmem.core.merge import Clash as Unmerged
from localmem.core.merge import Clean
from localmem.core.model import Content as Kept
from localmem.core.model import Item, Kind
from localmem.core.preferences import parse_key
from localmem.core.records import Draft
from localmem.core.syncing import Clash, Decision
from localmem.engine import Engine
from localmem.engine.answers import PreferenceEntry
from localmem.errors import LocalmemError
from localmem.tui.actions import Place, bindings
from localmem.tui.desk import Desk
from localmem.tui.present import conflicts as present
from localmem.tui.present.preview import copied_text
from localmem.tui.screens.ask import AskScreen
from localmem.tui.screens.base import Screenful
from localmem.tui.screens.edit_document import DocumentForm
from localmem.tui.screens.edit_fact import FactForm
from localmem.tui.screens.edit_preference import PreferenceForm
from localmem.tui.screens.form import Form
from localmem.tui.screens.sides import Shown, ThreeSides, merged_of

_SETTLED = "It was settled meanwhile, so there is nothing to decide any more."
_SAID = {
    Decision.MINE: "Yours is kept; it is sent with the next run.",
    Decision.THEIRS: "Theirs is kept.",
    Decision.MERGED: "The merged version is kept; it is sent with the next run.",
    Decision.FORGET: "Forgotten here; the next run deletes it there.",
}


async def open_conflict(screen: Screenful[Any], clash: Clash) -> None:
    """Show it as it is now; it may have been settled since the list was read."""
    now = await _look(screen.desk, clash.id)
    if now is None:
        screen.say(_SETTLED)
    else:
        await screen.app.push_screen_wait(ConflictScreen(screen.desk, now))


async def _look(desk: Desk, id: str) -> Clash | None:
    def work(engine: Engine) -> Clash | None:
        syncing = desk.syncing(engine)
        return syncing.conflict(id) if syncing is not None else None

    # It may close one that a forget has ended, which is a write.
    return await desk.bridge.write(work, quiet=True)


async def _decide(desk: Desk, id: str, decision: Decision, content: Kept | None) -> bool:
    def work(engine: Engine) -> bool:
        syncing = desk.syncing(engine)
        return syncing is not None and syncing.decide(id, decision, content)

    return await desk.bridge.write(work)


class ConflictScreen(ThreeSides[bool]):
    """Dismisses with whether it was decided."""

    BINDINGS = bindings(Place.CONFLICT)
    places = (Place.CONFLICT,)

    def __init__(self, desk: Desk, clash: Clash) -> None:
        super().__init__(desk)
        self.clash = clash
        self._deciding = False
        self.outcome = _merged(clash)
        self.shown = self._shown()

    def _shown(self) -> Shown:
        clash, now, zone = self.clash, self.desk.now, self.desk.zone
        key = self.desk.keys.label
        return Shown(
            present.head(clash, now, zone),
            present.titles(clash),
            present.sides(clash),
            present.whose(clash, now, zone),
            self.outcome,
            present.merged_head(clash, self.outcome, key),
            present.choices(clash, key),
        )

    def sync_moved(self) -> None:
        if not self._deciding:
            self.work("look", self._look_again)

    async def _look_again(self) -> None:
        with self.contained():
            now = await _look(self.desk, self.clash.id)
            if now is None:
                if self.is_current and not self._deciding:
                    self.say(_SETTLED)
                    self.dismiss(False)
            elif now != self.clash:
                if now.theirs != self.clash.theirs:
                    self.say("Theirs changed while you looked: it is shown anew.")
                self.clash, self.outcome = now, _merged(now)
                self.show(self._shown())

    # deciding

    def action_mine(self) -> None:
        self.begin(self._settle, Decision.MINE, None)

    def action_theirs(self) -> None:
        if self.clash.why == present.SHAPE:
            self.say("Theirs cannot be read, so it cannot be taken. Keep yours, or forget both.")
        else:
            self.begin(self._settle, Decision.THEIRS, None)

    def action_accept(self) -> None:
        if isinstance(self.outcome, Clean):
            self.begin(self._settle, Decision.MERGED, self.outcome.content)
        elif self.outcome is None:
            self.say("Nothing can be merged here: choose a side.")
        else:
            edit = self.desk.keys.label("edit")
            self.say(f"Both sides changed the same part: edit the merged version with {edit}.")

    def action_forget(self) -> None:
        self.begin(self._forget)

    def action_later(self) -> None:
        self.dismiss(False)

    def action_back(self) -> None:
        self.dismiss(False)

    def action_copy(self) -> None:
        side = self.clash.mine if self.clash.mine is not None else self.clash.theirs
        if side is not None:
            self.copy(copied_text(side), id=self.clash.item)

    async def _settle(self, decision: Decision, content: Kept | None) -> None:
        self._deciding = True
        try:
            with self.contained():
                seen = self.clash
                if await _look(self.desk, seen.id) != seen:
                    # What is decided is what was seen: look first, once.
                    self._deciding = False
                    await self._look_again()
                    return
                done = await _decide(self.desk, seen.id, decision, content)
                self.say(_SAID[decision] if done else _SETTLED)
                self.dismiss(done)
        finally:
            self._deciding = False

    async def _forget(self) -> None:
        with self.contained():
            text = Content.assemble(
                "It goes for good: here with every version it had, and on the server and your "
                "other devices with the next runs."
            )
            asked = AskScreen(self.desk, "Forget both sides?", text, yes="Forget", no="Keep it")
            if await self.app.push_screen_wait(asked):
                await self._settle(Decision.FORGET, None)

    def action_edit(self) -> None:
        if self.clash.mine is None or self.clash.item is None:
            self.say("There is nothing here to edit: take theirs first, then edit it.")
        else:
            self.begin(self._edit)

    async def _edit(self) -> None:
        with self.contained():
            clash, outcome = self.clash, self.outcome
            content = merged_of(outcome) if outcome is not None else clash.mine
            assert content is not None
            slot = f"conflict:{clash.id}"
            draft = await self.desk.bridge.read(lambda engine: engine.library.draft(slot))
            form, item = await _form(self.desk, clash, draft)

            async def decide(kept: Kept) -> bool:
                return await _decide(self.desk, clash.id, Decision.MERGED, kept)

            form.settle(item, slot, decide, None if draft is not None else content)
            self._deciding = True  # the form says itself when it was settled elsewhere
            try:
                done = await self.app.push_screen_wait(form)
            finally:
                self._deciding = False
            if done is not None:
                self.dismiss(True)
            else:
                await self._look_again()


def _merged(clash: Clash) -> Clean | Unmerged | None:
    """What could be merged; None where a side is gone or they differ in kind."""
    if clash.mine is None or clash.theirs is None:
        return None
    try:
        return merge.merge(clash.base, clash.mine, clash.theirs)
    except LocalmemError:
        return None


async def _form(desk: Desk, clash: Clash, draft: Draft | None) -> tuple[Form, Item]:
    """The form of what is here, and that. Raises NotFound."""
    id = clash.item
    assert id is not None

    def work(engine: Engine) -> tuple[Item, PreferenceEntry | None]:
        item = engine.library.get(id)
        if item.kind is not Kind.PREFERENCE:
            return item, None
        return item, engine.preferences.entry(parse_key(item.key))

    item, entry = await desk.bridge.read(work)
    if entry is not None:
        return PreferenceForm(desk, entry=entry, draft=draft), item
    form = FactForm if item.kind is Kind.FACT else DocumentForm
    return form(desk, item=item, scope=item.scope, draft=draft), item
