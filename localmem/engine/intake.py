"""What every line of an import is held against, and where what was made of it is written down.

A preview and an import run the same judgement; a preview writes nothing and remembers only digests
of what it would have made, so that a line which says the same again is told apart.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from enum import StrEnum
from typing import NamedTuple, TypeVar

from localmem.core import ttl
from localmem.core.change import Saved, Stale, Unchanged, Write
from localmem.core.incoming import Line
from localmem.core.model import (
    Actor,
    AuthorKind,
    Change,
    Content,
    Item,
    ItemId,
    Kind,
    Millis,
    Origin,
    Version,
)
from localmem.core.records import Slice, UndoStep
from localmem.core.scope import PROJECT, Scope
from localmem.core.screening import clean_text
from localmem.engine import facts, guard, reviewing, writing
from localmem.engine.context import Context
from localmem.engine.writing import Address
from localmem.errors import InvalidInput, LimitReached, NotPermitted, RejectedBefore

Made = TypeVar("Made")

EXPIRED = "It has expired already."
REJECTED = "You rejected exactly this before."
TWICE = "An earlier line of this file says the same."


class Fate(StrEnum):
    """What became of a line."""

    NEW = "new"
    CHANGED = "changed"
    """What was here has a newer version now."""
    UNCHANGED = "unchanged"
    """It was here already."""
    SKIPPED = "skipped"
    """Left out by a rule: forgotten or rejected here, changed on both sides, expired."""
    REFUSED = "refused"
    """It cannot be kept: broken, over a limit, a secret."""


class Outcome(NamedTuple):
    """The answer to one line."""

    line: int
    fate: Fate
    why: str = ""
    """A sentence; "" where there is nothing to say."""
    item: ItemId | None = None
    """What it is kept as; None where nothing is, and in a preview of what would be new."""


@dataclass(frozen=True, slots=True)
class Rules:
    """What the person chose for a whole import."""

    scope: Scope = PROJECT
    """For lines that name none."""
    overwrite: bool = False
    """Where both sides changed, the file's becomes a new version instead of being left out."""
    keep_secrets: bool = False
    """Secrets stay as they are, instead of being masked and named."""
    bring_back: bool = False
    """What was forgotten or rejected here comes back."""


@dataclass(slots=True)
class Seen:
    """What the batches of one preview would have made so far; digests only."""

    made: set[int] = field(default_factory=set)
    facts: dict[Scope, int] = field(default_factory=dict)
    """New facts by scope."""


@dataclass(slots=True)
class Intake:
    """One batch while it is taken, or looked at when there is `seen`."""

    context: Context
    """Whoever brings the file, through an import."""
    rules: Rules
    seen: Seen | None = None
    steps: list[UndoStep] = field(default_factory=list)
    """What takes back what was made."""
    _new: list[writing.New] = field(default_factory=list)
    """Facts that are made and not kept yet."""
    _twins: dict[tuple[Scope, str], ItemId] = field(default_factory=dict)
    """Of those, by their words."""
    _kept: dict[tuple[Scope, str], ItemId] = field(default_factory=dict)
    """Likewise, facts that were kept already when `look_for` looked."""
    _places: set[Scope] = field(default_factory=set)
    """Scopes without a secret in them, looked at once a batch."""
    _held: dict[Scope, int] = field(default_factory=dict)
    """Facts by scope, counted once a batch."""
    _rejections: bool | None = None
    """Whether the person rejected anything at all, looked at once a batch."""

    @property
    def now(self) -> Millis:
        return self.context.clock()

    def acting(self, author: str) -> Context:
        """As whoever brings the file, or as the assistant `author`. Raises InvalidInput."""
        if not author:
            return self.context
        if len(author) > 255:
            raise InvalidInput("The name of its author is longer than 255 characters.")
        name = guard.name(clean_text(author), "author's name")
        return self.context.acting(Actor(AuthorKind.AGENT, name, Origin.IMPORT))

    def said_before(self, *parts: object) -> bool:
        """Whether an earlier line of this preview would have made what `parts` name."""
        return self.seen is not None and hash(parts) in self.seen.made

    def made(self, *parts: object) -> None:
        """In a preview: from here on what `parts` name is there."""
        if self.seen is not None:
            self.seen.made.add(hash(parts))

    def check_room(self, scope: Scope) -> None:
        """Counts one more fact in. Raises ScopeFull."""
        if scope not in self._held:
            self._held[scope] = self.context.store.items.count(Slice(Kind.FACT, scope))
            self._held[scope] += self.seen.facts.get(scope, 0) if self.seen else 0
        facts.check_room(scope, self._held[scope])
        self._held[scope] += 1
        if self.seen is not None:
            self.seen.facts[scope] = self.seen.facts.get(scope, 0) + 1

    def lifetime(self, expires_at: Millis | None) -> str:
        """ "" when it may be kept so long, or that it is over. Raises InvalidInput."""
        if expires_at is None:
            return ""
        if expires_at <= self.now:
            return EXPIRED
        if expires_at > ttl.expires_at(self.now, ttl.MAX_SECONDS):
            raise InvalidInput("It would be kept for longer than 2 years, which is the most.")
        return ""

    def rejected(self, address: Address, content: Content) -> bool:
        """Whether the person rejected exactly this; what is brought back is no longer."""
        if self._rejections is None:
            self._rejections = self.context.store.reviews.any_rejected()
        if not self._rejections:
            return False
        said = reviewing.said(_unsaved(self.context, address, content))
        if not self.context.store.reviews.rejected(said):
            return False
        if self.rules.bring_back and self.seen is None:
            self.context.store.reviews.lift(said)
        return not self.rules.bring_back

    def look_for(self, facts: Sequence[tuple[Scope, str]]) -> None:
        """Which of the facts, by scope and words, are kept: at once, before each is taken."""
        self._kept = self.context.store.items.twins(facts)

    def twin(self, scope: Scope, sameness: str) -> ItemId | None:
        """The fact of that scope with the same words, kept or just made; it was looked for."""
        return self._twins.get((scope, sameness)) or self._kept.get((scope, sameness))

    def create_fact(
        self, context: Context, line: Line, address: Address, wanted: Write, sameness: str,
        notes: Sequence[str],
    ) -> Outcome:  # fmt: skip
        """As `create`, but kept together with others, by `flush`."""
        scope = address.scope
        if scope not in self._places:
            guard.place(scope)
            self._places.add(scope)
        if self.seen is not None:
            return Outcome(line.line, Fate.NEW, " ".join(notes))
        item = writing.new(context, address, wanted)
        self._new.append(writing.New(context, item, sameness))
        self._twins[scope, sameness] = item.id
        self.steps.append(UndoStep(item.id, item.head.number, None))
        return Outcome(line.line, Fate.NEW, " ".join(notes), item.id)

    def flush(self) -> None:
        """Keep the facts that were made: before anything else is kept, and at the end."""
        writing.keep(self._new)
        self._new.clear()
        self._twins.clear()

    def create(
        self, context: Context, line: Line, address: Address, wanted: Write, notes: Sequence[str]
    ) -> Outcome:
        """Keep something new that is not `rejected`. Raises SecretRejected, for the address."""
        if self.seen is not None:
            guard.place(address.scope, address.collection, address.key)
            return Outcome(line.line, Fate.NEW, " ".join(notes))
        saved = writing.create(context, address, wanted, undoable=False, judged=True)
        self.steps.append(UndoStep(saved.item.id, saved.item.head.number, None))
        return Outcome(line.line, Fate.NEW, " ".join(notes), saved.item.id)

    def rewrite(
        self, context: Context, line: Line, held: Item, wanted: Write, notes: Sequence[str]
    ) -> Outcome:
        """A new version of what is here. Raises RejectedBefore, for assistants."""
        if self.seen is not None:
            return Outcome(line.line, Fate.CHANGED, " ".join(notes), held.id)
        result = writing.write(context, held, wanted, undoable=False)
        match result:
            case Saved(item=item):
                self.steps.append(UndoStep(item.id, item.head.number, held.head.number))
                return Outcome(line.line, Fate.CHANGED, " ".join(notes), item.id)
            case Unchanged(item=item):
                return Outcome(line.line, Fate.UNCHANGED, "", item.id)
            case Stale():
                raise AssertionError("nobody else writes inside this transaction")


def answered(line: Line, make: Callable[[], Made]) -> Made | Outcome:
    """What is made of a line, or why it is left out or refused."""
    try:
        return make()
    except RejectedBefore as problem:
        return Outcome(line.line, Fate.SKIPPED, str(problem))
    except (InvalidInput, NotPermitted, LimitReached) as problem:
        return Outcome(line.line, Fate.REFUSED, str(problem))


def _unsaved(context: Context, address: Address, content: Content) -> Item:
    head = Version("", 0, Change.IMPORT, content, context.actor, 0)
    return Item(
        ItemId(""),
        address.kind,
        address.scope,
        head,
        0,
        address.key,
        address.collection,
        address.provenance,
    )
