"""`localmem doctor`: what is wrong with the library, and mending what can be mended safely.

Changes nothing without `--fix` or `--mask`. Refuses to mask without being asked for it by name:
that alone cannot be undone.
"""

from __future__ import annotations

import textwrap
from collections.abc import Sequence
from typing import TYPE_CHECKING

import click

from localmem.cli import answers, options
from localmem.cli.exit_codes import ExitCode
from localmem.cli.framework import command
from localmem.cli.session import Session
from localmem.core.health import Finding, Gravity
from localmem.core.model import ItemId, Json
from localmem.core.visible import visible
from localmem.errors import InvalidSettings, LocalmemError

if TYPE_CHECKING:
    from localmem.doctor import Mended, Patient

_MARK = {Gravity.OK: "✓ ok     ", Gravity.NOTE: "• note   ", Gravity.PROBLEM: "✗ problem"}
_INDENT = " " * 11
WIDEST = 100
EVERYTHING = "all"


@command(
    "doctor",
    examples=[
        "localmem doctor",
        "localmem doctor --fix               # asks before each",
        "localmem doctor --fix --yes --json | jq '.mended'",
        "localmem doctor --mask 0199c1b2-3d4e",
        "localmem doctor --report            # for a bug report",
    ],
)
@click.option("--fix", is_flag=True, help="Mend what can be mended safely, asking before each.")
@click.option(
    "--mask",
    type=options.ID,
    metavar="ID|all",
    multiple=True,
    help="Mask the secrets of this memory for good, in every version; may be given again.",
)
@click.option("--report", is_flag=True, help="Codes and ids alone, safe to paste anywhere.")
@options.yes_option
@click.pass_obj
def doctor(session: Session, fix: bool, mask: tuple[str, ...], report: bool, yes: bool) -> ExitCode:
    """Check the library, its files and its settings; mend what can be mended.

    Each finding says how bad it is, one fix, and how that is undone. Nothing is changed without
    --fix or --mask. The exit code is 0 when there is no problem, and 9 when there is one.
    """
    if mask:
        return _mask(session, mask, yes=yes)
    found = _examined(session)
    if report:
        return _reported(session, found)
    if not fix:
        session.answer(_shape(found, ()), _lines(session, found))
        _advise(session, found)
        return _code(found)
    return _fixed(session, found, yes=yes)


def _examined(session: Session) -> tuple[Finding, ...]:
    from localmem.doctor import examine

    try:
        patient = session.patient()
    except InvalidSettings as problem:
        return (Finding(problem.code, Gravity.PROBLEM, problem.message, fix=problem.hint),)
    found = examine(patient, say=session.console.progress)
    session.console.progress("")
    return found


def _code(found: Sequence[Finding]) -> ExitCode:
    bad = any(each.gravity is Gravity.PROBLEM for each in found)
    return ExitCode.UNWELL if bad else ExitCode.DONE


# showing


def _lines(session: Session, found: Sequence[Finding]) -> list[str]:
    room = min(session.console.room or WIDEST, WIDEST)
    return [line for each in found for line in _finding(session, each, room)]


def _finding(session: Session, each: Finding, room: int) -> list[str]:
    first, *rest = _wrapped(visible(each.said), room, f"{_MARK[each.gravity]}  ")
    if each.gravity is Gravity.PROBLEM:
        first = session.console.strong(first)
    lines = [first, *rest]
    for text in each.lines:
        lines += _wrapped(visible(text), room, f"{_INDENT}- ", f"{_INDENT}  ")
    if each.gravity is not Gravity.OK:
        for title, text in (("Fix", each.fix), ("Undo", each.undo)):
            if text:
                lines += _wrapped(f"{title}: {visible(text)}", room, _INDENT)
    return lines


def _wrapped(text: str, room: int, first: str, later: str = _INDENT) -> list[str]:
    return textwrap.wrap(
        text, room, initial_indent=first, subsequent_indent=later, break_on_hyphens=False
    ) or [first]


def _advise(session: Session, found: Sequence[Finding]) -> None:
    if session.as_json:
        return
    mendable = sum(each.mends for each in found)
    if mendable:
        session.warn(f"`localmem doctor --fix` mends {mendable} of these; it asks before each.")
    elif _code(found) is ExitCode.DONE:
        session.done("Nothing is wrong.")


def _shape(found: Sequence[Finding], mended: Sequence[Json]) -> dict[str, Json]:
    worst = max((list(Gravity).index(each.gravity) for each in found), default=0)
    return {
        "state": str(list(Gravity)[worst]),
        "findings": [_of(each) for each in found],
        "mended": list(mended),
    }


def _of(each: Finding) -> dict[str, Json]:
    shape: dict[str, Json] = {
        "code": str(each.code), "gravity": str(each.gravity), "said": each.said,
    }  # fmt: skip
    if each.fix:
        shape |= {"fix": each.fix, "undo": each.undo, "mends": each.mends}
    if each.count is not None:
        shape["count"] = each.count
    if each.ids:
        shape["ids"] = list(each.ids)
    if each.lines:
        shape["details"] = list(each.lines)
    return shape


def _reported(session: Session, found: Sequence[Finding]) -> ExitCode:
    """Codes, counts and ids: no path, no name and no sentence, which may hold either."""
    from localmem.doctor.report import about

    facts: dict[str, Json] = {**about()}
    findings: list[Json] = [
        {
            "code": str(each.code),
            "gravity": str(each.gravity),
            **({"count": each.count} if each.count is not None else {}),
            **({"ids": list(each.ids)} if each.ids and each.code not in _NAMES_FILES else {}),
        }
        for each in found
    ]
    lines = [f"{name}: {value}" for name, value in facts.items()]
    for each in found:
        count = "" if each.count is None else f"  {each.count}"
        ids = f"  {' '.join(each.ids)}" if each.ids and each.code not in _NAMES_FILES else ""
        lines.append(f"{each.gravity:<7}  {each.code}{count}{ids}")
    session.answer({**facts, "findings": findings}, lines)
    return _code(found)


_NAMES_FILES = frozenset(
    {"files_open_to_others", "files_of_somebody_else", "files_read_only", "temporary_files",
     "old_models", "copies_kept", "secrets"}
)  # fmt: skip
"""Findings whose ids are names of files, or of the places of drafts."""


# mending


def _fixed(session: Session, found: Sequence[Finding], *, yes: bool) -> ExitCode:
    """Mend one after the other, say what was done, and look again."""
    from localmem.doctor.mending import before_opening

    # Opening the library closes its files to others too, and would leave nothing to say of it.
    mendable = sorted((each for each in found if each.mends), key=lambda f: not before_opening(f))
    if not session.as_json:
        for line in _lines(session, [each for each in found if each.gravity is not Gravity.OK]):
            session.console.line(line)
    if mendable and not yes and not session.console.can_ask:
        raise click.UsageError(
            "Mending asks before each, and nobody can be asked here: add --yes. Nothing was done."
        )
    patient = session.patient() if mendable else None
    done = [_mend(session, patient, each, yes=yes) for each in mendable if patient is not None]
    after = _examined(session) if mendable else tuple(found)
    if session.as_json:
        session.answer(_shape(after, [shape for shape in done if shape is not None]), [])
    else:
        _conclude(session, after)
    return _code(after)


def _mend(
    session: Session, patient: Patient, each: Finding, *, yes: bool
) -> dict[str, Json] | None:
    from localmem.doctor import mend

    room = min(session.console.room or WIDEST, WIDEST) - len("  ")
    texts = (each.said, f"Fix: {each.fix}", f"Undo: {each.undo}" if each.undo else "")
    asked = [line for text in texts if text for line in _wrapped(visible(text), room, "", "  ")]
    if not answers.confirmed(session, "Mend it?", asked, yes=yes, otherwise="Left as it is."):
        return {"code": str(each.code), "done": False, "said": "Left as it is."}
    try:
        mended = mend(patient, each, step=lambda left: session.console.progress(f"{left:,} left …"))
    except (LocalmemError, OSError) as problem:
        said = problem.message if isinstance(problem, LocalmemError) else str(problem.strerror)
        session.warn(f"Not mended: {said}")
        return {"code": str(each.code), "done": False, "said": said}
    session.console.progress("")
    _tell(session, mended)
    return {"code": str(each.code), "done": True, "said": mended.said, "undo": mended.undo}


def _tell(session: Session, mended: Mended) -> None:
    if session.as_json:
        return
    room = min(session.console.room or WIDEST, WIDEST)
    for line in _wrapped(f"Done: {visible(mended.said)} {visible(mended.undo)}", room, "", "  "):
        session.console.line(line)


def _conclude(session: Session, after: Sequence[Finding]) -> None:
    left = [each for each in after if each.gravity is Gravity.PROBLEM]
    if not left:
        session.console.line("Looked again: nothing is wrong.")
        return
    session.console.line("Looked again. Still there:")
    for line in _lines(session, left):
        session.console.line(line)


# masking


def _mask(session: Session, mask: Sequence[str], *, yes: bool) -> ExitCode:
    with session.writing() as engine:
        ids: list[ItemId] | None = None
        if EVERYTHING not in mask:
            ids = [engine.library.resolve(text) for text in mask]
        exposed = [each for each in engine.health.exposures() if ids is None or each.id in ids]
        from localmem.doctor.library import exposed as line_of

        if exposed and not any(each.versions for each in exposed):
            # A name is shown wherever what it names is; under a mask it would be another one.
            session.answer({"masked": 0}, [visible(line_of(each)) for each in exposed])
            session.warn("Nothing was masked: a name cannot be.")
            return ExitCode.FAILURE
        if not exposed:
            session.answer({"masked": 0}, ["Nothing there looks like a secret."])
            return ExitCode.DONE
        question = f"Mask the secrets of {len(exposed):,} for good? This cannot be undone."
        if not answers.confirmed(
            session, question, [line_of(each) for each in exposed[: answers.MOST_NAMED]],
            yes=yes, otherwise="Nothing was masked.",
        ):  # fmt: skip
            return ExitCode.FAILURE
        receipt = engine.health.mask(ids)
        return answers.receipt(session, receipt, "Masked")
