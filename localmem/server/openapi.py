"""The table of operations as an OpenAPI 3.1 document, from the same models that read and describe.

What every operation may answer is said once; what one may answer beside it is in its row.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Any

from localmem import __version__
from localmem.server.errors import REFUSALS, STATUS, Envelope
from localmem.server.operations.operation import Route
from localmem.wire.memory_api import Fault
from localmem.wire.requests import Part, Place, places
from localmem.wire.schema import Schema, schemas, without_null
from localmem.wire.shop import NestedFault

ANYWHERE = (
    "invalid_request",
    "unauthorized",
    "forbidden",
    "rate_limited",
    "epoch_changed",
    "store_busy",
    "server_error",
)
HEADERS = {
    "X-Request-Id": "The id of the request: the one it came with, or a new one.",
    "Memory-Epoch": "Another one after a restore; what was remembered of this server is void then.",
    "X-RateLimit-Limit": "Requests a minute.",
    "X-RateLimit-Remaining": "How many are left in this minute.",
    "X-RateLimit-Reset": "When the next minute begins, in Unix milliseconds.",
}
_FAULTS: Mapping[Envelope, type[Part]] = {Envelope.FLAT: Fault, Envelope.NESTED: NestedFault}
_PLACES = (Place.PATH, Place.QUERY, Place.HEADER)


def document(operations: Iterable[Route]) -> Schema:
    """The document of these operations."""
    table = tuple(operations)
    asked = [operation.asks for operation in table]
    answered = [model for each in table for model in each.answers.values() if model is not None]
    inputs, outputs = schemas(asked), schemas([*answered, *_FAULTS.values()])
    paths: dict[str, Schema] = {}
    for operation in table:
        at = paths.setdefault(operation.path, {})
        at[operation.method.lower()] = _operation(operation, inputs[operation.asks.__name__])
    for path, name in {
        each.path: each.path.rpartition("/") for each in table if each.among_keys
    }.items():
        for method, said in paths[f"{name[0]}/{{key}}"].items():
            paths[path].setdefault(method, _called(name[2], said))
    used = {operation.asks.__name__ for operation in table}
    parts = {name: schema for name, schema in inputs.items() if name not in used}
    return {
        "openapi": "3.1.0",
        "info": {"title": "localmem memory API", "version": __version__},
        "security": [{"key": []}],
        "paths": paths,
        "components": {
            "schemas": {**parts, **outputs},
            "securitySchemes": {"key": {"type": "http", "scheme": "bearer"}},
        },
    }


def _called(key: str, said: Schema) -> Schema:
    """What can be asked of the item whose key is a word of the paths."""
    others = [each for each in said["parameters"] if each["name"] != "key"]
    return {**said, "operationId": f"{said['operationId']}_{key}", "parameters": others}


def _operation(operation: Route, schema: Schema) -> Schema:
    stand = places(operation.asks)
    properties: Schema = schema.get("properties", {})
    required = set(schema.get("required", ()))
    described: Schema = {
        "operationId": operation.name,
        "summary": operation.summary,
        "parameters": [
            _parameter(name, place, properties[name], required)
            for name, place in stand.items()
            if place in _PLACES
        ],
        "responses": _responses(operation),
    }
    body = {name: properties[name] for name, place in stand.items() if place is Place.BODY}
    if body:
        described["requestBody"] = {
            "required": True,
            "content": {
                "application/json": {
                    "schema": {
                        "type": "object",
                        "properties": body,
                        "required": sorted(required & body.keys()),
                        "additionalProperties": False,
                    }
                }
            },
        }
    return described


def _parameter(name: str, place: Place, schema: Schema, required: set[str]) -> Schema:
    return {
        "name": name,
        "in": str(place),
        "required": place is Place.PATH or name in required,
        "schema": without_null(schema),
    }


def _responses(operation: Route) -> Schema:
    responses: dict[str, Schema] = {}
    for status, model in operation.answers.items():
        responses[str(status)] = _response(
            operation.summary,
            None if model is None else model.__name__,
            {**HEADERS, **operation.headers},
        )
    for code in (*ANYWHERE, *operation.faults):
        known: Any = STATUS.get(code) or REFUSALS[code]
        said = responses.get(str(known.status))
        if said is None:
            responses[str(known.status)] = _response(code, _FAULTS[operation.envelope].__name__, {})
        else:
            said["description"] += f", {code}"
    return responses


def _response(description: str, model: str | None, headers: dict[str, str]) -> Schema:
    response: Schema = {"description": description}
    if headers:
        response["headers"] = {
            name: {"description": sentence, "schema": {"type": "string"}}
            for name, sentence in headers.items()
        }
    if model is not None:
        ref = {"$ref": f"#/components/schemas/{model}"}
        response["content"] = {"application/json": {"schema": ref}}
    return response
