"""A shop's offers as they arrive in a file or an answer, checked once (protocols 3.4, 5.3).

The contract is additive: unknown fields pass through, and a known field of the wrong type is
unknown rather than an error. But it is named, because a size that is not read does not filter.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from pydantic import BaseModel, ConfigDict, StrictBool, StrictInt, StrictStr, ValidationError

from localmem.core.model import Json
from localmem.core.offers import Offer, read
from localmem.errors import InvalidInput

MOST_OFFERS = 1_000


class OfferIn(BaseModel):
    """What an offer may say; nothing but its id is required."""

    model_config = ConfigDict(extra="allow")

    product_id: StrictStr
    sku_id: StrictStr | None = None
    title: StrictStr | None = None
    brand: StrictStr | None = None
    merchant: StrictStr | None = None
    category: StrictStr | None = None
    sizes: list[StrictStr | StrictInt] | None = None
    tags: list[StrictStr | StrictInt] | None = None
    price_minor: StrictInt | None = None
    """In the currency's smallest unit: 19990 is 199.90."""
    currency: StrictStr | None = None
    available: StrictBool | None = None


@dataclass(frozen=True, slots=True)
class Received:
    offers: tuple[Offer, ...]
    notes: tuple[str, ...]
    """One sentence for each field that was passed over."""


def receive(value: Json) -> Received:
    """The offers of a list, or of an object's member `offers` or `items`.

    Raises InvalidInput for anything else, and for an offer without a `product_id`.
    """
    offers: list[Offer] = []
    notes: list[str] = []
    for number, raw in enumerate(_entries(value), start=1):
        if not isinstance(raw, dict):
            raise InvalidInput(f"Offer {number} is not a JSON object.", hint=_HINT)
        product_id = raw.get("product_id")
        if not isinstance(product_id, str) or not product_id.strip():
            raise InvalidInput(
                f"Offer {number} has no product_id.",
                hint="Every offer needs one, as text; everything else is optional.",
                details={"offer": number, "field": "product_id"},
            )
        notes.extend(f"Offer {number}: {field} was passed over, it is not {what}."
                     for field, what in _passed_over(raw))  # fmt: skip
        offers.append(read(raw))
    return Received(tuple(offers), tuple(notes))


_HINT = 'Give a JSON list of offers, such as [{"product_id": "p-1", "sizes": ["42"]}].'
_LISTS = ("sizes", "tags")


def _entries(value: Json) -> Sequence[Json]:
    if isinstance(value, dict):
        value = value.get("offers", value.get("items"))
    if not isinstance(value, list):
        raise InvalidInput("This is not a list of offers.", hint=_HINT)
    if len(value) > MOST_OFFERS:
        raise InvalidInput(
            f"{len(value):,} offers are more than {MOST_OFFERS:,}.", hint="Pass them in parts."
        )
    return value


def _passed_over(raw: dict[str, Json]) -> list[tuple[str, str]]:
    """The known fields whose type is not the contract's, and what they should be."""
    try:
        OfferIn.model_validate(raw)
    except ValidationError as refused:
        fields = dict.fromkeys(str(problem["loc"][0]) for problem in refused.errors())
        return [(field, _what(field)) for field in fields]
    return []


def _what(field: str) -> str:
    if field in _LISTS:
        return "a list of texts"
    return {"price_minor": "a whole number", "available": "true or false"}.get(field, "text")
