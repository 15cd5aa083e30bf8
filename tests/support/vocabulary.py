"""The terms of a stored text by a plain second way, to hold the word index against."""

from __future__ import annotations

from localmem.core import words


def vocabulary(text: str) -> frozenset[str]:
    """Every term of a stored text, stop words included: what `words.terms` of a question meets."""
    found: set[str] = set()
    for run in words._runs(words.fold(text)):
        found.update(words._run_terms(run))
        if words._IS_SINGLE.match(run):
            found.update(run)
    return frozenset(found)
