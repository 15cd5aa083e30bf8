from __future__ import annotations

import unicodedata
from collections.abc import Callable

import pytest

from localmem.core.change import Saved, Stale, Unchanged
from localmem.core.model import FactContent, Item, Kind
from localmem.core.records import Slice
from localmem.core.scope import PROJECT, ScopeKind, contact, conversation
from localmem.engine import Engine
from localmem.errors import InvalidInput, MemoryNotFound, ScopeFull, SecretRejected
from tests.support.library import AGENT, FixedClock


def added(engine: Engine, text: str, **options: object) -> Item:
    result = engine.facts.add(text, **options)  # type: ignore[arg-type]
    assert isinstance(result, Saved)
    return result.item


def content(item: Item) -> FactContent:
    assert isinstance(item.head.content, FactContent)
    return item.head.content


def test_a_fact_comes_back_as_it_was_typed(engine: Engine) -> None:
    text = "喫茶ミドリ虫,  Łódź–Kraków,\tO’Fado 🍕\nsecond line"
    item = added(engine, text, metadata={"source": "customer"}, path="projects/x")
    again = engine.facts.get(item.id)
    assert content(again) == FactContent(text, {"source": "customer"}, "projects/x")


@pytest.mark.parametrize("again", [
    "Allergic to kiwi", "Allergic to kiwi ", "ALLERGIC TO KIWI",
    unicodedata.normalize("NFD", "Allergic to kiwi"),
])  # fmt: skip
def test_the_same_words_are_known_already(engine: Engine, again: str) -> None:
    first = added(engine, "Allergic to kiwi")
    result = engine.facts.add(again)
    assert isinstance(result, Unchanged)
    assert result.item.id == first.id
    assert len(engine.library.history(first.id)) == 1
    assert engine.library.count(Slice(Kind.FACT)) == 1


def test_the_same_words_in_another_scope_are_another_fact(engine: Engine) -> None:
    here, there = (added(engine, "Allergic to kiwi", scope=s) for s in (PROJECT, contact("ana")))
    assert here.id != there.id


def test_an_edit_is_a_new_version_and_keeps_the_old_one(engine: Engine) -> None:
    item = added(engine, "Lives in Porto")
    engine.facts.edit(item.id, text="Lives in Braga")
    assert [v.content.text for v in engine.library.history(item.id)  # type: ignore[union-attr]
            ] == ["Lives in Porto", "Lives in Braga"]  # fmt: skip


def test_an_edit_that_changes_nothing_writes_no_version(engine: Engine) -> None:
    item = added(engine, "Lives in Porto")
    assert isinstance(engine.facts.edit(item.id, text="Lives in Porto"), Unchanged)
    assert len(engine.library.history(item.id)) == 1


def test_an_edit_on_a_moved_head_is_stale_and_writes_nothing(
    make_engine: Callable[..., Engine],
) -> None:
    mine, theirs = make_engine(), make_engine(actor=AGENT)
    item = added(mine, "Wears size 42")
    theirs.facts.edit(item.id, text="Wears size 41")
    result = mine.facts.edit(item.id, text="Wears size 43", made_on=1)
    assert isinstance(result, Stale)
    assert content(result.current).text == "Wears size 41"
    assert result.base is not None
    assert result.base.content == FactContent("Wears size 42")
    assert content(mine.facts.get(item.id)).text == "Wears size 41"


def test_an_edit_to_words_another_fact_has_names_that_fact(engine: Engine) -> None:
    first, second = added(engine, "Likes tea"), added(engine, "Likes coffee")
    result = engine.facts.edit(second.id, text="likes TEA")
    assert isinstance(result, Unchanged)
    assert result.item.id == first.id
    assert content(engine.facts.get(second.id)).text == "Likes coffee"


def test_expiry_hides_a_fact_to_the_millisecond_on_every_path(
    engine: Engine, clock: FixedClock
) -> None:
    item = added(engine, "Locker code is on the fridge", ttl_seconds=60)
    clock.advance(59.999)
    assert engine.library.get(item.id).id == item.id
    clock.advance(0.001)
    with pytest.raises(MemoryNotFound):
        engine.library.get(item.id)
    with pytest.raises(MemoryNotFound):
        engine.library.history(item.id)
    assert engine.library.count(Slice()) == 0
    assert engine.library.window(Slice(), offset=0, limit=5) == []
    assert engine.library.page(Slice(), limit=5) == ([], None)
    assert engine.library.shelf().counts == ()
    assert isinstance(engine.facts.add("Locker code is on the fridge"), Saved)


def test_a_full_scope_refuses_new_facts_and_still_reads_edits_and_forgets(engine: Engine) -> None:
    scope = conversation("t1")
    items = [added(engine, f"fact number {n}", scope=scope) for n in range(1000)]
    with pytest.raises(ScopeFull) as refused:
        engine.facts.add("one more", scope=scope)
    assert refused.value.details == {"scope": "conversation:t1", "facts": 1000, "cap": 1000}
    assert isinstance(engine.facts.edit(items[0].id, text="changed"), Saved)
    engine.forgetting.forget([items[1].id])
    assert isinstance(engine.facts.add("one more", scope=scope), Saved)


def test_limits_are_held_when_written(engine: Engine) -> None:
    engine.facts.add("é" * 4096)
    with pytest.raises(InvalidInput, match=r"8,19[34] / 8,192 bytes|8,194"):
        engine.facts.add("é" * 4097)
    with pytest.raises(InvalidInput):
        engine.facts.add("x", ttl_seconds=59)
    with pytest.raises(InvalidInput):
        engine.facts.add("x", metadata={"k" * 65: "v"})


def test_the_person_is_asked_about_a_secret_and_may_keep_it(engine: Engine) -> None:
    text = "The wifi password: hunter22xyz"
    with pytest.raises(SecretRejected) as refused:
        engine.facts.add(text)
    assert "hunter22" not in str(refused.value)
    item = added(engine, text, keep_secret=True)
    assert content(item).text == text
    assert isinstance(engine.facts.edit(item.id, metadata={"room": "attic"}), Saved)
    assert content(engine.facts.get(item.id)).text == text


def test_an_edit_of_metadata_or_path_is_screened_as_a_new_fact_is(engine: Engine) -> None:
    item = added(engine, "Uses the staging server")
    for change in ({"metadata": {"token": "sk-proj-abcdefghijklmnop1234567890"}},
                   {"path": "p/sk-proj-abcdefghijklmnop1234567890"}):  # fmt: skip
        with pytest.raises(SecretRejected):
            engine.facts.edit(item.id, **change)  # type: ignore[arg-type]
    assert content(engine.facts.get(item.id)) == FactContent("Uses the staging server")


def test_an_agent_cannot_keep_a_secret_knowingly(make_engine: Callable[..., Engine]) -> None:
    text = "Deploys with ghp_abcdefghijklmnopqrstuvwxyz0123456789 on Friday"
    result = make_engine(actor=AGENT).facts.add(text, keep_secret=True)
    assert isinstance(result, Saved)
    assert "ghp_" not in content(result.item).text


def test_an_agent_s_secret_is_masked_and_the_kind_named(make_engine: Callable[..., Engine]) -> None:
    agent = make_engine(actor=AGENT)
    result = agent.facts.add("Deploys with ghp_abcdefghijklmnopqrstuvwxyz0123456789 on Friday")
    assert isinstance(result, Saved)
    assert "ghp_" not in content(result.item).text
    assert result.notes and "api key" in result.notes[0]


def test_reserved_metadata_is_dropped_and_named(make_engine: Callable[..., Engine]) -> None:
    result = make_engine(actor=AGENT).facts.add("Likes tea", metadata={"owner_id": "x", "a": "b"})
    assert isinstance(result, Saved)
    assert content(result.item).metadata == {"a": "b"}
    assert "owner_id" in result.notes[0]


def test_an_unknown_id_and_a_preference_s_id_are_no_fact(engine: Engine) -> None:
    kept = engine.preferences.remember("shoe_size", "42")
    assert isinstance(kept, Saved)
    for id in (kept.item.id, "0190-nothing"):
        with pytest.raises(MemoryNotFound):
            engine.facts.edit(id, text="x")  # type: ignore[arg-type]


def test_a_fact_is_not_there_for_another_scope(engine: Engine) -> None:
    item = added(engine, "Has two cats", scope=contact("ana"))
    assert engine.facts.get(item.id, scope=contact("ana")) == engine.facts.get(item.id)
    for other in (PROJECT, contact("rui"), conversation("ana")):
        with pytest.raises(MemoryNotFound):
            engine.facts.get(item.id, scope=other)


def test_a_plan_lowers_the_cap_of_a_scope_and_never_raises_it(
    engine: Engine, monkeypatch: pytest.MonkeyPatch
) -> None:
    added(engine, "One", cap=2)
    added(engine, "Two", cap=2)
    with pytest.raises(ScopeFull) as full:
        engine.facts.add("Three", cap=2)
    assert full.value.details["cap"] == 2
    monkeypatch.setattr("localmem.core.scope._FACT_CAPS", dict.fromkeys(ScopeKind, 2))
    with pytest.raises(ScopeFull):
        engine.facts.add("Three", cap=5)
