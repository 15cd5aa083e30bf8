"""`serve`: run the hosted memory API on this machine, and say who may use it.

Refuses to show a key twice: it is printed when it is made, alone on stdout, and kept nowhere.
"""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from datetime import datetime
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from localmem.cli import answers, columns, options, present
from localmem.cli.exit_codes import ExitCode
from localmem.cli.framework import Group, command, json_option
from localmem.cli.session import Session
from localmem.core.hosting import PLANS, Key, KeyKind, Mode, Person, Right, Space, Token
from localmem.core.model import Millis
from localmem.core.visible import visible
from localmem.errors import InvalidSettings
from localmem.wire import shapes
from localmem.wire.shapes import Shape

if TYPE_CHECKING:
    from localmem.hosting.issuing import Issued, Issuing
    from localmem.store.hosting.restore import Restored

DATA = "localmem.serve.data"
EXTRAS = ("fastapi", "h11", "prometheus_client", "starlette", "uvicorn")

data_option = click.option(
    "--data", type=options.FILE, help="The server's folder; made when there is none."
)


@click.group("serve", cls=Group, invoke_without_command=True)
@data_option
@click.option("--host", default="127.0.0.1", show_default=True, help="Address to listen on.")
@click.option("--port", type=click.IntRange(0, 65_535), default=8_420, show_default=True,
              help="0 takes a free one.")  # fmt: skip
@click.option("--tls-cert", type=options.FILE, help="Certificate, with its chain.")
@click.option("--tls-key", type=options.FILE, help="Its private key.")
@click.option("--insecure", is_flag=True, help="Listen beyond this machine without TLS.")
@click.option("--allow-host", "hosts", multiple=True, metavar="NAME",
              help="A name clients reach it by; may be given again.")  # fmt: skip
@click.option("--rate", type=click.IntRange(0), default=600, show_default=True,
              help="Requests a minute of each space; 0 is without limit.")  # fmt: skip
@click.pass_context
def serve(ctx: click.Context, /, data: Path | None, **chosen: Any) -> int:
    """Run the hosted memory API on this machine, for your programs and agents.

    It listens on this machine alone, and elsewhere only with --tls-cert and --tls-key or with
    --insecure. Ctrl-C stops it, once what was accepted is done.
    """
    if data is not None:
        ctx.meta[DATA] = data
    if ctx.invoked_subcommand is not None:
        return ExitCode.DONE
    return _serve(ctx.obj, _folder(ctx, None), **chosen)


serve.params.append(json_option())


def _serve(session: Session, folder: Path, **chosen: Any) -> int:
    try:
        from localmem.server import main
    except ModuleNotFoundError as problem:
        if (problem.name or "").partition(".")[0] not in EXTRAS:
            raise
        raise InvalidSettings(
            "Serving needs FastAPI, uvicorn and what they need, which are not installed.",
            hint="Install them with `pip install 'localmem[server]'`.",
        ) from problem

    def tell(url: str, has_keys: bool) -> None:
        session.answer({"url": url, "data": str(folder), "hasKeys": has_keys},
                       [f"Listening on {url}, kept in {visible(str(folder))}."])  # fmt: skip
        session.console.flush()
        if not has_keys:
            session.warn("There is no key yet: `localmem serve keys create NAME` makes one.")

    main.run(session.home(), main.Options(folder, **chosen), tell)
    return ExitCode.DONE


# keys


@click.group("keys", cls=Group)
def keys() -> None:
    """Make, list and revoke the keys that open a space of the server."""


@keys.command_of(
    "create",
    examples=[
        "localmem serve keys create laptop",
        "localmem serve keys create shop --space shop --kind agent --days 90",
        "localmem serve keys create reader --scope memory:read --test",
    ],
)
@click.argument("name")
@data_option
@click.option("--space", default="default", show_default=True,
              help="Whose memory it opens; made when there is none of that name.")  # fmt: skip
@click.option("--kind", type=click.Choice([str(kind) for kind in KeyKind]), default="project",
              show_default=True, help="What holds it.")  # fmt: skip
@click.option("--scope", "rights", multiple=True, metavar="RIGHT",
              help=f"{', '.join(Right)}; all of them unless given.")  # fmt: skip
@click.option("--test", is_flag=True, help="For the space's test partition, gone after 30 days.")
@click.option("--days", type=int, help="How long it lasts; until it is revoked unless given.")
@click.pass_context
def create_key(
    ctx: click.Context, name: str, data: Path | None, space: str, kind: str,
    rights: tuple[str, ...], test: bool, days: int | None,
) -> None:  # fmt: skip
    """Make a key. It is printed once and kept nowhere."""
    with _issuing(ctx, data) as issuing:
        issued = issuing.create_key(
            name,
            space=space,
            kind=KeyKind(kind),
            mode=Mode.TEST if test else Mode.LIVE,
            rights=rights,
            days=days,
        )
        assert isinstance(issued.of, Key)
        _show(ctx.obj, issued, _key(issued.of, _names(issuing)))


@keys.command_of("list", examples=["localmem serve keys list"])
@data_option
@click.pass_context
def list_keys(ctx: click.Context, data: Path | None) -> None:
    """Show every key by its public beginning, the revoked ones too."""
    session: Session = ctx.obj
    with _issuing(ctx, data) as issuing:
        names, held, now = _names(issuing), issuing.keys(), issuing.clock()
    rows = [
        [key.prefix, visible(key.name), visible(names.get(key.space, key.space)), str(key.kind),
         " ".join(key.allowed) or "sessions alone", _state(session, key, now)]
        for key in held
    ]  # fmt: skip
    shape: Shape = {"keys": [_key(key, names) for key in held]}
    session.answer(shape, columns.lines(rows, room=session.console.room, widest=40))
    if not held:
        session.done("There are no keys.")


@keys.command_of("revoke", examples=["localmem serve keys revoke zv_live_Ab3dEf9h"])
@click.argument("key")
@data_option
@click.pass_context
def revoke_key(ctx: click.Context, key: str, data: Path | None) -> None:
    """Refuse a key from now on; KEY is its public beginning, its id or itself."""
    with _issuing(ctx, data) as issuing:
        revoked = issuing.revoke_key(key)
    ctx.obj.answer({"id": revoked.id, "prefix": revoked.prefix, "revoked": True}, [revoked.prefix])
    ctx.obj.done("Revoked.")


# people


@click.group("people", cls=Group)
def people() -> None:
    """The people of the server, whose preferences their own tokens alone open."""


@people.command_of("add", examples=['localmem serve people add "Ana"'])
@click.argument("name")
@data_option
@click.pass_context
def add_person(ctx: click.Context, name: str, data: Path | None) -> None:
    """Add a person."""
    with _issuing(ctx, data) as issuing:
        person = issuing.add_person(name)
    ctx.obj.answer(_person(person, []), [person.id])
    ctx.obj.done("Added. `localmem serve people token` makes a token for a device.")


@people.command_of("list", examples=["localmem serve people list"])
@data_option
@click.pass_context
def list_people(ctx: click.Context, data: Path | None) -> None:
    """Show the people and their tokens by their public beginning."""
    session: Session = ctx.obj
    with _issuing(ctx, data) as issuing:
        held, tokens, now = issuing.people(), issuing.tokens(), issuing.clock()
    own = {person.id: [t for t in tokens if t.person == person.id] for person in held}
    rows = []
    for person in held:
        rows.append([person.id, visible(person.name), ""])
        for token in own[person.id]:
            rows.append([f"  {token.prefix}", visible(token.device), _state(session, token, now)])
    session.answer(
        {"people": [_person(person, own[person.id]) for person in held]},
        columns.lines(rows, room=session.console.room, widest=40),
    )
    if not held:
        session.done("There is nobody.")


@people.command_of(
    "token",
    examples=[
        'localmem serve people token "Ana" --device phone',
        'localmem serve people token "Ana" --days 7',
    ],
)
@click.argument("person")
@data_option
@click.option("--device", default="", help="What it is for; shown when tokens are listed.")
@click.option("--days", type=int, default=90, show_default=True, help="How long it lasts.")
@click.pass_context
def token(ctx: click.Context, person: str, data: Path | None, device: str, days: int) -> None:
    """Make a token for a device of a person. It is printed once and kept nowhere."""
    with _issuing(ctx, data) as issuing:
        issued = issuing.create_token(person, device=device, days=days)
    assert isinstance(issued.of, Token)
    _show(ctx.obj, issued, _token(issued.of))


@people.command_of("revoke", examples=["localmem serve people revoke cps_Ab3dEf9h"])
@click.argument("token")
@data_option
@click.pass_context
def revoke_token(ctx: click.Context, token: str, data: Path | None) -> None:
    """Refuse a token from now on; TOKEN is its public beginning, its id or itself."""
    with _issuing(ctx, data) as issuing:
        revoked = issuing.revoke_token(token)
    ctx.obj.answer({"id": revoked.id, "prefix": revoked.prefix, "revoked": True}, [revoked.prefix])
    ctx.obj.done("Revoked.")


@people.command_of("remove", examples=["localmem serve people remove Ana"])
@click.argument("name")
@data_option
@options.yes_option
@click.pass_context
def remove_person(ctx: click.Context, name: str, data: Path | None, yes: bool) -> int:
    """Remove a person: end their tokens and erase their library.

    Copies that `localmem serve backup` wrote and folders that a restore kept still have it.
    """
    session: Session = ctx.obj
    with _issuing(ctx, data) as issuing:
        person = issuing.person(name)
        if not _erasing(session, person.name, yes=yes):
            return ExitCode.FAILURE
        issuing.remove_person(person.id)
    _erase(session, _folder(ctx, data), person.id)
    return ExitCode.DONE


# the whole server


@command(
    "backup",
    examples=[
        "localmem serve backup /var/backups/memory-2026-12-01",
        "localmem serve backup ~/memory-backup --data /var/lib/localmem",
    ],
)
@click.argument("folder", type=options.FILE)
@click.option("--data", type=options.FILE, help="The server's folder.")
@click.pass_context
def back_up(ctx: click.Context, folder: Path, data: Path | None) -> None:
    """Copy the whole server to a new folder, while it runs.

    The copy has every space, every person and who may use them. It is not encrypted, and what is
    forgotten later stays in it.
    """
    session: Session = ctx.obj
    made = session.back_up_server(_folder(ctx, data), folder)
    counts: Shape = {"spaces": made.spaces, "people": made.people, "bytes": made.bytes}
    session.answer(
        {"folder": str(folder), "at": shapes.moment(made.at), **counts}, [visible(str(folder))]
    )
    session.done(
        f"Written: {present.count(made.spaces, 'space')}, "
        f"{present.count(made.people, 'person', 'people')}, {present.size(made.bytes)}."
    )


@command(
    "restore",
    examples=["localmem serve restore /var/backups/memory-2026-12-01"],
)
@click.argument("folder", type=options.FILE)
@data_option
@options.yes_option
@click.pass_context
def restore(ctx: click.Context, folder: Path, data: Path | None, yes: bool) -> int:
    """Let a copy that `localmem serve backup` wrote take the place of a server that is stopped.

    The server of now is kept beside it. What was forgotten or revoked since the copy was made stays
    so, as far as the server of now knows it; in another folder nobody knows, and keys that were
    revoked since open it again. Programs that synchronise begin anew.
    """
    session: Session = ctx.obj
    place = _folder(ctx, data)
    was_there = place.exists()
    question = f"Put {visible(folder.name)} in the place of the server in {visible(str(place))}?"
    lines = ("What was forgotten or revoked since stays so, where the server of now knows it.",
             "The server of now is kept beside it.")  # fmt: skip
    if not answers.confirmed(session, question, lines, yes=yes, otherwise="Nothing was restored."):
        return ExitCode.FAILURE
    done = session.restore_server(place, folder)
    shape: Shape = {
        "folder": str(folder), "at": shapes.moment(done.at), "spaces": done.spaces,
        "people": done.people, "stillForgotten": done.still_forgotten,
        "stillRevoked": done.still_revoked, "sinceKnown": done.since_known, "data": str(place),
        "newFolder": not was_there, "keptAs": str(done.kept) if done.kept else None,
    }  # fmt: skip
    session.answer(shape, [visible(str(done.kept))] if done.kept else [])
    _tell_restored(session, folder, place, done, was_there=was_there)
    return ExitCode.DONE


def _tell_restored(
    session: Session, folder: Path, place: Path, done: Restored, *, was_there: bool
) -> None:
    """To whoever reads the log as well: a copy in the wrong folder is found out by it alone."""
    session.warn(
        f"Restored from {visible(str(folder))}, a copy made {shapes.moment(done.at)}, to "
        f"{'' if was_there else 'the new folder '}{visible(str(place))}: "
        f"{present.count(done.spaces, 'space')}, "
        f"{present.count(done.people, 'person', 'people')}."
    )
    if not done.since_known:
        session.warn(
            "No server there could say what was revoked or forgotten since the copy was made: "
            "keys and tokens revoked since open it again. Look at `localmem serve keys list` and "
            "`localmem serve people list`, and revoke them."
        )
    if done.still_forgotten or done.still_revoked:
        session.done(
            f"Still forgotten: {done.still_forgotten}. Still revoked: {done.still_revoked}."
        )
    if done.kept:
        session.done("The server of before is kept there; delete it when you no longer need it.")


# spaces


@click.group("spaces", cls=Group)
def spaces() -> None:
    """The spaces of the server: each is a memory of its own, with keys and a plan."""


@spaces.command_of(
    "create",
    examples=[
        "localmem serve spaces create shop --plan pro",
        "localmem serve spaces create family",
    ],
)
@click.argument("name")
@data_option
@click.option("--plan", type=click.Choice(list(PLANS)), default="own", show_default=True,
              help="What it may use in a month.")  # fmt: skip
@click.pass_context
def create_space(ctx: click.Context, name: str, data: Path | None, plan: str) -> None:
    """Make a space; `keys create --space` makes one too, without limits."""
    with _issuing(ctx, data) as issuing:
        space = issuing.create_space(name, plan)
    ctx.obj.answer(_space(space), [space.id])
    ctx.obj.done("Made. `localmem serve keys create NAME --space` makes a key for it.")


@spaces.command_of("list", examples=["localmem serve spaces list"])
@data_option
@click.pass_context
def list_spaces(ctx: click.Context, data: Path | None) -> None:
    """Show every space and its plan."""
    session: Session = ctx.obj
    with _issuing(ctx, data) as issuing:
        held = issuing.spaces()
    rows = [[space.id, visible(space.name), space.plan.name] for space in held]
    session.answer(
        {"spaces": [_space(space) for space in held]},
        columns.lines(rows, room=session.console.room, widest=40),
    )
    if not held:
        session.done("There are no spaces.")


@spaces.command_of("plan", examples=["localmem serve spaces plan shop pro"])
@click.argument("name")
@click.argument("plan", type=click.Choice(list(PLANS)))
@data_option
@click.pass_context
def set_plan(ctx: click.Context, name: str, plan: str, data: Path | None) -> None:
    """Give a space another plan, from its next request on."""
    with _issuing(ctx, data) as issuing:
        space = issuing.set_plan(name, plan)
    ctx.obj.answer(_space(space), [space.id])
    ctx.obj.done(f"Its plan is {space.plan.name} now.")


@spaces.command_of("remove", examples=["localmem serve spaces remove shop"])
@click.argument("name")
@data_option
@options.yes_option
@click.pass_context
def remove_space(ctx: click.Context, name: str, data: Path | None, yes: bool) -> int:
    """Remove a space: end its keys and erase its libraries.

    Copies that `localmem serve backup` wrote and folders that a restore kept still have it.
    """
    session: Session = ctx.obj
    with _issuing(ctx, data) as issuing:
        space = issuing.space(name)
        if not _erasing(session, space.name, yes=yes):
            return ExitCode.FAILURE
        issuing.remove_space(space.id)
    _erase(session, _folder(ctx, data), space.id)
    return ExitCode.DONE


serve.add_command(back_up)
serve.add_command(restore)
serve.add_command(keys)
serve.add_command(people)
serve.add_command(spaces)

# inside


def _folder(ctx: click.Context, data: Path | None) -> Path:
    given: Path | None = data or ctx.meta.get(DATA)
    session: Session = ctx.obj
    return (given or session.server_folder()).expanduser()


@contextmanager
def _issuing(ctx: click.Context, data: Path | None) -> Iterator[Issuing]:
    with ctx.obj.issuing(_folder(ctx, data)) as issuing:
        yield issuing


def _erasing(session: Session, name: str, *, yes: bool) -> bool:
    lines = ("Every key or token of it ends, and its memory is erased. This cannot be undone.",
             "Backups, and folders that a restore kept, still have it.")  # fmt: skip
    return answers.confirmed(
        session, f"Remove {visible(name)}?", lines, yes=yes, otherwise="Nothing was removed."
    )


def _erase(session: Session, folder: Path, id: str) -> None:
    erased = session.erase_removed(folder)
    session.answer({"id": id, "removed": True, "erased": erased}, [id])
    session.done(
        "Removed, and its files are erased." if erased else
        "Removed. The server that runs there erases its files within a minute."
    )  # fmt: skip


def _show(session: Session, issued: Issued, shape: Shape) -> None:
    session.answer({"secret": issued.text, **shape}, [issued.text])
    session.done("Keep it now: it is not shown again.")


def _names(issuing: Issuing) -> dict[str, str]:
    return {space.id: space.name for space in issuing.spaces()}


def _key(key: Key, spaces: dict[str, str]) -> Shape:
    return {
        "id": key.id,
        "prefix": key.prefix,
        "name": key.name,
        "space": spaces.get(key.space, key.space),
        "spaceId": key.space,
        "kind": str(key.kind),
        "mode": str(key.mode),
        "scopes": [str(right) for right in key.allowed],
        **_times(key),
    }


def _space(space: Space) -> Shape:
    return {
        "id": space.id,
        "name": space.name,
        "plan": space.plan.name,
        "createdAt": shapes.moment(space.created_at),
    }


def _person(person: Person, tokens: list[Token]) -> Shape:
    return {
        "id": person.id,
        "name": person.name,
        "createdAt": shapes.moment(person.created_at),
        "tokens": [_token(each) for each in tokens],
    }


def _token(token: Token) -> Shape:
    return {"id": token.id, "prefix": token.prefix, "device": token.device, **_times(token)}


def _times(held: Key | Token) -> Shape:
    shape: Shape = {"createdAt": shapes.moment(held.created_at)}
    if held.expires_at is not None:
        shape["expiresAt"] = shapes.moment(held.expires_at)
    if held.revoked_at is not None:
        shape["revokedAt"] = shapes.moment(held.revoked_at)
    return shape


def _state(session: Session, held: Key | Token, now: Millis) -> str:
    if held.revoked_at is not None:
        return f"revoked {_day(session, held.revoked_at)}"
    if held.expires_at is None:
        return "until revoked"
    ended = not held.usable(now)
    return f"{'expired' if ended else 'until'} {_day(session, held.expires_at)}"


def _day(session: Session, at: Millis) -> str:
    return datetime.fromtimestamp(at / 1000, session.zone()).strftime("%Y-%m-%d")
