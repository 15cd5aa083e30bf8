"""What every system gets: the same records, made from a seed, of about 150 bytes each."""

from __future__ import annotations

import json
import random
import uuid
from typing import Any, NamedTuple

from peers import given

SEED = 11


class Record(NamedTuple):
    key: str
    """A UUID: kinto.js takes nothing else."""
    text: str
    number: int

    @property
    def body(self) -> dict[str, Any]:
        return {"text": self.text, "source": "customer", "number": self.number}


def made(count: int) -> list[Record]:
    chance = random.Random(SEED)
    texts, _ = given.facts(count)
    return [
        Record(str(uuid.UUID(int=chance.getrandbits(128), version=4)), text, number)
        for number, text in enumerate(texts)
    ]


def size(records: list[Record]) -> float:
    """Bytes of a body in JSON, the mean."""
    bodies = (json.dumps(each.body, ensure_ascii=False).encode() for each in records)
    return sum(map(len, bodies)) / len(records)
