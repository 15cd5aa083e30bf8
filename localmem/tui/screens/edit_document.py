"""The form of a document: strict JSON with the mistake named by line and column."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence

from textual.content import Content
from textual.widget import Widget

from localmem.core import documents
from localmem.core.change import Written
from localmem.core.json_text import parse
from localmem.core.model import Content as Kept
from localmem.core.model import DocumentContent, Item
from localmem.core.records import Draft
from localmem.core.scope import Scope
from localmem.engine import Engine
from localmem.tui import entries
from localmem.tui.desk import Desk
from localmem.tui.present import ink
from localmem.tui.present.preview import colour_json, json_text
from localmem.tui.screens.choose import Choice
from localmem.tui.screens.edit_fact import LIFETIMES, scope_choices
from localmem.tui.screens.form import Form
from localmem.tui.widgets.area import Area
from localmem.tui.widgets.fields import Field


class DocumentForm(Form):
    """Edits `item`, or writes a new document of `collection` when there is none."""

    noun = "document"
    suffix = ".json"
    main_field = "value"

    def __init__(
        self,
        desk: Desk,
        *,
        item: Item | None,
        collection: str = "",
        scope: Scope,
        draft: Draft | None = None,
    ) -> None:
        super().__init__(
            desk, entries.document_fields(item, collection, scope), item=item, draft=draft
        )
        self.slot = slot(item, collection)
        self.title_text = (
            f"Edit document · {item.collection} / {item.key} · {item.scope}"
            if item is not None
            else "New document"
        )

    @property
    def first_field(self) -> str:
        if self.item is not None:
            return self.main_field
        return next((name for name in ("collection", "key") if not self.fields[name].strip()),
                    self.main_field)  # fmt: skip

    def on_mount(self) -> None:
        super().on_mount()
        if self.fields["value"] == entries.EMPTY_DOCUMENT:
            self.query_one("#value", Area).move_cursor(entries.INSIDE_EMPTY)

    def compose_fields(self) -> Iterator[Widget]:
        if self.item is None:
            yield self.line(
                "collection", Field(self.fields["collection"], id="collection"), "ctrl+t chooses"
            )
            yield self.line("key", Field(self.fields["key"], placeholder="ORD-1", id="key"),
                            "A-Z a-z 0-9 . _ : @ -")  # fmt: skip
            yield self.line("scope", Field(self.fields["scope"], id="scope"), "ctrl+t chooses")
        keeps = "as the collection says" if self.item is None else "as it is"
        yield self.line("expires", Field(self.fields["ttl"], placeholder=keeps, id="ttl"),
                        "90m 12h 30d never")  # fmt: skip
        yield Area(self.fields["value"], paint=_paint, show_line_numbers=True, soft_wrap=False,
                   id="value")  # fmt: skip

    def check(self) -> Content:
        value = documents.new(parse(self.fields["value"])).value
        size = documents.size(value)
        counted = f"{size:,} / {documents.MAX_BYTES:,} bytes"
        entries.document_entry(self.fields)
        return Content.styled(f"valid JSON · {counted}", ink.DIM)

    def writer(self, *, keep_secret: bool) -> Callable[[Engine], Written]:
        entry = entries.document_entry(self.fields)
        made_on = self.made_on if self.item is not None else None
        only_new = self.item is None
        return lambda engine: engine.documents.set(
            entry.collection, entry.key, entry.value, scope=entry.scope,
            ttl_seconds=entry.ttl_seconds, made_on=made_on, only_new=only_new,
            keep_secret=keep_secret,
        )  # fmt: skip

    def content(self) -> Kept:
        return DocumentContent(entries.document_entry(self.fields).value)

    def edited(self, content: Kept) -> dict[str, str]:
        value = content.value if isinstance(content, DocumentContent) else None
        item = self.item
        if item is None:
            return {"value": json_text(value)}
        return {
            "value": json_text(value), "collection": item.collection, "key": item.key,
            "scope": str(item.scope), "ttl": self.fields["ttl"],
        }  # fmt: skip

    async def choices(self, field: str) -> tuple[str, Sequence[Choice]] | None:
        match field:
            case "ttl":
                return "How long is it kept?", [Choice(text, text, said)
                                                for text, said in LIFETIMES]  # fmt: skip
            case "scope":
                return "Where does it belong?", await scope_choices(self.desk)
            case "collection":
                held = await self.desk.bridge.read(lambda engine: engine.documents.collections())
                if not held:
                    return "There are no collections yet: type a name to create one.", []
                return "Which collection?", [
                    Choice(each.name, each.name,
                           f"indexed by {', '.join(each.indexes)}" if each.indexes else "")
                    for each in held
                ]  # fmt: skip
        return None


def _paint(line: str) -> Iterable[tuple[int, int, str]]:
    for span in colour_json(Content(line)).spans:
        yield span.start, span.end, str(span.style)


def slot(item: Item | None, collection: str) -> str:
    return f"edit:{item.id}" if item is not None else f"new:document:{collection}"
