"""The options and values that several commands share, read by the same core rules everywhere."""

from __future__ import annotations

import math
from collections.abc import Callable, Iterable
from pathlib import Path
from typing import Any, TypeVar

import click

from localmem.core import scope as scopes
from localmem.core import ttl
from localmem.errors import InvalidInput

F = TypeVar("F", bound=Callable[..., Any])

MOST_ROWS = 1_000


class _Completed(click.ParamType):  # type: ignore[type-arg]  # generic from click 8.4 on
    """A value the shell completes from the library or the settings, with their texts."""

    offered = ""
    """The function of `cli.completion` that knows them."""

    def shell_complete(
        self, ctx: click.Context, param: click.Parameter, incomplete: str
    ) -> list[click.shell_completion.CompletionItem]:
        from localmem.cli import completion  # only a shell that completes needs it

        return completion.items(incomplete, getattr(completion, self.offered)(ctx))


class ScopeType(_Completed):
    """`project`, `contact:<id>` or `conversation:<id>`. Raises InvalidScope."""

    name = "scope"
    offered = "scopes"

    def convert(self, value: Any, param: object, ctx: object) -> scopes.Scope:
        return value if isinstance(value, scopes.Scope) else scopes.parse(str(value))


class TtlType(click.ParamType):  # type: ignore[type-arg]  # generic from click 8.4 on
    """`30d`, `90m`, `never` … as seconds, 0 for never. Raises InvalidInput."""

    name = "ttl"

    def convert(self, value: Any, param: object, ctx: object) -> int:
        return value if isinstance(value, int) else ttl.parse(str(value)) or 0


class CollectionName(_Completed):
    """Completes the names of collections; checked where they are used."""

    name = "name"
    offered = "collections"


class ItemIdType(_Completed):
    """An id or its beginning; completes the newest, and the engine finds the one it names."""

    name = "id"
    offered = "ids"


class DocumentKey(_Completed):
    """Completes the keys of the collection named before; checked where it is used."""

    name = "key"
    offered = "keys"


class SettingName(_Completed):
    """Completes the settings; the book of settings knows them, and names the nearest."""

    name = "key"
    offered = "settings"


class ConflictId(_Completed):
    """Completes the open conflicts; checked where they are used."""

    name = "id"
    offered = "conflicts"


class Share(click.FloatRange):
    """A number from 0 to 1; `nan` is none."""

    def __init__(self) -> None:
        super().__init__(0, 1)

    def convert(
        self, value: Any, param: click.Parameter | None, ctx: click.Context | None
    ) -> float:
        found = float(super().convert(value, param, ctx))
        if math.isnan(found):
            self.fail("nan is not in the range 0<=x<=1.", param, ctx)
        return found


class FileName(click.ParamType):  # type: ignore[type-arg]  # generic from click 8.4 on
    """A path the person named, `~` and `~somebody` understood. Raises InvalidInput."""

    name = "file"

    def convert(self, value: Any, param: object, ctx: object) -> Path:
        try:
            named = Path(value).expanduser()
        except RuntimeError as problem:
            raise InvalidInput(
                f"{str(value)[:200]} cannot be found: no such user is known here.",
                hint="Write the whole path.",
            ) from problem
        if not str(value) or "\0" in str(value):
            raise InvalidInput("This names no file.", hint="Write the path of a file.")
        return named

    def shell_complete(
        self, ctx: click.Context, param: click.Parameter, incomplete: str
    ) -> list[click.shell_completion.CompletionItem]:
        return [click.shell_completion.CompletionItem(incomplete, type="file")]


ID = ItemIdType()
CONFLICT = ConflictId()
DOCUMENT_KEY = DocumentKey()
SETTING = SettingName()


def files(
    ctx: click.Context, param: click.Parameter, incomplete: str
) -> list[click.shell_completion.CompletionItem]:
    """A place for a file; the shell knows its own."""
    return [click.shell_completion.CompletionItem(incomplete, type="file")]


SCOPE = ScopeType()
TTL = TtlType()
COLLECTION = CollectionName()
SHARE = Share()
FILE = FileName()

write_scope = click.option(
    "--scope",
    type=SCOPE,
    default="project",
    show_default=True,
    help="Where it belongs: project, contact:<id> or conversation:<id>.",
)
read_scope = click.option("--scope", type=SCOPE, help="Only this scope; without it, every scope.")
ttl_option = click.option(
    "--ttl", type=TTL, help="How long it is kept: 90m, 12h, 30d, 2w, 1y or never."
)
if_version = click.option(
    "--if-version",
    "made_on",
    type=click.IntRange(min=0),
    help="Only when it is still at this version; otherwise exit code 4.",
)
keep_secret = click.option(
    "--keep-secret", is_flag=True, help="Keep it although it looks like a secret."
)
yes_option = click.option("--yes", is_flag=True, help="Do not ask; needed without a terminal.")
cursor_option = click.option(
    "--cursor", help="Go on where the page before ended: the cursor that it gave."
)


def limit_option(default: int, most: int = MOST_ROWS) -> Callable[[F], F]:
    return click.option(
        "--limit",
        type=click.IntRange(1, most),
        default=default,
        show_default=True,
        metavar="N",
        help="How many at most.",
    )


def metadata(pairs: Iterable[str]) -> dict[str, str]:
    """`k=v` pairs as a mapping. Raises InvalidInput."""
    found: dict[str, str] = {}
    for number, pair in enumerate(pairs, start=1):
        name, equals, value = pair.partition("=")
        if not equals or not name:
            # Not repeated: without its name nobody can tell whether the value is a secret.
            raise InvalidInput(
                f"Number {number} of --meta is not a name and a value.",
                hint="Use --meta name=value, once for each.",
            )
        if name in found:
            raise InvalidInput(
                f"The metadata {name[:40]!r} is given twice.", hint="Give each name once."
            )
        found[name] = value
    return found
