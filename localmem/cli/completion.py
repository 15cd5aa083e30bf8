"""Shell completion: what may stand at the cursor, with the names the library knows.

Refuses to fail, to ask, to wait for a keyring or to make anything: a library that is not there, is
locked or is damaged completes nothing, and nothing is said into the line somebody types. What is
stored is offered only where it is a plain word, and its text only as help, made safe.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Sequence
from typing import TYPE_CHECKING

import click
from click.shell_completion import CompletionItem, ShellComplete, split_arg_string

from localmem.cli import columns
from localmem.cli.framework import COMPLETE, command
from localmem.cli.session import Session
from localmem.cli.shell_scripts import SCRIPTS
from localmem.core.records import Slice
from localmem.core.screening import screen
from localmem.core.visible import visible
from localmem.errors import LocalmemError

if TYPE_CHECKING:
    from localmem.engine import Engine

LINE = "COMP_LINE"
"""Environment variable with the line up to the cursor."""
MOST_IDS = 100
HELP_CELLS = 48
_WORD = re.compile(r"[\w.:@+%/=,-]{1,255}", re.ASCII)
"""What a shell takes as it is, without quotes."""


@command(
    "completion",
    examples=[
        'eval "$(localmem completion bash)"     # in ~/.bashrc',
        'eval "$(localmem completion zsh)"      # in ~/.zshrc, behind compinit',
        "localmem completion fish > ~/.config/fish/completions/localmem.fish",
    ],
)
@click.argument("shell", type=click.Choice(tuple(SCRIPTS)))
@click.pass_context
def completion(ctx: click.Context, shell: str) -> None:
    """Print the script that completes localmem's commands in your shell.

    It completes commands, options, preference keys, scopes, collections, settings, files, and ids
    with what they name beside them.
    """
    source = SCRIPTS[shell]
    ctx.obj.answer({"shell": shell, "script": source}, source.rstrip("\n").split("\n"))


class _Answer(ShellComplete):
    """One request of a script; the same for every shell."""

    def get_completion_args(self) -> tuple[list[str], str]:
        line = self.ctx_args["obj"].console.environment.get(LINE, "")
        words = split_arg_string(line)
        incomplete = words.pop() if words and not line[-1:].isspace() else ""
        return words[1:], incomplete

    def format_completion(self, item: CompletionItem) -> str:
        help = columns.cut(visible(item.help or ""), HELP_CELLS)
        return f"{item.type}\t{item.value}\t{help}"


def answer(cli: click.Command, session: Session, asked: str) -> int:
    """Say what may stand at the cursor, for a request such as `bash_complete`; 0 when answered.

    Nothing else, whatever happens: a message would land in the middle of what is being typed.
    """
    session.completing = True
    shell, _, verb = asked.partition("_")
    if shell not in SCRIPTS or verb != "complete":
        return 1
    try:
        found = _Answer(cli, {"obj": session}, "localmem", COMPLETE).complete()
    except Exception:  # noqa: BLE001  an error would be printed into the person's prompt
        return 1
    for line in found.split("\n") if found else ():
        session.console.line(line)
    return 0


def items(incomplete: str, values: Iterable[tuple[str, str]]) -> list[CompletionItem]:
    """Those (value, help) that go on from what is typed and that a shell takes as they are."""
    return [
        CompletionItem(value, help=help)
        for value, help in dict(values).items()
        if value.startswith(incomplete) and _WORD.fullmatch(value)
    ]


def scopes(ctx: click.Context) -> Sequence[tuple[str, str]]:
    """The scopes something is kept in, project first, and how the others begin."""

    def read(engine: Engine) -> list[tuple[str, str]]:
        counted: dict[str, int] = {}
        for count in engine.library.shelf().counts:
            counted[str(count.scope)] = counted.get(str(count.scope), 0) + count.items
        counted.pop("person", None)
        return [(scope, f"{held:,} kept") for scope, held in counted.items()]

    known = _read(ctx, read)
    first = [each for each in known if each[0] == "project"] or [("project", "the default")]
    begun = [("contact:", "contact:<id>"), ("conversation:", "conversation:<id>")]
    return [*first, *(each for each in known if each[0] != "project"), *begun]


def collections(ctx: click.Context) -> Sequence[tuple[str, str]]:
    def read(engine: Engine) -> list[tuple[str, str]]:
        shelf = engine.library.shelf()
        held = dict[str, int]()
        for count in shelf.counts:
            held[count.collection] = held.get(count.collection, 0) + count.items
        return [(each.name, f"{held.get(each.name, 0):,} documents") for each in shelf.collections]

    return _read(ctx, read)


def ids(ctx: click.Context) -> Sequence[tuple[str, str]]:
    """The newest ids, short, with what they name; a secret is masked in it."""

    def read(engine: Engine) -> list[tuple[str, str]]:
        from localmem.cli import present

        found, _ = engine.library.page(Slice(), limit=MOST_IDS, cursor=None)
        short = engine.library.short_ids([item.id for item in found])
        return [(short[item.id], screen(present.text(item)[:500]).text) for item in found]

    return _read(ctx, read)


def conflicts(ctx: click.Context) -> Sequence[tuple[str, str]]:
    """The open conflicts with what they are about; a secret is masked in it."""
    session = ctx.find_root().obj

    def read(engine: Engine) -> list[tuple[str, str]]:
        found = session.syncing(engine).conflicts()
        return [(each.id, screen(each.title[:500]).text) for each in found]

    return _read(ctx, read)


def keys(ctx: click.Context) -> Sequence[tuple[str, str]]:
    """The documents of the collection named before."""
    name = ctx.params.get("name")

    def read(engine: Engine) -> list[tuple[str, str]]:
        from localmem.core.model import Kind

        slice = Slice(Kind.DOCUMENT, collection=str(name))
        found, _ = engine.library.page(slice, limit=MOST_IDS, cursor=None)
        return [(item.key, str(item.scope)) for item in found]

    return _read(ctx, read) if name else ()


def settings(ctx: click.Context) -> Sequence[tuple[str, str]]:
    """Every setting with what it means."""
    session = ctx.find_root().obj
    if not isinstance(session, Session):
        return ()
    return [(each.key, each.meaning) for each in session.home().book.entries()]


def _read(
    ctx: click.Context, work: Callable[[Engine], list[tuple[str, str]]]
) -> Sequence[tuple[str, str]]:
    """What `work` reads of the library as it is; nothing when it cannot be read at once."""
    session = ctx.find_root().obj
    if not isinstance(session, Session):
        return ()
    try:
        with session.glancing() as engine:
            return work(engine)
    except LocalmemError:
        return ()
