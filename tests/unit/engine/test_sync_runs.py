"""Runs of a sync: what each wrote is remembered, and taken back as one."""

from __future__ import annotations

from collections.abc import Callable
from contextlib import suppress

import pytest

from localmem.core.bodies import Author, DocumentBody, PreferenceBody, Slot
from localmem.core.change import Saved
from localmem.core.model import AuthorKind, DocumentContent, FactContent, Item, ItemId, Kind
from localmem.core.records import Removal
from localmem.core.replica import FactBody, document_key
from localmem.core.scope import PROJECT
from localmem.core.sync_runs import SyncRun, SyncState
from localmem.engine import Engine
from localmem.engine.outcomes import NothingToUndo, Undone, UndoPreview
from localmem.engine.replica import Replica
from localmem.errors import InvalidInput, MemoryNotFound
from tests.support.library import NOW, FixedClock

ROBOT = Author(AuthorKind.AGENT, "shop-agent")
NOTHING = ""
PULLED = '{"taken": 1}'


@pytest.fixture
def replica(engine: Engine) -> Replica:
    return engine.replica


def added(engine: Engine, text: str) -> Item:
    result = engine.facts.add(text)
    assert isinstance(result, Saved)
    return result.item


def text_of(engine: Engine, id: ItemId) -> str:
    content = engine.facts.get(id).head.content
    assert isinstance(content, FactContent)
    return content.text


def test_a_run_is_remembered_with_what_it_told(
    engine: Engine, replica: Replica, clock: FixedClock
) -> None:
    replica.begin_run()
    (running,) = engine.sync_runs.recent()
    assert (running.state, running.started_at, running.ended_at) == (SyncState.RUNNING, NOW, None)
    replica.add_fact(PROJECT, "", FactBody("Tea"), proposed=False)
    clock.advance(2)
    ended = replica.end_run("Signed out.")
    assert ended == SyncRun(
        running.id, None, NOW, NOW + 2_000, SyncState.DONE, "Signed out.", steps=1
    )
    assert engine.sync_runs.recent() == (ended,) and engine.sync_runs.run(ended.id) == ended
    with pytest.raises(MemoryNotFound):
        engine.sync_runs.run(99)


def test_of_the_runs_that_did_nothing_only_the_newest_is_kept(
    engine: Engine, replica: Replica
) -> None:
    for told in (NOTHING, PULLED, NOTHING, "No network.", "No network.", NOTHING):
        replica.begin_run()
        replica.end_run(told)
    replica.begin_run()
    last = replica.end_run(NOTHING)
    kept = engine.sync_runs.recent()
    assert [run.told for run in kept] == [NOTHING, "No network.", PULLED]
    assert kept[0].id == last.id


def test_of_many_runs_the_newest_hundred_are_remembered(engine: Engine, replica: Replica) -> None:
    for number in range(103):
        replica.begin_run()
        replica.end_run(f'{{"taken": {number}}}')
    assert len(engine.sync_runs.recent(limit=200)) == 100


def test_a_run_that_never_ended_is_over_when_the_next_begins(
    make_engine: Callable[..., Engine],
) -> None:
    killed, next_one = make_engine(), make_engine()
    killed.replica.begin_run()
    killed.replica.add_fact(PROJECT, "", FactBody("Tea"), proposed=False)
    (run,) = next_one.sync_runs.recent()
    assert isinstance(next_one.sync_runs.undo(run.id), NothingToUndo)
    next_one.replica.begin_run()
    assert next_one.sync_runs.run(run.id).state is SyncState.STOPPED
    assert isinstance(next_one.sync_runs.undo(run.id), Undone)


def test_a_run_is_taken_back_whole(engine: Engine, replica: Replica) -> None:
    fact = added(engine, "Lives in Porto")
    engine.documents.set("orders", "A", {"n": 1})
    engine.preferences.remember("shoe_size", "42")
    replica.begin_run()
    replica.reword_fact(fact.id, "", FactBody("Lives in Braga", by=ROBOT))
    replica.reword_fact(fact.id, "", FactBody("Lives in Faro", by=ROBOT))
    replica.put_document(PROJECT, "orders", "A", DocumentBody("", {"n": 2}))
    replica.put_preference("shoe_size", PreferenceBody(0, declared=Slot("43", NOW)))
    new = replica.add_facts([(PROJECT, "", FactBody(text), False) for text in ("Tea", "Milk")])
    replica.put_documents(
        [(document_key(PROJECT, "orders", key), DocumentBody("", 1)) for key in "BC"]
    )
    replica.put_preference("clothing_size", PreferenceBody(0, declared=Slot("M", NOW)))
    run = replica.end_run(PULLED)

    preview = engine.sync_runs.undo_preview(run.id)
    assert isinstance(preview, UndoPreview)
    assert (preview.count, preview.erases, preview.kept, preview.lost) == (8, True, 0, 0)
    done = engine.sync_runs.undo(run.id)
    assert isinstance(done, Undone)
    assert (done.restored, len(done.gone), done.kept, done.lost) == (3, 5, 0, 0)
    assert text_of(engine, fact.id) == "Lives in Porto"
    assert [version.number for version in engine.library.history(fact.id)] == [1, 2, 3, 4]
    assert engine.library.history(fact.id)[-1].by.kind is AuthorKind.PERSON
    assert engine.documents.get("orders", "A").head.content == DocumentContent({"n": 1})
    assert engine.documents.find("orders", "B") is None
    assert replica.why_gone(new[0].item) is Removal.UNDO
    size = engine.preferences.entry("shoe_size").declared
    assert size is not None and size.head.number == 3
    assert engine.preferences.entry("clothing_size").effective is None

    assert engine.sync_runs.run(run.id).state is SyncState.UNDONE
    assert isinstance(engine.sync_runs.undo(run.id), NothingToUndo)
    assert isinstance(engine.sync_runs.undo_preview(run.id), NothingToUndo)


def test_what_changed_since_a_run_stays_and_is_counted(engine: Engine, replica: Replica) -> None:
    fact = added(engine, "Lives in Porto")
    replica.begin_run()
    replica.reword_fact(fact.id, "", FactBody("Lives in Braga"))
    edited = replica.add_fact(PROJECT, "", FactBody("Tea"), proposed=False)
    forgotten = replica.add_fact(PROJECT, "", FactBody("Milk"), proposed=False)
    run = replica.end_run(PULLED)
    engine.facts.edit(edited.item, text="Green tea")
    engine.forgetting.forget([forgotten.item])
    done = engine.sync_runs.undo(run.id)
    assert isinstance(done, Undone)
    assert (done.restored, done.gone, done.kept) == (1, (), 2)
    assert text_of(engine, edited.item) == "Green tea"


def test_what_a_run_erased_does_not_come_back_and_is_told(engine: Engine, replica: Replica) -> None:
    gone, other = added(engine, "Zyxwvut"), added(engine, "Lives in Porto")
    engine.preferences.remember("shoe_size", "42")
    replica.begin_run()
    replica.remove(gone.id, Removal.FORGET)
    replica.remove(gone.id, Removal.FORGET)
    replica.put_preference("shoe_size", PreferenceBody(1, forgotten=True))
    only = replica.end_run("{}")
    assert only.erased == 2
    refused = engine.sync_runs.undo(only.id)
    assert isinstance(refused, NothingToUndo) and "2 that it erased" in refused.why
    replica.begin_run()
    replica.remove(replica.add_fact(PROJECT, "", FactBody("Tea"), proposed=False).item,
                   Removal.FORGET)  # fmt: skip
    replica.reword_fact(other.id, "", FactBody("Lives in Braga"))
    run = replica.end_run(PULLED)
    preview, done = engine.sync_runs.undo_preview(run.id), engine.sync_runs.undo(run.id)
    assert isinstance(preview, UndoPreview) and isinstance(done, Undone)
    assert preview.lost == done.lost == 1 and done.restored == 1
    assert [item.id for item in live(engine)] == [other.id]


def live(engine: Engine) -> list[Item]:
    from localmem.core.records import Slice

    return engine.library.window(Slice(Kind.FACT), offset=0, limit=9)


def test_what_was_refused_or_taken_back_with_its_page_is_no_step(
    engine: Engine, replica: Replica
) -> None:
    replica.begin_run()
    with pytest.raises(InvalidInput):
        replica.add_fact(PROJECT, "", FactBody(""), proposed=False)
    with suppress(ZeroDivisionError), replica.context.store.writing():
        replica.add_fact(PROJECT, "", FactBody("Tea"), proposed=False)
        raise ZeroDivisionError
    assert replica.end_run(NOTHING).idle


def test_what_is_written_outside_a_run_belongs_to_none(engine: Engine, replica: Replica) -> None:
    replica.begin_run()
    run = replica.end_run(NOTHING)
    replica.add_fact(PROJECT, "", FactBody("Tea"), proposed=False)
    assert engine.sync_runs.run(run.id).idle


def test_the_persons_own_undo_is_as_it_was_before_a_run_and_after_its_undo(
    engine: Engine, replica: Replica
) -> None:
    mine = added(engine, "Lives in Porto")
    replica.begin_run()
    replica.reword_fact(mine.id, "", FactBody("Lives in Braga"))
    run = replica.end_run(PULLED)
    assert isinstance(engine.versions.undo_preview(), NothingToUndo)  # it was changed since
    engine.sync_runs.undo(run.id)
    preview = engine.versions.undo_preview()
    assert isinstance(preview, UndoPreview) and preview.items[0].id == mine.id


def test_steps_and_runs_hold_nothing_of_what_was_said(engine: Engine, replica: Replica) -> None:
    replica.begin_run()
    replica.add_fact(PROJECT, "", FactBody("Zyxwvut"), proposed=False)
    replica.end_run(PULLED)
    session = engine.replica.context.store.sync_runs.session  # type: ignore[attr-defined]
    for table in ("sync_run", "sync_step"):
        assert "yxwvut" not in str(session.run(f"SELECT * FROM {table}").fetchall())


def test_a_run_of_an_account_outlives_what_is_known_of_it(engine: Engine, replica: Replica) -> None:
    store = engine.replica.context.store
    with store.writing():
        account = store.accounts.begin("s", "a", "live", url="https://x.test", label="x", at=NOW)
    replica.begin_run(account.id)
    run = replica.end_run(PULLED)
    assert run.account == account.id
    with store.writing():
        store.accounts.end(account.id, at=NOW, drop=True)
    assert engine.sync_runs.run(run.id).account is None
