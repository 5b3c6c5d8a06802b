"""From the core's question to the picture beside it: camera, corridor and screen must mean the same name."""

from __future__ import annotations

from pathlib import Path

import cv2
import numpy as np
import pytest

from companion.core.registry import pack as pack_of
from companion.game import Ask, Text
from companion.games.skytopia.mat import market_mat
from companion.senses.notices import question
from companion.wire.config import Config, DisplayConfig, load
from companion.wire.memory import MemoryBroker, MemoryBus
from companion.wire.messages import Prompt, State, VirtualTruth
from companion.wire.room import Room
from display.client import Client
from vision import mat as mats
from vision.room import Eye, camera_of, reader_of

SUN = (60, 190, 235)
"""BGR of the yellow player's dice, about."""


class Table:
    """Core, camera and screen on one corridor."""

    def __init__(self, folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
        monkeypatch.setenv("TABLESIDE_STATE_DIR", str(folder))
        broker = MemoryBroker()
        self.core: MemoryBus = broker.bus("companion")
        self.screen: MemoryBus = broker.bus("display")
        room = Room("vision", load({"camera.source": "virtual"}), broker.bus("vision"))
        for bus in (self.core, self.screen, room.bus):
            bus.start()
        self.client = Client(self.screen, Config(display=DisplayConfig(), state_dir=folder))
        self.eye = Eye(room, camera_of(room), reader_of(room))
        self.eye.reader.lay(mats.of(market_mat(2)))
        self.room = room
        self.now = 0.0

    def lie(self, slots: dict[str, object], steps: int = 14) -> None:
        """These things lie on the mat for so many frames."""
        self.eye.source.show(VirtualTruth(ts=self.now, slots=slots, mat=market_mat(2)))  # type: ignore[attr-defined]
        for _ in range(steps):
            self.now += 1.0
            self.room.bus.pump(0)
            self.eye.step(self.now)
        self.screen.pump()

    def ask(self, slot: str, number: int) -> str:
        """The core asks about a slot; the name it gives the picture."""
        asked = question(pack_of("skytopia"), (), (), slot, number)
        prompt = Prompt(ask=Ask(None, Text("table/asks")), question=asked)
        self.core.publish(
            "state", State(table="table", phase="playing", game="skytopia", prompt=prompt, mat=market_mat(2))
        )
        self.room.bus.pump(0)
        self.screen.pump()
        return asked.picture


@pytest.fixture
def table(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Table:
    """A table of two rows."""
    return Table(tmp_path, monkeypatch)


def shown(table: Table, name: str) -> np.ndarray:
    """The picture the screen has under this name."""
    image = cv2.imdecode(np.frombuffer(table.client.view.pictures[name], np.uint8), cv2.IMREAD_COLOR)
    assert image is not None
    return np.asarray(image, np.uint8)


def test_a_question_comes_with_the_picture_of_its_die(table: Table) -> None:
    """The screen finds it under the very name the core gave; the die is in its middle, wherever it lies in the slot."""
    die = {"colour": "sun", "face": 4, "x": 0.8, "y": 0.85, "angle": 20.0}
    table.lie({"gold-1": {"card": "", "dice": [die]}})
    assert table.client.view.pictures == {}, "nobody asked yet"

    name = table.ask("gold-1", 1)
    assert list(table.client.view.pictures) == [name]
    picture = shown(table, name)
    height, width = picture.shape[:2]
    assert height == width <= 420
    assert len(table.client.view.pictures[name]) < 60_000
    middle = np.median(picture[height // 2 - 40 : height // 2 + 40, width // 2 - 40 : width // 2 + 40], axis=(0, 1))
    assert np.abs(middle - SUN).max() < 60, middle

    table.ask("gold-1", 1)
    table.client.view.pictures.clear()
    table.ask("gold-1", 1)
    assert table.client.view.pictures == {}, "one picture a question"
    table.ask("gold-1", 2)
    assert list(table.client.view.pictures) == [name]


def test_a_question_from_before_the_camera_could_see_gets_its_picture_later(table: Table) -> None:
    """The camera was restarted while a question stood: its picture comes with the first reading."""
    name = table.ask("red-2", 7)
    assert table.client.view.pictures == {}
    table.lie({"red-2": {"card": "R1a", "dice": [{"colour": "sky", "face": 2, "x": 0.5, "y": 0.5, "angle": 5.0}]}})
    assert shown(table, name).shape[0] > 100
