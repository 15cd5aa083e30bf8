"""The everyday concepts a text touches, so that a question and its answer meet without a word.

"How do they like to be contacted?" and "Prefers WhatsApp over email." share no word, and a small
sentence model sees little in common (cosine .13); both touch `contact`. The concepts of a text go
into the word index beside its words, each as a token of its own, and are looked up like words.

Only helps finding. Refuses to say that two texts mean the same: "WhatsApp over email" and "email
over WhatsApp" touch the same concepts, "eats meat" and "eats no meat" nearly so, and nothing may
be merged, replaced or rejected because of what is said here. Asks for no language: every word
counts in every text, which is why `core.thesaurus` leaves out what another language reads
differently. Keeps nothing of the texts it sees.
"""

from __future__ import annotations

import zlib
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from functools import cache, lru_cache
from itertools import chain

from localmem.core import thesaurus, tongue
from localmem.core.words import fold, index_text, telling

STEM = 4
"""Letters a stem has at least; shorter ones (`son*`, `cat*`) begin too many other words."""
_MARK = "\uf8f0"
"""Private use: FTS5 keeps it in a token, and folding drops it from whatever a person writes."""
_DIGITS = "0123456789"
_NOTHING: frozenset[str] = frozenset()


@dataclass(frozen=True, slots=True)
class _Phrase:
    words: tuple[str, ...]
    concepts: frozenset[str]
    hides: bool
    """Whether the words in it do not count by themselves."""


@dataclass(frozen=True, slots=True)
class _Lexicon:
    words: dict[str, frozenset[str]]
    stems: dict[str, tuple[tuple[str, frozenset[str]], ...]]
    """By their first `STEM` letters."""
    phrases: dict[str, dict[str, tuple[_Phrase, ...]]]
    """By their first word, then by their second; the longest first."""


def of(text: str) -> tuple[str, ...]:
    """The names of the concepts whose words `text` holds: sorted, each once; () for none.

    A word counts whole or by its stem, a phrase word after word, a Chinese or Japanese word inside
    others (FR-41, FR-70 for what a word is). Takes time in proportion to the text, whatever it
    holds.
    """
    return of_words(index_text(text))


def of_words(indexed: str) -> tuple[str, ...]:
    """As `of`, for a text that went through `words.index_text` already."""
    words = _numberless(indexed.split())
    found: set[str] = set()
    for at, end, phrase in _parts(words):
        found.update(*([phrase.concepts] if phrase else map(_of_word, words[at:end])))
    return tuple(sorted(found))


def untouched(question: str) -> frozenset[str]:
    """The words of a question that a shared concept leaves unanswered, folded.

    In "how was the interview with the bank?" that is the interview. Neither words that ask and tell
    nothing ("like", "want") nor stop words.
    """
    indexed = index_text(question).split()
    words = _numberless(indexed)
    touched = {
        indexed[each]
        for at, end, phrase in _parts(words)
        for each in range(at, end)
        if phrase or _of_word(words[each])
    }
    return telling(question, touched | _vague() | tongue.SMALL_WORDS)


def _numberless(words: list[str]) -> list[str]:
    """A number at the start of a word is `#`, whatever it is."""
    return [f"#{word.lstrip(_DIGITS)}" if word[0] in _DIGITS else word for word in words]


def _parts(words: list[str]) -> Iterator[tuple[int, int, _Phrase | None]]:
    """From one word to before another: the phrases, and what counts word by word."""
    lexicon = _lexicon()
    done = shown = 0
    begin = lexicon.phrases
    following = chain(words[1:], ("",))
    starts = [
        at
        for at, (word, second) in enumerate(zip(words, following, strict=False))
        if word in begin and (second in begin[word] or "" in begin[word])
    ]
    for at in starts:
        if at < shown:
            continue
        for phrase in _phrases(lexicon, words, at):
            end = at + len(phrase.words)
            yield at, end, phrase
            if phrase.hides:
                yield done, at, None
                done = shown = end
                break
    yield done, len(words), None


@lru_cache(maxsize=8_192)
def _of_word(word: str) -> frozenset[str]:
    """The concepts of a word by itself: whole, or by its stems."""
    lexicon = _lexicon()
    names = lexicon.words.get(word, _NOTHING)
    for stem, more in lexicon.stems.get(word[:STEM], ()):
        if word.startswith(stem):
            names |= more
    return names


def narrowest(names: tuple[str, ...]) -> tuple[str, ...]:
    """The names none of the others is a part of: what a question about cake asks for is sweets.

    For questions only. A fact keeps the broader ones, so that a question about food finds it.
    """
    broader = set(chain.from_iterable(_parents()[name] for name in names))
    return tuple(name for name in names if name not in broader)


def token(name: str) -> str:
    """The word a concept stands under in the word index: one FTS5 token, and no person's word."""
    return _MARK + name.replace("_", "")


def edition() -> str:
    """Names the thesaurus: eight hex digits that change with it.

    An index that was filled under another edition finds by outdated concepts until it is refilled.
    """
    data = chain((thesaurus.IDIOMS,), *sorted(thesaurus.CONCEPTS.items()))
    return f"{zlib.crc32(chr(0).join(data).encode()):08x}"


def _phrases(lexicon: _Lexicon, words: list[str], at: int) -> Iterator[_Phrase]:
    """The phrases that begin at a word, the longest first."""
    seconds = lexicon.phrases[words[at]]
    second = words[at + 1] if at + 1 < len(words) else ""
    for phrase in (*seconds.get(second, ()), *seconds.get("", ())):
        if tuple(words[at : at + len(phrase.words)]) == phrase.words:
            yield phrase


@cache
def _lexicon() -> _Lexicon:
    """The thesaurus in the form `of` asks it in; made once, by the first text."""
    sources = thesaurus.CONCEPTS
    signs = _signs("".join((thesaurus.IDIOMS, *sources.values())))
    by_entry: dict[str, frozenset[str]] = {}
    for name, source in sources.items():
        names = _parents()[name] | {name}
        for entry in _entries(source, signs):
            known = by_entry.get(entry)
            by_entry[entry] = names if known is None else known | names
    return _arrange(by_entry, frozenset(_entries(thesaurus.IDIOMS, signs)))


def _arrange(by_entry: dict[str, frozenset[str]], idioms: frozenset[str]) -> _Lexicon:
    words: dict[str, frozenset[str]] = {}
    stems: dict[str, list[tuple[str, frozenset[str]]]] = {}
    phrases: dict[str, dict[str, list[_Phrase]]] = {}
    for entry in chain(by_entry, sorted(idioms - by_entry.keys())):
        names = by_entry.get(entry, _NOTHING)
        if entry[-1] == "*":
            stems.setdefault(entry[:STEM], []).append((entry[:-1], names))
        elif " " in entry or entry in idioms:
            parts = (*entry.split(" "), "")
            phrase = _Phrase(parts[:-1], names, entry in idioms)
            phrases.setdefault(parts[0], {}).setdefault(parts[1], []).append(phrase)
        else:
            words[entry] = names
    return _Lexicon(
        words,
        {start: tuple(group) for start, group in stems.items()},
        {
            first: {second: _longest_first(group) for second, group in seconds.items()}
            for first, seconds in phrases.items()
        },
    )


def _longest_first(phrases: list[_Phrase]) -> tuple[_Phrase, ...]:
    phrases.sort(key=lambda phrase: len(phrase.words), reverse=True)
    return tuple(phrases)


def _entries(source: str, signs: dict[int, str]) -> Iterator[str]:
    """The folded words of a thesaurus entry; a phrase with one space between its words."""
    for entry in source.lower().translate(signs).split():
        if entry[0] != "<" and entry[-1] != ":":
            yield " ".join(entry.replace("_", " ").split()) if "_" in entry else entry


def _signs(sources: str) -> dict[int, str]:
    """What becomes of the characters beyond ASCII, each folded once instead of every word.

    Holds for text without combining marks, which a test asks of the thesaurus.
    """
    signs = {}
    for sign in set(sources):
        if not sign.isascii():
            alone = " " in index_text(sign + sign)
            signs[ord(sign)] = f"_{fold(sign).strip()}_" if alone else fold(sign)
    return signs


@cache
def _vague() -> frozenset[str]:
    return frozenset(entry for entry in _entries(thesaurus.VAGUE, _signs(thesaurus.VAGUE)))


@cache
def _parents() -> Mapping[str, frozenset[str]]:
    """Every concept that each is a part of."""
    broader = {name: _broader(source) for name, source in thesaurus.CONCEPTS.items()}
    return {name: frozenset(_closure(name, broader)) - {name} for name in broader}


def _broader(source: str) -> tuple[str, ...]:
    return tuple(entry[1:] for entry in source.split() if entry.startswith("<"))


def _closure(name: str, broader: dict[str, tuple[str, ...]]) -> set[str]:
    """A concept and every concept it is a part of."""
    names = {name}
    for parent in broader[name]:
        names |= _closure(parent, broader)
    return names
