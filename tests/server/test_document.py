"""The OpenAPI document says what the table says, and every row of the table can be asked."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Any

from localmem.server.errors import REFUSALS, STATUS
from localmem.server.operations import OPERATIONS
from localmem.wire.requests import Place, places
from tests.server.conftest import Server


async def document(server: Server) -> dict[str, Any]:
    answer = await server.get("/openapi.json", key="")
    assert answer.status_code == 200
    found: dict[str, Any] = answer.json()
    return found


def references(value: object) -> Iterator[str]:
    if isinstance(value, dict):
        if isinstance(value.get("$ref"), str):
            yield value["$ref"]
        for member in value.values():
            yield from references(member)
    elif isinstance(value, list):
        for entry in value:
            yield from references(entry)


async def test_every_operation_is_in_the_document_and_every_reference_leads_somewhere(
    server: Server,
) -> None:
    said = await document(server)
    named = {
        (method.upper(), path): each["operationId"]
        for path, methods in said["paths"].items()
        for method, each in methods.items()
    }
    table = {(each.method, each.path): each.name for each in OPERATIONS}
    called_batch = {
        (method, path.replace("{key}", "batch")): f"{name}_batch"
        for (method, path), name in table.items()
        if path.endswith("/items/{key}")
    }
    assert named == {**called_batch, **table}
    found = set(references(said))
    schemas = said["components"]["schemas"]
    assert found and all(each.rpartition("/")[2] in schemas for each in found)


def test_names_are_told_apart_and_paths_name_their_fields() -> None:
    assert len({each.name for each in OPERATIONS}) == len(OPERATIONS)
    for operation in OPERATIONS:
        in_path = {name for name, at in places(operation.asks).items() if at is Place.PATH}
        assert set(re.findall(r"{(\w+)}", operation.path)) == in_path, operation.name
        assert set(operation.faults) <= STATUS.keys() | REFUSALS.keys()
        has_body = Place.BODY in places(operation.asks).values()
        assert not (has_body and operation.method in ("GET", "DELETE")), operation.name


def test_no_fixed_path_is_hidden_by_one_with_a_name_before_it() -> None:
    for number, operation in enumerate(OPERATIONS):
        pattern = re.compile(re.sub(r"{\w+}", "[^/]+", operation.path))
        hidden = [
            later.path
            for later in OPERATIONS[number + 1 :]
            if later.method == operation.method
            and later.path != operation.path
            and pattern.fullmatch(re.sub(r"{\w+}", "x{}", later.path))
        ]
        assert not hidden, f"{operation.path} hides {hidden}"


def test_no_code_is_the_engines_and_the_surfaces_own() -> None:
    assert not set(STATUS) & set(REFUSALS)


def test_what_stays_refused_tells_the_vendors_clients_not_to_ask_again() -> None:
    """They ask 408, 409, 429 and 5xx again (protocols 1.8); plain rate limiting may be."""
    asked_again = {
        code: known for code, known in {**STATUS, **REFUSALS}.items()
        if known.status in (408, 409, 429) or known.status >= 500
    }  # fmt: skip
    undecided = {code for code, known in asked_again.items() if known.retry is None}
    assert undecided == {"rate_limited", "server_error"}


KEYWORDS = {
    "$ref", "additionalProperties", "anyOf", "const", "default", "description", "enum",
    "exclusiveMaximum", "exclusiveMinimum", "format", "items", "maxItems", "maxLength",
    "maxProperties", "maximum", "minItems", "minLength", "minProperties", "minimum", "pattern",
    "properties", "propertyNames", "required", "title", "type", "uniqueItems",
}  # fmt: skip


def schemas_in(value: object) -> Iterator[dict[str, Any]]:
    """Each schema of a document, and those inside them."""
    if isinstance(value, list):
        for entry in value:
            yield from schemas_in(entry)
    if not isinstance(value, dict):
        return
    named = value.get("schemas", {})
    for schema in (value.get("schema"), *(named.values() if isinstance(named, dict) else ())):
        if isinstance(schema, dict):
            yield from _with_inner(schema)
    for member in value.values():
        yield from schemas_in(member)


def _with_inner(schema: dict[str, Any]) -> Iterator[dict[str, Any]]:
    yield schema
    inner = [*schema.get("properties", {}).values(), *schema.get("anyOf", [])]
    inner += [schema.get("items"), schema.get("additionalProperties")]
    for each in inner:
        if isinstance(each, dict):
            yield from _with_inner(each)


async def test_a_bound_is_told_as_json_schema_calls_it(server: Server) -> None:
    said = await document(server)
    found = list(schemas_in(said))
    assert len(found) > 200
    assert {word for schema in found for word in schema} <= KEYWORDS
    parameters = {
        (path, each["name"]): each["schema"]
        for path, methods in said["paths"].items()
        for method in methods.values()
        for each in method["parameters"]
    }
    assert parameters["/v1/memory", "limit"]["minimum"] == 1
    (ttl, _) = said["paths"]["/v1/memory"]["post"]["requestBody"]["content"]["application/json"][
        "schema"
    ]["properties"]["ttlSeconds"]["anyOf"]
    assert (ttl["minimum"], ttl["maximum"]) == (60, 63_072_000)


async def test_a_path_allows_what_the_document_has_at_it_and_nothing_else(server: Server) -> None:
    paths = (await document(server))["paths"]
    for path, methods in paths.items():
        understood = sorted(method.upper() for method in methods)
        place = re.sub(r"{\w+}", "x", path)
        for method in {"GET", "PUT", "POST", "PATCH", "DELETE", "OPTIONS"} - set(understood):
            answer = await server.ask(method, place)
            assert (answer.status_code, answer.json()["code"]) == (405, "method_not_allowed"), place
            assert answer.headers["allow"] == ", ".join(understood)
