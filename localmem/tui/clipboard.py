"""Copying, and what may truthfully be said about it afterwards (FR-82).

Which way leads to the person's clipboard depends on where they sit: a program of this machine when
they sit at it, tmux's own buffer inside tmux, otherwise an escape code that the terminal may obey
or not. Refuses to claim what nobody confirmed, to start a shell, and to wait for a program that
does not come back; what is copied goes to its standard input and to no command line.
"""

from __future__ import annotations

import asyncio
import base64
from collections.abc import Callable
from dataclasses import dataclass
from typing import Final, assert_never

from localmem.core.terminal import Tool, Ways

SECONDS: Final = 2.0
"""What a program may take; one that waits for a display that is gone never ends."""
_PIECE: Final = 512
"""Bytes of one string that GNU screen passes on."""
ANOTHER_WAY: Final = "select it with the mouse"


@dataclass(frozen=True, slots=True)
class Copied:
    """A program said that it took the text."""

    by: str


@dataclass(frozen=True, slots=True)
class Buffered:
    """tmux holds it; `sent_on` tells whether it was asked to send it on as well."""

    sent_on: bool


@dataclass(frozen=True, slots=True)
class Sent:
    """The terminal was asked, and does not answer."""


Outcome = Copied | Buffered | Sent


def escape_code(text: str, *, in_screen: bool) -> str:
    """OSC 52, which asks the terminal to take the text."""
    code = f"\x1b]52;c;{base64.b64encode(_bytes(text)).decode()}\x07"
    if not in_screen:
        return code
    pieces = (code[at : at + _PIECE] for at in range(0, len(code), _PIECE))
    return "".join(f"\x1bP{piece}\x1b\\" for piece in pieces)


async def copy(text: str, by: Ways, send: Callable[[str], None]) -> Outcome:
    """Try one way after the other; `send` writes to the terminal."""
    # tmux may show this session on another machine than the one it was started on: do both.
    buffered = [tool for tool in by.tmux[:1] if await takes(tool, text)]
    for tool in by.tools:
        if await takes(tool, text):
            return Copied(tool.name)
    if buffered:
        return Buffered(sent_on=True)
    for tool in by.tmux[1:]:
        if await takes(tool, text):
            return Buffered(sent_on=False)
    send(escape_code(text, in_screen=by.in_screen))
    return Sent()


async def takes(tool: Tool, text: str) -> bool:
    """Whether the program took the text and said so in time."""
    try:
        # Some go on in the background to serve the clipboard: a pipe to them would never end.
        process = await asyncio.create_subprocess_exec(
            *tool.command,
            stdin=asyncio.subprocess.PIPE,
            stdout=asyncio.subprocess.DEVNULL,
            stderr=asyncio.subprocess.DEVNULL,
        )
    except OSError:
        return False
    try:
        async with asyncio.timeout(SECONDS):
            return await _feed(process, _bytes(text, tool.encoding))
    except TimeoutError:
        return False
    finally:
        if process.returncode is None:
            process.kill()
            await process.wait()


async def _feed(process: asyncio.subprocess.Process, data: bytes) -> bool:
    assert process.stdin is not None
    try:
        process.stdin.write(data)
        await process.stdin.drain()
        process.stdin.close()
        await process.stdin.wait_closed()
    except (BrokenPipeError, ConnectionResetError):
        await process.wait()
        return False
    return await process.wait() == 0


def _bytes(text: str, encoding: str = "utf-8") -> bytes:
    return text.encode(encoding, "replace")


def told(outcome: Outcome, *, way_on: str = ANOTHER_WAY) -> str:
    """What happened, and no more than that."""
    match outcome:
        case Copied(by):
            return f"Copied, with {by}."
        case Buffered(sent_on=True):
            return (
                "Copied into tmux's buffer (its paste key brings it), and sent on to the terminal."
            )
        case Buffered():
            return "Copied into tmux's buffer: its paste key brings it."
        case Sent():
            return (
                "Sent to the terminal's clipboard. If it does not arrive there, the terminal "
                f"refuses it: {way_on}."
            )
        case _:
            assert_never(outcome)
