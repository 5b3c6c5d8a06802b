"""The long run's judgement: a leak is found, a warm-up is not taken for one, and what is noted is true."""

from __future__ import annotations

import importlib.util
import os
import socket
import sys
from typing import Any

import pytest

from tests.conftest import ROOT


def _module() -> Any:
    spec = importlib.util.spec_from_file_location("upkeep", ROOT / "scripts" / "soak" / "upkeep.py")
    assert spec is not None
    assert spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    sys.modules["upkeep"] = module
    spec.loader.exec_module(module)
    return module


upkeep = _module()


def _run(memory: Any, handles: Any, hours: float = 8.0) -> list[Any]:
    """A room noted 36 times an hour, as in the long run."""
    notes = []
    for number in range(round(hours * 36)):
        hour = number / 36
        notes.append(upkeep.Note(hour, 200, {"core": upkeep.Need(memory(hour), memory(hour) + 20_000, handles(hour))}))
    return notes


def test_a_warm_up_is_no_growth() -> None:
    """Everything is read and drawn for the first time in the first hour."""
    rooms = upkeep.judged(_run(lambda hour: round(30_000 + 20_000 * min(1.0, hour)), lambda hour: 12))
    assert rooms["core"]["growth_percent"] == 0.0
    assert rooms["core"]["mb_by_hour"][0] < rooms["core"]["mb_by_hour"][1] == rooms["core"]["mb_by_hour"][7]
    assert upkeep.grown(rooms) == []


def test_the_first_game_is_part_of_the_warm_up() -> None:
    """Moves that can be taken back are kept until a game ends; after the first end nothing new is needed."""
    notes = _run(lambda hour: round(50_000 + 3_000 * min(1.0, hour / 2.9)), lambda hour: 12)
    assert upkeep.grown(upkeep.judged(notes, warm=2.9)) == []
    assert upkeep.judged(notes, warm=2.9)["core"]["growth_percent"] == 0.0
    assert upkeep.judged(notes)["core"]["growth_percent"] > 0


def test_a_leak_is_found() -> None:
    """One per cent an hour is six from the second hour to the last."""
    rooms = upkeep.judged(_run(lambda hour: round(50_000 * (1 + 0.01 * hour)), lambda hour: 12))
    assert [line.split(":")[0] for line in upkeep.grown(rooms)] == ["core"]
    worse = upkeep.judged(_run(lambda hour: round(50_000 * (1 + 0.02 * hour)), lambda hour: 12), warm=2.9)
    assert upkeep.grown(worse)


def test_one_handle_more_is_one_too_many() -> None:
    """Connections that come and go for a moment are not."""
    passing = upkeep.judged(_run(lambda hour: 50_000, lambda hour: 12 + (round(hour * 36) % 3 == 0)))
    assert upkeep.grown(passing) == []
    leaking = upkeep.judged(_run(lambda hour: 50_000, lambda hour: 12 + (hour > 5)))
    assert upkeep.grown(leaking) == ["core: 12 handles became 13"]


@pytest.mark.parametrize("hours", [0.1, 1.0, 2.0, 3.0])
def test_a_shortened_run_is_judged_by_what_there_is(hours: float) -> None:
    """The two spans never overlap; a leak shows in any length."""
    calm = upkeep.judged(_run(lambda hour: 50_000, lambda hour: 12, hours))
    assert upkeep.grown(calm) == []
    leak = upkeep.judged(_run(lambda hour: round(50_000 * (1 + 2 * hour / hours)), lambda hour: 12, hours))
    assert upkeep.grown(leak)


def test_nothing_noted_is_nothing_judged() -> None:
    """A run that ended before it began."""
    assert upkeep.judged([]) == {}


def test_handles_are_counted_without_living_connections_to_phones() -> None:
    """What a phone holds open is its own business, until it has gone and nobody noticed."""
    me = os.getpid()
    with socket.create_server(("127.0.0.1", 0)) as door:
        port = door.getsockname()[1]
        before = upkeep.need_of(me, port)
        phone = socket.create_connection(("127.0.0.1", port))
        line, _ = door.accept()
        during = upkeep.need_of(me, port)
        assert during.handles == before.handles + 1, "our own end of the line; the table's end is the phone's"
        phone.close()
        forgotten = upkeep.need_of(me, port)
        assert forgotten.handles == before.handles + 1, "the phone has gone, the table still holds its line"
        line.close()
        assert upkeep.need_of(me, port).handles == before.handles
    assert before.own > 1000
    assert before.resident >= before.own
    assert upkeep.need_of(2**22 + 1) is None
