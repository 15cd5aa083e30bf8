"""Scopes: three forms, one alphabet, nothing written by hand into the person's own."""

from __future__ import annotations

from collections import Counter

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from localmem.core import scope
from localmem.core.scope import PERSON, PROJECT, Scope, ScopeKind
from localmem.errors import InvalidScope


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("project", PROJECT),
        ("contact:ana", Scope(ScopeKind.CONTACT, "ana")),
        ("conversation:t-1", Scope(ScopeKind.CONVERSATION, "t-1")),
        ("contact:phone:56940560201", Scope(ScopeKind.CONTACT, "phone:56940560201")),
        ("contact:" + "a" * 255, Scope(ScopeKind.CONTACT, "a" * 255)),
    ],
)
def test_each_form_is_read_and_written_back_alike(text: str, expected: Scope) -> None:
    assert scope.parse(text) == expected
    assert str(expected) == text


@pytest.mark.parametrize(
    "text",
    [
        "",
        "Project",
        " project",
        "project:",
        "project:x",
        "person",
        "person:me",
        "contact",
        "contact:",
        "contact:a b",
        "contact:+56940560201",
        "contact:ana\n",
        "contact:é",
        "contact:" + "a" * 256,
        "thread:1",
    ],
)
def test_anything_else_is_refused_with_a_way_out(text: str) -> None:
    with pytest.raises(InvalidScope) as refused:
        scope.parse(text)
    assert refused.value.hint


def test_a_long_wrong_scope_is_not_echoed_whole() -> None:
    with pytest.raises(InvalidScope) as refused:
        scope.parse("x" * 10_000)
    assert len(str(refused.value)) < 300


def test_only_a_stored_scope_may_be_the_persons_own() -> None:
    assert scope.stored("person") is PERSON
    assert scope.stored("contact:ana") == scope.contact("ana")
    assert scope.conversation("t") == scope.parse("conversation:t")


def test_fact_caps_are_those_of_the_hosted_api_and_the_persons_own_holds_no_facts() -> None:
    caps = [s.fact_cap for s in (PROJECT, scope.contact("a"), scope.conversation("b"), PERSON)]
    assert caps == [10_000, 2_000, 1_000, 0]


def test_every_text_is_either_a_scope_that_reads_back_or_refused() -> None:
    reached: Counter[str] = Counter()
    forms = st.sampled_from(["project", "contact:", "conversation:", "person", "thread:", ""])

    @settings(derandomize=True, deadline=None, max_examples=300)
    @given(forms, st.one_of(st.text(max_size=8), st.text("aZ9._:@-", max_size=12)))
    def holds(form: str, rest: str) -> None:
        text = form + rest
        try:
            read = scope.parse(text)
        except InvalidScope:
            reached["refused"] += 1
            return
        reached[read.kind] += 1
        assert str(read) == text
        assert scope.stored(text) == read

    holds()
    assert {"refused", "project", "contact", "conversation"} <= set(reached)
