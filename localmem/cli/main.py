"""`localmem` with arguments: finds the command, runs it, and turns what happens into an exit code.

Without arguments it opens the app. Refuses tracebacks: what a person sees is a sentence and what
to do next, and a fault of ours is one line with how to report it.
"""

from __future__ import annotations

import os
import traceback
from collections.abc import Callable, Mapping
from typing import TYPE_CHECKING

import click

from localmem.cli import console as consoles
from localmem.cli.exit_codes import EXIT_CODE, MEANINGS, ExitCode
from localmem.cli.framework import COMPLETE, Entry, Group, LazyGroup
from localmem.cli.session import Session
from localmem.errors import LocalmemError

if TYPE_CHECKING:
    from localmem.cli.diagnostics import Problem

NAME = "localmem"
DEBUG = "LOCALMEM_DEBUG"

_KEEP, _FIND, _CHANGE = "Keep", "Find", "Change and forget"
_DOCUMENTS, _LIBRARY = "JSON documents", "Your library"
_ACCOUNT = "Your account"

COMMANDS: Mapping[str, Entry] = {
    "add": Entry("facts", "add", "Keep one fact in plain words.", _KEEP),
    "pref": Entry(
        "preferences", "pref", "Your six shopping preferences: sizes, brands, stores, diet.", _KEEP
    ),
    "search": Entry(
        "search", "search", "Find what is kept by meaning and by words, best first.", _FIND
    ),
    "list": Entry(
        "items",
        "list_",
        "Show what is kept, newest first; documents alone by collection and key.",
        _FIND,
    ),
    "show": Entry(
        "items", "show", "Show one item whole: content, scope, author, expiry, metadata.", _FIND
    ),
    "history": Entry(
        "items",
        "history",
        "Show every version an item had, newest first; JSON has the oldest first.",
        _FIND,
    ),
    "offers": Entry(
        "offers", "offers_", "Filter and order a shop's offers by your preferences.", _FIND
    ),
    "inbox": Entry(
        "inbox",
        "inbox",
        "Show what agents wrote and what was inferred, until you have decided.",
        _CHANGE,
    ),
    "edit": Entry(
        "facts", "edit", "Change a fact; the version before stays in its history.", _CHANGE
    ),
    "restore": Entry(
        "items", "restore", "Make an old version current again, as a new version.", _CHANGE
    ),
    "undo": Entry(
        "items", "undo", "Take back your last change, whichever program you made it in.", _CHANGE
    ),
    "delete": Entry(
        "items",
        "delete",
        "Forget items for good: every version, the word index, the vectors.",
        _CHANGE,
    ),
    "wipe": Entry(
        "items", "wipe", "Forget every fact of one scope for good; its documents stay.", _CHANGE
    ),
    "collections": Entry(
        "collections",
        "collections",
        "Define collections of JSON documents, and see which there are.",
        _DOCUMENTS,
    ),
    "collection": Entry(
        "documents", "collection", "Read and write the documents of a collection.", _DOCUMENTS
    ),
    "account": Entry(
        "account",
        "account",
        "Sign in to a memory API, so that this library can be kept in step with it.",
        _ACCOUNT,
    ),
    "sync": Entry(
        "syncing", "sync", "Take what changed on the server, and send what changed here.", _ACCOUNT
    ),
    "demo": Entry(
        "demo", "demo", "Open the app on a made-up library, of which nothing is kept.", _LIBRARY
    ),
    "serve": Entry(
        "serve",
        "serve",
        "Run the hosted memory API on this machine, for your programs and agents.",
        _LIBRARY,
    ),
    "usage": Entry(
        "usage", "usage", "Show how much is kept, where, and how full each scope is.", _LIBRARY
    ),
    "activity": Entry(
        "overview",
        "activity",
        "Show who read and wrote what, newest first; never what it said.",
        _LIBRARY,
    ),
    "export": Entry(
        "exchange",
        "export",
        "Write everything that is kept to a file, or to stdout without one.",
        _LIBRARY,
    ),
    "import": Entry(
        "exchange",
        "import_",
        "Bring in an export, the memories of another assistant, or a plain list.",
        _LIBRARY,
    ),
    "backup": Entry(
        "copies",
        "backup",
        "Copy the whole library to a new file, while other programs use it.",
        _LIBRARY,
    ),
    "doctor": Entry(
        "doctor",
        "doctor",
        "Check the library, its files and its settings; mend what can be mended.",
        _LIBRARY,
    ),
    "config": Entry(
        "settings", "config", "See and change settings and keys; encrypt the library.", _LIBRARY
    ),
    "terminal": Entry(
        "terminal",
        "terminal",
        "Show what this terminal can draw, and where a copy goes.",
        _LIBRARY,
    ),
    "completion": Entry(
        "completion",
        "completion",
        "Print the script that completes localmem's commands in your shell.",
        _LIBRARY,
    ),
}


class Root(LazyGroup):
    """`localmem` itself: its help ends with what a script wants to know."""

    def format_epilog(self, ctx: click.Context, formatter: click.HelpFormatter) -> None:
        with formatter.section("Exit codes"):
            formatter.write_dl([(str(int(code)), meaning) for code, meaning in MEANINGS.items()])
        with formatter.section("Environment"):
            formatter.write_dl(
                [
                    ("LOCALMEM_HOME", "one folder for library, settings and caches"),
                    ("LOCALMEM_KEY", "key of an encrypted library, before the keyring"),
                    ("LOCALMEM_KEY_FILE", "the same, in a file"),
                    ("LOCALMEM_ACCOUNT_KEY", "key of your account, before the keyring"),
                    ("LOCALMEM_ACCOUNT_KEY_FILE", "the same, in a file"),
                    ("LOCALMEM_ACCOUNT_PASSPHRASE", "opens the file that keeps that key"),
                    ("LOCALMEM_ACCOUNT_PASSPHRASE_FILE", "the same, in a file"),
                    ("NO_COLOR", "no bold and no faint text"),
                    (DEBUG, "1 shows the traceback of a fault"),
                ]
            )
        super().format_epilog(ctx, formatter)


def _version(ctx: click.Context, _: click.Parameter, wanted: bool) -> None:
    if wanted and not ctx.resilient_parsing:
        from localmem import __version__

        ctx.obj.console.line(f"localmem {__version__}")
        ctx.exit()


@click.group(
    NAME,
    cls=Root,
    entries=COMMANDS,
    invoke_without_command=True,
    context_settings={"help_option_names": ["--help", "-h"], "max_content_width": 100},
)
@click.option("--version", "-V", is_flag=True, is_eager=True, expose_value=False,
              callback=_version, help="Show the version and exit.")  # fmt: skip
@click.pass_context
def cli(ctx: click.Context) -> int:
    """What your assistants remember about you, in your own hands.

    Without a command the app opens. Every command takes --json, and shows examples with --help:
    `localmem search --help`. Data goes to stdout, everything else to stderr.
    """
    return _open_app(ctx.obj) if ctx.invoked_subcommand is None else ExitCode.DONE


def run(argv: list[str]) -> int:
    """Run one command line (without the program's name); its exit code. Never raises."""
    console = consoles.of_process()
    session = Session(console, as_json=_wants_json(argv))
    try:
        code = int(_run(argv, session))
        console.flush()
        return code
    except BrokenPipeError:
        consoles.give_up_stdout()
        return ExitCode.DONE
    except consoles.OutputLost as problem:
        consoles.give_up_stdout()
        return _failed(session, problem)


def refused(problem: Exception) -> int:
    """Say why the app could not be opened; the exit code."""

    def again() -> int:
        raise problem

    return _answered(Session(consoles.of_process()), again)


def _run(argv: list[str], session: Session) -> int:
    return _answered(session, lambda: _dispatch(argv, session))


def _answered(session: Session, work: Callable[[], int]) -> int:
    try:
        return work()
    except LocalmemError as problem:
        _report(session, _of_error(problem, session))
        return EXIT_CODE[problem.code]
    except click.UsageError as problem:
        _report(session, _of_usage(problem))
        return ExitCode.USAGE
    except (click.Abort, KeyboardInterrupt):
        session.console.tell("\nStopped.")
        return ExitCode.INTERRUPTED
    except (BrokenPipeError, consoles.OutputLost):
        raise
    except click.ClickException as problem:
        return _failed(session, problem)
    except Exception as fault:  # noqa: BLE001  the last line of defence: one sentence, no traceback
        _report(session, _of_fault(fault))
        return ExitCode.FAILURE


def _failed(session: Session, problem: click.ClickException) -> int:
    from localmem.cli.diagnostics import Problem

    _report(session, Problem("failure", problem.format_message()))
    return ExitCode.FAILURE


def _dispatch(argv: list[str], session: Session) -> int:
    asked = session.console.environment.get(COMPLETE)
    if asked:
        return _complete(session, asked)
    try:
        with cli.make_context(NAME, list(argv), obj=session) as context:
            answered = cli.invoke(context)
    except click.exceptions.Exit as done:
        return done.exit_code
    return int(answered) if isinstance(answered, int) else ExitCode.DONE


def _complete(session: Session, asked: str) -> int:
    """What the shell's script asked for; nothing when something else asked."""
    from localmem.cli.completion import answer

    return answer(cli, session, asked)


def _open_app(session: Session) -> int:
    if not session.console.is_terminal:
        raise click.UsageError(
            "localmem opens its app in a terminal, and this is none. For scripts there are "
            "commands: `localmem list`, `localmem search WORDS`, `localmem --help`."
        )
    from localmem.tui.main import run as run_app

    return run_app(session.home(quiet=True))


def _wants_json(argv: list[str]) -> bool:
    """Read before parsing, so that a command line that cannot be parsed is answered in JSON too."""
    options = argv[: argv.index("--")] if "--" in argv else argv
    return "--json" in options


def _report(session: Session, problem: Problem) -> None:
    from localmem.cli.diagnostics import report

    report(session.console, problem, as_json=session.as_json)
    if os.environ.get(DEBUG) == "1" and problem.code == "fault":
        session.console.tell(traceback.format_exc())


def _of_error(problem: LocalmemError, session: Session) -> Problem:
    from localmem.cli.diagnostics import Problem

    hint = problem.hint
    if problem.code == "secret_rejected":
        hint = "Keep it in a password manager; --keep-secret keeps it here all the same."
    return Problem(problem.code, problem.message, hint, problem.details, session.typed)


def _of_usage(problem: click.UsageError) -> Problem:
    from localmem.cli.diagnostics import Problem

    message = problem.format_message()
    if message.startswith("Got unexpected extra argument"):
        # click repeats what was typed there, which may be what somebody meant to keep.
        message = "There are more arguments than this command takes; put text in quotes."
    hint = ""
    if isinstance(problem, click.NoSuchOption) and isinstance(_command(problem), Group):
        # click's guess is among the group's own options, and misleads.
        message = f"{problem.option_name} does not stand before a command."
        hint = "Options of a command stand after it, as in `localmem list --json`."
    elif isinstance(problem, click.NoSuchOption) and not problem.possibilities:
        hint = 'Text that begins with - goes behind --, as in `localmem add -- "-5 degrees"`.'
    elif problem.ctx is not None:
        hint = f"`{problem.ctx.command_path} --help` shows how it is used."
    return Problem("invalid_request", message, hint)


def _command(problem: click.UsageError) -> click.Command | None:
    return problem.ctx.command if problem.ctx is not None else None


def _of_fault(fault: Exception) -> Problem:
    from localmem.cli.diagnostics import Problem

    return Problem(
        "fault",
        f"localmem stopped on a fault of its own ({type(fault).__name__}).",
        f"Please report it: {DEBUG}=1 shows the traceback to send.",
    )
