"""Secrets that got in before anyone looked (FR-135, FR-137): found everywhere, shown nowhere."""

from __future__ import annotations

import pytest

from localmem.core.model import Actor, AuthorKind, Evidence, ItemId, Origin
from localmem.engine import Engine
from tests.doctor.conftest import Ward

KEY = "sk-live-51Hq8kZt2eZvKYlo2C0aQ9rN"
PEM = (
    "-----BEGIN RSA PRIVATE KEY-----\\n"
    "MIIEowIBAAKCAQEAzq9Jx1u1lP0o3vFvE5q4w8Qm0b3n7Zl5eW1r2t3y4u5i6o7p\\n"
    "-----END RSA PRIVATE KEY-----"
).replace("\\n", "\n")
CARD = "4111 1111 1111 1111"


def old_store(engine: Engine) -> None:
    """As an older tool left it: secrets in every place that a memory has."""
    add = engine.facts.add
    fact = add(f"The shop's key is {KEY}.", keep_secret=True).item  # type: ignore[union-attr]
    engine.facts.edit(fact.id, text="The shop's key is in the safe.")
    add(f"Card {CARD} is for travel.", keep_secret=True)
    add(f"The server's key:\n{PEM}", keep_secret=True)
    add("A note with metadata.", metadata={"api_key": KEY}, keep_secret=True)
    engine.documents.set("notes", "wifi", {"password": "hunter22x", "room": 7}, keep_secret=True)
    add("Nothing secret about tea.")


SECRETS = (KEY, CARD, "MIIEowIBAAKCAQEAzq9Jx1u1lP0o3vFvE5q4w8Qm0b3n7Zl5eW1r2t3y4u5i6o7p",
           "hunter22x")  # fmt: skip


def test_every_place_is_found_and_no_secret_is_said(ward: Ward) -> None:
    """FR-135: an old store with a card, a PEM block and a key in text, history and metadata."""
    ward.fill(old_store)
    finding = ward.ills()["secrets"]
    assert finding.count == 5 and len(finding.lines) == 5
    assert not finding.mends, "masking is never automatic"
    said = repr(finding)
    assert "private key" in said and "card" in said and "api key" in said
    for secret in SECRETS:
        assert secret not in said


def test_masking_takes_the_bytes_out_of_every_version_index_and_vector(ward: Ward) -> None:
    ward.fill(old_store)
    engine = ward.open()
    before = {item: engine.library.history(item) for item in ids(engine)}
    receipt = engine.health.mask()
    after = {item: engine.library.history(item) for item in ids(engine)}
    assert receipt.complete and receipt.erased.items == 5
    assert receipt.searched_for >= 4 and receipt.found == 0
    assert receipt.erased.vectors >= 4
    engine.close()

    raw = b"".join(content for content, *_ in ward.bytes().values())
    for secret in SECRETS:
        assert secret.encode() not in raw and secret.lower().encode() not in raw
    assert b"A note with metadata." in raw and b"Nothing secret about tea." in raw
    assert before.keys() == after.keys()
    assert [[(v.id, v.number, v.at) for v in held] for held in before.values()] == [
        [(v.id, v.number, v.at) for v in held] for held in after.values()
    ]
    assert set(ward.ills()) <= {"vectors_waiting"}


def ids(engine: Engine) -> list[ItemId]:
    from localmem.core.records import Slice

    return [item.id for item in engine.library.page(Slice(), limit=50, cursor=None)[0]]


def test_one_is_masked_and_the_others_are_left(ward: Ward) -> None:
    ward.fill(old_store)
    engine = ward.open()
    (first, *others) = [each.id for each in engine.health.exposures()]
    engine.health.mask([first])
    assert [each.id for each in engine.health.exposures()] == others
    engine.close()


def test_undo_does_not_bring_a_masked_secret_back(ward: Ward) -> None:
    from localmem.engine.outcomes import NothingToUndo

    ward.fill(old_store)
    engine = ward.open()
    engine.health.mask()
    undone = engine.versions.undo()
    assert isinstance(undone, NothingToUndo) and "masked secrets" in undone.why
    for item in ids(engine):
        assert KEY not in repr(engine.library.history(item))
    engine.close()


def test_a_crash_while_masking_masks_nothing_by_halves(
    ward: Ward, monkeypatch: pytest.MonkeyPatch
) -> None:
    ward.fill(old_store)
    engine = ward.open()
    found = engine.health.exposures()
    calls = iter(range(10))

    def crash(item: object) -> str:
        if next(calls) == 2:
            raise KeyboardInterrupt
        return "words"

    with monkeypatch.context() as patch:
        patch.setattr("localmem.engine.writing.index_words", crash)
        with pytest.raises(KeyboardInterrupt):
            engine.health.mask()
    assert engine.health.exposures() == found
    engine.close()


def test_a_draft_with_a_secret_is_told_and_dropped(ward: Ward) -> None:
    ward.fill(lambda engine: engine.library.save_draft("fact:new", "being typed"))
    ward.damage(f"UPDATE draft SET body = 'my key is {KEY}'")
    assert "in a draft" in ward.ills()["secrets"].lines[0]
    engine = ward.open()
    assert engine.health.mask().found == 0
    engine.close()
    assert ward.ills() == {}
    assert KEY.encode() not in ward.library.read_bytes()


WRITERS = (Actor(AuthorKind.AGENT, "a", Origin.MCP), Actor(AuthorKind.BACKEND, "b", Origin.HTTP))


@pytest.mark.parametrize("writer", WRITERS, ids=lambda who: str(who.origin))
def test_no_way_in_leaves_anything_for_the_doctor_to_find(ward: Ward, writer: Actor) -> None:
    """FR-137: through the guard nothing slips in, so a library of masked writes is clean."""

    def work(engine: Engine) -> None:
        other = engine.acting(writer)
        quoted = Evidence(quote=f"my key is {KEY}")
        fact = other.facts.add(f"Uses the key {KEY} at work.", evidence=quoted).item  # type: ignore[union-attr]
        other.facts.edit(fact.id, text=f"Used the key {KEY} at work.")
        other.documents.set("notes", "wifi", {"password": "hunter22x", "room": 7})

    ward.fill(work)
    assert "secrets" not in ward.ills()
    assert KEY.encode() not in ward.library.read_bytes()


def test_a_secret_in_a_name_is_told_apart_because_it_cannot_be_masked(ward: Ward) -> None:
    ward.fill(lambda engine: engine.documents.set("notes", "wifi", {"room": 7}))
    ward.damage(f"UPDATE item SET key = '{KEY}' WHERE kind = 'document'")
    finding = ward.ills()["secrets"]
    assert "in its name: forget it" in finding.lines[0] and KEY not in repr(finding)
    engine = ward.open()
    assert engine.health.mask().erased.items == 0
    engine.close()
