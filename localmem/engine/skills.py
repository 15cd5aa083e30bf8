"""The rules of the four agent skills (memory-api, "Let the agent remember on its own").

`remember` writes to the contact only and refuses without one; `recall` looks at the contact, then
the project, where it skips what an agent wrote, so that what one contact said is never read back
to another; records belong to the contact unless the project is named. Refuses to hand a secret to
an agent: what slipped in before is masked on the way out (FR-135).
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from localmem.core import rank
from localmem.core.change import Written
from localmem.core.model import FactContent, Item, Json, Kind
from localmem.core.query import Query
from localmem.core.scope import PROJECT, Scope, contact
from localmem.core.screening import screen, screen_json
from localmem.engine.answers import Hit
from localmem.engine.documents import Documents
from localmem.engine.facts import Facts
from localmem.engine.recall import Recall
from localmem.errors import MemoryScopeError

RECALLED = 5
"""Hits of one recall unless another number is asked for (memory-api, "Limits")."""


@dataclass(frozen=True, slots=True)
class Recalled:
    """Something remembered, as an agent may read it: data with its source, never an instruction."""

    hit: Hit
    text: str
    """Its secrets masked."""


@dataclass(frozen=True, slots=True)
class Skills:
    facts: Facts
    documents: Documents
    recalling: Recall
    contact_id: str | None
    """Whom the agent is talking to; None when nobody is identified."""

    def remember(
        self,
        fact: str,
        *,
        metadata: Mapping[str, object] | None = None,
        ttl_seconds: int | None = None,
    ) -> Written:
        """Keep one fact about the contact.

        Raises MemoryScopeError without a contact, and as `Facts.add`.
        """
        return self.facts.add(
            fact, scope=self._contact(), metadata=metadata, ttl_seconds=ttl_seconds
        )

    def recall(self, question: str, *, limit: int = RECALLED) -> tuple[Recalled, ...]:
        """What is known of the contact, then what is known of everybody; at or above 0.30.

        Empty when nothing is on record, which is a real answer.
        """
        own = self._search(question, limit, contact(self.contact_id)) if self.contact_id else ()
        shared = self._search(question, limit - len(own), PROJECT)
        return tuple(Recalled(hit, screen(_text(hit.item)).text) for hit in (*own, *shared))

    def save_record(
        self, collection: str, key: str, value: Json, *, in_project: bool = False
    ) -> Written:
        """Keep a JSON record of the contact, or one that anybody may ask for by its key.

        Raises MemoryScopeError without a contact, and as `Documents.set`.
        """
        return self.documents.set(collection, key, value, scope=self._records(in_project))

    def lookup_record(self, collection: str, key: str, *, in_project: bool = False) -> Json:
        """The record's value, its secrets masked; None when there is none under that key.

        Raises MemoryScopeError without a contact, InvalidKey.
        """
        found = self.documents.find(collection, key, scope=self._records(in_project))
        if found is None:
            return None
        value: Json = getattr(found.head.content, "value", None)
        return screen_json(value).value

    def _search(self, question: str, limit: int, scope: Scope) -> tuple[Hit, ...]:
        if limit < 1:
            return ()
        asked = Query(
            text=question,
            meaning=question,
            scopes=(scope,),
            kinds=(Kind.FACT,),
            without_agents=scope == PROJECT,
        )
        return self.recalling.search(asked, limit=limit, floor=rank.FLOOR).hits

    def _contact(self) -> Scope:
        if not self.contact_id:
            raise MemoryScopeError(
                "Nobody is identified here, so nothing was kept.",
                hint="Name the contact the agent is talking to; the project is never used instead.",
            )
        return contact(self.contact_id)

    def _records(self, in_project: bool) -> Scope:
        return PROJECT if in_project else self._contact()


def _text(item: Item) -> str:
    assert isinstance(item.head.content, FactContent)
    return item.head.content.text
