"""The preview: one row in full, laid out for the width it has."""

from __future__ import annotations

from textual.content import Content

from localmem.core.model import Item
from localmem.core.records import Deed
from localmem.engine.answers import Found, Hit, PreferenceEntry, Waiting
from localmem.tui.desk import Desk
from localmem.tui.present import activity, preview
from localmem.tui.present.preview import Details
from localmem.tui.present.rows import Row, key_of
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

    def about(self, row: Row | None) -> Row | None:
        """What a row is about: for a line of the activity its memory, once that was looked up."""
        if not isinstance(row, Deed):
            return row
        return self._details.about if row is self._row else None

    def explain(self) -> None:
        """Turn the explanation of a result on or off."""
        self._explain = not self._explain
        self._draw(keep_scroll=True)

    def on_resize(self) -> None:
        self._draw(keep_scroll=True)

    def _draw(self, *, keep_scroll: bool) -> None:
        title, text = self._drawn()
        self.border_title = Content(title)
        self.show(text, keep_scroll=keep_scroll)

    def _drawn(self) -> tuple[str, Content]:
        now, zone, width = self._desk.now, self._desk.zone, self.width
        row, details = self._row, self._details
        match row:
            case None:
                return "", Content("")
            case PreferenceEntry():
                text = preview.preference_lines(row, details, now=now, zone=zone, width=width)
                return "preference · yours", text
            case Waiting():
                from localmem.tui.present import inbox  # with the differences it shows

                key = self._desk.keys.label
                text = inbox.lines(row, details, now=now, zone=zone, width=width, key=key)
                return preview.title(row.item), text
            case Deed():
                return activity.title(row), self._deed(row)
            case Hit() | Item():
                item = row.item if isinstance(row, Hit) else row
                text = preview.item_lines(
                    item,
                    details,
                    now=now,
                    zone=zone,
                    width=width,
                    hit=row if isinstance(row, Hit) else None,
                    found=self._found,
                    explain=self._explain,
                )
                return preview.title(item), text
            case _:
                from localmem.tui.present import sync_pages

                seen, key = self._desk.seen, self._desk.keys.label
                text = sync_pages.page(row, seen, now=now, zone=zone, width=width, key=key)
                return sync_pages.title(row), text

    def _deed(self, deed: Deed) -> Content:
        now, zone, width = self._desk.now, self._desk.zone, self.width
        item = self._details.about
        told = activity.lines(deed, item, now, zone)
        if item is None:
            return told
        kept = preview.item_lines(item, self._details, now=now, zone=zone, width=width)
        return Content("\n").join([told, kept])


def _is_same(one: Row, other: Row) -> bool:
    return type(one) is type(other) and key_of(one) == key_of(other)
