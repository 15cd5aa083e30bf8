"""What a name announces about the value under it: `{"password": {"wifi": "hunter22x"}}`.

In a document the label stands apart from the secret, perhaps several levels above it, and the
secret may be a number. So the names on the way down are read like the label in a sentence: one
that ends like a label announces what is beneath, until a name says that something else is there
(`hint`, `updated_at`, `policy`).

Refuses to read a name more strictly than a sentence: the colon in `password:policy` only parts
the words of a key, so after it nothing but letters is no secret.
"""

from __future__ import annotations

import re
from dataclasses import dataclass

from localmem.core import secret_shapes
from localmem.core.disguise import undisguise
from localmem.core.secret_shapes import API_KEY, PASSWORD, SECRET, Secret

_WORD = re.compile(r"[A-Z]?[^\W\d_A-Z]+|[A-Z]+(?![a-z])|[A-Z]")
_CARD_WORDS = frozenset(
    {"card", "cards", "creditcard", "debitcard", "bankcard", "cardnumber", "cc", "ccnum", "pan",
     "cartao", "cartão", "cartoes", "cartões", "tarjeta", "tarjetas", "carte", "cartes",
     "karte", "karten", "kreditkarte", "kartennummer", "visa", "mastercard", "amex", "elo"}
)  # fmt: skip
_CARD_LEAD = "card "
"""What a value under a card's name is read behind, so that one rule says what a card number is."""

_HOLDING = frozenset(
    {"value", "values", "val", "current", "old", "new", "previous", "plain", "plaintext", "text",
     "raw", "data", "content", "string", "access", "refresh", "bearer", "live", "test",
     "valor", "atual", "actual", "novo", "nueva", "nova", "wert"}
)  # fmt: skip
"""The last word of a member that holds the very thing its parent is named after."""
_DESCRIBING = frozenset(
    {"hint", "hints", "shape", "operation", "policy", "rules", "type", "kind", "format", "pattern",
     "title", "label", "name", "description", "note", "notes", "comment", "comments", "help",
     "reason", "purpose", "id", "ids", "uuid", "ref", "reference", "version", "hash", "algorithm",
     "checksum", "fingerprint", "prefix", "suffix", "last4", "strength", "score", "status",
     "state", "enabled", "required", "at", "on", "by", "date", "time", "timestamp", "created",
     "updated", "changed", "rotated", "expires", "expiry", "expiration", "ttl", "days", "age",
     "since", "until", "count", "length", "size", "min", "max", "limit", "used", "total", "budget",
     "attempts", "manager", "vault", "stored", "place", "location", "where", "path", "file",
     "issuer", "brand", "owner", "user", "username", "login", "holder", "phone", "mobile", "url",
     "uri", "link", "region", "env", "environment", "scope", "scopes", "permissions", "role",
     "roles", "color", "colour", "order", "invoice", "tracking", "imei", "iccid", "dica", "nota",
     "lugar", "local", "onde", "dónde", "tipo", "nome", "nombre", "titular"}
)  # fmt: skip
"""The last word of a member that says something about its parent."""
_THINGS = frozenset(
    {"app", "store", "provider", "service", "vendor", "bank", "account", "email", "contact",
     "device", "host", "site", "domain", "endpoint"}
)  # fmt: skip
"""Under `password` what it belongs to, under `passwords` whose it is: the value decides."""
_COUNTED = re.compile(r"token|account[ _-]?key", re.IGNORECASE)
"""Labels after which digits alone are an amount or a row: `max_token`, `account_key`."""
_DATED_OR_NUMBERED = re.compile(
    r"\d{4}-\d\d-\d\d(?:[T ][\d:.]{1,15}(?:Z|[+-]\d\d:?\d\d)?)?"
    r"|[0-9A-Fa-f]{8}(?:-[0-9A-Fa-f]{4}){3}-[0-9A-Fa-f]{12}"
)
_LEAST_BENEATH = 8
"""Characters of an API key that is only somewhere beneath the name of one."""
_LEAST_WORD = 8
"""Letters alone that may be the value of a `token` or a `secret`."""
_SPACE = re.compile(r"\s")


@dataclass(frozen=True, slots=True)
class Announced:
    """What the names above a value say it is."""

    kind: str = ""
    """ "password", "api key", "secret"; "" for nothing."""
    direct: bool = True
    """The last name says so itself, or names the very thing ("value"); lists pass it on."""
    doubtful: bool = False
    """A name on the way may as well say what the secret belongs to."""
    counted: bool = False
    """Digits alone are an amount."""
    card: bool = False

    def beneath(self, name: str) -> Announced:
        """What is announced for the value of the member `name`."""
        plain = undisguise(name).text
        words = [""] if secret_shapes.is_uuid(plain) else _words(plain)
        last = words[-1]
        describes = last in _DESCRIBING
        card = not describes and (self.card or not _CARD_WORDS.isdisjoint(words))
        if label := secret_shapes.last_label(plain):
            counted = bool(_COUNTED.fullmatch(label[0]))
            return Announced(secret_shapes.label_kind(label), counted=counted, card=card)
        if not self.kind or describes:
            return Announced(card=card)
        return Announced(
            self.kind,
            self.direct and last in _HOLDING,
            self.doubtful or last in _THINGS,
            self.counted,
            card,
        )

    def secrets(self, text: str) -> tuple[Secret, ...]:
        """The secrets of a string that stands under these names, as `secret_shapes.find`."""
        if not self.card:
            return secret_shapes.find(text)
        return tuple(
            Secret(
                found.kind,
                found.start - len(_CARD_LEAD),
                found.end - len(_CARD_LEAD),
                max(0, found.announced_at - len(_CARD_LEAD)),
            )
            for found in secret_shapes.find(_CARD_LEAD + text)
        )

    def whole(self, text: str) -> str | None:
        """The kind of secret the whole value is by the names above it, or None."""
        if not self.kind:
            return None
        value = undisguise(text).text
        if len(value) < secret_shapes.LEAST or _SPACE.search(value):
            return None
        if secret_shapes.is_harmless(value) or (self.counted and value.isdigit()):
            return None
        if self.kind == SECRET and _is_word(value):
            return None
        return self.kind if self.direct or self._holds_beneath(value) else None

    def _holds_beneath(self, value: str) -> bool:
        """Beneath a password stand passwords; the other names are those of things as well."""
        if _DATED_OR_NUMBERED.fullmatch(value):
            return False
        if self.doubtful and not secret_shapes.looks_random(value):
            return False
        if self.kind == API_KEY:
            random = secret_shapes.mixes_letters_and_digits(value)
            return random and len(value) >= _LEAST_BENEATH
        return self.kind == PASSWORD


def _words(name: str) -> list[str]:
    return [word.casefold() for word in _WORD.findall(name)] or [""]


def _is_word(value: str) -> bool:
    """`{"token": "Marker"}`, `{"input_token": "NextToken"}`: the name of a token, or too short."""
    if not value.isalpha():
        return False
    return len(value) < _LEAST_WORD or secret_shapes.last_label(value) is not None


def number_text(number: int | float) -> str | None:
    """The digits of a whole number, in which a password or card number may have been written."""
    if isinstance(number, bool) or number != number // 1:
        return None
    return str(int(number))


def find(name: str) -> tuple[str, ...]:
    """The kinds of secrets in a name: a key, a scope's id, a collection, a member."""
    return tuple(
        dict.fromkeys(
            secret.kind
            for secret in secret_shapes.find(name)
            if secret.announced_at == secret.start
            or secret_shapes.looks_random(undisguise(name[secret.start : secret.end]).text)
        )
    )
