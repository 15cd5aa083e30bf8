"""A fact's id on the wire and the item's own tell each other."""

from __future__ import annotations

import uuid

from hypothesis import given
from hypothesis import strategies as st

from localmem.core.model import ItemId
from localmem.ids import TimeOrderedIds
from localmem.wire.memory_ids import LETTERS, fact_id, item_id


@given(st.uuids())
def test_an_id_survives_the_wire(id: uuid.UUID) -> None:
    wire = fact_id(ItemId(str(id)))
    assert wire.startswith("mem_") and len(wire) == 30
    assert item_id(wire) == str(id)


def test_ids_sort_on_the_wire_as_they_do_here() -> None:
    ids = TimeOrderedIds(lambda: 1_796_061_600_000)
    made = [ItemId(ids()) for _ in range(200)]
    assert [fact_id(id) for id in made] == sorted(fact_id(id) for id in made)


@given(st.text() | st.text(LETTERS, min_size=26, max_size=26).map("mem_".__add__))
def test_any_other_text_is_no_id_or_comes_back_as_it_was(text: str) -> None:
    id = item_id(text)
    assert id is None or fact_id(id) == text
