"""What the environment tells about a terminal."""

from __future__ import annotations

import pytest

from localmem.core.terminal import Colours, Symbols, understand


def everything(program: str) -> bool:
    return True


def nothing(program: str) -> bool:
    return False


def names(environment: dict[str, str], platform: str = "linux") -> list[str]:
    return [tool.name for tool in understand(environment, platform, everything).clipboard.tools]


@pytest.mark.parametrize(
    ("environment", "platform", "expected"),
    [
        ({"WAYLAND_DISPLAY": "wayland-0", "DISPLAY": ":0"}, "linux", ["wl-copy", "xclip", "xsel"]),
        ({"DISPLAY": ":0"}, "linux", ["xclip", "xsel"]),
        ({}, "linux", []),
        ({}, "darwin", ["pbcopy"]),
        ({}, "win32", ["clip.exe"]),
        ({"WSL_DISTRO_NAME": "Debian"}, "linux", ["clip.exe"]),
        ({"TERMUX_VERSION": "1"}, "linux", ["termux-clipboard-set"]),
        ({"DISPLAY": ":10", "SSH_CONNECTION": "a 1 b 2"}, "linux", []),
        ({"SSH_TTY": "/dev/pts/1"}, "darwin", []),
    ],
)
def test_local_programs_are_used_only_where_the_person_sits(
    environment: dict[str, str], platform: str, expected: list[str]
) -> None:
    """FR-82: over SSH a program of that machine would fill the wrong clipboard."""
    assert names(environment, platform) == expected


def test_a_program_that_is_not_installed_is_no_way() -> None:
    assert understand({"DISPLAY": ":0"}, "linux", nothing).clipboard.tools == ()
    assert understand({"TMUX": "x"}, "linux", nothing).clipboard.tmux == ()


def test_inside_screen_the_escape_code_is_wrapped_but_not_inside_tmux() -> None:
    assert understand({"STY": "1.x"}, "linux", everything).clipboard.in_screen
    assert not understand({"STY": "1.x", "TMUX": "y"}, "linux", everything).clipboard.in_screen


@pytest.mark.parametrize(
    ("environment", "expected"),
    [
        ({"TERM": "linux", "LANG": "en_US.UTF-8"}, Symbols.ASCII),
        ({"TERM": "dumb"}, Symbols.ASCII),
        ({"TERM": "xterm-256color", "LANG": "C"}, Symbols.ASCII),
        ({"TERM": "xterm-256color", "LANG": "de_DE.ISO-8859-1"}, Symbols.ASCII),
        ({"TERM": "xterm-256color", "LC_ALL": "C", "LANG": "en_US.UTF-8"}, Symbols.ASCII),
        ({"TERM": "xterm-256color", "LANG": "en_US.UTF-8"}, Symbols.STEADY),
        ({"TERM": "xterm-256color", "LANG": "pt_BR.utf8"}, Symbols.STEADY),
        ({"TERM": "xterm-256color"}, Symbols.STEADY),
        ({"TERM": "xterm-kitty", "LANG": "C.UTF-8"}, Symbols.UNICODE),
        ({"TERM": "xterm-kitty", "LANG": "C.UTF-8", "TMUX": "x"}, Symbols.STEADY),
        ({"TERM": "xterm", "TERM_PROGRAM": "WezTerm", "LANG": "C.UTF-8"}, Symbols.UNICODE),
    ],
)
def test_auto_trusts_a_terminal_only_as_far_as_it_is_known(
    environment: dict[str, str], expected: Symbols
) -> None:
    """FR-79."""
    terminal = understand(environment, "linux", nothing)
    assert terminal.symbols("auto") is expected
    assert terminal.symbols("ascii") is Symbols.ASCII
    assert terminal.symbols("unicode") is Symbols.UNICODE


@pytest.mark.parametrize(
    ("environment", "expected"),
    [
        ({"TERM": "xterm", "COLORTERM": "truecolor"}, Colours.TRUE),
        ({"TERM": "xterm-256color"}, Colours.MANY),
        ({"TERM": "linux"}, Colours.SIXTEEN),
        ({"TERM": "dumb", "COLORTERM": "truecolor"}, Colours.NONE),
        ({"TERM": "xterm-256color", "NO_COLOR": ""}, Colours.NONE),
    ],
)
def test_colours_are_told_as_the_environment_tells_them(
    environment: dict[str, str], expected: Colours
) -> None:
    assert understand(environment, "linux", nothing).colours is expected
