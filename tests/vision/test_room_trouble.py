"""What can go wrong with camera and light, in the room as it runs: the right thing is said, and no die is read wrong."""

from __future__ import annotations

import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from companion.senses.explain import certain
from companion.wire.config import CameraConfig, Config
from companion.wire.memory import MemoryBroker
from companion.wire.messages import MarketSeen, VirtualTruth
from companion.wire.room import Room
from companion.wire.words import LANGUAGES
from tests.vision.laid import laid, market_mat
from vision import words
from vision.camera import v4l2
from vision.camera.capture import V4l2Source
from vision.camera.frame import CameraState, Frame, FrameSource, Problem, trouble
from vision.camera.picamera import PicameraSource
from vision.reading import MarketReader
from vision.room import Eye
from vision.virtual.camera import VirtualCamera

DICE = {"blue-1": ("sun", 5), "gold-2": ("plum", 3), "red-1": ("leaf", 6), "violet-2": ("coral", 2)}
SLOTS: dict[str, Any] = {
    slot: {"card": f"{slot[0].upper()}1a", "dice": [{"colour": c, "face": f, "x": 0.5, "y": 0.55, "angle": 15.0}]}
    for slot, (c, f) in DICE.items()
}


class Cable(VirtualCamera):
    """A camera whose cable can be pulled."""

    pulled = False

    def read(self) -> Frame | None:
        """A frame, unless the cable is out."""
        if self.pulled:
            self.state: CameraState = "no camera"
            self.problem: Problem | None = trouble("camera/unplugged", device="/dev/video0")
            return None
        self.problem = None
        return super().read()


class Table:
    """The camera's room above a virtual table, four frames a second."""

    def __init__(self, folder: Path, source: FrameSource | None = None) -> None:
        self.camera = Cable(mat=market_mat(2), fps=4.0)
        broker = MemoryBroker()
        room = Room("vision", Config(camera=CameraConfig(), state_dir=folder), broker.bus("vision"))
        room.bus.start()
        ear = broker.bus("companion")
        ear.start()
        self.said: list[MarketSeen] = []
        ear.subscribe("sensor/market", lambda _, message: self.said.append(message))  # type: ignore[arg-type]
        self.ear = ear
        self.eye = Eye(room, source or self.camera, MarketReader(laid(2)))
        self.now = 0.0

    def watch(self, seconds: float, **light: Any) -> list[MarketSeen]:
        """Look at the table under this light for so long; what is said meanwhile."""
        before = len(self.said)
        self.camera.show(VirtualTruth(ts=0.0, slots=SLOTS, light=light))
        for _ in range(round(seconds * 4)):
            self.camera._since = 0  # a real camera does not rest
            self.now += 1.0
            self.eye.step(self.now)
        self.ear.pump()
        return self.said[before:]


@pytest.fixture
def table(tmp_path: Path) -> Table:
    """A table of two rows with four dice on it."""
    return Table(tmp_path)


def key(seen: MarketSeen) -> str:
    """What is said, by its name."""
    return seen.say.key.removeprefix("vision/").removesuffix("/say") if seen.say else ""


def wrong(said: list[MarketSeen]) -> list[tuple[str, list[int]]]:
    """Dice anybody would swear to that do not lie there."""
    found = []
    for message in said:
        for slot in message.slots if message.state == "ready" else ():
            faces = [int(np.argmax(die.faces)) + 1 for die in slot.dice if certain(die)]
            truth = [DICE[slot.slot][1]] if slot.slot in DICE else []
            if (slot.sure and faces != truth) or not set(faces) <= set(truth):
                found.append((slot.slot, faces))
    return found


@pytest.mark.parametrize(
    ("light", "state", "said"),
    [
        ({"level": 0.2}, "ready", "check/dark"),
        ({"level": 0.05}, "too dark", "market/too-dark"),
        ({"covered": True}, "too dark", "market/too-dark"),
        ({"level": 1.6}, "ready", "check/bright"),
        ({"glare": 1.0}, "ready", "check/glare"),
        ({"slope": 0.8}, "ready", "check/uneven"),
        ({"blur": 2.5}, "ready", "check/blurred"),
        ({"nudge": [0.0, 25.0]}, "drifted", "drift/lost"),
    ],
    ids=["dim", "night", "cap", "burnt-out", "mirrored-lamp", "one-sided-lamp", "out-of-focus", "pushed-out-of-view"],
)
def test_each_trouble_gets_its_instruction_and_no_wrong_reading(
    table: Table, light: dict[str, Any], state: str, said: str
) -> None:
    """From a good table to a bad one in mid-game: one instruction on `sensor/market`, nothing read wrong; then all is well."""
    table.watch(2.0)
    assert key(table.said[-1]) == ""
    table.watch(6.5, **light)
    assert (table.said[-1].state, key(table.said[-1])) == (state, said)
    assert table.said[-1].do is not None
    table.watch(7.0)
    assert (table.said[-1].state, key(table.said[-1])) == ("ready", "")
    assert not wrong(table.said)


def test_a_nudged_camera_is_said_and_read_on(table: Table) -> None:
    """Said within two seconds, with its size, and for a while; the readings are the same."""
    table.watch(2.0)
    after = table.watch(3.0, nudge=[6.0, 3.0])
    assert "drift/nudged" in {key(message) for message in after}
    assert (after[-1].state, key(after[-1])) == ("ready", "drift/nudged")
    assert key(table.watch(9.0, nudge=[6.0, 3.0])[-1]) == ""
    assert not wrong(table.said)


def test_unplugged_and_plugged_in_again_the_table_reads_on(table: Table) -> None:
    """Said once while it is away; back again everything is read anew, though nothing has moved."""
    before = table.watch(2.0)[-1]
    table.camera.pulled = True
    assert [(message.state, key(message)) for message in table.watch(5.0)] == [("no camera", "camera/unplugged")]
    table.camera.pulled = False
    back = table.watch(2.0)[-1]
    assert (back.state, key(back)) == ("ready", "")
    assert [slot.slot for slot in back.slots] == [slot.slot for slot in before.slots]
    assert not wrong(table.said)


def busy(monkeypatch: pytest.MonkeyPatch) -> FrameSource:
    """Another program has it."""
    monkeypatch.setattr(v4l2, "obstacle", lambda device: None)

    class Closed:
        def isOpened(self) -> bool:
            return False

        def release(self) -> None:
            """Nothing was taken."""

    return V4l2Source("/dev/video0", opener=lambda target, backend: Closed())


def forbidden(monkeypatch: pytest.MonkeyPatch) -> FrameSource:
    """The user may not open it."""

    def refuse(*_: object) -> int:
        raise PermissionError(13, "Permission denied")

    monkeypatch.setattr(v4l2.os, "open", refuse)
    return V4l2Source("/dev/video0")


def not_a_pi(monkeypatch: pytest.MonkeyPatch) -> FrameSource:
    """picamera2 is not on this machine."""
    monkeypatch.setitem(sys.modules, "picamera2", None)
    return PicameraSource()


@pytest.mark.parametrize(
    ("source", "fix"),
    [
        (busy, "fuser -v /dev/video*"),
        (forbidden, "sudo usermod -aG video $USER"),
        (lambda _: V4l2Source("/dev/video-none"), "v4l2-ctl --list-devices"),
        (lambda _: V4l2Source("/dev/null"), "(Menu, "),
        (not_a_pi, "sudo apt install python3-picamera2"),
    ],
    ids=["in-use", "no-rights", "not-there", "no-camera", "no-picamera2"],
)
def test_a_camera_that_does_not_open_is_one_line_with_the_fix(
    source: Callable[[pytest.MonkeyPatch], FrameSource], fix: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """On the screen and in the health of the room, in every language; said once, however long it lasts."""
    table = Table(tmp_path, source(monkeypatch))
    for step in range(6):
        table.eye.step(float(step))
    table.ear.pump()
    assert [message.state for message in table.said] == ["starting", "no camera"]
    say, do = table.said[-1].say, table.said[-1].do
    assert say is not None and do is not None
    for language in LANGUAGES:
        line = f"{words.say(say, language)} {words.say(do, language)}"
        assert "\n" not in line and "{" not in line
        assert fix in line


def test_a_camera_that_comes_back_to_the_same_trouble_is_not_said_to_be_gone(tmp_path: Path) -> None:
    """A cap on the lens, the cable out, the cable in: it is too dark again, and that is said again."""
    table = Table(tmp_path)
    assert table.watch(6, covered=True)[-1].state == "too dark"
    table.camera.pulled = True
    assert table.watch(2, covered=True)[-1].state == "no camera"
    table.camera.pulled = False
    assert [seen.state for seen in table.watch(6, covered=True)] == ["too dark"]
