"""What the library screen can do to what is kept: new, edit, forget, undo, history.

Each is a question or two and one call of the engine; afterwards the library is shown again with
the cursor on what it was about.
"""

from __future__ import annotations

from dataclasses import dataclass

from localmem.core import preferences
from localmem.core.change import Saved
from localmem.core.model import Item, Kind, Millis
from localmem.core.records import Draft
from localmem.core.scope import PERSON, PROJECT, Scope
from localmem.engine import Engine
from localmem.engine.answers import PreferenceEntry
from localmem.engine.outcomes import ForgetPlan
from localmem.errors import LocalmemError
from localmem.tui.desk import Desk, say
from localmem.tui.present import past
from localmem.tui.present.places import Shelves, Spot
from localmem.tui.present.rows import Row, item_of
from localmem.tui.present.words import count
from localmem.tui.screens import edit_document, edit_fact, edit_preference
from localmem.tui.screens.base import Screenful
from localmem.tui.screens.choose import Choice, ChooseScreen
from localmem.tui.screens.edit_document import DocumentForm
from localmem.tui.screens.edit_fact import FactForm
from localmem.tui.screens.edit_preference import PreferenceForm
from localmem.tui.screens.forget import ForgetScreen, ReceiptScreen
from localmem.tui.screens.form import Form
from localmem.tui.screens.history import HistoryScreen
from localmem.tui.screens.undoing import take_back


@dataclass(frozen=True, slots=True)
class Done:
    """Something was changed."""

    item: Item | None
    """What it was about; None when that is gone."""


_NEW = {
    Kind.FACT: ("fact", "something in plain words, found by its meaning"),
    Kind.PREFERENCE: ("preference", "one of the six a shop assistant goes by"),
    Kind.DOCUMENT: ("document", "JSON in a collection, found by its key"),
}


async def run(
    deed: str, screen: Screenful[None], about: Row | Spot | None, *, at: Millis | None = None
) -> Done | None:
    """The deed a key stands for, about the row of the list or the place of the tree.

    `at` is the moment the library is shown at, None for now.
    """
    if deed == "new":
        return await new(screen, about if isinstance(about, Spot) else None)
    if deed == "undo" or about is None or isinstance(about, Spot):
        return await undo(screen)
    if at is not None:
        return await history_then(screen, about, at)
    return await {"edit": edit, "forget": forget, "history": history}[deed](screen, about)


async def edit(screen: Screenful[None], row: Row) -> Done | None:
    """Open the form for a row."""
    form = await _form_for(screen.desk, row)
    return await _open(screen, form)


async def new(screen: Screenful[None], spot: Spot | None) -> Done | None:
    """Ask what is new, the kind of the place first, and open its form."""
    desk = screen.desk
    first = _kind_of(spot)
    kinds = sorted(_NEW, key=lambda kind: kind is not first)
    asked = ChooseScreen(
        desk, "Keep something new", [Choice(_NEW[kind][0], kind, _NEW[kind][1]) for kind in kinds]
    )
    kind = await screen.app.push_screen_wait(asked)
    scope = spot.scope if spot is not None and spot.scope is not None else PROJECT
    match kind:
        case Kind.FACT:
            draft = await _draft(desk, edit_fact.slot(None))
            return await _open(screen, FactForm(desk, item=None, scope=scope, draft=draft))
        case Kind.DOCUMENT:
            return await _new_document(screen, spot.collection if spot is not None else "", scope)
        case Kind.PREFERENCE:
            entry = await _which_preference(screen)
            return await edit(screen, entry) if entry is not None else None
    return None


async def forget(screen: Screenful[None], row: Row) -> Done | None:
    """Ask, erase, show the receipt."""
    item = item_of(row)
    if item is None:
        say(screen.app, "There is nothing here to forget.")
        return None
    ids = [item.id]
    plan: ForgetPlan = await screen.desk.bridge.read(lambda engine: engine.forgetting.plan(ids))
    if not await screen.app.push_screen_wait(ForgetScreen(screen.desk, plan)):
        return None
    receipt = ReceiptScreen(screen.desk)
    screen.app.push_screen(receipt)
    screen.opened()
    try:
        told = await screen.desk.bridge.write(lambda engine: engine.forgetting.forget(ids))
    except LocalmemError:
        receipt.give_up()
        raise
    if receipt.is_attached:
        receipt.show(told)
    else:
        say(screen.app, f"Erased, with {count(told.erased.versions, 'version')}.")
    return Done(None)


async def undo(screen: Screenful[None]) -> Done | None:
    """Take back the last change."""
    result = await take_back(screen)
    if result is None:
        return None
    return Done(result.items[0] if result.items else None)


async def history(screen: Screenful[None], row: Row) -> Done | None:
    """Show every version."""
    item = item_of(row)
    if item is None:
        say(screen.app, "Nothing is remembered here, so there is no history.")
        return None
    id = item.id
    current, versions = await screen.desk.bridge.read(
        lambda engine: (engine.library.get(id), engine.library.history(id))
    )
    changed = await screen.app.push_screen_wait(HistoryScreen(screen.desk, current, versions))
    return Done(changed) if changed is not None else None


async def history_then(screen: Screenful[None], row: Row, at: Millis) -> Done | None:
    """The versions there were by a moment."""
    item = item_of(row)
    if item is None:
        return None
    id = item.id
    current, versions = await screen.desk.bridge.read(
        lambda engine: (engine.library.get(id), engine.past.history(id, at))
    )
    shown = HistoryScreen(screen.desk, current, versions, until=at)
    changed = await screen.app.push_screen_wait(shown)
    return Done(changed) if changed is not None else None


async def restore(screen: Screenful[None], then: Item, at: Millis) -> bool:
    """Bring back what a memory said at a moment; whether that changed anything."""
    written = await screen.desk.bridge.write(
        lambda engine: engine.versions.restore(then.id, then.head.number)
    )
    desk = screen.desk
    say(screen.app, past.restored(written, then, at, desk.zone, desk.keys.label))
    return isinstance(written, Saved)


async def _form_for(desk: Desk, row: Row) -> Form:
    if isinstance(row, PreferenceEntry):
        return await _preference_form(desk, row.key)
    item = item_of(row)
    assert item is not None
    if item.kind is Kind.PREFERENCE:
        return await _preference_form(desk, preferences.parse_key(item.key))
    id = item.id
    # The form starts from what is kept now, not from what the list showed.
    current = await desk.bridge.read(lambda engine: engine.library.get(id))
    if current.kind is Kind.FACT:
        draft = await _draft(desk, edit_fact.slot(current))
        return FactForm(desk, item=current, scope=current.scope, draft=draft)
    draft = await _draft(desk, edit_document.slot(current, current.collection))
    return DocumentForm(desk, item=current, scope=current.scope, draft=draft)


async def _preference_form(desk: Desk, key: preferences.PreferenceKey) -> PreferenceForm:
    def work(engine: Engine) -> tuple[PreferenceEntry, Draft | None]:
        return engine.preferences.entry(key), engine.library.draft(edit_preference.slot(key))

    entry, draft = await desk.bridge.read(work)
    return PreferenceForm(desk, entry=entry, draft=draft)


async def _new_document(screen: Screenful[None], collection: str, scope: Scope) -> Done | None:
    draft = await _draft(screen.desk, edit_document.slot(None, collection))
    where = scope if scope != PERSON else PROJECT
    form = DocumentForm(screen.desk, item=None, collection=collection, scope=where, draft=draft)
    return await _open(screen, form)


async def _which_preference(screen: Screenful[None]) -> PreferenceEntry | None:
    held = await screen.desk.bridge.read(lambda engine: engine.preferences.list())
    choices = [
        Choice(preferences.label(entry.key), entry, "set" if entry.declared else "not set")
        for entry in sorted(held, key=lambda entry: entry.declared is not None)
    ]
    chosen = await screen.app.push_screen_wait(
        ChooseScreen(screen.desk, "Which preference?", choices)
    )
    return chosen if isinstance(chosen, PreferenceEntry) else None


async def _open(screen: Screenful[None], form: Form) -> Done | None:
    item = await screen.app.push_screen_wait(form)
    return Done(item) if item is not None else None


async def _draft(desk: Desk, slot: str) -> Draft | None:
    return await desk.bridge.read(lambda engine: engine.library.draft(slot))


def _kind_of(spot: Spot | None) -> Kind:
    if spot is not None and spot.shelf is Shelves.PREFERENCES:
        return Kind.PREFERENCE
    if spot is not None and spot.shelf is Shelves.DOCUMENTS:
        return Kind.DOCUMENT
    return Kind.FACT
