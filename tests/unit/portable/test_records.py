"""JSON of other programs: lists, objects, JSON a line, and what each field becomes."""

from __future__ import annotations

import json
import random

import pytest

from localmem.core.model import DocumentContent, Kind, PreferenceContent, Provenance
from localmem.core.scope import contact
from tests.support.library import NOW
from tests.unit.portable.conftest import Given


def test_a_list_of_strings_and_objects(given: Given) -> None:
    read = given(["Likes tea", {"content": "Has a dog", "tags": ["pets", "home"]}, 7], "l.json")
    assert read.texts == ["Likes tea", "Has a dog"]
    assert read.metadata(1) == {"tags": "pets, home"}
    assert read.bad == [(3, "A number is not a memory.")]


def test_every_known_field_becomes_what_it_means(given: Given) -> None:
    record = {
        "id": "m-1",
        "fact": "Calls after ten",
        "scope": "contact:ana",
        "createdAt": "2025-01-01T00:00:00+01:00",
        "expiresAt": "2027-01-01T00:00:00Z",
        "metadata": {"source": "customer", "n": 3, "nested": {"a": 1}},
        "confidence": 0.5,
    }
    [memory] = given([record], "l.json").memories
    assert memory.scope == contact("ana")
    assert memory.written_at == 1_735_686_000_000
    assert memory.expires_at == 1_798_761_600_000
    assert memory.evidence.source == "l.json, element 1 · m-1"
    assert given([record], "l.json").metadata() == {
        "source": "customer", "n": "3", "nested": '{"a": 1}', "confidence": "0.5",
    }  # fmt: skip


def test_a_time_to_live_counts_from_when_it_was_written(given: Given) -> None:
    """FR-99: a number written as text is a number still."""
    lines = [
        {"text": "a", "ttlSeconds": "300", "createdAt": "2026-11-30T17:00:00Z"},
        {"text": "b", "ttl": "2d"},
        {"text": "c", "ttl": "soon"},
    ]
    read = given("\n".join(map(json.dumps, lines)), "l.ndjson")
    first, second = read.memories
    assert first.written_at is not None and first.expires_at == first.written_at + 300_000
    assert second.expires_at == NOW + 172_800_000
    assert read.bad[0][0] == 3 and "'soon' is not a time to live" in read.bad[0][1]


def test_a_large_field_is_left_out_and_named(given: Given) -> None:
    read = given([{"text": "a", "embedding_v2": "0.123 " * 500, "mood": "calm"}], "l.json")
    assert read.metadata() == {"mood": "calm"}
    assert read.source.notes == ["Left out, being too large for metadata: embedding_v2."]


def test_a_broken_line_is_named_and_the_rest_goes_on(given: Given) -> None:
    """FR-99: one odd row never costs the others."""
    lines = [json.dumps({"text": f"memory {n}"}) for n in range(1, 1_001)]
    lines[499] = lines[499][:12]
    lines[500] = '{"foo": "bar"}'
    read = given("\n".join(lines), "l.ndjson")
    assert len(read.memories) == 998
    assert read.bad == [
        (500, "The JSON of this line breaks off."),
        (501, "No field holds a text: it has foo."),
    ]


def test_records_that_ran_together_are_both_read(given: Given) -> None:
    """FR-98: a file without a last line feed, and another joined to it."""
    joined = '{"text": "a"}\n{"text": "b"}' + '{"text": "c"}\n{"text": "d"}'
    read = given(joined, "joined.ndjson")
    assert read.texts == ["a", "b", "c", "d"]
    assert [each.line for each in read.memories] == [1, 2, 2, 3]


def test_a_list_that_breaks_off_gives_what_was_whole_and_says_where(given: Given) -> None:
    read = given('[{"text": "a"}, {"text": "b"}, {"te', "half.json")
    assert read.texts == ["a", "b"]
    assert read.bad == [(3, "The JSON breaks off in the middle; the file is not whole. Nothing "
                            "behind element 2 was read.")]  # fmt: skip


def test_mem0_lists(given: Given) -> None:
    answer = {"results": [{"id": "1", "memory": "Likes tea", "hash": "h", "user_id": "ana",
                           "created_at": "2025-07-01T10:00:00-07:00", "categories": ["food"]}],
              "relations": []}  # fmt: skip
    read = given(answer, "mem0.json")
    assert (read.source.format, read.texts) == ("mem0", ["Likes tea"])
    assert read.metadata() == {"categories": "food", "user_id": "ana"}


def test_the_graph_of_the_reference_server_as_sentences(given: Given) -> None:
    lines = [
        {"type": "entity", "name": "Ana", "entityType": "person",
         "observations": ["Likes tea", "Ana runs a bakery"]},
        {"type": "relation", "from": "Ana", "to": "Acme", "relationType": "works_at"},
        {"type": "entity", "name": "Empty", "entityType": "x", "observations": []},
    ]  # fmt: skip
    read = given("\n".join(map(json.dumps, lines)), "memory.jsonl")
    assert read.texts == ["Ana: Likes tea", "Ana runs a bakery", "Ana works at Acme"]
    assert read.metadata() == {"entity": "Ana", "entityType": "person"}
    assert read.bad == [(3, "Nothing was observed of 'Empty'.")]
    whole = {"entities": lines[:1], "relations": [lines[1]]}
    assert given(whole, "graph.json").texts == read.texts


def test_an_export_of_mcp_memory_service(given: Given) -> None:
    export = {
        "export_metadata": {"source_machine": "m", "total_memories": 1},
        "memories": [{"content": "Likes tea", "content_hash": "ab", "tags": ["x"],
                      "created_at": 1_700_000_000.5, "memory_type": "note", "metadata": {}}],
    }  # fmt: skip
    read = given(export, "export.json")
    assert read.source.format == "mcp-memory-service"
    assert read.memories[0].written_at == 1_700_000_000_500
    assert read.metadata() == {"tags": "x", "memory_type": "note"}


def test_pages_and_collections_of_the_hosted_api(given: Given) -> None:
    page = {"items": [{"id": "mem_1", "text": "Likes tea", "createdAt": "2025-01-01T00:00:00Z",
                       "contactId": "ana"}], "nextCursor": None}  # fmt: skip
    read = given(page, "facts.json")
    assert read.memories[0].scope == contact("ana")
    lines = '{"key": "ORD-1", "value": {"total": 42.5, "n": 3}}\n{"key": "ORD-2", "value": [1]}\n'
    [first, second] = given(lines, "orders.ndjson").memories
    assert (first.kind, first.collection, first.key) == (Kind.DOCUMENT, "orders", "ORD-1")
    assert first.content == DocumentContent({"total": 42.5, "n": 3})
    assert second.content == DocumentContent([1])


def test_shopping_preferences_in_both_shapes(given: Given) -> None:
    listed = [
        {"key": "shoe_size", "value": "42", "provenance": "declared", "quote": "I wear 42"},
        {"key": "preferred_brands", "value": ["A"], "provenance": "inferred", "purchase_id": "p"},
    ]
    first, second = given(listed, "prefs.json").memories
    assert (first.kind, first.key, first.content) == (
        Kind.PREFERENCE, "shoe_size", PreferenceContent("42"),
    )  # fmt: skip
    assert first.evidence.quote == "I wear 42"
    assert (second.provenance, second.evidence.purchase_id) == (Provenance.INFERRED, "p")
    mapped = given({"shoe_size": 42, "avoided_brands": ["X", "Y"]}, "prefs.json").memories
    assert [each.content for each in mapped] == [
        PreferenceContent("42"), PreferenceContent(("X", "Y")),
    ]  # fmt: skip


@pytest.mark.parametrize(
    "moment", ["2025-01-01T00:00:00Z", 1_735_689_600, 1_735_689_600_000, "2025-01-01", 1735689600.0]
)
def test_the_same_moment_however_it_is_written(given: Given, moment: object) -> None:
    [memory] = given([{"text": "a", "timestamp": moment}], "l.json").memories
    assert memory.written_at == 1_735_689_600_000


def test_a_date_that_is_none_refuses_the_line(given: Given) -> None:
    read = given([{"text": "a", "createdAt": "yesterday-ish"}], "l.json")
    assert read.bad == [(1, "createdAt is not a date: 'yesterday-ish'.")]


def test_any_json_is_answered_element_by_element_and_never_with_a_crash(given: Given) -> None:
    """A property: whatever a list holds, each element gives a memory or a sentence."""
    chance = random.Random(7)
    kinds = {"memory": 0, "sentence": 0}
    for round in range(60):
        held = [_anything(chance, 3) for _ in range(20)]
        read = given(["a sentence first", *held], f"any{round}.json", format="json")
        numbers = {value.line for value in read.values}
        empty = {n for n, each in enumerate(held, 2) if each == {}}
        assert numbers | empty >= set(range(1, 22))
        kinds["memory"] += len(read.memories)
        kinds["sentence"] += len(read.bad)
    assert kinds["memory"] > 200 and kinds["sentence"] > 300


def _anything(chance: random.Random, depth: int) -> object:
    names = (
        "text",
        "content",
        "key",
        "value",
        "metadata",
        "createdAt",
        "ttl",
        "scope",
        "x",
        "shoe_size",
    )
    kind = chance.randrange(8 if depth else 5)
    if kind < 5:
        return chance.choice(
            [None, True, 1.5, 10**30, "", "word", "contact:ana", "30d", "2025-01-01", "\u202e", -1]
        )
    if kind == 5:
        return [_anything(chance, depth - 1) for _ in range(chance.randrange(4))]
    return {chance.choice(names): _anything(chance, depth - 1) for _ in range(chance.randrange(5))}
