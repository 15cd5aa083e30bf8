"""The search as it looks: grammar in the box, counts in the title, and why a result is one."""

from __future__ import annotations

from textual.content import Content

from localmem.core import plain, query, words
from localmem.core.query import TokenKind
from localmem.core.rank import WEAK
from localmem.core.visible import visible
from localmem.engine.answers import Found, Hit
from localmem.errors import InvalidQuery
from localmem.tui.present import ink
from localmem.tui.present.past import Label
from localmem.tui.present.words import count, table

STYLES = {
    TokenKind.OPERATOR: ink.OPERATOR,
    TokenKind.VALUE: ink.VALUE,
    TokenKind.PHRASE: ink.PHRASE,
    TokenKind.WITHOUT: ink.WITHOUT,
}


def past_title(found: Found) -> str:
    """Over the results of a search in the past."""
    return f"Results · {len(found.hits):,} of {found.searched:,} · by words"


def results_title(found: Found, *, below_shown: bool, words: bool, typing: bool, key: Label) -> str:
    """`Results · 3 of 214 · 2 below 0.30 (press +)`; `words` is False for a pure filter.

    While the person is `typing`, `+` is a letter of the search.
    """
    shown = len(found.hits) + (len(found.below) if below_shown else 0)
    parts = ["Results", f"{shown:,} of {found.searched:,}"]
    if found.below and words:
        how = f"shown, {key('more')} hides" if below_shown else _more(typing, key)
        parts.append(f"{len(found.below):,} below {found.floor:.2f} ({how})")
    return " · ".join(parts)


def _more(typing: bool, key: Label) -> str:
    return f"enter, then {key('more')}" if typing else f"press {key('more')}"


def mistake_span(problem: InvalidQuery, text: str) -> tuple[int, int]:
    """What to underline: the token at the column, or the last character before it."""
    for token in query.tokens(text):
        if token.start <= problem.column < token.end:
            return token.start, token.end
    return max(problem.column - 1, 0), max(problem.column, 1)


def mistake(problem: InvalidQuery) -> Content:
    """The sentence under the box."""
    return Content.assemble(
        ("▲ ", ink.BAD), (visible(problem.message), ink.STRONG), f" {visible(problem.hint)}"
    )


def spans(text: str, problem: InvalidQuery | None) -> list[tuple[int, int, str]]:
    """(start, end, style) for the box: operators, values, phrases, and the mistake over all."""
    found = [
        (token.start, token.end, STYLES[token.kind])
        for token in query.tokens(text)
        if token.kind in STYLES
    ]
    if problem is not None:
        found.append((*mistake_span(problem, text), ink.BAD))
    return found


def why(hit: Hit) -> Content:
    """`0.71 · meaning 0.71 · words 33% (whatsapp) · about contact`, for the preview's table."""
    if _only_filtered(hit):
        return Content("allowed by the filters")
    meaning = "—" if hit.meaning is None else f"{hit.meaning:.2f}"
    held = f"words {hit.coverage:.0%} ({_held(hit)})" if hit.terms else "words —"
    about = f" · about {_about(hit)}" if hit.concepts else ""
    weak = Content.styled(" · weak", ink.WEAK) if hit.weak else Content("")
    return Content.assemble((f"{hit.score:.2f}", ink.STRONG), f" · meaning {meaning} · {held}",
                            about, weak)  # fmt: skip


def why_in_full(hit: Hit, found: Found, width: int) -> list[Content]:
    """Sentences: what each number means and where the floor lies."""
    if _only_filtered(hit):
        allowed = [("filters", Content("allowed by the filters; nothing was compared"))]
        return [Content.styled("Why this result", ink.NAME), *table(allowed, width)]
    if hit.meaning is None:
        meaning = "— no vector was compared; it is found by its words"
    else:
        meaning = f"{hit.meaning:.2f} of 1: how near it is to what you ask"
    told = "— none of the words that tell; found by meaning alone"
    if hit.terms:
        told = f"{hit.coverage:.0%} of what tells your words apart: {_held(hit)}"
    side = "above" if hit.score >= found.floor else "below"
    score = Content.assemble(
        (f"{hit.score:.2f}", ink.STRONG), f", {side} the floor of {found.floor:.2f}"
    )
    rows = [("meaning", Content(meaning)), ("words", Content(told))]
    if hit.concepts:
        rows.append(("about", Content(f"{_about(hit)}: your question is about that too")))
    rows.append(("score", score))
    if hit.weak:
        guess = f"under {WEAK:.2f} a result is more often a guess"
        rows.append(("weak", Content.styled(guess, ink.WEAK)))
    return [Content.styled("Why this result", ink.NAME), *table(rows, width)]


def _only_filtered(hit: Hit) -> bool:
    """A search without words compares nothing and gives every item the full score."""
    return hit.score == 1 and not hit.terms and hit.meaning is None


def _about(hit: Hit) -> str:
    """The concepts a question and this item share, in words."""
    return ", ".join(name.replace("_", " ") for name in hit.concepts)


def _held(hit: Hit) -> str:
    """The words of the question as this item spells them."""
    text = plain.text(hit.item)
    spelt = (visible(text[start:end]) for start, end in words.matched(hit.terms, text))
    found = list({word.casefold(): word for word in spelt}.values())
    return ", ".join(found[:6] or [visible(term.rstrip("*")) for term in hit.terms[:6]])


def no_results(found: Found, *, words: bool, typing: bool, key: Label) -> Content:
    """What an empty list of results says, and the next step."""
    if found.below and words:
        return Content.assemble(
            "Nothing reaches the floor of ", (f"{found.floor:.2f}", ink.STRONG), ". ",
            f"{count(len(found.below), 'close one')} below it: "
            f"{_more(typing, key).removesuffix(key('more'))}",
            (key("more"), ink.NAME), ".",
        )  # fmt: skip
    if not found.searched:
        return Content("These filters allow nothing that is kept here.")
    return Content(f"Nothing in {count(found.searched, 'memory', 'memories')} fits.")
