"""`offers`: what a shop found, filtered and ordered by the person's own preferences."""

from __future__ import annotations

from pathlib import Path

import click

from localmem.cli import columns, options, present
from localmem.cli.framework import command
from localmem.cli.session import Session
from localmem.core import json_text, offers
from localmem.core.offers import Offer, Ranking
from localmem.core.visible import visible
from localmem.errors import InvalidInput
from localmem.wire import shapes

LARGEST = 16_000_000
"""Bytes of a file of offers."""


@command(
    "offers",
    examples=[
        "localmem offers offers.json",
        "localmem offers - --json < answer.json | jq .applied",
    ],
)
@click.argument("file", type=options.FILE)
@click.pass_obj
def offers_(session: Session, file: Path) -> None:
    """Filter and order a shop's offers by your preferences.

    FILE holds a JSON list of offers; `-` reads it from stdin. What you declared takes offers out,
    each with its reason; what a purchase suggested only orders them. Nothing is stored.
    """
    from localmem.wire.offers import receive

    piped = str(file) == "-"
    text = session.console.read_all("the offers as JSON", LARGEST) if piped else _read(file)
    received = receive(json_text.parse(text))
    for note in received.notes:
        session.warn(note)
    with session.reading() as engine:
        entries = engine.preferences.list()
    held = [item for entry in entries for item in (entry.declared, entry.inferred) if item]
    ranked = offers.rank(received.offers, held)
    session.answer(shapes.ranking(ranked), _lines(session, ranked))
    if session.as_json:
        return
    for out in ranked.filtered:
        session.warn(f"Left out {_name(out.offer)}: {out.reason}.")
    by = present.joined(f"{each.key} ({each.provenance})" for each in ranked.ordered_by)
    if ranked.ordered_by:
        session.warn(f"Ordered by {by}.")


def _read(file: Path) -> str:
    try:
        with file.open("rb") as opened:
            raw = opened.read(LARGEST + 1)
        if len(raw) > LARGEST:
            raise InvalidInput(f"{file} has more than {LARGEST:,} bytes.", hint="Pass it in parts.")
        return raw.decode("utf-8-sig")
    except UnicodeDecodeError as refused:
        raise InvalidInput(f"{file} is not UTF-8.", hint="Save it as UTF-8.") from refused
    except OSError as problem:
        raise InvalidInput(
            f"{file} cannot be read: {problem.strerror}.",
            hint="Name a file with a JSON list of offers, or `-` for stdin.",
        ) from problem


def _lines(session: Session, ranked: Ranking) -> list[str]:
    console = session.console
    rows = [
        [visible(offer.product_id), _price(offer), visible(offer.brand or present.NOTHING),
         _name(offer)]
        for offer in ranked.offers
    ]  # fmt: skip
    return columns.lines(rows, room=console.room, styles=(console.faint,))


def _name(offer: Offer) -> str:
    return visible(offer.title or offer.product_id)


def _price(offer: Offer) -> str:
    """The smallest unit as it came: how many decimals a currency has is the shop's business."""
    if offer.price_minor is None:
        return present.NOTHING
    amount = f"{offer.price_minor / 100:,.2f}" if _has_cents(offer) else f"{offer.price_minor:,}"
    return visible(f"{amount} {offer.currency or ''}".strip())


def _has_cents(offer: Offer) -> bool:
    return (offer.currency or "").upper() not in ("JPY", "CLP", "KRW", "VND", "PYG", "ISK", "")
