"""What all forms share: nothing typed is lost, and a save that comes late shows both sides."""

from __future__ import annotations

from collections.abc import Awaitable, Callable

from textual.content import Content
from textual.widgets import Static

from localmem.core.change import Saved, Stale, Unchanged, Write, Written
from localmem.core.model import Content as Kept
from localmem.core.model import Item
from localmem.core.screening import screen
from localmem.engine import Engine
from localmem.errors import InvalidInput, NotFound, SecretRejected
from localmem.tui.errors import sentence
from localmem.tui.present import ink
from localmem.tui.present.preview import copied_text
from localmem.tui.screens.ask import AskScreen
from localmem.tui.screens.draft_form import DraftForm
from localmem.tui.screens.gone import Fate, GoneScreen
from localmem.tui.screens.sides import Decision, SidesScreen, Verdict
from localmem.tui.widgets.area import Area


class Form(DraftForm):
    """Dismisses with the item that is kept now, or None."""

    def writer(self, *, keep_secret: bool) -> Callable[[Engine], Written]:
        """What saving does. Raises LocalmemError."""
        raise NotImplementedError

    def write_both(self, mine: Kept) -> Callable[[Engine], Written] | None:
        """How to keep both sides; None where a kind has only one place."""
        return None

    def edited(self, content: Kept) -> dict[str, str]:
        """The fields that show this content."""
        raise NotImplementedError

    def content(self) -> Kept:
        """What is typed, as it would be kept. Raises LocalmemError."""
        raise NotImplementedError

    _decide_with: tuple[Item, Callable[[Kept], Awaitable[bool]]] | None = None

    def settle(
        self,
        item: Item,
        slot: str,
        decide: Callable[[Kept], Awaitable[bool]],
        start: Kept | None,
    ) -> None:
        """Saving ends a conflict of a sync about `item`: `decide` is False when another did.

        `start` is what the form opens with; None for its draft.
        """
        self.slot, self._decide_with = slot, (item, decide)
        self.title_text = f"{self.title_text} · conflict"
        if start is not None:
            self.fields |= self.edited(start)

    # saving

    def action_save(self) -> None:
        if not self._saving:
            self._saving = True  # here, not in the job: two presses may come before it runs
            self.begin(self._save)

    async def _save(self) -> None:
        try:
            with self.contained():
                self._asked = True
                self.read_fields()
                await self._write(keep_secret=False)
        finally:
            self._saving = False

    async def _write(self, *, keep_secret: bool) -> None:
        if self._decide_with is not None:
            await self._end_conflict(*self._decide_with)
            return
        try:
            written = await self.desk.bridge.write(self.writer(keep_secret=keep_secret))
        except SecretRejected as refused:
            if keep_secret:  # what names a thing is never kept, however knowingly
                self._refuse(refused)
                return
            if await self._keeps_secret(sentence(refused)):
                await self._write(keep_secret=True)
            return
        except InvalidInput as refused:
            self._refuse(refused)
            return
        except NotFound:
            await self._lose()
            return
        await self._settle(written)

    async def _keeps_secret(self, said: str) -> bool:
        question = AskScreen(
            self.desk,
            "This looks like a secret",
            Content(f"{said}\n\nA secret kept here is shown to every assistant that may read "
                    "this. Keep it anyway?"),
            yes="Keep it anyway",
            no="Back to the text",
        )  # fmt: skip
        return await self.app.push_screen_wait(question)

    async def _end_conflict(self, item: Item, decide: Callable[[Kept], Awaitable[bool]]) -> None:
        try:
            content = self.content()
        except InvalidInput as refused:
            self._refuse(refused)
            return
        kinds = screen(copied_text(content)).kinds
        if kinds and not await self._keeps_secret(f"It holds {', '.join(kinds)}."):
            return
        if await decide(content):
            await self._done(item, "The conflict is settled; it is sent with the next run.")
        else:
            self.say("It was settled meanwhile. Your text is kept here; esc leaves it as a draft.",
                     "warning")  # fmt: skip

    async def _lose(self) -> None:
        """What was edited is not there any more: an outcome like any other, not a fault."""
        if not self.gone and self.item is not None:
            self._tell_gone(self.item)
        await self.ask_fate()

    async def ask_fate(self) -> None:
        match await self.app.push_screen_wait(GoneScreen(self.desk, self.gone, noun=self.noun)):
            case Fate.NEW:
                self.become_new()
                await self._write(keep_secret=False)
            case Fate.DROP:
                if self._timer is not None:
                    self._timer.stop()
                self.dismiss(None)

    def _refuse(self, problem: InvalidInput | SecretRejected) -> None:
        """Say it where it is, and put the cursor there."""
        self.query_one("#form-check", Static).update(
            Content.assemble(("▲ ", ink.BAD), (sentence(problem), ink.STRONG))
        )
        name = problem.details.get("field")
        for field in self.query(f"#{name}") if isinstance(name, str) else ():
            field.focus()
        line, column = problem.details.get("line"), problem.details.get("column")
        if isinstance(line, int) and isinstance(column, int):
            for area in self.query(Area):
                area.move_cursor((line - 1, column - 1))

    async def _settle(self, written: Written) -> None:
        match written:
            case Saved(item, created, notes):
                await self._done(item, "Kept." if created else "Saved.", notes)
            case Unchanged(item, notes):
                known = self.item is None or item.id != self.item.id
                said = "Already known: here it is." if known else "Nothing changed."
                await self._done(item, said, notes)
            case Stale():
                await self._decide(written)

    async def _done(self, item: Item, said: str, notes: tuple[str, ...] = ()) -> None:
        if self._timer is not None:
            self._timer.stop()
        slot = self.slot
        await self.desk.bridge.write(lambda engine: engine.library.drop_draft(slot))
        self.say(" ".join((said, *notes)))
        self.dismiss(item)

    async def _decide(self, stale: Stale) -> None:
        """Somebody else wrote meanwhile: show the three, and do what the person chooses."""
        self._kept = {}
        await self.keep_draft()
        can_keep_both = self.write_both(stale.mine.content) is not None
        verdict = await self.app.push_screen_wait(SidesScreen(self.desk, stale, can_keep_both))
        match verdict:
            case Verdict(Decision.THEIRS):
                await self._done(stale.current, "The other version stays.")
            case Verdict(Decision.MINE):
                await self._resolve(stale, stale.mine)
            case Verdict(Decision.MERGED, content) if content is not None:
                await self._resolve(stale, content)
            case Verdict(Decision.EDIT, content) if content is not None:
                self.item, self.made_on = stale.current, stale.current.head.number
                self.show_fields(self.edited(content))
            case Verdict(Decision.BOTH):
                both = self.write_both(stale.mine.content)
                if both is not None:
                    await self._settle(await self.desk.bridge.write(both))
            case _ if self.gone:
                # Its draft went with it: what is typed stays on the screen instead.
                self.say("Later, then: what you typed is still here.")
            case _:
                self.say("Later, then: your draft is kept.")
                self.dismiss(None)

    async def _resolve(self, stale: Stale, chosen: Write | Kept) -> None:
        content = chosen.content if isinstance(chosen, Write) else chosen
        try:
            written = await self.desk.bridge.write(
                lambda engine: engine.versions.resolve_stale(stale, content)
            )
        except NotFound:
            self.show_fields(self.edited(content))
            await self._lose()
            return
        await self._settle(written)
