"""Each room has its own password and no other; what the table keeps is the table's alone."""

from __future__ import annotations

import os
from pathlib import Path

import msgspec
import pytest

from companion.machine.supervisor import ROOMS as CHILDREN
from companion.wire import secrets
from companion.wire.secrets import ROOMS, handed_to, password_of, room_passwords
from tests.conftest import Place, Run


@pytest.fixture(autouse=True)
def nothing_handed_over(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(secrets, "_handed", {})


def test_every_room_has_a_file_of_its_own_that_only_its_owner_reads(tmp_path: Path) -> None:
    """Made once, kept."""
    made = room_passwords(tmp_path / "state")
    assert room_passwords(tmp_path / "state") == made
    assert len(set(made.values())) == len(ROOMS)
    for room in ROOMS:
        path = tmp_path / "state" / "secrets" / room
        assert path.read_text() == made[room]
        assert path.stat().st_mode & 0o777 == 0o600
        assert password_of(tmp_path / "state", room) == made[room]
    for folder in (tmp_path / "state", tmp_path / "state" / "secrets"):
        assert folder.stat().st_mode & 0o777 == 0o700


def test_the_one_file_of_an_earlier_version_is_taken_apart(tmp_path: Path) -> None:
    """Phones and rooms keep their passwords; the file for all is gone."""
    before = {room: f"{room}-{'x' * 30}" for room in ROOMS}
    (tmp_path / "secrets.json").write_bytes(msgspec.json.encode(before))
    assert password_of(tmp_path, "display") == before["display"], "a screen that was given one file with its own"
    assert room_passwords(tmp_path) == before
    assert not (tmp_path / "secrets.json").exists()


def test_a_password_handed_over_is_used_and_not_handed_on(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """The room looks into no file and makes none; what it starts does not inherit it."""
    for name, value in handed_to("vision", dict.fromkeys(ROOMS, "given")).items():
        monkeypatch.setenv(name, value)
    assert password_of(tmp_path, "vision") == "given"
    assert not [name for name in os.environ if name.startswith("TABLESIDE_PASSWORD")]
    assert password_of(tmp_path, "vision") == "given"
    assert list(tmp_path.iterdir()) == []


def test_a_credential_of_systemd_is_used(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """The folder of passwords is closed to a room's unit."""
    (tmp_path / "credentials").mkdir()
    (tmp_path / "credentials" / "vision").write_text("from systemd")
    monkeypatch.setenv("CREDENTIALS_DIRECTORY", str(tmp_path / "credentials"))
    assert password_of(tmp_path / "state", "vision") == "from systemd"
    assert not (tmp_path / "state").exists()


def test_rooms_that_run_were_given_their_own_password_and_no_other(place: Place) -> None:
    """As the kernel shows what each process was started with; and nobody else can read a file of the table's."""
    before = os.umask(0o022)
    try:
        run = Run(place, "--without", "vision,display").start()
        try:
            passwords = room_passwords(place.config().state_dir)
            children = run.children()
            assert {"companion", "firmware_bridge"} <= set(children) & set(CHILDREN)
            for room in ("companion", "firmware_bridge"):
                environment = Path(f"/proc/{children[room]}/environ").read_bytes()
                known = {name for name, password in passwords.items() if password.encode() in environment}
                assert known == ({"companion", "phones", "broker-admin"} if room == "companion" else {room})
            run.client().new_game("scorepad")
            modes = {path: path.stat().st_mode & 0o077 for path in place.config().state_dir.rglob("*")}
            open_to_all = [path.name for path, mode in modes.items() if mode and path.name != "run.lock"]
            assert open_to_all == []
            assert place.config().state_dir.stat().st_mode & 0o777 == 0o700
        finally:
            run.stop()
    finally:
        os.umask(before)
