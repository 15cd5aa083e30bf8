"""The simulator's own parts: a rolled back block leaves nothing, its servers are as documented."""

from __future__ import annotations

import random
from collections.abc import Iterator

import pytest

from localmem.core.bodies import DocumentBody, Held
from localmem.core.preferences import PreferenceKey
from localmem.core.records import Removal
from localmem.core.replica import Copy, FactBody, Pending, document_key
from localmem.core.scope import PROJECT, contact
from sync.messages import (
    Absent,
    Added,
    AddFact,
    AddFacts,
    AskChanges,
    Changes,
    Done,
    DropFact,
    Expired,
    FactRow,
    Facts,
    GoneFact,
    GoneItem,
    ListFacts,
    NewFact,
    ReadItem,
    Refusal,
    Refused,
    Results,
    Step,
    WriteItem,
    WriteItems,
)
from tests.simulation.replica import MemoryLibrary, MemoryTables, Person
from tests.simulation.rows import Database, PowerCut
from tests.simulation.server import Documented, Extended

KEY = document_key(PROJECT, "orders", "a")
LM = "00000001-0000-7000-8000-000000000001"
OTHER_LM = "00000002-0000-7000-8000-000000000001"


class Bench:
    """A device and its clock."""

    def __init__(self) -> None:
        self.now = 1_000_000
        self.base = Database()
        self.tables = MemoryTables(self.base, "dev00001")
        self.library = MemoryLibrary(self.base, self.tables, 1, lambda: self.now)
        self.person = Person(self.library)


@pytest.fixture
def bench() -> Bench:
    return Bench()


@pytest.fixture
def ext() -> Iterator[Extended]:
    yield Extended(random.Random(1), lambda: 1_000_000)


@pytest.fixture
def hosted() -> Iterator[Documented]:
    yield Documented(random.Random(1), lambda: 1_000_000)


def put(value: object, op: str, **conditions: object) -> WriteItem:
    return WriteItem(PROJECT, "orders", Step("a", value, **conditions), op)  # type: ignore[arg-type]


def fact(text: str, op: str, lm: str = LM, **more: object) -> AddFact:
    return AddFact(PROJECT, NewFact(text, {"lm": lm}, **more), op)  # type: ignore[arg-type]


# --- transactions ------------------------------------------------------------------------------


def test_a_block_that_fails_leaves_nothing(bench: Bench) -> None:
    bench.person.write_document(KEY, {"status": "new"})
    with pytest.raises(ValueError, match="no"), bench.tables.writing():
        bench.library.put_document(PROJECT, "orders", "a", DocumentBody("x", {"status": "old"}))
        bench.tables.put_copy(KEY, Copy(rev="1"))
        raise ValueError("no")
    with bench.tables.reading():
        found = bench.library.document(PROJECT, "orders", "a")
        assert found is not None and found.body.value == {"status": "new"}
        assert bench.tables.copy(KEY) is None


@pytest.mark.parametrize("where", ["begin", "before commit", "after commit"])
def test_a_power_cut_keeps_a_block_whole_or_not_at_all(bench: Bench, where: str) -> None:
    def cut(at: str) -> None:
        if at == where:
            raise PowerCut(at)

    bench.base.fault = cut
    with pytest.raises(PowerCut), bench.tables.writing():
        bench.tables.add_pending(Pending(KEY, None))
        bench.tables.put_copy(KEY, Copy(rev="1"))
    bench.base.fault = None
    with bench.tables.reading():
        kept = (bench.tables.copy(KEY) is not None, bool(bench.tables.pending()))
    assert kept == ((True, True) if where == "after commit" else (False, False))


def test_rows_are_read_and_written_inside_blocks_only(bench: Bench) -> None:
    with pytest.raises(AssertionError):
        bench.tables.copy(KEY)
    with pytest.raises(AssertionError), bench.tables.reading():
        bench.tables.put_copy(KEY, Copy())


# --- the library -------------------------------------------------------------------------------


def test_what_is_forgotten_leaves_husks_beside_it(bench: Bench) -> None:
    item = bench.person.write_document(KEY, {"status": "secret"})
    body = DocumentBody(item, {"status": "secret"})
    with bench.tables.writing():
        bench.tables.put_copy(KEY, Copy(item, base=Held(body, {"d": 1}), last=body))
    bench.person.forget(item)
    with bench.tables.reading():
        copy = bench.tables.copy(KEY)
        assert copy is not None and copy.base is not None and copy.base.vv == {"d": 1}
        assert copy.base.body.erased and copy.last is not None and copy.last.erased
        assert bench.library.why_gone(item) is Removal.FORGET


def test_changes_are_told_in_order_with_what_is_gone(bench: Bench) -> None:
    first = bench.person.write_document(KEY, {"status": "new"})
    added = bench.person.add_fact(PROJECT, FactBody("Has two cats."))
    assert added is not None
    bench.person.forget(first)
    with bench.tables.reading():
        told = bench.library.changed(0, 10)
    assert [(each.item, each.gone) for each in told] == [
        (added.item, None),
        (first, Removal.FORGET),
    ]


def test_a_generation_grows_with_each_forget_and_a_declaration_lifts_the_block(
    bench: Bench,
) -> None:
    key = PreferenceKey.SHOE_SIZE
    bench.person.declare(key, "42", None)
    bench.person.forget_preference(key)
    with bench.tables.reading():
        assert bench.library.preference(key)[:3] == (1, True, None)
    assert not bench.person.infer(key, "43", "p1")
    bench.person.declare(key, "44", None)
    with bench.tables.reading():
        found = bench.library.preference(key)
    assert (found.gen, found.forgotten) == (1, False)
    assert found.declared is not None and found.declared.value == "44"


def test_what_expired_is_hidden_before_it_is_erased(bench: Bench) -> None:
    added = bench.person.add_fact(PROJECT, FactBody("Back soon.", expires_at=2_000_000))
    assert added is not None
    bench.now = 2_000_000
    with bench.tables.reading():
        assert bench.library.fact(added.item) is None
        assert bench.library.why_gone(added.item) is None
    assert bench.person.purge() == 1
    with bench.tables.reading():
        assert bench.library.why_gone(added.item) is Removal.EXPIRED


def test_the_same_words_in_other_letters_are_a_twin(bench: Bench) -> None:
    added = bench.person.add_fact(PROJECT, FactBody("Caf\u00e9 at eight."))
    assert added is not None
    with bench.tables.reading():
        twin = bench.library.twin(PROJECT, "CAFE\u0301 at EIGHT.")
        assert twin is not None and twin.item == added.item
        assert bench.library.twin(contact("ana"), "Caf\u00e9 at eight.") is None


# --- our own server ----------------------------------------------------------------------------


def test_a_request_sent_twice_is_done_once(ext: Extended) -> None:
    first = ext.handle(put({"status": "new"}, "op1", only_new=True))
    assert ext.handle(put({"status": "new"}, "op1", only_new=True)) == first
    assert ext.seq == 1
    again = ext.handle(put({"status": "other"}, "op1", only_new=True))
    assert isinstance(again, Refusal) and again.why is Refused.REUSED


def test_a_repeated_request_whose_item_is_gone_writes_nothing(ext: Extended) -> None:
    ext.handle(put({"status": "new"}, "op1", only_new=True))
    ext.handle(put(None, "op2", delete=True))
    again = ext.handle(put({"status": "new"}, "op1", only_new=True))
    assert isinstance(again, Refusal) and again.why is Refused.FORGOTTEN
    assert isinstance(ext.handle(ReadItem(PROJECT, "orders", "a")), Absent)


def test_conditions_hold_for_single_writes_and_batches(ext: Extended) -> None:
    done = ext.handle(put({"status": "new"}, "op1", only_new=True))
    assert isinstance(done, Done)
    for number, conditions in enumerate(({"only_new": True}, {"if_match": "9"})):
        refused = ext.handle(put({"status": "x"}, f"op2{number}", **conditions))
        assert isinstance(refused, Refusal) and refused.why is Refused.STALE
        batch = WriteItems(PROJECT, "orders", (Step("a", {}, **conditions),), f"op3{number}")  # type: ignore[arg-type]
        results = ext.handle(batch)
        assert isinstance(results, Results) and isinstance(results.each[0], Refusal)
    late = ext.handle(put(None, "op4", delete=True, if_match="9"))
    assert isinstance(late, Refusal) and late.rev == done.rev


def test_the_feed_tells_in_order_and_of_what_is_gone_only_ids(ext: Extended) -> None:
    added = ext.handle(fact("Has two cats.", "op1"))
    assert isinstance(added, Added)
    made = ext.handle(put({"_lm": {"inc": LM, "vv": {}}, "note": "x"}, "op2", only_new=True))
    assert isinstance(made, Done)
    begun = ext.handle(AskChanges(None))
    assert isinstance(begun, Changes) and len(begun.rows) == 2 and not begun.more
    ext.handle(DropFact(PROJECT, added.server_id, Removal.FORGET, "op3"))
    ext.handle(put(None, "op4", delete=True))
    told = ext.handle(AskChanges(begun.cursor))
    assert isinstance(told, Changes)
    assert told.rows == (
        GoneFact(PROJECT, added.server_id, LM, Removal.FORGET),
        GoneItem(PROJECT, LM, None, Removal.FORGET, made.inc),
    )


def test_from_the_beginning_only_what_is_there_is_told(ext: Extended) -> None:
    added = ext.handle(fact("Has two cats.", "op1"))
    assert isinstance(added, Added)
    ext.handle(DropFact(PROJECT, added.server_id, Removal.FORGET, "op2"))
    told, all_told = ext.handle(AskChanges(None)), ext.handle(AskChanges(None, gone_too=True))
    assert isinstance(told, Changes) and told.rows == ()
    assert isinstance(all_told, Changes) and len(all_told.rows) == 1


def test_a_restore_is_another_epoch_and_voids_cursors(ext: Extended) -> None:
    held, epoch = ext.snapshot(), ext.epoch
    ext.handle(fact("Has two cats.", "op1"))
    told = ext.handle(AskChanges(None))
    assert isinstance(told, Changes)
    ext.restore(held)
    assert ext.epoch != epoch and not ext.facts
    assert isinstance(ext.handle(AskChanges(told.cursor)), Expired)


def test_the_same_words_are_answered_with_the_fact_it_knows(ext: Extended) -> None:
    first = ext.handle(fact("Has two cats.", "op1"))
    twin = ext.handle(fact("has TWO cats.", "op2", OTHER_LM))
    assert isinstance(first, Added) and isinstance(twin, Added)
    assert (twin.server_id, twin.lm) == (first.server_id, LM)


def test_a_newer_wording_takes_the_place_of_the_older(ext: Extended) -> None:
    first = ext.handle(fact("Has two cats.", "op1"))
    assert isinstance(first, Added)
    ext.handle(fact("Has three cats.", "op2", OTHER_LM, replaces=(first.server_id,)))
    assert [row.text for row in ext.facts.values()] == ["Has three cats."]


def test_in_a_repeated_batch_what_is_gone_is_told_in_its_place(ext: Extended) -> None:
    many = AddFacts(PROJECT, (NewFact("One.", {"lm": LM}), NewFact("Two.", {"lm": OTHER_LM})), "b")
    done = ext.handle(many)
    assert isinstance(done, Results) and isinstance(done.each[0], Added)
    ext.handle(DropFact(PROJECT, done.each[0].server_id, Removal.FORGET, "op"))
    again = ext.handle(many)
    assert isinstance(again, Results)
    assert isinstance(again.each[0], Refusal) and again.each[0].why is Refused.FORGOTTEN
    assert again.each[1] == done.each[1]


# --- the hosted API ----------------------------------------------------------------------------


def test_a_list_that_changes_while_it_is_paged_passes_rows_over(hosted: Documented) -> None:
    for number in range(5):
        hosted.handle(fact(f"Fact {number}.", f"op{number}"))
    first = hosted.handle(ListFacts(PROJECT))
    assert isinstance(first, Facts) and first.next is not None
    gone = first.rows[0]
    assert isinstance(gone, FactRow)
    hosted.handle(DropFact(PROJECT, gone.server_id, Removal.FORGET, "d"))
    second = hosted.handle(ListFacts(PROJECT, first.next))
    assert isinstance(second, Facts)
    listed = {row.server_id for row in (*first.rows, *second.rows)} - {gone.server_id}
    assert len(listed) == 3, "four are there"


def test_the_same_words_are_kept_twice(hosted: Documented) -> None:
    hosted.handle(fact("Has two cats.", "op1"))
    hosted.handle(fact("Has two cats.", "op1"))
    assert len(hosted.facts) == 2


def test_without_conditions_the_last_one_wins(hosted: Documented) -> None:
    hosted.handle(put({"status": "new"}, "op1", only_new=True))
    assert isinstance(hosted.handle(put({"status": "x"}, "op2", only_new=True)), Done)
    assert isinstance(hosted.handle(put(None, "op3", delete=True, if_match="no")), Done)
    assert not hosted.items
