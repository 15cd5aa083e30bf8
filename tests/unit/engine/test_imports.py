"""Files brought in through the engine: identity, both sides, rules, runs, and one undo."""

from __future__ import annotations

import io
import re
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest

from localmem.core.change import Saved, Write
from localmem.core.feed import Kept, Position
from localmem.core.incoming import Counts, Incoming, Line, Unreadable
from localmem.core.model import (
    Actor,
    AuthorKind,
    Change,
    DocumentContent,
    Evidence,
    FactContent,
    Item,
    Kind,
    Origin,
    PreferenceContent,
    Provenance,
)
from localmem.core.records import Removal, Slice, Where
from localmem.core.scope import PROJECT, contact
from localmem.engine import Engine, writing
from localmem.engine.exports import Wanted
from localmem.engine.imports import Fate, Outcome, Rules, Run, RunState, Seen, batches
from localmem.engine.outcomes import NothingToUndo, Undone, UndoPreview
from localmem.engine.writing import Address
from localmem.portable import lines, ndjson
from tests.support.library import AGENT, FixedClock, open_library

HERE = Rules()
UUID = re.compile("[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}")


def added(engine: Engine, text: str, **options: object) -> Item:
    result = engine.facts.add(text, **options)  # type: ignore[arg-type]
    assert isinstance(result, Saved)
    return result.item


def exported(engine: Engine, *, history: bool = True) -> str:
    return "".join(ndjson.write(engine.exports.all(Wanted(history=history)), history=history))


def offered(text: str) -> list[Line]:
    numbered = lines.read(io.BytesIO(text.encode()))
    return list(ndjson.read(line for line in numbered if isinstance(line, tuple)))


def brought(
    engine: Engine, given: str | list[Line], rules: Rules = HERE
) -> tuple[Run, list[Outcome]]:
    run = engine.imports.begin("file", "localmem", "", rules)
    outcomes: list[Outcome] = []
    for batch in batches(offered(given) if isinstance(given, str) else given):
        taken = engine.imports.take(run, batch, rules)
        run = taken.run
        outcomes += taken.outcomes
    return engine.imports.finish(run), outcomes


def said(text: str, line: int = 1, **more: object) -> Incoming:
    return Incoming(line, FactContent(text), **more)  # type: ignore[arg-type]


@contextmanager
def another(path: Path, clock: FixedClock) -> Iterator[Engine]:
    engine = open_library(path / "library.db", clock)
    yield engine
    engine.close()


@pytest.fixture
def other(tmp_path: Path, clock: FixedClock) -> Iterator[Engine]:
    with another(tmp_path / "other", clock) as engine:
        yield engine


def varied(engine: Engine, clock: FixedClock) -> dict[str, Item]:
    """Every kind in every state an export must carry."""
    held = {
        "fact": added(engine, "Prefers WhatsApp.", scope=contact("ana"), metadata={"b": "1"}),
        "expiring": added(engine, "Is in Porto this week.", ttl_seconds=3_600, path="a/b"),
        "gone": added(engine, "Lives in Lisbon."),
    }
    clock.advance(1)
    engine.facts.edit(held["fact"].id, text="Prefers Signal.")
    engine.documents.create_collection("orders", indexes=["status"], default_ttl=86_400)
    engine.documents.set("orders", "ORD-1", {"status": "paid", "total": 1.0, "z": None})
    engine.documents.set("orders", "ORD-1", {"status": "sent"}, scope=contact("ana"))
    engine.preferences.remember("shoe_size", "42")
    engine.preferences.correct("shoe_size", "43")
    bought = Evidence(purchase_id="order-7", quote="bought 44", source="shop")
    shop = engine.acting(AGENT)
    shop.preferences.remember("shoe_size", "44", provenance=Provenance.INFERRED, evidence=bought)
    engine.preferences.remember("dietary_restrictions", ["vegan"])
    engine.preferences.forget("dietary_restrictions")
    shop.facts.add("Asked about boots.")
    accepted = shop.facts.add("Wants no calls.")
    assert isinstance(accepted, Saved)
    engine.inbox.accept([accepted.item.id])
    engine.forgetting.forget([held["gone"].id])
    return held


def text_of(engine: Engine, item: Item) -> str:
    content = engine.library.get(item.id).head.content
    assert isinstance(content, FactContent)
    return content.text


# --- The round trip ------------------------------------------------------------------------------


@pytest.mark.parametrize("history", [True, False])
def test_an_export_brought_into_an_empty_library_exports_the_same_bytes(
    engine: Engine, other: Engine, clock: FixedClock, history: bool
) -> None:
    """FR-93: superseded, removed, expiring, inferred beside declared, blocked keys."""
    varied(engine, clock)
    first = exported(engine, history=history)
    run, outcomes = brought(other, first)
    assert exported(other, history=history) == first
    assert run.counts == Counts(new=len([each for each in outcomes if each.item]))
    assert other.preferences.entry("dietary_restrictions").inference_blocked
    assert other.inbox.count() == engine.inbox.count() == 2


def test_ones_own_export_brings_in_nothing_new(engine: Engine, clock: FixedClock) -> None:
    """FR-92: importing one's own export must not double anything, however often."""
    for number in range(100):
        item = added(engine, f"Fact number {number}")
        engine.facts.edit(item.id, text=f"Fact number {number}, corrected")
    file = exported(engine)
    for _ in range(2):
        run, outcomes = brought(engine, file)
        assert run.counts == Counts(unchanged=100)
        assert {outcome.fate for outcome in outcomes} == {Fate.UNCHANGED}
    assert exported(engine) == file


def test_an_empty_library_gets_the_same_ids_versions_and_times(
    engine: Engine, other: Engine, clock: FixedClock
) -> None:
    """FR-92: ids, revs, times, scopes, TTLs and history come along."""
    held = varied(engine, clock)
    clock.advance(60)
    brought(other, exported(engine))
    for name in ("fact", "expiring"):
        item = held[name]
        assert other.library.get(item.id) == engine.library.get(item.id)
        assert other.library.history(item.id) == engine.library.history(item.id)
    assert other.documents.collections() == engine.documents.collections()
    found = other.documents.query("orders", "status", "sent", scope=contact("ana"))
    assert [item.key for item in found.items] == ["ORD-1"]


def test_what_expired_is_neither_handed_out_nor_taken(
    engine: Engine, other: Engine, clock: FixedClock
) -> None:
    """FR-107: the boundary is the same on the way out and on the way in."""
    added(engine, "For an hour", ttl_seconds=3_600)
    clock.advance(3_599.999)
    file = exported(engine)
    assert "For an hour" in file
    clock.advance(0.001)
    assert "For an hour" not in exported(engine)
    _, outcomes = brought(other, file)
    assert [(each.fate, each.why) for each in outcomes] == [
        (Fate.SKIPPED, "It has expired already.")
    ]


# --- Both sides ----------------------------------------------------------------------------------


def test_a_file_that_has_gone_further_brings_its_newer_versions(
    engine: Engine, other: Engine, clock: FixedClock
) -> None:
    item = added(engine, "First")
    brought(other, exported(engine))
    for wording in ("Second", "Third"):
        engine.facts.edit(item.id, text=wording)
    run, _ = brought(other, exported(engine))
    assert run.counts == Counts(changed=1)
    assert other.library.history(item.id) == engine.library.history(item.id)
    assert [hit.id for hit in other.library.window(Slice(Kind.FACT), offset=0, limit=9)] == [
        item.id
    ]


def test_an_older_file_changes_nothing(engine: Engine) -> None:
    item = added(engine, "First")
    old = exported(engine)
    engine.facts.edit(item.id, text="Second")
    _, outcomes = brought(engine, old)
    assert outcomes[0].fate is Fate.UNCHANGED and "newer" in outcomes[0].why
    assert text_of(engine, item) == "Second"


def test_where_both_sides_changed_what_is_here_stays_unless_told(
    engine: Engine, other: Engine
) -> None:
    item = added(engine, "First")
    brought(other, exported(engine))
    engine.facts.edit(item.id, text="Here")
    other.facts.edit(item.id, text="There")
    file = exported(other)
    run, outcomes = brought(engine, file)
    assert run.counts == Counts(skipped=1)
    assert "here and in the file" in outcomes[0].why
    assert text_of(engine, item) == "Here"
    run, _ = brought(engine, file, Rules(overwrite=True))
    assert run.counts == Counts(changed=1)
    assert [v.content for v in engine.library.history(item.id)] == [
        FactContent("First"), FactContent("Here"), FactContent("There")
    ]  # fmt: skip
    engine.imports.undo(run.id)
    assert text_of(engine, item) == "Here"


def test_a_hand_edited_export_is_not_taken_for_what_is_here(engine: Engine) -> None:
    item = added(engine, "Lives in Porto")
    file = exported(engine).replace("Porto", "Braga")
    _, outcomes = brought(engine, file)
    assert outcomes[0].fate is Fate.SKIPPED
    brought(engine, file, Rules(overwrite=True))
    assert text_of(engine, item) == "Lives in Braga"


def test_the_same_words_or_address_under_another_id_are_not_kept_twice(
    engine: Engine, other: Engine
) -> None:
    for each in (engine, other):
        each.facts.add("Prefers tea.")
        each.documents.set("orders", "A", {"n": 1})
        each.preferences.remember("shoe_size", "42")
    other.documents.set("orders", "B", {"n": 1})
    engine.documents.set("orders", "B", {"n": 2})
    run, _ = brought(engine, exported(other))
    assert run.counts == Counts(unchanged=3, skipped=1)
    assert engine.documents.get("orders", "B").head.content == DocumentContent({"n": 2})


def test_an_id_or_version_of_another_memory_is_refused(engine: Engine, other: Engine) -> None:
    mine, theirs = added(engine, "Mine"), added(other, "Theirs")
    stolen = exported(other).replace(theirs.head.id, mine.head.id)
    _, outcomes = brought(engine, stolen)
    assert outcomes[0].fate is Fate.REFUSED and "belongs to another" in outcomes[0].why
    moved = exported(other).replace(theirs.id, mine.id).replace("project", "contact:x")
    _, outcomes = brought(engine, moved)
    assert outcomes[0].fate is Fate.REFUSED
    assert text_of(engine, mine) == "Mine"


# --- Forgotten and rejected ----------------------------------------------------------------------


def test_what_was_forgotten_here_comes_back_only_when_asked(
    engine: Engine, clock: FixedClock
) -> None:
    item = added(engine, "Lives in Porto")
    engine.facts.edit(item.id, text="Lives in Braga")
    engine.documents.set("orders", "A", {"n": 1})
    file = exported(engine)
    engine.forgetting.wipe(PROJECT)
    engine.forgetting.delete_collection("orders")
    run, outcomes = brought(engine, file)
    assert run.counts == Counts(skipped=2)
    assert "forgotten here" in outcomes[1].why
    run, _ = brought(engine, file, Rules(bring_back=True))
    assert run.counts == Counts(new=2)
    assert UUID.sub("id", exported(engine)) == UUID.sub("id", file)


def test_what_comes_back_is_another_memory_under_new_ids_at_its_old_place(
    engine: Engine, clock: FixedClock
) -> None:
    item = added(engine, "Lives in Porto")
    engine.facts.edit(item.id, text="Lives in Braga")
    engine.documents.set("orders", "A", {"n": 1})
    clock.advance(60)
    newer = added(engine, "Drinks tea")
    file = exported(engine)
    old = set(UUID.findall(file))
    engine.forgetting.wipe(PROJECT)
    engine.forgetting.drop_document("orders", "A")
    clock.advance(60)
    brought(engine, file, Rules(bring_back=True))
    assert old.isdisjoint(UUID.findall(exported(engine)))
    assert engine.replica.why_gone(item.id) is Removal.FORGET
    shown = engine.library.window(Slice(Kind.FACT), offset=0, limit=9)
    assert [each.head.content for each in shown] == [
        newer.head.content,
        FactContent("Lives in Braga"),
    ]
    assert len(engine.library.history(shown[1].id)) == 2
    assert engine.documents.get("orders", "A").head.number == 1
    engine.forgetting.forget([shown[1].id])  # and goes like any other


def test_what_another_device_forgot_comes_back_as_little_as_what_was_forgotten_here(
    engine: Engine, other: Engine
) -> None:
    item = added(other, "Lives in Porto")
    kept = added(other, "Drinks tea")
    file = exported(other)
    store = engine.replica.context.store
    with store.writing():
        account = store.accounts.begin("s", "a", "live", url="https://x.test", label="x", at=1)
        tables = store.accounts.tables(account.id)
        tables.put_gone(item.head.id, PROJECT, Removal.FORGET)
        tables.put_gone(kept.head.id, PROJECT, Removal.SUPERSEDED)
    _, outcomes = brought(engine, file)
    assert [outcome.fate for outcome in outcomes] == [Fate.SKIPPED, Fate.NEW]
    assert outcomes[1].item not in (None, kept.id)
    _, outcomes = brought(engine, file, Rules(bring_back=True))
    assert [outcome.fate for outcome in outcomes] == [Fate.NEW, Fate.UNCHANGED]
    assert outcomes[0].item not in (None, item.id)


def test_what_expired_and_comes_back_does_so_under_a_new_id(
    engine: Engine, clock: FixedClock
) -> None:
    item = added(engine, "Lives in Porto", ttl_seconds=60)
    lasting = added(engine, "Drinks tea")
    file = exported(engine)
    ends = re.search('"expiresAt":"([^"]+)"', file)
    assert ends is not None
    clock.advance(60)
    run, outcomes = brought(engine, file.replace(ends[1], "2027-01-01T00:00:00.000Z"))
    assert run.counts == Counts(new=1, unchanged=1)
    assert {outcome.item for outcome in outcomes} - {None, lasting.id, item.id}


def test_a_forgotten_preference_is_not_said_again_by_a_file(engine: Engine) -> None:
    engine.preferences.remember("shoe_size", "42")
    file = exported(engine)
    engine.preferences.forget("shoe_size")
    lines: list[Line] = [Incoming(1, PreferenceContent("41"), Kind.PREFERENCE, key="shoe_size")]
    for given in (file, lines):
        _, outcomes = brought(engine, given)
        assert outcomes[-1].fate is Fate.SKIPPED and "forg" in outcomes[-1].why
    assert engine.preferences.entry("shoe_size").inference_blocked
    brought(engine, file, Rules(bring_back=True))
    entry = engine.preferences.entry("shoe_size")
    assert entry.declared is not None and not entry.inference_blocked


def test_what_was_rejected_in_the_inbox_is_not_proposed_again_by_a_file(engine: Engine) -> None:
    lines: list[Line] = [said("Likes boots.", author="chatgpt")]
    _, outcomes = brought(engine, lines)
    assert outcomes[0].item is not None
    engine.inbox.reject(outcomes[0].item)
    for author in ("chatgpt", "claude", ""):
        _, again = brought(engine, [said("Likes boots.", author=author)])
        assert again[0].fate is Fate.SKIPPED and "rejected" in again[0].why
    _, back = brought(engine, lines, Rules(bring_back=True))
    assert back[0].fate is Fate.NEW


# --- Plain lines ---------------------------------------------------------------------------------


def test_a_line_of_an_assistant_waits_in_the_inbox_with_where_it_was_read(engine: Engine) -> None:
    grounds = Evidence(quote="I only drink tea", source="chats.json, line 7")
    _, outcomes = brought(engine, [said("Drinks tea.", author="chatgpt", evidence=grounds)])
    waiting = engine.inbox.window(offset=0, limit=5)
    assert [each.item.id for each in waiting] == [outcomes[0].item]
    head = waiting[0].item.head
    assert head.by == Actor(AuthorKind.AGENT, "chatgpt", Origin.IMPORT, head.by.device)
    assert head.evidence == grounds


def test_what_an_assistant_writes_over_waits_with_what_was_there_before(engine: Engine) -> None:
    engine.documents.set("orders", "A", {"n": 1})
    line = Incoming(
        1, DocumentContent({"n": 2}), Kind.DOCUMENT, None, "orders", "A", author="claude"
    )
    run, _ = brought(engine, [line], Rules(overwrite=True))
    (waiting,) = engine.inbox.window(offset=0, limit=5)
    assert waiting.before is not None
    assert waiting.before.content == DocumentContent({"n": 1})
    assert waiting.item.head.by.name == "claude"
    engine.imports.undo(run.id)
    assert engine.documents.get("orders", "A").head.content == DocumentContent({"n": 1})
    assert engine.inbox.count() == 0


def test_a_persons_own_line_is_kept_as_theirs_at_its_own_time(
    engine: Engine, clock: FixedClock
) -> None:
    then = clock.now - 86_400_000
    _, outcomes = brought(
        engine,
        [said("Drinks tea.", written_at=then), said("Is late.", 2, written_at=clock.now * 2)],
    )
    assert engine.inbox.count() == 0
    items = [engine.library.get(each.item) for each in outcomes if each.item]
    assert [(item.created_at, item.head.at) for item in items] == [
        (then, then), (clock.now, clock.now)
    ]  # fmt: skip
    assert items[0].head.by.kind is AuthorKind.PERSON


def test_secrets_of_a_file_are_masked_and_named_or_kept_when_it_is_ones_own(
    engine: Engine, other: Engine
) -> None:
    """FR-137: an import is a way in like any other."""
    secret = "The key is ghp_" + "a1B2c3D4" * 5
    given: list[Line] = [
        said(secret),
        Incoming(2, DocumentContent({"password": "hunter22x!"}), Kind.DOCUMENT, None, "vault", "a"),
        said("-----BEGIN PRIVATE KEY-----\nMIIE\n-----END PRIVATE KEY-----", 3),
    ]
    _, outcomes = brought(engine, given)
    assert [each.fate for each in outcomes] == [Fate.NEW, Fate.NEW, Fate.REFUSED]
    assert all("ecret" in each.why or "rivate key" in each.why for each in outcomes)
    assert "ghp_" not in exported(engine) and "hunter22" not in exported(engine)
    brought(other, given, Rules(keep_secrets=True))
    kept = exported(other)
    assert "ghp_" in kept and "hunter22" in kept
    _, again = brought(other, kept)
    assert {each.fate for each in again} == {Fate.UNCHANGED}
    forget = engine.library.window(Slice(Kind.FACT), offset=0, limit=9)
    engine.forgetting.forget([item.id for item in forget])
    run, _ = brought(engine, kept)
    assert "ghp_" not in exported(engine) and run.counts.new == 1


def test_every_line_is_answered_and_a_bad_one_stops_no_other(engine: Engine) -> None:
    """FR-99: 1,000 lines, of which a few are odd."""
    given: list[Line] = [said(f"Fact {number}", number) for number in range(1, 1_001)]
    given[499] = Unreadable(500, "A bracket is never closed.")
    given[500] = said("x" * 9_000, 501)
    given[501] = Incoming(502, DocumentContent(1), Kind.DOCUMENT, None, "orders", "")
    given[502] = said("fact   1", 503)
    given[503] = said("Half \ud800", 504)
    given[504] = Incoming(505, PreferenceContent("99"), Kind.PREFERENCE, key="shoe_size")
    run, outcomes = brought(engine, given)
    assert [each.line for each in outcomes] == list(range(1, 1_001))
    assert run.counts == Counts(new=994, unchanged=1, refused=5)
    assert all(each.why for each in outcomes if each.fate is Fate.REFUSED)
    assert engine.library.count(Slice(Kind.FACT)) == 994


def test_a_full_scope_refuses_the_rest_by_its_cap(engine: Engine) -> None:
    scope = contact("ana")
    given: list[Line] = [said(f"Fact {n}", n, scope=scope) for n in range(1, 2_003)]
    run, outcomes = brought(engine, given)
    assert run.counts == Counts(new=2_000, refused=2)
    assert "2,000" in outcomes[-1].why


# --- A preview -----------------------------------------------------------------------------------


def test_a_preview_says_what_an_import_then_does_and_writes_nothing(
    engine: Engine, other: Engine, clock: FixedClock
) -> None:
    varied(other, clock)
    given = offered(exported(other))
    start = len(given) + 1
    given += [
        said("Drinks tea.", start), said("drinks TEA.", start + 1), said("", start + 2),
        said("Prefers Signal.", start + 3, scope=contact("ana")),
        Incoming(start + 4, DocumentContent(1), Kind.DOCUMENT, None, "orders", "Z"),
        Incoming(start + 5, DocumentContent(2), Kind.DOCUMENT, None, "orders", "Z"),
    ]  # fmt: skip
    for rules in (Rules(), Rules(overwrite=True)):
        before = exported(engine)
        seen = Seen()
        promised = [
            outcome
            for size in (given[:5], given[5:])
            for outcome in engine.imports.preview(size, rules, seen)
        ]
        assert exported(engine) == before
        assert not engine.activity.window(limit=5) or before.count("\n") > 1
        _, outcomes = brought(engine, given, rules)
        assert [each.fate for each in promised] == [each.fate for each in outcomes]


def test_a_preview_counts_a_scopes_room_across_batches(engine: Engine) -> None:
    scope = contact("ana")
    given: list[Line] = [said(f"Fact {n}", n, scope=scope) for n in range(1, 2_002)]
    seen = Seen()
    fates = [
        outcome.fate
        for batch in batches(given)
        for outcome in engine.imports.preview(batch, HERE, seen)
    ]
    assert fates == [Fate.NEW] * 2_000 + [Fate.REFUSED]


# --- Runs ----------------------------------------------------------------------------------------


def test_a_stopped_import_goes_on_behind_its_last_line_in_the_same_run(engine: Engine) -> None:
    given: list[Line] = [said(f"Fact {number}", number) for number in range(1, 2_201)]
    run = engine.imports.begin("notes.txt", "text", "mark", HERE)
    first = next(batches(given))
    engine.imports.take(run, first, HERE)  # and the process dies: nobody says stop
    again = engine.imports.begin("notes.txt", "text", "mark", HERE)
    assert (again.id, again.line, again.resumed) == (run.id, 1_000, True)
    for batch in batches(given, after=again.line):
        assert batch[0].line > 1_000
        again = engine.imports.take(again, batch, HERE).run
    done = engine.imports.finish(again)
    assert done.counts == Counts(new=2_200)
    undone = engine.imports.undo(done.id)
    assert isinstance(undone, Undone) and len(undone.gone) == 2_200


@pytest.mark.parametrize(
    ("mark", "rules"), [("other", HERE), ("mark", Rules(overwrite=True)), ("", HERE)]
)
def test_another_file_or_other_rules_begin_anew(engine: Engine, mark: str, rules: Rules) -> None:
    run = engine.imports.begin("notes.txt", "text", mark and "mark", HERE)
    engine.imports.stop(engine.imports.take(run, [said("A")], HERE).run)
    assert not engine.imports.begin("notes.txt", "text", mark, rules).resumed


@pytest.mark.parametrize("end", ["finish", "stop"])
def test_a_finished_or_undone_import_is_not_gone_on_with(engine: Engine, end: str) -> None:
    run = engine.imports.begin("notes.txt", "text", "mark", HERE)
    run = engine.imports.take(run, [said("A")], HERE).run
    getattr(engine.imports, end)(run)
    engine.imports.undo(run.id)
    again = engine.imports.begin("notes.txt", "text", "mark", HERE)
    assert not again.resumed
    states = [each.state for each in engine.imports.recent()]
    assert states == [RunState.RUNNING, RunState.UNDONE]


def test_lines_that_offer_several_memories_are_never_divided() -> None:
    given: list[Line] = [said(f"Fact {n}", 1 + n // 300) for n in range(2_000)]
    sizes = [len(batch) for batch in batches(given)]
    assert sum(sizes) == 2_000
    borders = [sum(sizes[:n]) for n in range(1, len(sizes))]
    assert borders and all(given[at - 1].line != given[at].line for at in borders)


def test_a_file_of_any_length_is_held_a_batch_at_a_time(engine: Engine) -> None:
    """FR-101: the reader is never more than a line ahead of what was taken."""
    read = 0

    def endless() -> Iterator[Line]:
        nonlocal read
        while True:
            read += 1
            yield said(f"Fact {read}", read, scope=contact(f"c{read // 1_000}"))

    run = engine.imports.begin("endless", "text", "", HERE)
    for batch in batches(endless()):
        run = engine.imports.take(run, batch, HERE).run
        assert read <= run.line + 1
        if run.line >= 3_000:
            break
    assert run.counts == Counts(new=3_000)


# --- One undo ------------------------------------------------------------------------------------


def test_one_undo_takes_back_what_is_still_as_imported(engine: Engine) -> None:
    given: list[Line] = [said(f"Fact {number}", number) for number in range(1, 51)]
    run, outcomes = brought(engine, given)
    ids = [each.item for each in outcomes if each.item is not None]
    engine.facts.edit(ids[0], text="Mine now")
    engine.forgetting.forget([ids[1]])
    added(engine, "Said later")
    coming = engine.imports.undo_preview(run.id)
    assert isinstance(coming, UndoPreview)
    assert (coming.count, coming.kept, coming.erases, len(coming.items)) == (48, 2, True, 20)
    done = engine.imports.undo(run.id)
    assert isinstance(done, Undone)
    assert (len(done.gone), done.kept) == (48, 2)
    held = engine.library.window(Slice(Kind.FACT), offset=0, limit=9)
    assert {text_of(engine, item) for item in held} == {"Mine now", "Said later"}
    assert engine.imports.run(run.id).state is RunState.UNDONE
    assert isinstance(engine.imports.undo(run.id), NothingToUndo)


def test_the_last_change_being_an_import_undo_takes_back_all_of_it(engine: Engine) -> None:
    run, _ = brought(engine, [said(f"Fact {number}", number) for number in range(1, 701)])
    coming = engine.versions.undo_preview()
    assert isinstance(coming, UndoPreview) and coming.count == 700
    done = engine.versions.undo(coming.seq)
    assert isinstance(done, Undone) and len(done.gone) == 700
    assert engine.library.count(Slice(Kind.FACT)) == 0
    assert engine.imports.run(run.id).state is RunState.UNDONE
    brought(engine, [said("Fact 1")])
    assert engine.library.count(Slice(Kind.FACT)) == 1


def test_an_import_can_be_taken_back_however_much_was_done_since(engine: Engine) -> None:
    run, _ = brought(engine, [said("Imported")])
    for number in range(520):
        added(engine, f"Later {number}")
    done = engine.imports.undo(run.id)
    assert isinstance(done, Undone) and len(done.gone) == 1
    assert engine.library.count(Slice(Kind.FACT)) == 520


def test_what_an_undo_erased_is_gone_from_the_files(engine: Engine, tmp_path: Path) -> None:
    given: list[Line] = [said(f"Zanzibar number {n} of many", n) for n in range(1, 201)]
    run, _ = brought(engine, given)
    added(engine, "Something else")
    engine.imports.undo(run.id)
    engine.close()
    found = b"".join(each.read_bytes() for each in (tmp_path / "data").iterdir() if each.is_file())
    assert b"anzibar" not in found


def test_an_undone_import_can_be_brought_in_again(engine: Engine, other: Engine) -> None:
    added(other, "Lives in Porto")
    file = exported(other)
    run, _ = brought(engine, file)
    engine.imports.undo(run.id)
    run, _ = brought(engine, file)
    assert run.counts == Counts(new=1)


def test_an_import_leaves_one_line_of_activity_a_batch(engine: Engine) -> None:
    brought(engine, [said(f"Fact {number}", number) for number in range(1, 1_201)])
    deeds = engine.activity.window(limit=10)
    assert [(deed.action, deed.items, deed.by.origin) for deed in deeds] == [
        ("imported", 200, Origin.IMPORT), ("imported", 1_000, Origin.IMPORT)
    ]  # fmt: skip


def test_the_order_of_changes_is_that_of_the_lines_whatever_they_offer(engine: Engine) -> None:
    given: list[Line] = [
        said("First", 1),
        Incoming(2, DocumentContent(1), Kind.DOCUMENT, None, "orders", "b"),
        said("Third", 3),
        said("first", 4),
        Incoming(5, DocumentContent(2), Kind.DOCUMENT, None, "orders", "a"),
        said("Sixth", 6),
    ]
    _, outcomes = brought(engine, given)
    assert [each.fate for each in outcomes] == [
        Fate.NEW, Fate.NEW, Fate.NEW, Fate.UNCHANGED, Fate.NEW, Fate.NEW
    ]  # fmt: skip
    assert outcomes[3].item == outcomes[0].item
    store = engine._context.store
    with store.reading():
        changes = store.feed.changes(Position(0, 0), limit=100, most_bytes=1_000_000).rows
    made = [each.item for each in outcomes if each.fate is Fate.NEW]
    kept = [(row.seq, row.item.id) for row in changes if isinstance(row, Kept)]
    assert kept == list(enumerate(made, 1))


def test_an_interrupted_batch_leaves_nothing_of_itself(
    engine: Engine, monkeypatch: pytest.MonkeyPatch
) -> None:
    """FR-101: Ctrl-C leaves a consistent library with what was acknowledged."""
    given: list[Line] = [said(f"Fact {number}", number) for number in range(1, 1_201)]
    run = engine.imports.begin("notes.txt", "text", "mark", HERE)
    first, second = batches(given)
    run = engine.imports.take(run, first, HERE).run
    monkeypatch.setattr(type(engine._context.store.imports), "save", _stopped)
    with pytest.raises(KeyboardInterrupt):
        engine.imports.take(run, second, HERE)
    monkeypatch.undo()
    assert engine.library.count(Slice(Kind.FACT)) == 1_000
    again = engine.imports.begin("notes.txt", "text", "mark", HERE)
    assert (again.line, again.counts) == (1_000, Counts(new=1_000))


def _stopped(*_: object) -> None:
    raise KeyboardInterrupt


def test_words_indexed_at_the_end_of_a_batch_follow_what_became_of_the_item(
    engine: Engine,
) -> None:
    """Changed inside, it is found by its last words; erased inside, nothing of it is left."""
    context = engine.imports.context
    store = context.store
    with store.writing(), store.items.words_at_once():
        kept, gone = (
            writing.create(
                context,
                Address(Kind.FACT, PROJECT),
                Write(Change.REMEMBER, FactContent(text)),
            ).item
            for text in ("Keeps walruses.", "Keeps pelicans.")
        )
        writing.write(context, kept, Write(Change.EDIT, FactContent("Keeps herons.")))
        store.items.remove([gone.id], reason=Removal.FORGET, at=1)
    with store.reading():
        found = {
            word: len(store.finder.by_words(f'"{word}"', Where()))
            for word in ("walruses", "herons", "pelicans")
        }
        wordless = store.health.condition().wordless
    assert found == {"walruses": 0, "herons": 1, "pelicans": 0}
    assert not wordless
