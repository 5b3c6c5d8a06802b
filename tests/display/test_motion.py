"""Motion on the table: seen by comparing, short, skipped by a touch, absent for those who want none."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import msgspec
import pytest

from benches import samples
from display.motion import Motion
from display.tables.skytopia.flights import flights, seen
from display.touch import Setting
from display.view import View
from tests.display.test_client import Table
from tests.views import view_of


def _finished(view: View) -> View:
    """Magda's golems on violet 2 finish it: the card goes to her tower, the golem home."""
    assert view.state is not None
    table = view_of(view.state)
    slot = next(s for s in table["market"]["slots"] if s["slot"] == "violet-2")
    slot.update(card="V1z", dice=[])
    me: dict[str, Any] = table["players"][0]
    me["home"] += 1
    me["towers"]["violet"].append({"card": "V1a", "effect": "V1", "crest": "C4"})
    return msgspec.structs.replace(view, state=msgspec.structs.replace(view.state, view=samples.written(table), seq=42))


def _moved(view: View) -> View:
    """A golem goes from red 3 to an empty card."""
    assert view.state is not None
    table = view_of(view.state)
    slots = {s["slot"]: s for s in table["market"]["slots"]}
    slots["blue-3"]["dice"] = slots["red-3"]["dice"]
    slots["red-3"]["dice"] = []
    return msgspec.structs.replace(view, state=msgspec.structs.replace(view.state, view=samples.written(table), seq=42))


@pytest.fixture
def table(tmp_path: Path) -> Table:
    table = Table(tmp_path)
    table.show(samples.table())
    table.pass_time(1.0)
    return table


def _in_the_air(table: Table) -> list[str]:
    return [key for key in table.screen.page._pieces if key.startswith("flight")]


def test_what_moved_is_found_by_comparing() -> None:
    """A finished card and its golem; a golem that changed cards; nothing in another game."""
    before = samples.table()
    going = flights(seen(before), seen(_finished(before)))
    assert [(f.what, f.start, f.to) for f in going] == [("card", "violet-2", 0), ("die", "violet-2", 0)]
    going = flights(seen(before), seen(_moved(before)))
    assert [(f.what, f.start, f.to, f.face) for f in going] == [("slide", "red-3", "blue-3", 4)]
    assert flights(seen(before), msgspec.structs.replace(seen(_moved(before)), game="other")) == ()


def test_a_finished_card_flies_and_lands_within_half_a_second(table: Table) -> None:
    """Frames are drawn while it flies, and none after."""
    table.core.publish("state", _finished(samples.table()).state)
    table.pass_time(0.05)
    assert len(_in_the_air(table)) == 2
    first = table.screen.page._pieces["flight 0"].box
    for _ in range(5):
        table.pass_time(0.05)
    assert table.screen.page._pieces["flight 0"].box != first
    for _ in range(40):
        table.pass_time(0.05)
    assert not _in_the_air(table)
    frames = table.screen.frames
    for _ in range(100):
        table.pass_time(0.05)
    assert table.screen.frames == frames


def test_a_touch_ends_it(table: Table) -> None:
    """Nobody waits for a picture."""
    table.core.publish("state", _moved(samples.table()).state)
    table.pass_time(0.05)
    assert _in_the_air(table)
    table.screen.press((2, 2), table.now)
    table.pass_time(0.01)
    assert not _in_the_air(table)


def test_nothing_flies_for_those_who_want_it_calm(table: Table) -> None:
    """Reduced motion: things are where they go."""
    table.client.perform(Setting({"reduced_motion": True}))
    table.pass_time()
    table.core.publish("state", _finished(samples.table()).state)
    table.pass_time(0.05)
    assert not _in_the_air(table)


def test_after_a_minute_the_block_breathes_once(table: Table) -> None:
    """Nothing is drawn before, a few frames during, nothing after."""
    for _ in range(20):
        table.pass_time(0.3)
    frames = table.screen.frames
    for _ in range(50):
        table.pass_time(1.0)
    assert table.screen.frames == frames
    block = table.screen.surface.get_at((4, 4))
    for _ in range(15):
        table.pass_time(1.0)
        if table.screen.frames > frames:
            break
    for _ in range(12):
        table.pass_time(0.1)
    assert table.screen.surface.get_at((4, 4)) != block
    for _ in range(30):
        table.pass_time(0.1)
    assert table.screen.surface.get_at((4, 4)) == block
    frames = table.screen.frames
    for _ in range(100):
        table.pass_time(1.0)
    assert table.screen.frames == frames


def test_the_crown_drops_when_all_is_counted(tmp_path: Path) -> None:
    """Line by line, then the band belongs to the winner."""
    table = Table(tmp_path)
    table.show(samples.tally())
    assert not any("wins" in label.text for label in table.screen.page.labels())
    for _ in range(100):
        table.pass_time(0.05)
    assert any("wins" in label.text for label in table.screen.page.labels())
    assert table.screen.page.motion._tokens["crown"][0] is True


def test_a_breath_is_due_once_and_never_when_still() -> None:
    """The clock it waits for is told, so that nothing is drawn in between."""
    motion = Motion()
    motion.frame(10.0)
    assert motion.breath("x", 1, 60.0, 2000) == 0.0
    assert motion.due == 70.0
    motion.frame(71.0)
    assert motion.breath("x", 1, 60.0, 2000) == 1.0
    motion.frame(73.0)
    assert (motion.breath("x", 1, 60.0, 2000), motion.due, motion.active) == (0.0, None, False)
    motion.still = True
    motion.frame(80.0)
    assert motion.breath("x", 2, 60.0, 2000) == 0.0
    assert motion.due is None
