"""Keeps the vectors in step with the words: which model, what waits, embedding in short batches.

Nothing waits for it: a write is stored at once and found by words; its vector follows. Models are
never mixed: another model starts an empty table and everything waits again, words still working.
"""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from localmem.core.records import Made, Model, Slice
from localmem.engine.answers import MeaningState
from localmem.engine.context import Context
from localmem.errors import StoreBusy, StoreFull

if TYPE_CHECKING:
    from localmem.core.ports import Embedder

BATCH = 16
"""Items embedded between two looks at what else wants the store, at least."""
MOST_BATCH = 1_024
"""At most, where embedding takes no time worth naming: some 5 MB of vectors."""
SHORT, LONG = 0.025, 0.050
"""Seconds: after a batch that took less the next one is twice as large, after more half."""
STEP = 16
"""Passages embedded in one call: 25 ms with the bundled model, at most 1 s with the quality one."""


@dataclass(slots=True, eq=False)
class Batch:
    """Memories that wait, as they were read: embedded on any thread, then kept by `Meaning`."""

    embedder: Embedder
    passages: Mapping[int, tuple[str, ...]]
    """Row -> its passages."""
    numbers: Mapping[int, int]
    """Row -> the version they are of."""
    asked: int
    """How many might have been read."""
    timer: Callable[[], float]
    seconds: float = 0.0
    """What went into it so far, but for waiting."""
    _texts: list[str] = field(init=False)
    _vectors: list[bytes] = field(default_factory=list)

    def __post_init__(self) -> None:
        self._texts = [text for texts in self.passages.values() for text in texts]

    def embed_some(self) -> bool:
        """Embed the next `STEP` passages; whether some are left. Touches no store.

        Raises ModelUnavailable.
        """
        began = self.timer()
        done = len(self._vectors)
        self._vectors += self.embedder.embed(self._texts[done : done + STEP])
        self.seconds += self.timer() - began
        return len(self._vectors) < len(self._texts)

    def made(self) -> Iterator[Made]:
        """Once all are embedded."""
        vectors = iter(self._vectors)
        for row, texts in self.passages.items():
            yield Made(row, self.numbers[row], [next(vectors) for _ in texts])


class Meaning:
    """One per store; shared by everyone who acts on it."""

    def __init__(
        self,
        context: Context,
        load: Callable[[], Embedder] | None,
        *,
        timer: Callable[[], float] = time.perf_counter,
    ) -> None:
        """`load` gets the model when it is first needed; None means words only.

        `timer` tells seconds, for what a batch takes.
        """
        self._context = context
        self._load = load
        self._embedder: Embedder | None = None
        self._problem = ""
        self._last_question: tuple[str, bytes] | None = None
        self._timer = timer
        self._batch = BATCH
        """How many are embedded next."""
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
        self._batch = BATCH

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

    def would_wait(self, choice: str) -> int:
        """How many memories the model that a setting names has not embedded yet."""
        finder = self._context.store.finder
        with self._context.store.reading():
            made = finder.model()
            if made is not None and _chooses(choice, made.name):
                return finder.pending_count()
            return self._context.store.items.count(Slice())

    def question(self, text: str) -> bytes | None:
        """The vector of a question; None without a model. Raises ModelUnavailable."""
        if self._embedder is None or not self._is_active(self._embedder) or not text.strip():
            return None
        if self._last_question is None or self._last_question[0] != text:
            self._last_question = (text, self._embedder.embed_question(text))
        return self._last_question[1]

    def embed_waiting(self, limit: int | None = None) -> int:
        """Embed up to `limit` memories, or as many as soon go; how many were, 0 also when the
        store cannot be written now.

        Raises ModelUnavailable.
        """
        batch = self.next_batch(limit)
        if batch is None:
            return 0
        while batch.embed_some():
            pass
        return self.keep(batch)

    def next_batch(self, limit: int | None = None) -> Batch | None:
        """Up to `limit` memories that wait; None when none do or nothing can be kept of them.

        Without a limit as many as are done in `SHORT` to `LONG` with this model on this machine,
        so that whoever else wants the store gets it soon.
        """
        from localmem.core import passages, plain  # nothing is embedded before the first rows

        began, asked = self._timer(), limit or self._batch
        store, embedder = self._context.store, self._embedder
        if embedder is None or store.read_only:
            return None
        with store.reading():
            if not self._is_active(embedder):
                return None
            items = store.items.many(store.finder.pending(asked))
        if not items:
            return None
        batch = Batch(
            embedder,
            {row: passages.split(plain.text(item)) for row, item in items.items()},
            {row: item.head.number for row, item in items.items()},
            asked,
            self._timer,
        )
        batch.seconds = self._timer() - began
        return batch

    def keep(self, batch: Batch) -> int:
        """Keep the vectors of what has not changed since it was read; how many were embedded, 0
        when the store cannot be written now or the model is another by now."""
        store = self._context.store
        try:
            with store.writing(patient=False, lasting=False):
                if not self._is_active(batch.embedder):
                    return 0
                began = self._timer()
                store.finder.put_vectors(list(batch.made()))
                batch.seconds += self._timer() - began
        except (StoreBusy, StoreFull):
            return 0  # words find them meanwhile, and the next look tries again
        self._learn(batch)
        return len(batch.passages)

    def _learn(self, batch: Batch) -> None:
        """How large the next batch may be. The commit is left out: it takes its time for few too.

        A batch that was not full says only that it was too large.
        """
        if batch.seconds > LONG:
            self._batch = max(BATCH, min(batch.asked, self._batch) // 2)
        elif batch.seconds < SHORT and len(batch.passages) >= self._batch:
            self._batch = min(MOST_BATCH, self._batch * 2)

    def _is_active(self, embedder: Embedder) -> bool:
        """Whether the vectors are this model's: another process may have changed the model."""
        return self._context.store.finder.model() == embedder.model


def _chooses(choice: str, name: str) -> bool:
    """Whether a setting's choice ("bundled", "quality", "openai:MODEL@URL") is the model `name`."""
    if ":" not in choice:
        kind, colon, _ = name.partition(":")
        return choice == (kind if colon else "bundled")
    return name in (choice, choice.rpartition("@")[0])
