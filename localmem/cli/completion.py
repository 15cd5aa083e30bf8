"""Shell completion: click's own scripts, and the names the library knows.

Refuses to fail or to make anything: a library that is not there completes nothing.
"""

from __future__ import annotations

from collections.abc import Sequence

import click
from click import shell_completion

from localmem.cli.framework import COMPLETE, command
from localmem.cli.session import Session
from localmem.errors import LocalmemError

_SHELLS = ("bash", "zsh", "fish")


@command(
    "completion",
    examples=[
        'eval "$(localmem completion bash)"     # in ~/.bashrc',
        'eval "$(localmem completion zsh)"      # in ~/.zshrc',
        "localmem completion fish > ~/.config/fish/completions/localmem.fish",
    ],
)
@click.argument("shell", type=click.Choice(_SHELLS))
@click.pass_context
def completion(ctx: click.Context, shell: str) -> None:
    """Print the script that completes localmem's commands in your shell.

    It completes commands, options, preference keys, scopes and the names of collections.
    """
    kind = shell_completion.get_completion_class(shell)
    assert kind is not None, "the choices are the shells click knows"
    source = kind(ctx.find_root().command, {}, "localmem", COMPLETE).source()
    ctx.obj.answer({"shell": shell, "script": source}, source.rstrip("\n").split("\n"))


def known_scopes(ctx: click.Context) -> Sequence[str]:
    """The scopes something is kept in, project first."""
    with_library = _names(ctx)
    return tuple(dict.fromkeys(("project", *with_library[0], "contact:", "conversation:")))


def known_collections(ctx: click.Context) -> Sequence[str]:
    return _names(ctx)[1]


def _names(ctx: click.Context) -> tuple[Sequence[str], Sequence[str]]:
    session = ctx.find_root().obj
    if not isinstance(session, Session):
        return (), ()
    try:
        if not session.library_file().is_file():
            return (), ()
        with session.reading() as engine:
            shelf = engine.library.shelf()
    except LocalmemError:
        return (), ()
    scopes = [str(count.scope) for count in shelf.counts if str(count.scope) != "person"]
    return scopes, [each.name for each in shelf.collections]
