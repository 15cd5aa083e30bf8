"""Runs an operation: as one transaction with its number, and once however often it is asked.

What is kept of a reply lies in the library beside what was written for it: a crash leaves both or
neither, and two requests at once are one after the other there. Only a reply that something was
done is kept; a refusal is judged anew. Refuses to keep contents: a reply is made again from the
request, which comes again, and from what is still there (sync.md 2.7).
"""

from __future__ import annotations

import json
from dataclasses import replace
from typing import Any

from localmem.core.answers import Answered
from localmem.core.feed import Position
from localmem.engine import Engine
from localmem.engine.feed import Numbers
from localmem.errors import ItemNotFound, MemoryNotFound
from localmem.server import positions
from localmem.server.limits import check_units
from localmem.server.operations.operation import (
    READ_UNITS,
    Answer,
    Call,
    Operation,
    another_request,
    forgotten,
)
from localmem.wire.requests import Once, Request

REPLAYED = "Idempotent-Replayed"
OPERATION = "operation"
"""Kept with an answer: still told from another when what the request said is forgotten."""


def perform(operation: Operation, engine: Engine, asked: Any, call: Call) -> Answer:
    """What comes of it. Raises what the handler raises, CollectionLimit, Refused."""
    if not operation.numbered:
        _check_units(operation, call)
        return operation.handle(engine, asked, call)
    with engine.feed.numbered() as numbers:
        key = asked.idempotency_key if isinstance(asked, Once) else None
        if key is None or operation.again is None:
            _check_units(operation, call)
            return _numbered(operation.handle(engine, asked, call), numbers.last(), call)
        said = _said(operation, asked)
        held = engine.feed.answered(key, said)
        if held is not None:
            return _again(operation, engine, asked, call, held)
        _check_units(operation, call)
        answer = operation.handle(engine, asked, call)
        _keep(engine, operation, key, None if answer.undone else said, answer, numbers)
        return _numbered(answer, numbers.last(), call)


def _check_units(operation: Operation, call: Call) -> None:
    if operation.writes:
        check_units(call.holder, call.units_used)


def _said(operation: Operation, asked: Request) -> str:
    """The same for two requests that ask the same, however they are spelt."""
    given = asked.model_dump(by_alias=True, exclude_unset=True, exclude={"idempotency_key"})
    return json.dumps([operation.name, given], sort_keys=True)


def _again(operation: Operation, engine: Engine, asked: Any, call: Call, held: Answered) -> Answer:
    if not held.same or held.kept.get(OPERATION) != operation.name:
        raise another_request()
    assert operation.again is not None
    try:
        made = operation.again(engine, asked, held.kept)
    except (MemoryNotFound, ItemNotFound):
        gone = forgotten()
        gone.headers[REPLAYED] = "true"
        raise gone from None
    answer = replace(made, status=held.status, units=READ_UNITS)
    return _numbered(answer.with_headers({REPLAYED: "true"}), held.seq, call)


def _keep(
    engine: Engine,
    operation: Operation,
    key: str,
    said: str | None,
    answer: Answer,
    numbers: Numbers,
) -> None:
    engine.feed.keep_answer(
        key,
        said,
        status=answer.status or operation.status,
        kept={**answer.kept, OPERATION: operation.name},
        about=answer.about,
        numbers=numbers,
    )


def _numbered(answer: Answer, seq: int | None, call: Call) -> Answer:
    """With the number of the last change it made, and the cursor behind that."""
    if seq is None:
        return answer
    cursor = positions.seal(Position(seq, seq), call)
    told = {"Memory-Seq": str(seq), "Memory-Cursor": cursor}
    return replace(answer.with_headers(told), seq=seq)
