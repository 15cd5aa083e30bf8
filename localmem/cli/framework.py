"""How a command is declared: its examples, `--json`, and one that is imported only when it runs.

Refuses a command without an example: the class demands them, so that help always shows one.
"""

from __future__ import annotations

import difflib
import importlib
import re
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import click

from localmem.cli.exit_codes import ExitCode
from localmem.cli.session import Session

Examples = Sequence[str]
_NAME = re.compile(r"[a-z][a-z-]{0,19}")

COMPLETE = "_LOCALMEM_COMPLETE"
"""Environment variable that the shell's script sets while it asks for completions."""


class _Helpful(click.Command):
    """Its help is data like any other: through the console, which minds pipes and full disks."""

    def get_help_option(self, ctx: click.Context) -> click.Option | None:
        option = super().get_help_option(ctx)
        if option is not None:
            option.callback = _show_help
        return option


class Command(_Helpful):
    """A command with `--json` and examples."""

    def __init__(self, *args: Any, examples: Examples, **attributes: Any) -> None:
        super().__init__(*args, **attributes)
        self.examples = examples
        self.params.append(json_option())

    def format_epilog(self, ctx: click.Context, formatter: click.HelpFormatter) -> None:
        _write_lines(formatter, "Examples", self.examples)
        super().format_epilog(ctx, formatter)


class Group(_Helpful, click.Group):
    """Commands under one name; unknown ones are answered with the nearest.

    One that does something by itself shows how, with examples.
    """

    def __init__(self, *args: Any, examples: Examples = (), **attributes: Any) -> None:
        super().__init__(*args, **attributes)
        self.examples = examples

    def format_epilog(self, ctx: click.Context, formatter: click.HelpFormatter) -> None:
        if self.examples:
            _write_lines(formatter, "Examples", self.examples)
        super().format_epilog(ctx, formatter)

    def resolve_command(
        self, ctx: click.Context, args: list[str]
    ) -> tuple[str | None, click.Command | None, list[str]]:
        name = args[0]
        command = self.get_command(ctx, name)
        if command is not None or ctx.resilient_parsing:
            return name if command else None, command, args[1:]
        if name.startswith("-"):
            self.parse_args(ctx, args)
        raise click.UsageError(_unknown(ctx, name, self.list_commands(ctx)), ctx)

    def parse_args(self, ctx: click.Context, args: list[str]) -> list[str]:
        """A group alone shows what there is, and is not enough."""
        if not args and not ctx.resilient_parsing and not self.invoke_without_command:
            ctx.obj.console.line(self.get_help(ctx))
            ctx.exit(ExitCode.USAGE)
        return super().parse_args(ctx, args)

    def format_commands(self, ctx: click.Context, formatter: click.HelpFormatter) -> None:
        """Whole sentences, where click would cut them."""
        with formatter.section("Commands"):
            formatter.write_dl(
                [
                    (name, command.get_short_help_str(limit=200))
                    for name in self.list_commands(ctx)
                    if (command := self.get_command(ctx, name)) is not None
                ]
            )

    def list_commands(self, ctx: click.Context) -> list[str]:
        """In the order they were declared, which is the order one needs them in."""
        return list(self.commands)

    def command_of(
        self, name: str, *, examples: Examples, **attributes: Any
    ) -> Callable[[Callable[..., Any]], click.Command]:
        """Declare a command of this group."""
        return self.command(name, cls=Command, examples=examples, **attributes)


@dataclass(frozen=True, slots=True)
class Entry:
    """A command that is imported when it is asked for."""

    module: str
    """In localmem.cli; the command is its attribute `attribute`."""
    attribute: str
    summary: str
    """The first sentence of its help, so that listing commands imports none."""
    section: str


class LazyGroup(Group):
    """The commands of a table of entries."""

    def __init__(self, *args: Any, entries: Mapping[str, Entry], **attributes: Any) -> None:
        super().__init__(*args, **attributes)
        self.entries = entries

    def list_commands(self, ctx: click.Context) -> list[str]:
        return list(self.entries)

    def get_command(self, ctx: click.Context, cmd_name: str) -> click.Command | None:
        entry = self.entries.get(_ALIASES.get(cmd_name, cmd_name))
        if entry is None:
            return None
        module = importlib.import_module(f"localmem.cli.{entry.module}")
        command: click.Command = getattr(module, entry.attribute)
        return command

    def format_commands(self, ctx: click.Context, formatter: click.HelpFormatter) -> None:
        sections: dict[str, list[tuple[str, str]]] = {}
        for name, entry in self.entries.items():
            sections.setdefault(entry.section, []).append((name, entry.summary))
        for section, rows in sections.items():
            with formatter.section(section):
                formatter.write_dl(rows)

    def shell_complete(
        self, ctx: click.Context, incomplete: str
    ) -> list[click.shell_completion.CompletionItem]:
        return [
            click.shell_completion.CompletionItem(name, help=entry.summary)
            for name, entry in self.entries.items()
            if name.startswith(incomplete)
        ]


_ALIASES: Mapping[str, str] = {"forget": "delete"}
"""Other names for a command, not listed."""


def command(
    name: str, *, examples: Examples, **attributes: Any
) -> Callable[[Callable[..., Any]], click.Command]:
    """Declare a command that stands alone."""
    return click.command(name, cls=Command, examples=examples, **attributes)


def _show_help(ctx: click.Context, _: click.Parameter, wanted: bool) -> None:
    if wanted and not ctx.resilient_parsing:
        ctx.obj.console.line(ctx.get_help())
        ctx.exit()


def json_option() -> click.Option:
    """`--json`, which makes the whole session answer so."""

    def choose(ctx: click.Context, _: click.Parameter, value: bool) -> None:
        if value and isinstance(ctx.obj, Session):
            ctx.obj.as_json = True

    return click.Option(
        ["--json"],
        is_flag=True,
        expose_value=False,
        callback=choose,
        help="Answer in JSON; errors too.",
    )


def _write_lines(formatter: click.HelpFormatter, title: str, lines: Sequence[str]) -> None:
    """A section whose lines are never wrapped, so that they can be copied."""
    with formatter.section(title):
        for line in lines:
            formatter.write(f"{'':>{formatter.current_indent}}{line}\n")


def _unknown(ctx: click.Context, name: str, names: Sequence[str]) -> str:
    near = difflib.get_close_matches(name, names, n=1)
    meant = (
        f"Did you mean `{ctx.command_path} {near[0]}`?"
        if near
        else f"There are {', '.join(names)}."
    )
    # Whoever forgot `add` typed what they want kept, which is not repeated.
    named = f"command {name!r}" if _NAME.fullmatch(name) else "such command"
    return f"There is no {named}. {meant}"
