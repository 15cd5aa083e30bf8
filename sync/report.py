"""What a run did and how it ended, in words with a next step. Pure; tells nothing of contents."""

from __future__ import annotations

import json

from localmem.core.syncing import Counts, Outcome, Question, State
from sync.policy import Brake, Braked
from sync.run import Act, End, Ending, Tally

_STATES = {
    End.DONE: State.IN_STEP,
    End.NO_REPLY: State.OFFLINE,
    End.WAIT: State.LATER,
    End.SIGNED_OUT: State.SIGNED_OUT,
    End.CHANGED: State.WAITING,
    End.BRAKE: State.ASKING,
}
"""Total over End; a test asserts it."""

_HINTS = {
    End.DONE: "",
    End.NO_REPLY: "Nothing is lost: the next run goes on, by itself while the app is open.",
    End.WAIT: "Nothing is lost: the next run goes on once the server allows it.",
    End.SIGNED_OUT: "Everything is kept. Sign in again: `localmem account login`, or in the app.",
    End.CHANGED: "Nothing was deleted. The next run compares everything with it.",
    End.BRAKE: "",
}

_ACTS = (
    Act.SENT,
    Act.CHANGED_THERE,
    Act.DELETED_THERE,
    Act.TAKEN,
    Act.CHANGED_HERE,
    Act.DELETED_HERE,
    Act.CONFLICT,
    Act.BLOCKED,
)
"""In the order of the fields of Counts."""


def tell(outcome: Outcome) -> str:
    """An outcome as the list of runs keeps it; "" when all was in step."""
    if outcome.state is State.IN_STEP and not outcome.counts:
        return ""
    return json.dumps([outcome.state, outcome.counts, *outcome[2:6], outcome.question])


def told(text: str) -> Outcome:
    """What `tell` wrote down."""
    if not text:
        return Outcome(State.IN_STEP)
    state, counted, message, hint, code, wait, asked = json.loads(text)
    return Outcome(
        State(state),
        tuple(Counts(*each) for each in counted),
        message,
        hint,
        code,
        wait,
        None if asked is None else Question(*asked),
    )


def counts(tally: Tally) -> tuple[Counts, ...]:
    scopes = sorted({scope for scope, _ in tally.acts})
    found = [Counts(scope, *(tally.acts.get((scope, act), 0) for act in _ACTS)) for scope in scopes]
    return tuple(each for each in found if each.anything)


def outcome(ending: Ending, tally: Tally, requests: int) -> Outcome:
    asked = None if ending.braked is None else question(ending.braked)
    return Outcome(
        _STATES[ending.end],
        counts(tally),
        asked.text if asked else ending.message,
        asked.hint if asked else _HINTS[ending.end],
        ending.code,
        ending.wait,
        asked,
        requests,
    )


def question(braked: Braked) -> Question:
    text, hint = _ask(braked)
    return Question(
        braked.brake, braked.items, braked.among, braked.scope, braked.allowance, text, hint
    )


def _ask(braked: Braked) -> tuple[str, str]:
    items, among = f"{braked.items:,}", f"{braked.among:,}"
    match braked.brake:
        case Brake.MANY_GONE:
            return (
                f"{items} of {among} memories of {braked.scope} are gone on the server and would "
                "be removed here too. Nothing was removed.",
                "Say yes only if they were meant to go; `localmem backup FILE` keeps a copy first.",
            )
        case Brake.FIRST_PUSH:
            return (
                f"This account has seen nothing of this library yet: {items} memories would be "
                "sent to it. Nothing was sent.",
                "Look at a preview first, or say yes.",
            )
        case Brake.WENT_BACK:
            lost = f"{items} memories would be sent to it again. " if braked.items else ""
            return (
                "The server no longer has what it had: it was emptied, or brought back from an "
                f"older copy. {lost}Nothing was removed here.",
                "Say yes to fill it from this library; sign out if it was emptied on purpose.",
            )
        case Brake.OTHER_SERVER:
            return (
                "Another server, account or partition answers at this address than before. "
                "Nothing was sent to it.",
                "Check the address and the key, then sign in again; memories stay here meanwhile.",
            )
