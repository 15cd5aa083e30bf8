"""`config encrypt`, `decrypt` and `unlock`: the library's file with a key, and without one.

Refuses to encrypt before the recovery key was written out: a key that nobody has seen and a keyring
that is lost would lose everything. The recovery key is data and goes to stdout; nothing else there.
"""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

import click

from localmem.cli import answers, options
from localmem.cli.exit_codes import ExitCode
from localmem.cli.framework import command
from localmem.cli.session import Session
from localmem.wire.shapes import Shape

if TYPE_CHECKING:
    from localmem.safe import Encrypting

MOST_TYPED = 1_000
_NOT_CHANGED = "Nothing was changed."
_EITHER = (
    "From then on its file says nothing without a key. Search is as fast as before.",
    "Backups and exports made before stay readable by anyone.",
)
_WITH_KEYRING = (
    *_EITHER,
    "Your keyring keeps the key, and you get it once as a recovery key.",
    "If both are lost, so are your memories.",
)
_WITHOUT_KEYRING = (
    *_EITHER,
    "You get the key once, and set LOCALMEM_KEY to it whenever localmem starts.",
    "If it is lost, so are your memories.",
)

_OPENS_WITHOUT = (
    "Unlock the keyring and try again. On a machine without one, set LOCALMEM_KEY to your recovery "
    "key wherever localmem starts, or LOCALMEM_KEY_FILE to a file that holds it."
)


@command(
    "encrypt",
    examples=[
        "localmem config encrypt",
        "localmem config encrypt --yes --json | jq -r .recoveryKey",
        "localmem config encrypt --no-keyring      # you keep the key yourself",
    ],
)
@click.option(
    "--no-keyring",
    is_flag=True,
    help="Keep the key nowhere: whoever starts localmem sets LOCALMEM_KEY to it.",
)
@options.yes_option
@click.pass_obj
def encrypt(session: Session, no_keyring: bool, yes: bool) -> ExitCode:
    """Encrypt the library's file; its key goes to your keyring.

    Prints a recovery key, once. With it the library opens on another machine, or when the keyring
    is lost: write it down and keep it apart. Without both, nobody can read your memories again.
    """
    safe = session.safe()
    if safe.is_encrypted():
        session.answer({"encrypted": True}, [])
        session.warn("It is encrypted already; nothing was done.")
        return ExitCode.DONE
    if not no_keyring:
        safe.check_keyring()
    lines = _WITHOUT_KEYRING if no_keyring else _WITH_KEYRING
    if not answers.confirmed(
        session, "Encrypt your library?", lines, yes=yes, otherwise=_NOT_CHANGED
    ):
        return ExitCode.FAILURE
    with safe.encrypting(keyring=not no_keyring) as ready:
        _hand_over(session, ready)
        ready.finish()
    _tell_encrypted(session, ready)
    return ExitCode.DONE


def _hand_over(session: Session, ready: Encrypting) -> None:
    """The recovery key, written out before anything depends on it."""
    if not session.as_json:
        session.warn("Your recovery key. Write it down now; it is not shown again.")
    shape: Shape = {
        "encrypted": True,
        "recoveryKey": ready.recovery_key,
        "keptIn": ready.kept_in or None,
    }
    session.answer(shape, [ready.recovery_key])
    session.console.flush()


def _tell_encrypted(session: Session, ready: Encrypting) -> None:
    session.done("Encrypted.")
    if ready.known:
        session.warn("It is the key you have had before, for other libraries and their backups.")
    if not ready.kept_in:
        session.warn(
            "The key is kept nowhere, and nothing opens without it: set LOCALMEM_KEY to it, or "
            "keep it in a file and set LOCALMEM_KEY_FILE to that."
        )
    elif ready.kept_in == "keyring":
        session.done("The key is in your keyring, as `library` of the service `localmem`.")
    if ready.other_names:
        session.warn(
            "The plain file has another name on this disk (a hard link), and stays readable there."
        )


@command(
    "decrypt",
    examples=["localmem config decrypt", "localmem config decrypt --forget-key --yes"],
)
@click.option(
    "--forget-key",
    is_flag=True,
    help="Take the key out of the keyring too; what else it opens needs the recovery key then.",
)
@options.yes_option
@click.pass_obj
def decrypt(session: Session, forget_key: bool, yes: bool) -> ExitCode:
    """Write the library's file in the clear again.

    The key stays in the keyring, for the backups that were made with it.
    """
    safe = session.safe()
    encrypted = safe.is_encrypted()
    if encrypted and not answers.confirmed(
        session,
        "Decrypt your library?",
        ("Whoever gets hold of its file can read it then.",),
        yes=yes,
        otherwise=_NOT_CHANGED,
    ):
        return ExitCode.FAILURE
    if encrypted:
        safe.decrypt()
    why = safe.forget_key() if forget_key else ""
    session.answer({"encrypted": False}, [])
    if encrypted:
        session.done("Decrypted.")
    else:
        session.warn("It is not encrypted.")
    if why:
        session.warn(f"The key could not be taken out. {why}")
        return ExitCode.FAILURE
    return ExitCode.DONE


@command(
    "unlock",
    examples=[
        "localmem config unlock",
        "localmem config unlock < recovery-key.txt",
        "localmem config unlock --for backup.db      # before it is brought back",
    ],
)
@click.option("--for", "file", type=options.FILE, help="The encrypted file it belongs to.")
@click.option("--replace", is_flag=True, help="In place of another key in the keyring.")
@click.pass_obj
def unlock(session: Session, file: Path | None, replace: bool) -> ExitCode:
    """Give this machine's keyring the key of an encrypted library.

    For a library that came from another machine, or a keyring that was lost. Reads the recovery key
    from you or from stdin, never from the command line, where others could see it.
    """
    safe = session.safe()
    if file is None and safe.is_plain():
        session.answer({"unlocked": False, "tried": False}, [])
        session.warn("Your library is not encrypted; nothing was done.")
        return ExitCode.DONE
    safe.check_keyring(_OPENS_WITHOUT)
    if session.console.can_ask:
        session.warn("Type your recovery key, in one line:")
    tried = safe.unlock(session.console.stdin.readline(MOST_TYPED), file, replace=replace)
    session.answer({"unlocked": True, "tried": tried}, [])
    session.done("It opens, and is in your keyring now." if tried else "It is in your keyring now.")
    if not tried:
        session.warn("Nothing encrypted is here yet to try it on.")
    return ExitCode.DONE
