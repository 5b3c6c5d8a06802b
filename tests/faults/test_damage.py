"""Files damaged between two evenings: settings, box, calibration, cards, networks. The game goes on, the damage is said."""

from __future__ import annotations

import shutil
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

from companion.box.owner import Owner
from companion.wire.config import CameraConfig, Config, load
from companion.wire.memory import MemoryBroker
from companion.wire.messages import Health, MarketSeen
from companion.wire.room import Room
from companion.wire.secrets import room_passwords
from companion.wire.words import LANGUAGES, Words
from tests.companion.desk import Desk
from tests.conftest import PATIENCE
from vision import calibration
from vision import room as vision_room
from vision.reader import nets

DAMAGE = {
    "torn": lambda data: data[: len(data) // 2],
    "empty": lambda data: b"",
    "noise": lambda data: bytes(range(256)) * 4,
    "deep": lambda data: b"[" * 100_000,
    "wrong kind": lambda data: b'"nothing"',
}


@pytest.mark.parametrize("how", DAMAGE)
def test_a_damaged_box_file_is_said_and_the_game_begins(tmp_path: Path, how: str) -> None:
    """The shipped values are used; the screen names the game and the file."""
    Owner(tmp_path).save("skytopia", {"setup.coins": 6})
    path = tmp_path / "box" / "skytopia.json"
    path.write_bytes(DAMAGE[how](path.read_bytes()))
    desk = Desk(tmp_path)
    desk.new("skytopia")
    said = [notice for notice in desk.state.notices if notice.text.key == "box/damaged"]
    assert len(said) == 1
    assert "skytopia.json" in str(said[0].text.params["problem"])
    for language in LANGUAGES:
        assert "skytopia.json" in Words(language).say(said[0].text)


def test_one_wrong_value_in_the_box_costs_that_value_only(tmp_path: Path) -> None:
    """The good corrections still hold, and what is thrown out of the file is kept beside it."""
    owner = Owner(tmp_path)
    owner.save("skytopia", {"setup.coins": 6})
    path = tmp_path / "box" / "skytopia.json"
    path.write_text('{"setup.coins": 6, "chronometer.dir": "left", "no.such": 1}')
    assert owner.box("skytopia") == {"setup.coins": 6}
    assert len(owner.problems["skytopia"]) == 2
    owner.save("skytopia", {"setup.coins": 7})
    assert path.with_suffix(".damaged").read_text().startswith('{"setup.coins": 6,')
    assert Owner(tmp_path).box("skytopia") == {"setup.coins": 7}


@pytest.mark.parametrize("how", DAMAGE)
def test_damaged_settings_on_the_screen_are_safe_mode_not_an_end(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, how: str
) -> None:
    """The screen's own file, too, may be torn."""
    monkeypatch.setenv("TABLESIDE_STATE_DIR", str(tmp_path))
    monkeypatch.setenv("TABLESIDE_CONFIG_DIR", str(tmp_path / "config"))
    (tmp_path / "settings.toml").write_bytes(DAMAGE[how](b'[table]\nlanguage = "pl"\n[display]\nvolume = 5\n'))
    config = load()
    assert config.safe or how in ("empty", "torn")
    assert all("settings.toml" in problem and "\n" not in problem for problem in config.problems)
    assert config.web.port == 8780


@pytest.mark.parametrize("how", DAMAGE)
def test_damaged_secrets_are_made_anew(tmp_path: Path, how: str) -> None:
    """They are only keys to a broker whose locks are made at every start."""
    room_passwords(tmp_path)
    path = tmp_path / "secrets" / "vision"
    path.write_bytes(DAMAGE[how](b'{"companion": "x"}'))
    (tmp_path / "secrets.json").write_bytes(DAMAGE[how](b'{"companion": "x"}'))
    made = room_passwords(tmp_path)
    assert len(set(made.values())) == len(made) >= 6
    assert all(len(password) >= 20 for password in made.values())
    assert path.stat().st_mode & 0o777 == 0o600
    assert room_passwords(tmp_path) == made


def _camera_room(tmp_path: Path) -> tuple[Room, list[Any]]:
    corridor = MemoryBroker()
    config = Config(camera=CameraConfig(source="folder", path=str(tmp_path / "none")), state_dir=tmp_path)
    room = Room("vision", config, corridor.bus("vision"))
    heard: list[Any] = []
    screen = corridor.bus("display")
    screen.subscribe("health/vision", lambda topic, message: heard.append(message))
    screen.subscribe("sensor/market", lambda topic, message: heard.append(message))
    screen.start()
    room.bus.start()
    room.bus.screen = screen  # type: ignore[attr-defined]
    return room, heard


@pytest.mark.parametrize("how", DAMAGE)
def test_a_damaged_calibration_is_said_with_what_to_do(tmp_path: Path, how: str) -> None:
    """The camera goes on with the older one, or by the mat's markers."""
    path = tmp_path / calibration.FILE
    path.write_bytes(DAMAGE[how](b'{"schema":1,"sha256":"","calibration":{}}'))
    room, _ = _camera_room(tmp_path)
    problem = vision_room.files_problem(room)
    assert problem is not None
    assert all(Words(language).knows(text.key) for text in problem for language in LANGUAGES)
    assert vision_room.reader_of(room).corners is None


def test_cards_whose_picture_is_damaged_are_named(tmp_path: Path) -> None:
    """So that they can be taught again."""
    room, _ = _camera_room(tmp_path)
    problem = vision_room.files_problem(room, ("blue-1", "red-2"))
    assert problem is not None
    assert "blue-1, red-2" in Words("pl").say(problem[0])
    assert vision_room.files_problem(room) is None


@pytest.mark.parametrize("how", ["torn", "empty", "noise", "missing"])
def test_a_damaged_network_leaves_the_camera_off_and_says_so(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, how: str
) -> None:
    """It never reads wrongly and never ends in a restart loop: the table is played by touch."""
    models = tmp_path / "models"
    shutil.copytree(nets.MODELS, models)
    if how == "missing":
        (models / "face.onnx").unlink()
    else:
        (models / "face.onnx").write_bytes(DAMAGE[how]((models / "face.onnx").read_bytes()))
    monkeypatch.setattr(vision_room, "checked", lambda name: nets.checked(name, models))
    problem = vision_room.models_problem()
    assert problem is not None
    assert all(Words(language).knows(text.key) for text in problem for language in LANGUAGES)
    room, heard = _camera_room(tmp_path)
    steps: list[float] = []

    def stop(step: Any, period: float) -> None:
        step(0.0)
        steps.append(period)

    monkeypatch.setattr(room, "run", stop)
    vision_room.stay_blind(room, problem)
    room.bus.screen.pump()  # type: ignore[attr-defined]
    market = next(message for message in heard if isinstance(message, MarketSeen))
    health = next(message for message in heard if isinstance(message, Health))
    assert (market.state, market.say, market.do) == ("no camera", *problem)
    assert (health.say, health.do) == problem
    assert steps


def test_the_networks_of_this_version_are_whole() -> None:
    """Otherwise every camera would stay off."""
    assert vision_room.models_problem() is None


def test_reading_a_photo_with_a_damaged_network_is_one_line(tmp_path: Path) -> None:
    """`tableside read` names the file and what to do; no stack trace."""
    models = tmp_path / "models"
    shutil.copytree(nets.MODELS, models)
    (models / "finder.onnx").write_bytes(b"x")
    photo = tmp_path / "photo.png"
    program = (
        "import sys, cv2, numpy as np; from pathlib import Path; from vision.reader import nets;"
        f"cv2.imwrite({str(photo)!r}, np.random.default_rng(1).integers(0, 255, (64, 64, 3), np.uint8));"
        f"nets.use(Path({str(models)!r})); from vision.terminal.read import main; sys.exit(main([{str(photo)!r}]))"
    )
    done = subprocess.run(
        [sys.executable, "-c", program], capture_output=True, text=True, timeout=PATIENCE, check=False
    )
    assert done.returncode == 1
    assert done.stderr.strip() == "finder.onnx is damaged: install tableside again"
