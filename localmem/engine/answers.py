"""What the use cases answer with: values, apart from the work, so that showing loads little."""

from __future__ import annotations

from enum import StrEnum
from typing import NamedTuple

from localmem.core import rank
from localmem.core.model import (
    Collection,
    Item,
    Kind,
    Millis,
    Provenance,
    Version,
)
from localmem.core.preferences import PreferenceKey
from localmem.core.records import (
    ScopeCount,
)


class MeaningState(StrEnum):
    READY = "ready"
    """Every memory has its vector."""
    FILLING = "filling"
    """Some memories are still being embedded; they are found by words."""
    LOADING = "loading"
    """The model is not loaded yet."""
    OFF = "off"
    """No vectors on this machine, or the model cannot be had."""


class Shelf(NamedTuple):
    """What the library tree shows."""

    counts: tuple[ScopeCount, ...]
    collections: tuple[Collection, ...]
    """Empty ones too."""

    def items(self, kind: Kind) -> int:
        return sum(count.items for count in self.counts if count.kind is kind)


class PreferenceEntry(NamedTuple):
    key: PreferenceKey
    declared: Item | None
    inferred: Item | None
    inference_blocked: bool
    """The person forgot this key and has not declared it since."""

    @property
    def effective(self) -> Item | None:
        """What counts: declared before inferred."""
        return self.declared or self.inferred

    def item(self, provenance: Provenance) -> Item | None:
        return self.declared if provenance is Provenance.DECLARED else self.inferred


class Hit(NamedTuple):
    item: Item
    score: float
    """0 … 1, calibrated: 0.30 means the same for every model; 4 places."""
    meaning: float | None
    """Calibrated score of meaning alone; None when the item has no vector yet."""
    coverage: float
    """0 … 1: how much of the question's telling words the item holds."""
    terms: tuple[str, ...]
    """The question's terms it holds, for marking them."""
    concepts: tuple[str, ...] = ()
    """What both are about, whatever words they use: "pets", "contact"."""

    @property
    def weak(self) -> bool:
        return self.score < rank.WEAK


class Found(NamedTuple):
    hits: tuple[Hit, ...]
    """Best first."""
    below: tuple[Hit, ...]
    """Close ones under the floor, best first: hidden unless asked for."""
    searched: int
    """How many live items the filters allow."""
    floor: float
    meaning: MeaningState
    waiting: int
    """Memories that have no vector yet: found by words only."""


class Waiting(NamedTuple):
    item: Item
    since: Millis
    before: Version | None
    """The last version the person saw; None when all of it is new."""
