"""The models of requests and answers as JSON Schema, for documents and tool lists."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

from pydantic.json_schema import models_json_schema

from localmem.wire.requests import Part

Schema = dict[str, Any]


def schemas(models: Iterable[type[Part]], ref: str = "#/components/schemas/{model}") -> Schema:
    """Each model by its class name, with whatever it refers to; names are those of the wire."""
    wanted = [(model, "validation") for model in dict.fromkeys(models)]
    _, whole = models_json_schema(wanted, by_alias=True, ref_template=ref)  # type: ignore[arg-type]
    found: Schema = whole.get("$defs", {})
    return found


def without_null(schema: Schema) -> Schema:
    """The schema of a value that is there: in a query string nothing can be null."""
    kinds = [each for each in schema.get("anyOf", []) if each != {"type": "null"}]
    if len(kinds) != 1:
        return schema
    rest = {name: each for name, each in schema.items() if name not in ("anyOf", "default")}
    return {**kinds[0], **rest}
