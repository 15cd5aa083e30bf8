from __future__ import annotations

from collections.abc import Callable

import pytest

from localmem.core.change import Saved, Stale, Unchanged
from localmem.core.model import Evidence, Item, ItemId, PreferenceContent, Provenance
from localmem.engine import Engine
from localmem.engine.answers import PreferenceEntry
from localmem.engine.outcomes import Undone
from localmem.errors import (
    InferenceBlocked,
    InvalidPreferenceValue,
    MemoryNotFound,
    SourceNotPerson,
    UnknownPreferenceKey,
)
from tests.support.library import AGENT

BOUGHT = Evidence(purchase_id="order-7")


def value(item: Item | None) -> object:
    assert item is not None
    assert isinstance(item.head.content, PreferenceContent)
    return item.head.content.value


def inferred(engine: Engine, key: str, what: object) -> None:
    engine.preferences.remember(key, what, provenance=Provenance.INFERRED, evidence=BOUGHT)


def test_all_six_keys_are_listed_empty_ones_too(engine: Engine) -> None:
    assert [str(entry.key) for entry in engine.preferences.list()] == [
        "shoe_size", "clothing_size", "preferred_brands", "avoided_brands", "preferred_merchants",
        "dietary_restrictions",
    ]  # fmt: skip
    assert all(entry.effective is None for entry in engine.preferences.list())


def test_declared_counts_and_inferred_shows_beside_it(engine: Engine) -> None:
    inferred(engine, "shoe_size", "41")
    engine.preferences.remember("shoe_size", "42")
    entry = engine.preferences.entry("shoe_size")
    assert (value(entry.effective), value(entry.inferred)) == ("42", "41")
    assert entry.effective is entry.declared


def test_remembering_another_value_is_a_new_version_of_the_same_memory(engine: Engine) -> None:
    first = engine.preferences.remember("shoe_size", "42")
    second = engine.preferences.remember("shoe_size", "43")
    same = engine.preferences.remember("shoe_size", "43")
    assert isinstance(first, Saved)
    assert isinstance(second, Saved)
    assert isinstance(same, Unchanged)
    assert first.item.id == second.item.id
    assert [v.number for v in engine.library.history(first.item.id)] == [1, 2]


def test_correct_writes_a_version_and_recall_gives_only_the_new_value(engine: Engine) -> None:
    engine.preferences.remember("preferred_brands", ["Asics", "Mizuno"])
    engine.preferences.correct("preferred_brands", ["Asics"])
    entry = engine.preferences.entry("preferred_brands")
    assert value(entry.effective) == ("Asics",)
    assert entry.declared is not None
    assert len(engine.library.history(entry.declared.id)) == 2


def test_correct_by_id_of_an_inferred_value_declares_beside_it(engine: Engine) -> None:
    inferred(engine, "clothing_size", "M")
    item = engine.preferences.entry("clothing_size").inferred
    assert item is not None
    engine.preferences.correct(item.id, "G")
    entry = engine.preferences.entry("clothing_size")
    assert (value(entry.declared), value(entry.inferred)) == ("G", "M")


def test_there_is_nothing_to_correct_or_forget_where_nothing_is_kept(engine: Engine) -> None:
    with pytest.raises(MemoryNotFound):
        engine.preferences.correct("shoe_size", "42")
    with pytest.raises(MemoryNotFound):
        engine.preferences.forget("shoe_size")


def test_an_id_names_the_key_of_a_preference_alone(engine: Engine) -> None:
    kept = engine.preferences.remember("shoe_size", "42")
    fact = engine.facts.add("Has two cats.")
    assert isinstance(kept, Saved) and isinstance(fact, Saved)
    assert engine.preferences.key_of(kept.item.id) == "shoe_size"
    for other in (fact.item.id, ItemId("shoe_size"), ItemId("")):
        with pytest.raises(MemoryNotFound):
            engine.preferences.key_of(other)


def test_an_agent_must_bring_the_person_s_words(make_engine: Callable[..., Engine]) -> None:
    agent = make_engine(actor=AGENT)
    with pytest.raises(SourceNotPerson):
        agent.preferences.remember("shoe_size", "42")
    with pytest.raises(SourceNotPerson):
        agent.preferences.remember("shoe_size", "42", evidence=Evidence(quote="número 142"))
    kept = agent.preferences.remember("shoe_size", "42", evidence=Evidence(quote="eu calço 42"))
    assert isinstance(kept, Saved)
    assert kept.item.head.evidence.quote == "eu calço 42"
    with pytest.raises(SourceNotPerson):
        agent.preferences.correct("shoe_size", "43")


def test_an_inferred_value_needs_its_purchase(engine: Engine) -> None:
    with pytest.raises(InvalidPreferenceValue):
        engine.preferences.remember("shoe_size", "42", provenance=Provenance.INFERRED)


def test_forget_erases_both_sides_and_blocks_inference_until_the_person_declares(
    engine: Engine,
) -> None:
    engine.preferences.remember("shoe_size", "42")
    inferred(engine, "shoe_size", "41")
    receipt = engine.preferences.forget("shoe_size")
    assert receipt.erased.items == 2
    entry = engine.preferences.entry("shoe_size")
    assert (entry.effective, entry.inference_blocked) == (None, True)
    with pytest.raises(InferenceBlocked):
        inferred(engine, "shoe_size", "41")
    engine.preferences.remember("shoe_size", "43")
    inferred(engine, "shoe_size", "41")
    assert not engine.preferences.entry("shoe_size").inference_blocked


def test_undoing_that_declaration_blocks_inference_again(engine: Engine) -> None:
    engine.preferences.remember("shoe_size", "42")
    engine.preferences.forget("shoe_size")
    engine.preferences.remember("shoe_size", "43")
    assert isinstance(engine.versions.undo(), Undone)
    entry: PreferenceEntry = engine.preferences.entry("shoe_size")
    assert (entry.effective, entry.inference_blocked) == (None, True)


def test_what_is_remembered_after_a_forget_is_a_new_memory(engine: Engine) -> None:
    first = engine.preferences.remember("shoe_size", "42")
    engine.preferences.forget("shoe_size")
    second = engine.preferences.remember("shoe_size", "42")
    assert isinstance(first, Saved)
    assert isinstance(second, Saved)
    assert first.item.id != second.item.id


def test_a_stale_preference_write_is_shown_not_written(engine: Engine) -> None:
    engine.preferences.remember("preferred_brands", ["Asics"])
    engine.preferences.remember("preferred_brands", ["Asics", "Nike"])
    result = engine.preferences.correct("preferred_brands", ["Mizuno"], made_on=1)
    assert isinstance(result, Stale)
    assert value(engine.preferences.entry("preferred_brands").declared) == ("Asics", "Nike")


def test_a_write_made_on_a_forgotten_version_does_not_bring_it_back(engine: Engine) -> None:
    engine.preferences.remember("avoided_brands", ["Marca X"])
    engine.preferences.forget("avoided_brands")
    with pytest.raises(MemoryNotFound, match="forgotten meanwhile"):
        engine.preferences.remember("avoided_brands", ["Marca X"], made_on=1)
    assert engine.preferences.entry("avoided_brands").inference_blocked


def test_a_key_outside_the_six_is_refused(engine: Engine) -> None:
    with pytest.raises(UnknownPreferenceKey):
        engine.preferences.remember("hat_size", "58")
