"""The styles of the app by what they say; theme colours plus an attribute that needs no colour."""

from __future__ import annotations

from typing import Final

PLAIN: Final = ""
DIM: Final = "$foreground-muted"
FAINT: Final = "italic $foreground-muted"
STRONG: Final = "bold"
NAME: Final = "bold $text-accent"
"""Icons, headings, the name of a key."""
MARK: Final = "bold underline $text-accent"
"""A word that was searched for."""
SCORE: Final = "$success"
WEAK: Final = "$warning"
GOOD: Final = "bold $text-success"
BAD: Final = "bold underline $text-error"
"""Where a mistake stands."""
ALERT: Final = "bold $text-warning"
ADDED: Final = "underline $text-success"
REMOVED: Final = "strike $text-error"
OPERATOR: Final = "bold $text-accent"
VALUE: Final = "$text-secondary"
PHRASE: Final = "italic $text-success"
WITHOUT: Final = "strike $text-warning"
JSON_NAME: Final = "$text-accent"
JSON_TEXT: Final = "$text-success"
JSON_VALUE: Final = "$text-warning"
