"""The preview: one row in full, laid out for the width it has."""

from __future__ import annotations

from textual.content import Content

from localmem.engine.preferences import PreferenceEntry
from localmem.engine.recall import Found, Hit
from localmem.tui.desk import Desk
from localmem.tui.present import preview
from localmem.tui.present.preview import Details
from localmem.tui.present.rows import Row, item_of
from localmem.tui.widgets.page import Page


class ItemPage(Page):
    def __init__(self, desk: Desk, *, id: str) -> None:
        super().__init__(id=id)
        self._desk = desk
        self._row: Row | None = None
        self._details = Details()
        self._found: Found | None = None
        self._explain = False

    def look_at(self, row: Row | None, details: Details, found: Found | None) -> None:
        """Show a row; `found` are the results it stands among, if it does."""
        same = row is not None and self._row is not None and _is_same(self._row, row)
        self._row, self._details, self._found = row, details, found
        self._draw(keep_scroll=same)

    def explain(self) -> None:
        """Turn the explanation of a result on or off."""
        self._explain = not self._explain
        self._draw(keep_scroll=True)

    def on_resize(self) -> None:
        self._draw(keep_scroll=True)

    def _draw(self, *, keep_scroll: bool) -> None:
        now, zone, width = self._desk.now, self._desk.zone, self.width
        row, item = self._row, item_of(self._row)
        if isinstance(row, PreferenceEntry):
            self.border_title = Content("preference · yours")
            text = preview.preference_lines(row, self._details, now=now, zone=zone, width=width)
        elif item is not None:
            self.border_title = Content(preview.title(item))
            text = preview.item_lines(
                item,
                self._details,
                now=now,
                zone=zone,
                width=width,
                hit=row if isinstance(row, Hit) else None,
                found=self._found,
                explain=self._explain,
            )
        else:
            self.border_title = Content("")
            text = Content("")
        self.show(text, keep_scroll=keep_scroll)


def _is_same(one: Row, other: Row) -> bool:
    if isinstance(one, PreferenceEntry) and isinstance(other, PreferenceEntry):
        return one.key == other.key
    first, second = item_of(one), item_of(other)
    return first is not None and second is not None and first.id == second.id
