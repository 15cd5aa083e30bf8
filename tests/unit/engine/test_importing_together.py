"""Facts of an import are looked up together, and each is told as if it had been taken alone."""

from __future__ import annotations

from localmem.core.change import Saved
from localmem.core.incoming import Incoming, Line, Unreadable, Whole
from localmem.core.model import DocumentContent, FactContent, Item, ItemId, Kind
from localmem.core.scope import PROJECT, contact
from localmem.engine import Engine, writing
from localmem.engine.imports import Fate, Outcome, Rules, Seen
from tests.support.library import FixedClock

RULES = Rules()


def said(line: int, text: str, **more: object) -> Incoming:
    return Incoming(line, FactContent(text), **more)  # type: ignore[arg-type]


def taken(engine: Engine, batch: list[Line]) -> list[Outcome]:
    run = engine.imports.begin("file", "list", "", RULES)
    outcomes = engine.imports.take(run, batch, RULES).outcomes
    assert [each.line for each in outcomes] == [line.line for line in batch]
    return list(outcomes)


def fates(outcomes: list[Outcome]) -> list[Fate]:
    return [each.fate for each in outcomes]


def kept(engine: Engine, text: str, **more: object) -> Item:
    saved = engine.facts.add(text, **more)  # type: ignore[arg-type]
    assert isinstance(saved, Saved)
    return saved.item


def test_what_is_kept_already_is_told_with_its_id_in_its_own_scope_alone(engine: Engine) -> None:
    tea = kept(engine, "Drinks tea.")
    ana = kept(engine, "Drinks tea.", scope=contact("ana"))
    outcomes = taken(
        engine,
        [
            said(1, "drinks  TEA."),
            said(2, "Drinks tea.", scope=contact("ana")),
            said(3, "Drinks tea.", scope=contact("bo")),
        ],
    )
    assert fates(outcomes) == [Fate.UNCHANGED, Fate.UNCHANGED, Fate.NEW]
    assert [each.item for each in outcomes[:2]] == [tea.id, ana.id]


def test_what_an_earlier_line_said_is_told_with_the_id_it_got(engine: Engine) -> None:
    outcomes = taken(engine, [said(1, "Has a cat."), said(2, "Has a dog."), said(3, "has a cat.")])
    assert fates(outcomes) == [Fate.NEW, Fate.NEW, Fate.UNCHANGED]
    assert outcomes[2].item == outcomes[0].item


def test_a_refused_line_keeps_its_place_among_the_others(engine: Engine) -> None:
    batch: list[Line] = [
        said(1, "Has a cat."),
        said(2, "  "),
        Unreadable(3, "No JSON."),
        said(4, "x" * 8_193),
        said(5, "Has a dog.", expires_at=1),
        said(6, "Has a cat."),
    ]
    assert fates(taken(engine, batch)) == [
        Fate.NEW, Fate.REFUSED, Fate.REFUSED, Fate.REFUSED, Fate.SKIPPED, Fate.UNCHANGED,
    ]  # fmt: skip


def test_a_fact_brought_whole_between_others_is_known_to_those_after_it(engine: Engine) -> None:
    other = kept(engine, "Has a cat.")
    engine.forgetting.forget([other.id])
    moved = other._replace(id=ItemId("01900000-0000-7000-8000-000000000001"))
    whole = Whole(3, moved._replace(head=other.head._replace(id=str(moved.id)[:-1] + "2")))
    document = Incoming(2, DocumentContent({"a": 1}), Kind.DOCUMENT, None, "orders", "one")
    outcomes = taken(engine, [said(1, "Has a dog."), document, whole, said(4, "has a cat.")])
    assert fates(outcomes) == [Fate.NEW, Fate.NEW, Fate.NEW, Fate.UNCHANGED]
    assert outcomes[3].item == moved.id


def test_what_has_expired_is_no_twin(engine: Engine, clock: FixedClock) -> None:
    kept(engine, "Is in Porto.", ttl_seconds=60)
    clock.advance(61)
    assert fates(taken(engine, [said(1, "Is in Porto.")])) == [Fate.NEW]


def test_a_preview_of_it_tells_the_same_and_keeps_nothing(engine: Engine) -> None:
    tea = kept(engine, "Drinks tea.")
    batch = [said(1, "Drinks tea."), said(2, "Has a cat."), said(3, "has a cat.")]
    outcomes = engine.imports.preview(batch, RULES, Seen())
    assert fates([*outcomes]) == [Fate.UNCHANGED, Fate.NEW, Fate.UNCHANGED]
    assert outcomes[0].item == tea.id
    assert fates(taken(engine, [said(1, "Has a cat.")])) == [Fate.NEW]


def test_of_facts_kept_twice_the_first_is_the_twin_one_by_one_and_together(engine: Engine) -> None:
    first = kept(engine, "Drinks tea.")
    again = first._replace(id=ItemId("01900000-0000-7000-8000-000000000003"))
    store = engine.imports.context.store
    with store.writing():
        head = again.head._replace(id="01900000-0000-7000-8000-000000000004")
        writing.adopt(engine.imports.context, again._replace(head=head), ())
    with store.reading():
        alone = store.items.twin(PROJECT, "drinks tea.")
        together = store.items.twins([(PROJECT, "drinks coffee."), (PROJECT, "drinks tea.")])
    assert alone is not None
    assert together == {(PROJECT, "drinks tea."): alone.id} == {(PROJECT, "drinks tea."): first.id}
