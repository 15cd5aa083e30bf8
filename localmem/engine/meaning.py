"""Keeps the vectors in step with the words: which model, what waits, embedding in small batches.

Nothing waits for it: a write is stored at once and found by words; its vector follows. Models are
never mixed: another model starts an empty table and everything waits again, words still working.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING

from localmem.core.records import Model
from localmem.engine.answers import MeaningState
from localmem.engine.context import Context
from localmem.errors import StoreBusy, StoreFull

if TYPE_CHECKING:
    from localmem.core.ports import Embedder

BATCH = 16
"""Items embedded between two looks at what else wants the store: some 25 ms."""


class Meaning:
    """One per store; shared by everyone who acts on it."""

    def __init__(self, context: Context, load: Callable[[], Embedder] | None) -> None:
        """`load` gets the model when it is first needed; None means words only."""
        self._context = context
        self._load = load
        self._embedder: Embedder | None = None
        self._problem = ""
        self._last_question: tuple[str, bytes] | None = None
        self._waiting: tuple[int, int] | None = None
        """The library's change number, and how many waited then."""

    @property
    def embedder(self) -> Embedder | None:
        return self._embedder

    @property
    def problem(self) -> str:
        """Why there is no meaning search, as a sentence; "" when there is."""
        return self._problem

    def load(self) -> Embedder | None:
        """Load the model; None where there is none. Touches no store, so any thread may call it.

        Raises ModelUnavailable.
        """
        return self._load() if self._load is not None else None

    def change(self, load: Callable[[], Embedder] | None) -> None:
        """Go on with another model, got by `load` when it is needed; None is words only.

        What was embedded stays until another model is attached.
        """
        self._load = load
        self._embedder = None
        self._problem = ""
        self._last_question = None

    def ensure(self) -> None:
        """Load and attach the model now. Raises ModelUnavailable."""
        if self._embedder is None and self.possible:
            embedder = self.load()
            if embedder is not None:
                self.attach(embedder)

    @property
    def possible(self) -> bool:
        return self._load is not None and self._context.store.vectors_available

    def attach(self, embedder: Embedder) -> None:
        """Use this model from now on; when it is another than before, everything waits again."""
        store = self._context.store
        if not store.vectors_available:
            return
        with store.reading():
            active = store.finder.model()
        if active != embedder.model:
            if store.read_only:
                self.fail("The library can only be read, and was made with another model.")
                return
            with store.writing():
                store.finder.use_model(embedder.model)
        self._embedder = embedder
        self._problem = ""

    def fail(self, why: str) -> None:
        """Go on with words alone; `why` is what the person reads."""
        self._embedder = None
        self._problem = why

    def state(self) -> tuple[MeaningState, int]:
        """The state, and how many memories wait to be embedded."""
        with self._context.store.reading():
            waiting = self._count_waiting()
            replaced = self._embedder is not None and not self._is_active(self._embedder)
        if self._problem or replaced or not self.possible:
            return MeaningState.OFF, waiting
        if self._embedder is None:
            return MeaningState.LOADING, waiting
        return (MeaningState.FILLING if waiting else MeaningState.READY), waiting

    def _count_waiting(self) -> int:
        change = self._context.store.finder.change()
        if self._waiting is None or self._waiting[0] != change:
            self._waiting = change, self._context.store.finder.pending_count()
        return self._waiting[1]

    def model(self) -> Model | None:
        """The model the vectors were made by."""
        with self._context.store.reading():
            return self._context.store.finder.model()

    def question(self, text: str) -> bytes | None:
        """The vector of a question; None without a model. Raises ModelUnavailable."""
        if self._embedder is None or not self._is_active(self._embedder) or not text.strip():
            return None
        if self._last_question is None or self._last_question[0] != text:
            (vector,) = self._embedder.embed([text])
            self._last_question = (text, vector)
        return self._last_question[1]

    def embed_waiting(self, limit: int = BATCH) -> int:
        """Embed up to `limit` memories; how many were, 0 also when the store cannot be written now.

        Raises ModelUnavailable.
        """
        from localmem.core import passages, plain  # nothing is embedded before the first rows

        store, embedder = self._context.store, self._embedder
        if embedder is None or store.read_only:
            return 0
        with store.reading():
            if not self._is_active(embedder):
                return 0
            items = store.items.many(store.finder.pending(limit))
        if not items:
            return 0
        split = {row: passages.split(plain.text(item)) for row, item in items.items()}
        vectors = iter(embedder.embed([part for parts in split.values() for part in parts]))
        made = {row: [next(vectors) for _ in parts] for row, parts in split.items()}
        try:
            with store.writing(patient=False):
                if not self._is_active(embedder):
                    return 0
                for row, item in items.items():
                    store.finder.put_vectors(row, item.head.number, made[row])
        except (StoreBusy, StoreFull):
            return 0  # words find them meanwhile, and the next look tries again
        return len(items)

    def _is_active(self, embedder: Embedder) -> bool:
        """Whether the vectors are this model's: another process may have changed the model."""
        return self._context.store.finder.model() == embedder.model
