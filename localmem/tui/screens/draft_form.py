"""What is typed in a form: its fields, its check and its draft, until it is saved.

A draft is kept when the form is left, when the app ends, and a moment after each change; it is
offered again with the version it was made on, so a save that comes late is seen to be late.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from textual import on
from textual.app import ComposeResult
from textual.containers import Horizontal, Vertical
from textual.content import Content
from textual.timer import Timer
from textual.widget import Widget
from textual.widgets import Input, Static, TextArea

from localmem.core.model import Item, ItemId, Millis
from localmem.core.records import Draft
from localmem.core.visible import visible
from localmem.engine import Engine
from localmem.errors import LocalmemError, NotFound
from localmem.tui.actions import Place, bindings
from localmem.tui.desk import Desk
from localmem.tui.entries import DraftBody, lifetime_left
from localmem.tui.errors import sentence
from localmem.tui.present import ink
from localmem.tui.present.words import author, when
from localmem.tui.screens.base import Screenful
from localmem.tui.screens.choose import Choice, ChooseScreen
from localmem.tui.widgets.area import Area
from localmem.tui.widgets.chrome import Footer, TooSmall
from localmem.tui.widgets.fields import Field

KEEP_DRAFT_AFTER = 1.0
"""Seconds without a key after which what is typed is kept."""


LARGE = 10_000
"""Characters from which a text is no longer checked at every key."""
CHECK_AFTER = 0.3
"""Seconds without a key after which a large text is checked."""


class DraftForm(Screenful[Item | None]):
    """A form that is not saved yet; Form adds the saving."""

    BINDINGS = bindings(Place.FORM)
    places = (Place.FORM,)
    title_text = ""
    slot = ""
    """Where the draft is kept."""

    def __init__(
        self, desk: Desk, start: dict[str, str], *, item: Item | None, draft: Draft | None
    ) -> None:
        """`start` is what is saved now, field by field; `draft` replaces it on the screen."""
        super().__init__(desk)
        self.item = item
        self.start = start
        self.made_on = item.head.number if item is not None else None
        self._draft_at: Millis | None = None
        self.fields = dict(start)
        body = DraftBody.read(draft.body) if draft is not None else None
        if draft is not None and body is not None and body.fields.keys() == start.keys():
            self.fields, self.made_on = dict(body.fields), body.made_on
            self._draft_at = draft.at
        self._kept = dict(self.fields)
        self._timer: Timer | None = None
        self._check_timer: Timer | None = None
        self._saving = False
        self._touched: set[str] = set()
        self._asked = False
        """Whether saving was tried: from then on everything that is missing is said."""
        self.gone = ""
        """What happened to `item` when it is no longer kept; "" while it is."""

    # what a kind of form says

    def compose_fields(self) -> Iterator[Widget]:
        """The fields, each with the id of its name in `fields`."""
        raise NotImplementedError

    def check(self) -> Content:
        """How far what is typed is from a limit. Raises LocalmemError for what cannot be saved."""
        raise NotImplementedError

    async def choices(self, field: str) -> tuple[str, Sequence[Choice]] | None:
        """Title and entries to choose from for a field; None where there is nothing to choose.

        With no entries the title is a sentence that says why.
        """
        return None

    async def ask_fate(self) -> None:
        """What becomes of the text when its memory was forgotten elsewhere."""
        raise NotImplementedError

    def become_new(self) -> None:
        """What is typed stands for itself: `item` is no longer kept."""
        item, self.item, self.made_on = self.item, None, None
        if item is not None and not self.fields.get("ttl", "-").strip():
            self.show_fields({"ttl": lifetime_left(item, self.desk.now)})

    noun = "fact"
    """What this is called in a sentence."""
    suffix = ".txt"
    """Of the file an editor is given."""
    main_field = "text"

    @property
    def first_field(self) -> str:
        """Where the person begins."""
        return self.main_field

    # the screen

    def compose(self) -> ComposeResult:
        yield Static(Content(visible(self.title_text)), id="form-title", markup=False)
        yield Static(id="form-note", markup=False)
        with Vertical(id="form"):
            yield from self.compose_fields()
        yield Static(id="form-check", markup=False)
        yield Footer()
        yield TooSmall()

    def on_mount(self) -> None:
        super().on_mount()
        note = self.query_one("#form-note", Static)
        note.display = self._draft_at is not None
        if self._draft_at is not None:
            at = when(self._draft_at, self.desk.now, self.desk.zone)
            note.update(Content.assemble(
                ("✎ ", ink.ALERT), f"Your draft of {at} is back", self._since(), ". ",
                ("ctrl+r", ink.NAME), " starts over from what is saved.",
            ))  # fmt: skip
        self.query_one(f"#{self.first_field}").focus()
        self.show_check()

    def _since(self) -> str:
        """Who wrote after the version the draft was made on; "" when nobody did."""
        item = self.item
        if item is None or self.made_on == item.head.number:
            return ""
        return f"; changed since by {author(item.head.by)}, saving shows both"

    @staticmethod
    def line(name: str, field: Widget, hint: str = "") -> Widget:
        """A named field of one line."""
        return Horizontal(
            Static(Content.styled(name, ink.DIM), classes="name", markup=False),
            field,
            Static(Content.styled(hint, ink.FAINT), classes="hint", markup=False),
            classes="line",
        )

    @on(Input.Changed)
    @on(TextArea.Changed)
    def _changed(self) -> None:
        self._check_soon()
        if self._timer is not None:
            self._timer.stop()
        self._timer = self.set_timer(KEEP_DRAFT_AFTER, self._keep_soon)

    def _check_soon(self) -> None:
        """At once, or for a large text once the typing pauses: no key waits for a check."""
        if self._check_timer is not None:
            self._check_timer.stop()
        typed = sum(len(area.text) for area in self.query(Area))
        if typed < LARGE:
            self.check_now()
            return
        size = sum(len(area.text.encode("utf-8", "replace")) for area in self.query(Area))
        said = f"{size:,} bytes · checked when you pause"
        self.query_one("#form-check", Static).update(Content.styled(said, ink.DIM))
        self._check_timer = self.set_timer(CHECK_AFTER, self.check_now)

    def check_now(self) -> None:
        """Say how far what is typed is from a limit, or what is wrong with it."""
        self.read_fields()
        self.show_check()

    def read_fields(self) -> None:
        for place in (*self.query(Field), *self.query(Area)):
            name = place.id
            if name in self.fields and self.fields[name] != (typed := place.typed):
                self.fields[name] = typed
                self._touched.add(name)

    def show_fields(self, fields: dict[str, str]) -> None:
        for field in self.query(Field):
            if field.id in fields:
                field.typed = fields[field.id]
        for area in self.query(Area):
            if area.id in fields and area.typed != fields[area.id]:
                area.typed = fields[area.id]
        self.fields |= fields

    def is_waiting(self, name: str) -> bool:
        """Whether a field is empty because the person has not come to it yet: no mistake."""
        return (
            not self._asked and name not in self._touched and not self.fields.get(name, "-").strip()
        )

    def show_check(self) -> None:
        line = self.query_one("#form-check", Static)
        try:
            line.update(self.check())
        except LocalmemError as problem:
            field = problem.details.get("field", "")
            if self.is_waiting(str(field or self.main_field)):
                said = visible(f"{field}: {problem.hint}" if field else problem.hint)
                line.update(Content.styled(said, ink.DIM))
            else:
                line.update(Content.assemble(("▲ ", ink.BAD), sentence(problem)))

    # drafts

    @property
    def dirty(self) -> bool:
        return self.fields != self.start

    def _keep_soon(self) -> None:
        self.work("draft", self._keep_contained)

    async def _keep_contained(self) -> None:
        with self.contained():
            self.read_fields()
            await self.keep_draft()

    async def keep_draft(self) -> bool:
        """Keep what is typed; False when it is what is saved anyway, or what was forgotten.

        A draft goes with its memory, so nothing of a forgotten one is kept under its name again.
        """
        if await self._is_gone():
            return False
        if self.fields == self._kept:
            return self.dirty
        slot, fields = self.slot, dict(self.fields)
        if not self.dirty:
            await self.desk.bridge.write(lambda engine: engine.library.drop_draft(slot))
        else:
            body = DraftBody(fields, self.made_on).written()
            item = self.item.id if self.item is not None else None
            await self.desk.bridge.write(
                lambda engine: engine.library.save_draft(slot, body, item=item)
            )
        self._kept = fields
        return self.dirty

    async def _is_gone(self) -> bool:
        """Whether what is edited was forgotten or expired; then it is said above the form."""
        item = self.item
        if item is not None and not self.gone:
            id = item.id
            if not await self.desk.bridge.read(lambda engine: _is_kept(engine, id)):
                self._tell_gone(item)
        return bool(self.gone)

    def _tell_gone(self, item: Item) -> None:
        at = item.head.expires_at
        expired = at is not None and at <= self.desk.now
        self.gone = (
            f"This {self.noun} expired while you were writing."
            if expired
            else f"This {self.noun} was forgotten elsewhere while you were writing."
        )
        note = self.query_one("#form-note", Static)
        note.display = True
        note.update(Content.assemble(("⚠ ", ink.ALERT), self.gone))

    async def before_leaving(self) -> None:
        self.read_fields()
        await self.keep_draft()

    def action_back(self) -> None:
        self.begin(self._leave)

    async def _leave(self) -> None:
        with self.contained():
            self.read_fields()
            if await self.keep_draft():
                self.say("Your draft is kept; the same key brings it back.")
            elif self.gone and self.dirty:
                await self.ask_fate()
                return
            # Inside: a draft that could not be kept leaves the form, and the text, on the screen.
            self.dismiss(None)

    def action_start_over(self) -> None:
        self.show_fields(self.start)
        self.made_on = self.item.head.number if self.item is not None else None
        self.query_one("#form-note").display = False

    # choosing, and the person's own editor

    def action_pick(self) -> None:
        self.begin(self._pick)

    async def _pick(self) -> None:
        with self.contained():
            field = self.focused
            if not isinstance(field, Field) or field.id is None:
                self.say("There is nothing to choose for this field.")
                return
            offered = await self.choices(field.id)
            if offered is None:
                self.say("There is nothing to choose for this field.")
                return
            title, choices = offered
            if not choices:
                self.say(title)
                return
            chosen = await self.app.push_screen_wait(
                ChooseScreen(self.desk, title, choices, free=True)
            )
            if chosen is not None:
                field.typed = str(chosen)

    def action_editor(self) -> None:
        """Hand the main text to the person's own editor, and take it back."""
        with self.contained():
            from localmem.tui.external import edit

            self.read_fields()
            name = self.main_field
            text = edit(self.app, self.desk.editor, self.fields[name], self.suffix)
            if text != self.fields[name]:
                self.show_fields({name: text})


def _is_kept(engine: Engine, id: ItemId) -> bool:
    try:
        engine.library.get(id)
    except NotFound:
        return False
    return True
