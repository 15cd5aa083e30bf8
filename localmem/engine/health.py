"""Whether the library is whole, and making again what can be made: for `doctor` and the app.

Each mend is one transaction, so a crash leaves the library as it was or mended. Refuses to mend
what only a backup brings back, and to mask a secret without being asked for that very memory.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from enum import StrEnum
from typing import assert_never

from localmem.core.health import Condition, Exposure
from localmem.core.model import Item, ItemId, Kind
from localmem.core.records import Erased, Removal, Slice
from localmem.core.screening import screen
from localmem.engine import masking, writing
from localmem.engine.context import Context
from localmem.engine.meaning import Meaning
from localmem.engine.outcomes import CHECKED, OUT_OF_REACH, Receipt
from localmem.errors import MemoryNotFound

PAGE = 500
"""Items read at a time."""


class Mend(StrEnum):
    """What can be made again; also the code of the finding it belongs to."""

    INDEXES = "indexes_broken"
    ORPHANS = "orphans"
    HEADS = "heads_missing"
    WORDS = "words_broken"
    WORDS_OLD = "words_outdated"
    LOOSE_VECTORS = "vectors_loose"
    OTHER_MODEL = "vectors_other_model"
    WAITING = "vectors_waiting"
    FIELDS = "document_index_outdated"
    EXPIRED = "expired"
    ERASURE = "erasure_unfinished"
    SPACE = "space_unused"


TAKES_AWAY = frozenset({Mend.ORPHANS, Mend.HEADS, Mend.INDEXES})
"""Before these a copy of the library is made."""


@dataclass(frozen=True, slots=True)
class Health:
    context: Context
    meaning: Meaning

    # looking

    @property
    def vectors_available(self) -> bool:
        """Whether this machine can search by meaning."""
        return self.context.store.vectors_available

    def condition(self) -> Condition:
        """Counts and ids of what does not hold together. Raises StoreError."""
        with self.context.store.reading():
            return self.context.store.health.condition()

    def words_outdated(self, condition: Condition) -> bool:
        """Whether the word index was filled by a release that reads words differently."""
        return bool(condition.items) and condition.words_edition != writing.words_edition()

    def outdated_fields(self) -> tuple[ItemId, ...]:
        """Documents that a field query would miss or find wrongly."""
        health = self.context.store.health
        with self.context.store.reading():
            return tuple(
                item.id
                for item in self._items(Kind.DOCUMENT)
                if health.index_of(item.id) != health.index_for(writing.fields(self.context, item))
            )

    def exposures(self) -> tuple[Exposure, ...]:
        """Every item and draft that holds text like a secret, in any version (FR-135)."""
        with self.context.store.reading():
            found = [self._exposure(item) for item in self._items()]
            drafts = [
                Exposure(ItemId(slot), None, seen.kinds, 1)
                for slot, body in self.context.store.health.drafts()
                if (seen := screen(body)).kinds
            ]
        return (*(each for each in found if each is not None), *drafts)

    # mending

    def mend(self, what: Mend, step: Callable[[int], None] = lambda left: None) -> str:
        """Do it; what was done, as a sentence. `step` hears how many are left of a long one.

        Raises StoreError, ModelUnavailable, Cancelled; then nothing of it is half done.
        """
        match what:
            case Mend.EXPIRED:
                return f"Erased what had expired: {self._purge():,}."
            case Mend.ERASURE:
                return self._scrubbed("The files were rewritten without what was erased.")
            case Mend.WAITING:
                return f"Prepared for search by meaning: {self._embed(step):,}."
            case Mend.SPACE:
                with self.context.store.writing():
                    self.context.store.health.compact()
                return self._scrubbed("The file was rewritten without its empty pages.")
            case _:
                with self.context.store.writing():
                    said = self._make_again(what)
                    self.context.record("mended", kind="library", scope="")
                self.context.store.scrub()
                return said

    def mask(self, ids: Sequence[ItemId] | None = None) -> Receipt:
        """Mask the secrets of these items, or of all, in every version, for good.

        Ids and version numbers stay. Raises MemoryNotFound (nothing is masked then).
        """
        store = self.context.store
        with store.writing():
            items = self._chosen(ids)
            needles = dict[str, None]()
            erased = Erased(0, 0, 0, 0)
            for item in items:
                versions, secrets = masking.masked(item, store.items.history(item.id))
                if versions:
                    gone = store.health.rewrite(item.id, versions)
                    self._index_again(item.id)
                    self.context.note("masked", item)
                    needles.update(dict.fromkeys(secrets))
                    erased = Erased(
                        erased.items + 1, erased.versions + len(versions), erased.vectors + gone, 0
                    )
            drafts = self._drop_drafts(needles) if ids is None else 0
            if erased.items:
                self.context.bar_undo("masked secrets")
            if drafts:
                store.health.compact()
        return self._receipt(erased, drafts, [item.id for item in items], list(needles))

    # inside

    def _make_again(self, what: Mend) -> str:
        health = self.context.store.health
        match what:
            case Mend.INDEXES:
                health.rebuild_indexes(health.condition().broken_indexes)
                return "The indexes were built again."
            case Mend.ORPHANS:
                return f"Removed what belonged to nothing: {health.drop_orphans():,} rows."
            case Mend.HEADS:
                return self._heads()
            case Mend.WORDS | Mend.WORDS_OLD:
                health.rebuild_words()
                writing.fill_index(self.context)
                return "The word index was filled again."
            case Mend.LOOSE_VECTORS:
                health.drop_loose_vectors()
                return "Vectors that belonged to nothing were removed."
            case Mend.OTHER_MODEL:
                health.forget_model()
                return "The vectors were dropped; everything is prepared again for search."
            case Mend.FIELDS:
                for id in self.outdated_fields():
                    self._index_again(id)
                return "The documents were indexed again."
            case Mend.EXPIRED | Mend.ERASURE | Mend.WAITING | Mend.SPACE:
                raise AssertionError("done outside the transaction")
            case _:
                assert_never(what)

    def _heads(self) -> str:
        moved, empty = self.context.store.health.move_heads()
        for id in moved:
            if self.context.store.items.get(id) is not None:
                self._index_again(id)
        self.context.store.items.remove(empty, reason=Removal.UNDO, at=self.context.clock())
        gone = f"; {len(empty):,} had none at all and were removed" if empty else ""
        return f"Current again with their last version: {len(moved):,}{gone}."

    def _purge(self) -> int:
        from localmem.engine.forgetting import Forgetting

        return Forgetting(self.context).purge_expired()

    def _scrubbed(self, said: str) -> str:
        scrub = self.context.store.scrub()
        return said if scrub.done else f"Not finished: {scrub.why}. It is tried again by itself."

    def _embed(self, step: Callable[[int], None]) -> int:
        self.meaning.ensure()
        done = 0
        while more := self.meaning.embed_waiting():
            done += more
            step(self.meaning.state()[1])
        return done

    def _items(self, kind: Kind | None = None) -> Iterator[Item]:
        """Every live item, a page at a time."""
        slice, cursor = Slice(kind), None
        while found := self.context.store.items.page(slice, after=cursor, limit=PAGE):
            yield from found
            cursor = self.context.store.items.cursor(slice, found[-1])

    def _exposure(self, item: Item) -> Exposure | None:
        kinds = dict[str, None]()
        versions = 0
        alone = item.head.number == 1
        held = (item.head,) if alone else self.context.store.items.history(item.id)
        for version in held:
            seen = masking.kinds(item, version)
            kinds.update(dict.fromkeys(seen))
            versions += bool(seen)
        names = masking.in_names(item)
        if not kinds and not names:
            return None
        return Exposure(
            item.id, item.kind, tuple(dict.fromkeys((*kinds, *names))), versions, bool(names)
        )

    def _chosen(self, ids: Sequence[ItemId] | None) -> list[Item]:
        if ids is None:
            return list(self._items())
        found = [self.context.store.items.get(id) for id in dict.fromkeys(ids)]
        if None in found:
            raise MemoryNotFound(
                "Nothing was masked: one of these ids is not kept here.",
                hint="`localmem doctor` lists the ids of what holds a secret.",
            )
        return [item for item in found if item is not None]

    def _index_again(self, id: ItemId) -> None:
        item = self.context.store.items.get(id)
        assert item is not None, "a live item"
        self.context.store.health.index_again(
            id,
            sameness=writing.sameness(item.head.content),
            fields=writing.fields(self.context, item),
            words=writing.index_words(item),
        )

    def _drop_drafts(self, needles: dict[str, None]) -> int:
        dropped = 0
        for slot, body in self.context.store.health.drafts():
            seen = screen(body)
            if seen.kinds:
                needles.update(dict.fromkeys(body[start:end] for start, end in seen.masked_spans))
                self.context.store.history.drop_draft(slot)
                dropped += 1
        return dropped

    def _receipt(
        self, erased: Erased, drafts: int, ids: list[ItemId], needles: list[str]
    ) -> Receipt:
        store = self.context.store
        scrub = store.scrub()
        searched = masking.forms(needles)
        return Receipt(
            Erased(erased.items, erased.versions, erased.vectors, drafts),
            scrub.done,
            scrub.why,
            scrub.files,
            len(needles),
            store.occurrences(searched) if scrub.done else 0,
            CHECKED,
            OUT_OF_REACH,
            tuple(ids),
        )
