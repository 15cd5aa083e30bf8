"""What schedules once found, as the few steps it comes down to: a seed's world goes on changing."""

from __future__ import annotations

from localmem.core.preferences import PreferenceKey
from localmem.core.records import Removal
from localmem.core.replica import FactBody, document_key
from localmem.core.scope import PROJECT
from sync.messages import AddFact, ListFacts, NewFact, WriteItem
from tests.simulation.world import YEAR, Device, Mode, Weather, World

CALM = Weather(loss=0, crash=0, cut=0, late=0, busy=0, limits=0)
HOSTED = Mode("documented")
NAMELESS = Mode("documented", create_cas=False, delete_cas=False, echoes=False)
ORDER = document_key(PROJECT, "orders", "a")


class Room:
    """Devices of one person, in step with an empty server."""

    def __init__(self, mode: Mode) -> None:
        self.world = World(1, mode, weather=CALM)
        self.world.hasty = False
        self.here, self.there, self.elsewhere = self.world.devices
        self.in_step(*self.world.devices)

    def in_step(self, *devices: Device) -> None:
        for device in devices:
            self.world.whole_cycle(device)

    def until(self, device: Device, kind: type) -> None:
        """Half a cycle: the next thing asked is of that kind, in the project's scope."""
        self.world._begin(device)
        while not (
            isinstance(device.asking, kind) and getattr(device.asking, "scope", None) == PROJECT
        ):
            assert self.world.step(device)

    def to_the_end(self, device: Device) -> None:
        while device.running is not None:
            self.world.step(device)

    def remember(self, device: Device, text: str) -> None:
        assert device.person.add_fact(PROJECT, FactBody(text)) is not None

    def on_the_server(self) -> list[str]:
        return [row.text for row in self.world.server.facts.values()]

    def sent(self) -> NewFact:
        """What the server was given: as a late copy of the write would bring it again."""
        (row,) = self.world.server.facts.values()
        return NewFact(row.text, dict(row.metadata))


def shown(device: Device) -> list[str]:
    return [kept.body.text for kept in device.library.live() if isinstance(kept.body, FactBody)]


def forget(device: Device, text: str) -> None:
    (item,) = [
        kept.item
        for kept in device.library.live()
        if isinstance(kept.body, FactBody) and kept.body.text == text
    ]
    device.person.forget(item)


def test_what_is_forgotten_while_lists_lack_it_does_not_come_back_with_a_late_write() -> None:
    room = Room(HOSTED)
    room.remember(room.there, "Has two cats.")
    room.in_step(room.there, room.here)
    late = room.sent()
    forget(room.there, "Has two cats.")
    room.in_step(room.there)
    room.until(room.here, ListFacts)
    forget(room.here, "Has two cats.")
    room.to_the_end(room.here)
    room.world.server.put_fact(PROJECT, late)
    room.in_step(room.here)
    assert shown(room.here) == room.on_the_server() == []


def test_what_a_server_without_names_has_of_it_goes_though_it_became_another_meanwhile() -> None:
    room = Room(NAMELESS)
    room.remember(room.here, "Has two cats.")
    room.until(room.here, AddFact)
    room.world.step(room.here)
    room.world.crash(room.here)
    with room.here.tables.writing():
        room.here.tables.stand(room.here.tables.standing()._replace(resync=True))
    room.until(room.here, ListFacts)
    forget(room.here, "Has two cats.")
    room.to_the_end(room.here)
    room.in_step(room.here)
    assert shown(room.here) == room.on_the_server() == []


def test_what_an_edit_was_made_from_is_asked_about_no_more_when_it_is_there_again() -> None:
    room = Room(HOSTED)
    room.remember(room.there, "Has two cats.")
    room.in_step(room.there, room.here)
    again = room.sent()
    (place,) = room.world.server.facts
    room.world.server.remove_fact(*place, Removal.FORGET)
    (kept,) = room.here.library.live()
    assert room.here.person.edit_fact(kept.item, "Has three cats.")
    room.in_step(room.here)
    assert room.world.conflicts(room.here) == [(None, kept.item)]
    room.world.server.put_fact(PROJECT, again)
    room.in_step(room.here)
    assert not room.world.conflicts(room.here)
    assert shown(room.here) == room.on_the_server() == ["Has three cats."]


def test_nothing_of_a_forgotten_document_stays_where_another_was_made_and_no_tombstone_tells(
) -> None:  # fmt: skip
    room = Room(Mode())
    made = room.there.person.write_document(ORDER, {"note": "first"})
    room.in_step(room.there, room.here)
    room.there.person.forget(made)
    room.in_step(room.there)
    room.world.server.forget_tombstones()  # type: ignore[attr-defined]
    room.elsewhere.person.write_document(ORDER, {"note": "second"})
    room.in_step(room.elsewhere, room.here)
    assert not room.world.conflicts(room.here)
    assert "second" in repr(room.here.everything())
    assert "first" not in repr(room.here.everything())


def test_a_clock_that_is_set_forward_ends_no_limit_in_the_same_cycle() -> None:
    room = Room(Mode())
    room.here.person.declare(PreferenceKey.SHOE_SIZE, "42", None)
    room.remember(room.here, "Has two cats.")
    room.until(room.here, WriteItem)
    room.world.crash(room.here)
    room.world.server.limits.quota = True
    room.until(room.here, WriteItem)
    room.world.step(room.here)
    room.here.skew += YEAR
    room.to_the_end(room.here)
    assert room.world.counts["request WriteItem"] == 1
    assert not room.world.counts["request AddFact"]
