"""Where a person types: text that may already hold what a terminal would obey.

Textual draws what is in an Input or a TextArea as it is (field reports, group D), so dangerous
characters are carried in the field as private-use letters, drawn as signs and turned back when
the text is read: the person's text is edited whole and the terminal sees none of it (FR-72).
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from typing import Any

from rich.highlighter import Highlighter
from rich.style import Style
from rich.text import Text
from textual import events
from textual.actions import SkipAction
from textual.style import Style as VisualStyle
from textual.widgets import Input

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

    DEFAULT_CSS = """
    Field > .input--placeholder { color: $foreground-muted; }
    """

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
