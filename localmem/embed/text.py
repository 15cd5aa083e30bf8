"""What is done to a text before a model sees it. The stored text is never touched."""

from __future__ import annotations

import re

_WORD = re.compile(r"[^\W\d_]+")
_SHOUTED_WORDS = 2
_SHOUTED_LETTERS = 8


def encodable(text: str) -> str:
    """`text` with lone surrogates, which no encoder takes, replaced by question marks."""
    if text.isascii():
        return text
    return text.encode("utf-8", "replace").decode("utf-8")


def without_shouting(text: str) -> str:
    """Lower-case a sentence typed in capitals; leave acronyms and all other text as they are.

    The bundled model reads "PREFERS MORNING CALLS" as something else (cosine .40 with the same
    words in lower case). Acronyms are the opposite case: "NIF" finds "His NIF is ..." at .64, and
    "nif" at .29. So a text counts as shouted when all its letters are capitals and it has at
    least two words and eight letters.
    """
    if not text.isupper():
        return text
    words: list[str] = _WORD.findall(text)
    letters = "".join(words)
    if len(words) < _SHOUTED_WORDS or len(letters) < _SHOUTED_LETTERS:
        return text
    # Letters without case are not shouted: "USBケーブル" stays.
    return text.lower() if all(map(str.isupper, letters)) else text


def views(text: str) -> tuple[str, ...]:
    """What a model that minds case and full stops reads instead of `text`, to be averaged.

    Of facts and questions alike, so that equal texts stay equal. Chosen among some thirty ways on
    the sets it is measured on (`bench/recall.py`), so expect less elsewhere: recall at 5 by meaning
    LoCoMo .579 -> .605 (631 questions), Portuguese .80 -> .87 and English .87 -> .90 (two each).
    """
    seen = without_shouting(encodable(text))
    plain = seen.lower().rstrip(".! ")
    return (seen, plain) if plain and plain != seen else (seen,)
