"""Change first: quiet frames are cheap, hands are waited for, only changed slots are read."""

import numpy as np
import pytest

from vision.steady import Moment, Watch

SIZE = (180, 320)


def outlines() -> dict[str, np.ndarray]:
    """Two slots side by side."""
    return {
        name: np.array([(x, 30), (x + 60, 30), (x + 60, 120), (x, 120)], np.float64)
        for name, x in (("blue-1", 100), ("gold-1", 170))
    }


class Table:
    """A small grey picture one can lay things on, photographed fifteen times a second."""

    def __init__(self) -> None:
        self.rng = np.random.default_rng(0)
        self.picture = (110 + 25 * np.sin(np.arange(320) / 9)[None] + np.zeros((180, 1))).astype(np.float32)
        self.watch = Watch(settle=0.3)
        self.watch.place(outlines(), SIZE)
        self.ts = 0.0

    def frame(self, light: float = 1.0) -> np.ndarray:
        return np.clip(self.picture * light + self.rng.normal(0, 1.5, SIZE), 0, 255).astype(np.uint8)

    def look(self, frames: int = 1, light: float = 1.0) -> Moment:
        moment = Moment("starting")
        for _ in range(frames):
            self.ts += 1 / 15
            moment = self.watch.look(self.frame(light), self.ts)
        return moment

    def rest(self) -> Moment:
        moment = self.look(8)
        self.watch.read(moment.changed, self.frame())
        return moment


def test_at_first_every_slot_is_read():
    """Nothing is known yet, so everything is looked at once it is still."""
    table = Table()
    assert table.look(2).state == "settling"
    assert table.look(8).changed == ("blue-1", "gold-1")


def test_a_quiet_table_is_not_read_again():
    """Noise is no change."""
    table = Table()
    table.rest()
    assert all(table.look() == Moment("ready") for _ in range(30))
    assert table.look().changed == ()


def test_only_the_slot_that_changed_is_read():
    """A die appears on one card."""
    table = Table()
    table.rest()
    table.picture[60:72, 120:132] = 230
    assert table.look().state == "settling"
    assert table.rest().changed == ("blue-1",)
    assert table.look(3).changed == ()


def test_a_moving_hand_is_waited_for_and_so_is_a_resting_one():
    """While something large hangs over the mat nothing is read, moving or not."""
    table = Table()
    table.rest()
    bare = table.picture.copy()
    for step in range(6):
        table.picture = bare.copy()
        table.picture[100 - 12 * step :, 120:160] = 30
        assert table.look().state == "hand"
    moment = table.look(20)
    assert moment.state == "hand" and "blue-1" in moment.covered and moment.changed == ()
    table.picture = bare
    table.look()
    assert table.look(8).state == "ready"


def test_settling_follows_the_frames_clock():
    """The same frames ten times as fast settle ten times as fast; wall time is never asked."""
    for speed in (1.0, 10.0):
        table = Table()
        table.watch = Watch(settle=0.3 / speed)
        table.watch.place(outlines(), SIZE)
        states = []
        for _ in range(12):
            table.ts += 1 / 15 / speed
            states.append(table.watch.look(table.frame(), table.ts).state)
        assert states.index("ready") == 5


def test_a_lamp_that_dims_changes_no_slot():
    """Light is not dice."""
    table = Table()
    table.rest()
    table.look(10, light=0.8)
    assert table.look(3, light=0.8).changed == ()


@pytest.mark.parametrize("level", [0.0, 0.1])
def test_darkness_is_said_not_read(level):
    """Too dark to see is a state of its own."""
    table = Table()
    table.rest()
    moment = table.look(10, light=level)
    assert moment.state == "too dark" and moment.changed == ()


def test_a_picture_of_another_size_starts_over():
    """Frames that do not fit the plan are not compared."""
    table = Table()
    table.rest()
    assert table.watch.look(np.full((90, 160), 100, np.uint8), 99.0).state == "starting"
