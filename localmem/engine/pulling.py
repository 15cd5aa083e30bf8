"""How what a sync brings is kept: under ids that others know it by, as steps of a run, as deeds.

Inside a transaction, and judged before. Refuses the person's undo log and the inbox.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from localmem.core import uuids
from localmem.core.model import Change, Item, ItemId, Kind, Origin
from localmem.core.records import Removal, UndoStep
from localmem.core.scope import Scope
from localmem.engine import arriving, writing
from localmem.engine.arriving import Said
from localmem.engine.context import Context


@dataclass(frozen=True, slots=True)
class Pulling:
    context: Context
    run: int | None
    """What is kept is part of it."""

    def item_ids(self, wanted: Sequence[str]) -> list[ItemId]:
        """The ids themselves where an item may have them and none has or had, else new ones."""
        latest = self.context.clock() + arriving.DAY
        fit = [id for id in wanted if uuids.tells_time(id, until=latest)]
        taken = self.context.store.changes.taken(fit)
        return [ItemId(id) for id in self._chosen(wanted, set(fit) - taken)]

    def version_ids(self, wanted: Sequence[str]) -> list[str]:
        """The same for versions, which tell no time."""
        fit = [id for id in wanted if uuids.is_uuid(id)]
        taken = self.context.store.imports.taken_versions(fit)
        return self._chosen(wanted, set(fit) - taken)

    def _chosen(self, wanted: Sequence[str], free: set[str]) -> list[str]:
        chosen = list[str]()
        for id in wanted:
            chosen.append(id if id in free else self.context.ids())
            free.discard(id)
        return chosen

    def keep(self, item: Item) -> None:
        """Something new."""
        writing.adopt(self.context, item, ())
        self._record([UndoStep(item.id, item.head.number, None)])
        self._note(item)

    def keep_all(self, made: Sequence[writing.New]) -> None:
        """Much that is new; one deed for all of a kind and scope."""
        writing.adopt_all(made)
        self._record([UndoStep(item.id, item.head.number, None) for _, item, *_ in made])
        alike = dict[tuple[Kind, Scope], list[Item]]()
        for _, item, *_ in made:
            alike.setdefault((item.kind, item.scope), []).append(item)
        for (kind, scope), items in alike.items():
            if len(items) == 1:
                self._note(items[0])
            else:
                self._as_sync.record("synced", kind=str(kind), scope=str(scope), items=len(items))

    def move(self, held: Item, said: Said, version: str, why: Change) -> Item:
        """A new version of what is here, with the id `version` where that is free."""
        (id,) = self.version_ids([version])
        number = held.head.number
        item = held._replace(head=said.version(id, why, base=number, number=number + 1))
        writing.follow(self.context, item, ())
        self._record([UndoStep(item.id, item.head.number, number)])
        self._note(item)
        return item

    def erase(self, ids: Sequence[ItemId], why: Removal) -> None:
        """Nothing of an id is nothing to do."""
        store = self.context.store
        held = [item for id in ids if (item := store.items.get(id)) is not None]
        store.items.remove(ids, reason=why, at=self.context.clock())
        self._record([], erased=len(held))
        for item in held:
            self._as_sync.note("synced away", item)

    def defined(self) -> None:
        """A collection was."""
        self._as_sync.record("synced", kind="collection", scope="project")

    @property
    def _as_sync(self) -> Context:
        """Whose deeds these are: the one who has the library synchronised."""
        return self.context.acting(self.context.actor._replace(origin=Origin.SYNC))

    def _note(self, item: Item) -> None:
        self._as_sync.note("synced", item)

    def _record(self, steps: Sequence[UndoStep], *, erased: int = 0) -> None:
        if self.run is not None and (steps or erased):
            self.context.store.sync_runs.add(self.run, steps, erased=erased)
