"""Declared preferences filter offers, inferred ones only order them (shop-memory)."""

from __future__ import annotations

from collections import Counter

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from localmem.core.model import (
    Actor,
    AuthorKind,
    Change,
    Item,
    ItemId,
    Json,
    Kind,
    Origin,
    PreferenceContent,
    Provenance,
    Version,
)
from localmem.core.offers import Offer, Ordering, Ranking, rank, read
from localmem.core.preferences import PreferenceKey, Value, normalise
from localmem.core.scope import PERSON
from localmem.errors import InvalidInput

K = PreferenceKey
DECLARED, INFERRED = Provenance.DECLARED, Provenance.INFERRED
YOU = Actor(AuthorKind.PERSON, "you", Origin.TUI)


def preference(key: PreferenceKey, value: object, provenance: Provenance = DECLARED) -> Item:
    content = PreferenceContent(normalise(key, value))
    head = Version("v", 1, Change.REMEMBER, content, YOU, at=0)
    return Item(ItemId(f"{key}-{provenance}"), Kind.PREFERENCE, PERSON, head, 0, key,
                provenance=provenance)  # fmt: skip


def ids(ranking: Ranking) -> list[str]:
    return [offer.product_id for offer in ranking.offers]


def filters(offer: Offer, *items: Item) -> bool:
    """Whether the offer is filtered; it is kept or filtered, never lost or doubled."""
    ranking = rank([offer], items)
    assert len(ranking.offers) + len(ranking.filtered) == 1
    return bool(ranking.filtered)


def test_without_preferences_the_order_received_is_kept() -> None:
    ranking = rank([Offer("b"), Offer("a"), Offer("c", available=False)], [])
    assert ids(ranking) == ["b", "a", "c"]
    assert (ranking.filtered, ranking.ordered_by) == ((), ())


def test_an_offer_that_says_nothing_is_never_filtered() -> None:
    everything = [
        preference(K.SHOE_SIZE, "42"),
        preference(K.CLOTHING_SIZE, "M"),
        preference(K.AVOIDED_BRANDS, ["Marca X"]),
        preference(K.DIETARY_RESTRICTIONS, ["sem lactose", "vegano"]),
    ]
    assert not filters(Offer("a", title="Tênis Marca X 40 com lactose"), *everything)
    assert not filters(Offer("a", tags=("4k", "oled"), category="tv"), *everything)


@pytest.mark.parametrize("brand", ["Marca X", "MARCA-X", "marca  x"])
def test_a_declared_avoided_brand_goes_and_says_why(brand: str) -> None:
    offer = Offer("a", sku_id="s", brand=brand)
    ranking = rank([offer, Offer("b", brand="Marca XY")], [preference(K.AVOIDED_BRANDS, "Marca X")])
    assert ids(ranking) == ["b"]
    (filtered,) = ranking.filtered
    assert (filtered.offer, filtered.key) == (offer, K.AVOIDED_BRANDS)
    assert filtered.reason == f"brand {brand} is avoided"


def test_brands_compare_without_accents_case_or_apostrophes() -> None:
    assert filters(Offer("a", brand="NESTLE"), preference(K.AVOIDED_BRANDS, "Nestlé"))
    assert filters(Offer("a", brand="Levis"), preference(K.AVOIDED_BRANDS, "Levi’s"))
    assert not filters(Offer("a", brand="Asics Kids"), preference(K.AVOIDED_BRANDS, "Asics"))


@pytest.mark.parametrize(
    ("size", "offer", "gone"),
    [
        ("42", Offer("a", category="shoes", sizes=("40", "41")), True),
        ("42", Offer("a", category="shoes", sizes=("40", "42")), False),
        ("42", Offer("a", category="Calçados", sizes=("40",)), True),
        ("42", Offer("a", tags=("tênis", "corrida"), sizes=("40",)), True),
        ("42", Offer("a", sizes=("40", "40,5")), True),  # halves are shoes
        ("42", Offer("a", sizes=("28", "29")), True),  # below any clothing number
        ("42", Offer("a", sizes=("40", "44")), False),  # shoes or trousers: who knows
        ("42", Offer("a", category="roupas", sizes=("40",)), False),
        ("42", Offer("a", category="shoes", sizes=("7", "8", "9")), False),  # US: another scale
        ("42", Offer("a", category="shoes", sizes=("40", "one size")), False),
        ("42", Offer("a", category="shoes"), False),
        ("42", Offer("a", category="shoes for shirts", sizes=("40", "41")), False),
        ("38", Offer("a", category="shoes", sizes=("38/39",)), False),
        ("38/39", Offer("a", category="shoes", sizes=("39",)), False),
        ("38/39", Offer("a", category="shoes", sizes=("40",)), True),
        ("42.5", Offer("a", category="shoes", sizes=("42", "43")), True),
        ("42.5", Offer("a", category="shoes", sizes=("42,5",)), False),
        ("42", Offer("a", sizes=("110V", "220V")), False),
    ],
)
def test_a_declared_shoe_size_filters_only_shoes_on_the_same_scale(
    size: str, offer: Offer, gone: bool
) -> None:
    assert filters(offer, preference(K.SHOE_SIZE, size)) is gone


@pytest.mark.parametrize(
    ("size", "offer", "gone"),
    [
        ("M", Offer("a", sizes=("P", "G")), True),
        ("M", Offer("a", sizes=("S", "L")), True),
        ("M", Offer("a", sizes=("p", "m")), False),
        ("G", Offer("a", sizes=("S", "M", "L")), False),  # another scale: G may be L
        ("G", Offer("a", category="camiseta", sizes=("38", "40")), False),
        ("2XL", Offer("a", sizes=("XXL",)), False),
        ("2XL", Offer("a", sizes=("S", "XL")), True),
        ("44", Offer("a", category="jeans", sizes=("40", "42")), True),
        ("44", Offer("a", category="jeans", sizes=("44",)), False),
        ("44", Offer("a", sizes=("62", "66")), True),  # beyond any shoe
        ("44", Offer("a", sizes=("40", "42")), False),  # shoes or trousers: who knows
        ("44", Offer("a", category="sneakers", sizes=("40", "42")), False),
        ("M", Offer("a", category="sneakers", sizes=("P", "G")), False),
    ],
)
def test_a_declared_clothing_size_filters_only_clothing_on_the_same_scale(
    size: str, offer: Offer, gone: bool
) -> None:
    assert filters(offer, preference(K.CLOTHING_SIZE, size)) is gone


def test_a_size_filter_says_what_there_is() -> None:
    offer = Offer("a", category="shoes", sizes=("40", "41"))
    (filtered,) = rank([offer], [preference(K.SHOE_SIZE, "42")]).filtered
    assert (filtered.key, filtered.reason) == (K.SHOE_SIZE, "not in size 42, only 40, 41")


@pytest.mark.parametrize(
    ("restriction", "tag"),
    [
        ("sem lactose", "contém lactose"),
        ("sem lactose", "Com Lactose"),
        ("sem lactose", "lactose"),
        ("sem lactose", "contém glúten e lactose"),
        ("lactose-free", "contains lactose"),
        ("no pork", "contains pork"),
        ("sin gluten", "contiene gluten"),
        ("gluten free", "may contain gluten"),
        ("alergia a amendoim", "pode conter amendoim"),
        ("peanut allergy", "traces of peanuts"),
        ("gluten", "contains gluten"),
        ("vegano", "não vegano"),
        ("vegan", "Non-Vegan"),
    ],
)
def test_a_tag_that_says_the_contrary_of_a_declared_diet_filters(
    restriction: str, tag: str
) -> None:
    offer = Offer("a", tags=("promoção", tag))
    (filtered,) = rank([offer], [preference(K.DIETARY_RESTRICTIONS, [restriction])]).filtered
    assert filtered.key is K.DIETARY_RESTRICTIONS
    assert filtered.reason == f"tagged {tag}, against {restriction}"


@pytest.mark.parametrize(
    ("restriction", "tag"),
    [
        ("sem lactose", "sem lactose"),
        ("sem lactose", "zero lactose"),
        ("sem lactose", "contém glúten"),
        ("sem lactose", "orgânico"),
        ("gluten", "gluten-free"),
        ("lactose", "no lactose"),
        ("vegano", "no vegano"),  # English or Spanish: unclear
        ("vegano", "vegano"),
        ("vegan", "vegetarian"),
    ],
)
def test_a_tag_that_does_not_say_the_contrary_never_filters(restriction: str, tag: str) -> None:
    assert not filters(Offer("a", tags=(tag,)), preference(K.DIETARY_RESTRICTIONS, [restriction]))


AGAINST_ALL = Offer(
    "against", brand="Marca X", category="shoes", sizes=("40",), tags=("contém lactose",)
)


@pytest.mark.parametrize(
    ("key", "value"),
    [
        (K.SHOE_SIZE, "42"),
        (K.AVOIDED_BRANDS, "Marca X"),
        (K.DIETARY_RESTRICTIONS, "sem lactose"),
    ],
)
def test_an_inferred_value_never_filters_it_only_puts_behind(
    key: PreferenceKey, value: Value
) -> None:
    assert filters(AGAINST_ALL, preference(key, value))
    ranking = rank([AGAINST_ALL, Offer("plain")], [preference(key, value, INFERRED)])
    assert ids(ranking) == ["plain", "against"]
    assert ranking.filtered == ()
    assert ranking.ordered_by == (Ordering(key, INFERRED),)


def test_when_both_are_known_the_declared_value_counts() -> None:
    items = [
        preference(K.SHOE_SIZE, "42", INFERRED),
        preference(K.SHOE_SIZE, "40"),
        preference(K.PREFERRED_BRANDS, "Mizuno", INFERRED),
        preference(K.PREFERRED_BRANDS, "Asics"),
    ]
    offers = [
        Offer("mizuno", brand="Mizuno"),
        Offer("asics", brand="ASICS"),
        Offer("only-42", category="shoes", sizes=("42",)),
        Offer("only-40", category="shoes", sizes=("40",)),
    ]
    ranking = rank(offers, items)
    assert ids(ranking) == ["asics", "mizuno", "only-40"]
    assert [f.offer.product_id for f in ranking.filtered] == ["only-42"]
    assert ranking.ordered_by == (Ordering(K.PREFERRED_BRANDS, DECLARED),)


def test_declared_preferences_rank_above_any_number_of_inferred_ones() -> None:
    items = [
        preference(K.PREFERRED_MERCHANTS, "Cobasi", INFERRED),
        preference(K.SHOE_SIZE, "42", INFERRED),
        preference(K.PREFERRED_BRANDS, ["Asics", "Mizuno"]),
    ]
    offers = [
        Offer("nothing"),
        Offer("inferred", merchant="cobasi", category="shoes", sizes=("42",)),
        Offer("declared", brand="Mizuno", category="shoes", sizes=("40",)),
        Offer("both", brand="Asics", merchant="Cobasi"),
        Offer("later-nothing", brand="Other"),
    ]
    ranking = rank(offers, items)
    assert ids(ranking) == ["both", "declared", "inferred", "nothing", "later-nothing"]
    assert ranking.ordered_by == (
        Ordering(K.PREFERRED_BRANDS, DECLARED),
        Ordering(K.SHOE_SIZE, INFERRED),
        Ordering(K.PREFERRED_MERCHANTS, INFERRED),
    )


def test_a_preference_that_tells_no_offers_apart_did_not_order_them() -> None:
    same = [Offer("a", brand="Asics"), Offer("b", brand="ASICS")]
    assert rank(same, [preference(K.PREFERRED_BRANDS, "Asics")]).ordered_by == ()


def test_an_offer_is_filtered_once_by_the_first_of_the_six_it_goes_against() -> None:
    items = [
        preference(K.DIETARY_RESTRICTIONS, "sem lactose"),
        preference(K.AVOIDED_BRANDS, "Marca X"),
        preference(K.SHOE_SIZE, "42"),
    ]
    assert [f.key for f in rank([AGAINST_ALL], items).filtered] == [K.SHOE_SIZE]
    assert [f.key for f in rank([AGAINST_ALL], items[:2]).filtered] == [K.AVOIDED_BRANDS]


def test_avoided_beats_preferred_when_a_brand_is_both() -> None:
    both = [preference(K.PREFERRED_BRANDS, "Asics"), preference(K.AVOIDED_BRANDS, "Asics")]
    assert filters(Offer("a", brand="Asics"), *both)


def test_an_offer_is_read_as_sent_and_unknown_fields_stay_with_it() -> None:
    raw: dict[str, Json] = {
        "product_id": "p", "sku_id": "s", "title": "Tênis", "brand": "Asics", "merchant": "Loja",
        "category": "calçados", "sizes": ["40", 42], "tags": ["corrida"], "price_minor": 39990,
        "currency": "BRL", "available": False, "variants": [{"sku_id": "s1"}], "new": {"x": 1},
    }  # fmt: skip
    offer = read(raw)
    assert offer == Offer(
        "p", "s", "Tênis", "Asics", "Loja", "calçados", ("40", "42"), ("corrida",), 39990, "BRL",
        available=False,
    )  # fmt: skip
    assert rank([offer], []).offers[0].raw == raw


def test_a_field_of_an_unexpected_type_is_unknown_and_half_a_list_is_none() -> None:
    offer = read({
        "product_id": "p", "brand": 7, "sizes": ["40", None], "tags": "corrida",
        "price_minor": True, "merchant": " ", "available": None,
    })  # fmt: skip
    assert offer == Offer("p")


@pytest.mark.parametrize("raw", [{}, {"product_id": ""}, {"product_id": 7}])
def test_an_offer_without_an_id_is_refused(raw: dict[str, Json]) -> None:
    with pytest.raises(InvalidInput):
        read(raw)


def test_ranking_loses_nothing_and_only_declared_values_filter() -> None:
    reached: Counter[str] = Counter()
    offers = st.lists(
        st.builds(
            Offer,
            st.uuids().map(str),
            brand=st.sampled_from([None, "Asics", "Marca X", "MIZUNO"]),
            merchant=st.sampled_from([None, "Cobasi"]),
            category=st.sampled_from([None, "shoes", "roupas"]),
            sizes=st.sampled_from([(), ("40",), ("42", "43"), ("M",), ("P", "G"), ("?",)]),
            tags=st.sampled_from([(), ("contém lactose",), ("sem lactose",)]),
        ),
        max_size=6,
        unique_by=lambda offer: offer.product_id,
    )
    values: dict[PreferenceKey, Value] = {
        K.SHOE_SIZE: "42",
        K.CLOTHING_SIZE: "M",
        K.PREFERRED_BRANDS: ("Asics",),
        K.AVOIDED_BRANDS: ("Marca X",),
        K.PREFERRED_MERCHANTS: ("Cobasi",),
        K.DIETARY_RESTRICTIONS: ("sem lactose",),
    }
    items = st.sets(st.tuples(st.sampled_from(K), st.sampled_from(Provenance))).map(
        lambda chosen: [preference(key, values[key], p) for key, p in sorted(chosen)]
    )

    @settings(max_examples=250, deadline=None, derandomize=True, database=None)
    @given(offers, items)
    def check(given_: list[Offer], held: list[Item]) -> None:
        ranking = rank(given_, held)
        came_out = ids(ranking) + [f.offer.product_id for f in ranking.filtered]
        assert sorted(came_out) == sorted(offer.product_id for offer in given_)
        declared = {item.key for item in held if item.provenance is DECLARED}
        assert {f.key for f in ranking.filtered} <= declared
        assert rank(given_, reversed(held)) == ranking
        assert rank(ranking.offers, held).offers == ranking.offers
        reached.update(f"filtered {f.key}" for f in ranking.filtered)
        reached.update(f"ordered {o.key} {o.provenance}" for o in ranking.ordered_by)

    check()
    for key in (K.SHOE_SIZE, K.CLOTHING_SIZE, K.AVOIDED_BRANDS, K.DIETARY_RESTRICTIONS):
        assert reached[f"filtered {key}"] >= 3, reached
        assert reached[f"ordered {key} inferred"] >= 3, reached
    for key in (K.PREFERRED_BRANDS, K.PREFERRED_MERCHANTS):
        for provenance in Provenance:
            assert reached[f"ordered {key} {provenance}"] >= 3, reached
