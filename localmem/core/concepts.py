"""The everyday concepts a text touches, so that a question and its answer meet without a word.

"How do they like to be contacted?" and "Prefers WhatsApp over email." share no word, and a small
sentence model sees little in common (cosine .13); both touch `contact`. The concepts of a text go
into the word index beside its words, each as a token of its own, and are looked up like words.

Only helps finding. Refuses to say that two texts mean the same: "WhatsApp over email" and "email
over WhatsApp" touch the same concepts, so do "eats meat" and "eats no meat", and nothing may be
merged, replaced or rejected because of what is said here. Knows nothing of a text's language:
every word counts in every text, which is why `core.thesaurus` leaves out what another language
reads differently. Keeps nothing of the texts it sees.
"""

from __future__ import annotations

import hashlib
import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from functools import cache

from localmem.core import thesaurus
from localmem.core.words import fold, index_text

STEM = 4
"""Letters a stem has at least; shorter ones (`son*`, `cat*`) begin too many other words."""
_MARK = "\uf8f0"
"""Private use, so FTS5 keeps it in a token, and folding drops it from whatever a person wrote."""
_NUMBER = re.compile(r"(?<!\S)[0-9]+")
_ANY_NUMBER = "#"

type_of_names = tuple[str, ...]


@dataclass(frozen=True, slots=True)
class _Phrase:
    words: tuple[str, ...]
    concepts: frozenset[str]
    idiom: bool
    """Whether the words in it do not count by themselves."""
