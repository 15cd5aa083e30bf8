"""The search box: a few operators, everything else literal, days in the person's own zone."""

from __future__ import annotations

import unicodedata
from collections import Counter
from datetime import UTC, date, datetime, timedelta, timezone, tzinfo
from zoneinfo import ZoneInfo

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from localmem.core import query, scope
from localmem.core.model import Kind
from localmem.core.query import Query, TokenKind
from localmem.errors import InvalidInput, InvalidQuery

KATHMANDU = ZoneInfo("Asia/Kathmandu")
ST_JOHNS = ZoneInfo("America/St_Johns")
LORD_HOWE = ZoneInfo("Australia/Lord_Howe")


def millis(year: int, month: int, day: int, hour: int = 0, minute: int = 0) -> int:
    """Of a UTC time."""
    return int(datetime(year, month, day, hour, minute, tzinfo=UTC).timestamp()) * 1_000


NOW = millis(2026, 3, 29, 12)


def parse(text: str, zone: tzinfo = UTC, now: int = NOW) -> Query:
    return query.parse(text, now=now, zone=zone)


def test_the_whole_grammar_at_once() -> None:
    found = parse(
        "ana scope:contact:ana kind:fact in:orders by:shop-agent before:2026-01 "
        'after:2024-12-31 "exact words" -without -"two words" likes'
    )
    assert found == Query(
        text="ana likes",
        meaning="ana exact words likes",
        phrases=("exact words",),
        without=("without", "two words"),
        scopes=(scope.contact("ana"),),
        kinds=(Kind.FACT,),
        collections=("orders",),
        authors=("shop-agent",),
        before=millis(2026, 1, 1),
        after=millis(2025, 1, 1),
    )


@pytest.mark.parametrize(
    "text",
    [
        *("don't", "pre-edit", "GB/s", "node:16", 'a"b', "AND", "OR NOT", "NEAR(", "*", "(", ")"),
        *("v2.1", "a:b:c", "https://x.example/?q=1", "telescope:x", "(kind:fact", "--dry-run"),
        *("a - b", "^", "col:", "é", "無糖豆浆", "50%", "_", "\\", "a\\", "'; DROP", "{x}", "#1"),
        *("--", "5'6\"", "in", "by", "[b]bold[/b]", "🥝"),
    ],
)
def test_awkward_text_is_literal(text: str) -> None:
    assert parse(text) == Query(text=text, meaning=text)


@pytest.mark.parametrize("text", ["", " ", "\0", "\n\t\u00a0", '"', '""', "-", '-"', " - ", '-""'])
def test_text_without_words_searches_for_nothing(text: str) -> None:
    assert parse(text) == Query()


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("a\0b", "a b"),
        ("a\ud800b", "a b"),
        ("a \n\t b", "a b"),
        ("a\x1b[31mb", "a [31mb"),
        ("cafe\u0301", "café"),
    ],
)
def test_what_cannot_be_searched_parts_words(text: str, words: str) -> None:
    assert parse(text).text == words


def test_ten_thousand_characters_are_one_word_or_many() -> None:
    assert parse("x" * 10_000).text == "x" * 10_000
    assert len(parse("ab " * 3_333).text) == 9_998
    assert parse('"' * 10_001) == Query()
    assert len(parse('-"' * 5_000).without) <= 1


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ('"exact words', Query(meaning="exact words", phrases=("exact words",))),
        ('say "exact', Query(text="say", meaning="say exact", phrases=("exact",))),
        ('"a  b\nc"', Query(meaning="a b c", phrases=("a b c",))),
        ('"a"b', Query(text="b", meaning="a b", phrases=("a",))),
        ('"a" "a"', Query(meaning="a a", phrases=("a",))),
        ('"kind:fact -x"', Query(meaning="kind:fact -x", phrases=("kind:fact -x",))),
        ("-a -a -b", Query(without=("a", "b"))),
        ('-"two words', Query(without=("two words",))),
        ("-node:16", Query(without=("node:16",))),
        ("-x-y", Query(without=("x-y",))),
    ],
)
def test_phrases_and_exclusions(text: str, expected: Query) -> None:
    assert parse(text) == expected


def test_several_values_mean_any_of_them_and_several_dates_the_narrowest_span() -> None:
    found = parse(
        "kind:fact kind:document kind:fact scope:project scope:contact:ana in:a in:b "
        'by:you by:"Shop  Agent" before:2026 before:2025 after:2020 after:2021'
    )
    assert found.kinds == (Kind.FACT, Kind.DOCUMENT)
    assert found.scopes == (scope.PROJECT, scope.contact("ana"))
    assert found.collections == ("a", "b")
    assert found.authors == ("you", "Shop Agent")
    assert (found.before, found.after) == (millis(2025, 1, 1), millis(2022, 1, 1))
    assert found.text == found.meaning == ""


def test_operators_are_read_in_any_case_and_their_values_may_be_quoted() -> None:
    assert parse('Kind:FACT SCOPE:"contact:ana"') == Query(
        scopes=(scope.contact("ana"),), kinds=(Kind.FACT,)
    )
    assert parse("before:Today").before == millis(2026, 3, 29)


@pytest.mark.parametrize("operator", query.OPERATORS)
def test_an_operator_still_being_typed_at_the_end_is_ignored(operator: str) -> None:
    for rest in ("", '"', '""', "  "):
        assert parse(f"kiwi {operator}:{rest}") == parse("kiwi")
        assert parse(f"kiwi -{operator}:") == parse("kiwi")


@pytest.mark.parametrize(
    ("text", "column", "said"),
    [
        ("a scope:contact", 8, "scope:contact:<id>"),
        ("scope:person", 6, "scope:project"),
        ("scope:contact:a+b", 6, "scope:contact:<id>"),
        ("kind:foo bar", 5, "kind:preference, kind:fact or kind:document"),
        ("x  kind:facts", 8, "kind:fact"),
        ("in:Orders", 3, "in:orders"),
        ("before:soon", 7, "2026-01"),
        ("before:2026-13", 7, "2026-01"),
        ("before:2026-02-30", 7, "2026-01"),
        ("before:2026-1", 7, "2026-01"),
        ("after:9999", 6, "2026-01"),
        ("after:0000", 6, "2026-01"),
        ("after:٢٠٢٦", 6, "2026-01"),
        ("kind: fact", 5, "directly after the colon"),
        ('by:"" x', 3, "by:you"),
        ("a -kind:fact", 2, "Name what you want"),
        ('-in:"orders" x', 0, "Name what you want"),
        ("-kind: x", 6, "directly after the colon"),
    ],
)
def test_a_known_operator_with_a_value_it_cannot_have_says_where_and_what_it_can(
    text: str, column: int, said: str
) -> None:
    with pytest.raises(InvalidQuery) as refused:
        parse(text)
    assert refused.value.column == column
    assert said in refused.value.hint


def test_a_long_wrong_value_is_not_echoed_whole() -> None:
    for operator in ("scope", "kind", "in", "before"):
        with pytest.raises(InvalidQuery) as refused:
            parse(f"{operator}:" + "Ä" * 10_000)
        assert len(str(refused.value)) < 400


# --- Days --------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("text", "start", "end"),
    [
        ("2026", millis(2026, 1, 1), millis(2027, 1, 1)),
        ("2026-01", millis(2026, 1, 1), millis(2026, 2, 1)),
        ("2026-12", millis(2026, 12, 1), millis(2027, 1, 1)),
        ("2024-02", millis(2024, 2, 1), millis(2024, 3, 1)),
        ("2024-02-29", millis(2024, 2, 29), millis(2024, 3, 1)),
        ("2026-12-31", millis(2026, 12, 31), millis(2027, 1, 1)),
        ("today", millis(2026, 3, 29), millis(2026, 3, 30)),
        (" Yesterday ", millis(2026, 3, 28), millis(2026, 3, 29)),
        ("0001", -62_135_596_800_000, -62_104_060_800_000),
    ],
)
def test_a_period_is_half_open(text: str, start: int, end: int) -> None:
    assert query.period(text, now=NOW, zone=UTC) == (start, end)


def test_a_period_that_is_no_date_is_refused_with_the_forms() -> None:
    for text in ("", "soon", "2026-00", "2026-1-1", "20260101", "9999-12-31"):
        with pytest.raises(InvalidInput) as refused:
            query.period(text, now=NOW, zone=UTC)
        assert "yesterday" in refused.value.hint


@pytest.mark.parametrize(
    ("zone", "text", "start", "end"),
    [
        # Kathmandu is 5:45 ahead all year.
        (KATHMANDU, "2026-03-29", millis(2026, 3, 28, 18, 15), millis(2026, 3, 29, 18, 15)),
        # St John's is 3:30 behind, 2:30 in summer; spring forward on 8 March, back on 1 November.
        (ST_JOHNS, "2026-03-07", millis(2026, 3, 7, 3, 30), millis(2026, 3, 8, 3, 30)),
        (ST_JOHNS, "2026-03-08", millis(2026, 3, 8, 3, 30), millis(2026, 3, 9, 2, 30)),
        (ST_JOHNS, "2026-11-01", millis(2026, 11, 1, 2, 30), millis(2026, 11, 2, 3, 30)),
        # Lord Howe is 11 ahead in summer, 10:30 in winter: its clocks change by half an hour.
        (LORD_HOWE, "2026-04-05", millis(2026, 4, 4, 13), millis(2026, 4, 5, 13, 30)),
        (LORD_HOWE, "2026-10-04", millis(2026, 10, 3, 13, 30), millis(2026, 10, 4, 13)),
        (LORD_HOWE, "2026-04", millis(2026, 3, 31, 13), millis(2026, 4, 30, 13, 30)),
        # Cairo has no midnight on 24 April 2026: the day starts at 01:00.
        (ZoneInfo("Africa/Cairo"), "2026-04-24", millis(2026, 4, 23, 22), millis(2026, 4, 24, 21)),
        # Havana has midnight twice on 1 November 2026: the day starts with the first.
        (ZoneInfo("America/Havana"), "2026-11-01", millis(2026, 11, 1, 4), millis(2026, 11, 2, 5)),
        # St John's went back from 00:01 to 23:01 the day before: the second midnight starts it.
        (ST_JOHNS, "2010-11-07", millis(2010, 11, 7, 3, 30), millis(2010, 11, 8, 3, 30)),
        # Toronto went from 23:30 to 00:30 in 1919: the day starts at 00:30.
        (
            ZoneInfo("America/Toronto"),
            "1919-03-31",
            millis(1919, 3, 31, 4, 30),
            millis(1919, 4, 1, 4),
        ),
        # Apia left out 30 December 2011.
        (
            ZoneInfo("Pacific/Apia"),
            "2011-12-30",
            millis(2011, 12, 30, 10),
            millis(2011, 12, 30, 10),
        ),
    ],
)
def test_days_are_the_persons_own(zone: tzinfo, text: str, start: int, end: int) -> None:
    assert query.period(text, now=NOW, zone=zone) == (start, end)


class BackAtAQuarterToOne(tzinfo):
    """Goes from 00:45 on 2 May 2026 back to 23:45, then stays an hour behind UTC."""

    def utcoffset(self, at: datetime | None) -> timedelta:
        assert at is not None
        clock = at.replace(tzinfo=UTC, fold=0)
        back = datetime(2026, 5, 1, 23, 45, tzinfo=UTC)
        behind = clock >= (back if at.fold else back + timedelta(hours=1))
        return timedelta(hours=-1 if behind else 0)

    def dst(self, at: datetime | None) -> timedelta:
        return timedelta(0)

    def tzname(self, at: datetime | None) -> str:
        return "test"

    def fromutc(self, at: datetime) -> datetime:
        since = at.replace(tzinfo=UTC) - datetime(2026, 5, 2, 0, 45, tzinfo=UTC)
        if since < timedelta(0):
            return at
        return (at - timedelta(hours=1)).replace(fold=int(since < timedelta(hours=1)))


def test_a_day_begins_where_it_lasts_even_if_most_of_an_hour_of_it_came_before() -> None:
    found = query.period("2026-05-02", now=NOW, zone=BackAtAQuarterToOne())
    assert found == (millis(2026, 5, 2, 1), millis(2026, 5, 3, 1))


@pytest.mark.parametrize(
    ("zone", "now", "start", "end"),
    [
        # 18:14 UTC is still the 29th in Kathmandu, 18:15 is the 30th.
        (KATHMANDU, millis(2026, 3, 29, 18, 14), (2026, 3, 27, 18, 15), (2026, 3, 28, 18, 15)),
        (KATHMANDU, millis(2026, 3, 29, 18, 15), (2026, 3, 28, 18, 15), (2026, 3, 29, 18, 15)),
        (ST_JOHNS, millis(2026, 3, 9, 2, 29), (2026, 3, 7, 3, 30), (2026, 3, 8, 3, 30)),
        (ST_JOHNS, millis(2026, 3, 9, 2, 30), (2026, 3, 8, 3, 30), (2026, 3, 9, 2, 30)),
        (LORD_HOWE, millis(2026, 4, 5, 13, 29), (2026, 4, 3, 13), (2026, 4, 4, 13)),
        (LORD_HOWE, millis(2026, 4, 5, 13, 30), (2026, 4, 4, 13), (2026, 4, 5, 13, 30)),
    ],
)
def test_yesterday_is_the_persons_own_on_the_minute(
    zone: tzinfo, now: int, start: tuple[int, ...], end: tuple[int, ...]
) -> None:
    expected = tuple(int(datetime(*t, tzinfo=UTC).timestamp()) * 1_000 for t in (start, end))  # type: ignore[misc, arg-type]
    assert query.period("yesterday", now=now, zone=zone) == expected
    assert parse("before:yesterday", zone, now).before == expected[0]
    assert parse("after:yesterday", zone, now).after == expected[1]


def test_days_follow_one_another_without_gap_or_overlap_in_every_zone() -> None:
    reached: Counter[str] = Counter()
    zones: list[tzinfo] = [
        *(KATHMANDU, ST_JOHNS, LORD_HOWE, UTC, timezone(timedelta(hours=-11, minutes=-30))),
        *map(ZoneInfo, ("Africa/Cairo", "America/Havana", "Europe/Lisbon", "Asia/Beirut")),
    ]
    nights = [date(2026, 3, 8), date(2026, 4, 5), date(2026, 10, 4), date(2026, 11, 1)]
    days = st.sampled_from(nights) | st.dates(date(1990, 1, 1), date(2037, 12, 31))

    @settings(derandomize=True, deadline=None, max_examples=400)
    @given(st.sampled_from(zones), days)
    def holds(zone: tzinfo, day: date) -> None:
        start, end = query.period(day.isoformat(), now=NOW, zone=zone)
        assert query.period((day + timedelta(days=1)).isoformat(), now=NOW, zone=zone)[0] == end
        hours = (end - start) / 3_600_000
        reached["short" if hours < 24 else "long" if hours > 24 else "usual"] += 1
        # A nightly hour that belongs to the day before may come after a first midnight.
        for inside in (start, (start + end) // 2, end - 1):
            assert local(inside, zone) == day
        assert local(start - 1, zone) < day <= local(end, zone)

    def local(at: int, zone: tzinfo) -> date:
        return datetime.fromtimestamp(at / 1_000, zone).date()

    holds()
    assert {"short", "long", "usual"} <= set(reached)


# --- Tokens ------------------------------------------------------------------------------------


def test_tokens_cover_what_was_typed() -> None:
    text = 'a kind:fact -"b c" "d" -kind:x by:'
    found = [(token.kind, text[token.start : token.end]) for token in query.tokens(text)]
    assert found == [
        (TokenKind.WORD, "a"),
        (TokenKind.OPERATOR, "kind:"),
        (TokenKind.VALUE, "fact"),
        (TokenKind.WITHOUT, '-"b c"'),
        (TokenKind.PHRASE, '"d"'),
        (TokenKind.OPERATOR, "-kind:"),
        (TokenKind.VALUE, "x"),
        (TokenKind.OPERATOR, "by:"),
    ]


PIECES = st.sampled_from(
    [
        *("scope:", "kind:", "in:", "by:", "before:", "after:", "fact", "contact:ana", "2026-01"),
        *('"', "-", " ", "  ", "\n", "\0", "a", "é", "e\u0301", ":", "(", "*", "\ud800", "--"),
        *("node:16", "KIND:", "today", "x\u00a0y", "\u200b"),
    ]
)


def test_any_text_is_a_search_or_names_the_operator_at_fault() -> None:
    reached: Counter[str] = Counter()

    @settings(derandomize=True, deadline=None, max_examples=800)
    @given(st.lists(PIECES | st.text(max_size=3), max_size=10).map("".join))
    def holds(text: str) -> None:
        tokens = query.tokens(text)
        ends = [0, *(edge for token in tokens for edge in (token.start, token.end)), len(text)]
        assert ends == sorted(ends)
        between = [text[a:b] for a, b in zip(ends[::2], ends[1::2], strict=True)]
        assert all(c.isspace() or unicodedata.category(c) in ("Cc", "Cs") for c in "".join(between))
        reached.update(token.kind for token in tokens)
        try:
            found = parse(text)
        except InvalidQuery as refused:
            reached["refused"] += 1
            operators = [token for token in tokens if token.kind is TokenKind.OPERATOR]
            assert any(refused.column in (token.start, token.end) for token in operators)
            return
        reached["read"] += 1
        for words in (found.text, found.meaning, *found.phrases, *found.without):
            assert words == unicodedata.normalize("NFC", words) == words.strip()
            words.encode()
            assert "\0" not in words
        typed = [text[t.start : t.end] for t in tokens if t.kind is TokenKind.WORD]
        assert found.text == unicodedata.normalize("NFC", " ".join(typed))

    holds()
    assert {"refused", "read", *TokenKind} <= set(reached)


def test_text_without_operators_quotes_and_minus_is_never_refused() -> None:
    reached: Counter[str] = Counter()
    literal = st.text(st.characters(exclude_characters='"-:'), max_size=30)

    @settings(derandomize=True, deadline=None, max_examples=300)
    @given(literal)
    def holds(text: str) -> None:
        found = parse(text)
        reached["words"] += bool(found.text)
        assert found == Query(text=found.text, meaning=found.text)

    holds()
    assert reached["words"] > 50
