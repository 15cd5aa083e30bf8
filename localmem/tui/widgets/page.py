"""A scrolling page of text: the preview, help, a difference, a receipt."""

from __future__ import annotations

from textual.app import ComposeResult
from textual.containers import VerticalScroll
from textual.content import Content
from textual.widgets import Static

from localmem.tui.actions import Place, bindings


class Page(VerticalScroll, can_focus=True):
    """Text that is read, scrolled with the keys of a list."""

    DEFAULT_CSS = """
    Page {
        scrollbar-size-vertical: 1;
        overflow-x: hidden;
    }
    Page > Static { width: 100%; height: auto; }
    """

    BINDINGS = bindings(Place.PREVIEW)
    place = Place.PREVIEW

    def __init__(self, text: Content | None = None, *, id: str) -> None:
        super().__init__(id=id)
        self._text = Static(text or Content(""), markup=False)

    def compose(self) -> ComposeResult:
        yield self._text

    @property
    def width(self) -> int:
        """Cells a line has."""
        return max(self.scrollable_content_region.width, 1)

    @property
    def text(self) -> str:
        """What stands there, without its styles."""
        return str(self._text.content)

    def show(self, text: Content, *, keep_scroll: bool = False) -> None:
        self._text.update(text)
        if not keep_scroll:
            self.scroll_home(animate=False)

    def action_up(self) -> None:
        self.scroll_up(animate=False)

    def action_down(self) -> None:
        self.scroll_down(animate=False)

    def action_page_up(self) -> None:
        self.scroll_relative(y=-max(1, self.size.height // 2), animate=False)

    def action_page_down(self) -> None:
        self.scroll_relative(y=max(1, self.size.height // 2), animate=False)

    def action_first(self) -> None:
        self.scroll_home(animate=False)

    def action_last(self) -> None:
        self.scroll_end(animate=False)
