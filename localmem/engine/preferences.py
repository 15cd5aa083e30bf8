"""The six shopping preferences: list, remember, correct, forget (shop-memory, whole).

Declared and inferred stand side by side for each key; forgetting takes both and blocks inference
until the person declares again.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from localmem.core import preferences
from localmem.core.model import (
    NO_EVIDENCE,
    Change,
    Evidence,
    Item,
    ItemId,
    Kind,
    PreferenceContent,
    Provenance,
)
from localmem.core.preferences import PreferenceKey
from localmem.core.scope import PERSON
from localmem.engine.answers import PreferenceEntry
from localmem.engine.context import Context
from localmem.errors import MemoryNotFound

if TYPE_CHECKING:
    from localmem.core.change import Write, Written
    from localmem.engine.outcomes import Receipt


@dataclass(slots=True, eq=False, repr=False)
class Preferences:
    context: Context

    def list(self) -> tuple[PreferenceEntry, ...]:
        """All six keys in their order, empty ones too."""
        with self.context.store.reading():
            return tuple(self._entry(key) for key in PreferenceKey)

    def entry(self, key: str) -> PreferenceEntry:
        """Raises UnknownPreferenceKey."""
        with self.context.store.reading():
            return self._entry(preferences.parse_key(key))

    def key_of(self, id: ItemId) -> PreferenceKey:
        """The key of the memory with that id. Raises MemoryNotFound."""
        with self.context.store.reading():
            item = self.context.store.items.get(id)
        if item is None or item.kind is not Kind.PREFERENCE:
            raise MemoryNotFound(
                "No preference has that id here.", hint="`localmem pref list --json` shows the ids."
            )
        return PreferenceKey(item.key)

    def remember(
        self,
        key: str,
        value: object,
        *,
        provenance: Provenance = Provenance.DECLARED,
        evidence: Evidence = NO_EVIDENCE,
        made_on: int | None = None,
    ) -> Written:
        """Keep a value; over another one it is a new version, as `correct` would write.

        Raises UnknownPreferenceKey, InvalidPreferenceValue, SourceNotPerson, InferenceBlocked,
        SecretRejected.
        """
        return self._write(Change.REMEMBER, preferences.parse_key(key), value, provenance,
                           evidence, made_on)  # fmt: skip

    def correct(
        self,
        key_or_id: str,
        value: object,
        *,
        evidence: Evidence = NO_EVIDENCE,
        made_on: int | None = None,
    ) -> Written:
        """Replace a value by the person's own words; the old one stays in the history.

        Correcting an inferred value declares the right one beside it. Raises MemoryNotFound and
        as `remember`.
        """
        key = self._resolve(key_or_id)
        if self.entry(key).effective is None:
            raise MemoryNotFound(
                f"Nothing is remembered for {key}.",
                hint=f"`localmem pref remember {key} …` keeps a first value.",
            )
        return self._write(Change.CORRECT, key, value, Provenance.DECLARED, evidence, made_on)

    def forget(self, key_or_id: str) -> Receipt:
        """Erase the key with all its versions and block its inference. Raises MemoryNotFound."""
        key = self._resolve(key_or_id)
        entry = self.entry(key)
        held = [item.id for item in (entry.declared, entry.inferred) if item is not None]
        if not held:
            raise MemoryNotFound(
                f"Nothing is remembered for {key}.", hint="`localmem pref list` shows what is."
            )
        from localmem.engine.forgetting import Forgetting

        return Forgetting(self.context).forget(held)

    def _write(
        self,
        verb: Change,
        key: PreferenceKey,
        value: object,
        provenance: Provenance,
        evidence: Evidence,
        made_on: int | None,
    ) -> Written:
        from localmem.core.change import Saved, Write
        from localmem.engine import guard  # listing, as the first rows do, needs none of this

        held = guard.preference(preferences.normalise(key, value))
        preferences.check_source(
            by=self.context.actor.kind, change=verb, provenance=provenance, value=held,
            evidence=evidence,
        )  # fmt: skip
        with self.context.store.writing():
            entry = self._entry(key)
            state = self.context.store.preference_states.get(key)
            if provenance is Provenance.INFERRED:
                preferences.check_inference(state)
            wanted = Write(
                verb,
                PreferenceContent(held),
                evidence=guard.evidence(evidence),
                made_on=made_on,
            )
            result = self._save(key, provenance, entry.item(provenance), wanted)
            if provenance is Provenance.DECLARED and isinstance(result, Saved):
                self.context.store.preference_states.put(key, preferences.declared(state))
                self._settle(entry.inferred)
            return result

    def _save(
        self, key: PreferenceKey, provenance: Provenance, item: Item | None, wanted: Write
    ) -> Written:
        from localmem.engine import writing

        if item is not None:
            return writing.write(self.context, item, wanted)
        if wanted.made_on:
            raise MemoryNotFound(
                f"{key} was forgotten meanwhile, so version {wanted.made_on} cannot be replaced.",
                hint="Remember it without a version to keep a first value again.",
            )
        address = writing.Address(Kind.PREFERENCE, PERSON, key=key, provenance=provenance)
        return writing.create(self.context, address, wanted)

    def _settle(self, inferred: Item | None) -> None:
        """Whoever says the value has answered what was inferred of it."""
        if inferred is not None and self.context.by_person:
            self.context.store.reviews.settle(inferred.id, inferred.head.number)

    def _entry(self, key: PreferenceKey) -> PreferenceEntry:
        declared, inferred = (
            self.context.store.items.at(
                Kind.PREFERENCE, PERSON, collection="", key=key, provenance=provenance
            )
            for provenance in (Provenance.DECLARED, Provenance.INFERRED)
        )
        blocked = self.context.store.preference_states.get(key).inference_blocked
        return PreferenceEntry(key, declared, inferred, blocked)

    def _resolve(self, key_or_id: str) -> PreferenceKey:
        """The key itself, or the key of the memory with that id."""
        with self.context.store.reading():
            item = self.context.store.items.get(ItemId(key_or_id))
        if item is not None and item.kind is Kind.PREFERENCE:
            return PreferenceKey(item.key)
        return preferences.parse_key(key_or_id)
