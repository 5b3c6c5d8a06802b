"""The camera's commands while a table runs: its camera is asked, not opened a second time."""

from __future__ import annotations

import io
import json
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import cv2
import pytest

from companion.games.skytopia.mat import market_mat
from companion.wire.config import Config, load
from companion.wire.messages import State
from companion.wire.room import connection
from tests.conftest import PATIENCE, ROOT, Place
from tests.vision.test_camera_commands import CARDS, a_market
from vision import calibration
from vision.cards import album as card_album
from vision.terminal import calibrate as calibrate_command
from vision.terminal import cards as cards_command
from vision.terminal import check as check_command
from vision.terminal.running import running


@pytest.fixture
def room(place: Place, broker: Config, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Path]:
    """The camera's room as its own process, above eight cards; the state directory."""
    pictures = tmp_path / "pictures"
    pictures.mkdir()
    cv2.imwrite(str(pictures / "table.png"), a_market())
    place.environment |= {
        "TABLESIDE_CAMERA_SOURCE": "folder",
        "TABLESIDE_CAMERA_PATH": str(pictures),
    }
    for name, value in place.environment.items():
        monkeypatch.setenv(name, value)
    core = connection(broker, "companion")
    core.start()
    core.publish("state", State(table="t", phase="lobby", mat=market_mat(2)))
    process = subprocess.Popen([sys.executable, "-m", "vision"], env=place.full_environment, cwd=ROOT)
    try:
        yield broker.state_dir
    finally:
        process.terminate()
        process.wait(PATIENCE)
        core.stop()


def test_check_calibrate_and_teach_go_through_the_running_table(
    room: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    """Nobody has to stop the table first; the camera itself is never opened twice."""
    table = None
    while table is None:
        table = running(load())
    while (
        isinstance(told := table.ask("check"), tuple) or told["parts"].get("mat") != 1.0
    ):  # its first picture of the mat
        pass
    table.close()

    def never(*_: object) -> None:
        raise AssertionError("opened a second time")

    for module in (check_command, calibrate_command):
        monkeypatch.setattr(module, "glimpse", never)
    monkeypatch.setattr(cards_command, "Viewfinder", never)

    assert check_command.main(["--json"]) == 0
    assert json.loads(capsys.readouterr().out)["parts"]["mat"] == 1.0
    assert calibrate_command.main(["--die", "16"]) == 0
    kept = calibration.load(room / calibration.FILE)
    assert kept is not None and kept.die_mm == 16.0
    assert calibrate_command.main(["--die", "99"]) == 1
    assert "cannot be the size of a die" in capsys.readouterr().err

    monkeypatch.setattr("sys.stdin", io.StringIO("\n"))
    assert cards_command.main(["teach", *CARDS]) == 0
    assert "8 cards are known now" in capsys.readouterr().err
    assert set(card_album.read_book(room / card_album.FOLDER)[0].cards) == set(CARDS)
    monkeypatch.setattr("sys.stdin", io.StringIO("\n"))
    assert cards_command.main(["teach", "--one", "twin"]) == 1
    assert "twin looks just like B1a" in capsys.readouterr().err


def test_without_a_table_nobody_is_asked(place: Place) -> None:
    """Nobody listens: at once `None`, and nothing is made on disk."""
    assert running(place.config()) is None
    assert not place.config().state_dir.exists()
