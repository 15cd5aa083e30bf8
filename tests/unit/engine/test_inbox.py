"""What agents wrote waits until the person decided, and what they rejected stays away."""

from __future__ import annotations

import random
from collections import Counter

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from localmem.core.change import Saved
from localmem.core.model import Evidence, FactContent, Item, Provenance
from localmem.core.scope import PROJECT, contact
from localmem.engine import Engine
from localmem.engine.outcomes import NothingToUndo, Receipt, Undone
from localmem.errors import MemoryNotFound, RejectedBefore
from tests.support.library import AGENT, BACKEND, FixedClock, open_library

INFERRED = Evidence(purchase_id="pur_1")


@pytest.fixture
def agent(engine: Engine) -> Engine:
    return engine.acting(AGENT)


def fact(engine: Engine, text: str) -> Item:
    result = engine.facts.add(text)
    assert isinstance(result, Saved)
    return result.item


def said(engine: Engine, item: Item) -> str:
    content = engine.library.get(item.id).head.content
    assert isinstance(content, FactContent)
    return content.text


def waiting(engine: Engine) -> list[str]:
    return [str(each.item.id) for each in engine.inbox.window(offset=0, limit=50)]


def infer(agent: Engine, key: str, value: object) -> Item:
    result = agent.preferences.remember(
        key, value, provenance=Provenance.INFERRED, evidence=INFERRED
    )
    assert isinstance(result, Saved)
    return result.item


def test_what_an_agent_writes_waits_and_what_the_person_writes_does_not(
    engine: Engine, agent: Engine
) -> None:
    fact(engine, "Mine")
    theirs = fact(agent, "Theirs")
    assert (engine.inbox.count(), waiting(engine)) == (1, [theirs.id])
    found = engine.inbox.find(theirs.id)
    assert found is not None and found.before is None


def test_what_a_backend_writes_waits_only_when_it_is_inferred(engine: Engine) -> None:
    backend = engine.acting(BACKEND)
    backend.documents.set("orders", "1", {"total": 3})
    item = infer(backend, "preferred_merchants", ["Cobasi"])
    assert waiting(engine) == [item.id]


def test_the_newest_comes_first_in_windows(engine: Engine, agent: Engine) -> None:
    items = [fact(agent, f"Theirs {n}") for n in range(5)]
    page = engine.inbox.window(offset=1, limit=2)
    assert [each.item.id for each in page] == [items[3].id, items[2].id]


def test_accepting_keeps_the_value_and_can_be_undone(engine: Engine, agent: Engine) -> None:
    item = fact(agent, "Theirs")
    assert engine.inbox.accept([item.id]) == 1
    assert (engine.inbox.count(), said(engine, item)) == (0, "Theirs")
    undone = engine.versions.undo()
    assert isinstance(undone, Undone) and undone.label == "accepted a memory"
    assert waiting(engine) == [item.id]
    assert len(engine.library.history(item.id)) == 1


def test_accepting_what_does_not_wait_changes_nothing(engine: Engine) -> None:
    assert engine.inbox.accept([fact(engine, "Mine").id]) == 0
    undone = engine.versions.undo_preview()
    assert not isinstance(undone, NothingToUndo) and undone.label == "kept a fact"


def test_accepting_all_is_one_undo(engine: Engine, agent: Engine) -> None:
    for n in range(3):
        fact(agent, f"Theirs {n}")
    assert engine.inbox.accept_all() == 3
    assert engine.inbox.count() == 0
    engine.versions.undo()
    assert engine.inbox.count() == 3


def test_the_persons_edit_settles_it_and_undoing_the_edit_lets_it_wait_again(
    engine: Engine, agent: Engine
) -> None:
    item = fact(agent, "Theirs")
    engine.facts.edit(item.id, text="Corrected")
    assert engine.inbox.count() == 0
    engine.versions.undo()
    assert (said(engine, item), waiting(engine)) == ("Theirs", [item.id])


def test_undoing_an_edit_after_accepting_does_not_let_it_wait_again(
    engine: Engine, agent: Engine
) -> None:
    item = fact(agent, "Theirs")
    engine.inbox.accept([item.id])
    engine.facts.edit(item.id, text="Corrected")
    engine.versions.undo()
    assert engine.inbox.count() == 0


def test_declaring_a_value_answers_what_was_inferred_of_it(engine: Engine, agent: Engine) -> None:
    infer(agent, "shoe_size", "41")
    engine.preferences.correct("shoe_size", "42")
    assert engine.inbox.count() == 0


def test_a_rejected_proposal_is_erased_and_not_taken_again(engine: Engine, agent: Engine) -> None:
    item = fact(agent, "Loves zebra quartz")
    receipt = engine.inbox.reject(item.id)
    assert isinstance(receipt, Receipt) and receipt.complete and receipt.found == 0
    assert engine.inbox.count() == 0
    with pytest.raises(MemoryNotFound):
        engine.library.get(item.id)
    with pytest.raises(RejectedBefore) as refused:
        agent.facts.add("loves   zebra quartz")
    assert refused.value.code == "memory_rejected"


def test_a_rejection_holds_for_its_own_scope_and_words_only(engine: Engine, agent: Engine) -> None:
    engine.inbox.reject(fact(agent, "Likes tea").id)
    assert isinstance(agent.facts.add("Likes tea", scope=contact("ana")), Saved)
    assert isinstance(agent.facts.add("Likes green tea", scope=PROJECT), Saved)


def test_the_person_can_still_say_what_they_rejected(engine: Engine, agent: Engine) -> None:
    engine.inbox.reject(fact(agent, "Likes tea").id)
    mine = fact(engine, "Likes tea")
    engine.forgetting.forget([mine.id])
    assert isinstance(agent.facts.add("Likes tea"), Saved)


def test_rejecting_an_edit_brings_back_what_the_person_last_saw(
    engine: Engine, agent: Engine
) -> None:
    item = fact(engine, "Mine")
    agent.facts.edit(item.id, text="Theirs")
    agent.facts.edit(item.id, text="Theirs again")
    found = engine.inbox.find(item.id)
    assert found is not None and found.before is not None and found.before.number == 1
    assert isinstance(engine.inbox.reject(item.id), Saved)
    assert (said(engine, item), engine.inbox.count()) == ("Mine", 0)
    with pytest.raises(RejectedBefore):
        agent.facts.edit(item.id, text="Theirs again")
    engine.versions.undo()
    assert (said(engine, item), waiting(engine)) == ("Theirs again", [item.id])


def test_rejecting_an_inferred_value_leaves_the_declared_one_and_other_inferences(
    engine: Engine, agent: Engine
) -> None:
    engine.preferences.remember("preferred_brands", ["Asics"])
    item = infer(agent, "preferred_brands", ["Nike"])
    engine.inbox.reject(item.id)
    entry = engine.preferences.entry("preferred_brands")
    assert entry.declared is not None and entry.inferred is None and not entry.inference_blocked
    with pytest.raises(RejectedBefore):
        infer(agent, "preferred_brands", ["Nike"])
    infer(agent, "preferred_brands", ["Mizuno"])


def test_rejecting_what_does_not_wait_says_so(engine: Engine) -> None:
    with pytest.raises(MemoryNotFound, match="waits in the inbox"):
        engine.inbox.reject(fact(engine, "Mine").id)


def test_what_expires_leaves_the_inbox_at_that_moment(engine: Engine, agent: Engine, clock) -> None:  # type: ignore[no-untyped-def]
    result = agent.facts.add("Soon gone", ttl_seconds=60)
    assert isinstance(result, Saved)
    clock.advance(59)
    assert engine.inbox.count() == 1
    clock.advance(1)
    assert (engine.inbox.count(), engine.inbox.find(result.item.id)) == (0, None)


def test_whatever_order_things_happen_in_the_inbox_holds_what_the_person_has_not_decided() -> None:
    """A small model beside the engine: the text, whether it waits, what the person last saw."""
    reached: Counter[str] = Counter()

    @settings(max_examples=120, deadline=None, derandomize=True)  # for it is counted
    @given(seed=st.integers(0, 1 << 32))
    def holds(seed: int) -> None:
        chance = random.Random(seed)
        engine = open_library(":memory:", FixedClock())
        agent = engine.acting(AGENT)
        text, waits, seen, refused = "start", True, None, set[str]()
        item = fact(agent, text)
        for step in range(12):
            deed = chance.choice(["agent", "agent", "person", "accept", "reject"])
            wanted = f"words {chance.randint(0, 2)}"
            reached[deed] += 1
            if deed == "agent":
                if wanted == text:
                    continue
                if wanted in refused:
                    with pytest.raises(RejectedBefore):
                        agent.facts.edit(item.id, text=wanted)
                    reached["refused"] += 1
                    continue
                agent.facts.edit(item.id, text=wanted)
                text, waits, seen = wanted, True, seen if waits else text
            elif deed == "person" and wanted != text:
                engine.facts.edit(item.id, text=wanted)
                text, waits, seen = wanted, False, None
                refused.discard(wanted)
            elif deed == "accept":
                assert engine.inbox.accept([item.id]) == int(waits)
                waits, seen = False, None
            elif deed == "reject" and waits:
                refused.add(text)
                outcome = engine.inbox.reject(item.id)
                assert isinstance(outcome, Receipt) == (seen is None)
                if seen is None:
                    reached["erased"] += 1
                    break
                text, waits, seen = seen, False, None
                refused.discard(text)
                reached["back"] += 1
            assert said(engine, item) == text, (seed, step)
            assert engine.inbox.count() == int(waits), (seed, step)
            found = engine.inbox.find(item.id)
            if found is not None and found.before is not None:
                assert found.before.content == FactContent(seen or "")
        engine.close()

    holds()
    assert min(reached[kind] for kind in ("refused", "erased", "back", "accept", "person")) > 10
