"""`search`: by meaning and words together, or by words alone where there is no model.

A missing model is no failure: words answer, one line on stderr says so, the exit code is 0.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

import click

from localmem.cli import columns, days, options, past, present
from localmem.cli.framework import command
from localmem.cli.session import Session
from localmem.core import query as queries
from localmem.core import words
from localmem.core.model import Kind
from localmem.core.query import Query
from localmem.core.scope import Scope
from localmem.errors import ModelUnavailable
from localmem.wire import shapes

if TYPE_CHECKING:
    from localmem.engine import Engine
    from localmem.engine.answers import Found, Hit

MANY_WAITING = 64
"""From here on embedding takes long enough to say so."""
MOST = 20


@command(
    "search",
    context_settings={"ignore_unknown_options": True, "help_option_names": ["--help"]},
    examples=[
        'localmem search "how do they like to be contacted"',
        "localmem search shipping cutoff --scope project --limit 3 --min-score 0.45",
        "localmem search 'in:orders \"running shoes\" -returned after:2026-01'",
        "localmem search parking --as-of 2026-03",
        "localmem search allergies --json | jq -r '.items[0].text'",
    ],
)
@click.argument("query", nargs=-1, required=True)
@click.option("--scope", "scopes", type=options.SCOPE, multiple=True,
              help="Only this scope; several times for several.")  # fmt: skip
@options.limit_option(5, MOST)
@click.option(
    "--min-score",
    type=options.SHARE,
    metavar="X",
    help="Hide hits below; 0 hides none.  [default: 0.3, or `floor` in the settings]",
)
@click.option("--words", "words_only", is_flag=True, help="By words alone; loads no model.")
@click.option("--why", is_flag=True, help="Say of each hit what it was found by.")
@days.as_of_option
@click.pass_obj
def search(
    session: Session,
    query: tuple[str, ...],
    scopes: tuple[Scope, ...],
    limit: int,
    min_score: float | None,
    words_only: bool,
    why: bool,
    as_of: str | None,
) -> None:
    """Find what is kept by meaning and by words, best first.

    QUERY is plain words in any of 16 languages. It may also hold "exact words", -without,
    scope:contact:ana, kind:fact, in:orders, by:shop-agent, before:2026-01 and after:yesterday.
    In the past it finds what held every word then, newest first.
    """
    session.typed = " ".join(query)
    _refuse_mistyped_options(query)
    if as_of is not None:
        _search_then(session, scopes, as_of, limit, scored=why or min_score is not None)
        return
    floor = session.floor() if min_score is None else min_score
    with session.searching(meaning=not words_only) as engine:
        asked = _parsed(session, engine, scopes)
        if not words_only and _wants_meaning(engine, asked):
            _prepare_meaning(session, engine)
        found = engine.recall.search(asked, limit=limit, floor=floor or None)
        _answer(session, engine, asked, found, why=why)


def _search_then(
    session: Session, scopes: tuple[Scope, ...], as_of: str, limit: int, *, scored: bool
) -> None:
    if scored:
        raise click.UsageError(
            "In the past nothing is scored: leave out --why and --min-score, or --as-of."
        )
    with session.searching(meaning=False) as engine:
        asked = _parsed(session, engine, scopes)
        now = engine.now()
        at = days.as_of(session, now, as_of)
        past.find(session, engine, asked, now if at is None else at, limit=limit)


def _refuse_mistyped_options(query: tuple[str, ...]) -> None:
    """`-word` belongs to the query, so click lets `--limt` through as well."""
    for part in query:
        if part.startswith("--") and " " not in part:
            raise click.NoSuchOption(
                part.partition("=")[0],
                possibilities=[
                    "--scope",
                    "--limit",
                    "--min-score",
                    "--words",
                    "--why",
                    "--as-of",
                    "--json",
                ],
            )


def _parsed(session: Session, engine: Engine, scopes: tuple[Scope, ...]) -> Query:
    asked = queries.parse(session.typed, now=engine.now(), zone=session.zone())
    if not scopes:
        return asked
    both = tuple(scope for scope in asked.scopes if scope in scopes) if asked.scopes else scopes
    if not both:
        raise click.UsageError("--scope and the query's own scope: name different scopes.")
    from dataclasses import replace

    return replace(asked, scopes=tuple(dict.fromkeys(both)))


def _wants_meaning(engine: Engine, asked: Query) -> bool:
    """Whether loading the model can add anything to the answer."""
    if not asked.meaning.strip() or asked.kinds == (Kind.DOCUMENT,):
        return False
    shelf = engine.library.shelf()
    return any(count.kind is not Kind.DOCUMENT for count in shelf.counts)


def _prepare_meaning(session: Session, engine: Engine) -> None:
    """Load the model and give every memory its vector; on failure words alone answer."""
    meaning = engine.meaning
    if not meaning.possible:
        return  # why is in the library's notes, or in the person's own settings
    try:
        meaning.ensure()
        _embed_waiting(session, engine)
    except ModelUnavailable as problem:
        meaning.fail(problem.message)
        session.warn(f"{problem.message} Searched by words alone. {problem.hint}".strip())


def _embed_waiting(session: Session, engine: Engine) -> None:
    _, waiting = engine.meaning.state()
    if waiting >= MANY_WAITING:
        session.warn(f"Preparing {present.count(waiting, 'new memory', 'new memories')} for "
                     "search by meaning, once.")  # fmt: skip
    done = 0
    while made := engine.meaning.embed_waiting():
        done += made
        if waiting >= MANY_WAITING:
            session.console.progress(f"{done:,} of {max(waiting, done):,}")
    if done and waiting >= MANY_WAITING:
        session.console.progress("")


def _answer(session: Session, engine: Engine, asked: Query, found: Found, *, why: bool) -> None:
    several = len(asked.scopes) != 1
    listed = [shapes.hit(hit, with_scope=several, with_why=why) for hit in found.hits]
    session.answer({"items": list(listed)}, _lines(session, engine, found.hits, why=why))
    if session.as_json:
        return
    if not found.hits:
        among = present.count(found.searched, "memory", "memories")
        closest = "" if found.below or not found.floor else " --min-score 0 shows the closest."
        session.warn(f"Nothing found among {among}.{closest}")
    if found.below:
        close = present.count(len(found.below), "close one")
        session.warn(f"{close} below {found.floor:.2f}; --min-score 0 shows them.")


def _lines(session: Session, engine: Engine, hits: tuple[Hit, ...], *, why: bool) -> list[str]:
    if session.as_json:
        return []
    console = session.console
    ids = engine.library.short_ids([hit.item.id for hit in hits])
    rows = [
        [f"{hit.score:.2f}{'~' if hit.weak else ' '}", *present.row(hit.item, ids[hit.item.id])]
        for hit in hits
    ]
    lines = columns.lines(rows, room=console.room, styles=(None, console.faint, console.faint))
    shown: list[str] = []
    for hit, line in zip(hits, lines, strict=True):
        shown.append(_marked(session, line, present.text(hit.item), hit))
        if why:
            shown.append(console.faint(f"      {_why(hit)}"))
    return shown


def _marked(session: Session, line: str, text: str, hit: Hit) -> str:
    """The line with the question's words in bold where they stand in the item's own text."""
    if not session.console.painted:
        return line
    start = line.rfind(text[:8]) if len(text) >= 8 else line.rfind(text)
    if start < 0:
        return line
    tail, at, parts = line[start:], 0, [line[:start]]
    for first, last in words.matched(hit.terms, tail):
        parts += [tail[at:first], session.console.strong(tail[first:last])]
        at = last
    return "".join([*parts, tail[at:]])


def _why(hit: Hit) -> str:
    meaning = "-" if hit.meaning is None else f"{hit.meaning:.2f}"
    terms = present.joined(term.rstrip("*") for term in hit.terms)
    weak = " · a weak match" if hit.weak else ""
    shared = ", ".join(name.replace("_", " ") for name in hit.concepts)
    about = f" · about {shared}" if shared else ""
    return f"meaning {meaning} · words {hit.coverage:.2f} ({terms}){about}{weak}"
