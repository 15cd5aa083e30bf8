"""The six things a person's shop assistants may remember, and whose words count (shop-memory).

What each key holds and how a value is brought into one form; that a declared value stands in the
person's own words; that a forgotten key is not inferred again; which of a declared and an inferred
value counts. Gaps of the seed are filled as in protocols 5.3.

Refuses to guess: a value that is nearly right is refused with an example, never bent into shape.
Brought into one form is only what two people would write for the same thing: `m` is `M`, `42,5`
is `42.5`, and spaces around or doubled inside a name do not count.
"""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Sequence
from difflib import get_close_matches
from enum import StrEnum
from typing import NamedTuple

from localmem.core.model import AuthorKind, Change, Evidence, Item, Provenance
from localmem.core.visible import visible
from localmem.errors import (
    InferenceBlocked,
    InvalidPreferenceValue,
    SourceNotPerson,
    UnknownPreferenceKey,
)

Value = str | tuple[str, ...]
"""One size, or 1 to 10 names."""

MAX_NAMES = 10
MAX_NAME = 60
"""Characters of a name after normalisation."""
MAX_QUOTE = 500
"""Characters of a quote (shop-memory, "Arguments")."""


class PreferenceKey(StrEnum):
    SHOE_SIZE = "shoe_size"
    CLOTHING_SIZE = "clothing_size"
    PREFERRED_BRANDS = "preferred_brands"
    AVOIDED_BRANDS = "avoided_brands"
    PREFERRED_MERCHANTS = "preferred_merchants"
    DIETARY_RESTRICTIONS = "dietary_restrictions"


_LABELS = {
    PreferenceKey.SHOE_SIZE: "Shoe size",
    PreferenceKey.CLOTHING_SIZE: "Clothing size",
    PreferenceKey.PREFERRED_BRANDS: "Preferred brands",
    PreferenceKey.AVOIDED_BRANDS: "Avoided brands",
    PreferenceKey.PREFERRED_MERCHANTS: "Preferred stores",
    PreferenceKey.DIETARY_RESTRICTIONS: "Dietary restrictions",
}
_NAMES_HINT = f"Give 1 to {MAX_NAMES} names of 1 to {MAX_NAME} characters, such as "
_HOLDS = {
    PreferenceKey.SHOE_SIZE: (
        'Give one European or Brazilian size from 15 to 60 as text, such as "42", "42.5" or'
        ' "38/39".'
    ),
    PreferenceKey.CLOTHING_SIZE: (
        'Give one size as text: PP, P, M, G, GG, XG …, XS to 5XL, or 30 to 70, such as "M" or "44".'
    ),
    PreferenceKey.PREFERRED_BRANDS: _NAMES_HINT + '["Asics", "Mizuno"].',
    PreferenceKey.AVOIDED_BRANDS: _NAMES_HINT + '["Marca X"].',
    PreferenceKey.PREFERRED_MERCHANTS: _NAMES_HINT + '["Cobasi"].',
    PreferenceKey.DIETARY_RESTRICTIONS: _NAMES_HINT + '["sem lactose"].',
}
_SIZES = (PreferenceKey.SHOE_SIZE, PreferenceKey.CLOTHING_SIZE)

_SHOE = re.compile(r"(\d\d)(?:([.,])5|/(\d\d))?", re.ASCII)
_SHOE_RANGE = (15, 60)
_LETTERS_BR = frozenset(
    {"PP", "P", "M", "G", "GG", "XG", "XXG", "XXXG", "XGG", "EG", "EXG", "EGG",
     "G1", "G2", "G3", "G4"}
)  # fmt: skip
_LETTERS_INTERNATIONAL = frozenset(
    {"XS", "S", "M", "L", "XL", "XXL", "XXXL", "2XL", "3XL", "4XL", "5XL"}
)
_CLOTHING_NUMBER = re.compile(r"\d\d", re.ASCII)
_CLOTHING_RANGE = (30, 70)
_LONGEST_RAW = 1_000
"""Characters looked at before normalising, whose cost grows with the square of a mark flood."""
_SEPARATED = re.compile(r"[,;\n]")


class SizeScale(StrEnum):
    """Sizes compare only within one scale: a G is no 44."""

    SHOE = "shoe"
    LETTERS_BR = "letters_br"
    LETTERS_INTERNATIONAL = "letters_international"
    CLOTHING_NUMBERS = "clothing_numbers"


def parse_key(text: str) -> PreferenceKey:
    """Raises UnknownPreferenceKey, with the nearest of the six when one is near."""
    try:
        return PreferenceKey(text)
    except ValueError:
        raise UnknownPreferenceKey(
            f"{text[:80]!r} is not a preference.", hint=_nearest(text)
        ) from None


def label(key: PreferenceKey) -> str:
    """The key in plain words: "Preferred stores"."""
    return _LABELS[key]


def is_list(key: PreferenceKey) -> bool:
    """Whether the key holds names rather than one size."""
    return key not in _SIZES


def describe(value: Value) -> str:
    """A value as a person reads it: `42`, or `Asics, Mizuno`."""
    return value if isinstance(value, str) else ", ".join(value)


def normalise(key: PreferenceKey, value: object) -> Value:
    """The value in the one form it is stored in. Raises InvalidPreferenceValue.

    Sizes: upper case, `42.5` with a point. Names: NFC, trimmed, inner spaces single, each once
    whatever its case (the first spelling stays), in the order given. One bare name is a list of
    one, because that is how a person types `avoid X`; with a comma or semicolon in it the text is
    refused, because it is more likely several names than one.
    """
    if not is_list(key):
        return _size(key, value)
    if isinstance(value, str):
        if _SEPARATED.search(value.strip()):
            raise _invalid(key, "A text with a comma or line break could be one name or several.")
        return _names(key, (value,))
    if isinstance(value, (list, tuple)):
        return _names(key, value)
    raise _invalid(key, f"{label(key)} are a list of names.")


def holds(value: Value, quote: str) -> bool:
    """Whether the quote carries the value; of a list, every entry (protocols 5.3).

    Case, accents, width and punctuation do not count; whole words do, in order: `42` is in
    "eu calço 42" and not in "142", "42,5" or "42/43". Characters of scripts without spaces are
    words of their own. Apostrophes may be left out or stand apart: `Levi's` is in "levis", and
    `Asics` in "j'adore l'Asics".
    """
    entries = (value,) if isinstance(value, str) else value
    readings = [_spoken(quote, apostrophe) for apostrophe in ("", " ")]
    return bool(entries) and all(
        any(_within(entry, reading) for reading in readings) for entry in entries
    )


def check_source(
    by: AuthorKind, provenance: Provenance, change: Change, value: Value, evidence: Evidence
) -> None:
    """Whether this author may write this value as such (shop-memory, "Declared and inferred").

    Declared values and every later change of one come only from the person's words. At their own
    keyboard the person needs no quote, but one that is given is checked; agents and backends
    always carry one. A merge combines values that were each checked before. Inferred values name
    their purchase, and are never the subject of a correction, which is the person's word.

    Raises SourceNotPerson; InvalidPreferenceValue for evidence of the wrong shape.
    """
    if change is Change.MERGE:
        return
    _check_length(evidence.quote)
    if provenance is Provenance.INFERRED:
        _check_inferred(change, evidence)
    else:
        _check_declared(by, value, evidence.quote)


def read_size(text: str) -> frozenset[tuple[SizeScale, str]]:
    """Every meaning a shop's size label can have, as (scale, size); empty when it has none here.

    `42` is a shoe size and a clothing number, `M` is in both letter scales, `38/39` fits two
    shoe sizes, `2XL` and `XXL` are one size. US and UK shoe numbers are not read: 9 is none.
    """
    plain = _plain_size(text)
    meanings = {(SizeScale.SHOE, size) for size in _shoe_sizes(plain)}
    if plain in _LETTERS_BR:
        meanings.add((SizeScale.LETTERS_BR, plain))
    if plain in _LETTERS_INTERNATIONAL:
        meanings.add((SizeScale.LETTERS_INTERNATIONAL, _counted_xl(plain)))
    if _is_clothing_number(plain):
        meanings.add((SizeScale.CLOTHING_NUMBERS, plain))
    return frozenset(meanings)


def same_name_key(name: str) -> str:
    """Names with the same key are one brand or store: case, accents, punctuation aside."""
    return _folded(_APOSTROPHE.sub("", name)) or name.casefold().strip()


def in_both(preferred: Sequence[str], avoided: Sequence[str]) -> tuple[str, ...]:
    """Names that are preferred and avoided at once, as spelt among the preferred (sync.md 2.9)."""
    keys = {same_name_key(name) for name in avoided}
    return tuple(name for name in preferred if same_name_key(name) in keys)


class PreferenceState(NamedTuple):
    """What outlives the values of one key (sync.md 2.2, 2.9). Holds no content."""

    generation: int = 0
    """Grows by one at each forget, never falls; values of an older generation are dead."""
    inference_blocked: bool = False
    """True from a forget until the person declares the key again."""


class Effective(NamedTuple):
    """Which value of a key counts, and what is shown beside it."""

    counts: Item
    shadowed: Item | None = None
    """The inferred value behind a declared one; None when there is none."""

    @property
    def filters(self) -> bool:
        """Declared values filter offers; inferred ones only order them."""
        return self.counts.provenance is Provenance.DECLARED


def forgotten(state: PreferenceState) -> PreferenceState:
    """After the whole key was forgotten: a new generation, and no inference into it."""
    return PreferenceState(state.generation + 1, inference_blocked=True)


def declared(state: PreferenceState) -> PreferenceState:
    """After a declared value passed `check_source`: the person spoke, the block is lifted."""
    return state._replace(inference_blocked=False)


def check_inference(state: PreferenceState) -> None:
    """Raises InferenceBlocked while the person's forget stands."""
    if state.inference_blocked:
        raise InferenceBlocked(
            "The person forgot this preference, so it is not inferred again.",
            hint="Only the person can declare it anew, in their own words.",
        )


def effective(declared: Item | None, inferred: Item | None) -> Effective | None:
    """The declared value counts and shadows the inferred one; None when there is neither."""
    if declared is not None:
        return Effective(declared, inferred)
    return None if inferred is None else Effective(inferred)


def _nearest(text: str) -> str:
    typed = re.sub(r"[\s-]+", "_", text.strip().casefold())
    labelled = [key for key in PreferenceKey if typed == label(key).casefold().replace(" ", "_")]
    started = labelled or [key for key in PreferenceKey if typed and key.startswith(typed)]
    near = started or get_close_matches(typed, [str(key) for key in PreferenceKey], n=1)
    six = f"The six are {', '.join(PreferenceKey)}."
    return f"Did you mean {near[0]}? {six}" if near else six


def _invalid(key: PreferenceKey, message: str) -> InvalidPreferenceValue:
    return InvalidPreferenceValue(message, hint=_HOLDS[key], details={"key": str(key)})


def _plain_size(text: str) -> str:
    """The size in the form the scales are written in; "" for what is too long to be one."""
    if len(text) > _LONGEST_RAW:
        return ""
    return unicodedata.normalize("NFKC", text.replace("½", ".5")).strip().upper()


def _size(key: PreferenceKey, value: object) -> str:
    if not isinstance(value, str):
        raise _invalid(key, f"{label(key)} is one size, written as text.")
    plain = _plain_size(value)
    if key is PreferenceKey.SHOE_SIZE:
        valid = bool(_shoe_sizes(plain))
        plain = plain.replace(",", ".")
    else:
        letters = plain in _LETTERS_BR or plain in _LETTERS_INTERNATIONAL
        valid = letters or _is_clothing_number(plain)
    if not valid:
        raise _invalid(key, f"{value[:40]!r} is not a {label(key).lower()}.")
    return plain


def _shoe_sizes(plain: str) -> tuple[str, ...]:
    """The sizes a shoe label fits: one, two for `38/39`, none when it is no shoe size."""
    match = _SHOE.fullmatch(plain)
    if not match:
        return ()
    first, half, second = match.groups()
    low, high = _SHOE_RANGE
    size = int(first) + (0.5 if half else 0)
    if not low <= size <= high:
        return ()
    if second is None:
        return (first + (".5" if half else ""),)
    return (first, second) if size < int(second) <= high else ()


def _is_clothing_number(plain: str) -> bool:
    low, high = _CLOTHING_RANGE
    return bool(_CLOTHING_NUMBER.fullmatch(plain)) and low <= int(plain) <= high


def _counted_xl(size: str) -> str:
    return f"{size.count('X')}XL" if size in ("XXL", "XXXL") else size


def _names(key: PreferenceKey, values: Sequence[object]) -> tuple[str, ...]:
    names: dict[str, str] = {}
    for value in values:
        name = _name(key, value)
        names.setdefault(name.casefold(), name)
    if not names:
        raise _invalid(key, f"{label(key)} cannot be an empty list.")
    if len(names) > MAX_NAMES:
        raise _invalid(key, f"{len(names)} names are more than {MAX_NAMES}.")
    return tuple(names.values())


def _name(key: PreferenceKey, value: object) -> str:
    if not isinstance(value, str):
        raise _invalid(key, f"Every one of the {label(key).lower()} is a name, written as text.")
    if len(value) > _LONGEST_RAW:
        raise _invalid(key, f"A name has {len(value):,} / {MAX_NAME} characters.")
    if visible(value) != value:
        raise _invalid(key, f"{visible(value[:40])!r} holds a control or hidden character.")
    name = " ".join(unicodedata.normalize("NFC", value).split())
    if not name:
        raise _invalid(key, "A name is empty.")
    if len(name) > MAX_NAME:
        raise _invalid(key, f"{name[:20]!r}… has {len(name)} / {MAX_NAME} characters.")
    return name


def _check_length(quote: str | None) -> None:
    length = len((quote or "").strip())
    if length > MAX_QUOTE:
        raise InvalidPreferenceValue(
            f"The quote has {length:,} / {MAX_QUOTE} characters.",
            hint="Quote only the sentence that holds the value.",
        )


def _check_inferred(change: Change, evidence: Evidence) -> None:
    if change is Change.CORRECT:
        raise InvalidPreferenceValue(
            "A correction is the person's own word, so it cannot be inferred.",
            hint="Correct with provenance declared, or remember a new inferred value.",
        )
    if not (evidence.purchase_id or "").strip():
        raise InvalidPreferenceValue(
            "An inferred value names the purchase it comes from.",
            hint="Give purchase_id, or declare the value with the person's own words.",
        )


def _check_declared(by: AuthorKind, value: Value, quote: str | None) -> None:
    given = (quote or "").strip()
    if not given:
        if by is AuthorKind.PERSON:
            return
        raise SourceNotPerson(
            "A declared value needs the person's own words.",
            hint="Pass them as quote, or ask the person; never declare what you read elsewhere.",
        )
    if not holds(value, given):
        raise SourceNotPerson(
            "The value is not in the person's own words.",
            hint="Quote the words that say it, or ask the person.",
        )


_APOSTROPHE = re.compile(r"(?<=\w)['’ʼ`´](?=\w)")
# 42,5 and 42/43 are other sizes than 42, so a number keeps what is inside it.
_HALF = re.compile(r"(?<=\d)[.,](?=5(?!\d))")
_DOUBLE = re.compile(r"(?<=\d) ?[/⁄] ?(?=\d)")


def _spoken(text: str, apostrophe: str) -> str:
    plain = unicodedata.normalize("NFKC", text.replace("½", ".5"))
    plain = _DOUBLE.sub("x", _HALF.sub("h", _APOSTROPHE.sub(apostrophe, plain)))
    return f" {_folded(plain)} "


def _folded(text: str) -> str:
    from localmem.core import words  # to show a preference takes none of its tables

    return words.index_text(text)


def _within(entry: str, reading: str) -> bool:
    return any(
        spoken.strip() and spoken in reading for spoken in (_spoken(entry, a) for a in ("", " "))
    )
