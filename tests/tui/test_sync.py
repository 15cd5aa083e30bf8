"""Synchronisation in the app: how it stands, what waits, the runs, what a person is asked."""

from __future__ import annotations

from datetime import UTC

import pytest

from localmem.core.model import ItemId
from localmem.core.syncing import Counts, Look, Outcome, State, Status
from localmem.engine import Engine
from localmem.tui.present import standing, sync_pages, sync_state
from localmem.tui.present.words import stamp
from localmem.tui.screens.ask import AskScreen
from localmem.tui.screens.count import CountScreen
from localmem.tui.screens.look_ahead import LookScreen
from localmem.tui.synchronising import Seen
from tests.support import screen
from tests.support import syncing as fake
from tests.support.hostile import HOSTILE
from tests.support.library import NOW
from tests.support.syncing import FakeBackground, FakeSynchroniser, FakeSyncing
from tests.tui.conftest import Open, Running
from tests.tui.test_bursts import settled

SIZES = [(120, 36), (80, 24), (60, 20), (40, 12)]
TO_SYNC = ("left", "G", "right")


def one_fact(engine: Engine) -> None:
    engine.facts.add("Prefers tea.")


def signed_in(**more: object) -> FakeSyncing:
    return FakeSyncing(fake.ACCOUNT, **more)  # type: ignore[arg-type]


def synchroniser(
    syncing: FakeSyncing | None = None, background: FakeBackground | None = None
) -> FakeSynchroniser:
    return FakeSynchroniser(syncing or signed_in(), background or FakeBackground())


def busy() -> FakeSyncing:
    """Something of each: to send, held, in conflict, run."""
    return signed_in(
        queue=[
            fake.to_send(title="Drinks coffee."),
            fake.to_send("5e4d0002", "change", title="Eats fish.", code="memory_value_invalid",
                         message="The server does not take that value."),
            fake.to_send("5e4d0003", "delete", title=""),
        ],
        clashes=[fake.order_clash()],
        past=[
            fake.ran(3, Counts("project", 3), Counts("person", taken=2, deleted_here=1),
                     undoable=2),
            fake.ran(2, code="offline", message="memory.example.com does not answer."),
            fake.ran(1, ended_at=None),
        ],
    )  # fmt: skip


def top(running: Running) -> str:
    return running.text.splitlines()[0]


# how it stands


def test_every_state_has_words_and_a_sign_of_its_own() -> None:
    assert set(sync_pages._STATES) == set(State)
    signs = {}
    for state in State:
        waiting = 0 if state is State.IN_STEP else 3
        seen = Seen(status=Status(state, fake.ACCOUNT, waiting=waiting, last=NOW - 120_000))
        said = sync_state.said(seen, NOW, UTC)
        assert said is not None and said.sign and said.long and said.middle
        signs[state] = said
    assert signs[State.OFF].long == "local only"
    assert signs[State.IN_STEP].long == "in step 2 min ago"
    assert signs[State.OFFLINE].long == "offline, 3 to send"
    assert signs[State.WAITING].long == "3 to send"
    assert signs[State.PAUSED].long == "paused, 3 to send"
    assert signs[State.ASKING].long == "asks you"
    assert signs[State.SIGNED_OUT].long == "key refused"
    without_words = [said.sign for said in signs.values()]
    # Two wait for an answer alike; every other state is told by its sign.
    assert len(set(without_words)) >= len(without_words) - 1


@pytest.mark.parametrize(
    ("apart", "sign", "header", "page"),
    [
        ({}, "●", "in step 2 min ago", "In step: both have the same."),
        ({"waiting": 1}, "↑", "1 to send", "1 memory is to be sent."),
        ({"waiting": 2, "held": 2}, "▲", "2 held", "All went through but for 2 held."),
        ({"conflicts": 1}, "⚠", "1 conflict", "All went through but for 1 conflict."),
        ({"waiting": 2, "held": 2, "conflicts": 1}, "⚠", "1 conflict",
         "All went through but for 1 conflict and 2 held."),
    ],
)  # fmt: skip
def test_in_step_is_said_only_where_both_have_the_same(
    apart: dict[str, int], sign: str, header: str, page: str
) -> None:
    status = Status(State.IN_STEP, fake.ACCOUNT, last=NOW - 120_000, **apart)  # type: ignore[arg-type]
    seen = Seen(status=status)
    said = sync_state.said(seen, NOW, UTC)
    assert said is not None and (said.sign, said.long) == (sign, header)
    shown = sync_pages.standing(status, seen, now=NOW, zone=UTC, width=80, key=str).plain
    assert page in shown
    assert ("In step" in shown) is (not apart) and "in step" not in shown


def test_a_server_that_does_not_answer_is_never_in_step() -> None:
    status = Status(State.OFFLINE, fake.ACCOUNT, waiting=3, last=NOW)
    seen = Seen(status=status)
    shown = sync_pages.standing(status, seen, now=NOW, zone=UTC, width=80, key=str).plain
    assert "to send    3" in shown and f"last sync  {stamp(NOW, NOW, UTC)}" in shown
    assert "in step" not in shown


def test_the_header_says_the_state_shorter_as_the_window_narrows() -> None:
    from localmem.engine.answers import MeaningState

    seen = Seen(status=Status(State.OFFLINE, fake.ACCOUNT, waiting=3, last=NOW))
    said = sync_state.said(seen, NOW, UTC)
    shown = {
        width: standing.state(MeaningState.READY, 0, 2, width, sync=said).plain
        for width in (120, 80, 60, 40)
    }
    assert shown[120] == "✎2  ● words + meaning  ◌ offline, 3 to send"
    assert shown[80] == shown[60] == "✎2  ◌ offline ↑3"
    assert shown[40] == "✎2  ◌3"


def test_what_asks_the_person_comes_before_everything_else() -> None:
    status = Status(State.SIGNED_OUT, fake.ACCOUNT, conflicts=2, waiting=3)
    seen = Seen(status=status, doing=State.WORKING, words="sending 120")

    def said(seen: Seen) -> str:
        found = sync_state.said(seen, NOW, UTC)
        assert found is not None
        return f"{found.sign} {found.long}"

    assert said(seen) == "▲ key refused"
    seen.status = status._replace(state=State.IN_STEP)
    assert said(seen) == "↻ sending 120…"
    seen.doing = None
    assert said(seen) == "⚠ 2 conflicts"
    seen.keyless = "There is no key here."
    assert said(seen) == "▲ key needed"


async def test_without_an_account_the_place_invites_and_everything_stays_here(
    open_app: Open,
) -> None:
    async with open_app(one_fact, sync=synchroniser(FakeSyncing())) as running:
        assert top(running).endswith("words only · local only")
        assert "sync     local only" in running.text
        assert "Conflicts" not in running.text
        await running.press(*TO_SYNC)
        assert "Everything stays on this machine." in running.text
        assert "Sign in with c" in " ".join(running.text.split())
        await running.press("s")
        assert "Nobody is signed in, so everything stays here. c signs in." in running.toasts()


async def test_the_demo_and_a_library_in_memory_show_it_off(open_app: Open) -> None:
    async with open_app(one_fact) as running:
        await running.press(*TO_SYNC)
        assert "⇅ Sync" in running.text and "Nothing is sent before you sign in." in running.text
        await running.press("c")
        assert "No file holds this library, so it stays here." in running.toasts()
        await running.press("s", "P", "S", "x", "u", "enter", "e", "f", "h", "n", "escape")
        assert running.at_library


@pytest.mark.parametrize("size", SIZES)
async def test_the_place_shows_account_state_what_waits_and_the_runs(
    open_app: Open, size: tuple[int, int]
) -> None:
    async with open_app(one_fact, sync=synchroniser(busy()), size=size) as running:
        await running.press(*TO_SYNC)
        for said in ("memory.example.com", "Waiting: 2 to send, 1 held", "held     Eats fish",
                     "new      Drinks coffee", "deleted  a memory that is gone",
                     "Last runs"):  # fmt: skip
            await seen(running, said)
        assert screen.overflowing(running.app) == []


async def seen(running: Running, said: str) -> None:
    """Scroll down until it is there."""
    await running.press("g")
    for _ in range(running.library.list_pane.count):
        if said in running.text:
            return
        await running.press("j")
    raise AssertionError(f"{said!r} is nowhere:\n{running.text}")


async def at(running: Running, said: str) -> None:
    """The cursor on the row that says it."""
    await running.press("g")
    for _ in range(running.library.list_pane.count):
        lines = [line for line in running.text.splitlines() if "▌" in line]
        if lines and said in lines[0]:
            return
        await running.press("j")
    raise AssertionError(f"no row says {said!r}:\n{running.text}")


async def test_the_preview_says_why_something_is_held_and_what_a_run_did(open_app: Open) -> None:
    library = busy()
    async with open_app(one_fact, sync=synchroniser(library)) as running:
        await running.press(*TO_SYNC)
        await at(running, "Eats fish")
        page = " ".join(running.library.page.text.split())
        assert "▲ Held: The server does not take that value." in page
        assert "memory_value_invalid" in page and "x takes it in again" in page
        await at(running, "3 sent, 2 taken, 1 deleted here")
        page = " ".join(running.library.page.text.split())
        assert "project 3 sent" in page and "yours 2 taken, 1 deleted here" in page
        assert "u takes back what it changed here: 2 memories" in page
        await at(running, "does not answer")
        await at(running, "It was cut off.")
        library.past.insert(0, fake.ran(4, ended_at=None))
        running.app.keeper.look_anew()
        await running.looked()
        await at(running, "has not ended yet")
        assert "ended  not yet" in running.library.page.text


async def test_x_leaves_out_and_takes_in_again(open_app: Open) -> None:
    library = busy()
    async with open_app(one_fact, sync=synchroniser(library)) as running:
        await running.press(*TO_SYNC)
        await at(running, "Drinks coffee")
        await running.press("x")
        await running.looked()
        assert library.queue[0].code == "left_out"
        await at(running, "left out Drinks coffee")
        await running.press("x")
        await running.looked()
        assert library.queue[0].code == ""
        await at(running, "deleted")
        await running.press("x")
        assert any("it cannot be left out" in said for said in running.toasts())


# what a person asks for


async def test_s_runs_it_now_and_the_header_says_how_far_it_is(open_app: Open) -> None:
    background = FakeBackground()
    async with open_app(one_fact, sync=synchroniser(background=background)) as running:
        assert background.started and background.wanted == []
        await running.press("s")
        background.doing, background.words = State.WORKING, "sending 120"
        await running.looked()
        assert background.wanted == [()]
        assert top(running).endswith("↻ sending 120…")
        background.doing, background.words = None, ""
        background.moved()
        await running.looked()
        assert "in step" in top(running)


async def test_a_short_run_that_nobody_asked_for_does_not_flicker(open_app: Open) -> None:
    background = FakeBackground()
    async with open_app(one_fact, sync=synchroniser(background=background)) as running:
        before = top(running)
        background.doing, background.words = State.WORKING, "looking"
        await running.looked()
        assert top(running) == before
        await running.looked()
        assert top(running).endswith("↻ looking…")


async def test_pausing_and_going_on_say_what_they_mean(open_app: Open) -> None:
    library = signed_in()
    async with open_app(one_fact, sync=synchroniser(library)) as running:
        await running.press(*TO_SYNC, "S")
        await running.looked()
        assert library.paused and "‖ paused" in top(running)
        assert "Paused: it runs only when you press s. S goes on." in running.toasts()
        await running.press("S")
        await running.looked()
        assert not library.paused and "in step" in top(running)


async def test_the_preview_of_a_run_shows_counts_by_scope_and_writes_nothing(
    open_app: Open,
) -> None:
    look = Look(
        Outcome(State.IN_STEP, (Counts("contact:ana", sent=2), Counts("person", deleted_here=1))),
        (fake.to_send(title="Drinks coffee."),), 7,
    )  # fmt: skip
    library = signed_in(looks=[look])
    async with open_app(one_fact, sync=synchroniser(library)) as running:
        await running.press(*TO_SYNC, "P")
        await answered(running, "Nothing was written")
        said = " ".join(running.text.split())
        assert "contact:ana 2 sent" in said and "yours 1 deleted here" in said
        assert "Drinks coffee." in said and "… and 7 more" in said
        assert library.asked == ["look"]
        await running.press("escape")
        assert running.at_library


async def test_a_preview_that_gets_no_answer_says_why(open_app: Open) -> None:
    library = signed_in(looks=[Look(fake.OFFLINE, (), 0)])
    async with open_app(one_fact, sync=synchroniser(library)) as running:
        await running.press(*TO_SYNC, "P")
        await answered(running, "does not answer")
        assert isinstance(running.app.screen, LookScreen)
        assert "Nothing was written" not in running.text


async def test_a_preview_never_says_the_same_of_what_was_left_out(open_app: Open) -> None:
    library = signed_in(queue=[fake.to_send(code="left_out", message="You left it out.")])
    async with open_app(one_fact, sync=synchroniser(library)) as running:
        await running.press(*TO_SYNC, "P")
        await answered(running, "Nothing to do by itself; 1 held.")
        await running.press("escape")
        library.queue.clear()
        await running.press("P")
        await answered(running, "Nothing to do: both have the same.")


async def answered(running: Running, said: str) -> None:
    """Until what was asked beside the loop is on the screen."""
    await running.until(lambda: said in running.text)


async def test_undoing_a_run_says_first_what_it_means(open_app: Open) -> None:
    library = busy()
    async with open_app(one_fact, sync=synchroniser(library)) as running:
        await running.press(*TO_SYNC)
        await at(running, "2 taken")
        await running.press("u")
        assert isinstance(running.app.screen, AskScreen)
        said = " ".join(running.text.replace("┃", " ").split())
        assert "2 taken over, 1 deleted" in said and "is erased for good" in said
        assert "does not come back" in said
        await running.press("enter")
        assert not library.past[0].undone
        await running.press("u", "tab", "enter")
        assert library.past[0].undone
        assert "Taken back: 3 as before, 1 erased." in running.toasts()
        await running.looked()
        await at(running, "taken back")


# what is asked of a person


async def test_what_removes_much_wants_its_count_typed(open_app: Open) -> None:
    question, background = fake.asked(), FakeBackground()
    library = signed_in(question=question)
    async with open_app(one_fact, sync=synchroniser(library, background)) as running:
        assert top(running).endswith("? asks you")
        assert any("397 of 400" in said and "s answers" in said for said in running.toasts())
        await running.press("s")
        assert isinstance(running.app.screen, CountScreen)
        await running.type("39")
        await running.press("enter")
        assert isinstance(running.app.screen, CountScreen) and background.wanted == []
        await running.type("7")
        await running.press("enter")
        assert running.at_library and background.wanted == [(question.allowance,)]


@pytest.mark.parametrize("size", SIZES)
async def test_a_large_question_is_read_at_every_size_and_esc_is_no(
    open_app: Open, size: tuple[int, int]
) -> None:
    background = FakeBackground()
    library = signed_in(question=fake.asked())
    async with open_app(one_fact, sync=synchroniser(library, background), size=size) as running:
        await running.press("s")
        said = " ".join(running.text.replace("┃", " ").split())
        assert "397 of 400" in said and "Type 397 to say yes" in said
        assert screen.overflowing(running.app) == []
        await running.press("escape")
        assert running.at_library and background.wanted == []


async def test_a_first_push_is_a_yes_or_a_no(open_app: Open) -> None:
    question, background = fake.asked("first_push", 120, ""), FakeBackground()
    library = signed_in(question=question)
    async with open_app(one_fact, sync=synchroniser(library, background)) as running:
        await running.press(*TO_SYNC)
        await at(running, "asks you")
        await running.press("enter")
        assert isinstance(running.app.screen, AskScreen)
        await running.press("enter")
        assert background.wanted == []
        await running.press("enter", "tab", "enter")
        assert background.wanted == [(question.allowance,)]


@pytest.mark.parametrize("brake", ["many_gone", "first_push", "went_back"])
async def test_nothing_typed_ahead_answers_what_a_sync_asks(open_app: Open, brake: str) -> None:
    background = FakeBackground()
    library = signed_in(question=fake.asked(brake))
    async with open_app(one_fact, sync=synchroniser(library, background)) as running:
        running.press_ahead("s", *"397", "tab", "enter")
        await settled(running)
        assert isinstance(running.app.screen, AskScreen | CountScreen)
        assert background.wanted == []


@pytest.mark.parametrize("ahead", ["enter", "tab enter"])
async def test_nothing_typed_ahead_takes_a_run_back(open_app: Open, ahead: str) -> None:
    library = busy()
    async with open_app(one_fact, sync=synchroniser(library)) as running:
        await running.press(*TO_SYNC)
        await at(running, "2 taken")
        running.press_ahead("u", *ahead.split())
        await settled(running)
        assert isinstance(running.app.screen, AskScreen)
        assert not library.past[0].undone


async def test_nothing_typed_ahead_signs_out(open_app: Open) -> None:
    library = busy()
    async with open_app(one_fact, sync=synchroniser(library)) as running:
        running.press_ahead("c", "down", "enter", "tab", "enter")
        await settled(running)
        assert isinstance(running.app.screen, AskScreen)
        assert library.account is not None


async def test_toasts_come_once_and_only_for_what_needs_the_person(open_app: Open) -> None:
    library, background = signed_in(last=None), FakeBackground()
    async with open_app(one_fact, sync=synchroniser(library, background)) as running:
        assert running.toasts() == []

        async def moved() -> list[str]:
            running.app.clear_notifications()
            background.moved()
            await running.looked()
            return running.toasts()

        library.queue.append(fake.to_send())
        assert await moved() == []
        library.last = fake.AT
        assert any("for the first time" in said for said in await moved())
        library.clashes.append(fake.size_clash())
        assert any("A conflict: “Shoe size”." in said for said in await moved())
        assert await moved() == []
        library.stands, library.message = State.SIGNED_OUT, "The server does not let it in."
        [refused] = await moved()
        assert "c signs in again" in refused and "Everything is kept" in refused
        assert await moved() == []


async def test_a_sync_that_cannot_go_on_says_why_once(open_app: Open) -> None:
    background = FakeBackground()
    async with open_app(one_fact, sync=synchroniser(background=background)) as running:
        background.ended = "The disk is full."
        await running.looked()
        await running.looked()
        assert running.toasts() == ["Synchronisation stopped: The disk is full."]


# beside the app


async def test_a_key_press_tells_that_the_person_is_there_every_few_seconds(
    open_app: Open,
) -> None:
    background = FakeBackground()
    async with open_app(one_fact, sync=synchroniser(background=background)) as running:
        await running.press("j", "k", "j")
        assert background.lively == 1
        running.clock.advance(6)
        await running.press("j", "k")
        assert background.lively == 2


async def test_leaving_stops_it(open_app: Open) -> None:
    background = FakeBackground()
    async with open_app(one_fact, sync=synchroniser(background=background)) as running:
        await running.press("q")
        await running.settle()
        assert background.stopped and running.app._exit


async def test_nothing_of_it_is_asked_before_the_first_rows(open_app: Open) -> None:
    asked: list[str] = []

    class Watched(FakeSynchroniser):
        def of(self, *_: object) -> FakeSyncing:
            asked.append("of")
            return super().of()

        def background(self) -> FakeBackground:
            assert running_app[0]._opened_once
            asked.append("background")
            return super().background()

    running_app: list[object] = []
    made = Watched(signed_in(), FakeBackground())
    from localmem.tui.screens.library import LibraryScreen

    init = LibraryScreen.__init__

    def remembered(self: LibraryScreen, *args: object, **more: object) -> None:
        running_app.append(self)
        init(self, *args, **more)  # type: ignore[arg-type]

    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(LibraryScreen, "__init__", remembered)
        async with open_app(one_fact, sync=made):
            assert asked[0] == "background"


async def test_what_another_engine_wrote_shows_without_a_key(open_app: Open) -> None:
    """As the sync beside the app does: an engine of its own on the same file."""
    async with open_app(one_fact, sync=synchroniser()) as running:
        other = running.other()
        other.facts.add("Came from another device.")
        other.close()
        await running.app._poll()
        await running.settle()
        assert "Came from another device." in running.text


async def test_a_memory_says_how_it_stands(open_app: Open) -> None:
    library, background = signed_in(), FakeBackground()
    async with open_app(one_fact, sync=synchroniser(library, background)) as running:
        item = running.library.item
        assert item is not None and "sync     in step" in running.text
        for waiting, said in (
            (fake.to_send(item=item.id), "sync     to be sent"),
            (fake.to_send(item=item.id, code="left_out", message="You left it out."),
             "sync     held: You left it out."),
        ):  # fmt: skip
            library.queue[:] = [waiting]
            background.moved()
            await running.looked()
            assert said in running.text
        library.clashes.append(fake.clash()._replace(item=ItemId(item.id)))
        background.moved()
        await running.looked()
        assert "sync     conflict, see Conflicts" in running.text


# hostile values


@pytest.mark.parametrize("size", SIZES)
async def test_what_a_server_says_is_shown_never_obeyed(
    open_app: Open, size: tuple[int, int]
) -> None:
    library = signed_in(
        queue=[fake.to_send(str(n), title=value[:400], code=value[:40], message=value[:400])
               for n, value in enumerate(HOSTILE)],
        past=[fake.ran(n, Counts(value[:60], 1), message=value[:200], code="x")
              for n, value in enumerate(HOSTILE)],
        message=" ".join(HOSTILE)[:2_000],
        stands=State.SIGNED_OUT,
    )  # fmt: skip
    account = fake.ACCOUNT._replace(label=HOSTILE[0][:60], url=HOSTILE[1][:80])
    library.account = account
    async with open_app(one_fact, sync=synchroniser(library), size=size) as running:
        await running.press(*TO_SYNC)
        rows = running.library.list_pane
        for at_row in range(0, rows.count, 3):
            rows.cursor = at_row
            await running.settle()
            assert screen.wrong(running.app) == []
        assert rows.count > len(HOSTILE)
