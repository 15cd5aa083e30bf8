"""What an agent may recall, over random libraries; the rest of the skills is in test_python."""

from __future__ import annotations

import random
from collections import Counter

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from localmem.core.model import AuthorKind
from localmem.core.scope import PROJECT, contact, conversation
from localmem.errors import MemoryScopeError
from tests.support.library import AGENT, BACKEND, PERSON, FixedClock, open_library

SCOPES = (PROJECT, contact("ana"), contact("bruno"), contact("an"), conversation("ana"))
ACTORS = (PERSON, AGENT, BACKEND)
WORDS = ("tea", "bread", "boots", "train")


def test_recall_never_reads_another_contact_or_what_an_agent_wrote_for_all() -> None:
    reached: Counter[str] = Counter()

    @settings(max_examples=120, deadline=None)
    @given(seed=st.integers(0, 1 << 32))
    def holds(seed: int) -> None:
        chance = random.Random(seed)
        engine = open_library(":memory:", FixedClock())
        who, asked = chance.choice(["ana", "bruno", "an", None]), chance.choice(WORDS)
        own = contact(who) if who else None
        for number in range(14):
            scope, actor = chance.choice(SCOPES), chance.choice(ACTORS)
            words = chance.sample(WORDS, 2)
            engine.acting(actor).facts.add(f"{' '.join(words)} {number}", scope=scope)
            reached["agent's for all"] += scope == PROJECT and actor is AGENT and asked in words
            reached["another's"] += scope not in (PROJECT, own) and asked in words
        limit = chance.randint(1, 8)
        recalled = engine.skills(who).recall(asked, limit=limit)
        assert len(recalled) <= limit
        scopes = [each.hit.item.scope for each in recalled]
        assert set(scopes) <= {PROJECT, own}
        assert scopes == sorted(scopes, key=lambda scope: scope != own)
        for each in recalled:
            item = each.hit.item
            reached["own" if item.scope == own else "project"] += 1
            assert item.scope != PROJECT or item.head.by.kind is not AuthorKind.AGENT
        engine.close()

    holds()
    assert min(reached[kind] for kind in ("own", "project", "agent's for all", "another's")) > 20


@pytest.mark.parametrize("who", ["", None])
def test_nobody_identified_is_nobody_whatever_stands_for_it(who: str | None) -> None:
    engine = open_library(":memory:", FixedClock())
    with pytest.raises(MemoryScopeError):
        engine.skills(who).remember("Likes tea")
    assert engine.skills(who).recall("tea") == ()
    engine.close()


def test_a_fact_the_person_corrected_is_no_longer_the_agents() -> None:
    engine = open_library(":memory:", FixedClock())
    agent = engine.acting(AGENT)
    agent.facts.add("Tea is sold at noon")
    (waiting,) = engine.inbox.window(offset=0, limit=5)
    assert engine.skills(None).recall("tea") == ()
    engine.facts.edit(waiting.item.id, text="Tea is sold in the morning")
    assert [each.text for each in engine.skills(None).recall("tea")] == [
        "Tea is sold in the morning"
    ]
    engine.close()
