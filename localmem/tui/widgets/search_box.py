"""The search box: one line of grammar, coloured as it is read, the mistake underlined."""

from __future__ import annotations

from collections.abc import Iterable

from textual.binding import Binding

from localmem.errors import InvalidQuery
from localmem.tui.actions import Place, by_id
from localmem.tui.widgets.fields import Field

MOST = 1_000
"""Characters of a search."""


class SearchBox(Field):
    place = Place.SEARCH
    BINDINGS = [  # noqa: RUF012
        Binding("down", "screen.to_results", "results", show=False),
        Binding(by_id("open").keys[0], "screen.to_results", "results", show=False),
    ]

    def __init__(self, *, id: str) -> None:
        self._problem: InvalidQuery | None = None
        super().__init__(
            placeholder="press / to search",
            paint=self._spans,
            select_on_focus=False,
            most=MOST,
            id=id,
        )

    def mark(self, problem: InvalidQuery | None) -> None:
        """Underline where the search stops making sense; None takes the mark away."""
        self._problem = problem
        self.refresh()

    def _spans(self, text: str) -> Iterable[tuple[int, int, str]]:
        if not text:
            return ()
        from localmem.tui.present import search  # the grammar is loaded by the first letter

        return search.spans(text, self._problem)
