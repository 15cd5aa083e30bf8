"""What a fact may hold: text in plain words, a little metadata, a logical place.

The limits are the hosted API's (memory-api, "Limits"; protocols 5.1, 5.2), held at the moment of
writing so that a sync never discovers them. Refuses to improve what the person wrote: the text
is kept as typed but for NFC and line endings, and `sameness` is only ever a key to compare by.
"""

from __future__ import annotations

import json
import unicodedata
from collections.abc import Mapping
from types import MappingProxyType

from localmem.core.model import NO_METADATA, FactContent
from localmem.core.screening import clean_text
from localmem.errors import InvalidInput

MAX_TEXT_BYTES = 8_192
MAX_METADATA_BYTES = 2_048
MAX_METADATA_KEY = 64
"""Characters after NFC."""
MAX_METADATA_VALUE = 512
"""Characters after NFC."""
MAX_PATH = 512
"""Characters, after every segment was trimmed."""

_UNSEEN = ("Cc", "Cf", "Zl", "Zp", "Zs")
_BREAKING = ("Cc", "Zl", "Zp")


def new(
    text: str, metadata: Mapping[str, object] | None = None, path: str | None = None
) -> FactContent:
    """A valid fact: text 1 … 8,192 bytes of UTF-8, metadata at most 2 KB, path 1 … 512 characters.

    Raises InvalidInput with `details["field"]` one of text, metadata, path.
    """
    cleaned = clean_text(text)
    _check_text(cleaned)
    return FactContent(
        cleaned,
        _metadata(metadata) if metadata else NO_METADATA,
        None if path is None else _path(path),
    )


def size(text: str) -> int:
    """Bytes the text counts against the limit. Raises InvalidInput where `clean_text` does."""
    return len(clean_text(text).encode())


def sameness(text: str) -> str:
    """The key under which two texts are one fact: case, spacing and Unicode form do not count.

    So the same words kept twice are "already known" rather than twins (FR-40, FR-70).
    """
    if text.isascii():
        return " ".join(text.lower().split())
    folded = unicodedata.normalize("NFD", text).casefold()
    return " ".join(unicodedata.normalize("NFC", folded).split())


def metadata_size(metadata: Mapping[str, str]) -> int:
    """Bytes of the metadata as compact UTF-8 JSON, which is what the limit counts."""
    return len(json.dumps(dict(metadata), ensure_ascii=False, separators=(",", ":")).encode())


def _check_text(text: str) -> None:
    if all(unicodedata.category(character) in _UNSEEN for character in text):
        raise InvalidInput(
            "There is nothing to remember.",
            hint="Write the fact in plain words.",
            details={"field": "text", "bytes": 0, "limit": MAX_TEXT_BYTES},
        )
    length = len(text.encode())
    if length > MAX_TEXT_BYTES:
        raise InvalidInput(
            f"The text is too long: {length:,} / {MAX_TEXT_BYTES:,} bytes.",
            hint="Keep one fact per entry, or put long records in a collection.",
            details={"field": "text", "bytes": length, "limit": MAX_TEXT_BYTES},
        )


def _metadata(metadata: Mapping[str, object]) -> Mapping[str, str]:
    checked: dict[str, str] = {}
    for raw_key, raw_value in metadata.items():
        key = _metadata_key(raw_key)
        if key in checked:
            raise _bad_metadata(
                f"Metadata has {key!r} twice, in two spellings of the same characters.",
                "Keep one of them.",
            )
        checked[key] = _metadata_value(key, raw_value)
    length = metadata_size(checked)
    if length > MAX_METADATA_BYTES:
        raise _bad_metadata(
            f"The metadata is too large: {length:,} / {MAX_METADATA_BYTES:,} bytes.",
            "Put long records in a collection; search reads only the text anyway.",
        )
    return MappingProxyType(checked)


def _metadata_key(raw: object) -> str:
    if not isinstance(raw, str):
        raise _bad_metadata(f"The metadata key {raw!r:.80} is not text.", "Use text for every key.")
    key = clean_text(raw)
    if not 1 <= len(key) <= MAX_METADATA_KEY or key.isspace():
        raise _bad_metadata(
            f"The metadata key {key[:20]!r} has {len(key)} / {MAX_METADATA_KEY} characters."
            if key.strip()
            else "A metadata key is empty.",
            f"Keys are 1 to {MAX_METADATA_KEY} characters.",
        )
    return key


def _metadata_value(key: str, raw: object) -> str:
    if not isinstance(raw, str):
        raise _bad_metadata(
            f"The metadata value of {key!r} is not text.",
            'Write numbers, dates and yes/no as text, such as "3" or "true".',
        )
    value = clean_text(raw)
    if len(value) > MAX_METADATA_VALUE:
        raise _bad_metadata(
            f"The metadata value of {key!r} has {len(value):,} / {MAX_METADATA_VALUE} characters.",
            "Shorten it, or put it in the text.",
        )
    return value


def _bad_metadata(message: str, hint: str) -> InvalidInput:
    return InvalidInput(message, hint=hint, details={"field": "metadata"})


def _path(raw: str) -> str:
    cleaned = clean_text(raw)
    if any(unicodedata.category(character) in _BREAKING for character in cleaned):
        raise _bad_path("The path holds a line break or control character.")
    path = "/".join(segment for part in cleaned.split("/") if (segment := part.strip()))
    if not path:
        raise _bad_path("The path is empty.")
    if len(path) > MAX_PATH:
        raise _bad_path(f"The path has {len(path):,} / {MAX_PATH} characters.")
    return path


def _bad_path(message: str) -> InvalidInput:
    return InvalidInput(
        message, hint="Use a place such as projects/kitchen/decisions.", details={"field": "path"}
    )
