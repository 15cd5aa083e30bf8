"""`localmem demo`: the app on a made-up library that is gone when it closes.

Refuses to touch the person's own library: it is never opened, and no file is written.
"""

from __future__ import annotations

import click

from localmem.cli.framework import command
from localmem.cli.session import Session


@command("demo", examples=["localmem demo"])
@click.pass_obj
def demo(session: Session) -> int:
    """Open the app on a made-up library, of which nothing is kept.

    It is not your library: that one is neither read nor changed. Everything works as in yours,
    and is gone when you leave.
    """
    if not session.console.is_terminal:
        raise click.UsageError(
            "The demo opens in a terminal, and this is none. To try a command on a library that "
            "can be thrown away, set LOCALMEM_HOME to an empty folder."
        )
    from localmem.tui.main import run_demo

    code = run_demo(session.home())
    if session.as_json:
        session.answer({"kept": 0}, [])
    session.done("The demo is closed; nothing of it was kept.")
    return code
