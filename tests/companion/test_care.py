"""Backup and restore that really restore; a bundle that gives nothing away."""

from __future__ import annotations

import fcntl
import io
import os
import time
import zipfile
from pathlib import Path
from typing import Any

import pytest

from companion.core.session import Session
from companion.journal.store import Journal
from companion.machine import backup
from companion.wire.config import Config, DisplayConfig
from companion.wire.files import write_private
from companion.wire.messages import SeatInfo
from companion.wire.secrets import room_passwords
from tests.journals import open_game


@pytest.fixture
def lived(tmp_path: Path) -> Config:
    """A table that was played on."""
    config = Config(state_dir=tmp_path / "state", config_dir=tmp_path / "config", display=DisplayConfig(pin="59371846"))
    config.config_dir.mkdir()
    (config.config_dir / "tableside.toml").write_text('[table]\nlanguage = "pl"\n')
    room_passwords(config.state_dir)
    journal = Journal(config.state_dir / "games")
    session = Session.start(journal, "scorepad", {}, {}, (SeatInfo(seat=0, name="Ada"), SeatInfo(seat=1, name="Ben")))
    for points in range(5):
        session.play({"kind": "points", "seat": 0, "points": points}, sender="display", cause="touch")
    journal.close()
    write_private(config.state_dir / "box" / "skytopia.json", b'{"setup.coins": 6}')
    return config


PNG = b"\x89PNG\r\n\x1a\n\0\0\0\rIHDR\0\0\0\x40\0\0\0\x40 and the rest of a card"


def _tree(place: Path) -> dict[str, bytes]:
    """Every file of a folder but its backups."""
    files = place.rglob("*") if place.is_dir() else [place]
    return {str(path): path.read_bytes() for path in files if path.is_file() and path.suffix != ".zip"}


def test_a_backup_restores_on_an_empty_root(lived: Config, tmp_path: Path) -> None:
    """Another Pi: the open game goes on where it was, the box and the settings come along."""
    archive = backup.backup(lived)
    assert archive.stat().st_mode & 0o777 == 0o600
    other = Config(state_dir=tmp_path / "other" / "state", config_dir=tmp_path / "other" / "config")
    assert backup.restore(other, archive).files >= 4
    journal = Journal(other.state_dir / "games")
    assert journal.damage is None
    game = open_game(journal)
    assert game is not None
    assert Session.resume(journal, game).state.total(0) == 10
    assert b"coins" in (other.state_dir / "box" / "skytopia.json").read_bytes()
    assert "pl" in (other.config_dir / "tableside.toml").read_text()


def test_who_played_here_comes_along(lived: Config, tmp_path: Path) -> None:
    """People, tables that sat together and games of our own are as dear as the last game."""
    kept = {"players": b"[]", "people": b'[{"name":"Ada"}]', "groups": b'[[{"name":"Ada"}]]', "pads": b"[]"}
    for name, data in kept.items():
        write_private(lived.state_dir / f"{name}.json", data)
    other = Config(state_dir=tmp_path / "other" / "state", config_dir=tmp_path / "other" / "config")
    backup.restore(other, backup.backup(lived))
    assert {name: (other.state_dir / f"{name}.json").read_bytes() for name in kept} == kept


def test_restoring_keeps_what_was_there_and_older_backups(lived: Config) -> None:
    """No backup is ever deleted by a restore."""
    first = backup.backup(lived, lived.state_dir / "backups" / "first.zip")
    backup.restore(lived, first)
    assert first.exists()
    assert len(list((lived.state_dir / "backups").glob("*.zip"))) == 2


def test_a_game_begun_after_the_backup_does_not_come_back_with_it(lived: Config) -> None:
    """Neither its spare copy nor the database's own tail is read into the restored journal."""
    journal = Journal(lived.state_dir / "games")
    kept = open_game(journal)
    archive = backup.backup(lived)
    later = Session.start(journal, "scorepad", {}, {}, (SeatInfo(seat=0, name="Ada"), SeatInfo(seat=1, name="Ben")))
    assert list(lived.state_dir.glob("games/journal.db-*")), "the tail of a journal that is left open"
    backup.restore(lived, archive)
    restored = Journal(lived.state_dir / "games")
    assert restored.damage is None
    assert [first.game for first, _ in restored.games()] == [kept]
    (before,) = set((lived.state_dir / "backups").glob("*.zip")) - {archive}
    with zipfile.ZipFile(before) as kept_aside:
        assert f"state/games/open-{later.game}.jsonl" in kept_aside.namelist()


def test_a_damaged_journal_does_not_stand_in_the_way_of_a_backup(lived: Config, tmp_path: Path) -> None:
    """It goes along as it lies, whether it is in use or was set aside; a restore over it keeps it, too."""
    good = backup.backup(lived, tmp_path / "good.zip")
    aside = lived.state_dir / "games" / "journal.damaged-1.db"
    aside.write_bytes(b"what is left of a game")
    for tail in lived.state_dir.glob("games/journal.db-*"):
        tail.unlink()
    (lived.state_dir / "games" / "journal.db").write_bytes(b"rubbish")
    done = backup.restore(lived, good)
    assert done.before is not None
    with zipfile.ZipFile(done.before) as archive:
        assert archive.read("state/games/journal.db") == b"rubbish"
        assert archive.read(f"state/games/{aside.name}") == aside.read_bytes()
    assert Journal(lived.state_dir / "games").damage is None


def test_a_backup_needs_no_clock_and_no_file_that_is_just_gone(
    lived: Config, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A Pi that has not heard the time is in 1970; a table in play throws spare copies away."""
    monkeypatch.setattr(time, "localtime", lambda *now: time.gmtime(0))
    listed = [*backup._kept(lived.state_dir), ("games/open-gone.jsonl", lived.state_dir / "games" / "open-gone.jsonl")]
    monkeypatch.setattr(backup, "_kept", lambda root: listed)
    archive = backup.backup(lived, tmp_path / "a.zip")
    with zipfile.ZipFile(archive) as made:
        assert made.testzip() is None
        assert "state/games/open-gone.jsonl" not in made.namelist()
        assert "state/games/journal.db" in made.namelist()


def test_a_folder_that_may_not_be_read_is_no_empty_folder(lived: Config, monkeypatch: pytest.MonkeyPatch) -> None:
    """A backup without the games would be found out on the day it is needed."""
    look = os.scandir

    def guarded(path: str) -> Any:
        if path.endswith("games"):
            raise PermissionError(13, "Permission denied", path)
        return look(path)

    monkeypatch.setattr(os, "scandir", guarded)
    with pytest.raises(PermissionError):
        backup.backup(lived)
    assert not (lived.state_dir / "backups").exists()


def test_a_backup_that_cannot_be_written_is_named_by_its_own_name(lived: Config, tmp_path: Path) -> None:
    """Not by that of the file it is made from."""
    with pytest.raises(OSError, match="directory") as refused:
        backup.backup(lived, tmp_path)
    assert refused.value.filename == str(tmp_path)


def test_drop_ins_are_settings_too(lived: Config, tmp_path: Path) -> None:
    """What stands in conf.d comes along to another Pi."""
    (lived.config_dir / "conf.d").mkdir()
    (lived.config_dir / "conf.d" / "10-dial.toml").write_text("[dial]\nreverse = true\n")
    other = Config(state_dir=tmp_path / "other" / "state", config_dir=tmp_path / "other" / "config")
    backup.restore(other, backup.backup(lived))
    assert "reverse" in (other.config_dir / "conf.d" / "10-dial.toml").read_text()


@pytest.mark.parametrize("lock", ["run.lock", "core.lock"])
def test_nothing_is_restored_under_a_table_that_runs(lived: Config, lock: str) -> None:
    """Neither one of `tableside run` nor a core that systemd has started."""
    archive = backup.backup(lived)
    with (lived.state_dir / lock).open("w") as held:
        fcntl.flock(held, fcntl.LOCK_EX)
        with pytest.raises(backup.CareError, match="running; stop it first"):
            backup.restore(lived, archive)
    assert backup.restore(lived, archive).files


def test_settings_that_belong_to_root_are_laid_beside_the_games(lived: Config, monkeypatch: pytest.MonkeyPatch) -> None:
    """An installed table may not write its settings: the games come back all the same, and it says what to copy."""
    archive = backup.backup(lived)
    toml = lived.config_dir / "tableside.toml"

    def guarded(path: Path, data: bytes) -> None:
        if lived.config_dir in path.parents:
            raise PermissionError(13, "Permission denied", str(path))
        write_private(path, data)

    monkeypatch.setattr(backup, "write_private", guarded)
    assert backup.restore(lived, archive).aside == (), "they are as they were"
    toml.write_text("changed since")
    ((lies, belongs),) = backup.restore(lived, archive).aside
    assert (lies.read_text(), belongs) == ('[table]\nlanguage = "pl"\n', toml)


def test_settings_keep_their_rights(lived: Config) -> None:
    """A file others may read before a restore is one they may read after it."""
    archive = backup.backup(lived)
    toml = lived.config_dir / "tableside.toml"
    toml.write_text("changed since")
    toml.chmod(0o644)
    backup.restore(lived, archive)
    assert toml.stat().st_mode & 0o777 == 0o644
    assert "pl" in toml.read_text()


def test_a_restore_that_breaks_off_names_the_backup_of_before(lived: Config, monkeypatch: pytest.MonkeyPatch) -> None:
    """The disk refuses half-way: everything is as it was, and a copy of it is named all the same."""
    archive = backup.backup(lived)
    (lived.state_dir / "box" / "skytopia.json").write_text('{"setup.coins": 9}')
    here = _tree(lived.state_dir)
    rename, steps = Path.rename, iter(range(100))

    def refuses(path: Path, target: Path) -> Path:
        if next(steps) == 3:
            raise OSError(5, "Input/output error", str(path))
        return rename(path, target)

    with monkeypatch.context() as patch:
        patch.setattr(Path, "rename", refuses)
        with pytest.raises(backup.CareError, match=r"Input/output error; nothing was restored.*before is in .*\.zip"):
            backup.restore(lived, archive)
    assert _tree(lived.state_dir) == here


@pytest.mark.parametrize("name", ["box/skytopia.json", "players.json", "games/journal.db", "games", "cards"])
@pytest.mark.parametrize("kind", ["folder", "link", "file"])
def test_what_stands_in_the_way_is_named_and_nothing_is_followed(
    lived: Config, tmp_path: Path, name: str, kind: str
) -> None:
    """A folder where a file belongs, a link or a file where a folder belongs: one line, and all is as it was."""
    write_private(lived.state_dir / "cards" / "B1a.png", PNG)
    write_private(lived.state_dir / "players.json", b"[]")
    archive = backup.backup(lived, tmp_path / "a.zip")
    path, elsewhere = lived.state_dir / name, tmp_path / "elsewhere"
    path.rename(elsewhere)
    if kind == "folder":
        path.mkdir()
    elif kind == "link":
        path.symlink_to(elsewhere)
    else:
        path.write_text("mine")
    here, there = _tree(lived.state_dir), _tree(elsewhere)
    if (kind == "folder") == (path.suffix == ""):
        backup.restore(lived, archive)  # an empty folder is filled; a file, or a link by a file's name, is replaced
        assert path.is_dir() if kind == "folder" else path.is_file() and not path.is_symlink()
    else:
        with pytest.raises(backup.CareError, match=f"{name} is .*; nothing was restored"):
            backup.restore(lived, archive)
        assert _tree(lived.state_dir) == here
    assert _tree(elsewhere) == there


def _archive(**entries: bytes) -> bytes:
    buffer = io.BytesIO()
    with zipfile.ZipFile(buffer, "w") as archive:
        for name, content in entries.items():
            archive.writestr(name, content)
    return buffer.getvalue()


def test_two_backups_of_one_second_are_two_files(lived: Config) -> None:
    """The backup made before a restore never takes the place of the one that is restored."""
    made = {backup.backup(lived) for _ in range(3)}
    assert len(made) == 3
    assert all(path.is_file() for path in made)


@pytest.mark.parametrize("evil", ["../evil", "/etc/evil", "state/../../evil", "state\\..\\evil", "elsewhere/evil"])
def test_paths_that_climb_are_refused_and_nothing_is_written(lived: Config, tmp_path: Path, evil: str) -> None:
    """An archive from a stranger."""
    manifest = b'{"format":"tableside-backup-1","version":"0","made":0,"files":{}}'
    bad = tmp_path / "bad.zip"
    bad.write_bytes(_archive(**{"manifest.json": manifest, "state/good": b"x", evil: b"x"}))
    with pytest.raises(backup.CareError, match="outside"):
        backup.restore(lived, bad)
    assert not (lived.state_dir / "good").exists()


@pytest.mark.parametrize("content", [b"", b"not a zip", _archive(hello=b"x"), _archive(**{"manifest.json": b"{}"})])
def test_what_is_not_a_backup_is_refused(lived: Config, tmp_path: Path, content: bytes) -> None:
    """One clear line."""
    bad = tmp_path / "bad.zip"
    bad.write_bytes(content)
    with pytest.raises(backup.CareError):
        backup.restore(lived, bad)


def test_a_bundle_holds_no_secret(lived: Config, tmp_path: Path) -> None:
    """No password, no token, no PIN, no player's name, no picture unless given."""
    path = backup.bundle(lived, tmp_path / "bundle.zip")
    with zipfile.ZipFile(path) as archive:
        everything = b"".join(archive.read(name) for name in archive.namelist())
        assert "picture.jpg" not in archive.namelist()
    assert path.stat().st_mode & 0o777 == 0o600
    for secret in (*room_passwords(lived.state_dir).values(), "59371846", "Ada"):
        assert secret.encode() not in everything
    assert b'"python"' in everything, "the versions"


def test_secrets_are_masked_in_text() -> None:
    """Whatever a log said."""
    assert backup.masked(b'password = "hunter2"') == b'password = "****"'
    assert backup.masked(b'{"token":"abc","seat":1}') == b'{"token":"****","seat":1}'
