"""What a world that means harm found: two libraries, our own server, and the bytes of its files."""

from __future__ import annotations

from typing import Any

import pytest

from localmem.core.model import Kind
from tests.support.devices import Device, settled
from tests.surfaces.test_in_step import Hosted, Make, hosted, make

__all__ = ["hosted", "make"]

OLD, NEW = "zanzibar", "quetzal"


def on_the_server(hosted: Hosted, word: str) -> list[str]:
    """Its files that hold the word, once what it promised is done."""
    hosted.done(hosted.server.settled())
    folder = hosted.server.folder
    return [str(file.relative_to(folder)) for file in sorted(folder.rglob("*"))
            if file.is_file() and word.encode() in file.read_bytes()]  # fmt: skip


def forget_documents(device: Device) -> None:
    device.forget(*(item.id for item in device.items(Kind.DOCUMENT)))


def test_a_preference_that_is_forgotten_leaves_no_word_in_the_servers_files(
    make: Make, hosted: Hosted
) -> None:
    """Its marker is written over it, and the version before would keep the value."""
    one, other = make(), make()
    one.engine.preferences.remember("preferred_brands", [OLD])
    settled([one, other])
    one.engine.preferences.remember("preferred_brands", [OLD, NEW])
    settled([one, other])
    assert on_the_server(hosted, OLD)
    one.engine.preferences.forget("preferred_brands")
    settled([one, other])
    assert on_the_server(hosted, OLD) == on_the_server(hosted, NEW) == []


def test_a_preference_forgotten_and_declared_anew_between_two_runs_leaves_none_either(
    make: Make, hosted: Hosted
) -> None:
    one, other = make(), make()
    one.engine.preferences.remember("preferred_brands", [OLD])
    settled([one, other])
    one.engine.preferences.forget("preferred_brands")
    one.engine.preferences.remember("preferred_brands", [NEW])
    settled([one, other])
    assert on_the_server(hosted, OLD) == []
    assert other.preference("preferred_brands") == (NEW,)
    assert other.remembers(OLD) == []


@pytest.mark.parametrize(
    ("before", "after"),
    [({"word": OLD}, {"word": NEW}), (OLD, {"word": NEW}), ({"word": OLD}, NEW), (OLD, NEW)],
    ids=["objects", "text and object", "object and text", "texts"],
)
def test_a_document_forgotten_and_made_anew_between_two_runs_leaves_no_word_of_the_old_one(
    make: Make, hosted: Hosted, before: Any, after: Any
) -> None:
    one, other = make(), make()
    one.engine.documents.set("orders", "A1", before)
    settled([one, other])
    forget_documents(one)
    one.engine.documents.set("orders", "A1", after)
    settled([one, other])
    assert on_the_server(hosted, OLD) == []
    assert one.document() == other.document() == after
    assert other.remembers(OLD) == []


def test_many_documents_forgotten_and_made_anew_leave_none_either(
    make: Make, hosted: Hosted
) -> None:
    one, other = make(), make()
    keys = [f"K{number}" for number in range(30)]
    for key in keys:
        one.engine.documents.set("orders", key, {"word": OLD})
    settled([one, other])
    forget_documents(one)
    for key in keys:
        one.engine.documents.set("orders", key, {"word": NEW})
    settled([one, other])
    assert on_the_server(hosted, OLD) == []
    assert {repr(other.document(key)) for key in keys} == {repr({"word": NEW})}


def test_an_edit_keeps_the_servers_versions(make: Make, hosted: Hosted) -> None:
    one, other = make(), make()
    one.engine.documents.set("orders", "A1", {"word": OLD})
    one.engine.preferences.remember("preferred_brands", [OLD])
    settled([one, other])
    one.engine.documents.set("orders", "A1", {"word": NEW})
    one.engine.preferences.remember("preferred_brands", [NEW])
    settled([one, other])
    assert on_the_server(hosted, OLD)


def test_a_write_that_comes_again_after_its_value_was_forgotten_writes_nothing(
    hosted: Hosted,
) -> None:
    """The item is there still, with the marker in its place."""
    place = "/v1/memory/collections/preferences/items/preferred_brands"

    def put(op: str, gen: int, **said: Any) -> int:
        value = {"gen": gen, "forgotten": not said, **said, "_lm": {"vv": {"0a": gen + 1}}}
        asked = hosted.server.put(place, {"value": value}, headers={"Idempotency-Key": op})
        return int(hosted.done(asked).status_code)

    declared = {"declared": {"value": [OLD], "at": 1, "ver": "v"}}
    assert put("first", 0, **declared) == 200
    assert put("marker", 1) == 200
    assert put("first", 0, **declared) == 410
    assert on_the_server(hosted, OLD) == []
    assert hosted.item("preferences", "preferred_brands")["value"]["forgotten"] is True
