"""What a synchronisation did, how it stands and what waits: as lines, as JSON, as an exit code.

Pure: values in, lines out. What is stored, and what a server said, is made visible here.
"""

from __future__ import annotations

import textwrap
from collections.abc import Iterable, Mapping, Sequence

from localmem.cli import columns, present
from localmem.cli.exit_codes import ExitCode
from localmem.cli.present import Times
from localmem.core.accounts import Account
from localmem.core.model import Content, DocumentContent, FactContent, PreferenceContent
from localmem.core.preferences import describe
from localmem.core.syncing import (
    Clash,
    Counts,
    Look,
    Outcome,
    Past,
    Question,
    SignedIn,
    State,
    Status,
    Waiting,
)
from localmem.core.visible import visible
from localmem.wire.shapes import Shape, moment

LEFT_OUT = "left_out"
"""Why an item is held that the person left out: nobody has to do anything about it."""
ALL = "all"
OFF_MESSAGE, OFF_HINT = "Nobody is signed in.", "`localmem account login` signs in."

_ENDS: Mapping[State, ExitCode] = {
    State.OFF: ExitCode.SIGNED_OUT,
    State.IN_STEP: ExitCode.DONE,
    State.WAITING: ExitCode.DONE,
    State.WORKING: ExitCode.NO_ANSWER,
    State.OFFLINE: ExitCode.NO_ANSWER,
    State.LATER: ExitCode.NO_ANSWER,
    State.SIGNED_OUT: ExitCode.SIGNED_OUT,
    State.ASKING: ExitCode.ASKING,
    State.PAUSED: ExitCode.DONE,
}
"""Total over State, which a test asserts."""

_STATES: Mapping[State, str] = {
    State.OFF: "signed out: everything stays here",
    State.IN_STEP: "in step",
    State.WAITING: "something is to be sent, or was not looked for yet",
    State.WORKING: "synchronising just now",
    State.OFFLINE: "no answer from the server",
    State.LATER: "the server asks to wait",
    State.SIGNED_OUT: "the key is not let in",
    State.ASKING: "stopped before something large",
    State.PAUSED: "paused: it does not run by itself",
}
"""Total over State as well."""
_BUT_FOR = "sent and taken, but for what is open"

_HEADS = (
    "sent", "changed there", "deleted there", "taken", "changed here", "deleted here",
    "conflicts", "held",
)  # fmt: skip
_MEMBERS = (
    "sent", "changedThere", "deletedThere", "taken", "changedHere", "deletedHere",
    "conflicts", "held",
)  # fmt: skip
"""In the order of the fields of Counts."""
_SAID = (
    "sent {}", "changed {} there", "deleted {} there", "took {}", "changed {} here",
    "deleted {} here", "{} in conflict", "{} held",
)  # fmt: skip
_WOULD = "would be "
_WOULD_HEADS = (*(f"{_WOULD}{head}" for head in _HEADS[:6]), "conflicts", f"{_WOULD}held")
_WOULD_SAID = (*(f"{{}} {head}" for head in _WOULD_HEADS[:6]), "{} in conflict", "{} would be held")
"""The same of what was only looked at."""


# how it ended


def ended(state: State, *, conflicts: int = 0, refused: int = 0) -> ExitCode:
    """The exit code of a run, or of how things stand."""
    code = _ENDS[state]
    if code is not ExitCode.DONE:
        return code
    if conflicts:
        return ExitCode.CONFLICTS
    return ExitCode.HELD if refused else ExitCode.DONE


def refused(waiting: Iterable[Waiting]) -> int:
    """How many items the server does not take: held, and not because the person said so."""
    return sum(each.code not in ("", LEFT_OUT) for each in waiting)


def left_out(waiting: Iterable[Waiting]) -> int:
    return sum(each.code == LEFT_OUT for each in waiting)


def joined(outcomes: Sequence[Outcome]) -> Outcome:
    """Several tries of one command, as one: the last one's end with what all of them did."""
    *before, last = outcomes
    if not before:
        return last
    scopes: dict[str, list[int]] = {}
    for outcome in outcomes:
        for each in outcome.counts:
            held = scopes.setdefault(each.scope, [0] * len(_HEADS))
            moved = [old + new for old, new in zip(held[:6], each[1:7], strict=True)]
            # Conflicts and what is held are met again by each try.
            met = [max(old, new) for old, new in zip(held[6:], each[7:], strict=True)]
            scopes[each.scope] = [*moved, *met]
    counts = tuple(Counts(scope, *scopes[scope]) for scope in sorted(scopes))
    return last._replace(counts=counts, requests=sum(each.requests for each in outcomes))


def problem_of(outcome: Outcome) -> tuple[str, str, str]:
    """Code, message and next step of a run that did not go through."""
    if outcome.state is State.OFF and not outcome.message:
        return "not_signed_in", OFF_MESSAGE, OFF_HINT
    if outcome.question is not None:
        asked = outcome.question
        return outcome.code or asked.brake, asked.text, asked.hint
    message = outcome.message or f"It did not go through: {_STATES[outcome.state]}."
    return outcome.code or str(outcome.state), message, outcome.hint


def state(of: State) -> str:
    """In words, to stand behind a name."""
    return _STATES[of]


# counts


def table(counts: Sequence[Counts], room: int | None, *, would: bool = False) -> list[str]:
    """A line for each scope under one of names; columns in which nothing is are left out.

    Where there is no room for that, each scope with its sentence. `would`: nothing of it was done.
    """
    if not counts:
        return []
    total = Outcome(State.IN_STEP, tuple(counts)).total
    shown = [*counts, total._replace(scope=ALL)] if len(counts) > 1 else list(counts)
    heads = _WOULD_HEADS if would else _HEADS
    lines = columns.lines(_grid(shown, total, heads), room=None)
    if room is None or max(map(columns.width, lines)) <= room:
        return lines
    sentences = (f"{visible(each.scope)}: {summary(each, would=would)}" for each in shown)
    return [
        part for each in sentences for part in textwrap.wrap(each, room, subsequent_indent="  ")
    ]


def _grid(shown: Sequence[Counts], total: Counts, heads: Sequence[str]) -> list[list[str]]:
    there = [n for n, number in enumerate(total[1:]) if number]
    rows = [["scope", *(heads[n] for n in there)]]
    for each in shown:
        numbers = [f"{each[1 + n]:>{len(heads[n])},}" for n in there]
        rows.append([visible(each.scope), *numbers])
    return rows


def summary(counts: Counts, *, would: bool = False) -> str:
    """`sent 3, took 2, 1 in conflict`; `3 would be sent`."""
    phrases = _WOULD_SAID if would else _SAID
    said = [words.format(f"{n:,}") for words, n in zip(phrases, counts[1:], strict=True) if n]
    return ", ".join(said) or "nothing"


def counted(counts: Counts) -> Shape:
    scope: Shape = {"scope": counts.scope} if counts.scope else {}
    return scope | dict(zip(_MEMBERS, counts[1:], strict=True))


# JSON


def outcome(run: Outcome) -> Shape:
    """`{state, code?, message?, hint?, waitSeconds?, question?, run?, requests, scopes, total}`."""
    shape: Shape = {"state": str(run.state)}
    if run.state not in (State.IN_STEP, State.WAITING, State.PAUSED):
        code, message, hint = problem_of(run)
        shape |= {"code": code, "message": message} | _text("hint", hint)
    if run.wait is not None:
        shape["waitSeconds"] = run.wait
    if run.question is not None:
        shape["question"] = question(run.question)
    if run.run is not None:
        shape["run"] = run.run
    scopes = [counted(each) for each in run.counts]
    return shape | {"requests": run.requests, "scopes": [*scopes], "total": counted(run.total)}


def question(asked: Question) -> Shape:
    return {
        "brake": asked.brake,
        "items": asked.items,
        "among": asked.among,
        **_text("scope", asked.scope),
        "allowance": asked.allowance,
        "text": asked.text,
        "hint": asked.hint,
    }


def status(now: Status) -> Shape:
    """`{state, account?, message?, hint?, waiting, conflicts, held, last?, again?, question?, …}`.

    `account` is null where nobody is signed in.
    """
    shape: Shape = {
        "state": str(now.state),
        "account": account(now.account) if now.account else None,
        **_text("message", now.message),
        **_text("hint", now.hint),
        "waiting": due(now),
        "conflicts": now.conflicts,
        "held": now.held,
    }
    for name, at in (("last", now.last), ("again", now.again)):
        if at is not None:
            shape[name] = moment(at)
    if now.question is not None:
        shape["question"] = question(now.question)
    return shape | {"feed": now.feed}


def account(of: Account) -> Shape:
    return {
        "url": of.url,
        "label": of.label,
        "server": of.server,
        "account": of.account,
        "partition": of.partition,
        "signedInAt": moment(of.signed_in_at),
    }


def signed_in(done: SignedIn) -> Shape:
    return {
        "account": account(done.account),
        "first": done.first,
        "here": done.here,
        "there": done.there,
        "where": done.where,
        "warnings": list(done.warnings),
    }


def look(found: Look) -> Shape:
    return {
        **outcome(found.outcome),
        "dryRun": True,
        "items": [waiting(each) for each in found.waiting],
        "more": found.more,
    }


def waiting(each: Waiting) -> Shape:
    """`{id, act, kind, scope, title, item?, code?, message?, until?}`."""
    shape: Shape = {
        "id": each.id,
        "act": each.act,
        "kind": str(each.kind),
        "scope": str(each.scope),
        "title": each.title,
        **_text("item", each.item),
        **_text("code", each.code),
        **_text("message", each.message),
    }
    return shape | ({"until": moment(each.until)} if each.until is not None else {})


def clash(each: Clash, *, whole: bool) -> Shape:
    """`{id, kind, scope, title, why, text, since, item?, parts, …}`; the three sides when whole."""
    shape: Shape = {
        "id": each.id,
        "kind": str(each.kind),
        "scope": str(each.scope),
        "title": each.title,
        "why": each.why,
        "text": each.text,
        "since": moment(each.since),
        **_text("item", each.item),
        "parts": [list(part) for part in each.parts],
    }
    if not whole:
        return shape
    theirs = _side(each.theirs)
    if theirs is not None and each.theirs_by is not None:
        theirs["by"] = {"kind": str(each.theirs_by.kind), "name": each.theirs_by.name}
    if theirs is not None and each.theirs_at is not None:
        theirs["at"] = moment(each.theirs_at)
    return shape | {"base": _side(each.base), "mine": _side(each.mine), "theirs": theirs}


def past(run: Past, *, going: bool = False) -> Shape:
    """`{run, startedAt, endedAt, running?, code?, message?, undoable, undone, scopes, total}`."""
    total = Outcome(State.IN_STEP, run.counts).total
    running: Shape = {"running": True} if going else {}
    return running | {
        "run": run.id,
        "startedAt": moment(run.started_at),
        "endedAt": moment(run.ended_at) if run.ended_at is not None else None,
        **_text("code", run.code),
        **_text("message", run.message),
        "undoable": run.undoable,
        "undone": run.undone,
        "scopes": [counted(each) for each in run.counts],
        "total": counted(total),
    }


def _side(content: Content | None) -> Shape | None:
    match content:
        case None:
            return None
        case FactContent():
            shape: Shape = {"text": content.text}
            if content.metadata:
                shape["metadata"] = dict(content.metadata)
            return shape | _text("path", content.path)
        case PreferenceContent(value):
            return {"value": value if isinstance(value, str) else list(value)}
        case DocumentContent(value):
            return {"value": value}


def _text(name: str, text: str | None) -> Shape:
    return {name: text} if text else {}


# lines


def standing(now: Status, times: Times, held: Sequence[Waiting] = ()) -> list[list[str]]:
    """How it stands, as names and values; `held` tells what was left out from what was refused."""
    rows = [["state", stands(now)]]
    if now.account is not None:
        rows.insert(0, ["account", named(now.account)])
        rows.append(["last in step", "never" if now.last is None else times.at(now.last)])
        rows.append(["to be sent", f"{due(now):,}"])
    if now.conflicts:
        rows.append(["conflicts", f"{now.conflicts:,}: `localmem sync conflicts`"])
    out = left_out(held)
    if now.held > out:
        rows.append(["held", f"{now.held - out:,}: `localmem sync waiting`"])
    if out:
        rows.append(["left out", f"{out:,}: `localmem sync waiting`"])
    if now.again is not None:
        rows.append(["again", times.until(now.again)])
    if now.account is not None and not now.feed:
        rows.append(["changes there", "seen when everything is listed, so later"])
    return rows


def stands(now: Status) -> str:
    """The state in words; in step is only what has nothing open."""
    if now.state is State.IN_STEP and (now.conflicts or now.held):
        return _BUT_FOR
    return _STATES[now.state]


def due(now: Status) -> int:
    """How many are to be sent by the next run: without those that are held."""
    return max(now.waiting - now.held, 0)


def named(of: Account) -> str:
    """`Ana's laptop (live) at https://memory.example.com`."""
    return visible(f"{of.label or of.account} ({of.partition}) at {of.url}")


def to_send(each: Waiting, times: Times | None = None) -> list[str]:
    """A line of what is to be sent or held; `times` shows until when."""
    why = " ".join(part for part in (each.message or each.code,) if part)
    until = f" Until {times.at(each.until)}." if times and each.until is not None else ""
    title = each.title or ("what was forgotten here" if each.act == "delete" else "")
    told = f"{title}  ({why}{until})" if why else title
    return [each.act, str(each.kind), str(each.scope), visible(told)]


def conflict(each: Clash) -> list[str]:
    return [visible(each.id), str(each.kind), str(each.scope), each.why, visible(each.title)]


def sides(each: Clash, times: Times) -> list[str]:
    """What both started from, what is here and what is there, in three blocks."""
    by = ""
    if each.theirs_by is not None:
        by = f" by {visible(each.theirs_by.name)} ({each.theirs_by.kind})"
    if each.theirs_at is not None:
        by += f", {times.at(each.theirs_at)}"
    missing = "nothing: it is gone there, or cannot be read"
    return [
        *_block("base", each.base, "nothing both started from is known"),
        "",
        *_block("mine", each.mine, "nothing: it is gone here"),
        "",
        *_block(f"theirs{by}", each.theirs, missing),
    ]


def _block(head: str, content: Content | None, missing: str) -> list[str]:
    lines = [f"({missing})"] if content is None else _lines(content)
    return [f"{head}:", *(f"  {line}" for line in lines)]


def _lines(content: Content) -> list[str]:
    match content:
        case FactContent():
            about = [f"path: {content.path}"] if content.path else []
            about += [f"{name} = {value}" for name, value in content.metadata.items()]
            text = content.text
            return [*_shown(text), *(visible(each) for each in about)]
        case PreferenceContent(value):
            return _shown(describe(value))
        case DocumentContent(value):
            return _shown(present.pretty(value))


def _shown(text: str) -> list[str]:
    return visible(text, keep_newlines=True).split("\n")


def part(path: Sequence[str]) -> str:
    """What both changed: `a.b`, or all of it."""
    return visible(".".join(path)) or "all of it"


def ran(run: Past, times: Times, *, going: bool = False) -> list[str]:
    """A line of the list of runs; `going`: it runs just now."""
    total = Outcome(State.IN_STEP, run.counts).total
    said = summary(total) if total.anything or not run.message else ""
    if run.ended_at is None:
        end = "runs just now" if going else "did not end"
        said = end + (f"; {said}" if total.anything else "")
    if run.message:
        said = f"{said}; {run.message}" if said else run.message
    back = "undone" if run.undone else f"{run.undoable:,} can go back" if run.undoable else ""
    return [str(run.id), times.at(run.started_at), back or present.NOTHING, visible(said)]


def aligned(rows: Sequence[Sequence[str]], room: int | None) -> list[str]:
    return columns.lines(rows, room=room, widest=40)
