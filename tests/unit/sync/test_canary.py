"""What tells a server without epochs from another one, and from what it was."""

from __future__ import annotations

import random
from collections.abc import Iterator
from typing import Any

import pytest

from localmem.core.scope import PERSON, PROJECT, Scope, contact, conversation
from sync import canary
from sync.driver import drive
from sync.messages import DOCUMENTED, ItemRow, ReadItem, Reply, Request, WriteItem
from sync.policy import EVERYTHING, Brake
from sync.run import End, Ending, Halt, Options, Run, Steps
from tests.simulation.replica import MemoryLibrary, MemoryTables
from tests.simulation.rows import Database
from tests.simulation.server import Documented
from tests.support.library import FixedClock

PLACE = PROJECT, canary.COLLECTION, canary.KEY
ANA, THREAD = contact("ana"), conversation("t:1")
HOSTILE: tuple[Any, ...] = (
    None, True, 0, "x", [], [1], {}, {"store_id": 7}, {"store_id": ["a"], "devices": []},
    {"devices": {"device01": True, "d": "9", "e": None, "f": 1.5}}, {"scopes": "project"},
    {"scopes": [None, 3, "contact:", "contact:" + "x" * 999, "person", "PROJECT", {}]},
)  # fmt: skip


class Device:
    """A device in dictionaries, and what it asks of the server it shares."""

    def __init__(self, server: Documented, name: str = "device01") -> None:
        base = Database()
        self.server = server
        self.tables = MemoryTables(base, name)
        self.library = MemoryLibrary(base, self.tables, int(name[-1]), FixedClock())
        self.asked: list[Request] = []

    def ask(self, request: Request, *, epoch: str | None) -> Reply:
        self.asked.append(request)
        return self.server.handle(request)

    def clock_offset(self) -> None:
        return None

    def requests(self) -> int:
        return len(self.asked)

    def close(self) -> None: ...

    def meet(self, *allowances: str) -> Run | Ending:
        run = self._run(*allowances)
        return self._drive(canary.meet(run), run)

    def confirm(self, run: Run | None = None) -> Run | Ending:
        run = run or self._run()
        return self._drive(canary.confirm(run), run)

    def stand(self, **more: Any) -> None:
        with self.tables.writing():
            self.tables.stand(self.tables.standing()._replace(**more))

    @property
    def standing(self) -> Any:
        with self.tables.reading():
            return self.tables.standing()

    def scopes(self) -> set[Scope]:
        with self.tables.reading():
            return set(self.tables.scopes())

    def learn(self, *scopes: Scope) -> None:
        with self.tables.writing():
            for scope in scopes:
                self.tables.learn_scope(scope)

    def _run(self, *allowances: str) -> Run:
        options = Options(allowances=frozenset(allowances))
        return Run(self.tables, self.library, DOCUMENTED, options)

    def _drive(self, steps: Steps[None], run: Run) -> Run | Ending:
        def whole() -> Steps[Ending]:
            try:
                yield from steps
            except Halt as halt:
                return halt.ending
            return Ending(End.DONE)

        ending = drive(whole(), self, None, lambda request: None)
        return run if ending.end is End.DONE else ending


@pytest.fixture
def server() -> Documented:
    return Documented(random.Random(1), FixedClock())


@pytest.fixture
def device(server: Documented) -> Iterator[Device]:
    yield Device(server)


def written(server: Documented) -> Any:
    found = server.handle(ReadItem(*PLACE))
    assert isinstance(found, ItemRow)
    return found.value


def test_the_first_device_names_the_memory_and_counts_itself(
    server: Documented, device: Device
) -> None:
    assert isinstance(device.meet(), Run)
    device.stand(counter=4)
    device.confirm()
    told = written(server)
    assert told == {"store_id": device.standing.epoch, "devices": {"device01": 4}, "scopes": []}
    assert device.standing.confirmed == 4 and device.standing.epoch


def test_where_nothing_is_new_nothing_is_asked_or_written(
    server: Documented, device: Device
) -> None:
    device.stand(counter=4)
    device.confirm()
    device.asked.clear()
    run = device.meet()
    assert isinstance(run, Run)
    device.confirm(run)
    assert device.asked == [ReadItem(*PLACE)]


def test_another_device_takes_the_name_and_keeps_the_counts_of_the_first(
    server: Documented, device: Device
) -> None:
    device.stand(counter=4)
    device.confirm()
    other = Device(server, "device02")
    assert isinstance(other.meet(), Run)
    other.stand(counter=2)
    other.confirm()
    assert other.standing.epoch == device.standing.epoch
    assert written(server)["devices"] == {"device01": 4, "device02": 2}


def test_an_emptied_server_is_asked_about_and_compared_only_when_the_person_says_so(
    server: Documented, device: Device
) -> None:
    device.confirm()
    name = device.standing.epoch
    server.items.clear()
    ending = device.meet()
    assert isinstance(ending, Ending) and ending.braked is not None
    assert ending.braked.brake is Brake.WENT_BACK
    assert (device.standing.epoch, device.standing.resync) == (name, False), "nothing is changed"
    assert isinstance(device.meet(ending.braked.allowance), Run)
    assert (device.standing.epoch, device.standing.resync) == (None, True)


def test_another_memory_at_the_same_address_is_asked_about(
    server: Documented, device: Device
) -> None:
    device.confirm()
    server.put_item(PLACE, {"store_id": "another", "devices": {"device01": 99}})
    ending = device.meet()
    assert isinstance(ending, Ending) and ending.code == Brake.OTHER_SERVER
    assert device.standing.epoch != "another"
    assert isinstance(device.meet(EVERYTHING), Run)
    assert (device.standing.epoch, device.standing.resync) == ("another", True)


def test_a_count_that_fell_is_a_server_that_went_back(server: Documented, device: Device) -> None:
    device.stand(counter=4)
    device.confirm()
    server.put_item(PLACE, {**written(server), "devices": {"device01": 3}})
    assert isinstance(device.meet(), Run)
    assert device.standing.resync
    assert device.standing.confirmed == 0
    device.confirm()
    assert written(server)["devices"] == {"device01": 4}


def test_who_wrote_meanwhile_is_not_written_over(server: Documented, device: Device) -> None:
    device.stand(counter=4)
    device.confirm()
    device.stand(counter=5)
    ask = device.ask

    def late(request: Request, *, epoch: str | None) -> Reply:
        if isinstance(request, WriteItem) and len(device.asked) < 5:
            server.put_item(PLACE, {**written(server), "devices": {"device01": 4, "other": 1}})
        return ask(request, epoch=epoch)

    device.ask = late  # type: ignore[method-assign]
    device.asked.clear()
    device.confirm()
    assert written(server)["devices"] == {"device01": 5, "other": 1}


def test_where_others_always_write_first_it_is_left_for_the_next_run(
    server: Documented, device: Device
) -> None:
    ask = device.ask

    def late(request: Request, *, epoch: str | None) -> Reply:
        if isinstance(request, WriteItem):
            server.put_item(PLACE, {"store_id": "s", "devices": {}})
        return ask(request, epoch=epoch)

    device.ask = late  # type: ignore[method-assign]
    server.put_item(PLACE, {"store_id": "s", "devices": {}})
    device.stand(epoch="s", counter=1)
    assert isinstance(device.confirm(), Run)
    assert device.standing.confirmed == 0
    assert sum(isinstance(request, WriteItem) for request in device.asked) <= 3


def test_a_full_account_is_not_asked_again_and_again(server: Documented, device: Device) -> None:
    server.limits.quota = True
    device.stand(counter=1)
    assert isinstance(device.confirm(), Run)
    assert sum(isinstance(request, WriteItem) for request in device.asked) == 1
    assert device.standing.confirmed == 0


@pytest.mark.parametrize("why", ["unauthorized", "busy"])
def test_a_key_that_is_refused_ends_it(server: Documented, device: Device, why: str) -> None:
    server.limits.signed_out = why == "unauthorized"
    server.limits.busy = 3.0 if why == "busy" else None
    for ending in (device.meet(), device.confirm()):
        assert isinstance(ending, Ending)
        assert ending.end in (End.SIGNED_OUT, End.WAIT)


@pytest.mark.parametrize("value", HOSTILE, ids=lambda value: repr(value)[:30])
def test_whatever_stands_there_is_read_as_far_as_it_is_meant(
    server: Documented, device: Device, value: Any
) -> None:
    server.put_item(PLACE, value)
    device.stand(counter=2)
    run = device.meet()
    assert isinstance(run, Run)
    device.confirm(run)
    assert written(server)["devices"]["device01"] == 2
    assert isinstance(written(server)["store_id"], str) and written(server)["store_id"]
    assert PERSON not in device.scopes()


def test_scopes_travel_so_that_other_devices_ask_for_them(
    server: Documented, device: Device
) -> None:
    device.learn(ANA, THREAD, PERSON)
    device.confirm()
    assert written(server)["scopes"] == [str(ANA), str(THREAD)]
    other = Device(server, "device02")
    run = other.meet()
    assert {ANA, THREAD} <= other.scopes()
    assert isinstance(run, Run)
    other.learn(contact("bea"))
    other.stand(counter=1)
    other.confirm(run)
    assert written(server)["scopes"] == [str(ANA), "contact:bea", str(THREAD)]


def test_no_more_scopes_are_named_than_fit_and_the_rest_is_no_reason_to_write(
    server: Documented, device: Device
) -> None:
    device.learn(*(contact(f"c{number:04}") for number in range(canary.MOST_SCOPES + 5)))
    device.confirm()
    assert len(written(server)["scopes"]) == canary.MOST_SCOPES
    run = device.meet()
    assert isinstance(run, Run)
    device.asked.clear()
    device.confirm(run)
    assert device.asked == []
