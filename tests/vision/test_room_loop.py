"""The camera's process on a bus in memory: virtual truth in, market readings out."""

from pathlib import Path

import numpy as np
import pytest

from companion.games.skytopia.mat import market_mat
from companion.wire.config import load
from companion.wire.memory import MemoryBroker
from companion.wire.messages import Answer, Do, MarketSeen, State, VirtualTruth
from companion.wire.room import Room
from tests.vision.laid import laid
from tests.walks import told, walked
from vision.camera.frame import Frame, trouble
from vision.reading import MarketReader
from vision.room import Eye, camera_of, reader_of


class Listener:
    """Whoever hears the table."""

    def __init__(self, broker: MemoryBroker) -> None:
        self.bus = broker.bus("listener")
        self.market: list[MarketSeen] = []
        self.pictures: list[str] = []
        self.answers: list[Answer] = []
        self.bus.start()
        self.bus.subscribe("sensor/market", lambda topic, message: self.market.append(message))
        self.bus.subscribe("picture/+", lambda topic, message: self.pictures.append(topic))
        self.bus.subscribe("answer/+", lambda topic, message: self.answers.append(message))


class Away:
    """A camera that is not there."""

    state = "no camera"
    problem = trouble("market/mat-missing")

    def open(self) -> None:
        """Nothing to open."""

    def close(self) -> None:
        """Nothing to close."""

    def read(self) -> Frame | None:
        """Nothing to see."""
        return None


@pytest.fixture
def broker() -> MemoryBroker:
    """A table in memory."""
    return MemoryBroker()


def a_room(broker: MemoryBroker, tmp_path: Path) -> Room:
    """The vision room with a small virtual camera."""
    config = load({"camera.source": "virtual", "camera.width": "1920", "camera.height": "1080"})
    room = Room("vision", config=config, bus=broker.bus("vision"))
    room.bus.start()
    return room


def test_the_virtual_table_is_read_over_the_bus(broker, tmp_path):
    """Truth goes in on virtual/table; the reading comes out on sensor/market with its card."""
    room, heard = a_room(broker, tmp_path), Listener(broker)
    eye = Eye(room, camera_of(room), reader_of(room))
    core = broker.bus("companion")
    core.start()
    core.publish("state", State(table="t", phase="lobby", mat=market_mat(2)))
    slots = {
        "gold-1": {"card": "G2a", "dice": [{"colour": "sky", "face": 3, "x": 0.5, "y": 0.5, "angle": 15.0}]},
        "red-2": {"card": "R1c", "dice": []},
    }
    table = broker.bus("virtual")
    table.start()
    table.publish("virtual/table", VirtualTruth(ts=50.0, slots=slots, mat=market_mat(2)))
    for step in range(14):
        room.bus.pump(0)
        eye.step(float(step))
    heard.bus.pump(0)
    assert heard.market[0].state == "starting"
    last = heard.market[-1]
    assert last.state == "ready" and len(last.slots) == 8
    seen = {s.slot: s for s in last.slots}
    (die,) = (d for d in seen["gold-1"].dice if max(d.faces) > 0.9)
    assert (die.owner, 1 + int(np.argmax(die.faces))) == ("sky", 3)
    assert abs(die.x - 0.5) < 0.1 and abs(die.y - 0.5) < 0.1
    assert not [d for d in seen["red-2"].dice if max(d.faces) > 0.9]
    assert seen["red-2"].card.card in ("R1c", None)


def test_a_frame_goes_the_way_the_page_tells(broker, tmp_path):
    """Until it is on the corridor; `tests/companion/test_walks.py` follows it from there."""
    room, heard = a_room(broker, tmp_path), Listener(broker)
    eye = Eye(room, camera_of(room), reader_of(room))
    eye.source.show(VirtualTruth(ts=1.0, slots={}, mat=market_mat(2)))
    column = told(2)
    assert walked(lambda: (eye.step(0.0), heard.bus.pump(0))) == column[: column.index("companion/wire/bus.py") + 1]


def test_a_missing_camera_is_said_once(broker, tmp_path):
    """One message, with what is wrong and what to do."""
    room, heard = a_room(broker, tmp_path), Listener(broker)
    eye = Eye(room, Away(), MarketReader(laid(2)))
    for step in range(5):
        eye.step(float(step))
    heard.bus.pump(0)
    assert [m.state for m in heard.market] == ["starting", "no camera"]
    assert heard.market[-1].say is not None and heard.market[-1].do is not None


def test_the_screen_may_ask_to_look_again_and_for_a_live_picture(broker, tmp_path):
    """Both are answered; a picture comes only when there is a frame."""
    room, heard = a_room(broker, tmp_path), Listener(broker)
    eye = Eye(room, camera_of(room), reader_of(room))
    eye.asked("do/vision", Do(id="1", client="screen", command="live"))
    eye.source.show(VirtualTruth(ts=1.0, slots={}))
    eye.step(0.0)
    eye.asked("do/vision", Do(id="2", client="screen", command="live"))
    eye.asked("do/vision", Do(id="3", client="screen", command="look again"))
    eye.asked("do/vision", Do(id="4", client="screen", command="make tea"))
    heard.bus.pump(0)
    assert [(a.id, a.ok) for a in heard.answers] == [("1", False), ("2", True), ("3", True), ("4", False)]
    assert heard.pictures == ["picture/live"]
