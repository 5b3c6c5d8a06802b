"""A nudged camera, bad light and glare: the right thing is said, and no die is ever read wrong because of it."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

from companion.wire.messages import MarketSeen
from tests.vision.laid import laid, market_mat
from vision import mat as mats
from vision.camera.frame import Frame, small_of
from vision.reading import MarketReader
from vision.virtual.scene import Light, Studio

FPS = 10.0
DICE = {"blue-1": ("sun", 5), "gold-2": ("plum", 3), "red-1": ("leaf", 6), "violet-2": ("coral", 2)}
SLOTS: dict[str, Any] = {
    slot: {"card": f"{slot[0].upper()}1a", "dice": [{"colour": c, "face": f, "x": 0.5, "y": 0.55, "angle": 15.0}]}
    for slot, (c, f) in DICE.items()
}
STUDIO = Studio(market_mat(2))


class Table:
    """A reader in front of the virtual camera, frame by frame."""

    def __init__(self) -> None:
        self.reader = MarketReader(laid(2))
        self.number = 0
        self.said: list[MarketSeen] = []

    def watch(
        self, light: Light, seconds: float, slots: dict[str, Any] = SLOTS, hand: dict[str, float] | None = None
    ) -> list[MarketSeen]:
        """Look at the table under this light; what is said meanwhile."""
        image = STUDIO.picture(slots, hand, light)
        before = len(self.said)
        for _ in range(round(seconds * FPS)):
            self.see(image)
        return self.said[before:]

    def see(self, image: np.ndarray) -> None:
        """One frame."""
        seen = self.reader.see(Frame(image, small_of(image), self.number / FPS, self.number))
        self.number += 1
        if seen is not None:
            self.said.append(seen)


def wrong(said: list[MarketSeen]) -> list[tuple[str, object]]:
    """Slots that were reported as sure and are not what lies there."""
    found: list[tuple[str, object]] = []
    for message in said:
        for slot in message.slots:
            faces = [int(np.argmax(die.faces)) + 1 for die in slot.dice]
            truth = [DICE[slot.slot][1]] if slot.slot in DICE else []
            if message.state == "ready" and slot.sure and faces != truth:
                found.append((slot.slot, faces))
    return found


def gist(message: MarketSeen) -> dict[str, list[tuple[str, int]]]:
    """Slot by slot the dice anybody would swear to."""
    return {
        slot.slot: [
            (die.owner, int(np.argmax(die.faces)) + 1)
            for die in slot.dice
            if max(die.faces) > 0.9 and die.owner_share > 0.9
        ]
        for slot in message.slots
    }


@pytest.mark.parametrize(
    ("nudge", "first"),
    [((6.0, 3.0), 2.3), ((1.5, 0.0), 2.0), ((-30.0, 8.0), 2.6)],
    ids=["pushed", "touched", "shoved"],
)
def test_a_nudge_is_said_within_two_seconds_and_read_on(nudge: tuple[float, float], first: float) -> None:
    """Pushed in mid-game, at whatever moment: said, followed, and every die is still what it was."""
    table = Table()
    assert table.watch(Light(), first)[-1].state == "ready"
    pushed = table.number / FPS
    after = table.watch(Light(nudge=nudge), 4.0)
    drifted = [message for message in after if message.state == "drifted"]
    assert drifted[0].say is not None
    assert drifted[0].say.key == "vision/drift/nudged/say"
    assert drifted[0].say.params["mm"] == pytest.approx(np.hypot(*nudge), abs=2.0, rel=0.3)
    assert drifted[0].ts - pushed <= 2.0
    assert after[-1].state == "ready"
    assert after[-1].ts - pushed <= 3.0
    assert not wrong(table.said)


def test_a_mat_pushed_out_of_view_is_said_and_found_again() -> None:
    """Two of its markers are outside: said within two seconds, nothing is read; put back, it reads on."""
    table = Table()
    table.watch(Light(), 2.2)
    pushed, reads = table.number / FPS, table.reader.reads
    after = table.watch(Light(nudge=(0.0, 25.0)), 4.0)
    lost = after[-1]
    assert (lost.state, lost.say and lost.say.key) == ("drifted", "vision/drift/lost/say")
    assert lost.ts - pushed <= 2.0
    assert table.reader.reads == reads
    assert table.watch(Light(), 3.0)[-1].state == "ready"
    assert not wrong(table.said)


def test_an_arm_over_the_markers_is_not_a_lost_mat() -> None:
    """One marker in its place is enough to know that nothing was moved."""
    table = Table()
    table.watch(Light(), 2.0)
    image = STUDIO.picture(SLOTS, None, Light())
    places = mats.centres(mats.find(image))
    assert places is not None
    for x, y in places[1:]:
        image[int(y) - 60 : int(y) + 60, int(x) - 60 : int(x) + 60] = (60, 80, 150)
    for _ in range(40):
        table.see(image)
    assert "drifted" not in {message.state for message in table.said}


@pytest.mark.parametrize(
    ("light", "state"),
    [
        (Light(covered=True), "too dark"),
        (Light(level=0.05), "too dark"),
        (Light(glare=1.0), "ready"),
        (Light(level=1.4, slope=0.5), "ready"),
    ],
    ids=["cap", "night", "mirror", "burnt-corner"],
)
def test_bad_light_never_gives_a_wrong_reading(light: Light, state: str) -> None:
    """The state is said, what cannot be read is unsure, nothing sure is wrong."""
    table = Table()
    table.watch(Light(), 2.0)
    after = table.watch(light, 3.0)
    assert not wrong(table.said)
    assert table.said[-1].state == state
    if state == "too dark":
        assert after[-1].say is not None
        assert after[-1].say.key == "vision/market/too-dark/say"


@pytest.mark.parametrize(
    "light",
    [Light(slope=0.8), Light(slope=-0.6), Light(level=0.5, slope=0.6), Light(level=1.1, slope=0.4)],
    ids=["from-one-side", "from-the-other", "dimmer", "brighter"],
)
def test_another_lamp_is_no_hand(light: Light) -> None:
    """Half the table changes at once, like under an arm: within three seconds the table is at rest and reads on."""
    table = Table()
    before = table.watch(Light(), 2.0)[-1]
    switched = table.number / FPS
    after = table.watch(light, 3.0)
    assert after[-1].state == "ready"
    assert after[-1].ts - switched <= 3.0
    assert gist(after[-1]) == gist(before), "nothing moved, so nothing reads differently"

    moved = {**SLOTS, "red-1": {"card": "R1a", "dice": []}}
    taken = table.watch(light, 3.0, moved)[-1]
    assert taken.state == "ready"
    assert not [
        die
        for slot in taken.slots
        if slot.slot == "red-1"
        for die in slot.dice
        if max(die.faces) > 0.9 and die.owner_share > 0.9
    ]
    assert not wrong([message for message in table.said if message is not taken])


def test_a_hand_that_comes_with_another_lamp_is_still_a_hand() -> None:
    """Lamp and arm together: nothing is read until the arm has gone, and then nothing is wrong."""
    table = Table()
    table.watch(Light(), 2.0)
    reads = table.reader.reads
    under = table.watch(Light(slope=0.7), 4.0, hand={"x": 0.4, "y": 0.4})
    assert table.reader.state == "hand"
    assert table.reader.reads == reads
    assert not [message for message in under if message.state == "ready"]
    assert table.watch(Light(slope=0.7), 3.0)[-1].state == "ready"
    assert not wrong(table.said)


def test_a_hand_that_rested_long_is_not_missed_when_it_goes() -> None:
    """Finger tips that lay still for ten seconds may pass for light; the table must read on once they are gone."""
    table = Table()
    before = table.watch(Light(), 2.0)[-1]
    table.watch(Light(), 10.0, hand={"x": 0.45, "y": 0.86})
    after = table.watch(Light(), 3.0)
    assert table.reader.state == "ready"
    assert not after or gist(after[-1]) == gist(before)
    moved = {**SLOTS, "red-1": {"card": "R1a", "dice": []}}
    assert table.watch(Light(), 3.0, moved)[-1].state == "ready"
    assert table.reader.state == "ready"
