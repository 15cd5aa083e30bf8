"""Writes and removes the file of the service that runs `localmem sync --watch`.

Switches nothing on or off itself: it says the commands. Refuses to touch a file it did not write.
"""

from __future__ import annotations

import os
import shlex
import sys
import tempfile
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import NamedTuple

import click

from localmem.cli import service_files
from localmem.cli.diagnostics import Problem, report
from localmem.cli.exit_codes import ExitCode
from localmem.cli.service_files import MARK, Service
from localmem.cli.session import Session
from localmem.core.visible import visible
from localmem.errors import InvalidSettings
from localmem.wire.shapes import Shape

NAME = "localmem"
MOST_READ = 65_536


class Place(NamedTuple):
    file: Path
    text: str
    on: tuple[str, ...]
    """Commands that switch it on."""
    off: tuple[str, ...]
    """Commands that make the system forget it, once the file is gone."""
    link: Path | None = None
    """What switching it on leaves beside it."""


def show(session: Session) -> ExitCode:
    place = _place(session)
    session.answer(
        {"file": str(place.file), "written": False, "text": place.text}, place.text.splitlines()
    )
    return ExitCode.DONE


def install(session: Session) -> ExitCode:
    place = _place(session)
    if not _is_ours(place.file):
        return _not_ours(session, place.file)
    _write(place.file, place.text)
    _answer(session, place, written=True)
    if not session.as_json:
        session.warn("It is written, and runs once you switch it on:")
        _say(session, place.on)
        for name in service_files.KEYS:
            if session.console.environment.get(name):
                session.warn(
                    f"{name} is set here and not in the service, whose file never holds a secret. "
                    f"Keep it in a file, set {name}_FILE to that, and install the service again."
                )
    return ExitCode.DONE


def remove(session: Session) -> ExitCode:
    place = _place(session)
    if not os.path.lexists(place.file):
        _answer(session, place, written=False)
        session.warn("There is no such service; nothing was done.")
        return ExitCode.DONE
    if not _is_ours(place.file):
        return _not_ours(session, place.file)
    try:
        place.file.unlink()
        if place.link is not None and place.link.is_symlink():
            place.link.unlink()
    except OSError as problem:
        raise _failed(place.file, problem) from problem
    _answer(session, place, written=False)
    if not session.as_json:
        session.warn("Its file is removed. Where it runs, this stops it:")
        _say(session, place.off)
    return ExitCode.DONE


# where and what


def _place(session: Session) -> Place:
    """Raises UsageError where there are no such services, InvalidSettings for unfit names."""
    session.home()
    environment = session.console.environment
    service = Service([*_program(), "sync", "--watch"], _whole(environment))
    if sys.platform == "win32":
        raise click.UsageError(
            "Windows has no such file: let the Task Scheduler run `localmem sync --watch`."
        )
    on_mac = sys.platform == "darwin"
    unfit = service_files.unfit if on_mac else service_files.unfit_for_systemd
    if why := unfit(service):
        raise InvalidSettings(
            f"No service can be written: {why}.", hint="Give that folder another name."
        )
    return _agent(service) if on_mac else _unit(service, environment)


def _unit(service: Service, environment: Mapping[str, str]) -> Place:
    base = environment.get("XDG_CONFIG_HOME", "")
    config = Path(base) if os.path.isabs(base) else Path.home() / ".config"
    folder = config / "systemd" / "user"
    name, ctl = service_files.UNIT, "systemctl --user"
    return Place(
        folder / name,
        service_files.systemd_unit(service),
        (f"{ctl} daemon-reload", f"{ctl} enable --now {name}"),
        (f"{ctl} stop {name}", f"{ctl} daemon-reload"),
        folder / f"{service_files.WANTED_BY}.wants" / name,
    )


def _agent(service: Service) -> Place:
    file = Path.home() / "Library" / "LaunchAgents" / f"{service_files.LABEL}.plist"
    me = f"gui/{os.getuid()}"
    return Place(
        file,
        service_files.launchd_agent(service),
        (f"launchctl bootstrap {me} {shlex.quote(str(file))}",
         f"launchctl kickstart {me}/{service_files.LABEL}"),
        (f"launchctl bootout {me}/{service_files.LABEL}",),
    )  # fmt: skip


def _program() -> list[str]:
    """This localmem, by its whole path; a link to it is kept, which an upgrade leaves in place."""
    named = os.path.abspath(sys.argv[0])
    if os.path.basename(named) == NAME and os.access(named, os.X_OK) and os.path.isfile(named):
        return [named]
    return [os.path.abspath(sys.executable), "-m", NAME]


def _whole(environment: Mapping[str, str]) -> dict[str, str]:
    """What the service is told, with whole paths: it starts in another folder."""
    found = service_files.carried(environment)
    for name in service_files.PATHS & found.keys():
        found[name] = os.path.abspath(os.path.expanduser(found[name]))
    return found


# the file


def _is_ours(file: Path) -> bool:
    """Whether nothing is there, or what we wrote."""
    if not os.path.lexists(file):
        return True
    try:
        with file.open("rb") as opened:
            return MARK.encode() in opened.read(MOST_READ)
    except OSError:
        return False


def _write(file: Path, text: str) -> None:
    """Whole or not at all. Raises InvalidSettings."""
    partial = ""
    try:
        file.parent.mkdir(parents=True, exist_ok=True)
        handle, partial = tempfile.mkstemp(prefix=".localmem-", dir=file.parent)
        with open(handle, "w", encoding="utf-8", newline="\n") as out:
            out.write(text)
            out.flush()
            os.fsync(out.fileno())
        os.replace(partial, file)
    except OSError as problem:
        if partial:
            Path(partial).unlink(missing_ok=True)
        raise _failed(file, problem) from problem


def _failed(file: Path, problem: OSError) -> InvalidSettings:
    return InvalidSettings(
        f"{file} cannot be written: {problem.strerror or problem}.",
        hint="Nothing was changed. `localmem sync --install-service --print` shows the file.",
    )


def _not_ours(session: Session, file: Path) -> ExitCode:
    problem = Problem(
        "service_exists",
        f"{file} is there already and was not written by localmem, so it was left as it is.",
        "Move it away first; `localmem sync --install-service --print` shows what would be there.",
    )
    report(session.console, problem, as_json=session.as_json)
    return ExitCode.REFUSED


def _answer(session: Session, place: Place, *, written: bool) -> None:
    commands = place.on if written else place.off
    shape: Shape = {"file": str(place.file), "written": written, "commands": list(commands)}
    session.answer(shape, [visible(str(place.file))])


def _say(session: Session, commands: Sequence[str]) -> None:
    for command in commands:
        session.warn(f"  {command}")
