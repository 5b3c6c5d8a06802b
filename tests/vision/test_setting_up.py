"""Setting the table up on the screen: live picture, score, mat, corners, colours; every request gets its answer."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import cv2
import msgspec
import numpy as np
import pytest

from companion.wire.config import CameraConfig, Config
from companion.wire.memory import MemoryBroker
from companion.wire.messages import Answer, Do, MarketSeen, VirtualTruth
from companion.wire.room import Room
from tests.vision.laid import laid, market_mat
from tests.vision.test_calibration_measure import COLOURS, laid_out
from tests.vision.test_camera_commands import Screen
from vision import calibration
from vision import mat as mats
from vision.camera.frame import Frame, small_of
from vision.reading import MarketReader
from vision.room import Eye, cards_of, reader_of
from vision.show import LIVE_WIDTH
from vision.virtual.camera import VirtualCamera
from vision.virtual.scene import Light, Studio


class Wizard:
    """The screen's side of the corridor while somebody sets the table up."""

    def __init__(self, folder: Path) -> None:
        broker = MemoryBroker()
        self.bus = broker.bus("display")
        self.camera = VirtualCamera(mat=market_mat(2), fps=4.0)
        self.room = Room("vision", Config(camera=CameraConfig(), state_dir=folder), broker.bus("vision"))
        self.time = 1_000.0
        self.eye = Eye(self.room, self.camera, MarketReader(laid(2)))
        self.room.bus.subscribe("do/vision", self.eye.asked)
        self.live: list[bytes] = []
        self.market: list[MarketSeen] = []
        self.answers: dict[str, Answer] = {}
        for bus in (self.bus, self.room.bus):
            bus.start()
        self.bus.subscribe("picture/live", lambda _, blob: self.live.append(blob))  # type: ignore[arg-type]
        self.bus.subscribe("sensor/market", lambda _, seen: self.market.append(seen))  # type: ignore[arg-type]
        self.bus.subscribe("answer/display", self._answered)
        self.asked = 0

    def _answered(self, _: str, answer: Any) -> None:
        self.answers[answer.id] = answer

    def ask(self, command: str, **args: Any) -> Answer:
        """Send a request over the corridor and wait for its answer."""
        self.asked += 1
        self.bus.publish("do/vision", Do(id=str(self.asked), client="display", command=command, args=args))
        self.room.bus.pump(0)
        self.bus.pump()
        return self.answers[str(self.asked)]

    def watch(self, seconds: float, **light: Any) -> None:
        """Four frames a second of an empty table."""
        self.camera.show(VirtualTruth(ts=0.0, slots={}, light=light))
        for _ in range(round(4 * seconds)):
            self.camera._since = 0  # a real camera does not rest
            self.time += 0.25
            self.eye.step(self.time)
        self.bus.pump()


@pytest.fixture
def wizard(tmp_path: Path) -> Wizard:
    """An empty mat of two rows."""
    return Wizard(tmp_path)


def test_the_live_picture_streams_until_it_is_stopped(wizard: Wizard) -> None:
    """Started, prolonged, stopped; forgotten, it ends by itself; each picture is small and whole."""
    refused = wizard.ask("live start")
    assert refused.refusal is not None and refused.refusal.code == "vision/command/no-picture"
    wizard.watch(1.0)
    assert not wizard.live
    started = wizard.ask("live start", seconds=5, fps=2)
    assert (started.ok, started.result) == (True, {"picture": "live", "seconds": 5.0})
    wizard.watch(3.0)
    assert len(wizard.live) == 6
    image = cv2.imdecode(np.frombuffer(wizard.live[-1], np.uint8), cv2.IMREAD_COLOR)
    assert image is not None and image.shape == (540, LIVE_WIDTH, 3)
    assert len(wizard.live[-1]) < 200_000
    assert wizard.ask("live stop").ok
    wizard.live.clear()
    wizard.watch(1.0)
    assert not wizard.live
    wizard.ask("live start", seconds=2)
    wizard.watch(6.0)
    assert 6 <= len(wizard.live) <= 10, "a screen that died is not served for ever"


def test_while_it_streams_the_score_and_one_instruction_follow_every_second(wizard: Wizard) -> None:
    """On `sensor/market`, whatever is wrong: too dark, out of focus, out of view, then good."""
    wizard.watch(1.0)
    wizard.ask("live start", seconds=60)
    for light, said in (
        ({"level": 0.2}, "check/dark"),
        ({"blur": 4.0}, "check/blurred"),
        ({"nudge": [160.0, 0.0]}, "check/no-mat"),
        ({"covered": True}, "check/dark"),
        ({}, ""),
    ):
        wizard.watch(4.5, **light)
        told = wizard.market[-1]
        assert (told.say.key if told.say else "vision//say") == f"vision/{said}/say"
        assert (told.do is not None) == bool(said)
        assert (told.score >= 0.75) == (said == "")


def test_one_live_picture_comes_with_its_score(wizard: Wizard) -> None:
    """For a screen that asks once a second: picture, score, parts and the instruction in one answer."""
    wizard.watch(1.0, blur=4.0)
    told = wizard.ask("live").result
    assert (told["picture"], told["width"], told["height"]) == ("live", 960, 540)
    assert told["score"] < 0.5
    assert told["parts"]["sharp"] == told["score"] and told["parts"]["light"] == 1.0
    assert told["say"]["key"] == "vision/check/blurred/say"
    assert len(wizard.live) == 1
    assert wizard.ask("check").result["parts"] == told["parts"]


def test_every_request_is_answered_and_none_hangs(wizard: Wizard) -> None:
    """Before there is a picture, without a mat, with nonsense, and unknown ones: a sentence, never silence."""
    for command in sorted(wizard.eye.commands):
        assert wizard.ask(command).id == str(wizard.asked)
    unknown = wizard.ask("make tea")
    assert unknown.refusal is not None and unknown.refusal.code == "vision/command/unknown"
    wizard.watch(1.0, nudge=[160.0, 0.0])
    for command in ("calibrate", "sample colours", "picture", "teach card"):
        answer = wizard.ask(command, colours=["sun"], slot="gold-1", card="x")
        assert not answer.ok and answer.refusal is not None and answer.refusal.do is not None


def test_the_mat_is_calibrated_over_the_corridor_and_read_by_at_once(wizard: Wizard, tmp_path: Path) -> None:
    """`calibrate` finds the mat; `calibration` says what is known; the room reads on, and so it does after a restart."""
    wizard.watch(2.0)
    assert wizard.ask("calibration").result["calibrated"] is False
    answer = wizard.ask("calibrate", die_mm=16, card_mm=[63, 88])
    assert answer.ok
    assert answer.result["tapped"] is False and answer.result["die_mm"] == 16.0
    assert all(0 < share < 1 for corner in answer.result["corners"] for share in corner)
    wizard.watch(2.0)
    assert wizard.market[-1].state == "ready"
    assert wizard.ask("calibration").result["corners"] == answer.result["corners"]
    again = reader_of(wizard.room)
    assert (again.die_mm, again.corners) == (16.0, None), "a printed mat is found where it lies today"


def test_a_damaged_calibration_is_said_and_the_older_one_used(wizard: Wizard, tmp_path: Path) -> None:
    """Both on request and at the start of the room."""
    wizard.watch(1.0)
    wizard.ask("calibrate", die_mm=14)
    wizard.ask("calibrate", die_mm=18)
    file = tmp_path / calibration.FILE
    file.write_bytes(file.read_bytes().replace(b"18.0", b"19.0"))
    told = wizard.ask("calibration").result
    assert told["say"]["key"] == "vision/calibration/damaged/say"
    assert (told["calibrated"], told["die_mm"]) == (True, 14.0)
    assert reader_of(wizard.room).die_mm == 14.0


def test_four_tapped_corners_stand_in_for_a_printed_mat(tmp_path: Path) -> None:
    """Without markers: tapped once, then colours are sampled by those corners, and a restart reads by them."""
    image = laid_out().copy()
    places = mats.centres(mats.find(image))
    assert places is not None
    for x, y in places:
        cv2.rectangle(image, (int(x) - 40, int(y) - 40), (int(x) + 40, int(y) + 40), (236, 240, 240), -1)
    screen = Screen(tmp_path, image)
    assert not screen.ask("calibrate").ok, "there is no mat to be found"
    shares = [[x / 1920, y / 1080] for x, y in places]
    assert screen.ask("calibrate", corners=shares).result["tapped"] is True
    frame = Frame(image, small_of(image), 2.0, 1)
    screen.reader.see(frame)
    assert screen.reader.matrix is not None

    told = screen.ask("sample colours", colours=list(COLOURS))
    assert told.ok and told.result["colours"] == sorted(COLOURS)
    assert told.result["tapped"] is True
    red, green, blue = told.result["sampled"]["sun"]["rgb"]
    assert red > green > blue
    kept = calibration.load(tmp_path / calibration.FILE)
    assert kept is not None and kept.tapped and set(kept.colours) == set(COLOURS)


def test_corners_tapped_on_a_printed_mat_are_those_of_its_markers(tmp_path: Path) -> None:
    """A finger is near enough; the markers say where exactly, and go on being followed. Tapped elsewhere, the finger wins."""
    screen = Screen(tmp_path, laid_out())
    places = mats.centres(mats.find(laid_out()))
    assert places is not None
    about = [[(x + 25) / 1920, (y - 20) / 1080] for x, y in places]
    told = screen.ask("calibrate", corners=about).result
    assert told["tapped"] is False
    assert np.allclose(told["corners"], [[x / 1920, y / 1080] for x, y in places], atol=0.002)
    assert screen.reader.corners is None
    elsewhere = [[0.2, 0.2], [0.8, 0.2], [0.8, 0.8], [0.2, 0.8]]
    assert screen.ask("calibrate", corners=elsewhere).result["tapped"] is True


def test_colours_are_sampled_where_they_are_said_to_lie(tmp_path: Path) -> None:
    """By name and slot; a slot without a die is refused with its name, and nothing is kept."""
    screen = Screen(tmp_path, laid_out())
    first = COLOURS[0]
    told = screen.ask("sample colours", colours={first: "blue-1"})
    assert told.ok and told.result["sampled"][first]["slot"] == "blue-1"
    for wrong in ({}, {"colours": []}, {"colours": ["pink"]}, {"colours": "sun"}):
        assert not screen.ask("sample colours", **wrong).ok
    empty = screen.ask("sample colours", colours={"snow": "violet-2"})
    assert empty.refusal is not None and empty.refusal.code == "vision/calibration/no-die"
    kept = calibration.load(tmp_path / calibration.FILE)
    assert kept is not None and set(kept.colours) == {first}


def test_the_size_of_cards_is_known_to_the_album_and_damaged_ones_are_named(tmp_path: Path) -> None:
    """Calibrated while the room runs, and found again at its next start."""
    screen = Screen(tmp_path, laid_out())
    assert screen.ask("calibrate", card_mm=[57, 87]).ok
    assert screen.desk.book.card_mm == (57.0, 87.0)
    room = Room("vision", Config(camera=CameraConfig(), state_dir=tmp_path), MemoryBroker().bus("vision"))
    (tmp_path / "cards").mkdir()
    (tmp_path / "cards" / "B1a.png").write_bytes(b"no picture")
    book, damaged = cards_of(room)
    assert book.card_mm == (57.0, 87.0)
    assert damaged == ("B1a",)
    assert Screen(tmp_path, laid_out()).desk.book.card_mm == (57.0, 87.0)
    assert screen.ask("cards").result == {"cards": [], "damaged": ["B1a"]}


def test_a_full_disk_is_said(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """What cannot be kept is refused, and the reader goes on with what it had."""
    screen = Screen(tmp_path, laid_out())

    def full(*_: object) -> None:
        raise OSError(28, "No space left on device")

    monkeypatch.setattr(calibration, "write_private", full)
    answer = screen.ask("calibrate", die_mm=12)
    assert answer.refusal is not None and answer.refusal.code == "vision/command/disk"
    assert screen.reader.die_mm == 0.0


def test_another_game_lays_another_mat(tmp_path: Path) -> None:
    """The reader follows what the table says is played, without a restart."""
    image = Studio(market_mat(3)).picture({}, None, Light())
    screen = Screen(tmp_path, image)
    screen.reader.lay(laid(3))
    assert "gold-3" in screen.reader.mat.slots
    screen.reader.see(Frame(image, small_of(image), 2.0, 1))
    assert screen.reader.matrix is not None


@pytest.mark.parametrize("edge", [7.0, 9.0, 19.0])
def test_dice_of_another_size_are_read_once_their_size_is_known(edge: float) -> None:
    """Small travel dice and large ones: with `die_mm` each is found and read, at its own size."""
    truth = {"blue-1": ("sky", 5), "gold-2": ("plum", 3), "red-1": ("coral", 6), "violet-2": ("leaf", 2)}
    slots: dict[str, Any] = {
        slot: {"card": "", "dice": [{"colour": c, "face": f, "x": 0.5, "y": 0.5, "angle": 25.0}]}
        for slot, (c, f) in truth.items()
    }
    image = Studio(msgspec.structs.replace(market_mat(2), die_mm=edge)).picture(slots, None, Light())
    reader = MarketReader(laid(2), die_mm=edge)
    reader.matrix = mats.registered(mats.find(image), laid(2))
    found = reader.read_slots(image, tuple(truth))
    for slot, (_, face) in truth.items():
        (die,) = found[slot]
        assert die.face == face
        assert abs(die.x - 0.5) < 0.05 and abs(die.y - 0.5) < 0.05
        assert 0.9 * edge < die.size < 1.7 * edge
    if edge < 8:
        reader.die_mm = calibration.DIE_MM
        assert sum(map(len, reader.read_slots(image, tuple(truth)).values())) < 4, (
            "taken for something smaller than a die"
        )
