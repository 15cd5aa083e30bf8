"""The library as a sync sees and changes it, over a real store."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from datetime import UTC
from pathlib import Path

import pytest

from localmem.core.bodies import YOU, Author, DocumentBody, PreferenceBody, Slot, same
from localmem.core.change import Saved
from localmem.core.model import (
    Actor,
    AuthorKind,
    Change,
    Collection,
    DocumentContent,
    Evidence,
    Item,
    ItemId,
    Json,
    Kind,
    Origin,
    Provenance,
)
from localmem.core.query import parse
from localmem.core.records import Removal, Slice
from localmem.core.replica import (
    Changed,
    FactBody,
    RecordKey,
    document_key,
    preference_key,
)
from localmem.core.scope import PERSON, PROJECT, Scope, contact
from localmem.engine import Engine
from localmem.engine.outcomes import NothingToUndo
from localmem.engine.replica import Replica
from localmem.errors import (
    DocumentTooDeep,
    DocumentTooLarge,
    InvalidInput,
    InvalidKey,
    InvalidPreferenceValue,
    LocalmemError,
    MemoryNotFound,
    RejectedBefore,
    SecretRejected,
    UnknownPreferenceKey,
)
from tests.support.hostile import HOSTILE
from tests.support.library import AGENT, NOW, FixedClock

DAY = 86_400_000
AT = NOW - 5_000
ROBOT = Author(AuthorKind.AGENT, "shop-agent")
SECRET = "sk-ant-api03-" + "Qm7xT2vLp9" * 4
LM = "019ad60b-1111-7abc-8def-0123456789ab"
"""A UUIDv7 of some days before NOW."""
FUTURE = "0fffffff-ffff-7abc-8def-0123456789ab"


@pytest.fixture
def replica(engine: Engine) -> Replica:
    return engine.replica


def added(engine: Engine, text: str, **options: object) -> Item:
    result = engine.facts.add(text, **options)  # type: ignore[arg-type]
    assert isinstance(result, Saved)
    return result.item


def declared(value: str | tuple[str, ...], gen: int = 0, **more: object) -> PreferenceBody:
    return PreferenceBody(gen, declared=Slot(value, AT, **more))  # type: ignore[arg-type]


def inferred(value: str | tuple[str, ...], gen: int = 0) -> PreferenceBody:
    return PreferenceBody(gen, inferred=Slot(value, AT, ROBOT, purchase_id="p-1"))


def live(engine: Engine, kind: Kind) -> list[Item]:
    with engine.replica.context.store.reading():
        return engine.replica.context.store.items.window(Slice(kind), offset=0, limit=100)


def found(engine: Engine, words: str) -> list[ItemId]:
    return [hit.item.id for hit in engine.recall.search(parse(words, now=NOW, zone=UTC)).hits]


def bytes_of(engine: Engine) -> bytes:
    return b"".join(
        file.read_bytes()
        for suffix in ("", "-wal")
        if (file := Path(engine.path + suffix)).is_file()
    )


# --- What changed --------------------------------------------------------------------------------


def test_every_change_is_told_once_in_its_order_with_the_place_of_what_is_there(
    engine: Engine, replica: Replica
) -> None:
    fact = added(engine, "Lives in Porto")
    engine.documents.set("orders", "A", {"n": 1}, scope=contact("ana"))
    engine.preferences.remember("shoe_size", "42")
    engine.facts.edit(fact.id, text="Lives in Braga")
    told = replica.changed(0, 100)
    assert [(row.kind, row.key, row.gone) for row in told] == [
        (Kind.DOCUMENT, document_key(contact("ana"), "orders", "A"), None),
        (Kind.PREFERENCE, preference_key("shoe_size"), None),
        (Kind.FACT, None, None),
    ]
    assert [row.change for row in told] == [2, 3, 4]
    assert told[-1] == Changed(replica.high(), Kind.FACT, fact.id, None)
    assert replica.changed(3, 100) == [told[-1]]
    assert replica.changed(0, 1) == [told[0]]
    assert replica.changed(4, 100) == []


def test_what_is_gone_is_among_the_changes_with_the_reason(
    engine: Engine, replica: Replica, clock: FixedClock
) -> None:
    first, second = added(engine, "One"), added(engine, "Two", ttl_seconds=60)
    engine.forgetting.forget([first.id])
    clock.advance(60)
    assert [(row.item, row.gone) for row in replica.changed(0, 100)] == [
        (second.id, Removal.EXPIRED),
        (first.id, Removal.FORGET),
    ]
    assert replica.why_gone(second.id) is Removal.EXPIRED
    engine.maintain()
    assert [(row.item, row.gone, row.change) for row in replica.changed(0, 100)] == [
        (first.id, Removal.FORGET, 3),
        (second.id, Removal.EXPIRED, 4),
    ]
    assert replica.why_gone(first.id) is Removal.FORGET
    assert replica.why_gone(second.id) is Removal.EXPIRED
    assert replica.why_gone(ItemId("never was")) is None


def test_what_is_there_is_not_gone(engine: Engine, replica: Replica) -> None:
    assert replica.why_gone(added(engine, "One").id) is None


# --- Facts ---------------------------------------------------------------------------------------


def test_a_pulled_fact_has_the_id_time_and_author_it_has_elsewhere(
    engine: Engine, replica: Replica
) -> None:
    body = FactBody("Drinks tea", {"k": "v"}, "home/kitchen", NOW + DAY, AT, ROBOT)
    fact = replica.add_fact(contact("ana"), LM, body, proposed=False)
    assert fact == replica.fact(ItemId(LM))
    assert (fact.item, fact.version, fact.number, fact.scope) == (LM, LM, 1, contact("ana"))
    assert fact.body == body
    item = engine.facts.get(fact.item)
    assert item.head.by == Actor(AuthorKind.AGENT, "shop-agent", Origin.SYNC, "")
    assert (item.created_at, item.head.change) == (AT, Change.REMEMBER)
    assert found(engine, "tea") == [fact.item]


def test_a_fact_keeps_its_place_in_time_among_those_that_were_here(
    engine: Engine, replica: Replica, clock: FixedClock
) -> None:
    older = replica.new_id()
    clock.advance(60)
    added(engine, "Said here")
    replica.add_fact(PROJECT, older, FactBody("Said elsewhere before"), proposed=False)
    shown = engine.library.window(Slice(Kind.FACT), offset=0, limit=5)
    assert [item.id for item in shown][-1] == older


@pytest.mark.parametrize(
    "lm", ["", "not an id", FUTURE, "019ad60b-1111-4abc-8def-0123456789ab", LM.upper(), "x" * 600]
)
def test_an_id_that_tells_no_time_or_one_to_come_names_no_item(replica: Replica, lm: str) -> None:
    fact = replica.add_fact(PROJECT, lm, FactBody("Drinks tea"), proposed=False)
    assert fact.item != lm and len(fact.item) == len(fact.version) == 36


def test_a_taken_id_is_taken_once(engine: Engine, replica: Replica) -> None:
    rows = [(PROJECT, LM, FactBody(text), False) for text in ("One", "Two")]
    first, second = replica.add_facts(rows)
    third = replica.add_fact(PROJECT, LM, FactBody("Three"), proposed=False)
    assert first.item == first.version == LM
    assert len({first.item, second.item, third.item, second.version, third.version}) == 5


def test_an_item_that_was_forgotten_never_has_its_id_again(
    engine: Engine, replica: Replica
) -> None:
    replica.add_fact(PROJECT, LM, FactBody("One"), proposed=False)
    engine.forgetting.forget([ItemId(LM)])
    again = replica.add_fact(PROJECT, LM, FactBody("One"), proposed=False)
    assert again.item != LM
    assert replica.why_gone(ItemId(LM)) is Removal.FORGET
    replica.remove(again.item, Removal.FORGET)
    assert replica.fact(again.item) is None


@pytest.mark.parametrize(
    ("at", "kept"), [(0, NOW), (-5, NOW), (1, 1), (NOW + DAY, NOW + DAY), (NOW + DAY + 1, NOW)]
)
def test_a_time_is_believed_up_to_a_day_from_now(replica: Replica, at: int, kept: int) -> None:
    fact = replica.add_fact(PROJECT, LM, FactBody("Tea", at=at), proposed=False)
    assert fact.body.at == kept


def test_what_nobody_has_seen_waits_in_the_inbox_and_nothing_else_does(
    engine: Engine, replica: Replica
) -> None:
    body = FactBody("Drinks tea", by=ROBOT)
    proposed = replica.add_fact(PROJECT, LM, body, proposed=True)
    replica.add_fact(PROJECT, "", FactBody("Drinks milk", by=ROBOT), proposed=False)
    replica.put_document(PROJECT, "orders", "A", DocumentBody("", 1, by=ROBOT))
    replica.put_preference("shoe_size", inferred("42"))
    waiting = engine.inbox.window(offset=0, limit=9)
    assert [each.item.id for each in waiting] == [proposed.item]
    assert waiting[0].before is None


def test_what_the_person_rejected_is_not_proposed_again_from_the_server(
    engine: Engine, replica: Replica
) -> None:
    body = FactBody("Likes boots", by=ROBOT)
    engine.inbox.reject(replica.add_fact(PROJECT, LM, body, proposed=True).item)
    with pytest.raises(RejectedBefore):
        replica.add_facts([(PROJECT, "", FactBody("New"), True), (PROJECT, "", body, True)])
    assert live(engine, Kind.FACT) == []
    assert replica.add_fact(PROJECT, "", body, proposed=False).body.text == "Likes boots"


def test_a_reword_is_a_version_that_keeps_the_history(engine: Engine, replica: Replica) -> None:
    item = added(engine, "Lives in Porto")
    new = FactBody("Lives in Braga", at=AT, by=ROBOT)
    fact = replica.reword_fact(item.id, LM, new)
    assert (fact.item, fact.number, fact.version) == (item.id, 2, LM)
    same_words = replica.reword_fact(item.id, "", new, merged=True)
    assert (same_words.number, same_words.body.text) == (3, "Lives in Braga")
    assert replica.reword_fact(item.id, LM, FactBody("Lives in Faro")).version != LM
    history = engine.library.history(item.id)
    assert [version.change for version in history] == [
        Change.REMEMBER, Change.EDIT, Change.MERGE, Change.EDIT,
    ]  # fmt: skip
    assert [version.base for version in history] == [None, 1, 2, 3]
    assert found(engine, "Faro") == [item.id] and not found(engine, "Porto")
    with pytest.raises(MemoryNotFound):
        replica.reword_fact(ItemId(LM), "", new)


def test_a_twin_has_the_same_words_in_the_same_scope(engine: Engine, replica: Replica) -> None:
    fact = replica.add_fact(PROJECT, LM, FactBody("Drinks  TEA"), proposed=False)
    assert replica.twin(PROJECT, "drinks tea") == fact
    assert replica.twin(contact("ana"), "drinks tea") is None
    assert replica.twin(PROJECT, "drinks") is None


def test_many_facts_are_kept_as_each_alone_would_be(
    make_engine: Callable[..., Engine], tmp_path: Path, clock: FixedClock
) -> None:
    from tests.support.library import open_library

    rows = [
        (scope, f"{LM[:24]}{n:012x}", FactBody(text, {"n": str(n)}, at=AT + n), n == 1)
        for n, (scope, text) in enumerate(
            (scope, text) for scope in (PROJECT, contact("ana")) for text in (*HOSTILE, "Tea")
        )
    ]  # fmt: skip
    together, alone = make_engine(), open_library(tmp_path / "alone.db", clock)
    kept = together.replica.add_facts(rows)
    assert kept == [
        alone.replica.add_fact(scope, lm, body, proposed=proposed)
        for scope, lm, body, proposed in rows
    ]
    assert kept == [together.replica.fact(fact.item) for fact in kept]
    assert together.replica.changed(0, 999) == alone.replica.changed(0, 999)
    for engine in (together, alone):
        assert len(found(engine, "tea")) == 2
        assert engine.inbox.count() == 1
    alone.close()


def test_a_page_is_one_line_of_the_activity(engine: Engine, replica: Replica) -> None:
    replica.add_facts([(PROJECT, "", FactBody(str(n)), False) for n in range(3)])
    replica.put_documents(
        [(document_key(PROJECT, "orders", key), DocumentBody("", key)) for key in "AB"]
    )
    replica.put_preference("shoe_size", declared("42"))
    replica.remove(replica.preference_items("shoe_size")[0], Removal.UNDO)
    told = [(deed.action, deed.kind, deed.items) for deed in engine.activity.window()]
    assert told == [
        ("synced away", "preference", 1),
        ("synced", "preference", 1),
        ("synced", "document", 2),
        ("synced", "fact", 3),
    ]
    assert {deed.by.origin for deed in engine.activity.window()} == {Origin.SYNC}


def test_nothing_pulled_is_the_persons_last_change(engine: Engine, replica: Replica) -> None:
    mine = added(engine, "Mine")
    replica.add_fact(PROJECT, LM, FactBody("Theirs"), proposed=False)
    replica.put_document(PROJECT, "orders", "A", DocumentBody("", 1))
    replica.remove(ItemId(LM), Removal.FORGET)
    preview = engine.versions.undo_preview()
    assert not isinstance(preview, NothingToUndo)
    assert [item.id for item in preview.items] == [mine.id]


# --- Documents -----------------------------------------------------------------------------------


def test_a_pulled_document_is_an_item_of_its_incarnation(engine: Engine, replica: Replica) -> None:
    body = DocumentBody(LM, {"n": 1}, NOW + DAY, AT, ROBOT)
    assert replica.put_document(contact("ana"), "orders", "A", body) == LM
    found = replica.document(contact("ana"), "orders", "A")
    assert found is not None and found.body == body and found.number == 1
    assert replica.document(PROJECT, "orders", "A") is None
    made = replica.collection("orders")
    assert made is not None and made.implicit
    assert replica.collection("none") is None


def test_what_is_there_gets_a_version_whatever_its_incarnation(
    engine: Engine, replica: Replica
) -> None:
    engine.documents.set("orders", "A", {"n": 1})
    item = engine.documents.get("orders", "A")
    put = replica.put_document(PROJECT, "orders", "A", DocumentBody(LM, {"n": 2}))
    assert put == item.id
    assert [version.content for version in engine.library.history(item.id)] == [
        DocumentContent({"n": 1}),
        DocumentContent({"n": 2}),
    ]
    replica.put_document(PROJECT, "orders", "A", DocumentBody(LM, {"n": 2.0}))
    replica.put_document(PROJECT, "orders", "A", DocumentBody(LM, {"n": 3}), merged=True)
    history = engine.library.history(item.id)
    assert [version.change for version in history] == [Change.REMEMBER, Change.EDIT, Change.MERGE]


def test_an_indexed_field_finds_what_was_pulled_one_by_one_and_together(
    engine: Engine, replica: Replica
) -> None:
    engine.documents.create_collection("orders", indexes=["city"])
    replica.put_document(PROJECT, "orders", "A", DocumentBody("", {"city": "Braga"}))
    replica.put_documents(
        [
            (document_key(PROJECT, "orders", key), DocumentBody("", {"city": city}))
            for key, city in (("B", "Braga"), ("A", "Porto"), ("C", "Porto"))
        ]
    )
    keys = {
        city: [item.key for item in engine.documents.query("orders", "city", city).items]
        for city in ("Braga", "Porto")
    }
    assert keys == {"Braga": ["B"], "Porto": ["A", "C"]}


def test_a_document_goes_on_with_the_numbers_of_the_forgotten_one(
    engine: Engine, replica: Replica
) -> None:
    replica.put_document(PROJECT, "orders", "A", DocumentBody(LM, 1))
    replica.put_document(PROJECT, "orders", "A", DocumentBody(LM, 2))
    replica.remove(ItemId(LM), Removal.FORGET)
    again = replica.put_document(PROJECT, "orders", "A", DocumentBody(LM, 3))
    found = replica.document(PROJECT, "orders", "A")
    assert found is not None and found.number == 3 and found.item == again != LM


def test_many_documents_are_kept_as_each_alone_would_be(
    make_engine: Callable[..., Engine], tmp_path: Path, clock: FixedClock
) -> None:
    from tests.support.library import open_library

    engines = make_engine(), open_library(tmp_path / "alone.db", clock)
    for engine in engines:
        engine.documents.set("orders", "there", 1)
        engine.documents.set("orders", "expired", 1, ttl_seconds=60)
        engine.documents.set("orders", "forgotten", 1)
        engine.forgetting.drop_document("orders", "forgotten")
    clock.advance(60)
    wanted: list[tuple[RecordKey, DocumentBody]] = [
        (document_key(scope, name, key), DocumentBody("", [key, n], at=AT))
        for n, (scope, name, key) in enumerate(
            (scope, name, key)
            for scope in (PROJECT, contact("ana"))
            for name in ("orders", "other")
            for key in ("a", "there", "expired", "forgotten", "a")
        )
    ]
    together, alone = engines
    ids = together.replica.put_documents(wanted)
    for at, body in wanted:
        alone.replica.put_document(*at[1:], body)
    found = [together.replica.document(*at[1:]) for at, _ in wanted]
    assert [document and document.item for document in found] == ids
    for at, _ in wanted:
        one, other = (engine.replica.document(*at[1:]) for engine in engines)
        assert one is not None and other is not None
        assert (one.number, one.body._replace(inc="")) == (
            other.number,
            other.body._replace(inc=""),
        )
    assert together.documents.collections() == alone.documents.collections()
    alone.close()


def test_a_collection_is_defined_as_it_is_elsewhere_unless_there_is_one(
    engine: Engine, replica: Replica
) -> None:
    made = Collection("orders", ("city",), 3_600, created_at=5)
    replica.define_collection(made)
    assert replica.collection("orders") == made._replace(created_at=NOW)
    replica.define_collection(made._replace(indexes=()))
    assert engine.documents.collection("orders").indexes == ("city",)
    for odd in (Collection("No!"), Collection("x", ("a", "b", "c")), Collection("x", (), 5)):
        with pytest.raises(InvalidInput):
            replica.define_collection(odd)
    assert isinstance(engine.versions.undo_preview(), NothingToUndo)


# --- Preferences ---------------------------------------------------------------------------------


def test_a_key_nobody_said_anything_about_is_a_body_without_values(replica: Replica) -> None:
    assert replica.preference("shoe_size") == PreferenceBody(0)
    assert replica.preference_items("shoe_size") == []


def test_a_preference_says_what_was_put(engine: Engine, replica: Replica) -> None:
    body = PreferenceBody(
        3,
        declared=Slot(("Asics", "Mizuno"), AT, YOU, "I like Asics and Mizuno", None, "chat 7", LM),
        inferred=Slot(("Nike",), AT + 1, ROBOT, None, "p-1", None, LM[:-1] + "c"),
    )
    replica.put_preference("preferred_brands", body)
    assert replica.preference("preferred_brands") == body
    entry = engine.preferences.entry("preferred_brands")
    assert entry.declared is not None and entry.inferred is not None
    assert replica.preference_items("preferred_brands") == [entry.declared.id, entry.inferred.id]
    before = replica.high()
    replica.put_preference("preferred_brands", body)
    assert replica.high() == before


def test_another_value_is_a_version_and_an_inferred_one_is_never_a_correction(
    engine: Engine, replica: Replica
) -> None:
    engine.preferences.remember("shoe_size", "42")
    grounds = Evidence(purchase_id="p-0")
    engine.acting(AGENT).preferences.remember(
        "shoe_size", "40", provenance=Provenance.INFERRED, evidence=grounds
    )
    waited = engine.inbox.count()
    body = PreferenceBody(0, declared=Slot("43", AT), inferred=Slot("41", AT, ROBOT, None, "p-1"))
    replica.put_preference("shoe_size", body)
    assert same(replica.preference("shoe_size"), body)
    changes = [
        [version.change for version in engine.library.history(id)]
        for id in replica.preference_items("shoe_size")
    ]
    assert changes == [[Change.REMEMBER, Change.CORRECT], [Change.REMEMBER, Change.REMEMBER]]
    assert engine.inbox.count() == waited == 1
    replica.put_preference("shoe_size", declared("44"), merged=True)
    (kept,) = replica.preference_items("shoe_size")
    assert engine.library.history(kept)[-1].change is Change.MERGE


def test_a_forget_elsewhere_takes_both_values_and_bars_inference(
    engine: Engine, replica: Replica
) -> None:
    engine.preferences.remember("preferred_brands", ["Zyxwvutbrand"])
    engine.preferences.correct("preferred_brands", ["Qponmlkbrand"])
    replica.put_preference("preferred_brands", PreferenceBody(1, forgotten=True))
    assert replica.preference("preferred_brands") == PreferenceBody(1, forgotten=True)
    entry = engine.preferences.entry("preferred_brands")
    assert entry.effective is None and entry.inference_blocked
    engine.maintain()
    held = bytes_of(engine).lower()
    assert b"zyxwvutbrand" not in held and b"qponmlkbrand" not in held
    replica.put_preference("preferred_brands", declared(("Asics",), gen=1))
    assert not engine.preferences.entry("preferred_brands").inference_blocked


def test_a_value_of_a_newer_generation_brings_none_of_the_older_ones_history(
    engine: Engine, replica: Replica
) -> None:
    engine.preferences.remember("shoe_size", "42")
    replica.put_preference("shoe_size", declared("43", gen=2))
    (id,) = replica.preference_items("shoe_size")
    assert [version.number for version in engine.library.history(id)] == [1]
    assert replica.preference("shoe_size").gen == 2


def test_a_generation_never_falls_and_its_values_stay(engine: Engine, replica: Replica) -> None:
    replica.put_preference("shoe_size", declared("43", gen=2))
    before = replica.preference("shoe_size"), replica.high()
    for older in (declared("42", gen=1), PreferenceBody(1, forgotten=True), PreferenceBody(0)):
        replica.put_preference("shoe_size", older)
        assert (replica.preference("shoe_size"), replica.high()) == before


def test_a_block_that_an_inferred_value_hides_stays(engine: Engine, replica: Replica) -> None:
    engine.preferences.remember("shoe_size", "42")
    engine.preferences.forget("shoe_size")
    engine.preferences.remember("shoe_size", "43")
    engine.acting(AGENT).preferences.remember(
        "shoe_size", "41", provenance=Provenance.INFERRED, evidence=Evidence(purchase_id="p-1")
    )
    engine.versions.undo()
    assert engine.preferences.entry("shoe_size").inference_blocked
    body = replica.preference("shoe_size")
    assert not body.forgotten and body.inferred is not None
    replica.put_preference("shoe_size", inferred("40", gen=1))
    assert engine.preferences.entry("shoe_size").inference_blocked


# --- What cannot be kept -------------------------------------------------------------------------

DEEP: object = 1
for _ in range(40):
    DEEP = [DEEP]


@pytest.mark.parametrize(
    ("body", "error"),
    [
        (FactBody(""), InvalidInput),
        (FactBody("x" * 8_193), InvalidInput),
        (FactBody("nul \0"), InvalidInput),
        (FactBody("half \ud800"), InvalidInput),
        (FactBody("x", {"k": "v" * 600}), InvalidInput),
        (FactBody("x", path="a\nb"), InvalidInput),
        (FactBody("x", expires_at=NOW + 3 * 365 * DAY), InvalidInput),
        (FactBody("x", expires_at=1 << 70), InvalidInput),
        (FactBody("x", expires_at=-1), InvalidInput),
        (FactBody("x", by=Author(AuthorKind.AGENT, "")), InvalidInput),
        (FactBody("x", by=Author(AuthorKind.AGENT, "n" * 256)), InvalidInput),
        (FactBody("x", by=Author(AuthorKind.AGENT, SECRET)), SecretRejected),
        (FactBody(SECRET, by=ROBOT), SecretRejected),
    ],
)
def test_a_fact_out_of_shape_is_refused_and_takes_its_batch_along(
    engine: Engine, replica: Replica, body: FactBody, error: type[LocalmemError]
) -> None:
    item, fine = added(engine, "Here"), FactBody("Fine")
    for write in (
        lambda: replica.add_fact(PROJECT, LM, body, proposed=False),
        lambda: replica.add_facts([(PROJECT, LM, fine, False), (PROJECT, "", body, False)]),
        lambda: replica.reword_fact(item.id, LM, body),
    ):  # fmt: skip
        before = replica.high()
        with pytest.raises(error):
            write()
        assert replica.high() == before
    assert [each.id for each in live(engine, Kind.FACT)] == [item.id]


@pytest.mark.parametrize("scope", [PERSON, contact("sk-ant-api03-" + "Qm7xT2vLp9" * 4)])
def test_no_scope_takes_what_is_not_for_it(replica: Replica, scope: Scope) -> None:
    with pytest.raises((InvalidInput, SecretRejected)):
        replica.add_fact(scope, LM, FactBody("x"), proposed=False)
    with pytest.raises((InvalidInput, SecretRejected)):
        replica.put_document(scope, "orders", "A", DocumentBody("", 1))


@pytest.mark.parametrize(
    ("place", "body", "error"),
    [
        (("Orders!", "A"), DocumentBody("", 1), InvalidKey),
        (("orders", "a b"), DocumentBody("", 1), InvalidKey),
        (("orders", SECRET), DocumentBody("", 1), SecretRejected),
        (("orders", "A"), DocumentBody("", "x" * 205_000), DocumentTooLarge),
        (("orders", "A"), DocumentBody("", DEEP), DocumentTooDeep),  # type: ignore[arg-type]
        (("orders", "A"), DocumentBody("", float("nan")), InvalidInput),
        (("orders", "A"), DocumentBody("", {"k": "\ud800"}), InvalidInput),
        (("orders", "A"), DocumentBody("", {"password": "hunter22x"}, by=ROBOT), SecretRejected),
    ],
)
def test_a_document_out_of_shape_is_refused_and_takes_its_batch_along(
    engine: Engine,
    replica: Replica,
    place: tuple[str, str],
    body: DocumentBody,
    error: type[LocalmemError],
) -> None:
    with pytest.raises(error):
        replica.put_document(PROJECT, *place, body)
    fine = (document_key(PROJECT, "orders", "B"), DocumentBody("", 1))
    with pytest.raises(error):
        replica.put_documents([fine, (document_key(PROJECT, *place), body)])
    assert replica.high() == 0 and engine.documents.collections() == []


@pytest.mark.parametrize(
    ("key", "body", "error"),
    [
        ("hat_size", declared("42"), UnknownPreferenceKey),
        ("shoe_size", declared("9000"), InvalidPreferenceValue),
        ("shoe_size", declared(("42",)), InvalidPreferenceValue),
        ("preferred_brands", declared(tuple(map(str, range(11)))), InvalidPreferenceValue),
        ("preferred_brands", declared(()), InvalidPreferenceValue),
        ("preferred_brands", declared(("\x1b[31m",)), InvalidPreferenceValue),
        ("preferred_brands", declared((SECRET[:60],)), SecretRejected),
        ("shoe_size", declared("42", quote="x" * 501), InvalidPreferenceValue),
        ("shoe_size", declared("42", quote=f"42 {SECRET}"), SecretRejected),
        ("shoe_size", declared("42", purchase_id="\0"), InvalidInput),
        ("shoe_size", declared("42", gen=1 << 70), InvalidInput),
        ("shoe_size", declared("42", gen=-1), InvalidInput),
    ],
)
def test_a_preference_out_of_shape_is_refused_whole(
    engine: Engine,
    replica: Replica,
    key: str,
    body: PreferenceBody,
    error: type[LocalmemError],
) -> None:
    engine.preferences.remember("shoe_size", "38")
    before = replica.high()
    with pytest.raises(error):
        replica.put_preference(key, body._replace(inferred=Slot("41", AT, ROBOT, None, "p-1")))
    assert replica.high() == before
    assert same(replica.preference("shoe_size"), declared("38"))


def test_the_persons_own_secret_stays_and_an_agents_is_masked(replica: Replica) -> None:
    said = f"The key of the printer is {SECRET}"
    mine = replica.add_fact(PROJECT, "", FactBody(said, {"note": SECRET}), proposed=False)
    assert (mine.body.text, mine.body.metadata) == (said, {"note": SECRET})
    theirs = replica.add_fact(PROJECT, LM, FactBody(said, by=ROBOT), proposed=True)
    assert SECRET not in theirs.body.text and "removed]" in theirs.body.text
    assert theirs.version == LM
    value: Json = {"password": "hunter22x"}
    replica.put_document(PROJECT, "orders", "A", DocumentBody("", value))
    found = replica.document(PROJECT, "orders", "A")
    assert found is not None and found.body.value == value


def test_reserved_metadata_is_dropped_whoever_wrote_it(replica: Replica) -> None:
    held = {"Agent_Id": "x", "provenance.by": "y", "mine": "z"}
    for by in (YOU, ROBOT):
        fact = replica.add_fact(
            PROJECT, "", FactBody(f"Tea {by.name}", held, by=by), proposed=False
        )
        assert fact.body.metadata == {"mine": "z"}


def test_hostile_words_come_back_as_they_came(engine: Engine, replica: Replica) -> None:
    documents: Sequence[object] = [*HOSTILE, {text[:40]: text for text in HOSTILE}]
    for number, value in enumerate(documents):
        body = DocumentBody("", value)  # type: ignore[arg-type]
        replica.put_document(PROJECT, "odd", str(number), body)
        found = replica.document(PROJECT, "odd", str(number))
        assert found is not None and found.body.value == value


# --- Removing ------------------------------------------------------------------------------------


def test_what_is_removed_leaves_its_reason_and_no_byte(engine: Engine, replica: Replica) -> None:
    fact = replica.add_fact(PROJECT, LM, FactBody("Zyxwvut lives here"), proposed=False)
    replica.reword_fact(fact.item, "", FactBody("Qponmlk lives here"))
    replica.remove(fact.item, Removal.SUPERSEDED)
    assert replica.fact(fact.item) is None
    assert replica.why_gone(fact.item) is Removal.SUPERSEDED
    engine.maintain()
    held = bytes_of(engine).lower()
    assert b"zyxwvut" not in held and b"qponmlk" not in held


def test_removing_bars_no_inference_and_nothing_twice(engine: Engine, replica: Replica) -> None:
    engine.preferences.remember("shoe_size", "42")
    (id,) = replica.preference_items("shoe_size")
    replica.remove(id, Removal.DUPLICATE)
    replica.remove(id, Removal.FORGET)
    assert replica.preference("shoe_size") == PreferenceBody(0)
    assert replica.why_gone(id) is Removal.DUPLICATE


def test_an_agents_engine_keeps_what_comes_without_proposing_it(engine: Engine) -> None:
    engine.acting(AGENT).replica.add_fact(PROJECT, LM, FactBody("Tea", by=ROBOT), proposed=False)
    assert engine.inbox.count() == 0


def test_many_documents_and_reasons_are_found_at_once(replica: Replica) -> None:
    orders = [
        document_key(where, "orders", key) for where in (PROJECT, contact("ana")) for key in "AB"
    ]
    made = replica.put_documents([(at, DocumentBody("", at.key)) for at in orders])
    replica.remove(made[0], Removal.FORGET)
    found = replica.documents([*orders, document_key(PROJECT, "other", "B")])
    assert found == {at: replica.document(*at[1:]) for at in orders[1:]}
    assert replica.whys_gone([*made, ItemId("never")]) == {made[0]: Removal.FORGET}
