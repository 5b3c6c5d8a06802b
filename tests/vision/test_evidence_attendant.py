"""During play: evidence of every changed slot, the table check, and the screen's commands."""

from __future__ import annotations

from pathlib import Path

import msgspec
import numpy as np
import pytest

from companion.wire.config import CameraConfig, Config
from companion.wire.memory import MemoryBroker, MemoryBus
from companion.wire.messages import DieSeen, Do, MarketSeen, SlotSeen, State
from companion.wire.replies import Checked
from tests.vision.laid import laid, market_mat
from vision import evidence as ev
from vision import mat as mats
from vision.attendant import CHECK_EVERY, Attendant
from vision.camera.frame import Frame, Text, small_of
from vision.reading import MarketReader
from vision.virtual.scene import Light, Studio

STUDIO = Studio(market_mat(2))
GOOD = STUDIO.picture({}, None, Light())
DIM = STUDIO.picture({}, None, Light(level=0.2))


def frame(number: int, image: np.ndarray = GOOD) -> Frame:
    """One frame a second."""
    return Frame(image, small_of(image), float(number), number)


def reading(number: int, face: int = 5, state: str = "ready") -> MarketSeen:
    """One die in gold-1."""
    faces = tuple(1.0 if i == face - 1 else 0.0 for i in range(6))
    die = DieSeen(owner="sun", owner_share=1.0, faces=faces, x=0.5, y=0.5)  # type: ignore[arg-type]
    slots = (SlotSeen(slot="gold-1", dice=(die,)), SlotSeen(slot="red-1"))
    return MarketSeen(state=state, ts=float(number), frame=number, slots=slots)  # type: ignore[arg-type]


@pytest.fixture
def core() -> MemoryBus:
    """The core's side of the corridor."""
    bus = MemoryBroker().bus("companion")
    bus.start()
    return bus


@pytest.fixture
def table(tmp_path: Path, core: MemoryBus) -> tuple[Attendant, MemoryBus]:
    """A camera on a mat of two rows."""
    bus = core.broker.bus("vision")
    bus.start()
    reader = MarketReader(laid(2))
    reader.matrix = mats.registered(mats.find(GOOD), laid(2))
    config = Config(camera=CameraConfig(), state_dir=tmp_path)
    return Attendant(config, bus, reader), bus


def test_every_changed_slot_leaves_its_picture(table: tuple[Attendant, MemoryBus]) -> None:
    """The same reading again leaves none; a hand over the table leaves none."""
    attendant, _ = table
    attendant.keep(frame(0), reading(0))
    attendant.keep(frame(1), reading(1))
    attendant.keep(frame(2), reading(2, face=3, state="hand"))
    attendant.keep(frame(3), None)
    attendant.keep(frame(4), reading(4, face=6))
    kept = list(ev.records(attendant.evidence.place))
    assert [(record.seen.slot, record.frame) for record in kept] == [("gold-1", 0), ("red-1", 0), ("gold-1", 4)]
    picture = ev.picture(attendant.evidence.place, kept[0])
    assert picture is not None
    _, _, w, h = laid(2).slots["gold-1"]
    assert picture.shape[:2] == (round((h + 10) * 4), round((w + 10) * 4))


def test_a_new_game_starts_with_no_evidence(table: tuple[Attendant, MemoryBus], core: MemoryBus) -> None:
    """What the last game left is deleted when the next begins, and everything is kept anew."""
    attendant, bus = table
    attendant.keep(frame(0), reading(0))
    before = attendant.evidence.place
    core.publish("state", State(table="table", phase="playing", game_id="game-2"))
    bus.pump()
    assert not before.exists()
    attendant.keep(frame(1), reading(1))
    assert [record.game for record in ev.records(attendant.evidence.place)] == ["game-2", "game-2"]


def test_worse_light_is_said_during_play_and_taken_back(table: tuple[Attendant, MemoryBus]) -> None:
    """The reading is published again with the advice, and once more when the lamp is on again."""
    attendant, _ = table
    first = attendant.saw(frame(0), reading(0))
    assert first is not None
    assert first.say is None
    assert attendant.saw(frame(1, DIM), None) is None, "not every frame is checked"
    later = int(CHECK_EVERY) + 1
    told = attendant.saw(frame(later, DIM), None)
    assert told is not None
    assert told.say == Text("vision/check/dark/say")
    assert told.score < 0.5
    assert told.slots == first.slots
    assert attendant.saw(frame(2 * later, DIM), None) is None, "said once"
    good = attendant.saw(frame(3 * later), None)
    assert good is not None
    assert good.say is None
    assert good.score > 0.75


def test_a_table_nobody_touches_is_checked_less_often(
    table: tuple[Attendant, MemoryBus], monkeypatch: pytest.MonkeyPatch
) -> None:
    """Every five seconds at first; after half a minute of nothing every twenty; at once more often when something moves."""
    attendant, _ = table
    checked: list[float] = []
    good = Checked(1.0, {"light": 1.0})
    monkeypatch.setattr(attendant._desk, "looked", lambda frame: checked.append(frame.ts) or good)
    attendant.saw(frame(0), reading(0))
    for number in range(1, 100):
        attendant.saw(frame(number), None)
    assert checked == [0.0, 5.0, 10.0, 15.0, 20.0, 25.0, 45.0, 65.0, 85.0]
    attendant.saw(frame(100), reading(100, face=2))
    assert checked[-1] == 100.0


def test_what_the_reader_says_comes_first(table: tuple[Attendant, MemoryBus]) -> None:
    """Advice about light never hides that the mat has moved."""
    attendant, _ = table
    attendant.saw(frame(0, DIM), reading(0))
    moved = msgspec.structs.replace(reading(1, state="drifted"), say=Text("vision/market/mat-moved/say"))
    told = attendant.saw(frame(1, DIM), moved)
    assert told is not None
    assert told.say == Text("vision/market/mat-moved/say")


def test_a_nudge_is_said_long_enough_to_be_read(table: tuple[Attendant, MemoryBus]) -> None:
    """The view is followed within a second; the sentence stays, and then goes by itself."""
    attendant, _ = table
    text = Text("vision/drift/nudged/say", {"mm": 6})
    moved = msgspec.structs.replace(reading(1, state="drifted"), say=text, do=Text("vision/drift/nudged/do", {"mm": 6}))
    attendant.saw(frame(1), moved)
    again = attendant.saw(frame(2), reading(2))
    assert again is not None
    assert (again.state, again.say) == ("ready", text)
    said = [told for number in range(3, 14) if (told := attendant.saw(frame(number), None)) is not None]
    assert [(told.say, told.ts) for told in said] == [(None, 2.0)]


def test_the_screen_is_answered_from_the_newest_frame(table: tuple[Attendant, MemoryBus]) -> None:
    """The commands are those of the desk."""
    attendant, _ = table
    ask = Do(id="7", client="table", command="check")
    assert not attendant.commands()["check"](ask).ok
    attendant.saw(frame(0), None)
    assert attendant.commands()["check"](ask).ok
