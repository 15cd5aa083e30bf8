"""What the person typed in the search box, read as words and a few documented operators.

    scope:contact:ana kind:fact in:orders by:shop-agent before:2026-01 after:yesterday
    "exact words" -without -"these words" and anything else

Whatever is not one of these is literal text, however odd: `don't`, `node:16`, `NEAR(`, `a"b`. No
text becomes the query language of the store (FR-43). Refused, with the column, is only a known
operator with a value it cannot have; one still being typed at the end is ignored.

A value may be quoted (`by:"Shop Agent"`). Several scopes, kinds, collections or authors mean any
of them; several dates mean the narrowest span. Days are the person's own days: their zone comes
in as an argument and what goes out is UTC (FR-105).
"""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from datetime import MAXYEAR, UTC, date, datetime, timedelta, tzinfo
from enum import StrEnum
from typing import TypeVar

from localmem.core import documents
from localmem.core import scope as scopes
from localmem.core.model import Kind, Millis
from localmem.core.scope import Scope
from localmem.errors import InvalidInput, InvalidQuery

T = TypeVar("T")

_DATE_FORMS = "Use 2026, 2026-01, 2026-01-31, today or yesterday."
_FORMS: Mapping[str, str] = {
    "scope": "Use scope:project, scope:contact:<id> or scope:conversation:<id>.",
    "kind": "Use kind:preference, kind:fact or kind:document.",
    "in": "Use the name of a collection, such as in:orders.",
    "by": 'Use a name, such as by:you or by:"Shop Agent".',
    "before": _DATE_FORMS,
    "after": _DATE_FORMS,
}
OPERATORS = tuple(_FORMS)
"""Their names, without the colon."""

_QUOTED = "Quote the whole to search for the words themselves."
_EPOCH = datetime(1970, 1, 1, tzinfo=UTC)
_MILLISECOND = timedelta(milliseconds=1)
_DAY = timedelta(days=1)


@dataclass(frozen=True, slots=True)
class Query:
    """A search; every empty tuple and None restricts nothing. All text is NFC."""

    text: str = ""
    """The free words, one space between them."""
    meaning: str = ""
    """Free words and phrases in the order typed: what is embedded. "" only filters."""
    phrases: tuple[str, ...] = ()
    """Each must occur as it stands."""
    without: tuple[str, ...] = ()
    """Words and phrases none of which may occur."""
    scopes: tuple[Scope, ...] = ()
    kinds: tuple[Kind, ...] = ()
    collections: tuple[str, ...] = ()
    authors: tuple[str, ...] = ()
    """Names as typed; compare them without case."""
    before: Millis | None = None
    """Exclusive upper bound."""
    after: Millis | None = None
    """Inclusive lower bound: the first instant after the day, month or year named."""
    without_agents: bool = False
    """Leave out what an agent wrote last; no operator says it (memory-api, `recall`)."""


class TokenKind(StrEnum):
    WORD = "word"
    PHRASE = "phrase"
    WITHOUT = "without"
    OPERATOR = "operator"
    """The name and its colon, and the minus before it if there is one."""
    VALUE = "value"
    """Directly after an operator, quotes included."""


@dataclass(frozen=True, slots=True)
class Token:
    """A part of the text from `start` to before `end`, in characters. White space is in none."""

    kind: TokenKind
    start: int
    end: int


# Control characters and halves of characters part words: neither can be searched for.
_GAP = r"\s\x00-\x1f\x7f-\x9f\ud800-\udfff"
_TOKEN = re.compile(
    rf"""
    (?P<without> -(?!-) (?: "[^"]*"? | [^{_GAP}"][^{_GAP}]* | (?=[{_GAP}]*\Z) ) )
  | (?P<phrase> "[^"]*"? )
  | (?P<word> [^{_GAP}"][^{_GAP}]* )
    """,
    re.VERBOSE,
)
_OPERATOR = re.compile(
    rf"""(?P<name> -?(?:{"|".join(OPERATORS)}): ) (?P<value> "[^"]*"? | [^{_GAP}]* )""",
    re.VERBOSE | re.IGNORECASE,
)
_SEPARATORS = re.compile(f"[{_GAP}]+")
_DATE = re.compile(r"(?P<year>[0-9]{4})(?:-(?P<month>[0-9]{2})(?:-(?P<day>[0-9]{2}))?)?")


def tokens(text: str) -> tuple[Token, ...]:
    """The parts of a search for highlighting. Never raises; one pass over the text."""
    return tuple(_tokens(text))


def parse(text: str, *, now: Millis, zone: tzinfo) -> Query:
    """Read a search; `now` and the person's `zone` say which day `today` is.

    Raises InvalidQuery at the value of an operator which cannot have it; never for other text.
    """
    reading = _Reading(text, now, zone)
    for token in _tokens(text):
        reading.take(token)
    return reading.query()


def period(text: str, *, now: Millis, zone: tzinfo) -> tuple[Millis, Millis]:
    """First instant of the year, month or day named, and the first one after it, in `zone`.

    Where the clocks change at midnight, a day begins at the instant from which on it stays that
    day or later. Raises InvalidInput.
    """
    first, end = _days(text.strip().lower(), _local_day(now, zone))
    return _start(first, zone), _start(end, zone)


def end_of(text: str, *, now: Millis, zone: tzinfo) -> Millis | None:
    """The last moment of the year, month or day named; None when it is not over, which is now.

    Raises InvalidInput, for what has not begun too.
    """
    first, behind = period(text, now=now, zone=zone)
    if first > now:
        raise InvalidInput(f"{text.strip()[:80]} has not come yet.", hint=_DATE_FORMS)
    return behind - 1 if behind <= now else None


# --- Tokens ------------------------------------------------------------------------------------


def _tokens(text: str) -> Iterator[Token]:
    at = 0
    while at < len(text):
        if gap := _SEPARATORS.match(text, at):
            at = gap.end()
        elif operator := _OPERATOR.match(text, at):
            at = operator.end()
            yield Token(TokenKind.OPERATOR, *operator.span("name"))
            if operator["value"]:
                yield Token(TokenKind.VALUE, *operator.span("value"))
        elif (token := _TOKEN.match(text, at)) and token.lastgroup:
            at = token.end()
            yield Token(TokenKind(token.lastgroup), *token.span())


@dataclass(slots=True)
class _Reading:
    """Collects the tokens of one search."""

    text: str
    now: Millis
    zone: tzinfo
    words: list[str] = field(default_factory=list)
    meaning: list[str] = field(default_factory=list)
    phrases: list[str] = field(default_factory=list)
    without: list[str] = field(default_factory=list)
    scopes: list[Scope] = field(default_factory=list)
    kinds: list[Kind] = field(default_factory=list)
    collections: list[str] = field(default_factory=list)
    authors: list[str] = field(default_factory=list)
    befores: list[Millis] = field(default_factory=list)
    afters: list[Millis] = field(default_factory=list)
    operator: str = ""

    def take(self, token: Token) -> None:
        written = self.text[token.start : token.end]
        match token.kind:
            case TokenKind.WORD:
                word = unicodedata.normalize("NFC", written)
                self.words.append(word)
                self.meaning.append(word)
            case TokenKind.PHRASE:
                self._add_words(written, self.phrases, self.meaning)
            case TokenKind.WITHOUT:
                self._add_words(written[1:], self.without)
            case TokenKind.OPERATOR:
                self._start_operator(written, token)
            case TokenKind.VALUE:
                self._restrict(_unquoted(written), token)

    def _add_words(self, written: str, *places: list[str]) -> None:
        if words := _unquoted(written):
            for place in places:
                place.append(words)

    def _start_operator(self, written: str, token: Token) -> None:
        self.operator = written.rstrip(":").lower()
        follows = self.text[token.end : token.end + 1]
        ends = _rest_is_gap(self.text, token.end)
        if not ends and (not follows or _SEPARATORS.match(follows)):
            raise InvalidQuery(
                f"{self.operator}: has no value.",
                column=token.end,
                hint=f"Write it directly after the colon. {_forms(self.operator)} {_QUOTED}",
            )
        if self.operator.startswith("-") and not ends:
            raise InvalidQuery(
                f"{self.operator[1:]}: cannot be left out with a minus.",
                column=token.start,
                hint=f"Name what you want instead. {_forms(self.operator)}",
            )

    def _restrict(self, value: str, token: Token) -> None:
        if not value and _rest_is_gap(self.text, token.end):
            return
        try:
            self._apply(value)
        except InvalidInput as refused:
            raise InvalidQuery(
                refused.message,
                column=token.start,
                hint=f"{_forms(self.operator)} {_QUOTED}",
            ) from refused

    def _apply(self, value: str) -> None:
        match self.operator:
            case "scope":
                self.scopes.append(scopes.parse(value))
            case "kind":
                self.kinds.append(_kind(value))
            case "in":
                self.collections.append(documents.collection_name(value))
            case "by":
                self.authors.append(_author(value))
            case "before":
                self.befores.append(period(value, now=self.now, zone=self.zone)[0])
            case "after":
                self.afters.append(period(value, now=self.now, zone=self.zone)[1])

    def query(self) -> Query:
        return Query(
            text=" ".join(self.words),
            meaning=" ".join(self.meaning),
            phrases=_distinct(self.phrases),
            without=_distinct(self.without),
            scopes=_distinct(self.scopes),
            kinds=_distinct(self.kinds),
            collections=_distinct(self.collections),
            authors=_distinct(self.authors),
            before=min(self.befores, default=None),
            after=max(self.afters, default=None),
        )


def _unquoted(written: str) -> str:
    """The words between the quotes, the last of which may still be missing."""
    inside = written[1:].removesuffix('"') if written.startswith('"') else written
    return unicodedata.normalize("NFC", _SEPARATORS.sub(" ", inside).strip())


def _rest_is_gap(text: str, at: int) -> bool:
    gap = _SEPARATORS.match(text, at)
    return at == len(text) or (gap is not None and gap.end() == len(text))


def _distinct(found: Iterable[T]) -> tuple[T, ...]:
    return tuple(dict.fromkeys(found))


# --- Values ------------------------------------------------------------------------------------


def _forms(operator: str) -> str:
    return _FORMS[operator.removeprefix("-")]


def _kind(value: str) -> Kind:
    try:
        return Kind(value.lower())
    except ValueError as refused:
        raise InvalidInput(f"{value[:80]!r} is not a kind.") from refused


def _author(value: str) -> str:
    if not value:
        raise InvalidInput("An author has a name.")
    return value


def _days(text: str, today: date) -> tuple[date, date]:
    """The first day of the period, and the first day after it."""
    if text in ("today", "yesterday"):
        day = today if text == "today" else today - _DAY
        return day, day + _DAY
    found = _DATE.fullmatch(text)
    # The last year has no day after it.
    if found is None or not 1 <= int(found["year"]) < MAXYEAR:
        raise _bad_date(text)
    try:
        first = date(int(found["year"]), int(found["month"] or 1), int(found["day"] or 1))
    except ValueError as refused:
        raise _bad_date(text) from refused
    if found["day"]:
        return first, first + _DAY
    if found["month"]:
        return first, (first + timedelta(days=31)).replace(day=1)
    return first, first.replace(year=first.year + 1)


def _bad_date(text: str) -> InvalidInput:
    return InvalidInput(f"{text[:80]!r} is not a date.", hint=_DATE_FORMS)


def _start(day: date, zone: tzinfo) -> Millis:
    early, late = sorted(_midnight(day, zone, fold) for fold in (0, 1))
    # Twice midnight, the second time coming from the day before: only then does the day last.
    if early == late or _local_day(late - 1, zone) < day:
        return late
    while early < late:
        middle = (early + late) // 2
        if _local_day(middle, zone) < day:
            early = middle + 1
        else:
            late = middle
    return early


def _midnight(day: date, zone: tzinfo, fold: int) -> Millis:
    at = datetime(day.year, day.month, day.day, tzinfo=zone, fold=fold)
    return (at - _EPOCH) // _MILLISECOND


def _local_day(at: Millis, zone: tzinfo) -> date:
    return (_EPOCH + at * _MILLISECOND).astimezone(zone).date()
