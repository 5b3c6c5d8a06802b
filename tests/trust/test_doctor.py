"""The doctor: each thing that can be missing is named, with one thing to do about it."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest
from typer.testing import CliRunner

from companion.cli import app
from companion.core.guard import PackFailedError
from companion.machine import broker, doctor
from companion.machine.doctor import Finding
from companion.wire.config import CameraConfig, Config, DialConfig, DisplayConfig, WebConfig


@pytest.fixture
def config(tmp_path: Path) -> Config:
    return Config(state_dir=tmp_path / "state", config_dir=tmp_path / "config")


def _with(config: Config, **sections: Any) -> Config:
    import msgspec

    return msgspec.structs.replace(config, **sections)


def test_settings_with_a_mistake_are_named_line_by_line(config: Config) -> None:
    """And fine ones say where they were read."""
    assert doctor._settings(config)[0].status == "ok"
    found = doctor._settings(_with(config, problems=("a.toml:3: x", "a.toml:5: y")))
    assert [(one.status, one.say) for one in found] == [("bad", "a.toml:3: x"), ("bad", "a.toml:5: y")]
    assert all(one.do for one in found)


def test_a_disk_that_is_full_shut_or_not_there(config: Config, monkeypatch: pytest.MonkeyPatch) -> None:
    """Three troubles, three things to do."""
    assert doctor._state(config).status == "ok"

    class Usage:
        free = 20_000_000

    with monkeypatch.context() as patch:
        patch.setattr(doctor.shutil, "disk_usage", lambda place: Usage)
        assert doctor._state(config).status == "warn"
        assert "Make room" in doctor._state(config).do
    with monkeypatch.context() as patch:
        patch.setattr(doctor.os, "access", lambda *asked: False)
        assert "cannot be written" in doctor._state(config).say
    (config.state_dir / "file").write_text("")
    assert doctor._state(_with(config, state_dir=config.state_dir / "file" / "x")).status == "bad"


def test_a_broker_that_is_missing_idle_or_running(config: Config, monkeypatch: pytest.MonkeyPatch) -> None:
    """Missing is bad, idle is fine, running says so."""
    assert doctor._broker(config).status == "ok"

    def missing() -> tuple[str, str]:
        raise broker.BrokerMissingError("Run: sudo apt-get install mosquitto")

    with monkeypatch.context() as patch:
        patch.setattr(doctor.broker, "find_mosquitto", missing)
        assert "apt-get install" in doctor._broker(config).do
    monkeypatch.setattr(doctor, "pid_of_running", lambda place: 42)
    monkeypatch.setattr(doctor.broker, "answers", lambda *where, **how: True)
    assert "process 42" in doctor._broker(config).say


def test_a_page_that_is_not_built_and_games_that_do_not_load(monkeypatch: pytest.MonkeyPatch) -> None:
    """Both can be mended by one command."""
    with monkeypatch.context() as patch:
        patch.setattr(doctor, "page_files", lambda: {"/index.html": b""})
        assert doctor._page().status == "bad"
    assert doctor._games().status == "ok"
    broken = PackFailedError("pig", "raised", "KeyError: 'points'")
    monkeypatch.setattr(doctor, "unusable", lambda: (broken,))
    assert doctor._games().say == "pig cannot be used: KeyError: 'points'"


@pytest.mark.parametrize(
    ("dial", "status", "words"),
    [
        (DialConfig(source="none"), "warn", "play by touch"),
        (DialConfig(source="gpio"), "bad", "serial or virtual"),
        (DialConfig(source="serial"), "bad", "Plug it in"),
        (DialConfig(source="serial", port="/dev/ttyACM0"), "ok", ""),
        (DialConfig(source="virtual"), "ok", ""),
    ],
)
def test_the_dial(
    config: Config, dial: DialConfig, status: str, words: str, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    """Not set up, no pins, no board, fine."""
    monkeypatch.setattr(doctor, "Path", lambda name: tmp_path / str(name).lstrip("/"))
    found = doctor._dial(_with(config, dial=dial))
    assert found.status == status
    assert words in found.do


def test_a_pi_with_pins_and_without_their_library(
    config: Config, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    """The package is named."""
    (tmp_path / "dev").mkdir()
    (tmp_path / "dev" / "gpiochip0").touch()
    monkeypatch.setattr(doctor, "Path", lambda name: tmp_path / str(name).lstrip("/"))
    asked = _with(config, dial=DialConfig(source="gpio"))
    monkeypatch.setattr(doctor.importlib.util, "find_spec", lambda name: None)
    assert "python3-lgpio" in doctor._dial(asked).do
    monkeypatch.setattr(doctor.importlib.util, "find_spec", lambda name: object())
    assert doctor._dial(asked).status == "ok"


def test_the_camera(config: Config, monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    """Not set up, no library, not plugged in, fine."""

    def found(**settings: Any) -> Finding:
        return doctor._camera(_with(config, camera=CameraConfig(**settings)))

    monkeypatch.setattr(doctor.importlib.util, "find_spec", lambda name: None)
    assert found(source="none").status == "warn"
    assert "python3-picamera2" in found(source="picamera2").do
    assert "Plug the camera in" in found(source="v4l2", device=str(tmp_path / "video9")).do
    assert found(source="v4l2", device=str(tmp_path)).status == "ok"
    assert found(source="virtual").status == "ok"


def test_screen_and_network(config: Config, monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    """A table without a screen or a network still works: look, not bad."""
    for name in ("DISPLAY", "WAYLAND_DISPLAY"):
        monkeypatch.delenv(name, raising=False)
    monkeypatch.setattr(doctor, "Path", lambda name: tmp_path / str(name).lstrip("/"))
    assert doctor._screen(config).status == "warn"
    assert doctor._screen(_with(config, display=DisplayConfig(driver="dummy"))).status == "ok"
    monkeypatch.setattr(doctor, "own_address", lambda: "127.0.0.1")
    assert doctor._address(config).status == "warn"
    assert "http://10.0.0.7:8780" in doctor._address(_with(config, web=WebConfig(address="10.0.0.7"))).say
    assert "https://" in doctor._address(_with(config, web=WebConfig(address="10.0.0.7", tls=True))).say


def test_the_command_speaks_to_people_and_to_programs(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """One line each, what to do below; JSON the same; exit code 1 when something is bad."""
    monkeypatch.setenv("TABLESIDE_STATE_DIR", str(tmp_path))
    monkeypatch.setenv("TABLESIDE_CONFIG_DIR", str(tmp_path / "config"))
    told = CliRunner().invoke(app, ["doctor", "--json"])
    names = [one["name"] for one in json.loads(told.stdout)]
    assert {"python", "settings", "disk", "broker", "phone page", "games", "dial", "camera", "network"} <= set(names)
    findings = [Finding("disk", "ok", "plenty"), Finding("dial", "bad", "no board", "Plug it in.")]
    lines = doctor.report(findings).splitlines()
    assert lines[0].startswith("ok ")
    assert lines[1].startswith("BAD")
    assert lines[2].strip() == "Plug it in."
    monkeypatch.setattr("companion.machine.doctor.examine", lambda: findings)
    assert CliRunner().invoke(app, ["doctor"]).exit_code == 1


def test_a_pin_that_everybody_can_read_is_said(config: Config) -> None:
    """In the owner's file, a drop-in or the screen's own; not one that is the table's alone, and not without a PIN."""
    for path in (
        config.config_dir / "tableside.toml",
        config.config_dir / "conf.d" / "10.toml",
        config.state_dir / "settings.toml",
    ):
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text('[display]\npin = "1234"\n')
        path.chmod(0o644)
        (found,) = doctor._pins(config)
        assert (found.status, str(path) in found.say, "1234" in found.say) == ("warn", True, False)
        path.chmod(0o600)
        assert doctor._pins(config) == []
        path.chmod(0o644)
        path.write_text("[display]\nlock = true\n")
        assert doctor._pins(config) == []
        path.write_text("display = 3")
        assert doctor._pins(config) == []


def test_a_folder_others_can_look_into_is_said(config: Config) -> None:
    """One made by hand, or by an earlier version."""
    config.state_dir.mkdir()
    config.state_dir.chmod(0o755)
    assert (doctor._state(config).status, "chmod 700" in doctor._state(config).do) == ("warn", True)
    config.state_dir.chmod(0o700)
    assert doctor._state(config).status == "ok"
