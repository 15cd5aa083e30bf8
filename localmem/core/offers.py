"""Declared preferences filter a shop's offers, inferred ones only order them (shop-memory).

The contract has no brand, size, store or tag field yet (protocols 3.4), so an offer may say any
of them or nothing: an attribute that is unknown never filters. Where a filter would have to guess
it lets the offer through:

    size      An offer is shoes or clothing by its category and tags; without either, only if its
              sizes can be nothing else (`42.5`, `M`), because `40, 42` may be both. It goes when
              every size it names is on the person's own scale and none is theirs: a `G` is not
              compared with `44`, nor a Brazilian 42 with a US 9.
    brands    The same name but for case, accents and punctuation, never a part of one. The title
              is not read: "fits Nike shoes" is no Nike.
    diet      A tag must say the contrary: "contém lactose" against "sem lactose", "não vegano"
              against "vegano". Tags that say nothing of it are unknown.

Refuses to hide what it filtered: each offer that goes is named with the key and the reason.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from enum import Enum

from localmem.core import preferences, words
from localmem.core.model import Item, Json, PreferenceContent, Provenance
from localmem.core.preferences import PreferenceKey, SizeScale
from localmem.errors import InvalidInput


@dataclass(frozen=True, slots=True)
class Offer:
    product_id: str
    sku_id: str | None = None
    title: str | None = None
    brand: str | None = None
    merchant: str | None = None
    category: str | None = None
    sizes: tuple[str, ...] = ()
    """As the shop writes them; () when it does not say."""
    tags: tuple[str, ...] = ()
    """Free words: "tênis", "sem glúten"; () when it does not say."""
    price_minor: int | None = None
    """In the currency's smallest unit."""
    currency: str | None = None
    available: bool = True
    raw: Mapping[str, Json] = field(default_factory=dict, compare=False, repr=False)
    """As received, so that unknown fields reach the caller unchanged."""


@dataclass(frozen=True, slots=True)
class Filtered:
    offer: Offer
    key: PreferenceKey
    """The first key, in the order of the six, that the offer goes against."""
    reason: str
    """A sentence without a full stop: `brand Marca X is avoided`."""


@dataclass(frozen=True, slots=True)
class Ordering:
    """A preference that put at least one of the kept offers before or behind others."""

    key: PreferenceKey
    provenance: Provenance


@dataclass(frozen=True, slots=True)
class Ranking:
    offers: tuple[Offer, ...]
    """Kept ones, best first; equals in the order received."""
    filtered: tuple[Filtered, ...] = ()
    """In the order received."""
    ordered_by: tuple[Ordering, ...] = ()
    """Strongest first: declared before inferred, then in the order of the six."""


def read(raw: Mapping[str, Json]) -> Offer:
    """An offer as a shop sends it. Raises InvalidInput without a `product_id`.

    Every other field is optional; one of an unexpected type is unknown, not an error, because the
    contract is additive.
    """
    product_id = _text(raw, "product_id")
    if not product_id:
        raise InvalidInput(
            "An offer has no product_id.", hint="Pass offers as codespar_shop returns them."
        )
    price = raw.get("price_minor")
    return Offer(
        product_id,
        sku_id=_text(raw, "sku_id"),
        title=_text(raw, "title"),
        brand=_text(raw, "brand"),
        merchant=_text(raw, "merchant"),
        category=_text(raw, "category"),
        sizes=_texts(raw, "sizes"),
        tags=_texts(raw, "tags"),
        price_minor=price if isinstance(price, int) and not isinstance(price, bool) else None,
        currency=_text(raw, "currency"),
        available=raw.get("available") is not False,
        raw=raw,
    )


def rank(offers: Iterable[Offer], items: Iterable[Item]) -> Ranking:
    """Filter by what is declared, then order: preferred and declared first, inferred after it.

    `items` are the person's preferences in any order; items of another kind are passed over. A
    declared value silences the inferred one of its key.
    """
    counted = _counted(items)
    kept: list[Offer] = []
    filtered: list[Filtered] = []
    for offer in offers:
        against = next(_contradictions(offer, counted), None)
        if against:
            filtered.append(against)
        else:
            kept.append(offer)
    orders = [preference for preference in counted if not preference.filters]
    orders.sort(key=lambda preference: preference.provenance is Provenance.INFERRED)
    kept.sort(key=lambda offer: _standing(offer, orders), reverse=True)  # stable, also reversed
    telling = [p for p in orders if len({_fit(offer, p) for offer in kept}) > 1]
    return Ranking(
        tuple(kept), tuple(filtered), tuple(Ordering(p.key, p.provenance) for p in telling)
    )


class _Fit(Enum):
    """How an offer meets a preference; the value is what it adds to the offer's standing."""

    AGAINST = -1
    UNKNOWN = 0
    MEETS = 1


@dataclass(frozen=True, slots=True)
class _Preference:
    key: PreferenceKey
    values: tuple[str, ...]
    provenance: Provenance

    @property
    def filters(self) -> bool:
        return self.provenance is Provenance.DECLARED and self.key not in _PREFERRED


_PREFERRED = (PreferenceKey.PREFERRED_BRANDS, PreferenceKey.PREFERRED_MERCHANTS)


def _counted(items: Iterable[Item]) -> list[_Preference]:
    """The value that counts for each key, in the order of the six."""
    held: dict[tuple[str, Provenance | None], Item] = {
        (item.key, item.provenance): item
        for item in items
        if isinstance(item.head.content, PreferenceContent)
    }
    counted = []
    for key in PreferenceKey:
        found = preferences.effective(
            held.get((key, Provenance.DECLARED)), held.get((key, Provenance.INFERRED))
        )
        if found and isinstance(found.counts.head.content, PreferenceContent):
            value = found.counts.head.content.value
            values = (value,) if isinstance(value, str) else value
            provenance = Provenance.DECLARED if found.filters else Provenance.INFERRED
            counted.append(_Preference(key, values, provenance))
    return counted


def _contradictions(offer: Offer, counted: Sequence[_Preference]) -> Iterator[Filtered]:
    for preference in counted:
        if preference.filters and _fit(offer, preference) is _Fit.AGAINST:
            yield Filtered(offer, preference.key, _reason(offer, preference))


def _standing(offer: Offer, orders: Sequence[_Preference]) -> tuple[int, int]:
    """What is declared for it, then what is inferred; within each, every match counts one."""
    standing = {Provenance.DECLARED: 0, Provenance.INFERRED: 0}
    for preference in orders:
        standing[preference.provenance] += _fit(offer, preference).value
    return standing[Provenance.DECLARED], standing[Provenance.INFERRED]


def _fit(offer: Offer, preference: _Preference) -> _Fit:
    return _FITS[preference.key](offer, preference.values)


def _reason(offer: Offer, preference: _Preference) -> str:
    match preference.key:
        case PreferenceKey.SHOE_SIZE | PreferenceKey.CLOTHING_SIZE:
            return f"not in size {preference.values[0]}, only {', '.join(offer.sizes)}"
        case PreferenceKey.DIETARY_RESTRICTIONS:
            tag, restriction = next(_diet_clashes(offer.tags, preference.values))
            return f"tagged {tag}, against {restriction}"
        case _:
            return f"brand {offer.brand} is avoided"


# --- names -----------------------------------------------------------------------------------


def _is_one_of(name: str | None, names: Sequence[str]) -> bool:
    if not name:
        return False
    key = preferences.same_name_key(name)
    return any(preferences.same_name_key(other) == key for other in names)


def _preferred_brand(offer: Offer, names: Sequence[str]) -> _Fit:
    return _Fit.MEETS if _is_one_of(offer.brand, names) else _Fit.UNKNOWN


def _preferred_merchant(offer: Offer, names: Sequence[str]) -> _Fit:
    return _Fit.MEETS if _is_one_of(offer.merchant, names) else _Fit.UNKNOWN


def _avoided_brand(offer: Offer, names: Sequence[str]) -> _Fit:
    return _Fit.AGAINST if _is_one_of(offer.brand, names) else _Fit.UNKNOWN


# --- sizes -----------------------------------------------------------------------------------

_SHOE_WORDS = frozenset(
    {"shoe", "shoes", "footwear", "sneaker", "sneakers", "boot", "boots", "sandal", "sandals",
     "slippers", "heels", "tenis", "sapato", "sapatos", "sapatilha", "sapatilhas", "calcado",
     "calcados", "bota", "botas", "sandalia", "sandalias", "chinelo", "chinelos", "zapato",
     "zapatos", "zapatilla", "zapatillas", "calzado"}
)  # fmt: skip
_CLOTHING_WORDS = frozenset(
    {"clothing", "clothes", "apparel", "shirt", "shirts", "tshirt", "tshirts", "pants",
     "trousers", "jeans", "dress", "dresses", "jacket", "jackets", "coat", "skirt", "shorts",
     "sweater", "hoodie", "roupa", "roupas", "vestuario", "camisa", "camisas", "camiseta",
     "camisetas", "calca", "calcas", "vestido", "vestidos", "jaqueta", "casaco", "saia", "blusa",
     "bermuda", "moletom", "ropa", "pantalon", "pantalones", "chaqueta", "falda", "sudadera"}
)  # fmt: skip
_SHOE_SCALES = frozenset({SizeScale.SHOE})
_CLOTHING_SCALES = frozenset(SizeScale) - _SHOE_SCALES
_Scales = frozenset[SizeScale]


def _scales_of(offer: Offer) -> _Scales:
    """What its sizes may be by what the offer says it is; by the sizes alone when it does not."""
    said = set(words.index_text(" ".join([offer.category or "", *offer.tags])).split())
    shoes, clothing = bool(said & _SHOE_WORDS), bool(said & _CLOTHING_WORDS)
    if shoes != clothing:
        return _SHOE_SCALES if shoes else _CLOTHING_SCALES
    possible = [scale for scale in SizeScale if _all_on(offer.sizes, scale)]
    families = {scale in _SHOE_SCALES for scale in possible}
    return frozenset(possible) if len(families) == 1 else frozenset()


def _all_on(sizes: Sequence[str], scale: SizeScale) -> bool:
    return bool(sizes) and all(
        any(meant is scale for meant, _ in preferences.read_size(size)) for size in sizes
    )


def _size_fit(offer: Offer, values: Sequence[str], family: _Scales) -> _Fit:
    theirs = preferences.read_size(values[0])
    scales = _scales_of(offer) & family & {scale for scale, _ in theirs}
    comparable = [scale for scale in scales if _all_on(offer.sizes, scale)]
    offered = {meaning for size in offer.sizes for meaning in preferences.read_size(size)}
    if any(scale in scales for scale, _ in theirs & offered):
        return _Fit.MEETS
    return _Fit.AGAINST if comparable else _Fit.UNKNOWN


def _shoe_size(offer: Offer, values: Sequence[str]) -> _Fit:
    return _size_fit(offer, values, _SHOE_SCALES)


def _clothing_size(offer: Offer, values: Sequence[str]) -> _Fit:
    return _size_fit(offer, values, _CLOTHING_SCALES)


# --- diet ------------------------------------------------------------------------------------

_CONTAINS = re.compile(
    r"(?:contem|contains?|contiene|com|with|con|may contain|pode conter|puede contener"
    r"|tracos de|traces of|trazas de) (.+)"
)
_FREE = re.compile(
    r"(?:sem|zero|no|without|sin|free of|free from|livre de|libre de|nao contem|no contiene"
    r"|does not contain|alergia (?:a|ao|al)|alergic[oa] (?:a|ao|al)|allergic to"
    r"|intolerancia (?:a|ao|al)|intolerante (?:a|ao|al)) (.+)"
    r"|(.+) (?:free|allergy|intolerance|intolerant)"
)
_NOT = re.compile(r"(?:nao|not|non) (.+)")
_AND = re.compile(r" (?:e|and|y|ou|or|o) ")


_UNCLEAR = re.compile(r"no (?!contiene )")
"""As a tag, "no …" frees of a substance in English and denies a diet in Spanish."""


class _Says(Enum):
    CONTAINS = "contains"
    FREE = "free"
    NOT = "not"
    IS = "is"


_CLAIMS = ((_Says.FREE, _FREE), (_Says.CONTAINS, _CONTAINS), (_Says.NOT, _NOT))


def _claims(text: str) -> frozenset[tuple[_Says, str]]:
    """What a tag or restriction says, as (claim, subject): "Sem lactose" is (FREE, "lactose").

    "Contém leite e glúten" says it of both.
    """
    says = _Says.IS
    claims = set()
    for part in _AND.split(words.index_text(text)):
        subject = part
        for claim, pattern in _CLAIMS:
            match = pattern.fullmatch(part)
            if match:
                says, subject = claim, match[match.lastindex or 0]
                break
        claims.add((says, _singular(subject)))
    return frozenset(claims)


def _singular(subject: str) -> str:
    return " ".join(w[:-1] if len(w) > 3 and w.endswith("s") else w for w in subject.split())


# By what a restriction says: the claims of a tag that are against it, and those that meet it.
_AGAINST = {
    _Says.FREE: (_Says.CONTAINS, _Says.IS),
    _Says.NOT: (_Says.CONTAINS, _Says.IS),
    _Says.CONTAINS: (_Says.FREE, _Says.NOT),
    _Says.IS: (_Says.CONTAINS, _Says.NOT),  # "lactose" is not for them; "vegan" is their diet
}
_MEETS = {
    _Says.FREE: (_Says.FREE, _Says.NOT),
    _Says.NOT: (_Says.FREE, _Says.NOT),
    _Says.CONTAINS: (_Says.CONTAINS, _Says.IS),
    _Says.IS: (_Says.IS, _Says.FREE),
}


def _related(
    tags: Sequence[str],
    restrictions: Sequence[str],
    relation: Mapping[_Says, tuple[_Says, ...]],
) -> Iterator[tuple[str, str]]:
    """The (tag, restriction) pairs about one subject that stand in this relation."""
    clear = [tag for tag in tags if not _UNCLEAR.match(words.index_text(tag))]
    claims = [(tag, claim) for tag in clear for claim in _claims(tag)]
    for restriction in restrictions:
        for says, subject in _claims(restriction):
            for tag, claim in claims:
                if claim in {(other, subject) for other in relation[says]}:
                    yield tag, restriction


def _diet_clashes(tags: Sequence[str], restrictions: Sequence[str]) -> Iterator[tuple[str, str]]:
    return _related(tags, restrictions, _AGAINST)


def _diet(offer: Offer, restrictions: Sequence[str]) -> _Fit:
    if next(_diet_clashes(offer.tags, restrictions), None):
        return _Fit.AGAINST
    return _Fit.MEETS if next(_related(offer.tags, restrictions, _MEETS), None) else _Fit.UNKNOWN


_FITS: dict[PreferenceKey, Callable[[Offer, Sequence[str]], _Fit]] = {
    PreferenceKey.SHOE_SIZE: _shoe_size,
    PreferenceKey.CLOTHING_SIZE: _clothing_size,
    PreferenceKey.PREFERRED_BRANDS: _preferred_brand,
    PreferenceKey.AVOIDED_BRANDS: _avoided_brand,
    PreferenceKey.PREFERRED_MERCHANTS: _preferred_merchant,
    PreferenceKey.DIETARY_RESTRICTIONS: _diet,
}


def _text(raw: Mapping[str, Json], name: str) -> str | None:
    value = raw.get(name)
    return value if isinstance(value, str) and value.strip() else None


def _texts(raw: Mapping[str, Json], name: str) -> tuple[str, ...]:
    """A list of texts and whole numbers; () when any entry is something else, or it is no list.

    Half a list would be worse than none: a size that cannot be read may be the person's own.
    """
    value = raw.get(name)
    if not isinstance(value, list):
        return ()
    plain = [str(v) if isinstance(v, (str, int)) and not isinstance(v, bool) else "" for v in value]
    return tuple(plain) if all(text.strip() for text in plain) else ()
