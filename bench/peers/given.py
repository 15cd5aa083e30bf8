"""What every store gets: the same facts in the same scopes, the same questions, the same vectors.

A fact is one of these sentences with its places filled, or a sentence of the project's question
sets followed by where it was said; half are of either kind where the sets are there, so that there
are as many different words as people use. Each is one sentence, because localmem has a vector for
every passage of a fact and the others have one a fact. The vectors are of localmem's own model,
and kept for the next run where a folder for that is named.
"""

from __future__ import annotations

import hashlib
import json
import random
from collections.abc import Callable, Iterator, Sequence
from itertools import count
from pathlib import Path

import numpy

from peers.protocol import BEST

EVAL = Path(__file__).resolve().parents[3] / "shared" / "eval"
CONTACT_HOLDS = 1_500
PROJECT_HOLDS = 5_000
"""As much of the facts as in `start.py`; the others are of contacts."""
BATCH = 256

WHO = """Ana|Bruno|Chloé|Davi|Elena|Farid|Greta|Hugo|Inês|João|Keiko|Lars|Mina|Noah|Olga|Pedro|Quinn
|Rosa|Samir|Tomás|Ulla|Vera|Wanda|Xavier|Yusuf|Zoë|Marta|Oskar|Priya|Diego|Heloísa|Anders"""
FAMILY = """Almeida|Becker|Costa|Duarte|Eriksen|Ferreira|García|Haddad|Ivanova|Jansen|Kowalski|Lima
|Moreau|Nakamura|Oliveira|Pereira|Quintana|Rossi|Santos|Tanaka|Ueda|Vargas|Weber|Ximenes|Young"""
THING = """green tea|oat milk|size 42 running shoes|a waterproof jacket|the blue armchair|noise
 cancelling headphones|gluten-free bread|a window seat|paper receipts|an electric bicycle|wool
 socks|a standing desk|lactose-free yoghurt|hiking boots|the cheaper tariff|fountain pens|a quiet
 hotel room|organic vegetables|a second monitor|invoices in euros|dark roast coffee|a folding
 tent|unscented soap|vegan burgers|linen shirts|a night train|the annual plan|ceramic pans|a paper
 map|rye bread"""
WAY = """WhatsApp|email|a phone call|Signal|a letter|text message|the customer portal|video call"""
WHEN = """on Monday mornings|before noon|after six in the evening|when travelling|since March|in
 winter|twice a week|at the end of the month|during school holidays|on short notice|at weekends|once
 the invoice is paid|since the move to Lisbon|when the children are asleep|every second Friday"""
WHERE = """the Lisbon store|the Porto office|the help desk|the airport counter|the web shop|the
 Berlin branch|the school|the clinic|the garage|the gym|the library|the town hall"""
REASON = """because the last delivery was late|for the daughter's birthday|as the doctor advised|to
 save on fees|because of a nut allergy|after reading the reviews|to avoid the motorway|for the new
 flat|since the old one broke|because the neighbour recommended it|for work|to eat less sugar"""
ANIMAL = "cat|dog|rabbit|parrot|tortoise|hamster|pony|goldfish"
CITY = """Lisbon|Porto|Madrid|Berlin|Lyon|Turin|Oslo|Kraków|Dublin|Ghent|Zürich|Athens|Tallinn"""
SENTENCES = (
    "{who} {family} prefers {thing} {when}.",
    "{who} {family} asked {where} for {thing} {reason}.",
    "Contact {who} {family} by {way} {when}, ticket {number}.",
    "{who} {family} returned {thing} to {where}, receipt {number}.",
    "{who} {family} ordered {thing} {reason}, order {number}.",
    "The {animal} of {who} {family} gets its food from {where} {when}.",
    "{who} {family} moved to {city} {reason} and is reached by {way}.",
    "Never offer {who} {family} {thing} {reason}.",
    "{who} {family} works from {city} {when} and wants {thing} there.",
    "On day {number} {where} noted that {who} {family} likes {thing}.",
)
PLACES = {
    name: [each.replace("\n", "") for each in text.split("|")]
    for name, text in {
        "who": WHO, "family": FAMILY, "thing": THING, "way": WAY, "when": WHEN, "where": WHERE,
        "reason": REASON, "animal": ANIMAL, "city": CITY,
    }.items()
}  # fmt: skip
QUESTIONS = """how does Ana like to be contacted|who is allergic to nuts|what shoes does Hugo wear
|window seat on the train|who drinks oat milk|como ela gosta de ser contatada|order for the daughter
|which customers moved to Berlin|late deliveries|who works from Lisbon|does Farid eat gluten|pets of
 Greta|what did the Porto office note|phone calls before noon|¿quién prefiere el café oscuro?
|returned to the web shop|who wants a quiet hotel room|standing desk|invoices in euros|what should
 we never offer Pedro|quem mudou para Madrid|favourite tea|which train does Rosa take|who has a
 tortoise|waterproof clothes|bicycle for commuting|reach by Signal|the clinic's advice|less sugar
|birthday presents|cheap phone plan|who is vegan|school holidays|como prefere receber a fatura
|broken headphones|recommended by a neighbour|hiking trips|second monitor at home|unscented
 cosmetics|who writes letters|the armchair from the Lisbon store|is there a dog|night train to Oslo
|what was bought for the new flat|people who avoid the motorway|coffee without milk|cooking pans
|who comes to the gym at weekends"""

Embed = Callable[[Sequence[str]], list[bytes]]


def questions() -> list[str]:
    return [each.replace("\n", "") for each in QUESTIONS.split("|")]


def facts(size: int) -> tuple[list[str], list[str]]:
    """(texts, scopes), all texts different, the same every time."""
    from localmem.core import passages

    chance, said = random.Random(7), _said()
    texts: dict[str, None] = {}
    for number in count(1):
        if len(texts) == size:
            break
        places = {name: chance.choice(words) for name, words in PLACES.items()}
        if said and number % 2:
            form = chance.choice(said) + ", said {who} {family} at {where} {when}."
        else:
            form = chance.choice(SENTENCES)
        text = form.format(number=number, **places)
        if passages.split(text) == (text,):
            texts[text] = None
    return list(texts), [_scope(number, size) for number in range(size)]


def _said() -> list[str]:
    """Sentences of the question sets, which stay where they are."""
    found: list[str] = []
    for file in sorted(EVAL.glob("*.json")):
        held = json.loads(file.read_text("utf-8"))
        for library in held if isinstance(held, list) else [held]:
            found += [fact["text"] for fact in library["library"]]
    return [text.rstrip(" .!?") for text in dict.fromkeys(found) if not {"{", "}"} & set(text)]


def _scope(number: int, size: int) -> str:
    if number < min(PROJECT_HOLDS, size // 2):
        return "project"
    return f"contact:c{number // CONTACT_HOLDS}"


def make(folder: Path, size: int, kept: Path | None) -> None:
    """Write facts, questions and their vectors, as protocol.Data reads them."""
    from localmem import embed

    model = embed.load(cache_dir=folder / "cache")
    texts, scopes = facts(size)
    named = {part: getattr(model.model, part) for part in ("name", "version", "dimensions")}
    folder.joinpath("model.json").write_text(json.dumps(named))
    folder.joinpath("facts.json").write_text(json.dumps({"texts": texts, "scopes": scopes}))
    folder.joinpath("questions.json").write_text(json.dumps(questions()))
    asked = [numpy.frombuffer(model.embed_question(text), numpy.float32) for text in questions()]
    numpy.save(folder / "questions.npy", numpy.stack(asked))
    digest = hashlib.sha256("\n".join([model.model.version, *texts]).encode()).hexdigest()[:16]
    known = kept / f"{digest}.npy" if kept else None
    if known is None or not known.exists():
        vectors = _vectors(texts, model.embed)
        if known is not None:
            known.parent.mkdir(parents=True, exist_ok=True)
            numpy.save(known, vectors)
    else:
        vectors = numpy.load(known)
    numpy.save(folder / "facts.npy", vectors)


def _vectors(texts: Sequence[str], embed: Embed) -> numpy.ndarray:
    parts = (embed(texts[at : at + BATCH]) for at in range(0, len(texts), BATCH))
    rows = [numpy.frombuffer(vector, numpy.float32) for part in parts for vector in part]
    return numpy.stack(rows)


def nearest(data: Path) -> list[frozenset[str]]:
    """The texts of the BEST facts truly nearest to each question."""
    texts = json.loads((data / "facts.json").read_text("utf-8"))["texts"]
    scores = numpy.load(data / "questions.npy") @ numpy.load(data / "facts.npy").T
    best = numpy.argpartition(-scores, BEST, axis=1)[:, :BEST]
    return [frozenset(texts[number] for number in row) for row in best.tolist()]


def typed(text: str) -> Iterator[str]:
    """What stands in the search box at every third key, and at the last."""
    yield from (text[:end] for end in range(3, len(text), 3))
    yield text
