"""Teaching 48 cards: what is asked of a person, and that nothing is lost when the person stops."""

from __future__ import annotations

import io
from pathlib import Path

import cv2
import numpy as np
import pytest

from benches.cards import NAMES, Person
from tests.vision.laid import laid
from tests.vision.test_camera_commands import a_market
from vision.cards import album as card_album
from vision.terminal import cards as cards_command
from vision.terminal.lesson import Lesson, places_for


def test_48_cards_are_three_mats_for_four_players() -> None:
    """Sixteen at a time, in reading order."""
    lesson = Lesson(card_album.USUAL, 16)
    mats = []
    while lesson.now:
        mats.append(places_for(lesson.now, laid(4)))
        lesson.learnt()
    assert [len(places) for places in mats] == [16, 16, 16]
    assert mats[0]["blue-1"] == "B1a"
    assert mats[2]["violet-4"] == "V4c"


def test_a_card_that_went_wrong_comes_again() -> None:
    """With the next ones, and the count says how far we are."""
    lesson = Lesson(("a", "b", "c", "d", "e"), 2)
    assert (lesson.now, lesson.number) == (("a", "b"), 1)
    lesson.learnt(wrong=["b"])
    assert (lesson.now, lesson.number) == (("b", "c"), 2)
    lesson.learnt()
    assert (lesson.now, lesson.number) == (("d", "e"), 4)


def test_skip_and_back() -> None:
    """What was skipped can be had again; before the first there is nothing."""
    lesson = Lesson(("a", "b", "c"), 1)
    assert not lesson.back()
    lesson.skip()
    assert lesson.skipped == ["a"]
    lesson.learnt()
    assert lesson.now == ("c",)
    assert lesson.back()
    assert lesson.back()
    assert (lesson.now, lesson.skipped, lesson.left) == (("a",), [], ["a", "b", "c"])


@pytest.fixture
def state_dir(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A table of two rows with its own folders."""
    monkeypatch.setenv("TABLESIDE_STATE_DIR", str(tmp_path / "state"))
    monkeypatch.setattr("vision.terminal.declared.PLAYERS", 2)
    return tmp_path / "state"


def teach(monkeypatch: pytest.MonkeyPatch, tmp_path: Path, image: np.ndarray, typed: str, *argv: str) -> int:
    """Run the command with a person at the keyboard."""
    path = tmp_path / "table.png"
    cv2.imwrite(str(path), image)
    monkeypatch.setattr("sys.stdin", io.StringIO(typed))
    return cards_command.main(["teach", "--photo", str(path), *argv])


CARDS = ("B1a", "G1a", "R1a", "V1a", "B2a", "G2a", "R2a", "V2a")


def test_a_lesson_is_stopped_and_gone_on_with(
    state_dir: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    """`q` keeps what is known; the same command asks only for the rest; `--again` for all."""
    names = [*CARDS, "R3a", "V3a"]
    assert teach(monkeypatch, tmp_path, a_market(), "\nq\n", *names) == 0
    told = capsys.readouterr().err
    assert "Cards 1 to 8 of 10" in told and "Cards 9 to 10 of 10" in told
    assert "   B1a   G1a   R1a   V1a\n   B2a   G2a   R2a   V2a\n" in told, "as they lie on the mat"
    assert "2 cards are still to be taught" in told

    assert teach(monkeypatch, tmp_path, a_market(("R3a", "V3a")), "\n", *names) == 0
    told = capsys.readouterr().err
    assert "8 cards are known already" in told and "Cards 1 to 2 of 2" in told
    assert "10 cards are known now" in told
    assert set(card_album.read_book(state_dir / card_album.FOLDER)[0].cards) == set(names)

    assert teach(monkeypatch, tmp_path, a_market(), "", "--again", *names) == 0
    assert "Cards 1 to 8 of 10" in capsys.readouterr().err


def test_one_by_one_a_name_may_be_typed(
    state_dir: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    """Skipped, named otherwise than proposed, and confirmed: all in the first slot."""
    image = a_market(("G2a",))
    assert teach(monkeypatch, tmp_path, image, "s\nG2a\nq\n", "--one", "B1a", "B1b", "G2a") == 0
    told = capsys.readouterr().err
    assert "1 of 3: lay B1a in slot blue-1" in told and "2 of 3: lay B1b" in told
    assert card_album.read_book(state_dir / card_album.FOLDER)[0].cards == ("G2a",)
    assert "2 cards are still to be taught" in told


def test_an_empty_slot_is_asked_for_again(
    state_dir: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    """Enter too early: it is said, the card comes again, and the command does not say that all went well."""
    assert teach(monkeypatch, tmp_path, a_market(("B1a",)), "\n\n", "B1a", "G1a") == 1
    told = capsys.readouterr().err
    assert "no card in slot gold-1" in told
    assert "2 of 2: lay G1a in slot blue-1" in told
    assert "G1a looks just like B1a" in told, "the card before still lies in the first slot"
    assert card_album.read_book(state_dir / card_album.FOLDER)[0].cards == ("B1a",)


def test_a_person_with_48_cards_waits_less_than_a_second_each(tmp_path: Path) -> None:
    """A few of them here, all in the bench: one key a card one by one, one key a mat otherwise, all known after."""
    one = Person(NAMES[:4], one=True)
    assert len(one.learn(tmp_path / "one")) == 4
    assert one.keys == 4
    assert len(one.waits) == 4
    mats = Person(NAMES[:20], one=False)
    assert set(mats.learn(tmp_path / "mats").cards) == set(NAMES[:20])
    assert mats.keys == 2
