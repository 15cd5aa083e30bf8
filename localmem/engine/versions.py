"""Going back: an old version again, a stale write decided, the last change undone."""

from __future__ import annotations

from dataclasses import dataclass

from localmem.core import facts
from localmem.core.change import Stale, Unchanged, Write, Written
from localmem.core.model import (
    Change,
    Content,
    Evidence,
    FactContent,
    Item,
    ItemId,
    Provenance,
    Version,
)
from localmem.engine import undoing, writing
from localmem.engine.context import Context
from localmem.engine.outcomes import NothingToUndo, Undone, UndoPreview
from localmem.errors import MemoryNotFound, VersionNotFound


@dataclass(frozen=True, slots=True)
class Versions:
    context: Context

    def restore(self, id: ItemId, number: int, *, made_on: int | None = None) -> Written:
        """Write a new version equal to version `number`; an expired TTL is not brought back.

        Unchanged(twin) when another fact says the old words already.

        Raises MemoryNotFound, VersionNotFound.
        """
        with self.context.store.writing():
            item = self.context.item(id)
            old = self.context.store.items.version(id, number)
            if old is None:
                raise VersionNotFound(
                    f"There is no version {number}.",
                    hint=f"It has versions up to {item.head.number}; `localmem history` "
                    "lists them.",
                )
            twin = self._twin(item, old)
            return twin or self._write_again(item, old, made_on)

    def resolve_stale(
        self, stale: Stale, content: Content, *, verb: Change = Change.MERGE
    ) -> Written:
        """Write what the person chose on the screen of a stale write; may be stale again."""
        wanted = Write(
            verb,
            content,
            stale.mine.expires_at,
            stale.mine.evidence,
            made_on=stale.current.head.number,
        )
        with self.context.store.writing():
            return writing.write(self.context, self._current(stale.current.id), wanted)

    def undo_preview(self) -> UndoPreview | NothingToUndo:
        """What the person's last change was, and whether undoing it erases something."""
        with self.context.store.reading():
            entry = undoing.last(self.context)
            return (
                entry if isinstance(entry, NothingToUndo) else undoing.preview(self.context, entry)
            )

    def undo(self, seq: int | None = None) -> Undone | NothingToUndo:
        """Take back the person's last change: the old version again, or what was new erased.

        With the `seq` of a preview, nothing else is taken back than what that one showed. What
        was changed again since stays as it is.
        """
        with self.context.store.writing():
            entry = undoing.last(self.context)
            if isinstance(entry, NothingToUndo):
                return entry
            if seq is not None and seq != entry.seq:
                return NothingToUndo("Not undone: something was changed since you were asked.")
            done = undoing.take_back(self.context, entry)
        if isinstance(done, Undone) and done.gone:
            self.context.store.scrub()
        return done

    # inside

    def _current(self, id: ItemId) -> Item:
        item = self.context.store.items.get(id)
        if item is None:
            raise MemoryNotFound(
                "It was forgotten meanwhile.", hint="What you typed is still on the screen."
            )
        return item

    def _twin(self, item: Item, old: Version) -> Unchanged | None:
        """Another fact that says the old words already."""
        if not isinstance(old.content, FactContent):
            return None
        twin = self.context.store.items.twin(item.scope, facts.sameness(old.content.text))
        return Unchanged(twin) if twin is not None and twin.id != item.id else None

    def _write_again(self, item: Item, old: Version, made_on: int | None) -> Written:
        now = self.context.clock()
        expires = old.expires_at if old.expires_at is None or old.expires_at > now else None
        evidence = old.evidence if item.provenance is Provenance.INFERRED else Evidence()
        wanted = Write(Change.RESTORE, old.content, expires, evidence, made_on)
        return writing.write(self.context, item, wanted)
