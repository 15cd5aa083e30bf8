"""`localmem.open` and `create_local_context`: ctx.memory in Python."""

from __future__ import annotations

import re
import threading
from pathlib import Path

import pytest

import localmem
from localmem.core.model import Evidence, Provenance
from localmem.errors import (
    FieldNotIndexed,
    InvalidInput,
    MemoryNotFound,
    RejectedBefore,
    RevisionConflict,
)
from localmem.memory import Memory
from tests.support.library import AGENT, NOW, FixedClock, open_library

PAGE = Path(__file__).parents[2] / "docs" / "python.md"


@pytest.fixture
def home(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.setenv("LOCALMEM_HOME", str(tmp_path / "home"))
    return tmp_path / "home"


@pytest.fixture
def words_only(home: Path) -> Path:
    home.mkdir()
    (home / "config.toml").write_text('model = "none"\n')
    return home


@pytest.fixture
def memory(words_only: Path) -> Memory:
    return localmem.create_local_context(contact_id="ana").memory


def test_the_examples_of_the_docs_run(home: Path, capsys: pytest.CaptureFixture[str]) -> None:
    for example in re.findall(r"```python\n(.*?)```", PAGE.read_text("utf-8"), re.DOTALL):
        exec(compile(example, "docs/python.md", "exec"), {})
    said = capsys.readouterr().out.splitlines()
    assert said[0].startswith("Prefers WhatsApp over email. 0.")
    assert said[1:] == ["{'status': 'delivered', 'total': 42.5} None", "['ORD-1']"]


def test_importing_the_package_loads_nothing_and_names_everything() -> None:
    assert all(getattr(localmem, name) is not None for name in localmem.__all__)
    with pytest.raises(AttributeError, match="no attribute 'opne'"):
        localmem.opne  # type: ignore[attr-defined]  # noqa: B018


def test_scopes_never_mix(memory: Memory) -> None:
    assert memory.contact is not None
    mine = memory.contact.add("Likes tea", metadata={"source": "customer"})
    assert mine.metadata == {"source": "customer"}
    assert memory.search("likes tea") == []
    assert memory.list().items == ()
    assert memory.for_contact("bruno").search("likes tea") == []
    assert [hit.text for hit in memory.for_contact("ana").search("likes tea")] == ["Likes tea"]
    with pytest.raises(MemoryNotFound):
        memory.get(mine.id)
    with pytest.raises(MemoryNotFound):
        memory.delete(mine.id)
    memory.contact.delete(mine.id)
    assert memory.contact.list().items == ()


def test_a_missing_scope_is_none_and_naming_it_is_an_error(memory: Memory) -> None:
    assert memory.conversation is None
    with pytest.raises(localmem.MemoryScopeError, match="no conversation here"):
        memory.at("conversation")
    assert memory.at("contact").scope == "contact:ana"
    assert memory.at("project") is memory
    assert memory.at("conversation:42").scope == "conversation:42"


def test_lists_page_through_everything_once(memory: Memory) -> None:
    for number in range(5):
        memory.add(f"Fact {number}")
    first = memory.list(limit=3)
    assert first.next_cursor is not None
    rest = memory.list(limit=3, cursor=first.next_cursor)
    seen = [fact.text for fact in (*first.items, *rest.items)]
    assert seen == [f"Fact {n}" for n in (4, 3, 2, 1, 0)] and rest.next_cursor is None


@pytest.mark.parametrize(
    ("query", "options"),
    [("", {}), ("x" * 9_000, {}), ("tea", {"limit": 0}), ("tea", {"limit": 21}),
     ("tea", {"min_score": 1.5})],
)  # fmt: skip
def test_a_search_out_of_range_is_refused(
    memory: Memory, query: str, options: dict[str, float]
) -> None:
    with pytest.raises(InvalidInput):
        memory.search(query, **options)  # type: ignore[arg-type]


def test_a_query_is_literal_text_not_the_grammar_of_the_search_box(memory: Memory) -> None:
    memory.add("kind:document is what the note says")
    assert len(memory.search("kind:document note says")) == 1


def test_documents_are_written_over_what_was_seen_only(memory: Memory) -> None:
    orders = memory.collection("orders")
    first = orders.set("1", {"n": 1})
    second = orders.set("1", {"n": 2}, if_rev=first.rev)
    assert (first.rev, second.rev) == (1, 2)
    with pytest.raises(RevisionConflict) as lost:
        orders.set("1", {"n": 3}, if_rev=first.rev)
    assert (lost.value.code, lost.value.details) == ("revision_conflict", {"currentRev": 2})
    with pytest.raises(RevisionConflict):
        orders.set("1", {"n": 3}, if_rev=0)
    assert orders.get("1") == {"n": 2}


def test_absent_documents_are_none_and_deleting_one_succeeds(memory: Memory) -> None:
    orders = memory.collection("orders")
    assert (orders.get("1"), orders.find("1"), orders.delete("1")) == (None, None, True)
    assert orders.list().items == ()


def test_a_null_document_is_there(memory: Memory) -> None:
    memory.collection("orders").set("1", None)
    found = memory.collection("orders").find("1")
    assert found is not None and found.value is None


def test_querying_needs_an_index_declared_at_creation(memory: Memory) -> None:
    memory.collection("orders").set("1", {"status": "paid"})
    with pytest.raises(FieldNotIndexed):
        memory.collection("orders").query("status", "paid")
    trips = memory.create_collection("trips", indexes=["status"], default_ttl_seconds=60)
    trips.set("1", {"status": "paid"})
    assert [each.key for each in trips.query("status", "paid").items] == ["1"]


def test_time_to_live_ends_at_its_second(words_only: Path) -> None:
    clock = FixedClock(NOW)
    memory = localmem.create_local_context(clock=clock).memory
    fact = memory.add("Parking code", ttl_seconds=60)
    assert fact.expires_at is not None and (fact.expires_at - fact.created_at).seconds == 60
    clock.advance(59.999)
    assert len(memory.list().items) == 1
    clock.advance(0.001)
    assert memory.list().items == ()


def test_the_skills_refuse_without_a_contact_and_never_use_the_project_instead(
    words_only: Path,
) -> None:
    memory = localmem.create_local_context().memory
    for refused in (
        lambda: memory.remember("Likes tea"),
        lambda: memory.save_record("orders", "1", {}),
        lambda: memory.lookup_record("orders", "1"),
    ):
        with pytest.raises(localmem.MemoryScopeError, match="Nobody is identified"):
            refused()
    assert memory.list().items == ()
    assert memory.recall("tea") == []


def test_recall_looks_at_the_contact_then_the_project_without_what_agents_wrote(
    words_only: Path,
) -> None:
    with localmem.open(agent="shop-agent") as agent:
        agent.add("Tea is what another customer drinks")
    with localmem.open(contact_id="ana") as memory:
        memory.add("Tea is sold in the morning")
        assert memory.contact is not None
        memory.remember("Drinks tea")
        memory.for_contact("bruno").add("Tea for Bruno")
        assert [hit.text for hit in memory.recall("tea")] == [
            "Drinks tea",
            "Tea is sold in the morning",
        ]


def test_recall_masks_what_slipped_in_as_a_secret(words_only: Path) -> None:
    engine = open_library(words_only / "library.db", FixedClock(NOW))
    engine.facts.add("tea password: hunter2hunter2", keep_secret=True)
    engine.close()
    with localmem.open() as memory:
        (hit,) = memory.recall("tea")
    assert "hunter2" not in hit.text and "tea" in hit.text


def test_records_belong_to_the_contact_unless_the_project_is_named(memory: Memory) -> None:
    memory.save_record("orders", "1", {"total": 3})
    memory.save_record("hours", "monday", "9-5", in_project=True)
    assert memory.lookup_record("orders", "1") == {"total": 3}
    assert memory.lookup_record("orders", "1", in_project=True) is None
    assert memory.lookup_record("hours", "monday", in_project=True) == "9-5"


def test_an_agent_waits_in_the_inbox_and_is_refused_what_was_rejected(words_only: Path) -> None:
    with localmem.open(agent="shop-agent") as memory:
        fact = memory.add("Likes tea")
    engine = open_library(words_only / "library.db", FixedClock(NOW))
    (waiting,) = engine.inbox.window(offset=0, limit=5)
    assert (waiting.item.id, waiting.item.head.by.name) == (fact.id, "shop-agent")
    engine.inbox.reject(waiting.item.id)
    engine.close()
    with localmem.open(agent="shop-agent") as memory, pytest.raises(RejectedBefore):
        memory.add("Likes tea")


def test_another_path_is_another_library(words_only: Path, tmp_path: Path) -> None:
    with localmem.open(tmp_path / "other.db") as memory:
        memory.add("Elsewhere")
    with localmem.open() as memory:
        assert memory.list().items == ()
    with localmem.open(tmp_path / "other.db") as memory:
        assert [fact.text for fact in memory.list().items] == ["Elsewhere"]


def test_threads_take_turns(memory: Memory) -> None:
    def write(name: int) -> None:
        for number in range(10):
            memory.add(f"{name} wrote {number}")

    threads = [threading.Thread(target=write, args=(name,)) for name in range(4)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert len(memory.list(limit=100).items) == 40


def test_inferred_preferences_stay_out_of_the_handles(words_only: Path) -> None:
    engine = open_library(words_only / "library.db", FixedClock(NOW)).acting(AGENT)
    engine.preferences.remember(
        "preferred_merchants", ["Cobasi"], provenance=Provenance.INFERRED,
        evidence=Evidence(purchase_id="p1"),
    )  # fmt: skip
    engine.close()
    with localmem.open() as memory:
        assert memory.search("cobasi") == []
