"""The gate every write passes: no part of what is kept goes round it (FR-135, FR-137)."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest

from localmem.core.change import Saved
from localmem.core.facts import MAX_METADATA_VALUE
from localmem.core.model import DocumentContent, Evidence, FactContent, Item, Provenance
from localmem.core.preferences import MAX_QUOTE
from localmem.core.query import Query
from localmem.core.scope import contact, conversation
from localmem.engine import Engine, guard
from localmem.errors import DocumentTooLarge, InvalidInput, LocalmemError, SecretRejected
from tests.support.library import AGENT, BACKEND, PERSON

TOKEN = "ghp" + "_a1B2c3D4e5F6g7H8i9J0"
LOWER_TOKEN = "hf" + "_abcdefghijklmnopqrstuvwx"
DISGUISED = TOKEN[:6] + "\u200b" + TOKEN[6:]


def saved(result: object) -> Item:
    assert isinstance(result, Saved)
    return result.item


WRITES: dict[str, Callable[[Engine], object]] = {
    "fact": lambda e: e.facts.add(TOKEN),
    "fact in disguise": lambda e: e.facts.add(DISGUISED),
    "fact's metadata name": lambda e: e.facts.add("a", metadata={TOKEN: "b"}),
    "fact's metadata name in disguise": lambda e: e.facts.add("a", metadata={DISGUISED: "b"}),
    "fact's path": lambda e: e.facts.add("a", path=TOKEN),
    "contact's id": lambda e: e.facts.add("a", scope=contact(TOKEN)),
    "conversation's id": lambda e: e.facts.add("a", scope=conversation(f"x:{TOKEN}")),
    "document's scope": lambda e: e.documents.set("c", "k", 1, scope=contact(TOKEN)),
    "document's key": lambda e: e.documents.set("c", TOKEN, 1),
    "document's collection": lambda e: e.documents.set(LOWER_TOKEN, "k", 1),
    "member's name": lambda e: e.documents.set("c", "k", {"a": [{TOKEN: 1}]}),
    "collection": lambda e: e.documents.create_collection(LOWER_TOKEN),
    "collection's index": lambda e: e.documents.create_collection("c", indexes=[TOKEN]),
    "index of an inner field": lambda e: e.documents.create_collection(
        "c", indexes=[f"a.{TOKEN}"]
    ),
    "preference": lambda e: e.preferences.remember(
        "avoided_brands", [TOKEN], evidence=Evidence(quote=f"avoid {TOKEN}")
    ),
    "labelled preference": lambda e: e.preferences.remember(
        "avoided_brands", ["password: hunter22x"],
        evidence=Evidence(quote="avoid password: hunter22x"),
    ),
    "inferred preference": lambda e: e.preferences.remember(
        "preferred_brands", [TOKEN], provenance=Provenance.INFERRED,
        evidence=Evidence(purchase_id="ORD-1"),
    ),
    "purchase's id": lambda e: e.preferences.remember(
        "shoe_size", "42", provenance=Provenance.INFERRED, evidence=Evidence(purchase_id=TOKEN)
    ),
}  # fmt: skip
"""Where a token is refused rather than masked, whoever writes."""


def bytes_kept(folder: Path) -> bytes:
    return b"".join(path.read_bytes() for path in sorted(folder.rglob("*")) if path.is_file())


@pytest.mark.parametrize("where", WRITES)
@pytest.mark.parametrize("by", [PERSON, AGENT, BACKEND], ids=lambda by: str(by.kind))
def test_a_token_is_refused_in_every_place_and_no_byte_of_it_stays(
    make_engine: Callable[..., Engine], tmp_path: Path, where: str, by: object
) -> None:
    engine = make_engine(actor=by)
    with pytest.raises(SecretRejected) as refused:
        WRITES[where](engine)
    assert refused.value.kinds and refused.value.hint
    told = f"{refused.value} {refused.value.details}"
    assert TOKEN not in told and LOWER_TOKEN not in told and "hunter22x" not in told
    assert engine.library.shelf().counts == ()
    assert engine.documents.collections() == []
    kept = bytes_kept(tmp_path)
    assert not any(secret.encode() in kept for secret in (TOKEN, LOWER_TOKEN, "hunter22x"))


def test_a_token_an_agent_only_asked_about_is_not_noted_either(
    make_engine: Callable[..., Engine], tmp_path: Path
) -> None:
    engine = make_engine(actor=AGENT)
    engine.recall.search(Query("kiwi", scopes=(contact(TOKEN),)))
    deed = engine.activity.window()[0]
    assert (deed.action, deed.scope) == ("searched", "contact:[api key removed]")
    assert TOKEN.encode() not in bytes_kept(tmp_path)


def test_a_quote_is_masked_and_stays_within_its_limit(make_engine: Callable[..., Engine]) -> None:
    engine = make_engine(actor=AGENT)
    quote = f"I wear 42 and my token is {DISGUISED}"
    item = saved(engine.preferences.remember("shoe_size", "42", evidence=Evidence(quote=quote)))
    assert item.head.evidence.quote == "I wear 42 and my token is [api key removed]"
    crowded = ("42 " + "pwd=abcdef " * 50)[:MAX_QUOTE]
    masked = guard.evidence(Evidence(quote=crowded)).quote
    assert masked is not None and len(masked) == MAX_QUOTE and "abcdef" not in masked


def test_what_a_document_says_is_masked_by_the_names_above_it(
    make_engine: Callable[..., Engine],
) -> None:
    engine = make_engine(actor=AGENT)
    item = saved(engine.documents.set("home", "k", {"card": 4111111111111111, "rooms": 3}))
    assert item.head.content == DocumentContent({"card": "[card number removed]", "rooms": 3})
    item = saved(engine.documents.set("passwords", "wifi", "hunter22x"))
    assert item.head.content == DocumentContent("[password removed]")


def test_limits_count_the_masked_text(make_engine: Callable[..., Engine]) -> None:
    engine = make_engine(actor=AGENT)
    engine.facts.add("a", metadata={"k": "x" * MAX_METADATA_VALUE})
    crowded = ("pwd=abcdef " * 60)[: MAX_METADATA_VALUE - 2]
    with pytest.raises(InvalidInput) as refused:
        engine.facts.add("b", metadata={"k": crowded})
    assert refused.value.details["field"] == "metadata"
    with pytest.raises(InvalidInput) as refused:
        engine.facts.add("note: " + "pwd=abcdef " * 740)
    assert refused.value.details["field"] == "text"
    with pytest.raises(DocumentTooLarge):
        engine.documents.set("c", "k", ["pwd=abcdef"] * 15_000)


def test_the_person_may_keep_a_secret_knowingly_but_not_as_a_name(engine: Engine) -> None:
    item = saved(engine.facts.add("note", metadata={TOKEN: "b"}, keep_secret=True))
    assert item.head.content == FactContent("note", {TOKEN: "b"})
    saved(engine.documents.set("c", "k", {"password": {"value": "hunter22x"}}, keep_secret=True))
    with pytest.raises(SecretRejected):
        engine.documents.set("c", TOKEN, 1, keep_secret=True)


@pytest.mark.parametrize(
    "write",
    [
        lambda e: e.facts.add("the password is written on the fridge", scope=contact("ana.s@x.pt")),
        lambda e: e.facts.add("a", metadata={"order": "4111111111111111", "token_count": "128000"}),
        lambda e: e.documents.set("api-keys", "password:policy", {"minLength": 12000000}),
        lambda e: e.documents.set("orders", "4111111111111111", {"iban": "DE12411111111111111100"}),
        lambda e: e.documents.create_collection(
            "secrets", indexes=["customer.id", "password_hint"]
        ),
        lambda e: e.preferences.remember("preferred_brands", ["Secret", "Token", "Pass: port 1"]),
    ],
)
def test_honest_names_and_values_are_kept_as_they_are(
    engine: Engine, write: Callable[[Engine], object]
) -> None:
    result = write(engine)
    if isinstance(result, Saved):
        assert result.notes == ()


def test_refused_names_say_which_one_and_what_to_do() -> None:
    with pytest.raises(LocalmemError) as refused:
        guard.place(contact(TOKEN))
    assert refused.value.message == "The contact's id looks like a secret (api key)."
    assert refused.value.hint.startswith("Choose another name")
