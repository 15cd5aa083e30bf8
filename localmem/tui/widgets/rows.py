"""A list that scrolls 100,000 rows as it scrolls ten: it holds a window and asks for the rest.

Draws through a pure function, so a row is never a widget. Old rows stay until new ones come; a
window of another list (`generation`) is dropped.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Generic, TypeVar

from rich.segment import Segment
from textual import events
from textual.content import Content
from textual.geometry import Region, Size
from textual.message import Message
from textual.reactive import reactive
from textual.scroll_view import ScrollView
from textual.strip import Strip

from localmem.tui.actions import Place, bindings

if TYPE_CHECKING:
    from textual.style import Style

R = TypeVar("R")

PAGE = 128
"""Rows asked for beyond what is seen, on each side."""
KEPT = 4_096
"""Rows kept in memory before the far ones are let go."""
_GUTTER = 2


class Rows(ScrollView, Generic[R], can_focus=True):
    """A focusable list of lines with a cursor."""

    DEFAULT_CSS = """
    Rows {
        overflow-x: hidden;
        overflow-y: auto;
        scrollbar-size-vertical: 1;
    }
    Rows > .rows--cursor {
        background: $primary 25%;
        color: $foreground;
        text-style: bold;
    }
    Rows > .rows--cursor-away { background: $panel; }
    Rows > .rows--waiting { color: $text-disabled; }
    """

    COMPONENT_CLASSES = {"rows--cursor", "rows--cursor-away", "rows--waiting"}  # noqa: RUF012
    BINDINGS = bindings(Place.ROWS)
    place = Place.ROWS

    cursor: reactive[int] = reactive(0)

    @dataclass(eq=False, repr=False)
    class Moved(Message):
        """The cursor came to stand on another row."""

        rows: Rows[Any]
        row: Any
        """None when it is not here yet, or the list is empty."""

        @property
        def control(self) -> Rows[Any]:
            return self.rows

    @dataclass(eq=False, repr=False)
    class Opened(Message):
        """Enter, or a click on the cursor's row."""

        rows: Rows[Any]
        row: Any

        @property
        def control(self) -> Rows[Any]:
            return self.rows

    @dataclass(eq=False, repr=False)
    class Wanted(Message):
        """Rows that are about to be seen and are not here."""

        rows: Rows[Any]
        generation: int
        offset: int
        limit: int

        @property
        def control(self) -> Rows[Any]:
            return self.rows

    def __init__(
        self, draw: Callable[[R, int], Content], *, id: str, always_lit: bool = False
    ) -> None:
        """`draw` makes one line of at most the given width; `always_lit` for a list that is
        moved from a field beside it and never has the focus itself."""
        super().__init__(id=id)
        self.set_reactive(Rows.auto_links, False)
        self._always_lit = always_lit
        self.can_focus = not always_lit
        self._draw = draw
        self._held: dict[int, R] = {}
        self._count = 0
        self._generation = 0
        self._wanted: tuple[int, int] | None = None
        self._empty = Content("")

    @property
    def count(self) -> int:
        return self._count

    @property
    def generation(self) -> int:
        """Which list this is; grows with every `show`."""
        return self._generation

    @property
    def row(self) -> R | None:
        """The one under the cursor, when it is here."""
        return self._held.get(self.cursor)

    def show(
        self,
        rows: Sequence[R],
        *,
        count: int | None = None,
        offset: int = 0,
        cursor: int = 0,
        keep_scroll: bool = False,
        empty: Content | None = None,
    ) -> None:
        """Another list: `rows` from `offset` on, of `count` in all."""
        before = self.row
        self._generation += 1
        self._held = dict(enumerate(rows, offset))
        self._count = offset + len(rows) if count is None else count
        self._empty = empty or Content("")
        self._wanted = None
        at = self.cursor - self.scroll_offset.y
        self.virtual_size = Size(0, self._count)
        self.set_reactive(Rows.cursor, max(0, min(cursor, self._count - 1)))
        if keep_scroll and self.scroll_offset.y:
            self.scroll_to(y=self.cursor - at, animate=False, force=True)
        self._reveal()
        self.refresh()
        if before is not self.row:
            self.post_message(self.Moved(self, self.row))

    def say_empty(self, empty: Content) -> None:
        """What stands there while the list holds nothing."""
        self._empty = empty
        if not self._count:
            self.refresh()

    def fill(self, generation: int, offset: int, rows: Sequence[R]) -> None:
        """The rows that were wanted; those of another list are dropped."""
        if generation != self._generation:
            return
        waiting = self.row is None
        self._held.update(enumerate(rows, offset))
        if len(self._held) > KEPT:
            self._held = _near(self._held, self.scroll_offset.y)
        self._wanted = None
        self.refresh()
        if waiting and self.row is not None:
            self.post_message(self.Moved(self, self.row))

    def take_out(self) -> R | None:
        """The row under the cursor, no longer in the list: the next one comes under it."""
        taken = self.row
        if taken is None:
            return None
        rest = {at - (at > self.cursor): row for at, row in self._held.items() if row is not taken}
        self._generation += 1
        self._held, self._count, self._wanted = rest, self._count - 1, None
        self.virtual_size = Size(0, self._count)
        self.set_reactive(Rows.cursor, max(0, min(self.cursor, self._count - 1)))
        self._reveal()
        self.refresh()
        self.post_message(self.Moved(self, self.row))
        return taken

    def index_of(self, accept: Callable[[R], bool]) -> int | None:
        """Where the first row that is accepted stands, among those that are here."""
        return next((at for at, row in sorted(self._held.items()) if accept(row)), None)

    # drawing

    def render_line(self, y: int) -> Strip:
        width = self.scrollable_content_region.width
        at = y + self.scroll_offset.y
        if at >= self._count:
            return self._empty_line(y, width)
        row = self._held.get(at)
        if row is None:
            self._want()
            return self._strip(Content("  ·"), width, self.get_visual_style("rows--waiting"))
        chosen = at == self.cursor
        lit = self.has_focus or self._always_lit
        mark = ("▌ " if lit else "▏ ") if chosen else "  "
        line = Content.assemble((mark, "bold $accent"), self._draw(row, max(width - _GUTTER, 1)))
        name = "rows--cursor" if lit else "rows--cursor-away"
        style = self.get_visual_style(name) if chosen else self.visual_style
        return self._strip(line, width, style)

    def _empty_line(self, y: int, width: int) -> Strip:
        if self._count or width <= _GUTTER * 2:
            return Strip.blank(width, self.rich_style)
        lines = [line for part in self._empty.split("\n") for line in wrapped(part, width)]
        if len(lines) >= self.size.height:
            lines = [line for line in lines if line.plain.strip()]
        at = y - 1 if len(lines) < self.size.height else y
        if not 0 <= at < len(lines):
            return Strip.blank(width, self.rich_style)
        line = self._strip(lines[at], width - _GUTTER, self.visual_style)
        return Strip([Segment(" " * _GUTTER, self.rich_style), *line])

    def _strip(self, line: Content, width: int, style: Style) -> Strip:
        """One line as it stands: there is nothing to wrap, to align or to link."""
        parts = line.render(style, "", self._get_style)
        drawn = Strip([Segment(text, part.rich_style) for text, part in parts])
        return drawn.adjust_cell_length(width, style.rich_style)

    def _want(self) -> None:
        top = self.scroll_offset.y
        first = max(0, top - PAGE)
        last = min(self._count, top + self.size.height + PAGE)
        missing = [at for at in range(first, last) if at not in self._held]
        if not missing:
            return
        wanted = (missing[0], missing[-1] + 1 - missing[0])
        if wanted != self._wanted:
            self._wanted = wanted
            self.post_message(self.Wanted(self, self._generation, *wanted))

    # moving

    def watch_cursor(self, old: int, new: int) -> None:
        self._reveal()
        self.refresh_line(old)
        self.refresh_line(new)
        self.post_message(self.Moved(self, self.row))

    def validate_cursor(self, cursor: int) -> int:
        return max(0, min(cursor, self._count - 1))

    def _reveal(self) -> None:
        self.scroll_to_region(
            Region(0, self.cursor, 1, 1), animate=False, force=True, immediate=True
        )
        if self.row is None and self._count:
            self._want()

    def action_up(self) -> None:
        self.cursor -= 1

    def action_down(self) -> None:
        self.cursor += 1

    def action_page_up(self) -> None:
        self.cursor -= max(1, self.size.height // 2)

    def action_page_down(self) -> None:
        self.cursor += max(1, self.size.height // 2)

    def action_first(self) -> None:
        self.cursor = 0

    def action_last(self) -> None:
        self.cursor = self._count - 1

    def action_open(self) -> None:
        if self.row is not None:
            self.post_message(self.Opened(self, self.row))

    def on_click(self, event: events.Click) -> None:
        under = event.get_content_offset(self)  # the border is no row
        if under is None or under.y + self.scroll_offset.y >= self._count:
            return
        at = under.y + self.scroll_offset.y
        if at == self.cursor and event.chain > 1:
            self.action_open()
        self.cursor = at

    def on_focus(self) -> None:
        self.refresh()

    def on_blur(self) -> None:
        self.refresh()

    def on_resize(self) -> None:
        self._reveal()


def wrapped(line: Content, width: int) -> list[Content]:
    """A line of the note of an empty list, gutters on both sides left free."""
    return line.wrap(width - _GUTTER * 2) or [Content("")]


def _near(held: Mapping[int, R], top: int) -> dict[int, R]:
    low, high = top - KEPT // 4, top + KEPT // 4
    return {at: row for at, row in held.items() if low <= at <= high}
