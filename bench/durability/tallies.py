"""What was counted, by kind, as a table; and how much of it must never be."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence

Tallies = Mapping[str, Counter[str]]


def table(tallies: Tallies, columns: Sequence[str]) -> str:
    """A line for each kind and one for all of them."""
    total = sum(tallies.values(), Counter[str]())
    lines = [f"{'kind':<11}" + " ".join(f"{column:>12}" for column in columns)]
    for kind, tally in (*tallies.items(), ("all", total)):
        lines.append(f"{kind:<11}" + " ".join(f"{tally[column]:>12,}" for column in columns))
    return "\n".join(lines)


def wrong(tallies: Tallies, faults: Sequence[str]) -> int:
    return sum(tally[fault] for tally in tallies.values() for fault in faults)
