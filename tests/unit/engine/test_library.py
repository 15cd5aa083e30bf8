from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest

from localmem.core.change import Saved, Stale, Unchanged
from localmem.core.model import Change, FactContent, Item, Kind
from localmem.core.records import Slice
from localmem.core.scope import PROJECT, contact
from localmem.engine import Engine
from localmem.engine.outcomes import NothingToUndo, Undone, UndoPreview
from localmem.errors import InvalidInput, MemoryNotFound, VersionNotFound
from tests.support.library import AGENT, FixedClock


def added(engine: Engine, text: str, **options: object) -> Item:
    result = engine.facts.add(text, **options)  # type: ignore[arg-type]
    assert isinstance(result, Saved)
    return result.item


def text(engine: Engine, item: Item) -> str:
    content = engine.library.get(item.id).head.content
    assert isinstance(content, FactContent)
    return content.text


def test_restore_writes_a_new_version_equal_to_the_old_one(engine: Engine) -> None:
    item = added(engine, "Lives in Porto", metadata={"a": "b"})
    engine.facts.edit(item.id, text="Lives in Braga", metadata={})
    result = engine.versions.restore(item.id, 1)
    assert isinstance(result, Saved)
    assert (result.item.head.number, result.item.head.change) == (3, Change.RESTORE)
    assert result.item.head.content == FactContent("Lives in Porto", {"a": "b"})
    assert [v.number for v in engine.library.history(item.id)] == [1, 2, 3]


def test_a_restored_version_does_not_bring_back_a_ttl_that_passed(
    engine: Engine, clock: FixedClock
) -> None:
    item = added(engine, "Staying at the Ritz", ttl_seconds=60)
    engine.facts.edit(item.id, text="Staying at home", ttl_seconds=None)
    clock.advance(61)
    engine.versions.restore(item.id, 1)
    assert text(engine, item) == "Staying at the Ritz"


def test_restoring_what_is_not_there_names_the_versions_there_are(engine: Engine) -> None:
    item = added(engine, "Lives in Porto")
    with pytest.raises(VersionNotFound, match="versions up to 1"):
        engine.versions.restore(item.id, 9)


def test_restore_on_a_moved_head_is_stale(engine: Engine) -> None:
    item = added(engine, "one")
    engine.facts.edit(item.id, text="two")
    engine.facts.edit(item.id, text="three")
    assert isinstance(engine.versions.restore(item.id, 1, made_on=2), Stale)


def test_undo_takes_back_an_edit_a_restore_and_at_last_the_fact_itself(engine: Engine) -> None:
    item = added(engine, "one")
    engine.facts.edit(item.id, text="two")
    engine.versions.restore(item.id, 1)
    seen = []
    for _ in range(2):
        undone = engine.versions.undo()
        assert isinstance(undone, Undone)
        seen.append((undone.label, text(engine, item)))
    assert seen == [("restored a fact", "two"), ("edited a fact", "one")]


def test_undo_of_something_new_erases_it(engine: Engine) -> None:
    item = added(engine, "Seat 12A please, always")
    undone = engine.versions.undo()
    assert isinstance(undone, Undone)
    assert undone.gone == (item.id,)
    with pytest.raises(MemoryNotFound):
        engine.library.get(item.id)
    assert isinstance(engine.versions.undo(), NothingToUndo)


def test_undo_never_reaches_past_what_cannot_be_undone(engine: Engine) -> None:
    first, second = added(engine, "one"), added(engine, "two, precious")
    engine.forgetting.forget([first.id])
    for _ in range(2):
        refused = engine.versions.undo()
        assert isinstance(refused, NothingToUndo)
        assert "cannot be undone" in refused.why
    assert text(engine, second) == "two, precious"
    engine.documents.create_collection("orders")
    assert isinstance(engine.versions.undo(), NothingToUndo)
    engine.forgetting.delete_collection("orders")
    assert isinstance(engine.versions.undo(), NothingToUndo)
    third = added(engine, "three")
    undone = engine.versions.undo()
    assert isinstance(undone, Undone)
    assert undone.gone == (third.id,)
    assert isinstance(engine.versions.undo(), NothingToUndo)


def test_the_preview_says_what_undo_would_take_and_whether_that_erases(engine: Engine) -> None:
    item = added(engine, "one")
    preview = engine.versions.undo_preview()
    assert isinstance(preview, UndoPreview)
    assert ([each.id for each in preview.items], preview.erases) == ([item.id], True)
    engine.facts.edit(item.id, text="two")
    assert isinstance(engine.versions.undo(preview.seq), NothingToUndo)
    now = engine.versions.undo_preview()
    assert isinstance(now, UndoPreview)
    assert (now.label, now.erases) == ("edited a fact", False)
    assert isinstance(engine.versions.undo(now.seq), Undone)
    assert text(engine, item) == "one"


def test_restoring_words_another_fact_has_names_that_fact(engine: Engine) -> None:
    first = added(engine, "Lives in Porto")
    engine.facts.edit(first.id, text="Lives in Braga")
    second = added(engine, "Lives in Porto")
    result = engine.versions.restore(first.id, 1)
    assert isinstance(result, Unchanged)
    assert result.item.id == second.id
    assert text(engine, first) == "Lives in Braga"


def test_undo_leaves_alone_what_somebody_else_changed_since(
    make_engine: Callable[..., Engine],
) -> None:
    person, agent = make_engine(), make_engine(actor=AGENT)
    item = added(person, "one")
    person.facts.edit(item.id, text="two")
    agent.facts.edit(item.id, text="three")
    assert isinstance(person.versions.undo(), NothingToUndo)
    assert text(person, item) == "three"


def test_undo_is_about_the_person_s_own_changes(make_engine: Callable[..., Engine]) -> None:
    agent = make_engine(actor=AGENT)
    added(agent, "written by an agent")
    assert isinstance(make_engine().versions.undo(), NothingToUndo)


def test_a_list_of_any_length_is_read_in_windows(engine: Engine) -> None:
    items = [added(engine, f"fact {n}") for n in range(30)]
    newest_first = [item.id for item in reversed(items)]
    assert engine.library.count(Slice(Kind.FACT)) == 30
    window = engine.library.window(Slice(Kind.FACT), offset=10, limit=5)
    assert [item.id for item in window] == newest_first[10:15]


def test_pages_stay_right_when_rows_come_and_go_between_them(engine: Engine) -> None:
    items = [added(engine, f"fact {n}") for n in range(9)]
    first, cursor = engine.library.page(Slice(Kind.FACT), limit=4)
    added(engine, "came in between")
    engine.forgetting.forget([first[0].id])
    second, _ = engine.library.page(Slice(Kind.FACT), limit=4, cursor=cursor)
    assert [item.id for item in (*first, *second)] == [item.id for item in reversed(items)][:8]


@pytest.mark.parametrize("kind", [None, Kind.DOCUMENT])
def test_pages_of_one_reach_everything_once_in_every_kind_of_list(
    engine: Engine, kind: Kind | None
) -> None:
    for scope in (PROJECT, contact("ana"), contact("bo")):
        for collection in ("orders", "notes"):
            for key in ("k1", "k2"):
                engine.documents.set(collection, key, 1, scope=scope)
    added(engine, "a fact among them")
    seen, cursor = [], None
    while True:
        page, cursor = engine.library.page(Slice(kind), limit=1, cursor=cursor)
        seen += [item.id for item in page]
        if cursor is None:
            break
    assert len(seen) == len(set(seen)) == (12 if kind else 13)
    in_window = engine.library.window(Slice(kind), offset=0, limit=50)
    assert seen == [item.id for item in in_window]


@pytest.mark.parametrize("cursor", ["k2", "9" * 30, "", "[]", "WyJhIl0", "\u00e9"])
def test_what_is_no_cursor_is_refused(engine: Engine, cursor: str) -> None:
    added(engine, "one")
    with pytest.raises(InvalidInput, match="not a cursor"):
        engine.library.page(Slice(Kind.DOCUMENT), limit=5, cursor=cursor)


def test_an_id_may_be_shortened_while_it_is_clear(engine: Engine, clock: FixedClock) -> None:
    first = added(engine, "one")
    assert engine.library.resolve(first.id[:13]) == first.id
    clock.advance(1)
    added(engine, "two")
    with pytest.raises(InvalidInput) as refused:
        engine.library.resolve(first.id[:8])
    assert len(refused.value.details["ids"]) == 2  # type: ignore[arg-type]
    with pytest.raises(MemoryNotFound):
        engine.library.resolve("ffffffff")
    with pytest.raises(InvalidInput):
        engine.library.resolve("%")


def test_activity_says_who_did_what_and_never_what_it_said(
    make_engine: Callable[..., Engine],
) -> None:
    person, agent = make_engine(), make_engine(actor=AGENT)
    item = added(person, "zebra quartz seven")
    agent.facts.edit(item.id, text="zebra quartz eight")
    person.forgetting.forget([item.id])
    deeds = person.activity.window()
    assert [(deed.by.name, deed.action) for deed in deeds] == [
        ("you", "forgot"), ("shop-agent", "edited"), ("you", "kept")]  # fmt: skip
    assert "zebra" not in repr(deeds)


def test_drafts_survive_and_go_with_their_item(make_engine: Callable[..., Engine]) -> None:
    engine = make_engine()
    item = added(engine, "one")
    engine.library.save_draft("edit", "half a senten", item=item.id)
    draft = make_engine().library.draft("edit")
    assert draft is not None
    assert draft.body == "half a senten"
    engine.forgetting.forget([item.id])
    assert engine.library.draft("edit") is None


def test_a_draft_that_holds_a_secret_is_not_kept(
    make_engine: Callable[..., Engine], tmp_path: Path
) -> None:
    engine = make_engine()
    engine.library.save_draft("edit", "half a senten")
    engine.library.save_draft("edit", '{"text": "my password: hunter22secretZ"}')
    draft = engine.library.draft("edit")
    assert draft is not None
    assert draft.body == "half a senten"
    content = b"".join(file.read_bytes() for file in (tmp_path / "data").iterdir())
    assert b"hunter22secretZ" not in content


def test_usage_counts_facts_against_their_caps(engine: Engine) -> None:
    added(engine, "one")
    added(engine, "two", scope=contact("ana"))
    engine.documents.set("orders", "k", 1)
    usage = engine.library.usage()
    assert [(u.scope, u.facts, u.cap) for u in usage.facts] == [
        ("project", 1, 10_000), ("contact:ana", 1, 2_000)]  # fmt: skip
    assert (usage.documents, usage.collections, usage.versions) == (1, 1, 3)
    assert usage.bytes > 0


def test_another_connection_s_write_changes_the_data_version(
    make_engine: Callable[..., Engine],
) -> None:
    watcher, other = make_engine(), make_engine()
    before = watcher.data_version()
    assert watcher.data_version() == before
    added(other, "one")
    assert watcher.data_version() != before
