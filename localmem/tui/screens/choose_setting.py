"""Choose a setting's value: seen at once while moving, checked while it is typed."""

from __future__ import annotations

from collections.abc import Callable, Sequence

from textual import on
from textual.content import Content
from textual.widgets import Input

from localmem.errors import LocalmemError
from localmem.tui.desk import Desk
from localmem.tui.errors import sentence
from localmem.tui.present import ink
from localmem.tui.screens.choose import Choice, ChooseScreen, matching
from localmem.tui.widgets.fields import Field
from localmem.tui.widgets.rows import Rows


class SettingChoice(ChooseScreen):
    """Dismisses with a value, or None. What ends in `:` is only the beginning of one."""

    asks = True

    def __init__(
        self,
        desk: Desk,
        title: str,
        choices: Sequence[Choice],
        *,
        current: str,
        preview: Callable[[object], None] | None = None,
        check: Callable[[str], None] | None = None,
    ) -> None:
        """`check` lets a typed value be the answer, and raises LocalmemError where it cannot."""
        at = next((n for n, each in enumerate(choices) if each.value == current), 0)
        super().__init__(desk, f"{title} · now {current}", choices, free=check is not None, at=at)
        self._every = choices
        self._preview = preview
        self._check = check

    @property
    def typed(self) -> str:
        return self.query_one("#filter", Field).typed.strip()

    @on(Rows.Moved, "#choices")
    def _show(self) -> None:
        if self._preview is not None and self.rows.row is not None:
            self._preview(self.rows.row.value)

    @on(Input.Changed, "#filter")
    def _narrow_or_check(self, event: Input.Changed) -> None:
        # Textual calls the handlers of the class below as well, which knows of no check.
        event.prevent_default()
        typed = self.typed
        found = [] if self._is_begun(typed) else matching(self._every, typed)
        self.rows.show(found, empty=self._empty(typed))

    def _is_begun(self, typed: str) -> bool:
        """Whether a value of the person's own is being written, which no choice stands for."""
        return any(str(each.value).endswith(":") and typed.startswith(str(each.value))
                   for each in self._every)  # fmt: skip

    def _empty(self, typed: str) -> Content:
        if self._check is None:
            return Content.styled("nothing matches", ink.DIM)
        if problem := self._problem(typed):
            return Content.assemble(("▲ ", ink.BAD), problem)
        return Content.styled("enter takes what you typed", ink.DIM)

    @on(Input.Submitted, "#filter")
    @on(Rows.Opened, "#choices")
    def _choose_or_begin(self, event: Input.Submitted | Rows.Opened) -> None:
        event.prevent_default()
        row, typed = self.rows.row, self.typed
        if row is not None and str(row.value).endswith(":"):
            field = self.query_one("#filter", Field)
            field.typed = str(row.value)
            field.cursor_position = len(field.value)
        elif row is not None:
            self.dismiss(row.value)
        elif self._check is not None and not self._problem(typed):
            self.dismiss(typed)

    def _problem(self, typed: str) -> str:
        """Why a typed value cannot be, "" when it can."""
        try:
            if self._check is not None:
                self._check(typed)
        except LocalmemError as problem:
            return sentence(problem)
        return ""
