"""Where a person types: text that may already hold what a terminal would obey.

Textual draws what is in an Input or a TextArea as it is (field reports, group D), so dangerous
characters are carried in the field as private-use letters, drawn as signs and turned back when
the text is read: the person's text is edited whole and the terminal sees none of it (FR-72).
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from itertools import pairwise
from typing import Any

from rich.containers import Lines
from rich.highlighter import Highlighter
from rich.style import Style
from rich.text import Span, Text
from textual import events
from textual.actions import SkipAction
from textual.strip import Strip
from textual.style import Style as VisualStyle
from textual.widgets import Input, TextArea

from localmem.core.visible import visible

_FIRST_CARRIER = 0x100000
_KEPT_AS_THEY_ARE = "\n\t"
_PLACEHOLDER = "¤"


class Carriers:
    """A two-way exchange of dangerous characters for harmless ones of one cell each."""

    def __init__(self) -> None:
        self._carrier: dict[str, str] = {}
        self._original: dict[str, str] = {}
        self._drawn = "", ""
        """The line drawn last and its signs: a long line is asked for at every row it fills."""

    def load(self, text: str) -> str:
        """`text` as it may stand in a field."""
        if _is_harmless(text):
            return text
        taken = {character for character in text if ord(character) >= _FIRST_CARRIER}
        return "".join(
            self._carry(character, taken) if _is_dangerous(text, at) else character
            for at, character in enumerate(text)
        )

    def read(self, text: str) -> str:
        """What the person's text is."""
        if not self._original:
            return text
        return "".join(self._original.get(character, character) for character in text)

    def signs(self, text: str) -> str:
        """`text` as it is drawn: the same number of characters, of the same widths."""
        if text != self._drawn[0]:
            self._drawn = text, self._signs(text)
        return self._drawn[1]

    def _signs(self, text: str) -> str:
        if self._original.keys().isdisjoint(text) and _is_harmless(text):
            return text
        return "".join(self._sign(character) for character in text)

    def _carry(self, character: str, taken: set[str]) -> str:
        if character not in self._carrier:
            code = _FIRST_CARRIER + len(self._carrier)
            while chr(code) in taken or chr(code) in self._original:
                code += 1
            self._carrier[character] = chr(code)
            self._original[chr(code)] = character
        return self._carrier[character]

    def _sign(self, character: str) -> str:
        original = self._original.get(character)
        if original is None:
            # Typed or pasted by another way than ours: still never sent to the terminal.
            return _one_cell(character) if _alone_dangerous(character) else character
        return _one_cell(original)


def _is_harmless(text: str) -> bool:
    """Whether every character of it may be drawn, looked at once rather than one by one."""
    plain = text.replace("\t", " ")
    return visible(plain, keep_newlines=True) == plain


def _is_dangerous(text: str, at: int) -> bool:
    """Whether this character is not shown as it is, among its neighbours."""
    character = text[at]
    if not _alone_dangerous(character):
        return False
    around = text[max(at - 2, 0) : at + 2]
    return visible(character) in visible(around, keep_newlines=True)


def _alone_dangerous(character: str) -> bool:
    return character not in _KEPT_AS_THEY_ARE and visible(character) != character


def _one_cell(character: str) -> str:
    sign = visible(character)
    return sign if len(sign) == 1 and sign.isprintable() and sign != " " else _PLACEHOLDER


def line_feeds(text: str) -> str:
    """Pasted text with every line break as `\n`: a bracketed paste sends what Return sends."""
    return text.replace("\r\n", "\n").replace("\r", "\n")


def one_line(text: str) -> str:
    """Pasted text for a field of one line: line breaks inside it and tabs are spaces."""
    return line_feeds(text).strip("\n").replace("\n", " ").replace("\t", " ")


Paint = Callable[[str], Iterable[tuple[int, int, str]]]
"""(start, end, style) of what is to be coloured in a line."""


class _Painter(Highlighter):
    """Signs for carriers, then the colours of the grammar."""

    def __init__(self, carriers: Carriers, paint: Paint | None, style: Callable[[str], Style]):
        self._carriers, self._paint, self._style = carriers, paint, style

    def highlight(self, text: Text) -> None:
        plain = text.plain
        text.plain = self._carriers.signs(plain)
        for start, end, style in self._paint(plain) if self._paint else ():
            text.stylize(self._style(style), start, end)


MOST = 4_096
"""Characters of a line: as many as a path of any system. A page pasted by mistake is no line."""


class Field(Input):
    """One line of text."""

    def __init__(
        self, value: str = "", *, paint: Paint | None = None, most: int = MOST, **options: Any
    ) -> None:
        self._carriers = Carriers()
        super().__init__(
            self._carriers.load(value),
            highlighter=_Painter(self._carriers, paint, self._style_of),
            compact=True,
            max_length=max(most, len(value)),
            **options,
        )

    @property
    def typed(self) -> str:
        """What the person's text is."""
        return self._carriers.read(self.value)

    @typed.setter
    def typed(self, value: str) -> None:
        self.value = self._carriers.load(value)

    def _style_of(self, style: str) -> Style:
        return VisualStyle.parse(style).rich_style if style else Style()

    def _on_paste(self, event: events.Paste) -> None:
        # Textual calls the handler of every base class as well: without this it goes in twice.
        event.prevent_default()
        event.text = self.take_in(event.text)
        super()._on_paste(event)

    def take_in(self, pasted: str) -> str:
        """Pasted text as it may stand here; what does not fit is left out, and that is said."""
        text = one_line(pasted)
        start, end = sorted(self.selection)
        most = self.max_length or MOST
        room = max(most - len(self.value) + end - start, 0)
        if len(text) > room:
            said = f"This line holds {most:,} characters; the rest was left out."
            self.app.notify(said, markup=False)
        return self._carriers.load(text[:room])

    # The clipboard holds the person's text, never what stands for it here.

    def action_copy(self) -> None:
        if not self.selected_text:
            raise SkipAction
        self.app.copy_to_clipboard(self._carriers.read(self.selected_text))

    def action_cut(self) -> None:
        if self.selected_text:
            self.action_copy()
            self.delete_selection()

    def action_paste(self) -> None:
        self.replace(self.take_in(self.app.clipboard), *sorted(self.selection))


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
