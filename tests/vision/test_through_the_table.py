"""Commands through a running table: it does not answer, refuses, or its lesson takes another turn."""

from __future__ import annotations

import argparse
from types import SimpleNamespace
from typing import Any

import numpy as np
import pytest

from companion.wire.config import CameraConfig, Config
from companion.wire.memory import MemoryBroker
from companion.wire.messages import Health
from tests.vision.laid import laid
from vision import calibration
from vision.camera.frame import Frame, small_of, trouble
from vision.terminal import calibrate as calibrate_command
from vision.terminal import check as check_command
from vision.terminal import lesson
from vision.terminal import running as running_table
from vision.terminal.cards import Teacher
from vision.terminal.running import RunningTable

GREY = np.full((240, 320, 3), 120, np.uint8)


def frame(image: Any = GREY) -> Frame:
    """A still."""
    return Frame(image, small_of(image), 1.0, 1)


# a running table -------------------------------------------------------------------------------------------------


def test_a_running_table_that_does_not_answer_is_said(monkeypatch: pytest.MonkeyPatch) -> None:
    """Strange messages are left alone; an answer ends the waiting."""
    broker = MemoryBroker()
    bus = broker.bus("here")
    table = RunningTable(bus)
    table._health("health/vision", b"?")
    monkeypatch.setattr(running_table, "LONGEST", 0.0)
    assert isinstance(table.ask("check"), tuple)
    assert not table.alive(0.0)
    table._health("health/vision", Health(room="vision", status="online"))
    assert table.alive(0.0)


def test_a_table_whose_camera_is_not_up_counts_as_none(monkeypatch: pytest.MonkeyPatch) -> None:
    """The broker answers, the camera's room does not: we look ourselves."""
    closed: list[bool] = []
    monkeypatch.setattr(running_table.socket, "create_connection", lambda *w, **h: SimpleNamespace(close=lambda: None))
    monkeypatch.setattr(running_table, "connection", lambda config, name: MemoryBroker().bus(name))
    monkeypatch.setattr(RunningTable, "alive", lambda self: False)
    monkeypatch.setattr(RunningTable, "close", lambda self: closed.append(True))
    assert running_table.running(Config()) is None
    assert closed == [True]


class Asked:
    """A running table that answers as told."""

    def __init__(self, answer: Any) -> None:
        self.answer, self.wishes = answer, list[tuple[str, dict[str, Any]]]()

    def ask(self, command_: str, **args: Any) -> Any:
        self.wishes.append((command_, args))
        return self.answer

    def close(self) -> None: ...


def test_the_running_tables_refusal_is_handed_on(monkeypatch: pytest.MonkeyPatch) -> None:
    """`check` prints what the table's own camera says."""
    no = trouble("command/no-answer")
    monkeypatch.setattr(check_command, "running", lambda config: Asked(no))
    assert check_command._checked(Config(), argparse.Namespace(photo=None)) == no


def test_corners_given_by_hand_are_shares_for_the_running_table(monkeypatch: pytest.MonkeyPatch) -> None:
    """Pixels of the picture become shares: the table may look with another size."""
    table = Asked(trouble("command/no-answer"))
    monkeypatch.setattr(calibrate_command, "running", lambda config: table)
    args = argparse.Namespace(
        photo=None, colours=[], fresh=False, corners=[0, 0, 640, 0, 640, 360, 0, 360], card=None, die=16.0
    )
    config = Config(camera=CameraConfig(width=1280, height=720))
    calibrate_command._of_the_running_table(config, args, None)
    wanted = table.wishes[0][1]
    assert wanted["corners"] == [[0, 0], [0.5, 0], [0.5, 0.5], [0, 0.5]]
    assert wanted["die_mm"] == 16.0


def test_corners_tapped_before_stand_in_for_a_mat(monkeypatch: pytest.MonkeyPatch) -> None:
    """Given now, or kept from before when the picture shows no marker."""
    measured: list[Any] = []
    monkeypatch.setattr(calibrate_command.calibrate, "measure", lambda image, **how: measured.append(how))
    monkeypatch.setattr(calibrate_command.calibration, "scaled", lambda before, size: "scaled")
    args = argparse.Namespace(
        corners=[1, 2, 3, 4, 5, 6, 7, 8], mat=laid(3), colours=[], card=None, die=None, fresh=False
    )
    calibrate_command._measured(GREY, args, None)
    args.corners = None
    tapped: Any = SimpleNamespace(tapped=True)
    calibrate_command._measured(GREY, args, tapped)
    assert measured[0]["corners"] == ((1, 2), (3, 4), (5, 6), (7, 8))
    assert (measured[1]["corners"], measured[1]["mat"]) == ("scaled", laid(3))


def test_a_calibration_far_outside_the_picture_is_refused() -> None:
    """No camera above a table has seen that."""
    corners = ((0.0, 0.0), (5000.0, 0.0), (5000.0, 400.0), (0.0, 400.0))
    made: Any = SimpleNamespace(size=(640, 480), corners=corners)
    with pytest.raises(calibration.CalibrationRefused):
        calibration.validate(made)


# lessons ---------------------------------------------------------------------------------------------------------


def test_a_lesson_through_the_running_table_hands_its_words_on() -> None:
    """What went wrong comes as it is; a card that looks like another is forgotten again."""
    no = trouble("command/no-answer")
    assert list(lesson.RunningEyes(Asked(no)).learn({"gold-1": "G1a"})) == [("G1a", no)]  # type: ignore[arg-type]
    assert lesson.RunningEyes(Asked(no)).known == ()  # type: ignore[arg-type]
    like = Asked({"like": "G2a"})
    assert list(lesson.RunningEyes(like).learn({"gold-1": "G1a"})) == [("G1a", "G2a")]  # type: ignore[arg-type]
    assert [name for name, _ in like.wishes] == ["teach card", "forget card"]


def test_without_a_mat_no_card_is_learnt(monkeypatch: pytest.MonkeyPatch) -> None:
    """Unless corners were tapped: then the cards are cut out by them."""
    book: Any = SimpleNamespace()
    told = dict(lesson.teach({"gold-1": "G1a"}, laid(4), book, lambda: GREY))
    assert told == {"G1a": trouble("check/no-mat")}
    monkeypatch.setattr(lesson, "teach_from", lambda *what: None)
    monkeypatch.setattr(lesson.calibration, "scaled", lambda taught, size: ((0, 0), (300, 0), (300, 200), (0, 200)))
    tapped: Any = SimpleNamespace(tapped=True)
    assert dict(lesson.teach({"gold-1": "G1a"}, laid(4), book, lambda: GREY, tapped)) == {"G1a": ""}


class Pupil:
    """Learns what it is told to learn."""

    def __init__(self, outcome: Any = "") -> None:
        self.outcome, self.learnt = outcome, list[str]()

    def learn(self, places: dict[str, str]) -> Any:
        for card in places.values():
            self.learnt.append(card)
            yield card, self.outcome


def test_a_lesson_can_go_back_and_take_another_card(capsys: pytest.CaptureFixture[str]) -> None:
    """Keys: back, a card's own name, a key nobody knows; each trouble is said once."""
    pupil = Pupil()
    teacher = Teacher(pupil, laid(4))  # type: ignore[arg-type]
    words = iter(["", "b", "G3a", "!?", ""])
    teacher.ask(lesson.Lesson(["G1a", "G2a", "G3a"], 1), lambda: f"{next(words, 'q')}\n")
    assert "G3a" in pupil.learnt
    assert capsys.readouterr().err
    wrong = Teacher(Pupil(trouble("check/no-mat")), laid(4))  # type: ignore[arg-type]
    assert wrong._teach(("G1a", "G2a")) == ["G1a", "G2a"]
    assert capsys.readouterr().err.count("\n") == 1
    assert teacher.ask(lesson.Lesson([], 1), lambda: "\n") == 0
