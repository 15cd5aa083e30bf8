"""What a terminal can show and where its clipboard is, as far as the environment tells.

Terminals disagree on how wide some characters are (FR-79) and on who serves the clipboard (FR-82).
Both are decided here, for the app and for `localmem terminal`. Refuses to guess in favour of the
pretty: where nobody can know, what is shown is what all of them draw alike.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from enum import StrEnum
from functools import partial
from typing import Final, NamedTuple

Environment = Mapping[str, str]


class Symbols(StrEnum):
    """How far the terminal is trusted with characters."""

    UNICODE = "unicode"
    """Everything as it is."""
    STEADY = "steady"
    """Our own signs as they are; sequences that terminals draw in different widths become one sign
    of the same width."""
    ASCII = "ascii"
    """Our own signs in ASCII as well."""


class Colours(StrEnum):
    NONE = "none"
    SIXTEEN = "16"
    MANY = "256"
    TRUE = "true"


class Tool(NamedTuple):
    """A program that takes the text from its standard input."""

    command: tuple[str, ...]
    encoding: str = "utf-8"

    @property
    def name(self) -> str:
        return self.command[0]


class Ways(NamedTuple):
    """How to copy, best first; an escape code to the terminal is always left."""

    tools: tuple[Tool, ...] = ()
    tmux: tuple[Tool, ...] = ()
    in_screen: bool = False
    """Whether the escape code must be wrapped to pass through GNU screen."""


class Terminal(NamedTuple):
    """One terminal; the defaults are a modern one that nothing is known of."""

    name: str = "xterm-256color"
    """TERM."""
    program: str = ""
    """Which program says it is, "" when none does."""
    inside: tuple[str, ...] = ()
    """What stands between us and it: tmux, screen."""
    remote: bool = False
    """Whether the person sits at another machine."""
    utf8: bool = True
    no_color: bool = False
    colours: Colours = Colours.TRUE
    trusted: bool = False
    """Whether it is known to draw sequences of emoji as one character of two cells."""
    find_ways: Callable[[], Ways] = Ways

    @property
    def clipboard(self) -> Ways:
        """Looked for when it is asked for: every program on the path is a look at the disk."""
        return self.find_ways()

    def symbols(self, setting: str) -> Symbols:
        """What `setting` ("auto", "unicode" or "ascii") means here."""
        if setting in (Symbols.UNICODE, Symbols.ASCII):
            return Symbols(setting)
        if self.name in _PLAIN or not self.utf8:
            return Symbols.ASCII
        return Symbols.UNICODE if self.trusted else Symbols.STEADY


_PLAIN: Final = ("linux", "dumb", "vt100", "vt220", "ansi", "cons25")
_TRUSTED_PROGRAMS: Final = ("ghostty", "WezTerm", "iTerm.app")
_TRUSTED_NAMES: Final = ("xterm-kitty", "xterm-ghostty", "wezterm", "foot", "contour")
_TRUE: Final = ("truecolor", "24bit")
_INSIDE: Final = (("tmux", "TMUX"), ("screen", "STY"))
_WAYLAND: Final = Tool(("wl-copy", "--type", "text/plain"))
_X11: Final = (
    Tool(("xclip", "-selection", "clipboard", "-in")),
    Tool(("xsel", "--clipboard", "--input")),
)
_WINDOWS: Final = Tool(("clip.exe",), "utf-16-le")
_TMUX: Final = (Tool(("tmux", "load-buffer", "-w", "-")), Tool(("tmux", "load-buffer", "-")))
"""`-w` sends on to the terminal; tmux before 3.2 does not know it."""


def understand(environment: Environment, platform: str, has: Callable[[str], bool]) -> Terminal:
    """The terminal of this process; `has` tells whether a program is installed."""
    name = environment.get("TERM", "" if platform != "win32" else "windows")
    program = environment.get("TERM_PROGRAM", "")
    inside = tuple(each for each, variable in _INSIDE if environment.get(variable))
    return Terminal(
        name=name,
        program=program,
        inside=inside,
        remote=is_remote(environment),
        utf8=_is_utf8(environment, platform),
        no_color="NO_COLOR" in environment,
        colours=_colours(environment, name, platform),
        trusted=not inside and (program in _TRUSTED_PROGRAMS or name in _TRUSTED_NAMES),
        find_ways=partial(ways, environment, platform, has),
    )


def is_remote(environment: Environment) -> bool:
    return any(environment.get(name) for name in ("SSH_CONNECTION", "SSH_TTY", "SSH_CLIENT"))


def _is_utf8(environment: Environment, platform: str) -> bool:
    """As the C library decides: the first of the three that says something."""
    if platform in ("win32", "darwin"):
        return True
    said = (environment.get(name, "") for name in ("LC_ALL", "LC_CTYPE", "LANG"))
    locale = next((each for each in said if each), "")
    # No locale at all is a container or a bare login, whose terminal is as good as any.
    return not locale or "utf8" in locale.casefold().replace("-", "")


def _colours(environment: Environment, name: str, platform: str) -> Colours:
    if "NO_COLOR" in environment or name == "dumb":
        return Colours.NONE
    if environment.get("COLORTERM", "").casefold() in _TRUE or platform == "win32":
        return Colours.TRUE
    return Colours.MANY if "256" in name or "kitty" in name else Colours.SIXTEEN


def ways(environment: Environment, platform: str, has: Callable[[str], bool]) -> Ways:
    """The ways to the clipboard from here."""
    local = () if is_remote(environment) else _local(environment, platform)
    in_tmux = bool(environment.get("TMUX")) and has("tmux")
    return Ways(
        tuple(tool for tool in local if has(tool.name)),
        _TMUX if in_tmux else (),
        in_screen=bool(environment.get("STY")) and not in_tmux,
    )


def _local(environment: Environment, platform: str) -> tuple[Tool, ...]:
    if platform == "darwin":
        return (Tool(("pbcopy",)),)
    if platform == "win32" or environment.get("WSL_DISTRO_NAME"):
        return (_WINDOWS,)
    if environment.get("TERMUX_VERSION"):
        return (Tool(("termux-clipboard-set",)),)
    wayland = (_WAYLAND,) if environment.get("WAYLAND_DISPLAY") else ()
    return (*wayland, *(_X11 if environment.get("DISPLAY") else ()))
