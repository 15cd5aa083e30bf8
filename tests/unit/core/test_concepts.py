"""Concepts: a question and its answer meet without a word in common, and prose stays out."""

from __future__ import annotations

import re
import time
from collections import Counter
from collections.abc import Iterator
from functools import cache

import apsw
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from localmem.core import concepts, thesaurus, words

LANGUAGES = ("en", "pt", "es", "fr", "de", "it", "zh", "ja")
MAX_PER_WORD = 6
MAX_PER_FACT = 6


@cache
def entries() -> tuple[tuple[str, str, str], ...]:
    """Every word of the thesaurus as (concept, languages, word)."""
    return tuple(
        (name, tag, word) for name, text in thesaurus.CONCEPTS.items() for tag, word in tagged(text)
    )


def tagged(source: str) -> Iterator[tuple[str, str]]:
    tag = ""
    for word in source.split():
        if word.endswith(":"):
            tag = word[:-1]
        elif not word.startswith("<"):
            yield tag, word


def spoken(word: str) -> str:
    """A text that says the word: its underscores are spaces, any number is 7, its ending is s."""
    return word.replace("_", " ").replace("#", "7").replace("*", "s")


def folded(word: str) -> str:
    return words.index_text(word.replace("_", " ").replace("#", "7")) + "*" * word.endswith("*")


# The thesaurus itself.


def test_every_word_of_the_thesaurus_finds_its_concept() -> None:
    lost = [(name, word) for name, _, word in entries() if name not in concepts.of(spoken(word))]
    assert lost == []
    assert len(entries()) > 10_000


@pytest.mark.parametrize("language", LANGUAGES)
def test_a_language_has_words_in_the_concepts(language: str) -> None:
    having = {name for name, tag, _ in entries() if language in tag.split("+")}
    missing = thesaurus.CONCEPTS.keys() - having
    if language in ("en", "pt", "es"):
        assert missing == set()
    else:
        assert len(missing) < len(thesaurus.CONCEPTS) // 5


def test_only_known_languages_are_named() -> None:
    assert {part for _, tag, _ in entries() for part in tag.split("+")} == {*LANGUAGES, "all"}


def test_a_word_stands_once_in_a_concept_however_it_is_written() -> None:
    seen = Counter((name, folded(word)) for name, _, word in entries())
    assert [key for key, times in seen.items() if times > 1] == []


def test_no_word_is_listed_that_a_stem_of_its_concept_covers() -> None:
    stems = {(name, folded(word)[:-1]) for name, _, word in entries() if word.endswith("*")}
    covered = [
        (name, word)
        for name, _, word in entries()
        for length in range(concepts.STEM, len(folded(word)))
        if " " not in folded(word)
        and (name, folded(word)[:length]) in stems
        and folded(word) != f"{folded(word)[:length]}*"
    ]
    assert covered == []


def test_a_stem_is_a_single_word_of_four_letters_or_more() -> None:
    stems = [word for _, _, word in entries() if "*" in word]
    assert stems
    assert all(re.fullmatch(r"[^\W_]{4,}\*", word) for word in stems)


def test_numbers_are_written_as_any_number() -> None:
    assert [word for _, _, word in entries() if re.match(r"\d|.*_\d", word)] == []


def test_the_thesaurus_holds_no_combining_marks() -> None:
    """The loader folds characters one by one, which is only right without them."""
    for _, _, word in entries():
        apart = "".join(words.fold(character) for character in word.replace("_", ""))
        assert apart.split() == words.fold(word.replace("_", "")).split()


@pytest.mark.parametrize("name", sorted(thesaurus.CONCEPTS))
def test_a_broader_concept_is_a_concept_and_not_a_part_of_its_own(name: str) -> None:
    above = re.findall(r"<(\w+)", thesaurus.CONCEPTS[name])
    for broader in above:
        assert broader in thesaurus.CONCEPTS
        assert f"<{name}" not in thesaurus.CONCEPTS[broader].split()


def test_no_word_belongs_to_more_than_six_concepts() -> None:
    crowded = [word for _, _, word in entries() if len(concepts.of(spoken(word))) > MAX_PER_WORD]
    assert crowded == []


@pytest.fixture
def fresh_lexicon() -> Iterator[None]:
    yield
    concepts._lexicon.cache_clear()


IDIOMS = tuple(spoken(idiom) for _, idiom in tagged(thesaurus.IDIOMS))


def test_no_idiom_is_written_twice() -> None:
    assert [idiom for idiom, times in Counter(map(words.fold, IDIOMS)).items() if times > 1] == []


def test_every_idiom_hides_what_would_mislead(
    fresh_lexicon: None, monkeypatch: pytest.MonkeyPatch
) -> None:
    meant = [set(concepts.of(idiom)) for idiom in IDIOMS]
    monkeypatch.setattr(thesaurus, "IDIOMS", "")
    concepts._lexicon.cache_clear()
    heard = [set(concepts.of(idiom)) for idiom in IDIOMS]
    idle = [i for i, m, h in zip(IDIOMS, meant, heard, strict=True) if not h - m]
    assert idle == []


# What is found.


@pytest.mark.parametrize(
    ("text", "concept"),
    [
        ("Text her on Telegram.", "contact"),
        ("Reach him by phone only", "phone"),
        ("Available between 9 and 11", "availability"),
        ("Never before 8:30", "availability"),
        ("Takes EU 44 in sneakers", "shoes"),
        ("Wears a 42", "size"),
        ("Adopted a beagle named Biscuit", "pets"),
        ("Coeliac since childhood", "diet"),
        ("Only decaf after noon", "coffee"),
        ("Accountant at a small firm in Leeds", "profession"),
        ("Next of kin is her brother Tom", "emergency"),
        ("Fluent in Italian", "language"),
        ("His wife Marta sings", "partner"),
        ("Her son Leo is seven years old", "age"),
        ("Her son Leo is seven years old", "children"),
        ("Carries an EpiPen", "allergy"),
        ("Insulin twice a day", "medication"),
        ("Switched from Emacs last month", "editor"),
        ("SQLite with WAL", "database"),
        ("Short-sighted", "vision"),
        ("Left-handed", "handedness"),
        ("Out of office in August", "time_off"),
        ("Parcel locker at the station", "delivery"),
        ("Supports Benfica", "sports_team"),
        ("Keto since January", "diet"),
        ("Arachnophobia", "fear"),
        ("Prefers answers in bullet points", "writing_style"),
        ("Dark mode everywhere", "appearance"),
        ("Só por telemóvel", "contact"),
        ("Calça 38", "shoes"),
        ("Intolerante ao marisco", "allergy"),
        ("Apartamento em Braga", "residence"),
        ("O NIF vai na fatura", "tax"),
        ("Toca cavaquinho", "instrument"),
        ("O aniversário dela é em maio", "birthday"),
        ("Trabalha por turnos", "working_hours"),
        ("Duas crianças pequenas", "family"),
        ("Deixar na portaria", "delivery"),
        ("Tiene un gato y una tortuga", "pets"),
        ("Siempre con tarjeta de crédito", "payment"),
        ("Nació el 2 de abril", "birthday"),
        ("Es abogada", "profession"),
        ("Le duele la espalda, toma ibuprofeno", "medication"),
        ("Juega al baloncesto los jueves", "sport"),
        ("Llamar después de las 18", "availability"),
        ("Infirmière à Lyon", "profession"),
        ("Végétarienne depuis 2015", "diet"),
        ("Elle habite rue de la Paix", "address"),
        ("Zwei Katzen und ein Hund", "pets"),
        ("Schuhgröße 39", "shoes"),
        ("Trinkt keinen Kaffee", "coffee"),
        ("È allergica alle noci", "allergy"),
        ("Suona la chitarra", "instrument"),
        ("他养了一只狗", "pets"),
        ("请发邮件，不要打电话", "email"),
        ("不吃香菜", "diet"),
        ("在银行工作", "work"),
        ("犬を飼っている", "pets"),
        ("花粉症でアレルギーの薬を飲む", "allergy"),
        ("靴のサイズは二十五センチ", "shoes"),
        ("東京に住んでいる", "residence"),
        ("ＷＨＡＴＳＡＰＰ please", "messaging"),
        ("Loves ☕ and 🐶", "coffee"),
    ],
)
def test_a_text_belongs_to_the_concept_it_touches(text: str, concept: str) -> None:
    assert concept in concepts.of(text)


@pytest.mark.parametrize(
    ("question", "fact"),
    [
        ("How do they like to be contacted?", "Prefers WhatsApp over email."),
        ("When is the best moment to ring?", "Free after 18:00 on weekdays"),
        ("What is his shoe size?", "Wears EU 43"),
        ("What can't she eat?", "Lactose-free"),
        ("Where do they work?", "Tuesdays in the Lisbon office"),
        ("How does he get to work?", "Cycles to work along the canal"),
        ("What do they do for fun?", "Collects old stamps and knits"),
        ("What is he scared of?", "Claustrophobic, avoids lifts: a phobia"),
        ("How does she want to be addressed?", "Pronouns are they/them"),
        ("When is she on holiday?", "Annual leave in August"),
        ("What gift should we bring?", "Her wishlist: a cast-iron pan"),
        ("Que número calça?", "Sapatilhas 41"),
        ("O que bebe?", "Só cerveja sem álcool"),
        ("Onde mora?", "Apartamento em Braga"),
        ("Quem são os filhos?", "Her daughter is Clara"),
        ("¿A qué se dedica?", "Engineer at a shipyard"),
        ("¿Qué música escucha?", "Le encanta el jazz"),
        ("Quel est son métier ?", "Infirmière"),
        ("Welche Haustiere hat er?", "Two cats"),
        ("他有宠物吗？", "A dog called Rex"),
        ("仕事は何ですか。", "看護師です"),
    ],
)
def test_a_question_meets_its_answer_without_a_word(question: str, fact: str) -> None:
    assert set(concepts.of(question)) & set(concepts.of(fact))


@pytest.mark.parametrize(
    ("text", "concept"),
    [
        ("lunchtime sandwiches", "meals"),
        ("Seeing a dermatologist", "doctor"),
        ("vegetarianos", "diet"),
    ],
)
def test_a_stem_covers_the_endings_of_a_word(text: str, concept: str) -> None:
    assert concept in concepts.of(text)


def test_a_part_of_a_concept_belongs_to_the_broader_one() -> None:
    assert {"messaging", "contact"} <= set(concepts.of("WhatsApp"))
    assert {"nuts", "food"} <= set(concepts.of("almonds"))
    assert {"medication", "health"} <= set(concepts.of("ibuprofen"))


# What is not.


@pytest.mark.parametrize(
    ("text", "never"),
    [
        ("The function returns None when the list is empty.", "phone"),
        ("The coffee table has a scratch.", "coffee"),
        ("She sold hot dogs at the fair.", "pets"),
        ("The API call timed out.", "phone"),
        ("This does not work in older versions.", "work"),
        ("It works out in the end.", "work"),
        ("We are running late again.", "running"),
        ("The IP address changed.", "address"),
        ("Contact lenses only, no frames", "contact"),
        ("An Italian restaurant near the river", "language"),
        ("Of course they did.", "learning"),
        ("The commit message is empty.", "messaging"),
        ("A key-value layout", "keys"),
        ("The third party refused.", "celebration"),
        ("These are the ones that were left behind.", "education"),
        ("The one on the left is the best.", "tea"),
        ("He came back, and they come often.", "food"),
        ("What kind of thing was it?", "children"),
        ("It was such a pain.", "bread_and_grains"),
        ("Tudo isto é para te dizer que sim.", "tea"),
        ("Na altura ninguém sabia o que fazer.", "body_measurements"),
        ("Ele ia sair quando aconteceu.", "ai_assistant"),
        ("O país inteiro parou.", "parents"),
        ("Todo lo que dijo era verdad.", "project"),
        ("La mala noticia es que no queda nada.", "luggage"),
        ("Unas veces más y otras menos.", "beauty"),
        ("Los mismos son de siempre.", "children"),
        ("Vino sin decir nada.", "alcohol"),
        ("La red de contactos creció.", "colour"),
        ("Pasó once años fuera.", "age"),
        ("Der Mann hat es über den Zaun geworfen.", "clothes"),
        ("Der Mann hat es über den Zaun geworfen.", "taxi"),
        ("Die Art und Weise war nicht das Problem.", "art"),
        ("Das ist nicht dort, wo ich dachte.", "sleep"),
        ("Il y a quelque chose que je ne comprends pas.", "decision"),
        ("Elle est en train de partir.", "train"),
        ("Sono stanca e non so cosa fare.", "sleep"),
        ("Come sempre, loro sono arrivati prima di noi.", "pets"),
        ("本当に大丈夫ですか。", "partner"),
        ("この話は面白いと思った。", "colour"),
        ("ウイスキーを少し", "sport"),
        ("大家都没有说话。", "housing"),
        ("动物园里有熊猫。", "pets"),
    ],
)
def test_a_word_with_another_meaning_does_not_fire(text: str, never: str) -> None:
    assert never not in concepts.of(text)


@pytest.mark.parametrize(
    "text",
    [
        "It was a good idea, and we should try it again.",
        "There is something about the way he looks at it.",
        "Two of them stood at the edge and waited for the others.",
        "They would like to use the other one instead.",
        "Turn right at the corner and go straight on.",
        "We ran the script twice and it failed both times.",
        "Nothing else could be done about it at that point.",
        "Há muito que ninguém fala nisso.",
        "Não sei se vale a pena insistir.",
        "Os resultados foram melhores do que se esperava.",
        "Son los mismos de siempre.",
        "No es lo que parece a primera vista.",
        "Te lo digo para que lo sepas.",
        "Ich weiß nicht, was das soll.",
        "Je ne sais pas ce que tu veux dire.",
        "Non è quello che sembra.",
        "这件事情没有那么简单。",
        "彼はしばらく黙っていた。",
        "",
        " \n\t ",
        "!?… — 42 3.14",
    ],
)
def test_ordinary_prose_belongs_to_no_concept(text: str) -> None:
    assert concepts.of(text) == ()


@pytest.mark.parametrize(
    ("word", "never"),
    [
        ("son", "children"),
        ("sons", "children"),
        ("pain", "bread_and_grains"),
        ("kind", "children"),
        ("te", "tea"),
        ("the", "tea"),
        ("la", "fabric"),
        ("le", "books"),
        ("hat", "clothes"),
        ("mala", "luggage"),
        ("uber", "taxi"),
        ("nas", "backup"),
        ("ai", "ai_assistant"),
        ("todo", "project"),
        ("vino", "alcohol"),
        ("puesto", "position"),
        ("pais", "parents"),
        ("papa", "parents"),
        ("mani", "nuts"),
        ("loro", "pets"),
        ("dort", "sleep"),
        ("gonna", "clothes"),
        ("lied", "music"),
        ("pendant", "jewellery"),
        ("due", "deadline"),
        ("prima", "family"),
        ("book", "books"),
        ("play", "games"),
        ("run", "running"),
        ("font", "appearance"),
        ("destroy", "handedness"),
        ("investigate", "savings_and_debt"),
        ("eleven", "school"),
        ("attorney", "screen"),
        ("escritorio", "books"),
        ("camarada", "photography"),
        ("gemeinsam", "siblings"),
        ("gestorben", "manager"),
        ("documentary", "documents"),
        ("precious", "budget"),
        ("doctorado", "doctor"),
    ],
)
def test_a_word_that_means_something_else_elsewhere_is_left_out(word: str, never: str) -> None:
    assert never not in concepts.of(word)


@pytest.mark.parametrize(
    "word",
    ["like", "use", "want", "time", "day", "good", "thing", "way", "make", "take", "who", "where"],
)
def test_a_word_that_says_nothing_belongs_to_no_concept(word: str) -> None:
    assert concepts.of(word) == ()


def test_a_number_alone_says_nothing() -> None:
    assert concepts.of("7 42 2024 112 3.5") == ()
    assert concepts.of("before long") == ()
    assert "availability" in concepts.of("before 12")


FACTS = (
    "Calls only before 10 in the morning.",
    "Has a dog called Rex and two cats.",
    "Lactose intolerant, oat milk only.",
    "Works at the Lisbon office on Tuesdays and Thursdays.",
    "Married to Joana; they have two daughters, Inês and Clara.",
    "Her birthday is on 3 May.",
    "Takes the window seat on long flights.",
    "Blood type is O negative.",
    "Drinks espresso after lunch, never tea.",
    "Pays by Pix; invoices go to the company.",
    "Uses Neovim on Arch Linux with a split keyboard.",
    "Team writes Python 3.12 and formats with ruff.",
    "Backend runs on Postgres and Redis.",
    "Deploys happen on Wednesdays, never on Fridays.",
    "Left-handed.",
    "Goes running along the river on Sunday mornings.",
    "Plays the cello in an amateur orchestra.",
    "Speaks Portuguese, English and some German.",
    "Lives in a third-floor flat in Graça without a lift.",
    "Leave parcels with the concierge.",
    "Spare key is with the neighbour downstairs.",
    "Passport expires in March 2027.",
    "Is afraid of heights.",
    "Sleeps badly when it is hot.",
    "Reads crime novels on a Kindle.",
    "Vegetarian since 2015, eats fish at Christmas.",
    "Wants short answers without emojis.",
    "Keeps the house at 19 degrees, hates noise.",
    "Rides a folding bike to the station.",
    "Volunteers at the food bank every other Saturday.",
    "A reunião de equipa é à segunda-feira às 10.",
    "Tem um gato chamado Miso.",
    "Não come glúten.",
    "Mora em Curitiba com os pais.",
    "Trabalha como enfermeira no turno da noite.",
    "Gosta de samba e toca cavaquinho.",
    "Paga sempre com cartão de crédito.",
    "O filho mais velho joga futebol.",
    "Usa óculos para ler e lentes para nadar.",
    "Prefiere que lo llamen después de las 18.",
    "Tiene dos hermanas y una sobrina.",
    "Es alérgica a los cacahuetes.",
    "Vive en Sevilla y trabaja en un hospital.",
    "Conduce un coche eléctrico.",
    "Su talla de pantalón es la 40.",
    "Elle préfère le thé vert sans sucre.",
    "Er spielt Schach und sammelt Briefmarken.",
    "不吃香菜，喜欢喝咖啡。",
    "猫を二匹飼っている。",
    "東京の会社でエンジニアとして働いている。",
)


def test_a_fact_belongs_to_a_few_concepts_and_never_to_many() -> None:
    counts = [len(concepts.of(fact)) for fact in FACTS]
    assert len(counts) == 50
    assert min(counts) >= 1
    assert max(counts) <= MAX_PER_FACT
    assert sum(counts) / len(counts) < 3


# The token in the index.


@pytest.mark.parametrize(
    ("question", "left"),
    [
        ("how do they like to be contacted?", set()),
        ("como ela gosta de ser contatada?", set()),
        ("how was the interview with the bank?", {"interview"}),
        ("what time zone is it in Porto?", {"porto"}),
        ("wie ist der Kontakt von Ana?", {"ana"}),
        ("which telescope should be bought for stargazing?", {"telescope", "stargazing"}),
        ("怎么联系他比较好？", set()),
        ("", set()),
    ],
)
def test_what_a_shared_concept_leaves_unanswered_are_the_other_telling_words(
    question: str, left: set[str]
) -> None:
    assert concepts.untouched(question) == left


def test_vague_words_belong_to_no_concept_by_themselves() -> None:
    vague = [word for _, word in tagged(thesaurus.VAGUE)]
    assert len(vague) > 50
    assert [word for word in vague if concepts.untouched(word)] == []


def test_the_index_keeps_a_concept_as_one_word_of_its_own() -> None:
    db = apsw.Connection(":memory:")
    db.execute(
        "CREATE VIRTUAL TABLE words USING fts5"
        "(body, tokenize = 'unicode61 remove_diacritics 2', prefix = '2 3')"
    )
    db.execute("CREATE VIRTUAL TABLE seen USING fts5vocab (words, 'row')")
    names = sorted(thesaurus.CONCEPTS)
    for row, name in enumerate(names):
        body = f"{words.index_text('Prefers WhatsApp')} {concepts.token(name)}"
        db.execute("INSERT INTO words (rowid, body) VALUES (?, ?)", (row, body))
    kept = {str(term) for (term,) in db.execute("SELECT term FROM seen")}
    assert kept == {"prefers", "whatsapp", *map(concepts.token, names)}
    for row, name in enumerate(names):
        found = db.execute(
            "SELECT rowid FROM words WHERE words MATCH ?", (f'"{concepts.token(name)}"',)
        )
        assert [rowid for (rowid,) in found] == [row]


def test_every_concept_has_a_token_of_its_own() -> None:
    assert len({concepts.token(name) for name in thesaurus.CONCEPTS}) == len(thesaurus.CONCEPTS)


def test_no_text_of_a_person_becomes_a_token() -> None:
    tokens = {concepts.token(name) for name in thesaurus.CONCEPTS}
    everything = " ".join(sorted(tokens))
    assert not tokens & set(words.index_text(everything).split())
    devanagari = "".join(chr(code) for code in range(0x0900, 0x1CFF))
    assert concepts.token("pets")[0] not in words.index_text(devanagari)


def test_the_edition_is_short_and_stays() -> None:
    assert re.fullmatch("[0-9a-f]{8}", concepts.edition())
    assert concepts.edition() == concepts.edition()


def test_the_edition_changes_with_a_word(monkeypatch: pytest.MonkeyPatch) -> None:
    before = concepts.edition()
    changed = {**thesaurus.CONCEPTS, "pets": thesaurus.CONCEPTS["pets"] + " axolotl"}
    monkeypatch.setattr(thesaurus, "CONCEPTS", changed)
    assert concepts.edition() != before


# Any text at all.


def hostile(seed: str) -> str:
    return (seed * (200_000 // len(seed) + 1))[:200_000]


@pytest.mark.parametrize(
    "text",
    [
        hostile("a"),
        hostile("7"),
        hostile("how old is she "),
        hostile("a que horas a que "),
        hostile("电话"),
        hostile("メ"),
        hostile("no "),
        hostile("e\u0301"),
        hostile("\u200b"),
        hostile("\uf8f0pets "),
        hostile("_ * # : < "),
        hostile("contact:"),
    ],
    ids=lambda text: repr(text[:12]),
)
def test_a_long_hostile_text_takes_time_in_proportion(text: str) -> None:
    concepts.of("")
    small = min(_seconds(text[:20_000]) for _ in range(3))
    large = _seconds(text)
    assert large < 60 * small + 0.1


def _seconds(text: str) -> float:
    start = time.process_time()
    concepts.of(text)
    return time.process_time() - start


VOCABULARY = [spoken(word) for _, _, word in entries()]
REACHED = Counter[str]()


@settings(max_examples=250, derandomize=True, deadline=None)
@given(st.lists(st.one_of(st.sampled_from(VOCABULARY), st.text(max_size=12)), max_size=12))
def _any_text_has_sorted_known_concepts(parts: list[str]) -> None:
    text = " ".join(parts)
    found = concepts.of(text)
    assert list(found) == sorted(set(found))
    assert set(found) <= thesaurus.CONCEPTS.keys()
    assert concepts.of(text.upper()) == concepts.of(text.upper().lower())
    REACHED["some" if found else "none"] += 1
    REACHED["many"] += len(found) > MAX_PER_WORD
    REACHED["not ascii"] += not text.isascii()


def test_any_text_has_sorted_known_concepts() -> None:
    REACHED.clear()
    _any_text_has_sorted_known_concepts()
    assert min(REACHED[case] for case in ("some", "none", "many", "not ascii")) > 5, REACHED
