"""A field of several lines; the hidden is made visible in it, and stays as typed beneath."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from itertools import pairwise
from typing import Any

from rich.containers import Lines
from rich.text import Span, Text
from textual import events
from textual.actions import SkipAction
from textual.strip import Strip
from textual.style import Style as VisualStyle
from textual.widgets import TextArea

from localmem.tui.widgets.fields import Carriers, Paint, line_feeds


class _Line(Text):
    """A line of which only the rows that are seen are cut out.

    Textual divides the whole line anew for each of its rows, which makes a key in a pasted page
    without line breaks take a third of a second.
    """

    def divide(self, offsets: Iterable[int]) -> Lines:
        cuts = [0, *offsets, len(self.plain)]
        return _Rows(self, list(pairwise(cuts)))


class _Rows(Lines):
    """The rows of a line, each made when it is asked for."""

    def __init__(self, line: Text, ranges: list[tuple[int, int]]) -> None:
        super().__init__()
        self._line, self._ranges = line, ranges

    def __len__(self) -> int:
        return len(self._ranges)

    def __iter__(self) -> Iterator[Text]:
        return (self._row(*each) for each in self._ranges)

    def __getitem__(self, index: Any) -> Any:
        if isinstance(index, slice):
            return [self._row(*each) for each in self._ranges[index]]
        return self._row(*self._ranges[index])

    def _row(self, start: int, end: int) -> Text:
        line = self._line
        spans = [
            Span(max(span.start, start) - start, min(span.end, end) - start, span.style)
            for span in line.spans
            if span.start < end and span.end > start
        ]
        return Text(line.plain[start:end], style=line.style, justify=line.justify,
                    overflow=line.overflow, spans=spans)  # fmt: skip


class Area(TextArea):
    """Many lines of text; tab leaves it (FR-90)."""

    def __init__(self, value: str = "", *, paint: Paint | None = None, **options: Any) -> None:
        self._carriers = Carriers()
        self._paint = paint
        self._painted = "", "", Text()
        """The line drawn last, the theme, and how it looks: every row it fills asks again."""
        super().__init__(self._carriers.load(value), tab_behavior="focus", compact=True, **options)

    @property
    def typed(self) -> str:
        return self._carriers.read(self.text)

    @typed.setter
    def typed(self, value: str) -> None:
        """As an edit of the person's, so that ctrl+z brings the text before back."""
        end = self.document.end
        self.replace(self._carriers.load(value), (0, 0), end, maintain_selection_offset=False)

    def render_line(self, y: int) -> Strip:
        # Textual wraps the placeholder even into no cells at all, which ends the app (FR-81).
        return super().render_line(y) if self.content_size.width > 0 else Strip.blank(0)

    def get_line(self, line_index: int) -> Text:
        """Raises IndexError."""
        line, theme = self.document.get_line(line_index), self.app.theme
        if (line, theme) != self._painted[:2]:
            self._painted = line, theme, self._paint_line(line)
        text = _Line(end="", no_wrap=True)
        text.append_text(self._painted[2])
        return text

    def _paint_line(self, line: str) -> Text:
        text = Text(self._carriers.signs(line), end="", no_wrap=True)
        for start, end, style in self._paint(line) if self._paint else ():
            text.stylize(VisualStyle.parse(style).rich_style, start, end)
        return text

    async def _on_paste(self, event: events.Paste) -> None:
        event.prevent_default()
        event.stop()
        event.text = self._carriers.load(line_feeds(event.text))
        await super()._on_paste(event)

    def action_copy(self) -> None:
        if not self.selected_text:
            raise SkipAction
        self.app.copy_to_clipboard(self._carriers.read(self.selected_text))

    def action_cut(self) -> None:
        """The selection, or the line."""
        start, end = self.selection
        gone = self._delete_cursor_line() if start == end else self._delete_via_keyboard(start, end)
        if gone is not None:
            self.app.copy_to_clipboard(self._carriers.read(gone.replaced_text))

    def action_paste(self) -> None:
        pasted = self._carriers.load(line_feeds(self.app.clipboard))
        if result := self._replace_via_keyboard(pasted, *self.selection):
            self.move_cursor(result.end_location)
