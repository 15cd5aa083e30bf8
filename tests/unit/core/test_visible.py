"""What reaches a terminal: hostile text made visible, honest text untouched (FR-73, 132, 145)."""

from __future__ import annotations

import re
import unicodedata
from collections import Counter

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from localmem.core.visible import hidden, visible

# Format characters that are drawn: number signs of Arabic, Syriac and Kaithi.
DRAWN_FORMATS = set("\u0600\u0601\u0602\u0603\u0604\u0605\u06dd\u070f\u0890\u0891\u08e2") | {
    "\U000110bd",
    "\U000110cd",
}
JOINERS = set("\u200c\u200d")
BIDI = set("\u061c\u200e\u200f\u202a\u202b\u202c\u202d\u202e\u2066\u2067\u2068\u2069")
FLAG = "\U0001f3f4\U000e0067\U000e0062\U000e0065\U000e006e\U000e0067\U000e007f"


@pytest.mark.parametrize(
    ("hostile", "shown"),
    [
        ("\x1b]52;c;cm0gLXJm\x07", "␛]52;c;cm0gLXJm␇"),
        ("\x1b]0;title\x1b\\", "␛]0;title␛\\"),
        ("\x1b]8;;https://x.test\x1b\\click", "␛]8;;https://x.test␛\\click"),
        ("\x1b[2Jgone", "␛[2Jgone"),
        ("\x9b2J", "⟨U+009B⟩2J"),
        ("back\x08space", "back␈space"),
        ("over\rwrite", "over␍write"),
        ("nul\x00 del\x7f", "nul␀ del␡"),
        ("next\x85line", "next⟨U+0085⟩line"),
        ("line\u2028para\u2029", "line⟨U+2028⟩para⟨U+2029⟩"),
        ("lone\ud800", "lone⟨U+D800⟩"),
        ("Access GRANTED\u202eDENIED م", "Access GRANTED⟨U+202E⟩DENIED م"),
        ("\u2067isolated\u2069", "⟨U+2067⟩isolated⟨U+2069⟩"),
        ("mark\u200f \u061c", "mark⟨U+200F⟩ ⟨U+061C⟩"),
        ("pay\u200bpal", "pay⟨U+200B⟩pal"),
        ("\ufeffbom", "⟨U+FEFF⟩bom"),
        ("soft\xadhyphen", "soft⟨U+00AD⟩hyphen"),
        ("filler\u3164", "filler⟨U+3164⟩"),
        ("tag\U000e0041\U000e0042", "tag⟨U+E0041⟩⟨U+E0042⟩"),
        ("a\u200db", "a⟨U+200D⟩b"),
        ("a\u200d😀", "a⟨U+200D⟩😀"),
        ("e\ufe0f", "e⟨U+FE0F⟩"),
        ("x\U000e0100", "x⟨U+E0100⟩"),
        ("😀\ufe0f\ufe0f", "😀\ufe0f⟨U+FE0F⟩"),
        ("🏴\U000e0061", "🏴⟨U+E0061⟩"),
    ],
)
def test_a_dangerous_or_hidden_character_becomes_a_sign_for_itself(
    hostile: str, shown: str
) -> None:
    assert visible(hostile) == shown


@pytest.mark.parametrize(
    "honest",
    [
        "",
        "Prefers WhatsApp over email — é ótimo.",
        "[/] close [/red] only, I wear [size=42] :smile: [@click=app.quit]hi[/]",
        "שלום עולם",
        "مرحبا بالعالم، ١٢٣",
        "می‌خواهم",  # Persian, non-joiner
        "ه\u200d",  # "hijri", joiner at the end
        "क्‍ष",  # Hindi, joiner after a virama
        "ന്‍",  # Malayalam, joiner at the end
        "葛󠄀城",  # a Han variant as in a name
        "ᠠ᠋ᠨ",  # a Mongolian variant
        "∩︀",  # a variant of a mathematical sign
        "👩‍❤️‍👨 👨‍👩‍👧 👍🏽 🏳️‍🌈 ❤️ ☎︎ 1️⃣ 🇧🇷",
        FLAG,
        "日本語 ภาษาไทย 한국어",
        "no break",
    ],
)
def test_honest_writing_is_shown_as_it_is(honest: str) -> None:
    assert visible(honest) == honest
    assert hidden(honest) == ()


def test_newlines_and_tabs_stay_in_place_or_are_pictured_on_one_line() -> None:
    assert visible("one\r\ntwo\nthree\tfour") == "one⏎two⏎three four"
    assert visible("one\r\ntwo\nthree\tfour", keep_newlines=True) == "one\ntwo\nthree    four"


def test_what_was_hidden_is_named_once_for_the_reader() -> None:
    text = "a\x1b[0m\u202eb\u200b\u200b\ud800\r\n\tc\x9b"
    assert hidden(text) == (
        "control code",
        "direction override",
        "invisible character",
        "broken character",
    )


def test_no_control_or_format_character_of_unicode_is_forgotten() -> None:
    for code in range(0x110000):
        character = chr(code)
        if unicodedata.category(character) in ("Cc", "Cf", "Cs", "Zl", "Zp"):
            shown = visible(f"a{character}b")
            assert character not in shown or character in DRAWN_FORMATS, hex(code)


def _classes(text: str) -> set[str]:
    """The kinds of character a text holds, for counting what the property test reached."""
    found = {unicodedata.category(c) for c in text} & {"Cc", "Cs", "Zl", "Zp"}
    if BIDI & set(text):
        found.add("bidi")
    if JOINERS & set(visible(text)):
        found.add("kept joiner")
    if "\ufe0f" in visible(text):
        found.add("kept selector")
    if FLAG in text:
        found.add("flag")
    if re.search("[\u200b\ufeff\U000e0000-\U000e007f]", text):
        found.add("invisible")
    return found


def test_nothing_that_drives_a_terminal_survives_and_showing_twice_changes_nothing() -> None:
    reached: Counter[str] = Counter()
    pieces = st.one_of(
        st.text(st.characters(), max_size=6),
        st.sampled_from(
            ["\x1b[2J", "\u202e", "\u2066", "\u200b", "\ud800", "\u2028", "\u2029", "\r\n", "\t",
             "\x9b", "👩", "\u200d", "\u200c", "\ufe0f", "❤", "م", "न", "्", "葛", "\U000e0100",
             "❤\ufe0f", "न्\u200d", "👩\u200d👩", "م\u200cم",
             FLAG, "\U000e0061", "1", "\u20e3", "⏎", "\ufeff"]
        ),
    )  # fmt: skip

    @settings(max_examples=400, deadline=None, derandomize=True, database=None)
    @given(st.lists(pieces, max_size=8).map("".join), st.booleans())
    def check(text: str, keep_newlines: bool) -> None:
        shown = visible(text, keep_newlines=keep_newlines)
        left = shown.replace("\n", "") if keep_newlines else shown
        assert not {unicodedata.category(c) for c in left} & {"Cc", "Cs", "Zl", "Zp"}
        assert not BIDI & set(left)
        shown.encode()  # raises on a surrogate that was let through
        assert visible(shown, keep_newlines=keep_newlines) == shown
        reached.update(_classes(text))

    check()
    for kind in (
        "Cc", "Cs", "Zl", "Zp", "bidi", "invisible", "kept joiner", "kept selector", "flag"
    ):  # fmt: skip
        assert reached[kind] >= 3, (kind, reached)
