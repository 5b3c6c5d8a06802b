"""The camera's commands, from the terminal and from the screen."""

from __future__ import annotations

import io
import json
from pathlib import Path
from typing import Any

import cv2
import numpy as np
import pytest

from companion.wire.config import Config
from companion.wire.memory import MemoryBroker
from companion.wire.messages import Answer, CardSeen, DieSeen, Do, SlotSeen
from tests.vision.laid import COLUMNS, laid, market_mat
from tests.vision.test_calibration_measure import COLOURS, laid_out
from vision import calibration, evidence
from vision import mat as mats
from vision.camera.frame import Frame, small_of
from vision.cards import album as card_album
from vision.commands import CameraDesk
from vision.reader import market
from vision.reading import MarketReader
from vision.show import Show
from vision.terminal import calibrate as calibrate_command
from vision.terminal import cards as cards_command
from vision.terminal import check as check_command
from vision.terminal import evidence as evidence_command
from vision.virtual.scene import Light, Studio

CARDS = ("B1a", "G1a", "R1a", "V1a", "B2a", "G2a", "R2a", "V2a")


@pytest.fixture
def state_dir(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A table of two rows with its own folders."""
    monkeypatch.setenv("TABLESIDE_STATE_DIR", str(tmp_path / "state"))
    monkeypatch.setenv("TABLESIDE_CONFIG_DIR", str(tmp_path / "config"))
    monkeypatch.setattr("vision.terminal.declared.PLAYERS", 2)
    monkeypatch.setenv("TABLESIDE_BROKER_PORT", "1")  # whatever runs on this machine is not asked
    return tmp_path / "state"


def photo(tmp_path: Path, image: np.ndarray) -> str:
    """A picture as a file."""
    path = tmp_path / "photo.png"
    cv2.imwrite(str(path), image)
    return str(path)


def a_market(cards: tuple[str, ...] = CARDS, **light: float) -> np.ndarray:
    """Eight cards on the mat of two rows."""
    slots = [f"{column}-{row}" for row in (1, 2) for column in COLUMNS]
    studio, lamp = Studio(market_mat(2)), Light(**light)  # type: ignore[arg-type]
    laid = {slot: {"card": card, "dice": []} for slot, card in zip(slots, cards, strict=False)}
    return studio.sensor(studio.picture(laid, None, lamp), lamp, 1)


def test_calibrate_keeps_what_it_measured(tmp_path: Path, state_dir: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """One command, one file; a second run without a mat is refused and the first stays."""
    assert calibrate_command.main(["--photo", photo(tmp_path, laid_out()), "--colours", *COLOURS]) == 0
    kept = calibration.load(state_dir / calibration.FILE)
    assert kept is not None
    assert set(kept.colours) == set(COLOURS)
    assert "yellow" in capsys.readouterr().err

    empty = photo(tmp_path, np.full((720, 1280, 3), 80, np.uint8))
    assert calibrate_command.main(["--photo", empty]) == 1
    assert "mat was not found" in capsys.readouterr().err
    assert calibration.load(state_dir / calibration.FILE) == kept


def test_check_says_the_score_and_the_one_instruction(
    tmp_path: Path, state_dir: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    """Exit code 0 for a good table, 1 with the instruction otherwise, in the table's language."""
    assert check_command.main(["--photo", photo(tmp_path, a_market()), "--json"]) == 0
    told = json.loads(capsys.readouterr().out)
    assert told["score"] >= 0.75
    assert told["advice"] == ""

    monkeypatch.setenv("TABLESIDE_TABLE_LANGUAGE", "pl")
    assert check_command.main(["--photo", photo(tmp_path, a_market(level=0.2))]) == 1
    assert "za ciemno" in capsys.readouterr().err


def test_without_a_camera_each_command_says_what_to_do(state_dir: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """No camera is set up: one line, exit code 1."""
    for command, argv in (
        (check_command, []),
        (calibrate_command, []),
        (cards_command, ["teach", "--yes", "B1a"]),
    ):
        assert command.main(argv) == 1
        assert "choose a camera in the first steps" in capsys.readouterr().err


def test_a_whole_mat_of_cards_is_taught_at_once(
    tmp_path: Path, state_dir: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    """Eight cards, one key press; then each is recognised in a dimmer picture."""
    monkeypatch.setattr("sys.stdin", io.StringIO("\n"))
    assert cards_command.main(["teach", "--photo", photo(tmp_path, a_market()), *CARDS]) == 0
    assert "8 cards are known" in capsys.readouterr().err
    assert cards_command.main(["list"]) == 0
    assert set(capsys.readouterr().out.split()) == set(CARDS)

    book, _ = card_album.read_book(state_dir / card_album.FOLDER)
    dimmer = a_market(CARDS[::-1], level=0.7)
    matrix = mats.registered(mats.find(dimmer), laid(2))
    assert matrix is not None
    for slot, card in zip([f"{c}-{r}" for r in (1, 2) for c in COLUMNS], CARDS[::-1], strict=True):
        seen = mats.straight(dimmer, matrix, laid(2).slots[slot], 3.0)
        assert book.recognise(seen, 3.0).card == card

    assert cards_command.main(["forget", "B1a"]) == 0
    assert cards_command.main(["list"]) == 0
    assert "B1a" not in capsys.readouterr().out


def test_an_empty_slot_is_not_taught(tmp_path: Path, state_dir: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """A forgotten card is said, the others are taught; a wrong name is refused before anything happens."""
    picture = photo(tmp_path, a_market(CARDS[:3]))
    assert cards_command.main(["teach", "--yes", "--photo", picture, *CARDS[:4]]) == 1
    told = capsys.readouterr().err
    assert "no card in slot violet-1" in told
    assert "3 cards are known" in told
    assert cards_command.main(["teach", "--yes", "--photo", picture, "../B1a"]) == 1
    assert cards_command.main(["teach", "--yes", "--photo", picture]) == 1


class Screen:
    """A screen that asks and a reader that learns."""

    def __init__(self, state_dir: Path, image: np.ndarray | None) -> None:
        self.frame = Frame(image, small_of(image), 1.0, 0) if image is not None else None
        self.reader = MarketReader(laid(2))
        if image is not None:
            self.reader.matrix = mats.registered(mats.find(image), laid(2))
        self.now = 99.0
        self.bus = MemoryBroker().bus("vision")
        self.bus.start()
        self.show = Show(self.bus, self.reader)
        kept = evidence.Evidence(state_dir / evidence.FOLDER)
        config = Config(state_dir=state_dir)
        self.desk = CameraDesk(self.reader, lambda: self.frame, config, lambda: self.now, self.show, kept)
        self.commands = self.desk.commands()

    def ask(self, command: str, **args: Any) -> Answer:
        """Send one request."""
        return self.commands[command](Do(id="1", client="table", command=command, args=args))


def test_the_screen_calibrates_and_the_reader_learns_at_once(tmp_path: Path) -> None:
    """`calibrate` by markers, or by four tapped corners given as shares of the picture."""
    screen = Screen(tmp_path, laid_out())
    answer = screen.ask("calibrate", colours=list(COLOURS))
    assert answer.ok
    assert set(screen.reader.taught) == set(COLOURS)
    assert screen.reader.corners_size == (1920, 1080)
    kept = calibration.load(tmp_path / calibration.FILE)
    assert kept is not None
    assert kept.created == 99.0

    shares = [[x / 1920, y / 1080] for x, y in kept.corners]
    assert screen.ask("calibrate", corners=shares).ok
    crossed = screen.ask("calibrate", corners=[shares[0], shares[2], shares[1], shares[3]])
    assert not crossed.ok
    assert crossed.refusal is not None
    assert crossed.refusal.code == "vision/calibration/corners"


def test_the_screen_checks_the_table(tmp_path: Path) -> None:
    """The score and what to change, as text the screen can say."""
    good = Screen(tmp_path, a_market()).ask("check")
    assert good.result["say"] is None
    dark = Screen(tmp_path, a_market(level=0.2)).ask("check")
    assert dark.result["say"].key == "vision/check/dark/say"


def test_the_screen_teaches_a_card(tmp_path: Path) -> None:
    """Taught, recognised, kept on disk, forgotten."""
    image = a_market()
    screen = Screen(tmp_path, image)
    for slot, card in (("blue-1", "B1a"), ("gold-1", "G1a"), ("red-1", "R1a"), ("violet-1", "V1a"), ("blue-2", "B2a")):
        assert screen.ask("teach card", card=card, slot=slot).ok
    again = screen.ask("teach card", card="copy", slot="blue-1")
    assert again.result["like"] == "B1a"
    screen.ask("forget card", card="copy")
    seen = mats.straight(image, screen.reader.matrix, laid(2).slots["gold-1"], 3.0)
    assert screen.reader.know_card(seen).card == "G1a"
    assert sorted(screen.ask("cards").result["cards"]) == ["B1a", "B2a", "G1a", "R1a", "V1a"]


@pytest.mark.parametrize(
    ("command", "args", "code"),
    [
        ("teach card", {"card": "../x", "slot": "blue-1"}, "vision/cards/name"),
        ("teach card", {"card": "x", "slot": "blue-9"}, "vision/cards/no-slot"),
        ("teach card", {}, "vision/command/unclear"),
        ("calibrate", {"card_mm": "x"}, "vision/command/unclear"),
        ("calibrate", {"corners": [[0, 0]]}, "vision/command/unclear"),
    ],
)
def test_a_request_that_cannot_be_done_is_refused_with_words(
    tmp_path: Path, command: str, args: dict[str, Any], code: str
) -> None:
    """Whatever is sent, the answer says what to do."""
    answer = Screen(tmp_path, laid_out()).ask(command, **args)
    assert not answer.ok
    assert answer.refusal is not None
    assert answer.refusal.code == code


def test_without_a_frame_nothing_is_guessed(tmp_path: Path) -> None:
    """No camera, no calibration."""
    screen = Screen(tmp_path, None)
    for command in ("calibrate", "check"):
        assert not screen.ask(command).ok
    assert not screen.ask("teach card", card="x", slot="blue-1").ok


def test_readings_are_replayed_through_todays_reader(
    state_dir: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    """Each kept picture is handed to the market reader as if it lay in its slot; what differs is named."""
    assert evidence_command.main([]) == 1
    assert "No readings" in capsys.readouterr().err
    x, y, w, h = laid(2).slots["gold-1"]
    crop = np.full((round((h + 10) * 4), round((w + 10) * 4), 3), 200, np.uint8)
    cv2.circle(crop, (round((w / 2 + 5) * 4), round((h / 2 + 5) * 4)), 20, (40, 200, 240), -1)

    def read(
        image: np.ndarray, matrix: np.ndarray, mat: mats.Mat, slots: tuple[str, ...], taught: object, *_: object
    ) -> Any:
        left, top, wide, high = mat.slots[slots[0]]
        px, py = cv2.perspectiveTransform(np.array([[[left + wide / 2, top + high / 2]]]), matrix)[0, 0]
        assert image[round(py), round(px), 0] < 80, "the middle of the slot is the middle of the die"
        faces = (0.0, 0.0, 0.0, 0.0, 1.0, 0.0)
        return {slot: (market.MarketDie("sun", 1.0, faces, 0.5, 0.5, 16.0),) for slot in slots}

    monkeypatch.setattr(market, "read", read)
    kept = evidence.Evidence(state_dir / evidence.FOLDER)
    kept.begin("g-1")
    wrong = kept.keep(
        SlotSeen(slot="gold-1", card=CardSeen(card=None)), crop, area=(x, y, w, h), px_per_mm=4.0, margin_mm=5.0
    )
    assert wrong is not None
    assert evidence_command.main([]) == 1
    assert "now sun 5" in capsys.readouterr().err

    die = DieSeen(owner="sun", owner_share=0.9, faces=(0.0, 0.0, 0.0, 0.1, 0.9, 0.0), x=0.5, y=0.5)
    kept.forget(wrong.number)
    kept.keep(SlotSeen(slot="gold-1", dice=(die,)), crop, area=(x, y, w, h), px_per_mm=4.0, margin_mm=5.0)
    assert evidence_command.main(["somewhere/g-1.jsonl"]) == 0
    assert "1 reading, 1 the same" in capsys.readouterr().err
    assert evidence_command.main(["--list", str(kept.place)]) == 0
    assert "gold-1\tsun 5" in capsys.readouterr().out
    assert evidence_command.main(["another-game"]) == 1
    assert evidence_command.main(["--forget", "--yes"]) == 0
    assert not kept.place.exists()
