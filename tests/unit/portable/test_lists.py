"""Plain lists and Markdown: what a person types, and what an assistant prints."""

from __future__ import annotations

import time

import pytest

from localmem.core.incoming import Incoming
from localmem.core.model import FactContent
from tests.unit.portable.conftest import Given


def test_a_plain_list_is_one_memory_a_line_with_its_line_number(given: Given) -> None:
    read = given("First sentence.\n\n# a comment\nSecond sentence.\n")
    assert read.texts == ["First sentence.", "Second sentence."]
    assert [each.line for each in read.memories] == [1, 4]
    assert read.memories[1].evidence.source == "memories.txt, line 4"
    assert read.source.format == "text"


def test_a_persons_own_list_does_not_wait_and_one_from_an_assistant_does(given: Given) -> None:
    """FR-103: what an assistant says of somebody waits for them."""
    assert given("Likes tea.\n").memories[0].author == ""
    assert given("Likes tea.\n", format="gemini").memories[0].author == "gemini"
    assert given("Likes tea.\n", format="chatgpt").memories[0].author == "chatgpt"
    mem0 = [{"memory": "Likes tea.", "user_id": "x"}]
    assert given(mem0, "m.json").memories[0].author == "mem0"
    assert given(mem0, "m.json", format="you").memories[0].author == ""


def test_the_dates_an_assistant_prints_before_a_memory_are_when_it_was_saved(given: Given) -> None:
    read = given("```\n[2025-05-02] - Likes tea\n[unknown] - Has a dog\n[size 42] shoes\n```\n")
    assert read.texts == ["Likes tea", "Has a dog", "[size 42] shoes"]
    assert read.memories[0].written_at == 1_746_144_000_000
    assert read.memories[1].written_at is None


def test_a_list_that_begins_with_a_bracket_is_no_json(given: Given) -> None:
    assert given("[2025-05-02] - Likes tea\n[2025-06-02] - Likes bread\n").source.format == "text"


NOTES = """---
title: About me
---
# About me

Prefers tea
over coffee.

## Brands
- Avoids:
  - Adidas
  - Puma
- Buys shoes online
    - only in size 42
- [x] Renewed the passport
- [ ] Book the dentist
1. Numbered too
"""


def test_markdown_gives_a_memory_for_each_item_and_paragraph_under_its_headings(
    given: Given,
) -> None:
    read = given(NOTES, "CLAUDE.md")
    assert read.texts == [
        "Prefers tea over coffee.",
        "Avoids: Adidas",
        "Avoids: Puma",
        "Buys shoes online",
        "only in size 42",
        "Renewed the passport",
        "Book the dentist",
        "Numbered too",
    ]
    assert read.paths()[0] == "About me"
    assert set(read.paths()[1:]) == {"About me/Brands"}
    assert read.metadata(4) == {"under": "Buys shoes online"}
    assert read.metadata(5) == {"done": "yes"}
    assert read.metadata(6) == {"done": "no"}
    assert read.source.notes == ["Left out: the front matter in lines 1 to 3."]


def test_code_tables_and_comments_are_left_out_and_said_to_be(given: Given) -> None:
    code, table, comment = "```python\n- not me\n```", "| a | b |\n|---|---|", "<!-- nor\nme -->"
    read = given(f"- keep me\n\n{code}\n\n{table}\n{comment}\n- and me\n", "notes.md")
    assert read.texts == ["keep me", "and me"]
    assert read.source.notes == ["Left out: 1 block of code, 2 rows of a table, 1 comment."]


def test_a_list_that_was_copied_as_one_block_of_code_is_the_list(given: Given) -> None:
    pasted = "Here is what I know about you:\n\n```\n- Likes tea\n- Has a dog\n```\n"
    assert given(pasted, "paste.md", format="claude").texts[-2:] == ["Likes tea", "Has a dog"]
    assert given("```\n- Likes tea\n- Has a dog\n```\n").texts == ["Likes tea", "Has a dog"]


def test_notes_of_basic_memory_say_category_tags_and_relations(given: Given) -> None:
    note = """---
title: Coffee
permalink: coffee
---
# Coffee

## Observations
- [method] Pour over is clearer #brewing #v60 (from a course)

## Relations
- relates_to [[Tea]]
"""
    read = given(note, "coffee.md")
    assert read.source.format == "basic-memory"
    assert read.texts == ["Pour over is clearer (from a course)", "Coffee relates to Tea"]
    assert read.metadata() == {"category": "method", "tags": "brewing, v60"}


def test_a_label_with_nothing_under_it_is_not_lost(given: Given) -> None:
    read = given("- Avoids:\n  - Adidas\n- To be asked:\n- Likes tea\n-\n\nAnd then:\n", "n.md")
    assert read.texts == ["Avoids: Adidas", "To be asked:", "Likes tea", "And then:"]


@pytest.mark.parametrize("line", ["# " + " " * 60_000 + "x", "*" * 60_000 + "x", "> " * 40_000])
def test_a_line_made_to_be_slow_is_read_in_no_time(given: Given, line: str) -> None:
    began = time.process_time()
    given(f"{line}\n- one\n", "n.md")
    assert time.process_time() - began < 5


@pytest.mark.parametrize("rule", ["---", "***", "___", "- - -"])
def test_a_rule_is_no_memory(given: Given, rule: str) -> None:
    assert given(f"- one\n\n{rule}\n\n- two\n", "n.md").texts == ["one", "two"]


def test_underlined_headings_are_headings(given: Given) -> None:
    read = given("Family\n======\n\n- Has a sister\n\nWork\n----\n\n- Bakes\n", "n.md")
    assert read.texts == ["Has a sister", "Bakes"]
    assert read.paths() == ["Family", "Family/Work"]


def test_a_paragraph_over_the_limit_is_offered_whole_for_the_engine_to_refuse(given: Given) -> None:
    long = "word " * 3_000
    assert len(given(long).texts[0]) > 8_192
    assert len(given(f"{long}\n- short\n", "n.md").texts[0]) > 8_192


def test_lines_only_grow_so_that_an_import_can_go_on_behind_one(given: Given) -> None:
    read = given(NOTES, "n.md")
    numbers = [value.line for value in read.values]
    assert numbers == sorted(numbers)


def test_hostile_sentences_are_read_as_they_are(given: Given) -> None:
    from tests.support.hostile import HOSTILE

    lines = [text for text in HOSTILE if "\n" not in text and "\r" not in text]
    read = given("\n".join(lines))
    kept = [each.content for each in read.memories if isinstance(each, Incoming)]
    assert {content.text for content in kept if isinstance(content, FactContent)} <= {
        line.strip() for line in lines
    }
    assert len(kept) >= len(lines) - 1
