"""What is refused or masked on the way in: secrets, reserved identity metadata, broken text.

A secret that was stored once is handed back on every recall (FR-135), and one write path without
the guard is enough (FR-137), so every way in goes through `admit` or `admit_json`. An agent, an
import or the server gets secrets masked in place with the kinds named, and is refused private
keys and content that is nothing but a secret (remember-tool, protocols 5.2). The person is asked
first and may keep one knowingly. In a name (a key, a scope's id, a member of a document) a secret
is refused: what is masked there is another name.

What a secret looks like, and why no third-party detector is used, is in `core.secret_shapes`; what
names announce in `core.secret_names`; how disguises fall in `core.disguise`.
Refuses to guess from randomness: a file's hash and an order number are honest facts. The shapes
are imported when a text is screened: compiling them costs what a whole `localmem list` may not.
"""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from functools import lru_cache
from typing import TYPE_CHECKING

from localmem.core.model import Actor, AuthorKind, Json, Origin
from localmem.errors import InvalidInput, SecretRejected

if TYPE_CHECKING:
    from localmem.core.secret_names import Announced
    from localmem.core.secret_shapes import Secret

_AT_KEYBOARD = (Origin.TUI, Origin.CLI, Origin.PYTHON)
_RESERVED = frozenset({"owner_id", "agent_id", "account", "scopes", "provenance"})
_RESERVED_PREFIX = "provenance."
NAMES_KNOWN = 2_048
"""Names of members whose reading is remembered."""
_UNSTORABLE = re.compile("[\x00\ud800-\udfff]")

MAX_MARKS = 64
"""Combining marks in a row. Ordering them takes time with the square of their number, so 200 KB
of nothing else would hold a server for half a minute; the languages of the world need four."""
_MAY_BE_MARKS = re.compile(rf"[^\x00-\x7f\w\s]{{{MAX_MARKS + 1},}}")


@dataclass(frozen=True, slots=True)
class Screened:
    """A text after screening; without a secret it is the text itself and everything is empty."""

    text: str
    """Secrets replaced in place by `[api key removed]` and the like."""
    kinds: tuple[str, ...] = ()
    """What was seen, each once, in order of appearance; never the secret itself."""
    masked_spans: tuple[tuple[int, int], ...] = ()
    """(start, end) of every secret in the text as given: sorted, apart from each other."""
    only_secret: bool = False
    """Nothing worth keeping is left beside the secrets and their labels."""


@dataclass(frozen=True, slots=True)
class ScreenedJson:
    """A JSON value after screening; `value` is the one given when nothing was masked."""

    value: Json
    kinds: tuple[str, ...] = ()
    """What was masked, each once, in order of appearance."""
    in_names: tuple[str, ...] = ()
    """What was seen in member names, which are left as given."""


def screen(text: str) -> Screened:
    """Find the secrets of a text and mask them. Never raises; `admit` holds the policy.

    Screening the masked text again finds nothing.
    """
    from localmem.core.secret_shapes import find

    return _screened(text, find(text))


@lru_cache(maxsize=NAMES_KNOWN)
def screen_name(name: str) -> tuple[str, ...]:
    """The kinds of secrets in a key, an id or another name: `sk-…`, `password:hunter22x`.

    `password:policy` is none: in a name the colon parts words.
    """
    from localmem.core.secret_names import find

    return find(name)


def screen_json(value: Json, *, under: Iterable[str] = ()) -> ScreenedJson:
    """Mask the secrets in every string of a document, and what is beneath a name like one.

    `{"password": "hunter22x"}` needs no prefix to be a secret, nor do the lists, objects and
    numbers under such a name; `under` are the names the document itself stands under, outermost
    first. A masked number becomes the text of the mask. The depth must be checked before (32
    levels, memory-api).
    """
    from localmem.core.secret_names import Announced

    announced = Announced()
    for name in under:
        _, announced = _read(announced, name)
    masking = _JsonMasking()
    masked = masking.of(value, announced)
    return ScreenedJson(
        masked if masking.kinds else value, tuple(masking.kinds), tuple(masking.in_names)
    )


def admit(text: str, by: Actor, *, keep: bool = False) -> Screened:
    """The text as it may be stored. Raises SecretRejected.

    At their own keyboard the person is refused (the app asks, then passes `keep`); everyone and
    everything else is masked, and refused for private keys and content that is only a secret.
    `keep` counts for the person alone, also where their kept text arrives by import or sync.
    """
    screened = screen(text)
    if not screened.kinds:
        return screened
    if by.kind is AuthorKind.PERSON and keep:
        return Screened(text)
    _refuse_unmasked(screened.kinds, by)
    if screened.only_secret:
        raise SecretRejected(
            f"There is nothing here but a secret ({_listed(screened.kinds)}).",
            kinds=screened.kinds,
            hint="Remember where it is kept, not what it is.",
        )
    return screened


def admit_json(
    value: Json, by: Actor, *, keep: bool = False, under: Iterable[str] = ()
) -> ScreenedJson:
    """A document or metadata as it may be stored, by the rules of `admit`. Raises SecretRejected.

    A document that held only secrets is kept masked: its member names say what was there. A
    secret in a member name is refused. `under` as in `screen_json`.
    """
    screened = screen_json(value, under=under)
    seen = (*screened.in_names, *screened.kinds)
    if not seen:
        return screened
    if by.kind is AuthorKind.PERSON and keep:
        return ScreenedJson(value)
    _refuse_unmasked(tuple(dict.fromkeys(seen)), by)
    if screened.in_names:
        raise _secret_name("name of a member", screened.in_names)
    return screened


def admit_name(name: str, what: str) -> str:
    """`name` itself, unless it holds a secret. Raises SecretRejected, whoever writes.

    `what` names the place in the sentence: "key", "contact's id".
    """
    kinds = screen_name(name)
    if kinds:
        raise _secret_name(what, kinds)
    return name


def drop_reserved(metadata: Mapping[str, str]) -> tuple[dict[str, str], tuple[str, ...]]:
    """Metadata without the names that say who writes, and the names dropped, as given.

    Identity comes from the credential, never from the caller: owner_id, agent_id, account,
    scopes and provenance.* in any case (protocols 5.2).
    """
    dropped = tuple(name for name in metadata if _is_reserved(name))
    return {name: text for name, text in metadata.items() if name not in dropped}, dropped


def clean_text(text: str, *, field: str = "text") -> str:
    """`text` in the form it is stored: NFC, and every line ending a `\\n`. Raises InvalidInput.

    All else stays as typed, escape codes and hidden characters included: showing them safely is
    `core.visible`'s duty, and dropping them would change the person's words. Refused is only what
    cannot be kept: NUL, which ends a text in too many places it passes, lone surrogates, which
    have no UTF-8, and more than MAX_MARKS combining marks in a row. `field` names the place in
    `details`.
    """
    if text.isascii() and "\0" not in text:
        return text.replace("\r\n", "\n").replace("\r", "\n")
    _check_marks(text, field)
    broken = _UNSTORABLE.search(text)
    if broken:
        point = f"U+{ord(broken[0]):04X}"
        raise InvalidInput(
            f"Character {broken.start() + 1:,} of the {field} ({point}) cannot be stored.",
            hint="Delete that character, or paste the text again as plain text.",
            details={"field": field, "position": broken.start(), "codepoint": point},
        )
    return unicodedata.normalize("NFC", text.replace("\r\n", "\n").replace("\r", "\n"))


def _check_marks(text: str, field: str) -> None:
    for run in _MAY_BE_MARKS.finditer(text):
        marks = 0
        for at, character in enumerate(run[0], run.start()):
            marks = marks + 1 if unicodedata.combining(character) else 0
            if marks > MAX_MARKS:
                raise InvalidInput(
                    f"Character {at + 1:,} of the {field} is one accent too many on one letter.",
                    hint=f"Keep at most {MAX_MARKS} combining marks in a row.",
                    details={
                        "field": field,
                        "position": at,
                        "codepoint": f"U+{ord(character):04X}",
                    },
                )


def _screened(text: str, seen: Sequence[Secret]) -> Screened:
    if not seen:
        return Screened(text)
    return Screened(
        _masked(text, seen),
        tuple(dict.fromkeys(secret.kind for secret in seen)),
        tuple((secret.start, secret.end) for secret in seen),
        _nothing_beside(text, seen),
    )


def _mask(kind: str) -> str:
    return f"[{kind} removed]"


def _masked(text: str, seen: Sequence[Secret]) -> str:
    parts: list[str] = []
    at = 0
    for secret in seen:
        parts += text[at : secret.start], _mask(secret.kind)
        at = secret.end
    return "".join([*parts, text[at:]])


def _nothing_beside(text: str, seen: Sequence[Secret]) -> bool:
    at = 0
    for secret in seen:
        if any(c.isalnum() for c in text[at : secret.announced_at]):
            return False
        at = secret.end
    return not any(c.isalnum() for c in text[at:])


@lru_cache(maxsize=NAMES_KNOWN)
def _read(announced: Announced, name: str) -> tuple[tuple[str, ...], Announced]:
    """The kinds of secrets in a member's name, and what is announced beneath it.

    Read once: the documents of a collection bear the same few names.
    """
    return screen_name(name), announced.beneath(name)


class _JsonMasking:
    """One walk through a document."""

    def __init__(self) -> None:
        self.kinds: dict[str, None] = {}
        self.in_names: dict[str, None] = {}

    def of(self, value: Json, announced: Announced) -> Json:
        match value:
            case dict():
                return {
                    name: self.of(held, self._under(announced, name))
                    for name, held in value.items()
                }
            case list():
                return [self.of(held, announced) for held in value]
            case str():
                return self._string(value, announced)
            case int() | float():
                return self._number(value, announced)
            case _:
                return value

    def _under(self, announced: Announced, name: str) -> Announced:
        kinds, under = _read(announced, name)
        if kinds:
            self.in_names.update(dict.fromkeys(kinds))
        return under

    def _string(self, value: str, announced: Announced) -> str:
        seen = announced.secrets(value)
        if not (seen or announced.kind):
            return value
        screened = _screened(value, seen)
        named = None if screened.kinds else announced.whole(value)
        if named:
            self.kinds[named] = None
            return _mask(named)
        self.kinds.update(dict.fromkeys(screened.kinds))
        return screened.text

    def _number(self, value: int | float, announced: Announced) -> Json:
        """A number is a secret only by the names above it."""
        from localmem.core import secret_names

        if not (announced.kind or announced.card):
            return value
        digits = secret_names.number_text(value)
        masked = digits if digits is None else self._string(digits, announced)
        return value if masked == digits else masked


def _refuse_unmasked(kinds: tuple[str, ...], by: Actor) -> None:
    from localmem.core import secret_shapes

    if by.kind is AuthorKind.PERSON and by.origin in _AT_KEYBOARD:
        raise SecretRejected(
            f"This looks like a secret ({_listed(kinds)}).",
            kinds=kinds,
            hint="Keep secrets in a password manager, or say that you want to keep this one.",
        )
    if secret_shapes.PRIVATE_KEY in kinds:
        raise SecretRejected(
            "Private keys are not kept in memory.",
            kinds=kinds,
            hint="Remember where the key is kept, not the key.",
        )


def _secret_name(what: str, kinds: Sequence[str]) -> SecretRejected:
    return SecretRejected(
        f"The {what} looks like a secret ({_listed(kinds)}).",
        kinds=tuple(kinds),
        hint="Choose another name: this one is shown wherever what it names is.",
    )


def _listed(kinds: Sequence[str]) -> str:
    return ", ".join(kinds)


def _is_reserved(name: str) -> bool:
    plain = name.strip().casefold()
    return plain in _RESERVED or plain.startswith(_RESERVED_PREFIX)
