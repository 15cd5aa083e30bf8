"""What is written on the wire is read again as it was; what others wrote there is never trusted."""

from __future__ import annotations

import json
from itertools import groupby
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from localmem.core import facts, preferences
from localmem.core.bodies import (
    YOU,
    Author,
    DocumentBody,
    PreferenceBody,
    Slot,
)
from localmem.core.model import AuthorKind, ItemId, Json, Kind
from localmem.core.preferences import PreferenceKey
from localmem.core.replica import FactBody, Wording, document_key, preference_key
from localmem.core.scope import PERSON, PROJECT, contact
from localmem.ids import TimeOrderedIds
from sync import encoding
from sync.encoding import ELSEWHERE, MOST_SUP, Seen, Unreadable
from sync.messages import FactRow, ItemRow

INC = "018f0000-0000-7000-8000-000000000001"
LM = "018f0000-0000-7000-8000-000000000002"
AGENT = Author(AuthorKind.AGENT, "shop-agent")
ANA = contact("ana")
MADE, CHANGED = 1_790_000_000_000, 1_790_000_000_500
VV = {"device01": 7, "laptop-2": 1}

quick = settings(max_examples=40, deadline=None, database=None, derandomize=True)


def over_the_wire(value: Json) -> Any:
    return json.loads(json.dumps(value))


def item(value: Any, key: str = "A1", collection: str = "orders", **more: Any) -> ItemRow:
    row = ItemRow(PROJECT, collection, key, "1", over_the_wire(value), updated_at=CHANGED)
    return row._replace(**more)


def preference(value: Any, key: str = "shoe_size") -> Seen | Unreadable:
    return encoding.read(item(value, key, encoding.PREFERENCES))


def seen(read: Seen | Unreadable) -> Seen:
    assert isinstance(read, Seen)
    return read


def fact(metadata: dict[str, str], **more: Any) -> FactRow:
    return FactRow(ANA, "mem_1", "Prefers tea.", metadata, MADE)._replace(**more)


# --- where things are --------------------------------------------------------------------------


@pytest.mark.parametrize(
    "key",
    [
        preference_key("shoe_size"),
        document_key(PROJECT, "orders", "A1"),
        document_key(ANA, "preferences", "shoe_size"),
        document_key(PROJECT, "preferences", "favourite_colour"),
    ],
)
def test_a_record_is_found_again_where_it_was_put(key: Any) -> None:
    assert encoding.record_at(*encoding.place(key)) == key


def test_only_the_six_keys_of_the_project_are_preferences() -> None:
    kinds = {
        (scope, collection, key): encoding.record_at(scope, collection, key).kind
        for scope in (PROJECT, ANA)
        for collection in (encoding.PREFERENCES, "orders")
        for key in (*PreferenceKey, "shoe_size ", "SHOE_SIZE", "")
    }
    found = [place for place, kind in kinds.items() if kind is Kind.PREFERENCE]
    assert found == [(PROJECT, encoding.PREFERENCES, key) for key in PreferenceKey]
    assert encoding.record_at(*found[0]).scope == PERSON


# --- there and back ----------------------------------------------------------------------------

TEXT = st.text(st.characters(blacklist_categories=("Cs",)), max_size=12)
JSON = st.recursive(
    st.none() | st.booleans() | st.integers(-9, 9) | TEXT,
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(TEXT, inner, max_size=3),
    max_leaves=8,
)
MEMBERS = TEXT | st.sampled_from(["_lm", "_lm_own", "_lm_own_own", "_lm_other", "inc", "vv"])
AUTHORS = st.sampled_from([YOU, AGENT, Author(AuthorKind.BACKEND, "a:b: c")])
MOMENTS = st.integers(1, 1 << 50)
VECTORS = st.dictionaries(
    st.from_regex("[A-Za-z0-9_-]{1,64}", fullmatch=True), st.integers(1, 1 << 52), min_size=1,
    max_size=4,
)  # fmt: skip
SLOTS = st.none() | st.builds(
    Slot,
    st.sampled_from(["42", "38/39"]),
    MOMENTS,
    AUTHORS,
    quote=st.none() | st.just("Visto 42"),
    purchase_id=st.none() | st.just("p-1"),
    source=st.none() | st.just("chat"),
    ver=st.sampled_from(["", INC]),
)


@quick
@given(st.dictionaries(MEMBERS, JSON, max_size=4), VECTORS, AUTHORS, MOMENTS)
def test_an_object_comes_back_with_all_that_is_known_of_it(
    value: Any, vv: Any, by: Author, at: int
) -> None:
    body = DocumentBody(INC, value, None, at, by)
    assert encoding.read(item(encoding.value(body, vv))) == Seen(body, vv, True)


@quick
@given(JSON.filter(lambda value: not isinstance(value, dict)))
def test_what_is_no_object_comes_back_as_it_is_and_without_lineage(value: Any) -> None:
    sent = encoding.value(DocumentBody(INC, value, None, 1, AGENT), VV)
    assert sent == value
    read = seen(encoding.read(item(sent, inc=INC)))
    assert (read.body, read.vv, read.inc_told) == (
        DocumentBody(INC, value, None, CHANGED, ELSEWHERE),
        None,
        True,
    )


@quick
@given(st.integers(0, 1 << 50), SLOTS, SLOTS, VECTORS)
def test_a_preference_comes_back_with_both_of_its_halves(
    gen: int, declared: Slot | None, inferred: Slot | None, vv: Any
) -> None:
    body = PreferenceBody(gen, False, declared, inferred)
    assert preference(encoding.value(body, vv)) == Seen(body, vv)


def test_a_forgotten_preference_tells_its_generation_alone() -> None:
    body = PreferenceBody(3, forgotten=True)
    sent = encoding.value(body, VV)
    assert sent == {"gen": 3, "forgotten": True, "_lm": {"vv": VV}}
    assert preference(sent) == Seen(body, VV)


def test_names_stay_names() -> None:
    body = PreferenceBody(1, declared=Slot(("Asics", "Açaí 🍧"), MADE))
    assert preference(encoding.value(body, VV), "preferred_brands") == Seen(body, VV)


def test_a_member_of_the_persons_own_with_our_name_is_theirs_still() -> None:
    body = DocumentBody(INC, {"_lm": "left margin", "_lm_own": {"vv": 1}}, at=MADE)
    sent = encoding.value(body, VV)
    assert isinstance(sent, dict) and sent["_lm"] == {"vv": VV, "inc": INC, "at": MADE}
    assert seen(encoding.read(item(sent))).body == body


@quick
@given(
    st.dictionaries(TEXT | st.sampled_from(["lm", "sup", "lm_by", "lm_own_lm"]), TEXT, max_size=3),
    st.none() | st.just("people/ana"),
    AUTHORS,
    MOMENTS,
    st.integers(0, MOST_SUP),
)
def test_a_wording_comes_back_with_all_that_stands_beside_it(
    own: dict[str, str], path: str | None, by: Author, at: int, names: int
) -> None:
    sup = tuple(f"018f0000-0000-7000-8000-{number:012x}" for number in range(names))
    body = FactBody("Prefers tea.", own, path, None, at, by)
    sent = encoding.metadata(Wording(LM, ItemId("i"), 1, ANA, sup=sup), body)
    assert sent is not None
    read = encoding.read_fact(fact(over_the_wire(dict(sent))))
    assert (read.lm, read.sup, read.body, read.ours) == (LM, sup, body, True)


# --- what is sent beside a text ----------------------------------------------------------------

WORDING = Wording(LM, ItemId("i"), 1, ANA, sup=(INC,))


def beside(own: dict[str, str], wording: Wording = WORDING) -> dict[str, str] | None:
    body = FactBody("Prefers tea.", own, "people/ana", None, MADE, AGENT)
    sent = encoding.metadata(wording, body)
    return None if sent is None else dict(sent)


def filled(room: int) -> dict[str, str]:
    """Metadata of the person's own that leaves so many bytes of the 2 KB."""
    own = {f"k{number}": "x" * 500 for number in range(3)}
    own["last"] = ""
    own["last"] = "x" * (facts.MAX_METADATA_BYTES - facts.metadata_size(own) - room)
    return own


def beside_ours(room: int, names: list[str]) -> list[str]:
    return [name for name in beside(filled(room)) or {} if name in names]


def test_what_is_only_shown_gives_way_first_and_then_the_older_wordings() -> None:
    whole = beside({})
    assert whole is not None
    names = [*whole]
    assert names == ["lm", "sup", "lm_path", "lm_by", "lm_at"]
    kept = [[*beside_ours(room, names)] for room in range(200, 0, -1)]
    shrinking = [left for left, _ in groupby(kept)]
    assert shrinking == [
        ["lm", "sup", "lm_path", "lm_by", "lm_at"],
        ["lm", "sup", "lm_path", "lm_by"],
        ["lm", "sup", "lm_path"],
        ["lm", "sup"],
        ["lm"],
        [],
    ]


def test_metadata_that_leaves_no_room_for_the_id_is_not_cut() -> None:
    needed = len(f',"lm":"{LM}"')
    assert beside(filled(needed)) == {**filled(needed), "lm": LM}
    assert beside(filled(needed - 1)) is None


def test_as_many_older_wordings_are_named_as_one_value_holds() -> None:
    many = tuple(f"018f0000-0000-7000-8000-{number:012x}" for number in range(40))
    sent = beside({}, WORDING._replace(sup=many))
    assert sent is not None and len(sent["sup"]) <= facts.MAX_METADATA_VALUE
    assert encoding.read_fact(fact(sent)).sup == many[:MOST_SUP]


def test_more_than_64_names_are_never_sent() -> None:
    own = {f"{number}": "" for number in range(62)}
    sent = beside(own)
    assert sent is not None and len(sent) <= 64
    assert beside({f"{number}": "" for number in range(64)}) is None


# --- hostile -----------------------------------------------------------------------------------

HOSTILE: tuple[Any, ...] = (
    None, True, False, 0, 1, -1, 1.5, 1 << 53, -(1 << 70), 1e300, "", "x", "\x00", "‮", "0" * 5000,
    [], [[]], [None] * 300, {}, {"": None}, {"_lm": None}, {"value": {}},
)  # fmt: skip
GOOD: dict[str, Any] = {
    "gen": 1,
    "forgotten": False,
    "declared": {"value": "42", "at": 5, "ver": INC, "by": "agent:x", "quote": "42"},
    "_lm": {"vv": {"device01": 1}},
}
UNHARMED = {"_lm", "at", "ver", "by", "quote", "vv", "inc"}
"""What is only lineage or only shown: read without it, it is a preference still."""


def replaced(value: dict[str, Any], path: tuple[str, ...], part: Any) -> dict[str, Any]:
    head, *rest = path
    inner = replaced(value[head], tuple(rest), part) if rest else part
    return {**value, head: inner}


@pytest.mark.parametrize(
    "path",
    [("gen",), ("forgotten",), ("declared",), ("declared", "value"), ("declared", "at"),
     ("declared", "ver"), ("declared", "by"), ("declared", "quote"), ("_lm",), ("_lm", "vv"),
     ("_lm", "vv", "device01")],
    ids=".".join,
)  # fmt: skip
@pytest.mark.parametrize("part", HOSTILE, ids=lambda part: repr(part)[:12])
def test_a_preference_of_the_wrong_shape_is_unreadable_or_read_whole(
    path: tuple[str, ...], part: Any
) -> None:
    read = preference(replaced(GOOD, path, part))
    if isinstance(read, Unreadable):
        assert path[-1] not in UNHARMED
        return
    assert isinstance(read.body, PreferenceBody)
    assert type(read.body.gen) is int and read.body.gen >= 0
    slot = read.body.declared
    assert slot is None or preferences.normalise(PreferenceKey.SHOE_SIZE, slot.value) == slot.value
    assert slot is None or (type(slot.at) is int and 0 < slot.at < 1 << 53)
    assert read.vv in (None, {"device01": 1}) or path[-1] == "device01"


@pytest.mark.parametrize("value", [*HOSTILE, {"gen": 1}, {"forgotten": False}])
def test_what_is_no_preference_is_never_guessed_at(value: Any) -> None:
    assert isinstance(preference(value), Unreadable)


def test_a_marker_with_a_value_in_it_is_no_marker() -> None:
    assert isinstance(preference({**GOOD, "forgotten": True}), Unreadable)


@quick
@given(JSON, st.sampled_from(["shoe_size", "preferred_brands"]))
def test_nothing_at_all_makes_reading_fail(value: Any, key: str) -> None:
    for held in (value, {"gen": 1, "forgotten": False, "declared": value, "_lm": value}):
        assert isinstance(preference(held, key), Seen | Unreadable)
    for held in (value, {"_lm": value, "n": 1}, {"_lm": {"vv": value, "inc": value, "by": value}}):
        assert isinstance(encoding.read(item(held)), Seen)


@pytest.mark.parametrize("lineage", HOSTILE, ids=lambda part: repr(part)[:12])
def test_a_document_with_lineage_that_is_none_is_another_clients(lineage: Any) -> None:
    read = seen(encoding.read(item({"n": 1, "_lm": lineage}, inc="own-1")))
    assert isinstance(read.body, DocumentBody)
    assert (read.vv, read.body.inc, read.body.by) == (None, "own-1", ELSEWHERE)
    kept = {} if isinstance(lineage, dict) else {"_lm": over_the_wire(lineage)}
    assert read.body.value == {"n": 1, **kept}


@pytest.mark.parametrize(
    "vv",
    [*HOSTILE, {"d": 0}, {"d": -1}, {"d": True}, {"d": 1.0}, {"d": "1"}, {"d": 1 << 53},
     {"a b": 1}, {"": 1}, {"d" * 65: 1}, {"é": 1}, {"d\n": 1}, {f"d{n}": 1 for n in range(257)},
     {"good": 1, "d": None}],
    ids=lambda part: repr(part)[:12],
)  # fmt: skip
def test_a_vector_that_is_none_is_no_vector(vv: Any) -> None:
    assert seen(encoding.read(item({"_lm": {"vv": vv, "inc": INC}}))).vv is None


@pytest.mark.parametrize("inc", [*HOSTILE, INC.upper(), INC + "\n", INC.replace("-", "")])
def test_an_incarnation_that_is_no_id_is_the_servers(inc: Any) -> None:
    read = seen(encoding.read(item({"_lm": {"vv": VV, "inc": inc}}, inc="own-1")))
    assert isinstance(read.body, DocumentBody)
    assert read.body.inc == "own-1"


@pytest.mark.parametrize(
    "by", ["person:", "robot:x", ":x", "agent", "agent:" + "x" * 256, "person:you"]
)
def test_an_author_that_is_none_is_the_person_with_lineage(by: str) -> None:
    read = seen(encoding.read(item({"_lm": {"vv": VV, "inc": INC, "by": by}})))
    assert isinstance(read.body, DocumentBody)
    assert read.body.by == YOU


@quick
@given(
    st.dictionaries(
        st.sampled_from(["lm", "sup", "lm_by", "lm_at", "lm_path", "lm_own_x", "other"]),
        TEXT | st.sampled_from([LM, LM.upper(), LM.replace("-", ""), "²", "٣", "9" * 20, "  "]),
    ),
    st.integers(0, 1 << 45),
)
def test_whatever_stands_beside_a_fact_it_is_read(metadata: dict[str, str], made: int) -> None:
    read = encoding.read_fact(fact(metadata, created_at=made))
    assert read.ours == (metadata.get("lm", "").lower().replace("-", "") == LM.replace("-", ""))
    assert read.body.text == "Prefers tea."
    assert len(read.sup) <= MOST_SUP


# --- ids that are made up ----------------------------------------------------------------------


def test_two_devices_make_up_the_same_ids_for_what_came_without() -> None:
    once, again = (encoding.read(item({"n": 1})) for _ in range(2))
    assert once == again
    assert not seen(once).inc_told
    stranger = fact({})
    assert encoding.read_fact(stranger) == encoding.read_fact(stranger)


def test_another_rev_or_place_is_another_incarnation_and_another_row_another_fact() -> None:
    rows = [item({"n": 1}), item({"n": 1}, rev="2"), item({"n": 1}, "A2"),
            item({"n": 1}, collection="other"), item({"n": 1}, scope=ANA)]  # fmt: skip
    assert len({seen(encoding.read(row)).body.inc for row in rows}) == len(rows)  # type: ignore[union-attr]
    strangers = [fact({}), fact({}, server_id="mem_2"), fact({}, scope=PROJECT)]
    assert len({encoding.read_fact(row).lm for row in strangers}) == len(strangers)


def test_a_made_up_id_has_the_form_and_the_moment_of_one_that_was_made() -> None:
    made_up = encoding.read_fact(fact({})).lm
    made = TimeOrderedIds(lambda: MADE)()
    assert len(made_up) == len(made)
    assert made_up[:13] == made[:13], "both are of that millisecond"
    assert made_up[14] == made[14] == "7"


def test_what_another_client_wrote_says_so() -> None:
    read = encoding.read_fact(fact({"lm": "left-mouse", "colour": "red"}))
    assert (read.ours, read.body.by, read.body.at) == (False, ELSEWHERE, MADE)
    assert read.body.metadata["colour"] == "red"


# --- secrets -----------------------------------------------------------------------------------


def test_a_text_as_long_as_a_fact_may_be_is_carried_whole() -> None:
    """Nothing is shortened on its way: what a secret was cut out of is judged by the library."""
    text = "x" * facts.MAX_TEXT_BYTES
    assert encoding.read_fact(fact({}, text=text)).body.text == text
    read = seen(preference({**GOOD, "declared": {"value": "42", "quote": "q" * 4_000}}))
    assert isinstance(read.body, PreferenceBody) and read.body.declared is not None
    assert read.body.declared.quote == "q" * preferences.MAX_QUOTE
