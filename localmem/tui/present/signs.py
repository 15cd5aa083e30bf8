"""The signs of the app in ASCII, for terminals without others or that draw them wider (FR-79)."""

from __future__ import annotations

from typing import Final

_SIGNS: Final = {
    "*": "◆✦★", "o": "●◉", "-": "◇○–—─━┄┅┈┉╌╍═·‐", "=": "▤", "#": "◈▇█▉▊▋▓▒", "+": "✓",
    "|": "▎▍▐│┃┆┇┊┋╎╏║‖", "x": "✗×", "!": "⚠▲", "%": "↻◐◑◒◓◔◕", "@": "◷", ".": "◌…•", "~": "≈⇅",
    "/": "⌕✎⏎", ">": "▌▸▶→»›❯⟩", "<": "◂◀←«‹❮⟨", "^": "↑△", "v": "↓▼▾", "_": "▁▂▃▄▅▆", "?": "¤␡",
    ":": "▏", '"': "“”„", "'": "‘’‚", " ": "░",
}  # fmt: skip
_CORNERS: Final = "┌┐└┘├┤┬┴┼╭╮╯╰┏┓┗┛┣┫┳┻╋╔╗╚╝"
_PICTURES: Final = {0x2400 + code: "?" for code in range(0x20)}
ASCII: Final = {
    **_PICTURES,
    **dict.fromkeys(map(ord, _CORNERS), "+"),
    **{ord(sign): plain for plain, signs in _SIGNS.items() for sign in signs},
}
"""For `str.translate`: every sign of ours, and punctuation that some draw two cells wide."""
