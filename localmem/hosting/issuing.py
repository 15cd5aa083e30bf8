"""Spaces, keys, people and tokens: made, listed, revoked; each change is in the audit log."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

from localmem.core import hosting
from localmem.core.hosting import (
    PERSON_FAMILY,
    Deed,
    Key,
    KeyKind,
    Mode,
    Person,
    Space,
    Token,
)
from localmem.core.model import Millis
from localmem.errors import InvalidInput
from localmem.hosting import digests

if TYPE_CHECKING:
    from localmem.core.hosting_ports import Hosting
    from localmem.core.ports import Clock

DEFAULT_SPACE = "default"
_LETTERS = 16
DAY = 86_400_000


@dataclass(frozen=True, slots=True)
class Issued:
    """A credential just made; `text` is never to be had again."""

    text: str
    of: Key | Token


@dataclass(frozen=True, slots=True)
class Issuing:
    store: Hosting
    clock: Clock

    def create_key(
        self,
        name: str,
        *,
        space: str = DEFAULT_SPACE,
        kind: KeyKind = KeyKind.PROJECT,
        mode: Mode = Mode.LIVE,
        rights: Iterable[str] = (),
        days: int | None = None,
    ) -> Issued:
        """A key of the named space, which is made when there is none. Raises InvalidInput."""
        now = self.clock()
        called = hosting.name(name, "key")
        chosen = hosting.rights(rights)
        minted = digests.mint(hosting.family(kind, mode))
        with self.store.writing():
            held = self._space(space)
            key = Key(
                _id("key"), held.id, called, kind, mode, chosen, minted.prefix, now, _end(now, days)
            )
            self.store.access.add_key(key, digests.digest(minted))
            self._record("key created", key.prefix)
        return Issued(str(minted), key)

    def create_space(self, name: str, plan: str = "own") -> Space:
        """Raises InvalidInput, also when there is one of that name."""
        called = hosting.name(name, "space")
        with self.store.writing():
            if self.store.access.space_named(called) is not None:
                raise InvalidInput(
                    f"There is a space {called} already.",
                    hint="`localmem serve spaces plan NAME PLAN` gives it another plan.",
                )
            return self._make_space(called, plan)

    def set_plan(self, named: str, plan: str) -> Space:
        """Another plan for the space of that name or id, from its next request on. Raises
        InvalidInput."""
        chosen = hosting.plan(plan)
        with self.store.writing():
            space = self._held_space(named)
            self.store.access.set_plan(space.id, chosen.name)
            self._record(f"plan {chosen.name}", space.id)
        return replace(space, plan=chosen)

    def remove_space(self, named: str) -> Space:
        """End every key of the space of that name or id; its files are still to be erased. Raises
        InvalidInput."""
        with self.store.writing():
            space = self._held_space(named)
            self.store.access.remove_space(space.id, self.clock())
            self._record("space removed", space.id)
        return space

    def space(self, named: str) -> Space:
        """The one of that name or id. Raises InvalidInput."""
        with self.store.reading():
            return self._held_space(named)

    def keys(self) -> list[Key]:
        """Oldest first, the revoked ones too."""
        with self.store.reading():
            return self.store.access.keys()

    def spaces(self) -> list[Space]:
        """By name."""
        with self.store.reading():
            return self.store.access.spaces()

    def revoke_key(self, named: str) -> Key:
        """Refuse a key from now on. `named` is its id, or its public prefix or whole text.

        Raises InvalidInput.
        """
        with self.store.writing():
            held = self.store.access.keys()
            key = next((k for k in held if _named(named, k.id, k.prefix)), None)
            if key is None:
                raise InvalidInput(
                    "There is no such key.", hint="`localmem serve keys list` shows them."
                )
            self.store.access.revoke_key(key.id, self.clock())
            self._record("key revoked", key.prefix)
        return key

    def add_person(self, name: str) -> Person:
        """Raises InvalidInput, also when there is somebody of that name."""
        called = hosting.name(name, "person")
        with self.store.writing():
            if self.store.access.person_named(called) is not None:
                raise InvalidInput(
                    f"There is a person {called} already.",
                    hint="Give another name, or `localmem serve people token` for a new token.",
                )
            person = Person(_id("per"), called, self.clock())
            self.store.access.add_person(person)
            self._record("person added", person.id)
        return person

    def people(self) -> list[Person]:
        """By name."""
        with self.store.reading():
            return self.store.access.people()

    def remove_person(self, named: str) -> Person:
        """End every token of the person of that name or id; their files are still to be erased.
        Raises InvalidInput."""
        with self.store.writing():
            person = self._held_person(named)
            self.store.access.remove_person(person.id, self.clock())
            self._record("person removed", person.id)
        return person

    def person(self, named: str) -> Person:
        """The one of that name or id. Raises InvalidInput."""
        with self.store.reading():
            return self._held_person(named)

    def create_token(self, person: str, *, device: str = "", days: int | None = 90) -> Issued:
        """A token for one device of the person of that name or id. Raises InvalidInput."""
        now = self.clock()
        minted = digests.mint(PERSON_FAMILY)
        with self.store.writing():
            held = self._held_person(person)
            called = hosting.name(device, "device") if device else "any device"
            token = Token(_id("tok"), held.id, called, minted.prefix, now, _end(now, days))
            self.store.access.add_token(token, digests.digest(minted))
            self._record("token created", token.prefix)
        return Issued(str(minted), token)

    def tokens(self) -> list[Token]:
        """Oldest first, the revoked ones too."""
        with self.store.reading():
            return self.store.access.tokens()

    def revoke_token(self, named: str) -> Token:
        """Refuse a token from now on; as `revoke_key`. Raises InvalidInput."""
        with self.store.writing():
            held = self.store.access.tokens()
            token = next((t for t in held if _named(named, t.id, t.prefix)), None)
            if token is None:
                raise InvalidInput(
                    "There is no such token.", hint="`localmem serve people list` shows them."
                )
            self.store.access.revoke_token(token.id, self.clock())
            self._record("token revoked", token.prefix)
        return token

    def _held_person(self, named: str) -> Person:
        held = self.store.access.person_named(named) or self.store.access.person(named)
        if held is None:
            raise InvalidInput(
                f"There is no person {named[:80]!r}.",
                hint="`localmem serve people list` shows them; `people add` makes one.",
            )
        return held

    def _held_space(self, named: str) -> Space:
        held = self.store.access.space_named(named) or self.store.access.space(named)
        if held is None:
            raise InvalidInput(
                f"There is no space {named[:80]!r}.",
                hint="`localmem serve spaces list` shows them.",
            )
        return held

    def _space(self, name: str) -> Space:
        called = hosting.name(name, "space")
        return self.store.access.space_named(called) or self._make_space(called, "own")

    def _make_space(self, name: str, plan: str) -> Space:
        space = Space(_id("spc"), name, hosting.plan(plan), self.clock())
        self.store.access.add_space(space)
        self._record("space created", space.id)
        return space

    def _record(self, action: str, target: str) -> None:
        self.store.ledger.record(Deed(self.clock(), action, target))


def _id(kind: str) -> str:
    return f"{kind}_{digests.letters(_LETTERS).lower()}"


def _end(now: Millis, days: int | None) -> Millis | None:
    if days is None:
        return None
    if not 1 <= days <= 3_650:
        raise InvalidInput(
            "A key or token lasts 1 to 3,650 days, or until it is revoked.",
            details={"field": "days"},
        )
    return now + days * DAY


def _named(text: str, id: str, prefix: str) -> bool:
    minted = hosting.credential(text)
    return text in (id, prefix) or (minted is not None and minted.prefix == prefix)
