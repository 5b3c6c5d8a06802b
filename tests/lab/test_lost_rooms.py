"""What is asked of systemd about a lost room, and what is said of it."""

from __future__ import annotations

import pytest

from tests.lab.test_report import row
from tools.lab.lost_rooms import NEEDED, Room, watchdog
from tools.lab.place import ROOMS


class Told:
    """A machine that says the same whatever it is asked."""

    def __init__(self, said: str) -> None:
        self.said = said
        self.orders: list[str] = []

    def run(self, command: str, *, check: bool = True) -> str:
        self.orders.append(command)
        return self.said


@pytest.mark.parametrize(
    ("said", "process"),
    [
        ("ActiveState=active\nMainPID=321\n", 321),
        ("MainPID=321\nActiveState=activating\n", 0),
        ("MainPID=0\nActiveState=failed\n", 0),
    ],
)
def test_only_a_room_that_is_up_has_a_process(said: str, process: int) -> None:
    """One that is still starting has a number already."""
    assert Room(Told(said), "core").process() == process


def test_the_signal_goes_to_the_room_alone() -> None:
    told = Told("")
    Room(told, "core").send("STOP")
    assert told.orders == ["systemctl kill --kill-whom=main -s STOP tableside-core.service"]


def test_every_room_but_the_broker_gives_signs_of_life() -> None:
    waits = {room: watchdog(room) for room in ROOMS}
    assert [room for room, seconds in waits.items() if not seconds] == ["broker"]
    assert set(NEEDED) <= set(ROOMS)


def test_its_row_names_the_slowest() -> None:
    one = {"killed": 4.2, "suspended": 33.0, "watchdog": 30.0, "meanwhile": True, "took along": []}
    rooms = {"core": one, "bridge": one | {"killed": 7.6}, "broker": one | {"suspended": 4.0, "watchdog": 0.0}}
    told = row("lost rooms, native", {"ok": True, "rooms": rooms, "acknowledged": 9, "lost": 0, "doubled": 0})
    assert "whole again after at most 8 s" in told
    assert "by the watchdog (30 s) after at most 33 s, broker by the gate after 4 s" in told
