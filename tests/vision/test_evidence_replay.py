"""`tableside replay --readings` with the networks as shipped: what was read at the table is read again from the evidence."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import cv2
import pytest

from companion.games.skytopia.mat import market_mat
from companion.wire.config import load
from companion.wire.memory import MemoryBroker
from companion.wire.messages import VirtualTruth
from companion.wire.room import Room
from vision import evidence
from vision import mat as mats
from vision.room import Eye, camera_of, reader_of
from vision.terminal import evidence as evidence_command

COLOURS = ("sun", "leaf", "sky", "coral", "snow", "plum")
SLOTS: dict[str, Any] = {
    f"{column}-{row}": {
        "card": f"{column[0].upper()}{row}b",
        "dice": [
            {
                "colour": COLOURS[(k + row) % 6],
                "face": 1 + (2 * k + row) % 6,
                "x": 0.25 + 0.15 * k,
                "y": 0.4,
                "angle": 31.0 * k,
            }
        ]
        * (1 if (k + row) % 3 else 0),
    }
    for k, column in enumerate(("blue", "gold", "red", "violet"))
    for row in (1, 2)
}


@pytest.fixture
def place(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """The evidence of one market, read at a virtual table as it is at any."""
    monkeypatch.setenv("TABLESIDE_STATE_DIR", str(tmp_path))
    monkeypatch.setenv("TABLESIDE_CAMERA_SOURCE", "virtual")
    monkeypatch.setattr("vision.terminal.declared.PLAYERS", 2)
    room = Room("vision", load(), MemoryBroker().bus("vision"))
    room.bus.start()
    eye = Eye(room, camera_of(room), reader_of(room))
    eye.helper.reader.lay(mats.of(market_mat(2)))
    eye.helper.evidence.begin("g-1")
    eye.source.show(VirtualTruth(ts=5.0, slots=SLOTS, mat=market_mat(2)))  # type: ignore[attr-defined]
    for step in range(14):
        eye.step(float(step))
    return eye.helper.evidence.place


def test_the_shipped_reader_reads_its_own_evidence_alike(place: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """Every slot's picture, dice and card candidates are kept; read again they say the same."""
    kept = {record.seen.slot: record for record in evidence.records(place)}
    assert set(kept) == set(SLOTS)
    for slot, truth in SLOTS.items():
        dice, card = evidence.gist(kept[slot].seen)
        assert dice == tuple((die["colour"], die["face"]) for die in truth["dice"])
        assert card in (truth["card"], None)
        assert kept[slot].cards[0][0] == truth["card"], "the likeliest card stands first"
        assert len(kept[slot].cards) > 1, "and what else it might have been beside it"
    assert evidence_command.main(["g-1"]) == 0
    assert "8 readings, 8 the same" in capsys.readouterr().err


def test_a_picture_that_tells_another_story_is_named(place: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """Evidence and reading that do not belong together: the replay says which, and fails."""
    kept = {record.seen.slot: record for record in evidence.records(place)}
    one, other = (f"{place}/{kept[slot].number:06d}.jpg" for slot in ("gold-1", "red-2"))
    first, second = cv2.imread(one), cv2.imread(other)
    assert evidence.gist(kept["gold-1"].seen) != evidence.gist(kept["red-2"].seen)
    cv2.imwrite(one, second)
    cv2.imwrite(other, first)
    assert evidence_command.main([]) == 1
    told = capsys.readouterr().err
    assert "8 readings, 6 the same" in told
    assert " gold-1: " in told and " red-2: " in told
