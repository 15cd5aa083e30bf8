"""The `localmem` script: argv to one surface. `--version` imports nothing else.

Ctrl-C is quiet from the first import on: there is nobody yet who could say a sentence.
"""

from __future__ import annotations

import gc
import sys

STOPPED = 130
"""What shells expect of a program that Ctrl-C ended."""


def main() -> None:
    """Run the surface that argv names and exit with its code."""
    try:
        code = _run(sys.argv[1:])
    except KeyboardInterrupt:
        code = STOPPED
    sys.exit(code)


def _run(arguments: list[str]) -> int:
    if arguments in (["--version"], ["-V"]) and _say_version():
        return 0
    if not arguments and _in_terminal():
        return _open_app()
    from localmem.cli.main import run

    return run(arguments)


def _in_terminal() -> bool:
    try:
        return sys.stdin.isatty() and sys.stdout.isatty()
    except (AttributeError, ValueError):
        return False  # closed before we started


def _open_app() -> int:
    """The app alone; the command line is loaded only to say why it could not be opened."""
    # All that is made until the first frame is kept anyway; looking for what is not, again and
    # again, takes a tenth of the start. The app turns it on when its rows are there.
    gc.disable()
    from localmem.tui.main import run_own

    try:
        return run_own()
    except Exception as problem:  # noqa: BLE001 - the last line of defence: a sentence, no traceback
        from localmem.cli.main import refused

        return refused(problem)


def _say_version() -> bool:
    """False where it could not be written; then the command line answers, which says why."""
    from localmem import __version__

    if sys.stdout is None:
        return False  # closed before we started
    try:
        sys.stdout.write(f"localmem {__version__}\n")
        sys.stdout.flush()
    except (OSError, ValueError):
        return False
    return True


if __name__ == "__main__":
    main()
