"""`collections`: what kinds of documents there are, defined once for the library (memory-api)."""

from __future__ import annotations

from typing import TYPE_CHECKING

import click

from localmem.cli import answers, columns, options, present
from localmem.cli.exit_codes import ExitCode
from localmem.cli.framework import Group
from localmem.cli.session import Session
from localmem.core.model import Collection, Kind
from localmem.core.records import Slice
from localmem.wire import shapes

if TYPE_CHECKING:
    from localmem.engine import Engine


@click.group("collections", cls=Group)
def collections() -> None:
    """Define collections of JSON documents, and see which there are.

    `localmem collection` (without s) reads and writes the documents themselves.
    """


@collections.command_of(
    "create",
    examples=[
        "localmem collections create orders --index status",
        "localmem collections create carts --index owner.id --default-ttl 30d",
    ],
)
@click.argument("name")
@click.option(
    "--index",
    "indexes",
    multiple=True,
    metavar="FIELD",
    help="A field to query by, dots for nested ones; at most 2, fixed for good.",
)
@click.option("--default-ttl", type=options.TTL, help="How long its documents are kept: 12h, 30d …")
@click.pass_obj
def create(session: Session, name: str, indexes: tuple[str, ...], default_ttl: int | None) -> None:
    """Create a collection, with the fields it can be queried by.

    Writing to a name that does not exist creates it too, but without indexes, and none can be
    added later.
    """
    with session.writing() as engine:
        made = engine.documents.create_collection(
            name, indexes=indexes, default_ttl=default_ttl or None
        )
        session.answer(shapes.collection(made), _lines(session, engine, [made]))
        session.done("Created.")


@collections.command_of(
    "list", examples=["localmem collections list", "localmem collections list --json"]
)
@click.pass_obj
def list_(session: Session) -> None:
    """Show every collection with its indexes and documents."""
    with session.reading() as engine:
        held = engine.documents.collections()
        shape = shapes.page([shapes.collection(each) for each in held])
        session.answer(shape, _lines(session, engine, held))
        if not held and not session.as_json:
            session.warn(
                "There are no collections yet. `localmem collections create NAME --index FIELD` "
                "makes one."
            )


@collections.command_of(
    "show", examples=["localmem collections show orders", "localmem collections show orders --json"]
)
@click.argument("name", type=options.COLLECTION)
@click.pass_obj
def show(session: Session, name: str) -> None:
    """Show one collection: its indexes, default time to live, documents per scope."""
    with session.reading() as engine:
        made = engine.documents.collection(name)
        counts = [count for count in engine.library.shelf().counts if count.collection == name]
        times = present.Times(engine.now(), session.zone())
        rows = [
            ["name", made.name],
            ["indexes", present.joined(made.indexes)],
            ["default ttl", _ttl(made)],
            ["created", f"{times.at(made.created_at)}{', by a write' if made.implicit else ''}"],
            *(["documents", f"{count.items:,} in {count.scope}"] for count in counts),
        ]
        shape = shapes.collection(made)
        shape["documents"] = [{"scope": str(count.scope), "items": count.items} for count in counts]
        session.answer(shape, columns.lines(rows, room=None))


@collections.command_of(
    "delete",
    examples=["localmem collections delete carts", "localmem collections delete carts --yes"],
)
@click.argument("name", type=options.COLLECTION)
@options.yes_option
@click.pass_obj
def delete(session: Session, name: str, yes: bool) -> ExitCode:
    """Forget a collection and its documents in every scope, for good."""
    with session.writing() as engine:
        engine.documents.collection(name)
        documents = engine.library.count(Slice(Kind.DOCUMENT, collection=name))
        question = (
            f"Forget the collection {name} with {present.count(documents, 'document')} for good?"
        )
        if not answers.confirmed(session, question, (), yes=yes):
            return ExitCode.FAILURE
        return answers.forgotten(session, engine, engine.forgetting.delete_collection(name))


def _lines(session: Session, engine: Engine, held: list[Collection]) -> list[str]:
    if session.as_json:
        return []
    counts: dict[str, int] = {}
    for count in engine.library.shelf().counts:
        if count.collection:
            counts[count.collection] = counts.get(count.collection, 0) + count.items
    rows = [
        [
            each.name,
            present.count(counts.get(each.name, 0), "document"),
            f"indexes {present.joined(each.indexes)}, ttl {_ttl(each)}",
        ]
        for each in held
    ]
    return columns.lines(rows, room=session.console.room, styles=(session.console.strong,))


def _ttl(made: Collection) -> str:
    if made.default_ttl is None:
        return "none"
    days, rest = divmod(made.default_ttl, 86_400)
    return present.count(days, "day") if days and not rest else f"{made.default_ttl:,} seconds"
