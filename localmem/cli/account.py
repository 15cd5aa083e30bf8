"""`account`: sign in to a memory API, see who is signed in, sign out.

The key comes from a prompt that shows nothing, from stdin or from a file, never from the command
line. Refuses to keep it in a file before the person said so and gave a passphrase for it.
"""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from typing import TYPE_CHECKING

import click

from localmem.cli import answers, hidden, options, present, sync_report
from localmem.cli.diagnostics import Problem, report
from localmem.cli.exit_codes import ExitCode
from localmem.cli.framework import Group
from localmem.cli.session import Session
from localmem.core.hosting import credential
from localmem.core.screening import screen
from localmem.core.syncing import NotDone, SignedIn, State
from localmem.core.visible import visible
from localmem.errors import InvalidInput
from localmem.wire.shapes import Shape

if TYPE_CHECKING:
    from localmem.config.address import Address
    from localmem.core.syncing import Outcome, Status, Syncing

_NO_ANSWER = (
    "offline", "timeout", "certificate", "proxy", "not_a_memory_api", "broken_reply",
    "server_error", "redirected", "unsendable", "rate_limited", "memory_unavailable", "epoch",
    "http_429", "http_503",
)  # fmt: skip
_NOT_LET_IN = (
    "no_key", "unauthorized", "forbidden", "bearer_token_has_no_person", "http_401", "http_403",
)  # fmt: skip
_NOT_DONE: Mapping[str, ExitCode] = {
    **dict.fromkeys(_NO_ANSWER, ExitCode.NO_ANSWER),
    **dict.fromkeys(_NOT_LET_IN, ExitCode.SIGNED_OUT),
    **dict.fromkeys(("invalid_address", "invalid_key"), ExitCode.USAGE),
}
"""By the code of what was not done; everything else is a plain failure."""
_NEXT: Mapping[str, str] = {
    **dict.fromkeys(_NO_ANSWER, "You are not signed in, and the key was not kept: check the "
                    "address, or sign in later."),
    **dict.fromkeys(_NOT_LET_IN, "You are not signed in, and the key was not kept: sign in with "
                    "one that may read, write and delete."),
}  # fmt: skip
"""What is said of a run there is not true of a login: no next one goes on by itself."""

_WHERE: Mapping[str, str] = {
    "keyring": "in your keyring",
    "file": "in an encrypted file beside your library",
    "environment": "in the environment",
}


@click.group("account", cls=Group)
def account() -> None:
    """Sign in to a memory API, so that this library can be kept in step with it.

    Nothing is sent before you sign in. The account's key is kept in your keyring, or in a file that
    only your passphrase opens.
    """


@account.command_of(
    "login",
    examples=[
        "localmem account login https://memory.example.com",
        "localmem account login < key.txt",
        "localmem account login --key-file /run/secrets/memory-key --json",
    ],
)
@click.argument("url", required=False)
@click.option("--key-file", type=options.FILE, help="Read the key from this file.")
@click.pass_obj
def login(session: Session, url: str | None, key_file: Path | None) -> ExitCode:
    """Sign in with the key of your account, and keep it.

    Without URL the setting account.url holds. The key is asked for and not shown, or read from
    stdin where nobody types; it is never part of the command. Nothing is synchronised yet.
    Where no keyring keeps it, a file does, under a passphrase of at least 12 characters: typed, or
    from LOCALMEM_ACCOUNT_PASSPHRASE.
    """
    with session.writing() as engine:
        syncing = session.syncing(engine)
        address = _address(session, syncing.status(), url)
        for note in address.notes:
            session.warn(note)
        key = _key(session, key_file)
        done = _sign_in(session, syncing, address.url, key)
    if isinstance(done, NotDone):
        return _not_done(session, done._replace(hint=_NEXT.get(done.code, done.hint)))
    session.answer(sync_report.signed_in(done), _signed_in(session, done))
    for warning in done.warnings:
        if warning not in address.notes and not session.as_json:
            session.warn(warning)
    session.done(_coming(done))
    return ExitCode.DONE


@account.command_of(
    "status",
    examples=["localmem account status", "localmem account status --check --json"],
)
@click.option("--check", is_flag=True, help="Ask the server too, whether the key is let in.")
@click.pass_obj
def status(session: Session, check: bool) -> ExitCode:
    """Show who is signed in and where the key is; the network is asked with --check alone."""
    checked: Outcome | None = None
    with session.reading() as engine:
        syncing = session.syncing(engine)
        now = syncing.status()
        if check and now.account is not None:
            checked = syncing.look().outcome
            if checked.code == "no_key" and hidden.unlock(session, syncing):
                checked = syncing.look().outcome
        held = syncing.waiting() if now.held else ()
        times = present.Times(engine.now(), session.zone())
    found = session.where_account_key()
    rows = sync_report.standing(now, times, held)
    keys = [f"{each.place}: {visible(each.name)}" for each in found.found]
    if now.account is not None or keys:
        rows.append(["key", "; ".join(keys) or "nowhere"])
    if checked is not None:
        rows.append(["checked", _checked(checked)])
    shape = sync_report.status(now) | {"key": [_place(*each) for each in found.found]}
    if checked is not None:
        shape["check"] = sync_report.outcome(checked)
    session.answer(shape, sync_report.aligned(rows, session.console.room))
    if not session.as_json:
        _say(session, now, checked, "" if found.found else found.why)
    return _stands(now, checked)


@account.command_of(
    "logout",
    examples=["localmem account logout", "localmem account logout --forget-account --yes"],
)
@click.option("--forget-account", is_flag=True,
              help="Forget what is known of the account too; a next time is a first.")  # fmt: skip
@options.yes_option
@click.pass_obj
def logout(session: Session, forget_account: bool, yes: bool) -> ExitCode:
    """Take the account's key away from this machine; memories stay, here and there.

    What is known of the account stays for the next time you sign in to it.
    """
    with session.writing() as engine:
        syncing = session.syncing(engine)
        now = syncing.status()
        if forget_account and not answers.confirmed(
            session,
            "Forget the account too?",
            _what_that_means(now),
            yes=yes,
            otherwise="Nothing was changed.",
        ):
            return ExitCode.FAILURE
        left = syncing.sign_out(drop=forget_account)
    if isinstance(left, NotDone):
        return _not_done(session, left)
    session.answer({"signedIn": False, "was": _was(now), "left": list(left)}, [])
    if not session.as_json:
        for sentence in left:
            session.warn(sentence)
        session.done("Signed out." if now.account is not None else "Nobody was signed in.")
    return ExitCode.DONE


# signing in


def _address(session: Session, now: Status, typed: str | None) -> Address:
    """Where to sign in: what was typed, the setting, the account of before; else it is asked.

    Raises UsageError, InvalidInput.
    """
    known = session.home().settings.account_url or (now.account.url if now.account else "")
    text = typed or known
    if not text and session.console.can_ask:
        text = session.console.ask("The address of the memory API:")
    if not text:
        raise click.UsageError(
            "Which memory API? Give its address, or set it with `localmem config set account.url`."
        )
    found = session.address(text)
    if found.wrong:
        raise InvalidInput(
            f"That is not the address of a memory API: {found.wrong}.",
            hint="It looks like https://memory.example.com.",
        )
    # A key may be a host as well, and would be looked up all over the world.
    if credential(text.strip()) is not None or screen(text).kinds:
        raise InvalidInput(
            "That looks like a key, and an address belongs there.",
            hint="A key on a command line is in the shell's history: revoke it, and type the new "
            "one when it is asked for.",
        )
    return found


def _key(session: Session, file: Path | None) -> str:
    """The account's key. Raises InvalidInput, UsageError."""
    given = session.given_account_key()
    if file is not None:
        found = session.read_account_key(hidden.of_file(file))
    elif given.value is not None or given.why:
        found = given
        if given.value is not None:
            session.warn(f"The key is taken from {given.variable}.")
    elif session.console.can_ask:
        found = session.read_account_key(
            hidden.line(session.console, "The account's key (it is not shown):")
        )
    else:
        found = session.read_account_key(hidden.piped(session.console, "the account's key"))
    if found.value is None:
        raise InvalidInput(found.why, hint=found.hint)
    return found.value


def _sign_in(session: Session, syncing: Syncing, url: str, key: str) -> SignedIn | NotDone:
    """With the keyring; where there is none, with a passphrase that somebody gave."""
    done = syncing.sign_in(url, key)
    if isinstance(done, SignedIn) or not done.wants_passphrase:
        return done
    given = session.given_passphrase()
    if given.value is not None:
        return syncing.sign_in(url, key, passphrase=given.value)
    if given.why:
        return NotDone(done.code, given.why, given.hint)
    if not session.console.can_ask:
        return done._replace(
            hint=f"{done.hint} LOCALMEM_ACCOUNT_PASSPHRASE gives a passphrase here, of at least "
            "12 characters.".lstrip()
        )
    session.console.tell(done.message)
    question = "Keep the key in an encrypted file beside your library, under a passphrase?"
    if not session.console.confirm(question):
        return NotDone("declined", "Not signed in; the key was not kept.", done.hint)
    return _with_passphrase(session, syncing, url, key, done)


def _with_passphrase(
    session: Session, syncing: Syncing, url: str, key: str, done: NotDone
) -> SignedIn | NotDone:
    """Until one is good enough."""
    for _ in range(hidden.TRIES):
        typed = hidden.chosen_passphrase(session.console)
        if typed is None:
            return NotDone("declined", "Not signed in; the key was not kept.", done.hint)
        again = syncing.sign_in(url, key, passphrase=typed)
        if isinstance(again, SignedIn) or not again.wants_passphrase:
            return again
        done = again
        session.console.tell(done.message)
    return done


def _signed_in(session: Session, done: SignedIn) -> list[str]:
    rows = [
        ["account", sync_report.named(done.account)],
        ["key", _WHERE.get(done.where, visible(done.where))],
        ["here", present.count(done.here, "item")],
        ["there", present.count(done.there, "change") if done.there else "not told, or nothing"],
    ]
    return sync_report.aligned(rows, session.console.room)


def _coming(done: SignedIn) -> str:
    """What `localmem sync` will do."""
    look = "`localmem sync --dry-run` shows it first."
    if not done.first:
        return "Signed in again: `localmem sync` goes on where it was."
    if not done.here:
        return f"Signed in. `localmem sync` takes what the account has. {look}"
    if not done.there:
        return (
            f"Signed in. `localmem sync` sends your {present.count(done.here, 'item')}, and asks "
            f"before it sends many. {look}"
        )
    return (
        "Signed in. `localmem sync` brings both together: what is the same is joined, what only "
        "one side has goes to the other, nothing is deleted, and where both differ you decide. "
        f"{look}"
    )


# standing and signing out


def _let_in(checked: Outcome) -> State:
    """A server that asks something, or has something new, has let the key in."""
    return State.IN_STEP if checked.state in (State.WAITING, State.ASKING) else checked.state


def _checked(checked: Outcome) -> str:
    """Only the key was asked about, so this is never called in step."""
    let_in = _let_in(checked)
    return "the key is let in" if let_in is State.IN_STEP else sync_report.state(let_in)


def _say(session: Session, now: Status, checked: Outcome | None, why: str) -> None:
    if now.account is None:
        session.warn(sync_report.OFF_HINT)
    if why:
        session.warn(why)
    if checked is not None and sync_report.ended(_let_in(checked)) is not ExitCode.DONE:
        code, message, hint = sync_report.problem_of(checked)
        report(session.console, Problem(code, message, hint), as_json=False)
    elif checked is None and now.message:
        session.warn(f"{now.message} {now.hint}".strip())


def _stands(now: Status, checked: Outcome | None) -> ExitCode:
    """Whether somebody is signed in, as far as is known; and whether the server agrees."""
    if now.account is None:
        return ExitCode.SIGNED_OUT
    if checked is not None:
        return sync_report.ended(_let_in(checked))
    return ExitCode.SIGNED_OUT if now.state is State.SIGNED_OUT else ExitCode.DONE


def _what_that_means(now: Status) -> list[str]:
    lines = ["The next time you sign in to it is a first time: both sides are compared anew.",
             "What you forgot here and was not sent yet could come back then."]  # fmt: skip
    if now.waiting:
        unsent = present.count(now.waiting, "change was", "changes were")
        lines.append(f"{unsent} not sent.")
    return lines


def _was(now: Status) -> Shape | None:
    return sync_report.account(now.account) if now.account is not None else None


def _place(place: str, name: str) -> Shape:
    return {"place": str(place), "name": name}


def _not_done(session: Session, why: NotDone) -> ExitCode:
    problem = Problem(why.code, why.message, why.hint)
    report(session.console, problem, as_json=session.as_json)
    return _NOT_DONE.get(why.code, ExitCode.FAILURE)
