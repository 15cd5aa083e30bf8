"""Taking back one change, be it one edit, an import of ten thousand facts or a sync's pull.

What is still as the change left it goes back; what was changed again since stays, and is counted.
Steps are read in pages: a preview names the first few and costs the same for any number.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Protocol

from localmem.core import change
from localmem.core.change import Saved, Stale, Unchanged, Write
from localmem.core.model import AuthorKind, Change, Item, ItemId, Kind, Provenance
from localmem.core.preferences import PreferenceKey
from localmem.core.records import Removal, Slice, UndoEntry, UndoStep
from localmem.core.scope import PERSON
from localmem.engine import writing
from localmem.engine.context import Context
from localmem.engine.outcomes import NothingToUndo, Undone, UndoPreview

SHOWN = 20
"""Items that a preview and an answer show; the rest is counted."""
_PAGE = 500


class Steps(Protocol):
    """The steps of one change, wherever they are written down."""

    @property
    def seq(self) -> int:
        """Names it where it is."""
        ...

    @property
    def label(self) -> str:
        """What was done, without content."""
        ...

    @property
    def count(self) -> int: ...

    def page(self, *, after: str, limit: int) -> list[tuple[UndoStep, int | None]]:
        """By item, behind the item `after`, each with the item's head; None: it is gone."""
        ...

    def taken_back(self) -> None:
        """Write down that it is."""
        ...


@dataclass(frozen=True, slots=True)
class Logged:
    """An entry of the undo log."""

    context: Context
    entry: UndoEntry

    @property
    def seq(self) -> int:
        return self.entry.seq

    @property
    def label(self) -> str:
        return self.entry.label

    @property
    def count(self) -> int:
        return self.entry.steps

    def page(self, *, after: str, limit: int) -> list[tuple[UndoStep, int | None]]:
        return self.context.store.history.undo_steps(self.entry.seq, after=after, limit=limit)

    def taken_back(self) -> None:
        self.context.store.history.mark_undone(self.entry.seq)
        self.context.store.imports.undone(self.entry.seq)


def last(context: Context) -> Logged | NothingToUndo:
    """The person's last change, inside a transaction."""
    entry = context.store.history.last_undo()
    if entry is None:
        return NothingToUndo("There is nothing to undo.")
    if not entry.steps:
        return NothingToUndo(
            f"The last thing you did cannot be undone ({entry.label}), so nothing was. Older "
            "versions are in the history of each memory."
        )
    return Logged(context, entry)


def preview(context: Context, steps: Steps) -> UndoPreview | NothingToUndo:
    """What taking them back would do; inside a transaction."""
    shown: list[Item] = []
    count, erases = 0, False
    for step in _as_made(context, steps):
        count += 1
        erases = erases or step.before is None
        if len(shown) < SHOWN:
            shown.append(_current(context, step))
    if not count:
        return _moved(steps)
    return UndoPreview(steps.seq, steps.label, tuple(shown), erases, count, steps.count - count)


def take_back(context: Context, steps: Steps) -> Undone | NothingToUndo:
    """Old versions again, and what was new erased; inside a transaction.

    The caller rewrites the files afterwards (`store.scrub`) when something is gone.
    """
    gone: list[ItemId] = []
    shown: list[Item] = []
    restored = 0
    for step in _as_made(context, steps):
        if step.before is None:
            gone.append(step.item)
            continue
        item = _step_back(context, step, step.before)
        restored += 1
        if len(shown) < SHOWN:
            shown.append(item)
    if not gone and not restored:
        return _moved(steps)
    _block_inference_again(context, frozenset(gone))
    context.store.items.remove(gone, reason=Removal.UNDO, at=context.clock())
    steps.taken_back()
    context.record("undid", kind="item", scope="", items=len(gone) + restored)
    kept = steps.count - restored - len(gone)
    return Undone(steps.label, tuple(shown), tuple(gone), restored, kept)


def _moved(steps: Steps) -> NothingToUndo:
    return NothingToUndo(
        f"Not undone ({steps.label}): it was changed again since, or forgotten. Its history has "
        "every version."
    )


def _as_made(context: Context, steps: Steps) -> Iterator[UndoStep]:
    """The steps whose items still say what the step made of them."""
    after = ""
    while page := steps.page(after=after, limit=_PAGE):
        for step, head in page:
            if head is not None and (head == step.made or _says_so_again(context, step)):
                yield step
        after = page[-1][0].item


def _says_so_again(context: Context, step: UndoStep) -> bool:
    """Whether a later version says the same as the step's."""
    item = context.store.items.get(step.item)
    made = context.store.items.version(step.item, step.made)
    if item is None or made is None:
        return False
    unchanged = change.same(item.head.content, made.content)
    return unchanged and item.head.expires_at == made.expires_at


def _current(context: Context, step: UndoStep) -> Item:
    item = context.store.items.get(step.item)
    assert item is not None, "its step was read in the same transaction"
    return item


def _step_back(context: Context, step: UndoStep, before: int) -> Item:
    """Restore the version before the step, without a new entry in the undo log."""
    item = _current(context, step)
    old = context.store.items.version(item.id, before)
    assert old is not None, "a live item keeps every version"
    wanted = Write(Change.RESTORE, old.content, old.expires_at, old.evidence)
    result = writing.write(context, item, wanted, undoable=False)
    _reopen(context, step, before)
    match result:
        case Saved(item=now) | Unchanged(item=now):
            return now
        case Stale():
            raise AssertionError("nobody else writes inside this transaction")


def _reopen(context: Context, step: UndoStep, before: int) -> None:
    """What settled a proposal is taken back, so it waits again; not so a proposal itself."""
    if before == step.made:  # accepting alone made no version of its own
        context.store.reviews.reopen(step.item, before - 1)
        return
    made = context.store.items.version(step.item, step.made)
    if made is not None and made.by.kind is AuthorKind.PERSON:
        context.store.reviews.reopen(step.item, before)


def _block_inference_again(context: Context, gone: frozenset[ItemId]) -> None:
    """A declaration that is taken back no longer lifts the block of the forget before it."""
    states = context.store.preference_states
    held = context.store.items.window(
        Slice(Kind.PREFERENCE, PERSON), offset=0, limit=2 * len(PreferenceKey)
    )
    for item in held:
        declared = item.id in gone and item.provenance is Provenance.DECLARED
        if declared and states.get(item.key).generation:
            states.put(item.key, states.get(item.key)._replace(inference_blocked=True))
