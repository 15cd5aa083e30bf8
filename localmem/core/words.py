"""Words in every script: what the word index holds, and the terms a question is scored by.

One function decides what a word is and how it is folded, for the index, the query and the marks
in a result alike, so that they cannot disagree. FTS5's own tokenizer folds Latin only, cuts Hindi
and Hebrew at every vowel sign, drops emoji and takes a Chinese sentence for one word (FR-41); it
is given text in which all of that is already settled, and is left with splitting at spaces.

Refuses to let a person's text be query syntax (FR-43): a match expression holds quoted words that
this module made, and nothing else.
"""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence, Set
from functools import lru_cache
from itertools import pairwise
from types import MappingProxyType

EDITION = 1
"""Rises when `index_text` makes other words of a text, so that indexes are filled again."""
STEM = 5
"""Characters a word is cut to for scoring: a stem that asks no language (spike 2.3)."""
MAX_TERMS = 64
"""Terms of a question that are looked up; FTS5 limits the depth of an expression."""
_OPEN = "*"

# Scripts that are written without spaces, and Hangul, whose particles are attached to the word:
# every character is a word of its own in the index, and any substring is a phrase.
_SINGLE_RANGES = (
    (0x0E00, 0x0EFF),  # Thai, Lao
    (0x1000, 0x109F),  # Myanmar
    (0x1780, 0x17FF),  # Khmer
    (0x3005, 0x3007),  # Han iteration mark, closing mark and zero
    (0x3041, 0x3096),  # Hiragana
    (0x309D, 0x312F),  # Katakana, Bopomofo
    (0x31A0, 0x31BF),
    (0x31F0, 0x31FF),
    (0x3400, 0x4DBF),  # Han
    (0x4E00, 0x9FFF),
    (0xA9E0, 0xA9FF),
    (0xAA60, 0xAA7F),
    (0xAC00, 0xD7A3),  # Hangul
    (0xF900, 0xFAFF),
    (0x1AFF0, 0x1B16F),  # Kana, older forms
    (0x20000, 0x3FFFD),  # Han, rarer
)
# Vowel signs are no word characters to FTS5, so it would cut a word at each. They go into the
# index as private-use characters, which it keeps: (first, last, what the first becomes).
_SIGNS = (
    (0x0900, 0x109F, 0xE000),  # Devanagari to Myanmar
    (0x1700, 0x1CFF, 0xE7A0),  # Khmer, Balinese and others
    (0xA800, 0xABFF, 0xEDA0),  # Javanese, Cham and others
)
_SIGNS_END = 0xF19F
# Letters since newer versions of Unicode, still signs to FTS5.
_ALSO_SIGNS = frozenset((*range(0x19B0, 0x19CA), 0x1CF2, 0x1CF3))
_VOICING = "\u3099\u309a"  # が is another letter than か, not an accented one
# Letters that no normal form takes apart.
_STROKES: Mapping[str, str] = MappingProxyType(
    {"ł": "l", "ø": "o", "đ": "d", "ħ": "h", "ŧ": "t", "ð": "d", "þ": "th", "æ": "ae", "œ": "oe",
     "ı": "i", "ŋ": "n"}
)  # fmt: skip
# Before compatibility folding: 7½ is not 71/2, and a trade mark is not part of the name.
_APART = str.maketrans(
    {chr(c): f" {unicodedata.normalize('NFKC', chr(c))} "
     for c in (0xBC, 0xBD, 0xBE, *range(0x2150, 0x215F), 0x2189)}
    | {"™": " ", "℠": " "}
)  # fmt: skip
_IS_APART = re.compile(f"[{''.join(map(chr, _APART))}]")
_FIRST_SYMBOL = 0x2190
"""Symbols from here on are words of their own (🍕, ☕, ★); before it stand °, © and the like."""
_SPACE_OF_NO_WIDTH = "\u200b"


def _class(ranges: Iterable[tuple[int, int]]) -> str:
    return "".join(f"{chr(low)}-{chr(high)}" for low, high in ranges)


_SINGLE = _class(_SINGLE_RANGES) + _class(
    (low - first + private, high - first + private)
    for low, high in _SINGLE_RANGES
    for first, last, private in _SIGNS
    if first <= low and high <= last
)
# A run of single characters, or a word of a script with spaces.
_RUN = re.compile(rf"[{_SINGLE}]+|(?:[^\W_{_SINGLE}]|(?![{_SINGLE}])[\ue000-{chr(_SIGNS_END)}])+")
_ASCII_RUN = re.compile("[0-9a-z]+")
_IS_SINGLE = re.compile(f"[{_SINGLE}]")
_NON_ASCII = re.compile("[^\x00-\x7f]")
_DIGIT = re.compile(r"\d")
_SPACED = re.compile(r"[^\W_]+(?:['’.-][^\W_]+)*")
"""A word as it is written, with what joins its parts."""
_ENDS_IN_WORD = re.compile(r"[^\W_]\Z")

# Folded, and without words that tell something in another of the languages: "son" is are and is
# a child, "sea" is be and is the sea.
_ENGLISH = """
    a an the and or but if so as of at by for from in into on onto to up out off with about over
    than then that this these those there here it its he him his she her hers they them their
    theirs i me my mine we us our ours you your yours who whom whose which what when where why
    how is are was were be been being am do does did doing done have has had having can could
    should would will shall might must not nor any some such too very just also please tell don
    doesn didn isn aren wasn weren hasn haven hadn couldn shouldn wouldn won t s d m ll re ve
"""
_PORTUGUESE = """
    o os um uma uns umas de da dos das em no na nos nas num numa por pelo pela pelos pelas para
    pra pro com e ou mas se que qual quais quem como quando onde quanto quanta quantos quantas
    porque eu tu ele ela eles elas voce voces te lhe lhes seu sua seus suas meu minha meus
    minhas dele dela deles delas este esta estes estas esse essa esses essas isto isso aquele
    aquela aquilo ser sou sao era foi eram foram sera sido ter tem tenho tinha estar estao estou
    ha mais ja tambem muito so ate ao aos nao pode podem posso
"""
_SPANISH = """
    el la los las una unos unas del al en y con pero si cual cuales quien quienes cuando donde
    cuanto cuanta cuantos cuantas yo ella ellos ellas usted ustedes nosotros le les lo su sus mi
    mis tus es eran fue fueron estan estoy hay han tiene tienen tengo muy ya tambien ese eso
    esos esas aquel puede pueden puedo qu l
"""
_STOP_WORDS = frozenset(f"{_ENGLISH} {_PORTUGUESE} {_SPANISH}".split())
_GERMAN_ALONE = """
    der ist wie und ich mein meine meinen welche welcher welches welchen wann wer wo eine einen
    einem einer sind fur auf dem den zu nicht gibt
"""
_GERMAN = frozenset(_GERMAN_ALONE.split())
"""Small words of German that no other of the languages has."""


def index_text(text: str) -> str:
    """What goes into the word index for `text`: folded words, one space between each.

    Characters of scripts without spaces stand alone, so that any part of a Chinese, Japanese,
    Korean or Thai text is found as a phrase (FR-41); `ＡＢＣ` and `ﬁ` are `abc` and `fi` (FR-70);
    an emoji is a word. FTS5 leaves every word as it is.
    """
    folded = fold(text)
    if folded.isascii():
        return " ".join(_ASCII_RUN.findall(folded))
    return " ".join(" ".join(run) if _IS_SINGLE.match(run) else run for run in _runs(folded))


def terms(
    question: str, among: Collection[str] | None = None, without: Collection[str] = ()
) -> tuple[str, ...]:
    """The scoring terms of a question, in order, each once; at most `MAX_TERMS`.

    With `among`, those of these words alone; `without` leaves words out, unless nothing is left.
    Both are folded.

    Words without the stop words of en/pt/es, cut to `STEM` characters; words with a digit whole;
    scripts without spaces as overlapping pairs. A last word that nothing follows may still be
    being typed: its term ends in `*` and is met by any word that starts so. A question of one or
    two stop words keeps them, for then they are what is looked for; a longer one has no terms.
    """
    runs = _runs(fold(question))
    telling = [run for run in runs if run not in _STOP_WORDS]
    kept = telling if telling or len(runs) > 2 else runs
    if among is not None:
        kept = [run for run in kept if run in among]
    kept = [run for run in kept if run not in without] or kept
    found = dict.fromkeys(term for run in kept for term in _run_terms(run))
    if kept and kept[-1] == runs[-1] and _is_open(question, runs):
        found.pop(_stem(runs[-1]), None)
        found[runs[-1] + _OPEN] = None
    return tuple(found)[:MAX_TERMS]


def names(question: str) -> frozenset[str]:
    """The folded words of a question that name someone or something: a capital tells them.

    Not its first word or a stop word, none where most words have a capital, and none in German,
    which writes every noun so.
    """
    found = _SPACED.findall(question)
    capital = [word[0].isupper() for word in found]
    if not any(capital[1:]) or 2 * sum(capital) > len(found):
        return frozenset()
    folded = [_runs(fold(word)) for word in found]
    if any(run in _GERMAN for runs in folded for run in runs):
        return frozenset()
    named = (
        run for runs, tall in zip(folded[1:], capital[1:], strict=True) if tall for run in runs
    )
    return frozenset(run for run in named if run not in _STOP_WORDS)


def telling(question: str, without: Collection[str]) -> frozenset[str]:
    """The folded words of a question that are neither stop words nor among `without`.

    None of a script without spaces, where nothing says where a word begins.
    """
    runs = (run for run in _runs(fold(question)) if not _IS_SINGLE.match(run))
    return frozenset(run for run in runs if run not in _STOP_WORDS and run not in without)


def term_expression(term: str) -> str:
    """The MATCH expression that finds the texts whose words meet `term`.

    Counting its rows is the term's document frequency: fts5vocab cannot say it for a pair of
    characters, and counts a text twice that holds two words of one stem.
    """
    if term.endswith(_OPEN):
        return f'("{term[:-1]}"* OR "{_stem(term[:-1])}")'
    if _IS_SINGLE.match(term):
        return f'"{" ".join(term)}"'
    if _DIGIT.search(term):
        return f'"{term}"'
    if len(term) >= STEM:
        return f'"{term}"*'
    return f'("{term}" OR "{term}s")' if _stem(term + "s") == term else f'"{term}"'


def match_expression(
    question: str, phrases: Sequence[str] = (), without: Sequence[str] = ()
) -> str | None:
    """The FTS5 MATCH string for a search; None when nothing is left that words could find.

    Any term of `question` finds a text; each of `phrases` must be in it, word after word, and
    none of `without`. Where a phrase is asked for, the terms only order what has it. Never a
    syntax error, whatever the arguments hold: a phrase of punctuation alone is passed over.
    """
    wanted = [term_expression(term) for term in terms(question)]
    required = [f'"{words}"' for words in map(index_text, phrases) if words]
    excluded = [f'"{words}"' for words in map(index_text, without) if words]
    if not wanted and not required:
        return None
    any_of = f"({' OR '.join(required[:1] + wanted)})"
    return " NOT ".join([f"({' AND '.join([*required, any_of])})", *excluded])


def holds(text: str, phrase: str) -> bool:
    """Whether `phrase` is in `text` word after word, as the index would find it.

    For candidates that were found by meaning and must obey `"exact words"` and `-without` too.
    """
    words = index_text(phrase)
    return bool(words) and f" {words} " in f" {index_text(text)} "


def vocabulary(text: str) -> frozenset[str]:
    """What `meets` looks in: the text's words and their terms."""
    runs = _runs(fold(text))
    return frozenset((*runs, *(term for run in runs for term in _run_terms(run))))


def meets(term: str, vocabulary: Set[str]) -> bool:
    """Whether a text of this `vocabulary` meets a question's `term`."""
    if not term.endswith(_OPEN):
        return term in vocabulary
    start = term[:-1]
    return _stem(start) in vocabulary or any(word.startswith(start) for word in vocabulary)


def matched(question_terms: Collection[str], text: str) -> tuple[tuple[int, int], ...]:
    """The spans of `text` that meet a term, as (start, end) offsets; sorted, never touching."""
    spans: list[tuple[int, int]] = []
    folded, at = _folded_with_offsets(text)
    for run in _RUN.finditer(folded):
        for start, end in _marks(run[0], question_terms):
            first, last = at[run.start() + start][0], at[run.start() + end - 1][1]
            if spans and first <= spans[-1][1]:
                spans[-1] = (spans[-1][0], max(last, spans[-1][1]))
            else:
                spans.append((first, last))
    return tuple(spans)


def fold(text: str) -> str:
    """`text` for comparing: no case, accents, compatibility forms or invisible characters.

    Agrees with itself, not with a language: İ is i, ß is ss, ø is o, ё is е, ٣ is 3. Kana keep
    their voicing marks and Hangul its syllables, which are letters and not accents.
    """
    if text.isascii():
        return text.lower()
    if _IS_APART.search(text):
        text = text.translate(_APART)
    plain = unicodedata.normalize("NFKD", text.casefold()).casefold()
    return unicodedata.normalize("NFC", _NON_ASCII.sub(_fold_match, plain))


def _fold_match(match: re.Match[str]) -> str:
    return _fold_character(match[0])


@lru_cache(maxsize=4096)
def _fold_character(character: str) -> str:
    category = unicodedata.category(character)
    if category[0] == "M" or ord(character) in _ALSO_SIGNS:
        return _fold_mark(character)
    if category[0] == "L":
        return _STROKES.get(character, character)
    if category == "Nd":
        return str(unicodedata.decimal(character))
    if category == "So" and ord(character) >= _FIRST_SYMBOL:
        return f" xe{ord(character):x} "
    if category == "Cf" and character != _SPACE_OF_NO_WIDTH:
        return ""
    return character if category[0] == "N" else " "


def _fold_mark(mark: str) -> str:
    if mark in _VOICING:
        return mark
    if unicodedata.combining(mark):
        return ""
    code = ord(mark)
    return "".join(chr(code - low + to) for low, high, to in _SIGNS if low <= code <= high)


def _runs(folded: str) -> list[str]:
    return (_ASCII_RUN if folded.isascii() else _RUN).findall(folded)


def _run_terms(run: str) -> Iterable[str]:
    if not _IS_SINGLE.match(run):
        return (_stem(run),)
    return map("".join, pairwise(run)) if len(run) > 1 else (run,)


def _stem(word: str) -> str:
    if _DIGIT.search(word):
        return word
    if len(word) > 3 and word[-1] == "s" and word[-2] not in "isu":
        word = word[:-1]
    return word[:STEM]


def _is_open(question: str, runs: Sequence[str]) -> bool:
    """Whether the last word may still be being typed, and says enough to be looked for."""
    last = runs[-1]
    if _IS_SINGLE.match(last) or not _ENDS_IN_WORD.search(question):
        return False
    if len(_stem(last)) >= STEM and not _DIGIT.search(last):
        return False
    return len(runs) == 1 or (len(last) > 2 and last not in _STOP_WORDS)


def _marks(run: str, terms: Collection[str]) -> Iterator[tuple[int, int]]:
    """The parts of one run, as offsets in it, that meet a term."""
    if not _IS_SINGLE.match(run):
        if any(meets(term, {run, _stem(run)}) for term in terms):
            yield 0, len(run)
        return
    for n in range(len(run)):
        if run[n : n + 2] in terms:
            yield n, min(n + 2, len(run))
        elif run[n] in terms:
            yield n, n + 1


def _folded_with_offsets(text: str) -> tuple[str, list[tuple[int, int]]]:
    """`text` folded, and for each character of it the span of `text` it came from."""
    if text.isascii():
        return text.lower(), [(n, n + 1) for n in range(len(text))]
    parts: list[str] = []
    at: list[tuple[int, int]] = []
    for start, end in _clusters(text):
        parts.append(fold(text[start:end]))
        at.extend([(start, end)] * len(parts[-1]))
    return "".join(parts), at


def _clusters(text: str) -> Iterator[tuple[int, int]]:
    """Spans of a character with all that folds together with it: marks, joiners, jamo."""
    start = 0
    for n in range(1, len(text)):
        if not _continues(text[n]):
            yield start, n
            start = n
    if text:
        yield start, len(text)


def _continues(character: str) -> bool:
    if character < "\u0300":
        return character == "\u00ad"
    return (
        unicodedata.category(character) in ("Mn", "Mc", "Me", "Cf")
        or "\u1160" <= character <= "\u11ff"
        or character in "\uff9e\uff9f"
    ) and character != _SPACE_OF_NO_WIDTH
