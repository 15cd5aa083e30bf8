"""`collection`: JSON documents by key and by indexed field; the verb comes before the name."""

from __future__ import annotations

from pathlib import Path

import click

from localmem.cli import answers, columns, options, present
from localmem.cli.exit_codes import ExitCode
from localmem.cli.framework import Group
from localmem.cli.session import Session
from localmem.core import documents, json_text
from localmem.core.documents import MAX_BYTES
from localmem.core.model import DocumentContent, Json, Kind
from localmem.core.scope import PROJECT, Scope
from localmem.core.visible import visible
from localmem.engine.documents import LONGEST_PAGE, PAGE, Page
from localmem.errors import InvalidInput
from localmem.wire import shapes

LARGEST = 10 * MAX_BYTES
"""Bytes of JSON that are read: what is kept is compact, what is typed may be indented."""


@click.group("collection", cls=Group)
def collection() -> None:
    """Read and write the documents of a collection.

    Each document has a key and belongs to one scope, the project unless --scope says another.
    """


@collection.command_of(
    "set",
    context_settings={"ignore_unknown_options": True},
    examples=[
        'localmem collection set orders ORD-1 \'{"status": "shipped"}\'',
        "localmem collection set orders ORD-1 - --scope contact:ana < order.json",
        'localmem collection set orders ORD-1 \'{"status": "paid"}\' --if-version 3',
    ],
)
@click.argument("name", type=options.COLLECTION)
@click.argument("key", type=options.DOCUMENT_KEY)
@click.argument("value", metavar="JSON")
@options.write_scope
@options.ttl_option
@options.if_version
@click.option("--only-new", is_flag=True, help="Only when the key is free; otherwise exit code 4.")
@options.keep_secret
@click.pass_obj
def set_(
    session: Session,
    name: str,
    key: str,
    value: str,
    scope: Scope,
    ttl: int | None,
    made_on: int | None,
    only_new: bool,
    keep_secret: bool,
) -> ExitCode:
    """Write a whole document under a key.

    JSON is any JSON value; `-` reads it from stdin. The collection is created when there is none,
    without indexes.
    """
    from localmem.engine import KEEP

    text = session.console.read_all("the JSON", LARGEST) if value == "-" else value
    with session.writing() as engine:
        content = json_text.parse(text)
        outcome = answers.keeping(
            session,
            lambda keep: engine.documents.set(
                name,
                key,
                content,
                scope=scope,
                ttl_seconds=KEEP if ttl is None else ttl or None,
                made_on=made_on,
                only_new=only_new or made_on == 0,
                keep_secret=keep,
            ),
            keep=keep_secret,
        )
        look = f"localmem collection get {name} {key}{_scope_option(scope)} --json"
        return answers.written(session, engine, outcome, where=look)


@collection.command_of(
    "get",
    examples=[
        "localmem collection get orders ORD-1 | jq .status",
        "localmem collection get orders ORD-1 --scope contact:ana --json",
    ],
)
@click.argument("name", type=options.COLLECTION)
@click.argument("key", type=options.DOCUMENT_KEY)
@options.write_scope
@click.pass_obj
def get(session: Session, name: str, key: str, scope: Scope) -> None:
    """Print a document's value; with --json the document with its rev and times."""
    with session.reading() as engine:
        item = engine.documents.get(name, key, scope=scope)
        content = item.head.content
        assert isinstance(content, DocumentContent)
        shown = visible(present.pretty(content.value), keep_newlines=True)
        session.answer(shapes.document(item), shown.split("\n"))


@collection.command_of(
    "delete",
    examples=["localmem collection delete orders ORD-1 --yes"],
)
@click.argument("name", type=options.COLLECTION)
@click.argument("key", type=options.DOCUMENT_KEY)
@options.write_scope
@options.yes_option
@click.pass_obj
def delete(session: Session, name: str, key: str, scope: Scope, yes: bool) -> ExitCode:
    """Forget a document for good, with every version."""
    with session.writing() as engine:
        item = engine.documents.get(name, key, scope=scope)
        return answers.forget(session, engine, [item.id], yes=yes)


@collection.command_of(
    "list",
    examples=[
        "localmem collection list orders",
        "localmem collection list orders --prefix ORD-2026 --scope contact:ana --json",
    ],
)
@click.argument("name", type=options.COLLECTION)
@options.write_scope
@click.option("--prefix", default="", help="Only keys that begin so.")
@options.limit_option(PAGE, LONGEST_PAGE)
@options.cursor_option
@click.pass_obj
def list_(
    session: Session, name: str, scope: Scope, prefix: str, limit: int, cursor: str | None
) -> None:
    """Show the documents of one scope, by key."""
    with session.reading() as engine:
        page = engine.documents.page(name, scope=scope, prefix=prefix, limit=limit, cursor=cursor)
    _answer(session, page, scope, f"No document of {name} is kept in {scope}")


@collection.command_of(
    "query",
    examples=[
        "localmem collection query orders --field status --eq shipped",
        "localmem collection query orders --field paid --eq true --json",
    ],
)
@click.argument("name", type=options.COLLECTION)
@click.option("--field", required=True, help="An indexed field; dots for nested ones.")
@click.option("--eq", "value", required=True, help="What it equals: JSON, otherwise plain text.")
@options.write_scope
@options.limit_option(PAGE, LONGEST_PAGE)
@options.cursor_option
@click.pass_obj
def query(
    session: Session,
    name: str,
    field: str,
    value: str,
    scope: Scope,
    limit: int,
    cursor: str | None,
) -> None:
    """Find documents whose indexed field has a value.

    The value is read as JSON (42, true, null, "42" in quotes); anything else is text.
    """
    with session.reading() as engine:
        page = engine.documents.query(
            name, field, _scalar(value), scope=scope, limit=limit, cursor=cursor
        )
    _answer(session, page, scope, f"No document of {name} in {scope} has that {field}")


@collection.command_of(
    "export",
    examples=[
        "localmem collection export orders > orders.ndjson",
        "localmem collection export orders --scope contact:ana | jq .key",
    ],
)
@click.argument("name", type=options.COLLECTION)
@options.write_scope
@click.pass_obj
def export(session: Session, name: str, scope: Scope) -> None:
    """Print the documents of one scope, a JSON object a line.

    `localmem export --collection NAME` writes every scope, with ids, authors and history.
    """
    from localmem.engine.exports import Wanted
    from localmem.portable import collection as portable

    wanted = Wanted(scope, Kind.DOCUMENT, name)
    with session.reading() as engine:
        engine.documents.collection(name)
        values = engine.exports.all(wanted)
        for line in portable.write(values, ascii_only=not session.console.is_utf8):
            session.console.line(line.removesuffix("\n"))


@collection.command_of(
    "import",
    examples=[
        "localmem collection import orders orders.ndjson",
        "localmem collection import orders - --scope contact:ana < orders.ndjson",
        "localmem collection import orders --file orders.ndjson --dry-run",
    ],
)
@click.argument("name", type=options.COLLECTION)
@click.argument("file", required=False, shell_complete=options.files)
@click.option("--file", "named", metavar="FILE", help="The same as the argument.")
@options.write_scope
@click.option("--dry-run", is_flag=True, help="Say what would be written; write nothing.")
@click.option(
    "--strict", is_flag=True, help="Look through the whole file first; one bad line, and no line."
)
@options.keep_secret
@click.option("--report", type=options.FILE, help="Write each line that stood out to this file.")
@click.pass_obj
def import_(
    session: Session,
    name: str,
    file: str | None,
    named: str | None,
    scope: Scope,
    dry_run: bool,
    strict: bool,
    keep_secret: bool,
    report: Path | None,
) -> ExitCode:
    """Write documents from lines of {"key", "value"}, as `collection export` prints them.

    A key that is there gets a new version, as `set` would write it. Without a file, or with -,
    stdin is read. `localmem import --undo` takes all of it back.
    """
    from localmem.cli.importing import Chosen, bring_in, input_of
    from localmem.engine.imports import Rules
    from localmem.portable import collection as portable

    documents.collection_name(name)
    rules = Rules(scope, overwrite=True, keep_secrets=keep_secret)
    with input_of(session, named or file or "-", again=strict) as place:
        return bring_in(
            session,
            lambda now: portable.open_source(place(), name, now=now),
            Chosen(rules, dry_run, strict, report),
        )


def _scalar(text: str) -> Json:
    try:
        return json_text.parse(text)
    except InvalidInput:
        return text


def _answer(session: Session, page: Page, scope: Scope, empty: str) -> None:
    shape = shapes.page([shapes.document(item) for item in page.items], page.next_cursor)
    rows = [present.addressed(item) for item in page.items]
    console = session.console
    lines = columns.lines(rows, room=console.room, styles=(console.strong, console.faint))
    session.answer(shape, lines)
    if not page.items and not session.as_json:
        other = " Other scopes are searched with --scope." if scope == PROJECT else ""
        session.warn(f"{empty}.{other}")
    answers.more(session, page.next_cursor)


def _scope_option(scope: Scope) -> str:
    return "" if scope == PROJECT else f" --scope {scope}"
