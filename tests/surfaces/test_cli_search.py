"""search: words, meaning, scopes, the floor, and what happens without a model."""

from __future__ import annotations

from collections.abc import Callable

import pytest

from tests.support.library import WordsEmbedder
from tests.surfaces.conftest import Cli


def texts(cli: Cli, *argv: str) -> list[str]:
    return [item["text"] for item in cli.ok("search", *argv, "--json").json["items"]]


@pytest.fixture
def library(cli: Cli) -> Cli:
    cli.new(
        "add", "Prefers WhatsApp over email.", "--scope", "contact:ana", "--meta", "source=call"
    )
    cli.new("add", "Prefers email over WhatsApp.", "--scope", "contact:bia")
    cli.new("add", "Orders before 2pm ship the same day.")
    cli.ok("pref", "remember", "preferred_brands", "Asics")
    cli.ok("collection", "set", "orders", "ORD-12345", '{"status": "shipped"}')
    return cli


def test_words_find_facts_preferences_and_documents(library: Cli) -> None:
    assert texts(library, "--words", "ship", "same", "day") == [
        "Orders before 2pm ship the same day."
    ]
    assert texts(library, "--words", "asics") == ["Preferred brands: Asics"]
    found = library.ok("search", "--words", "ORD-12345", "--json").json["items"][0]
    assert (found["kind"], found["collection"], found["key"], found["value"]) == (
        "document", "orders", "ORD-12345", {"status": "shipped"}
    )  # fmt: skip


def test_a_search_in_one_scope_never_shows_another(library: Cli, model: WordsEmbedder) -> None:
    """FR-142, by words and by meaning."""
    for mode in ((), ("--words",)):
        found = library.ok("search", "WhatsApp", "--scope", "contact:ana", *mode, "--json").json[
            "items"
        ]
        assert [item["text"] for item in found] == ["Prefers WhatsApp over email."]
        by_grammar = library.ok("search", "WhatsApp scope:contact:ana", *mode, "--json").json[
            "items"
        ]
        assert by_grammar == found
        empty = library.ok("search", "WhatsApp", "--scope", "conversation:x", *mode)
        assert empty.out == "" and "among 0 memories" in empty.err
    both = texts(library, "WhatsApp", "--scope", "contact:ana", "--scope", "contact:bia")
    assert len(both) == 2


def test_scopes_that_exclude_each_other_are_an_error(library: Cli) -> None:
    assert library("search", "x scope:contact:ana", "--scope", "contact:bia").code == 2


def test_meaning_finds_what_is_kept_and_waiting_items_are_embedded_first(
    library: Cli, model: WordsEmbedder
) -> None:
    result = library.ok("search", "prefers", "email", "--scope", "contact:ana", "--why", "--json")
    why = result.json["items"][0]["why"]
    assert why["meaning"] > 0 and why["terms"]
    # Documents are found by words, so four items and the question.
    assert model.embedded == 5
    library.ok("search", "prefers", "email")
    assert model.embedded == 6


def test_many_waiting_memories_are_announced(cli: Cli, model: WordsEmbedder) -> None:
    with_engine = cli.engine()
    for n in range(70):
        with_engine.facts.add(f"Fact number {n}.")
    with_engine.close()
    assert "70 new memories" in cli.ok("search", "number 7").err
    assert "new memories" not in cli.ok("search", "number 7").err


def test_without_a_model_words_answer_and_the_exit_code_is_0(
    library: Cli, explodes: Callable[[str], None]
) -> None:
    explodes("The model cannot be read.")
    result = library.ok("search", "ship", "same", "day", "--json")
    assert [item["text"] for item in result.json["items"]] == [
        "Orders before 2pm ship the same day."
    ]
    assert result.err.count("\n") == 1 and "The model cannot be read." in result.err


@pytest.mark.parametrize(
    "argv", [("--words", "ship"), ("kind:fact",), ("kind:document ORD-12345",)]
)
def test_the_model_is_not_loaded_where_it_cannot_help(
    library: Cli, explodes: Callable[[str], None], argv: tuple[str, ...]
) -> None:
    explodes("loaded")
    assert "loaded" not in library.ok("search", *argv).err


def test_an_empty_library_answers_without_loading_a_model(
    cli: Cli, explodes: Callable[[str], None]
) -> None:
    explodes("loaded")
    result = cli.ok("search", "anything")
    assert (result.out, "loaded" in result.err) == ("", False)


def test_a_query_of_filters_alone_lists_what_they_allow(library: Cli) -> None:
    assert len(texts(library, "kind:fact")) == 3
    assert texts(library, "kind:fact", "before:2026-11") == []
    assert len(texts(library, "kind:fact", "before:2026-12")) == 3


def test_phrases_and_exclusions_of_the_grammar_hold(library: Cli) -> None:
    assert texts(library, "--words", '"over email"') == ["Prefers WhatsApp over email."]
    assert texts(library, "--words", "prefers kind:fact", '-"over email"') == [
        "Prefers email over WhatsApp."
    ]
    assert texts(library, "--words", "prefers", "email", "-happy", "-zzz", "--scope", "contact:ana")


def test_hits_below_the_floor_are_counted_and_shown_on_demand(
    library: Cli, model: WordsEmbedder
) -> None:
    query = ("search", "email over prefers nothing else that is kept")
    all_of_them = library.ok(*query, "--min-score", "0", "--json").json["items"]
    scores = [item["score"] for item in all_of_them]
    assert scores == sorted(scores, reverse=True)
    floor = scores[0] + 0.0001
    hidden = sum(score >= 0.15 for score in scores)
    result = library.ok(*query, "--min-score", str(floor))
    assert hidden and result.out == ""
    assert f"{hidden} close one" in result.err and "--min-score 0" in result.err


def test_the_settings_hold_the_floor(library: Cli, model: WordsEmbedder) -> None:
    query = ("search", "email ordinary sentence nobody wrote", "--json")
    before = library.ok(*query).json["items"]
    (library.home / "config.toml").write_text("floor = 0.0\n")
    assert len(library.ok(*query).json["items"]) > len(before)
    (library.home / "config.toml").write_text("flor = 0.0\n")
    mistyped = library.ok(*query)
    assert len(mistyped.json["items"]) == len(before) and "Did you mean floor?" in mistyped.err


def test_the_limit_is_kept(library: Cli) -> None:
    assert len(texts(library, "kind:fact", "--limit", "2")) == 2


@pytest.mark.parametrize(
    ("argv", "says"),
    [
        (("x", "--limit", "21"), "1<=x<=20"),
        (("x", "--limit", "0"), "1<=x<=20"),
        (("x", "--min-score", "2"), "0<=x<=1"),
        (("x", "--scope", "everyone"), "project, contact:<id>"),
        (("x", "--limt", "3"), "--limit"),
        (("before:yesteryear x",), "2026-01"),
        (("kind:poem",), "preference"),
        ((), "QUERY"),
    ],
)
def test_wrong_input_says_what_to_do(library: Cli, argv: tuple[str, ...], says: str) -> None:
    result = library("search", *argv)
    assert (result.code, result.out) == (2, "")
    assert says in result.err


def test_a_mistake_in_the_query_is_pointed_at(library: Cli) -> None:
    err = library("search", "日本 kind:poem").err.splitlines()
    assert err[1:3] == ["  日本 kind:poem", "            ^"]


def test_why_says_what_a_hit_was_found_by(library: Cli) -> None:
    out = library.ok("search", "--words", "--why", "same day").out.splitlines()
    assert out[0].startswith("1.00  ") and out[0].endswith("Orders before 2pm ship the same day.")
    assert "meaning - · words 1.00 (same, day)" in out[1]


def test_a_terminal_sees_the_words_in_bold_and_a_line_that_fits(library: Cli) -> None:
    library.new("add", "ship " + "very " * 100 + "long")
    library.monkeypatch.setenv("COLUMNS", "60")
    lines = library("search", "--words", "ship", terminal=True).out.splitlines()
    assert any("\x1b[1mship\x1b[0m" in line for line in lines)
    import re

    plain = [re.sub(r"\x1b\[\d*m", "", line) for line in lines]
    assert all(len(line) <= 60 for line in plain) and any(line.endswith("…") for line in plain)
    library.monkeypatch.setenv("NO_COLOR", "1")
    assert "\x1b" not in library("search", "--words", "ship", terminal=True).out
    assert "very long" in library.ok("search", "--words", "ship").out
