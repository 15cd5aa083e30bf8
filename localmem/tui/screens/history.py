"""Every version of an item, what changed between any two, and one of them back again."""

from __future__ import annotations

from textual import on
from textual.app import ComposeResult
from textual.containers import Horizontal
from textual.content import Content
from textual.widgets import Static

from localmem.core.change import Saved, Stale, Unchanged, Written
from localmem.core.model import Item, Millis, Version
from localmem.tui.actions import Place, bindings
from localmem.tui.desk import Desk
from localmem.tui.present import changes, ink, past
from localmem.tui.present.preview import copied_text, title
from localmem.tui.present.words import count, named
from localmem.tui.screens.base import Screenful
from localmem.tui.screens.undoing import take_back
from localmem.tui.widgets.chrome import Footer, TooSmall
from localmem.tui.widgets.page import Page
from localmem.tui.widgets.rows import Rows


class HistoryScreen(Screenful[Item | None]):
    """Dismisses with the item when something was restored."""

    BINDINGS = bindings(Place.HISTORY)
    places = (Place.HISTORY,)
    AUTO_FOCUS = "#versions"

    def __init__(
        self,
        desk: Desk,
        item: Item,
        history: tuple[Version, ...],
        *,
        until: Millis | None = None,
    ) -> None:
        """`history` is oldest first, as the engine gives it; `until` is the moment it ends at."""
        super().__init__(desk)
        self._until = until
        self.item = item
        self.versions = tuple(reversed(history))
        self.marked: Version | None = None
        """What the one under the cursor is compared with; None is the version before it."""
        self._changed: Item | None = None

    def compose(self) -> ComposeResult:
        shown = self.item._replace(head=self.versions[0]) if self._until else self.item
        yield Static(
            Content.assemble(
                ("History of ", ink.DIM),
                (named(shown)[:120], ink.STRONG),
                (f" · {title(self.item)}", ink.DIM),
                (self._ends(), ink.ALERT),
            ),
            id="form-title",
            markup=False,
        )
        with Horizontal(id="history"):
            yield Rows[Version](self._draw, id="versions")
            yield Page(id="difference")
        yield Footer()
        yield TooSmall()

    def _ends(self) -> str:
        if self._until is None:
            return ""
        return f" · up to {past.moment(self._until, self.desk.zone)}"

    @property
    def rows(self) -> Rows[Version]:
        rows: Rows[Version] = self.query_one("#versions", Rows)
        return rows

    def on_mount(self) -> None:
        super().on_mount()
        self.show_versions()

    def show_versions(self) -> None:
        """The list again; the cursor stays on its version, wherever that stands now."""
        here = self.rows.row
        numbers = [version.number for version in self.versions]
        at = numbers.index(here.number) if here is not None and here.number in numbers else 0
        self.rows.border_title = Content(count(len(self.versions), "version"))
        self.rows.show(self.versions, cursor=at, keep_scroll=True)
        self.show_difference()

    def _draw(self, version: Version, width: int) -> Content:
        return changes.version_row(
            version,
            width,
            marked=version == self.marked,
            current=version.number == self.item.head.number,
            now=self.desk.now,
            zone=self.desk.zone,
        )

    @on(Rows.Moved, "#versions")
    def show_difference(self) -> None:
        version = self.rows.row
        if version is None:
            return
        other = self.marked if self.marked not in (None, version) else self._before(version)
        head = changes.version_head(version, self.desk.now, self.desk.zone)
        page = self.query_one("#difference", Page)
        if other is None:
            page.border_title = Content(f"v{version.number}, the first")
            page.show(Content("\n\n").join([head, changes.kept_lines(version.content)]))
            return
        old, new = sorted((other, version), key=lambda each: each.number)
        page.border_title = Content(f"v{old.number} → v{new.number}")
        page.show(
            Content("\n\n").join(
                [
                    head,
                    changes.difference(old.content, new.content),
                    Content.styled(f"v{version.number} in full", ink.NAME),
                    changes.kept_lines(version.content),
                ]
            )
        )

    def _before(self, version: Version) -> Version | None:
        earlier = [each for each in self.versions if each.number < version.number]
        return max(earlier, key=lambda each: each.number, default=None)

    def action_mark(self) -> None:
        self.marked = None if self.marked == self.rows.row else self.rows.row
        self.rows.refresh()
        self.show_difference()

    def action_restore(self) -> None:
        version = self.rows.row
        if version is None:
            return
        if version.number == self.item.head.number:
            self.say("That is the current version already.")
            return
        self.finish("write", self._restore, version)

    async def _restore(self, version: Version) -> None:
        with self.contained():
            item = self.item
            id, seen = item.id, item.head.number
            written: Written = await self.desk.bridge.write(
                lambda engine: engine.versions.restore(id, version.number, made_on=seen)
            )
            match written:
                case Saved(item=now):
                    item = now
                    self.say(f"Version {version.number} is back, as version {item.head.number}.")
                    self._changed = item
                case Unchanged(item=twin) if twin.id != item.id:
                    self.say("Another fact says these words already, so nothing was restored.")
                case Unchanged():
                    self.say("The current version says the same already.")
                case Stale(current=now):
                    item = now
                    self.say("It changed meanwhile, so nothing was restored: look again.",
                             "warning")  # fmt: skip
            await self._look_again(item)

    async def _look_again(self, item: Item) -> None:
        self.item = item
        history = await self.desk.bridge.read(lambda engine: engine.library.history(item.id))
        self.versions = tuple(reversed(history))
        self.show_versions()

    def action_undo(self) -> None:
        self.finish("write", self._undo)

    async def _undo(self) -> None:
        with self.contained():
            undone = await take_back(self)
            if undone is None:
                return
            if self.item.id in undone.gone:
                self.dismiss(self.item)
                return
            id = self.item.id
            self._changed = self.item
            await self._look_again(await self.desk.bridge.read(lambda e: e.library.get(id)))

    def action_copy(self) -> None:
        if self.rows.row is not None:
            self.copy(copied_text(self.rows.row.content))

    def action_back(self) -> None:
        self.dismiss(self._changed)
