"""What a sync remembers comes back as it was put, whoever keeps it."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import AbstractContextManager
from pathlib import Path

import pytest

from localmem.core.bodies import Author, Body, DocumentBody, Held, PreferenceBody, Slot, husk
from localmem.core.model import AuthorKind, ItemId
from localmem.core.records import Removal
from localmem.core.replica import (
    ACCOUNT,
    Block,
    Clashing,
    Conflict,
    Copy,
    Errand,
    Flight,
    Pending,
    RecordKey,
    Tables,
    Verb,
    Wording,
    block_place,
    document_key,
    preference_key,
)
from localmem.core.scope import PERSON, PROJECT, contact, conversation
from tests.contract.implementations import TABLES

ANA, THREAD = contact("ana"), conversation("t:1@x")
BRANDS = preference_key("preferred_brands")
ORDER = document_key(PROJECT, "orders", "phone:56940560201")
ITEM, OTHER = ItemId("item-1"), ItemId("item-2")
AGENT = Author(AuthorKind.AGENT, "shop-agent")


@pytest.fixture(params=TABLES, ids=lambda opened: opened.__name__)
def tables(request: pytest.FixtureRequest, tmp_path: Path) -> Iterator[Tables]:
    opened: Callable[[Path], AbstractContextManager[Tables]] = request.param
    with opened(tmp_path) as found:
        yield found


def document(value: object, inc: str = "inc-1") -> DocumentBody:
    return DocumentBody(inc, value)  # type: ignore[arg-type]


def held(value: object, counter: int = 1) -> Held:
    return Held(document(value), {"device01": counter})


def place(number: int) -> RecordKey:
    return document_key(PROJECT, "orders", f"{number:04}")


BODIES: dict[str, Body] = {
    "one size": PreferenceBody(1, declared=Slot("42", 5, ver="v1")),
    "names of both kinds": PreferenceBody(
        7,
        declared=Slot(("Asics", "Açaí 🍧"), 5, quote="gosto de “Asics”", source="chat", ver="v2"),
        inferred=Slot(("Mizuno",), 6, by=AGENT, purchase_id="p-1", ver="v3"),
    ),
    "a list of one name is no size": PreferenceBody(1, declared=Slot(("M",), 5)),
    "nothing said yet": PreferenceBody(0),
    "a forgotten key": PreferenceBody(4, forgotten=True),
    "a husk of a preference": husk(PreferenceBody(3, True, Slot("M", 1))),
    "an object": DocumentBody("inc", {"b": [1, {"a": None}], "ü": "x\u2028y"}, 99, 5, AGENT),
    "null": DocumentBody("inc", None),
    "nothing but a text": DocumentBody("inc", ""),
    "a husk of a document": husk(DocumentBody("inc", {"a": 1})),
}


@pytest.mark.parametrize("body", BODIES.values(), ids=BODIES)
def test_a_body_comes_back_as_it_was_wherever_it_is_kept(tables: Tables, body: Body) -> None:
    key = BRANDS if isinstance(body, PreferenceBody) else ORDER
    sent = Held(body, {"device01": 3, "device02": 12})
    copy = Copy(ITEM, "inc", "theirs", {"device01": 3}, True, '"7"', sent, body, 2)
    flight = Flight("op-1", 0, key, Verb.PUT, 9, sent, '"7"', True, 3600, True)
    conflict = Conflict(Clashing.CHANGED, 77, body, body, sent, '"8"', (("a", "b"), ("declared",)))
    with tables.writing():
        tables.put_copy(key, copy)
        tables.put_flights([flight])
        tables.put_conflict(key, conflict)
        tables.put_fact_conflict(ITEM, conflict)
    with tables.reading():
        assert tables.copy(key) == copy
        assert tables.flight(key) == flight
        assert tables.conflict(key) == conflict
        assert tables.fact_conflict(ITEM) == conflict


def test_numbers_and_booleans_of_a_document_stay_what_they_are(tables: Tables) -> None:
    values: list[object] = [1, 1.0, True, 0, False, 1e300, -0.0, 12345678901234567890]
    with tables.writing():
        tables.put_copy(ORDER, Copy(base=held(values), last=document([1, 1, 1, *values[3:]])))
    with tables.reading():
        found = tables.copy(ORDER)
    assert found is not None
    assert found.base is not None
    assert repr(found.base) == repr(held(values))
    assert repr(found.last) == repr(document([1, 1, 1, *values[3:]]))


def test_what_was_never_put_is_not_there(tables: Tables) -> None:
    with tables.reading():
        assert tables.copy(ORDER) is None
        assert tables.copy_of(ITEM) is None
        assert tables.copy_named("") is None
        assert tables.copies(after=None, limit=10) == []
        assert list(tables.log(ORDER)) == []
        assert tables.flight(ORDER) is None
        assert tables.conflict(ORDER) is None
        assert tables.gone("inc") is None
        assert tables.wording("lm") is None
        assert tables.wording_at(PROJECT, "mem_1") is None
        assert tables.fact_conflict(ITEM) is None
        assert tables.errand(PROJECT, "mem_1") is None
        assert tables.block(ACCOUNT) is None
        assert list(tables.pending()) == []
        assert list(tables.scopes()) == []
        assert list(tables.collections()) == []


def test_dropping_what_is_not_there_is_nothing(tables: Tables) -> None:
    with tables.writing():
        tables.drop_copy(ORDER)
        tables.drop_flight(ORDER)
        tables.drop_conflict(ORDER)
        tables.drop_wording("lm")
        tables.drop_fact_conflict(ITEM)
        tables.drop_errand(PROJECT, "mem_1")
        tables.drop_pending(Pending(ORDER, None))
        tables.drop_block(ACCOUNT)


def test_a_transaction_that_fails_leaves_nothing(tables: Tables) -> None:
    with tables.writing():
        tables.put_copy(place(1), Copy(rev="1"))
    with pytest.raises(ZeroDivisionError), tables.writing():
        tables.put_copy(place(1), Copy(rev="2"))
        tables.put_copy(place(2), Copy(rev="1"))
        tables.put_wording(Wording("lm", ITEM, 1, ANA, sup=("a",)))
        tables.stand(tables.standing()._replace(counter=9, cursor="c"))
        raise ZeroDivisionError
    with tables.reading():
        assert tables.copy(place(1)) == Copy(rev="1")
        assert tables.copy(place(2)) is None
        assert tables.naming("a") == []
        assert (tables.standing().counter, tables.standing().cursor) == (0, None)
        assert list(tables.scopes()) == [PROJECT]


# how far the account is in step


def test_a_standing_begins_at_nothing_and_comes_back_whole(tables: Tables) -> None:
    with tables.writing():
        first = tables.standing()
        assert len(first.device) == 8
        assert first == type(first)(first.device)
        moved = first._replace(
            counter=4, confirmed=3, epoch="e", cursor="c", seq=9, watermark=8, resync=True,
            sweep=True, cycle=2, last_full=1_000,
        )  # fmt: skip
        tables.stand(moved)
    with tables.reading():
        assert tables.standing() == moved
    with tables.writing():
        tables.stand(moved._replace(resync=False, sweep=False, epoch=None, cursor=None))
    with tables.reading():
        assert tables.standing() == moved._replace(
            resync=False, sweep=False, epoch=None, cursor=None
        )


# records


def test_a_copy_is_found_by_its_item_and_by_either_name_of_its_incarnation(tables: Tables) -> None:
    with tables.writing():
        tables.put_copy(ORDER, Copy(ITEM, "inc-1", "srv-1", rev="1"))
        tables.put_copy(BRANDS, Copy(rev="1"))
    with tables.reading():
        assert tables.copy_of(ITEM) == ORDER
        assert tables.copy_named("inc-1") == ORDER
        assert tables.copy_named("srv-1") == ORDER
        assert tables.copy_named("") is None
    with tables.writing():
        tables.put_copy(ORDER, Copy(OTHER, "inc-2", "srv-2", rev="1"))
    with tables.reading():
        assert tables.copy_of(ITEM) is None
        assert (tables.copy_named("inc-1"), tables.copy_named("srv-1")) == (None, None)
        assert (tables.copy_of(OTHER), tables.copy_named("srv-2")) == (ORDER, ORDER)


def test_the_same_key_in_another_scope_or_collection_is_another_record(tables: Tables) -> None:
    keys = [
        document_key(scope, collection, "k")
        for scope in (PROJECT, ANA, THREAD)
        for collection in ("orders", "notes")
    ]
    with tables.writing():
        for number, key in enumerate(keys):
            tables.put_copy(key, Copy(rev=str(number)))
        tables.drop_copy(keys[0])
    with tables.reading():
        found = [tables.copy(key) for key in keys]
        assert [copy and copy.rev for copy in found] == [None, "1", "2", "3", "4", "5"]
        assert list(tables.collections()) == ["notes", "orders"]


def test_pages_of_copies_hold_each_once_without_those_the_server_does_not_have(
    tables: Tables,
) -> None:
    keys = [BRANDS, document_key(ANA, "a", "z"), document_key(PROJECT, "b", "a"),
            *(place(number) for number in range(10))]  # fmt: skip
    with tables.writing():
        for key in reversed(keys):
            tables.put_copy(key, Copy(rev="1"))
        tables.put_copy(document_key(PROJECT, "orders", "only-here"), Copy(rev=None, base=held(1)))
    seen: list[RecordKey] = []
    with tables.reading():
        while page := tables.copies(after=seen[-1] if seen else None, limit=4):
            assert len(page) <= 4
            seen += page
    assert sorted(seen) == sorted(keys)
    assert len(seen) == len(set(seen))
    assert seen == sorted(seen)


def test_earlier_bases_are_logged_when_another_takes_their_place(tables: Tables) -> None:
    with tables.writing():
        tables.put_copy(ORDER, Copy(base=held("a")))
        tables.put_copy(ORDER, Copy(base=held("a"), rev="2"))
        assert list(tables.log(ORDER)) == []
        tables.put_copy(ORDER, Copy(base=held("b", 2)))
        tables.put_copy(ORDER, Copy(base=held("b", 3)))
        tables.put_copy(ORDER, Copy(base=None))
        tables.put_copy(ORDER, Copy(base=held("c", 4)))
    with tables.reading():
        assert list(tables.log(ORDER)) == [held("a"), held("b", 2), held("b", 3)]
        assert list(tables.log(place(1))) == []


def test_a_husk_is_not_logged(tables: Tables) -> None:
    with tables.writing():
        tables.put_copy(ORDER, Copy(base=Held(husk(document("a")), {})))
        tables.put_copy(ORDER, Copy(base=held("b")))
        assert list(tables.log(ORDER)) == []


def test_the_log_keeps_the_sixteen_newest_and_goes_with_its_copy(tables: Tables) -> None:
    with tables.writing():
        tables.put_copy(place(1), Copy(base=held("x")))
        tables.put_copy(place(1), Copy(base=held("y")))
        for number in range(1, 21):
            tables.put_copy(ORDER, Copy(base=held("a", number)))
    with tables.reading():
        assert list(tables.log(ORDER)) == [held("a", number) for number in range(4, 20)]
    with tables.writing():
        tables.drop_copy(ORDER)
    with tables.reading():
        assert tables.copy(ORDER) is None
        assert list(tables.log(ORDER)) == []
        assert list(tables.log(place(1))) == [held("x")]


def test_flights_come_in_the_order_they_were_sent_and_are_one_a_record(tables: Tables) -> None:
    batch = [
        Flight("op-2", number, place(9 - number), Verb.PUT, number, held(number), batch=True)
        for number in range(3)
    ]
    gone = Flight("op-1", 0, BRANDS, Verb.DELETE, 1)
    with tables.writing():
        tables.put_flights([*reversed(batch), gone])
    with tables.reading():
        assert list(tables.flights()) == [gone, *batch]
    again = batch[0]._replace(op="op-3", counter=8)
    with tables.writing():
        tables.put_flights([again])
        tables.drop_flight(BRANDS)
    with tables.reading():
        assert list(tables.flights()) == [*batch[1:], again]
        assert tables.flight(BRANDS) is None


def test_a_conflict_is_one_a_record_and_may_lack_each_side(tables: Tables) -> None:
    bare = Conflict(Clashing.SHAPE, 5)
    with tables.writing():
        tables.put_conflict(ORDER, Conflict(Clashing.FORK, 4, mine=document(1)))
        tables.put_conflict(ORDER, bare)
        tables.put_conflict(BRANDS, Conflict(Clashing.FORGOTTEN, 3, theirs=None, rev="2"))
        tables.put_fact_conflict(ITEM, bare)
    with tables.reading():
        assert tables.conflict(ORDER) == bare
        assert set(tables.conflicts()) == {ORDER, BRANDS}
        assert list(tables.fact_conflicts()) == [ITEM]
    with tables.writing():
        tables.drop_conflict(ORDER)
        tables.drop_fact_conflict(ITEM)
    with tables.reading():
        assert list(tables.conflicts()) == [BRANDS]
        assert list(tables.fact_conflicts()) == []


def test_the_first_reason_why_something_is_gone_stays_but_for_a_forget(tables: Tables) -> None:
    with tables.writing():
        for why in (Removal.EXPIRED, Removal.DUPLICATE):
            tables.put_gone("a", PROJECT, why)
        for why in (Removal.UNDO, Removal.FORGET, Removal.SUPERSEDED):
            tables.put_gone("b", PROJECT, why)
    with tables.reading():
        assert (tables.gone("a"), tables.gone("b")) == (Removal.EXPIRED, Removal.FORGET)


# facts


def test_wordings_come_back_by_item_by_server_id_and_by_what_they_replace(tables: Tables) -> None:
    first = Wording("lm-1", ITEM, 1, PROJECT, "mem_1")
    second = Wording("lm-2", ITEM, 2, PROJECT, "mem_2", sup=("lm-1",))
    third = Wording("lm-3", ITEM, 10, PROJECT, None, True, ("lm-2", "lm-1"))
    other = Wording("lm-4", OTHER, 1, ANA, "mem_1", leaving=True)
    with tables.writing():
        for wording in (second, other, first, third):
            tables.put_wording(wording)
    with tables.reading():
        assert tables.wording("lm-3") == third
        assert list(tables.wordings_of(ITEM)) == [third, second, first]
        assert tables.wording_at(PROJECT, "mem_1") == first
        assert tables.wording_at(ANA, "mem_1") == other
        assert {each.lm for each in tables.naming("lm-1")} == {"lm-2", "lm-3"}
        assert list(tables.naming("lm-3")) == []
        assert {each.lm for each in tables.wordings_in(PROJECT)} == {"lm-1", "lm-2"}
        assert list(tables.leaving()) == [other]


def test_a_wording_that_is_put_again_takes_the_place_of_what_was_known(tables: Tables) -> None:
    with tables.writing():
        tables.put_wording(Wording("lm-2", ITEM, 2, PROJECT, "mem_2", True, ("a", "b"), True))
        now = Wording("lm-2", OTHER, 3, ANA, None, sup=("c",))
        tables.put_wording(now)
    with tables.reading():
        assert tables.wording("lm-2") == now
        assert (list(tables.naming("a")), list(tables.naming("c"))) == ([], [now])
        assert tables.wording_at(PROJECT, "mem_2") is None
        assert (list(tables.wordings_of(ITEM)), list(tables.leaving())) == ([], [])
    with tables.writing():
        tables.drop_wording("lm-2")
    with tables.reading():
        assert tables.wording("lm-2") is None
        assert list(tables.naming("c")) == []


def test_an_errand_is_one_a_fact_of_the_server(tables: Tables) -> None:
    errand = Errand(ANA, "mem_1", Removal.FORGET, "lm-1")
    with tables.writing():
        tables.put_errand(errand._replace(why=Removal.SUPERSEDED, lm=""))
        tables.put_errand(errand)
        tables.put_errand(Errand(PROJECT, "mem_1", Removal.DUPLICATE))
    with tables.reading():
        assert tables.errand(ANA, "mem_1") == errand
        assert set(tables.errands()) == {errand, Errand(PROJECT, "mem_1", Removal.DUPLICATE)}
    with tables.writing():
        tables.drop_errand(ANA, "mem_1")
    with tables.reading():
        assert tables.errand(ANA, "mem_1") is None
        assert len(tables.errands()) == 1


# what waits


def test_what_waits_waits_once_until_it_is_dropped(tables: Tables) -> None:
    record, fact, brands = Pending(ORDER, None), Pending(None, ITEM), Pending(BRANDS, None)
    with tables.writing():
        for each in (record, fact, brands, fact, record):
            tables.add_pending(each)
    with tables.reading():
        assert sorted(tables.pending(), key=str) == sorted([record, fact, brands], key=str)
    with tables.writing():
        tables.drop_pending(fact)
        tables.drop_pending(Pending(None, OTHER))
    with tables.reading():
        assert set(tables.pending()) == {record, brands}


def test_a_block_holds_its_place_until_it_is_lifted(tables: Tables) -> None:
    places = [
        ACCOUNT,
        str(ANA),
        block_place(Pending(ORDER, None)),
        block_place(Pending(None, ITEM)),
    ]
    block = Block("quota", "The account is full.", 5_000, 12)
    with tables.writing():
        for each in places:
            tables.put_block(each, Block("other", ""))
            tables.put_block(each, block)
    with tables.reading():
        assert dict(tables.blocks()) == dict.fromkeys(places, block)
        assert tables.block(str(PROJECT)) is None
    with tables.writing():
        tables.drop_block(places[2])
    with tables.reading():
        assert tables.block(places[2]) is None
        assert len(tables.blocks()) == 3


def test_every_scope_that_anything_was_ever_in_stays_known(tables: Tables) -> None:
    lost = contact("lost")
    with tables.writing():
        tables.put_copy(BRANDS, Copy(rev="1"))
        tables.put_copy(document_key(lost, "orders", "1"), Copy(rev="1"))
        tables.put_wording(Wording("lm", ITEM, 1, ANA))
        tables.put_errand(Errand(THREAD, "mem_1", Removal.FORGET))
    with tables.writing():
        tables.drop_copy(document_key(lost, "orders", "1"))
        tables.drop_errand(THREAD, "mem_1")
        tables.drop_wording("lm")
        tables.learn_scope(contact("told"))
        tables.learn_scope(ANA)
    with tables.reading():
        assert set(tables.scopes()) == {PERSON, ANA, THREAD, lost, contact("told")}
        assert len(tables.scopes()) == 5
        assert list(tables.collections()) == []


def test_many_are_put_and_found_at_once_as_they_are_one_by_one(tables: Tables) -> None:
    ana = document_key(ANA, "orders", "0001")
    keys = [BRANDS, place(1), place(2), ana]
    copies = {key: Copy(ITEM, f"inc of {key.scope} {key.key}", rev="1") for key in keys}
    with tables.writing():
        tables.put_copies(list(copies.items()))
        tables.put_wordings([Wording(f"lm-{n}", ITEM, n, ANA, f"mem_{n}") for n in (1, 2)])
        tables.put_gone("inc-1", THREAD, Removal.FORGET)
    with tables.reading():
        assert tables.copies_at([*keys, place(3), document_key(ANA, "other", "0001")]) == copies
        assert [tables.copy(key) for key in keys] == list(copies.values())
        assert [wording.lm for wording in tables.wordings_of(ITEM)] == ["lm-2", "lm-1"]
        assert tables.gone_among(["inc-1", "inc-2"]) == {"inc-1": Removal.FORGET}
        assert {ANA, PROJECT, PERSON, THREAD} <= set(tables.scopes())
        assert tables.copies_at([]) == {}


def test_a_base_that_is_put_among_many_is_logged_when_the_next_takes_its_place(
    tables: Tables,
) -> None:
    with tables.writing():
        tables.put_copies([(ORDER, Copy(rev="1", vv={"device01": 1}))])
        tables.put_copies([(ORDER, Copy(rev="2", base=held("first")))])
        tables.put_copy(ORDER, Copy(rev="3", base=held("second", 2)))
    with tables.reading():
        assert list(tables.log(ORDER)) == [held("first")]


def test_many_are_dropped_at_once(tables: Tables) -> None:
    waiting = [Pending(place(1), None), Pending(place(2), None), Pending(None, ITEM)]
    with tables.writing():
        tables.put_flights([Flight(f"op-{n}", 0, place(n), Verb.PUT, n) for n in (1, 2, 3)])
        for each in (*waiting, Pending(None, OTHER)):
            tables.add_pending(each)
    with tables.writing():
        tables.drop_flights([place(1), place(2), place(9)])
        tables.drop_all_pending(waiting)
        tables.drop_flights([])
        tables.drop_all_pending([])
    with tables.reading():
        assert [flight.key for flight in tables.flights()] == [place(3)]
        assert list(tables.pending()) == [Pending(None, OTHER)]
