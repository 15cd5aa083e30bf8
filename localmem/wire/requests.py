"""What a request may say and where: one model for each operation, read once, faults in sentences.

A field stands in the body unless it is marked with another `Place`. So one model is the REST
request, and later the arguments of a tool. Refuses what no field is named: a misspelt `scope` that
was passed over would file one person's facts for everybody (memory-api, "Scope").
"""

from __future__ import annotations

import difflib
import re
from collections.abc import Iterable, Mapping
from enum import StrEnum
from typing import Annotated, Any, TypeVar

from pydantic import BaseModel, BeforeValidator, ConfigDict, Field, ValidationError
from pydantic.alias_generators import to_camel
from pydantic_core import ErrorDetails, PydanticCustomError

from localmem.errors import InvalidInput

M = TypeVar("M", bound="Request")


class Place(StrEnum):
    """Where over HTTP a field stands."""

    PATH = "path"
    QUERY = "query"
    HEADER = "header"
    BODY = "body"


class Part(BaseModel):
    """An object inside a request or an answer; camelCase on the wire."""

    model_config = ConfigDict(
        extra="forbid", frozen=True, strict=True, alias_generator=to_camel, populate_by_name=True
    )


class Request(Part):
    """What an operation is asked."""


def _opaque(given: object) -> object:
    """A key as it is, or quoted as the IETF's draft has it."""
    text = given[1:-1] if isinstance(given, str) and re.fullmatch('".*"', given) else given
    if not isinstance(text, str) or not re.fullmatch("[!-~]{1,255}", text):
        raise PydanticCustomError("key", "must be 1 to 255 characters of ASCII without spaces")
    return text


class Once(Request):
    """Asked twice under one key, it is done once."""

    idempotency_key: Annotated[str | None, BeforeValidator(_opaque), Place.HEADER] = Field(
        None,
        alias="Idempotency-Key",
        description="Names this request: sent again with it, the first answer comes again.",
        json_schema_extra={"pattern": "^[!-~]{1,255}$"},
    )


def whole(given: object) -> object:
    """JSON has one kind of number: 60.0 is 60."""
    return int(given) if isinstance(given, float) and given.is_integer() else given


def _digits(given: object) -> object:
    """A query string and a header have text alone."""
    if isinstance(given, str):
        if not re.fullmatch(r"-?[0-9]{1,12}", given):
            raise PydanticCustomError("int_type", "must be a whole number")
        return int(given)
    return given


AsWhole = BeforeValidator(whole)
"""Of a number of a body. Bounds stand before it: behind it a schema does not tell them."""
AsDigits = BeforeValidator(_digits)
"""Of a number where there is text alone; bounds as well."""
Whole = Annotated[int, AsWhole]
AtLeastOne = Annotated[int, Field(ge=1)]


def places(model: type[Request]) -> dict[str, Place]:
    """Where each field stands, by its name on the wire."""
    found: dict[str, Place] = {}
    for name, field in model.model_fields.items():
        marks = [mark for mark in field.metadata if isinstance(mark, Place)]
        found[field.alias or name] = marks[0] if marks else Place.BODY
    return found


def read(model: type[M], values: Mapping[str, object]) -> M:
    """The request that the named values make.

    Raises InvalidInput with `details.field`, and what a model's own checks raise.
    """
    try:
        return model.model_validate(dict(values), by_alias=True, by_name=False)
    except ValidationError as problem:
        faults = problem.errors(include_url=False, include_context=True, include_input=False)
        raise _explained(faults[0], model) from None


def unknown(name: str, known: Iterable[str], where: str) -> InvalidInput:
    """That no field is called so; `where` names the place, such as "the body"."""
    names = list(known)
    near = difflib.get_close_matches(name, names, n=1, cutoff=0.6)
    near = near or [each for each in names if len(name) > 2 and each.startswith(name)]
    hint = f"Did you mean {near[0]}?" if near else _there_are(names, where)
    return InvalidInput(
        f"There is no field {name[:80]!r} in {where}.", hint=hint, details={"field": name[:80]}
    )


def _there_are(names: list[str], where: str) -> str:
    return f"It takes {', '.join(names)}." if names else f"It takes nothing in {where}."


_SENTENCES: Mapping[str, str] = {
    "missing": "{field} is missing.",
    "string_type": "{field} must be text.",
    "int_type": "{field} must be a whole number.",
    "float_type": "{field} must be a number.",
    "finite_number": "{field} must be a number.",
    "bool_type": "{field} must be true or false.",
    "dict_type": "{field} must be an object.",
    "model_type": "{field} must be an object.",
    "list_type": "{field} must be a list.",
    "greater_than_equal": "{field} must be at least {ge}.",
    "less_than_equal": "{field} must be at most {le}.",
    "string_too_short": "{field} must have at least {min_length} characters.",
    "string_too_long": "{field} must have at most {max_length} characters.",
    "too_short": "{field} must have at least {min_length} entries.",
    "too_long": "{field} must have at most {max_length} entries.",
    "literal_error": "{field} must be {expected}.",
    "enum": "{field} must be {expected}.",
}


def _explained(fault: ErrorDetails, model: type[Request]) -> InvalidInput:
    field = ".".join(str(part) for part in fault["loc"]) or "the request"
    if fault["type"] == "extra_forbidden":
        parent = ".".join(str(part) for part in fault["loc"][:-1])
        return unknown(str(fault["loc"][-1]), _names(model, fault["loc"][:-1]), parent or "it")
    context: dict[str, Any] = {"field": field} | fault.get("ctx", {})
    sentence = _SENTENCES.get(fault["type"], "{field}: " + fault["msg"].replace("{", "("))
    return InvalidInput(sentence.format_map(context), details={"field": field})


def _names(model: type[BaseModel], path: tuple[int | str, ...]) -> list[str]:
    """The fields of the object at a place inside a model, where its type is plain."""
    for part in path:
        if isinstance(part, int):
            continue
        field = next((f for n, f in model.model_fields.items() if part in (f.alias, n)), None)
        inner = [] if field is None else _models(field.annotation)
        if len(inner) != 1:
            return []
        model = inner[0]
    return [field.alias or name for name, field in model.model_fields.items()]


def _models(annotation: Any) -> list[type[BaseModel]]:
    if isinstance(annotation, type) and issubclass(annotation, BaseModel):
        return [annotation]
    inner = getattr(annotation, "__args__", ())
    return [model for each in inner for model in _models(each)]
