"""Break one thing: the doctor names exactly that, --fix mends it, and the next look is clean."""

from __future__ import annotations

import os
from collections.abc import Callable
from dataclasses import dataclass
from datetime import UTC

import apsw
import pytest

from localmem.core.health import Gravity
from localmem.core.model import Evidence, Kind
from localmem.core.query import parse
from localmem.core.records import Slice
from localmem.engine import Engine
from tests.doctor.conftest import Ward


def kept(engine: Engine) -> None:
    """A little of everything."""
    first = engine.facts.add("Prefers green tea in the morning.").item  # type: ignore[union-attr]
    engine.facts.edit(first.id, text="Prefers black tea in the morning.")
    engine.facts.add("Lives near the old bridge.", ttl_seconds=3600)
    engine.preferences.remember("shoe_size", "42", evidence=Evidence(quote="I wear 42"))
    engine.documents.create_collection("orders", indexes=("status",))
    engine.documents.set("orders", "ORD-1", {"status": "shipped", "total": 42})


@dataclass(frozen=True, slots=True)
class Harm:
    code: str
    sql: tuple[str, ...]


BROKEN = [
    Harm("heads_missing", (
        "UPDATE item SET head = 99 WHERE kind = 'fact' AND head = 2",)),
    Harm("orphans", (
        "INSERT INTO used (item, at, by) VALUES (4711, 1, 'nobody')",)),
    Harm("orphans", (
        "INSERT INTO version SELECT 4711, number, 'x' || id, change, content, evidence, "
        "author_kind, author, origin, device, at, expires_at, base FROM version LIMIT 1",)),
    Harm("words_broken", ("DELETE FROM words WHERE rowid = 1",)),
    Harm("words_broken", ("INSERT INTO words (rowid, body) VALUES (4711, 'left over')",)),
    Harm("words_broken", ("DELETE FROM words_content WHERE id = 2",)),
    Harm("words_outdated", ("UPDATE library SET value = 'older' WHERE key = 'words'",)),
    Harm("vectors_loose", ("DELETE FROM vectors WHERE id = 64",)),
    Harm("vectors_loose", (
        "INSERT INTO vectors (id, scope, e) SELECT 4711 * 64, scope, e FROM vectors LIMIT 1",)),
    Harm("vectors_waiting", (
        "DELETE FROM vectors WHERE id = 64", "DELETE FROM embedded WHERE item = 1")),
    Harm("vectors_other_model", ("UPDATE model SET dimensions = 77",)),
    Harm("document_index_outdated", ("DELETE FROM document_index",)),
    Harm("document_index_outdated", ("UPDATE document_index SET value = x'00'",)),
    Harm("erasure_unfinished", ("UPDATE library SET value = 1 WHERE key = 'scrub'",)),
    Harm("indexes_broken", (
        "PRAGMA writable_schema = 1",
        "UPDATE sqlite_master SET sql = 'CREATE INDEX item_change ON item (created_at)' "
        "WHERE name = 'item_change'",
        "PRAGMA writable_schema = RESET")),
]  # fmt: skip


def test_a_sound_library_has_nothing_wrong(ward: Ward) -> None:
    ward.fill(kept)
    assert ward.ills() == {}
    assert {each.gravity for each in ward.findings()} <= {Gravity.OK, Gravity.NOTE}


@pytest.mark.parametrize("harm", BROKEN, ids=lambda harm: f"{harm.code}-{len(harm.sql[0])}")
def test_what_is_broken_is_named_mended_and_then_sound(ward: Ward, harm: Harm) -> None:
    ward.fill(kept)
    ward.damage(*harm.sql)

    ills = ward.ills()
    assert harm.code in ills, ills
    assert len([each for each in ills.values() if each.gravity is Gravity.PROBLEM]) <= 1, ills
    finding = ills[harm.code]
    assert finding.said.endswith(".") and finding.fix and finding.undo and finding.mends

    mended = ward.mend(finding)
    assert mended.said.endswith(".") and mended.undo
    left = ward.ills()
    if harm.code in ("vectors_loose", "vectors_other_model", "heads_missing"):
        left.pop("vectors_waiting", None)  # the app prepares them again by itself
    assert left == {}
    assert set(found_by_words(ward, "tea")) == {"Prefers black tea in the morning."}


def found_by_words(ward: Ward, query: str) -> list[str]:
    engine = ward.open()
    try:
        asked = parse(query, now=ward.clock.now, zone=UTC)
        items = [hit.item for hit in engine.recall.search(asked, limit=9).hits]
        return [item.head.content.text for item in items if item.kind is Kind.FACT]  # type: ignore[union-attr]
    finally:
        engine.close()


def test_a_fix_that_takes_something_away_copies_the_library_first(ward: Ward) -> None:
    ward.fill(kept)
    ward.damage("UPDATE item SET head = 99 WHERE kind = 'fact' AND head = 2")
    mended = ward.mend(ward.ills()["heads_missing"])
    assert mended.copy is not None and mended.copy.is_file()
    assert oct(mended.copy.stat().st_mode & 0o777) == "0o600"
    assert str(mended.copy) in mended.undo
    (beside,) = [each for each in ward.findings() if each.code == "copies_kept"]
    assert beside.ids == (mended.copy.name,) and not beside.mends
    old = apsw.Connection(str(mended.copy))
    assert old.execute("SELECT head FROM item WHERE seq = 1").get == 99
    old.close()


def test_what_expired_is_erased_when_asked(ward: Ward) -> None:
    ward.fill(kept)
    ward.clock.advance(3601)
    finding = ward.ills()["expired"]
    assert finding.count == 1 and finding.gravity is Gravity.NOTE
    ward.mend(finding)
    assert "expired" not in ward.ills()
    assert b"old bridge" not in ward.library.read_bytes()


def test_items_without_any_version_are_removed(ward: Ward) -> None:
    ward.fill(kept)
    ward.damage("DELETE FROM version WHERE item = 1")
    finding = ward.ills()["heads_missing"]
    assert "had none at all" in ward.mend(finding).said
    assert not [code for code, each in ward.ills().items() if each.gravity is Gravity.PROBLEM]


def test_an_older_library_is_upgraded_with_a_copy_first(ward: Ward) -> None:
    from localmem.store import schema

    old = apsw.Connection(str(ward.library))
    old.execute(schema.MIGRATIONS[0])
    old.pragma("user_version", 1)
    old.pragma("application_id", schema.APPLICATION_ID)
    old.close()
    os.chmod(ward.library, 0o600)
    before = ward.bytes()
    finding = ward.ills()["schema_old"]
    assert ward.bytes() == before
    copy = ward.mend(finding).copy
    assert copy is not None
    there = apsw.Connection(str(copy))
    assert there.pragma("user_version") == 1
    there.close()
    assert "schema_old" not in ward.ills()


def test_facts_said_twice_and_times_to_come_are_listed_and_left_alone(ward: Ward) -> None:
    def work(engine: Engine) -> None:
        engine.facts.add("Said twice.")
        engine.facts.add("Said once.")

    ward.fill(work)
    later = ward.clock.now + 86_400_000
    ward.damage(
        "UPDATE item SET sameness = (SELECT sameness FROM item WHERE seq = 1)",
        "DROP TRIGGER version_is_immutable",
        f"UPDATE version SET at = {later} WHERE item = 2",
    )
    ills = ward.ills()
    assert set(ills) == {"twins", "times_in_future"}
    assert not any(each.mends for each in ills.values())
    assert ills["twins"].count == 1 and len(ills["twins"].ids) == 2


Damage = Callable[[Ward], None]


def cut_off(ward: Ward) -> None:
    content = ward.library.read_bytes()
    ward.library.write_bytes(content[: len(content) // 2])


def overwritten(ward: Ward) -> None:
    ward.library.write_bytes(b"not a database, " * 1000)


def torn_page(ward: Ward) -> None:
    content = bytearray(ward.library.read_bytes())
    content[3 * 4096 : 20 * 4096] = os.urandom(17 * 4096)
    ward.library.write_bytes(content)


def from_the_future(ward: Ward) -> None:
    ward.damage("PRAGMA user_version = 900")


def of_another_program(ward: Ward) -> None:
    ward.damage("PRAGMA application_id = 7")


@pytest.mark.parametrize(
    ("harm", "code"),
    [(cut_off, "store_damaged"), (overwritten, "store_damaged"), (torn_page, "store_damaged"),
     (from_the_future, "store_newer"), (of_another_program, "store_unavailable")],
)  # fmt: skip
def test_a_library_that_cannot_be_used_is_a_finding_with_a_way_on_and_is_not_touched(
    ward: Ward, harm: Damage, code: str
) -> None:
    ward.fill(kept)
    harm(ward)
    before = ward.bytes()
    ills = ward.ills()
    assert code in ills
    assert ills[code].gravity is Gravity.PROBLEM and ills[code].fix and not ills[code].mends
    assert ward.bytes() == before


def test_no_look_changes_a_byte_a_time_or_a_mode(ward: Ward) -> None:
    ward.fill(kept)
    ward.damage("DELETE FROM words", "UPDATE library SET value = 1 WHERE key = 'scrub'")
    os.chmod(ward.library, 0o644)
    before = ward.bytes()
    assert ward.ills()
    assert ward.bytes() == before
    assert sorted(os.listdir(ward.home)) == ["library.db"]


def test_a_library_that_is_not_there_is_not_made(ward: Ward) -> None:
    assert set(ward.ills()) == {"library_missing"}
    assert os.listdir(ward.home) == []


def test_a_crash_in_the_middle_of_mending_leaves_it_as_it_was(
    ward: Ward, monkeypatch: pytest.MonkeyPatch
) -> None:
    ward.fill(kept)
    ward.damage("DELETE FROM words")

    def crash(*_: object) -> str:
        raise KeyboardInterrupt

    finding = ward.ills()["words_broken"]
    with monkeypatch.context() as patch:
        patch.setattr("localmem.engine.writing.index_words", crash)
        with pytest.raises(KeyboardInterrupt):
            ward.mend(finding)
    assert ward.one("SELECT count(*) FROM words") == 0
    ward.mend(finding)
    assert ward.ills() == {}


def test_mending_is_in_the_activity_log(ward: Ward) -> None:
    ward.fill(kept)
    ward.damage("DELETE FROM words")
    ward.mend(ward.ills()["words_broken"])
    engine = ward.open()
    assert engine.library.count(Slice(Kind.FACT)) == 2
    engine.close()
    assert ward.one("SELECT action FROM activity ORDER BY seq DESC LIMIT 1") == "mended"
