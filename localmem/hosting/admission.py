"""Whose a credential is, and which library it opens. Says the same of every one it refuses."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from localmem.core import hosting
from localmem.core.hosting import Key, KeyKind, Mode, Partition, Person, Right, Space, Token
from localmem.core.model import Actor, AuthorKind, Origin
from localmem.hosting import digests

if TYPE_CHECKING:
    from localmem.core.hosting_ports import Hosting
    from localmem.core.ports import Clock

_AUTHOR = {
    KeyKind.PROJECT: AuthorKind.BACKEND,
    KeyKind.BACKEND: AuthorKind.BACKEND,
    KeyKind.AGENT: AuthorKind.AGENT,
    KeyKind.SHOP: AuthorKind.AGENT,
}
EPOCH_LETTERS = 20


@dataclass(frozen=True, slots=True)
class KeyHolder:
    """A key that was let in, with what it opens."""

    key: Key
    space: Space
    partition: Partition

    def has(self, right: Right) -> bool:
        return right in self.key.allowed

    def actor(self, said: AuthorKind | None) -> Actor:
        """Who its writes are by. A program may say that it speaks for another kind of author; an
        agent is an agent whatever it says."""
        kind = _AUTHOR[self.key.kind]
        if said is not None and kind is not AuthorKind.AGENT:
            kind = said
        return Actor(kind, self.key.name, Origin.HTTP)


@dataclass(frozen=True, slots=True)
class PersonHolder:
    """A person's token that was let in."""

    token: Token
    person: Person

    def actor(self) -> Actor:
        """Whoever speaks for them over the network, so that their own words are asked for."""
        return Actor(AuthorKind.AGENT, self.token.device, Origin.HTTP)


Holder = KeyHolder | PersonHolder


@dataclass(frozen=True, slots=True)
class Admission:
    store: Hosting
    clock: Clock

    def admit(self, text: str) -> Holder | None:
        """Who holds the credential; None for one that is unknown, expired or revoked."""
        minted = hosting.credential(text)
        if minted is None:
            return None
        if minted.prefix.startswith(hosting.PERSON_FAMILY):
            return self._person(minted)
        return self._key(minted)

    def _key(self, minted: hosting.Minted) -> KeyHolder | None:
        with self.store.reading():
            found = self.store.access.key(minted.prefix)
            known = digests.matches(minted, found[1] if found else None)
            if found is None or not known or not found[0].usable(self.clock()):
                return None
            key = found[0]
            space = self.store.access.space(key.space)
            partition = self.store.access.partition(key.space, key.mode)
        assert space is not None  # the schema's promise
        partition = partition or self.make_partition(key.space, key.mode)
        return None if partition is None else KeyHolder(key, space, partition)

    def _person(self, minted: hosting.Minted) -> PersonHolder | None:
        with self.store.reading():
            found = self.store.access.token(minted.prefix)
            known = digests.matches(minted, found[1] if found else None)
            if found is None or not known or not found[0].usable(self.clock()):
                return None
            person = self.store.access.person(found[0].person)
        assert person is not None  # the schema's promise
        return PersonHolder(found[0], person)

    def make_partition(self, space: str, mode: Mode) -> Partition | None:
        """The partition, made when it is first used; None when the space was removed meanwhile."""
        with self.store.writing():
            held = self.store.access.partition(space, mode)
            if held is not None or self.store.access.space(space) is None:
                return held
            made = Partition(space, mode, epoch(), self.clock())
            self.store.access.add_partition(made)
        return made


def epoch() -> str:
    """A new one."""
    return digests.letters(EPOCH_LETTERS)
