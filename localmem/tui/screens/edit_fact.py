"""The form of a fact: its words first, then where it belongs and how long it is kept."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence

from textual.content import Content
from textual.widget import Widget

from localmem.core import facts, ttl
from localmem.core.change import Written
from localmem.core.model import Content as Kept
from localmem.core.model import FactContent, Item
from localmem.core.records import Draft
from localmem.core.scope import PROJECT, Scope
from localmem.engine import KEEP, Engine
from localmem.tui import entries, jobs
from localmem.tui.desk import Desk
from localmem.tui.present import ink
from localmem.tui.present.words import stamp
from localmem.tui.screens.choose import Choice
from localmem.tui.screens.form import Form
from localmem.tui.widgets.area import Area
from localmem.tui.widgets.fields import Field

LIFETIMES = (
    ("never", "kept until you forget it"),
    ("1d", "one day"),
    ("1w", "one week"),
    ("30d", "thirty days"),
    ("1y", "one year"),
)


class FactForm(Form):
    """Edits `item`, or keeps a new fact when there is none."""

    suffix = ".md"

    def __init__(
        self,
        desk: Desk,
        *,
        item: Item | None,
        scope: Scope,
        draft: Draft | None = None,
    ) -> None:
        content = item.head.content if item is not None else None
        held = content if isinstance(content, FactContent) else None
        where = item.scope if item is not None else scope
        super().__init__(desk, entries.fact_fields(held, where), item=item, draft=draft)
        self.slot = slot(item)
        self.title_text = f"Edit fact · {where}" if item is not None else "New fact"

    def compose_fields(self) -> Iterator[Widget]:
        yield Area(self.fields["text"], placeholder="One fact, in plain words.", id="text")
        if self.item is None:
            yield self.line("scope", Field(self.fields["scope"], id="scope"), "ctrl+t chooses")
        keeps = "as it is" if self.item is not None else "never"
        yield self.line(
            "expires", Field(self.fields["ttl"], placeholder=keeps, id="ttl"), "90m 12h 30d never"
        )
        yield self.line(
            "path", Field(self.fields["path"], placeholder="none", id="path"), "home/decisions"
        )
        yield self.line(
            "metadata",
            Area(self.fields["metadata"], placeholder="name = value", id="metadata"),
            "not searched",
        )

    def check(self) -> Content:
        size = entries.text_bytes(self.fields["text"])
        counted = f"{size:,} / {facts.MAX_TEXT_BYTES:,} bytes"
        if not self.fields["text"].strip():
            return Content.styled(f"{counted} · one fact per entry is found best", ink.DIM)
        entry = entries.fact_entry(self.fields, new=self.item is None)
        if entry.ttl_seconds is None and self.item is None:
            return Content.styled(counted, ink.DIM)
        return Content.styled(f"{counted} · expires {self._expiry(entry.ttl_seconds)}", ink.DIM)

    def _expiry(self, seconds: object) -> str:
        if isinstance(seconds, int):
            at = ttl.expires_at(self.desk.now, seconds)
            return f"{ttl.describe(seconds * 1000)} · {stamp(at, self.desk.now, self.desk.zone)}"
        held = self.item.head.expires_at if self.item is not None and seconds is KEEP else None
        return ttl.describe(None if held is None else held - self.desk.now)

    def writer(self, *, keep_secret: bool) -> Callable[[Engine], Written]:
        entry = entries.fact_entry(self.fields, new=self.item is None)
        item, made_on = self.item, self.made_on
        untouched = self.fields["metadata"] == self.start["metadata"]
        if item is None:
            return lambda engine: engine.facts.add(
                entry.text, scope=entry.scope, metadata=entry.metadata, path=entry.path,
                ttl_seconds=entry.ttl_seconds if isinstance(entry.ttl_seconds, int) else None,
                keep_secret=keep_secret,
            )  # fmt: skip
        return lambda engine: engine.facts.edit(
            item.id, text=entry.text, metadata=KEEP if untouched else entry.metadata,
            path=entry.path, ttl_seconds=entry.ttl_seconds, made_on=made_on,
            keep_secret=keep_secret,
        )  # fmt: skip

    def content(self) -> Kept:
        entry = entries.fact_entry(self.fields, new=False)
        return facts.new(entry.text, entry.metadata, entry.path)

    def write_both(self, mine: Kept) -> Callable[[Engine], Written] | None:
        item = self.item
        if not isinstance(mine, FactContent) or item is None:
            return None
        chosen = entries.fact_entry(self.fields, new=False).ttl_seconds
        left = ttl.parse(entries.lifetime_left(item, self.desk.now) or "never")
        return lambda engine: engine.facts.add(
            mine.text, scope=item.scope, metadata=dict(mine.metadata), path=mine.path,
            ttl_seconds=left if chosen is KEEP else chosen, keep_secret=True,
        )  # fmt: skip

    def edited(self, content: Kept) -> dict[str, str]:
        held = content if isinstance(content, FactContent) else None
        fields = entries.fact_fields(held, self.item.scope if self.item else PROJECT)
        return {**fields, "ttl": self.fields["ttl"]}

    async def choices(self, field: str) -> tuple[str, Sequence[Choice]] | None:
        if field == "ttl":
            return "How long is it kept?", [Choice(text, text, said) for text, said in LIFETIMES]
        if field == "scope":
            return "Where does it belong?", await scope_choices(self.desk)
        return None


async def scope_choices(desk: Desk) -> list[Choice]:
    shelf = await desk.bridge.read(lambda engine: engine.library.shelf())
    told = {"project": "shared by every conversation", "contact": "one person",
            "conversation": "one thread"}  # fmt: skip
    return [Choice(str(scope), str(scope), told[scope.kind]) for scope in jobs.scopes(shelf)]


def slot(item: Item | None) -> str:
    """Where the draft of this fact is kept."""
    return f"edit:{item.id}" if item is not None else "new:fact"
