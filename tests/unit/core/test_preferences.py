"""The six keys, what they hold, and whose words count (shop-memory, protocols 5.3)."""

from __future__ import annotations

from collections import Counter

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from localmem.core.model import (
    NO_EVIDENCE,
    Actor,
    AuthorKind,
    Change,
    Evidence,
    Item,
    ItemId,
    Kind,
    Origin,
    PreferenceContent,
    Provenance,
    Version,
)
from localmem.core.preferences import (
    Effective,
    PreferenceKey,
    PreferenceState,
    SizeScale,
    Value,
    check_inference,
    check_source,
    declared,
    describe,
    effective,
    forgotten,
    holds,
    in_both,
    is_list,
    label,
    normalise,
    parse_key,
    read_size,
)
from localmem.core.scope import PERSON
from localmem.errors import (
    InferenceBlocked,
    InvalidPreferenceValue,
    SourceNotPerson,
    UnknownPreferenceKey,
)

SHOE, CLOTHING = PreferenceKey.SHOE_SIZE, PreferenceKey.CLOTHING_SIZE
BRANDS, DIET = PreferenceKey.PREFERRED_BRANDS, PreferenceKey.DIETARY_RESTRICTIONS
SIX = (
    "shoe_size",
    "clothing_size",
    "preferred_brands",
    "avoided_brands",
    "preferred_merchants",
    "dietary_restrictions",
)


def test_there_are_six_keys_with_a_label_and_a_kind_each() -> None:
    assert tuple(PreferenceKey) == SIX
    assert [parse_key(key) for key in SIX] == list(PreferenceKey)
    assert [label(key) for key in PreferenceKey] == [
        "Shoe size",
        "Clothing size",
        "Preferred brands",
        "Avoided brands",
        "Preferred stores",
        "Dietary restrictions",
    ]
    assert [is_list(key) for key in PreferenceKey] == [False, False, True, True, True, True]


@pytest.mark.parametrize(
    ("typed", "nearest"),
    [("shoesize", "shoe_size"), ("Shoe-Size", "shoe_size"), ("avoid_brands", "avoided_brands"),
     ("preferred merchant", "preferred_merchants"), ("dietary", "dietary_restrictions")],
)  # fmt: skip
def test_an_unknown_key_is_refused_with_the_nearest_spelling(typed: str, nearest: str) -> None:
    with pytest.raises(UnknownPreferenceKey) as refused:
        parse_key(typed)
    assert refused.value.hint.startswith(f"Did you mean {nearest}? The six are shoe_size, ")


def test_a_key_near_none_is_refused_with_the_six() -> None:
    with pytest.raises(UnknownPreferenceKey) as refused:
        parse_key("\x1b[2Jzodiac")
    assert refused.value.hint == f"The six are {', '.join(SIX)}."
    assert "\x1b" not in refused.value.message


@pytest.mark.parametrize(
    ("key", "given_", "held"),
    [
        (SHOE, "42", "42"),
        (SHOE, " 42 ", "42"),
        (SHOE, "42.5", "42.5"),
        (SHOE, "42,5", "42.5"),
        (SHOE, "42½", "42.5"),
        (SHOE, "４２", "42"),
        (SHOE, "38/39", "38/39"),
        (SHOE, "15", "15"),
        (SHOE, "60", "60"),
        (CLOTHING, "m", "M"),
        (CLOTHING, "gg", "GG"),
        (CLOTHING, "xG", "XG"),
        (CLOTHING, "5xl", "5XL"),
        (CLOTHING, "XS", "XS"),
        (CLOTHING, "30", "30"),
        (CLOTHING, "70", "70"),
        (BRANDS, ["Asics", "Mizuno"], ("Asics", "Mizuno")),
        (BRANDS, ("Asics",), ("Asics",)),
        (BRANDS, "Marca X", ("Marca X",)),
        (BRANDS, ["  Marca \u00a0 X "], ("Marca X",)),
        (BRANDS, ["Asics", "ASICS", "asics"], ("Asics",)),
        (BRANDS, ["cafe\u0301", "Café"], ("café",)),
        (BRANDS, ["Tide, Inc."], ("Tide, Inc.",)),
        (BRANDS, ["x" * 60], ("x" * 60,)),
        (BRANDS, [f"b{n}" for n in range(10)], tuple(f"b{n}" for n in range(10))),
        (BRANDS, [f"B{n % 10}" for n in range(20)], tuple(f"B{n}" for n in range(10))),
        (DIET, ["می‌خواهم"], ("می‌خواهم",)),
    ],
)
def test_a_value_is_brought_into_the_one_form_it_is_stored_in(
    key: PreferenceKey, given_: object, held: Value
) -> None:
    assert normalise(key, given_) == held
    assert normalise(key, held) == held


NO_SHOE_SIZES: list[object] = [
    "", "14", "61", "60.5", "9", "42.3", "42.55", "042", "39/38", "38/38", "38/61", "14/16",
    "EU 42", "42 EU", "42" + " " * 1_000, "M", "4 2", 42, 42.5, True, None, ["42"], ("42",), {},
]  # fmt: skip
NO_CLOTHING_SIZES: list[object] = [
    "", "29", "71", "42.5", "XXS", "6XL", "MM", "M/G", "large", "G9", 44, None, ["M"],
]  # fmt: skip
NO_NAMES: list[object] = [
    [], (), "", "  ", [""], ["ok", " "], ["x" * 61], [f"b{n}" for n in range(11)],
    "Asics, Mizuno", "Asics; Mizuno", "Asics\nMizuno", [1], ["a", None], [["a"]], {"a": 1}, 7,
    None, ["a\x00b"], ["a\tb"], ["a\nb"], ["\x1b[2J"], ["a\u202eb"], ["pay\u200bpal"],
    ["\ud800"], ["a" + "\u0323\u0301" * 100_000],
]  # fmt: skip


@pytest.mark.parametrize(
    ("key", "value"),
    [
        *((SHOE, value) for value in NO_SHOE_SIZES),
        *((CLOTHING, value) for value in NO_CLOTHING_SIZES),
        *((BRANDS, value) for value in NO_NAMES),
    ],
)
def test_a_value_the_key_does_not_hold_is_refused_with_an_example(
    key: PreferenceKey, value: object
) -> None:
    with pytest.raises(InvalidPreferenceValue) as refused:
        normalise(key, value)
    assert '"' in refused.value.hint
    assert refused.value.details == {"key": key}
    assert not any(ord(c) < 32 or 0xD800 <= ord(c) < 0xE000 for c in str(refused.value))


def test_every_size_within_the_bounds_is_held_and_none_beyond() -> None:
    held = [n for n in range(100) if _holds_size(SHOE, f"{n:02d}")]
    assert held == list(range(15, 61))
    assert [n for n in range(100) if _holds_size(SHOE, f"{n:02d}.5")] == list(range(15, 60))
    assert [n for n in range(100) if _holds_size(CLOTHING, f"{n:02d}")] == list(range(30, 71))


def _holds_size(key: PreferenceKey, size: str) -> bool:
    try:
        return normalise(key, size) == size
    except InvalidPreferenceValue:
        return False


def test_a_value_reads_as_a_person_writes_it() -> None:
    assert describe("42") == "42"
    assert describe(("Asics", "Mizuno")) == "Asics, Mizuno"


@pytest.mark.parametrize(
    ("value", "quote"),
    [
        ("42", "eu calço 42"),
        ("42", "42."),
        ("42", "tamanho:42!"),
        ("42", "40, 42 ou 44"),
        ("42", "40,42,44"),
        ("42", "calço ４２"),
        ("42.5", "calço 42,5 no Brasil"),
        ("42.5", "42½ please"),
        ("38/39", "uso 38 / 39"),
        ("M", "visto m"),
        (("Marca X",), "não quero a MARCA-X"),
        (("Marca X",), "marca   x nunca mais"),
        (("sem lactose",), "como tudo SEM LACTÔSE"),
        (("Nestlé",), "nestle nao"),
        (("Nestle",), "Nestlé não"),
        (("Asics", "Mizuno"), "mizuno e asics"),
        (("Levi's",), "levis jeans"),
        (("Levi's",), "Levi’s jeans"),
        (("L'Oréal",), "adoro loreal"),
        (("Asics",), "j'adore l'Asics"),
        (("H&M",), "compro na h & m"),
        (("无乳糖",), "我要无乳糖的牛奶"),
        (("グルテンフリー",), "グルテンフリーでお願いします"),
        (("Straße",), "STRASSE"),
    ],
)
def test_a_value_that_was_said_is_in_the_words(value: Value, quote: str) -> None:
    assert holds(value, quote)


@pytest.mark.parametrize(
    ("value", "quote"),
    [
        ("42", "pedido 142"),
        ("42", "423"),
        ("42", "calço 42,5"),
        ("42", "calço 42.5"),
        ("42", "42/43"),
        ("42", "42cm"),
        ("42", "quarenta e dois"),
        ("42", ""),
        ("M", "maybe medium"),
        (("Marca X",), "marca y ou x"),
        (("Marca X",), "x marca"),
        (("Asics", "Mizuno"), "só asics"),
        (("Asics",), "basics"),
        ((), "anything"),
        (("++",), "c++"),
    ],
)
def test_a_value_that_was_not_said_is_not(value: Value, quote: str) -> None:
    assert not holds(value, quote)


PURCHASE = Evidence(purchase_id="p-1")
SAID = Evidence(quote="eu calço 42")


@pytest.mark.parametrize(
    ("by", "provenance", "change", "evidence"),
    [
        (AuthorKind.PERSON, Provenance.DECLARED, Change.REMEMBER, NO_EVIDENCE),
        (AuthorKind.PERSON, Provenance.DECLARED, Change.CORRECT, NO_EVIDENCE),
        (AuthorKind.PERSON, Provenance.DECLARED, Change.REMEMBER, SAID),
        (AuthorKind.PERSON, Provenance.DECLARED, Change.REMEMBER, Evidence(quote="  ")),
        (AuthorKind.AGENT, Provenance.DECLARED, Change.REMEMBER, SAID),
        (AuthorKind.AGENT, Provenance.DECLARED, Change.CORRECT, SAID),
        (AuthorKind.BACKEND, Provenance.DECLARED, Change.CORRECT, SAID),
        (AuthorKind.AGENT, Provenance.DECLARED, Change.REMEMBER, Evidence("42 " + "x" * 497)),
        (AuthorKind.AGENT, Provenance.DECLARED, Change.MERGE, NO_EVIDENCE),
        (AuthorKind.AGENT, Provenance.INFERRED, Change.REMEMBER, PURCHASE),
        (AuthorKind.PERSON, Provenance.INFERRED, Change.REMEMBER, PURCHASE),
    ],
)
def test_the_persons_own_words_and_a_named_purchase_are_sources(
    by: AuthorKind, provenance: Provenance, change: Change, evidence: Evidence
) -> None:
    check_source(by, provenance, change, "42", evidence)


@pytest.mark.parametrize("by", [AuthorKind.AGENT, AuthorKind.BACKEND])
@pytest.mark.parametrize(
    "change", [c for c in Change if c is not Change.MERGE], ids=lambda c: str(c)
)
@pytest.mark.parametrize(
    "evidence", [NO_EVIDENCE, PURCHASE, Evidence(quote=" "), Evidence(quote="calço 142")]
)
def test_nobody_declares_what_the_person_did_not_say(
    by: AuthorKind, change: Change, evidence: Evidence
) -> None:
    with pytest.raises(SourceNotPerson) as refused:
        check_source(by, Provenance.DECLARED, change, "42", evidence)
    assert refused.value.hint


def test_a_quote_the_person_gives_is_checked_too() -> None:
    with pytest.raises(SourceNotPerson):
        check_source(
            AuthorKind.PERSON, Provenance.DECLARED, Change.REMEMBER, "42", Evidence("calço 41")
        )


@pytest.mark.parametrize(
    ("provenance", "change", "evidence"),
    [
        (Provenance.DECLARED, Change.REMEMBER, Evidence("42 " + "x" * 498)),
        (Provenance.INFERRED, Change.REMEMBER, NO_EVIDENCE),
        (Provenance.INFERRED, Change.REMEMBER, Evidence(purchase_id=" ")),
        (Provenance.INFERRED, Change.REMEMBER, SAID),
        (Provenance.INFERRED, Change.CORRECT, Evidence(quote="42", purchase_id="p-1")),
    ],
)
def test_evidence_of_the_wrong_shape_is_an_invalid_value(
    provenance: Provenance, change: Change, evidence: Evidence
) -> None:
    for by in AuthorKind:
        with pytest.raises(InvalidPreferenceValue):
            check_source(by, provenance, change, "42", evidence)


def test_a_forgotten_key_is_not_inferred_until_the_person_declares_it_again() -> None:
    fresh = PreferenceState()
    check_inference(fresh)
    gone = forgotten(fresh)
    assert gone == PreferenceState(generation=1, inference_blocked=True)
    with pytest.raises(InferenceBlocked):
        check_inference(gone)
    spoken = declared(gone)
    assert spoken == PreferenceState(generation=1, inference_blocked=False)
    check_inference(spoken)
    assert forgotten(forgotten(spoken)).generation == 3


def _item(provenance: Provenance) -> Item:
    you = Actor(AuthorKind.PERSON, "you", Origin.TUI)
    head = Version("v", 1, Change.REMEMBER, PreferenceContent("42"), you, at=0)
    return Item(ItemId("i"), Kind.PREFERENCE, PERSON, head, 0, SHOE, provenance=provenance)


def test_the_declared_value_counts_and_the_inferred_one_shows_beside_it() -> None:
    said, guessed = _item(Provenance.DECLARED), _item(Provenance.INFERRED)
    assert effective(None, None) is None
    assert effective(said, guessed) == Effective(counts=said, shadowed=guessed)
    assert effective(said, None) == Effective(counts=said, shadowed=None)
    assert effective(None, guessed) == Effective(counts=guessed, shadowed=None)
    assert Effective(said).filters
    assert not Effective(guessed).filters


def test_a_name_preferred_and_avoided_at_once_is_noticed() -> None:
    assert in_both(("Nestlé", "Asics"), ("NESTLE", "Levi's")) == ("Nestlé",)
    assert in_both(("★",), ("☆",)) == ()


def test_a_size_label_is_read_on_every_scale_it_can_be_on() -> None:
    shoe, numbers = SizeScale.SHOE, SizeScale.CLOTHING_NUMBERS
    br, international = SizeScale.LETTERS_BR, SizeScale.LETTERS_INTERNATIONAL
    assert read_size("42") == {(shoe, "42"), (numbers, "42")}
    assert read_size("28") == {(shoe, "28")}
    assert read_size("66") == {(numbers, "66")}
    assert read_size("42,5") == {(shoe, "42.5")}
    assert read_size("38/39") == {(shoe, "38"), (shoe, "39")}
    assert read_size("m") == {(br, "M"), (international, "M")}
    assert read_size("XXL") == read_size("2xl") == {(international, "2XL")}
    assert read_size("9") == read_size("one size") == read_size("") == frozenset()


def test_what_was_normalised_normalises_to_itself_and_is_held_by_its_own_words() -> None:
    reached: Counter[str] = Counter()
    names = st.lists(
        st.one_of(
            st.text(st.characters(categories=("L", "N")), min_size=1, max_size=8),
            st.sampled_from(["Asics", " asics ", "Marca  X", "L'Oréal", "42,5", "无乳糖", "H&M"]),
        ),
        max_size=12,
    )
    sizes = st.one_of(
        st.integers(10, 75).map(str),
        st.sampled_from(["m", "GG", "42,5", "38/39", "7", "XXL", " 44 "]),
    )

    @settings(max_examples=300, deadline=None, derandomize=True, database=None)
    @given(st.sampled_from(PreferenceKey), st.one_of(names, sizes))
    def check(key: PreferenceKey, value: object) -> None:
        try:
            held = normalise(key, value)
        except InvalidPreferenceValue:
            reached["refused"] += 1
            return
        reached["list" if is_list(key) else key] += 1
        assert normalise(key, held) == held
        assert holds(held, f"I said: {describe(held)}!")
        check_source(
            AuthorKind.AGENT, Provenance.DECLARED, Change.REMEMBER, held, Evidence(describe(held))
        )

    check()
    for case in ("refused", "list", SHOE, CLOTHING):
        assert reached[case] >= 3, reached


def test_a_key_named_as_it_is_labelled_leads_to_the_right_one() -> None:
    for typed in ("preferred_stores", "Preferred stores"):
        with pytest.raises(UnknownPreferenceKey) as refused:
            parse_key(typed)
        assert "Did you mean preferred_merchants?" in refused.value.hint
