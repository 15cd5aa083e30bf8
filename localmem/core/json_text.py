"""JSON that a person typed: the standard library's reader, made strict and given plain sentences.

A document is edited by hand, so a fault has a line, a column and what to do about it. Refused
beyond the grammar is what json.loads lets pass and other readers do not: repeated member names,
NaN, numbers beyond a double, half characters. Size and depth are for `documents.new` to judge.
"""

from __future__ import annotations

import json
import math
import re

from localmem.core.model import Json
from localmem.errors import DocumentTooDeep, InvalidInput


def parse(text: str) -> Json:
    """The value of strict JSON.

    Raises InvalidInput, where the grammar is broken with `details` line and column (1-based, in
    characters; a byte order mark does not count), and DocumentTooDeep where no reader could go.
    """
    try:
        value: Json = json.loads(
            text.removeprefix("\ufeff"),
            object_pairs_hook=_members,
            parse_constant=_constant,
            parse_int=_whole,
            parse_float=lambda digits: float(_held(digits)),
        )
        if "\\u" in text:  # a half that no escape names is one of the text itself
            json.dumps(value, ensure_ascii=False).encode()
        text.encode()
    except json.JSONDecodeError as fault:
        raise _explained(fault) from None
    except UnicodeEncodeError:
        raise _refused(
            "A text holds half of a character (a lone surrogate).",
            "Remove it, or write the whole character.",
        ) from None
    except RecursionError:
        raise DocumentTooDeep(
            "The JSON is nested too deep to be read.",
            hint="Flatten it, or split it in several documents.",
            details={"field": "value"},
        ) from None
    return value


def without_controls(text: str) -> str:
    """JSON that means the same, in which no character acts on a terminal or hides (FR-97).

    Inside JSON these stand only in strings, where an escape means the same.
    """
    return _ACTING.sub(lambda found: json.dumps(found[0])[1:-1], text)


_FEW_DIGITS = 300
"""With so many a number is within a double."""
_ACTING = re.compile(
    "[\x7f-\x9f\xad\u061c\u200b-\u200f\u2028-\u202e\u2060-\u206f\ud800-\udfff\ufeff\ufff9-\uffff"
    "\U000e0000-\U000e0fff]"
)


def _members(pairs: list[tuple[str, Json]]) -> dict[str, Json]:
    members = dict(pairs)
    if len(members) < len(pairs):
        seen: set[str] = set()
        twice = next(name for name, _ in pairs if name in seen or seen.add(name))  # type: ignore[func-returns-value]
        raise _refused(f"The member {twice[:80]!r} appears twice.", "Keep one of them.")
    return members


def _constant(word: str) -> Json:
    raise _refused(f"{word} is not JSON.", "Write null, or the word as text.")


def _whole(digits: str) -> int:
    return int(digits if len(digits) < _FEW_DIGITS else _held(digits))


def _held(digits: str) -> str:
    if math.isinf(float(digits)):
        raise _refused(
            f"{digits[:40]} is beyond what JSON readers hold (about 1.8e308).",
            "Write it as text in quotes.",
        )
    return digits


def _refused(message: str, hint: str, **place: int) -> InvalidInput:
    return InvalidInput(message, hint=hint, details={"field": "value", **place})


# --- Where the grammar is broken ---------------------------------------------------------------

_WORD = re.compile(r"[\w$.+-]+")
_NUMBERS = "Write numbers as 12, -0.5 or 1e6; anything else, such as a date, in quotes."
_FAULTS = (
    # what the reader says, what stands at its place, what the person is told; the first row wins
    ("Unterminated", "", "This text has no closing quote.", 'Close it with ".'),
    ("Invalid control", "[\r\n]", "This line ends inside a text.", "Close it, or write \\n."),
    ("Invalid control", "", "A text holds a control character.", "Write it as \\t or \\u0000."),
    ("Invalid", "", "This escape is not known.", "Write \\\\ for a backslash, é or \\u00e9 for é."),
    ("", r"\A\s*\Z", "There is no JSON here.", 'Write a value such as {{"a": 1}}.'),
    ("", r"\s*\Z", "A bracket is never closed.", "Close {{ with }}, [ with ]."),
    ("", r",\s*[}\]]", "A comma stands before a closing bracket.", "Remove the comma."),
    ("", "//|/[*]|#", "JSON has no comments.", "Remove it, or keep it as a member."),
    ("", "['`“”„‘’«»]", "{at} is no JSON quote.", 'Put text in straight quotes: "…".'),
    ("", r"[\s\0-\x1f\u200b-\u200f\ufeff]", "An invisible {at!a} stands here.", "Remove it."),
    ("Expecting property", r"[\w$]", "The name {word} has no quotes.", 'Write "{word}".'),
    ("Expecting property", "", "A member name is missing here.", 'Write "name": value.'),
    ("Expecting ':'", "", "A colon is missing after the member name.", 'Write "name": value.'),
    ("Expecting value", r"(?i:true|false)\b", "{word} is not JSON.", "Write true or false."),
    ("Expecting value", r"(?i:null|none|undefined)\b", "{word} is not JSON.", "Write null."),
    ("Expecting value", "[+.0-9-]", "{word} is not a JSON number.", _NUMBERS),
    ("Expecting value", r"[\w$]", "The text {word} has no quotes.", 'Write "{word}".'),
    ("Expecting value", "", "A value is missing here.", "Write a value, or null for none."),
    ("", r"[}\]]", "This bracket closes another one than is open.", "Close {{ with }}, [ with ]."),
    ("Extra", "", "The document ends before this.", "Keep one value per document."),
    ("Expecting ','", "", "A comma is missing before this.", "Separate parts with commas."),
    ("", "", "This is not JSON.", "Correct it here."),
)


def _explained(fault: json.JSONDecodeError) -> InvalidInput:
    at, said = _start(fault)
    found = _WORD.match(fault.doc, at)
    names = {"at": fault.doc[at : at + 1], "word": found[0][:80] if found else ""}
    line, column = fault.doc.count("\n", 0, at) + 1, at - fault.doc.rfind("\n", 0, at)
    sentence, hint = next(
        (sentence.format_map(names), hint.format_map(names))
        for words, seen, sentence, hint in _FAULTS
        if said.startswith(words) and re.compile(seen).match(fault.doc, at)
    )
    place = f"Line {line}, column {column}: "
    return _refused(place + sentence, hint, line=line, column=column)


def _start(fault: json.JSONDecodeError) -> tuple[int, str]:
    """Where the faulty part begins, and what is wrong with it in the reader's words.

    The reader stops in the middle of 2026-01-31 or 1_000, and after a comma too many.
    """
    text, at = fault.doc, fault.pos
    before = text[:at].rstrip()
    if not text.strip():
        return 0, fault.msg
    if before.endswith(",") and text[at : at + 1] in ("}", "]"):
        return len(before) - 1, fault.msg
    start = at
    if fault.msg.startswith(("Expecting", "Extra")) and _WORD.match(text, at):
        while start and _WORD.match(text, start - 1):
            start -= 1
    return start, "Expecting value" if start < at else fault.msg
