"""The form of a preference: one size, or names one a line, by the rules that will save it."""

from __future__ import annotations

from collections.abc import Callable, Iterator

from textual.content import Content
from textual.widget import Widget
from textual.widgets import Static

from localmem.core import preferences
from localmem.core.change import Written
from localmem.core.model import Content as Kept
from localmem.core.model import PreferenceContent
from localmem.core.preferences import PreferenceKey
from localmem.core.records import Draft
from localmem.core.visible import visible
from localmem.engine import Engine
from localmem.engine.answers import PreferenceEntry
from localmem.tui import entries
from localmem.tui.desk import Desk
from localmem.tui.present import ink
from localmem.tui.screens.form import Form
from localmem.tui.widgets.area import Area
from localmem.tui.widgets.fields import Field


class PreferenceForm(Form):
    """Declares a value of `entry.key`, or corrects the one there is."""

    noun = "preference"
    main_field = "value"

    def __init__(self, desk: Desk, *, entry: PreferenceEntry, draft: Draft | None = None) -> None:
        super().__init__(
            desk,
            entries.preference_fields(entry.effective),
            item=entry.declared,
            draft=draft,
        )
        self.entry = entry
        if entry.declared is None and draft is None:
            # Nothing is declared yet: whoever declares first meanwhile is not overwritten.
            self.made_on = 0
        self.slot = slot(entry.key)
        self.title_text = f"Preference · {preferences.label(entry.key)}"

    def compose_fields(self) -> Iterator[Widget]:
        if preferences.is_list(self.entry.key):
            yield Area(
                self.fields["value"],
                placeholder="One name a line, or names with commas.",
                id="value",
                show_line_numbers=True,
            )
        else:
            example = "42" if self.entry.key is PreferenceKey.SHOE_SIZE else "M"
            yield self.line(
                "size", Field(self.fields["value"], placeholder=f"such as {example}", id="value")
            )
        yield Static(self._beside(), id="beside", markup=False)

    def _beside(self) -> Content:
        inferred = self.entry.inferred
        if inferred is None or not isinstance(inferred.head.content, PreferenceContent):
            return Content.styled("What you say here filters what shop assistants offer.", ink.DIM)
        value = visible(preferences.describe(inferred.head.content.value))
        return Content.styled(
            f"Inferred from purchases: {value}. What you say here counts instead, and filters "
            "what shop assistants offer.",
            ink.DIM,
        )

    def _value(self) -> preferences.Value:
        kept = self.start["value"].split("\n")
        return entries.preference_entry(self.entry.key, self.fields, whole=kept)

    def check(self) -> Content:
        value = self._value()
        if isinstance(value, str):
            return Content.styled(f"kept as {visible(value)}", ink.DIM)
        return Content.styled(f"{len(value)} / {preferences.MAX_NAMES} names", ink.DIM)

    def writer(self, *, keep_secret: bool) -> Callable[[Engine], Written]:
        key, made_on = self.entry.key, self.made_on
        value = self._value()
        if self.entry.effective is None:
            return lambda engine: engine.preferences.remember(key, value, made_on=made_on)
        return lambda engine: engine.preferences.correct(key, value, made_on=made_on)

    def content(self) -> Kept:
        return PreferenceContent(self._value())

    def become_new(self) -> None:
        super().become_new()
        self.entry = self.entry._replace(declared=None, inferred=None)
        self.made_on = 0

    def edited(self, content: Kept) -> dict[str, str]:
        value = content.value if isinstance(content, PreferenceContent) else ""
        return {"value": value if isinstance(value, str) else "\n".join(value)}


def slot(key: PreferenceKey) -> str:
    return f"preference:{key}"
