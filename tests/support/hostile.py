"""Values a terminal, a markup parser or a layout could choke on; each is honest text to us."""

from __future__ import annotations

HOSTILE = (
    "[/]",
    "close [/red] only",
    "I wear [size=42] shoes",
    ":smile: stays a word",
    "[@click=app.quit]hi[/]",
    "[link=https://x.test]y[/link]",
    "[bold",
    "\\[not markup]",
    "osc52 \x1b]52;c;aGVsbG8=\x07 end",
    "osc0 \x1b]0;title\x07 end",
    "csi \x1b[31mred\x1b[0m \x1b[2J end",
    "c1 \x9b31m \x9d0;t\x9c end",
    "bell \x07 backspace ab\x08c return x\ry tab\tend",
    "override \u202egnp.exe\u202c end",
    "zero\u200bwidth\ufeff joiner\u2060 end",
    "family 👨‍👩‍👧‍👦 eye 👁️ flag 🇧🇷 circled ①",
    "日本語の長い文章がここに続きます。" * 6,
    "combining e" + "\u0301" * 20 + " end",
    "word" * 2_000,
    "\u3164\u2800 looks empty",
    "lines\nof\r\ntext\n\n\nend",
    "$text-muted $primary {braces} %s %(x)s",
    "\ue000 private \U00100000 use",
    "العربية עברית mixed 123",
)
"""Control, override and invisible characters, markup of two kinds, widths, lengths."""
