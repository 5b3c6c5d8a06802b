"""A backup somebody hands over: it brings games, and nothing that would reach further than a game."""

from __future__ import annotations

import io
import resource
import shutil
import sqlite3
import zipfile
from pathlib import Path
from typing import Any

import msgspec
import pytest

from companion.core.session import Session
from companion.journal.store import RESTORED, Journal
from companion.machine import backup, swap
from companion.machine.archive import Manifest
from companion.wire.config import Config, load
from companion.wire.files import write_private
from companion.wire.messages import SeatInfo
from companion.wire.secrets import room_passwords

SEATS = (SeatInfo(seat=0, name="Ada"), SeatInfo(seat=1, name="Ben"))


@pytest.fixture
def table(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Config:
    """A table with a game on it, passwords and settings of its own."""
    monkeypatch.setenv("TABLESIDE_STATE_DIR", str(tmp_path / "state"))
    monkeypatch.setenv("TABLESIDE_CONFIG_DIR", str(tmp_path / "config"))
    config = load()
    config.config_dir.mkdir()
    (config.config_dir / "tableside.toml").write_text('[table]\nlanguage = "pl"\n')
    write_private(config.state_dir / "settings.toml", b'[display]\npin = "1234"\nlock = true\n')
    room_passwords(config.state_dir)
    _played(config.state_dir / "games", 7)
    return config


def _played(games: Path, points: int) -> None:
    journal = Journal(games)
    session = Session.start(journal, "scorepad", {}, {}, SEATS)
    session.play({"kind": "points", "seat": 0, "points": points}, sender="display", cause="touch")
    journal.close()


def _tree(place: Path) -> dict[str, bytes]:
    """Everything there but the backups."""
    files = (path for path in place.rglob("*") if path.is_file() and "backups" not in path.parts)
    return {path.relative_to(place).as_posix(): path.read_bytes() for path in files}


def forged(path: Path, files: dict[str, bytes], **more: Any) -> Path:
    """An archive as somebody makes it who has read how ours are made."""
    sizes = {name: len(data) for name, data in files.items()}
    manifest = Manifest(backup.FORMAT, "1", 0.0, more.pop("claims", sizes))
    with zipfile.ZipFile(path, "w", zipfile.ZIP_DEFLATED, **more) as archive:
        for name, data in {"manifest.json": msgspec.json.encode(manifest), **files}.items():
            archive.writestr(name, data)
    return path


def _refused(table: Config, archive: Path, why: str = "nothing was restored") -> str:
    """One line, and everything is as it was: here, and on a machine that was never played on."""
    before = _tree(table.state_dir.parent)
    with pytest.raises(backup.CareError, match=why) as refused:
        backup.restore(table, archive)
    assert _tree(table.state_dir.parent) == before
    assert not (table.state_dir / "backups").exists()
    fresh = table.state_dir.parent / "fresh"
    with pytest.raises(backup.CareError):
        backup.restore(Config(state_dir=fresh / "state", config_dir=fresh / "config"), archive)
    assert not fresh.exists() or not any(path.is_file() for path in fresh.rglob("*"))
    assert "\n" not in str(refused.value)
    return str(refused.value)


NAMES = [
    *("state/.", "state/run.lock/x", "state/run.lock", "state/core.lock", "state/secrets.json/x", "state/secrets"),
    *(
        "state/broker/access.json",
        "state/broker/access.json/x",
        "state/broker/mosquitto.conf",
        "state/games/journal.db/x",
    ),
    *(
        "state/games/running",
        "state/games",
        "state/games/open-.jsonl",
        "state/evidence/g/000001.jpg",
        "state/.restore/ready",
    ),
    *("state/backups/a.zip", "state/cards/.hidden.png", "state/cards/a/b.png", "state/box/UP.json", "state/run.log"),
    *(
        "config/other.toml",
        "config/conf.d/.x.toml",
        "config/conf.d/a/b.toml",
        "config/tableside.toml/x",
        "state//box/a.json",
    ),
    *("state/settings.toml\n", "state/box/a.json\0.png", "state/cards/ä.png", "state/games/journal.db "),
]


@pytest.mark.parametrize("name", NAMES)
def test_a_name_no_backup_of_ours_has_is_refused(table: Config, tmp_path: Path, name: str) -> None:
    """Locks, passwords, the broker's files, evidence, other backups, files in folders' places and folders in files' places."""
    _refused(table, forged(tmp_path / "a.zip", {"state/players.json": b"[]", name: b"{}"}))


KINDS = {
    "a library as a card": {"state/cards/B1a.png": b"\x7fELF" + bytes(100)},
    "a card of 30,000 x 30,000": {"state/cards/B1a.png": b"\x89PNG\r\n\x1a\n\0\0\0\rIHDR\0\0\x75\x30\0\0\x75\x30"},
    "a box that is none": {"state/box/skytopia.json": b"[1, 2]"},
    "a box without an end": {"state/box/skytopia.json": b"[" * 50_000},
    "players that are none": {"state/players.json": b'{"a": 1}'},
    "too long a box": {"state/box/skytopia.json": b" " * 1_500_000},
    "settings with a broker": {"state/settings.toml": b'[broker]\nkey_file = "/x"\n'},
    "settings with a page": {"state/settings.toml": b"[web]\nport = 80\n"},
    "settings of a camera": {"state/settings.toml": b'[camera]\npath = "/"\n'},
    "settings that are none": {"state/settings.toml": b"display = 3\n"},
    "settings out of range": {"state/settings.toml": b"[display]\ntext_size = 9000\n"},
    "settings with a line break": {"state/settings.toml": b'[display]\npin = "1\\n2"\n'},
    "settings that are no text": {"config/tableside.toml": b"\xff\xfe"},
}


@pytest.mark.parametrize("files", KINDS.values(), ids=KINDS.keys())
def test_a_file_that_is_not_what_its_name_says_is_refused(
    table: Config, tmp_path: Path, files: dict[str, bytes]
) -> None:
    """Each is looked into before the first is put in its place."""
    _refused(table, forged(tmp_path / "a.zip", {"state/dial.json": b"{}", **files}))


JOURNALS = {
    "a trigger": ["CREATE TRIGGER t AFTER INSERT ON rows BEGIN DELETE FROM rows; END"],
    "a view": ["DROP TABLE played", "CREATE VIEW played AS SELECT 1 AS number, 'g' AS game"],
    "another table": ["CREATE TABLE guests (name)"],
    "a newer schema": ["PRAGMA user_version = 99"],
}


@pytest.mark.parametrize("hidden", [False, True], ids=["plain", "in its tail"])
@pytest.mark.parametrize("statements", JOURNALS.values(), ids=JOURNALS.keys())
def test_a_journal_with_something_of_its_own_in_it_is_refused(
    table: Config, tmp_path: Path, statements: list[str], hidden: bool
) -> None:
    """Also where it stands only in the tail that SQLite reads along."""
    _played(tmp_path / "theirs", 50)
    path = tmp_path / "theirs" / "journal.db"
    db = sqlite3.connect(path)
    db.execute("PRAGMA journal_mode=WAL")
    for statement in statements:
        db.execute(statement)
    db.commit()
    if not hidden:
        db.close()
    tail = path.with_name("journal.db-wal")
    files = {"state/games/journal.db": path.read_bytes()}
    if hidden:
        files["state/games/journal.db-wal"] = tail.read_bytes()
        db.close()
    _refused(table, forged(tmp_path / "a.zip", files), "journal.db cannot be taken")


def test_passwords_the_pin_and_the_network_stay_the_machine_s_own(table: Config, tmp_path: Path) -> None:
    """A chosen `secrets.json` opens nothing, a chosen PIN locks nobody out, a broker of somebody else's is not set up."""
    secrets = room_passwords(table.state_dir)
    evil = b'[table]\nlanguage = "fr"\n[broker]\ntls = true\nkey_file = "/z\\nplugin /tmp/x.so"\n'
    chosen = dict.fromkeys(secrets, "known to me")
    archive = forged(
        tmp_path / "a.zip",
        {
            "state/secrets.json": msgspec.json.encode(chosen),
            "state/settings.toml": b'[display]\npin = "6666"\nlock = false\ntheme = "light"\n',
            "config/tableside.toml": evil,
        },
    )
    done = backup.restore(table, archive)
    assert room_passwords(table.state_dir) == secrets
    config = load()
    assert config.problems == ()
    assert (config.display.pin, config.display.lock, config.display.theme) == ("1234", True, "light")
    assert (config.table.language, config.broker.tls) == ("pl", False)
    ((lies, belongs),) = done.foreign
    assert (lies.read_bytes(), belongs) == (evil, table.config_dir / "tableside.toml")


@pytest.mark.parametrize(
    "text", ["[broker]\nport = 1", "[web]\nport = 1", '[table]\nid = "b"', '[display]\npin = "1"', "broker = 3", "[["]
)
def test_settings_that_name_a_machine_are_for_people_to_copy(table: Config, tmp_path: Path, text: str) -> None:
    """On a new machine too; unless this one says the very same."""
    archive = forged(tmp_path / "a.zip", {"config/conf.d/10.toml": text.encode(), "config/tableside.toml": b"[dial]\n"})
    done = backup.restore(table, archive)
    assert [belongs.name for _, belongs in done.foreign] == ["10.toml"]
    assert not (table.config_dir / "conf.d").exists()
    assert (table.config_dir / "tableside.toml").read_bytes() == b"[dial]\n"
    if "[[" not in text:
        write_private(table.config_dir / "conf.d" / "10.toml", b"# ours\n" + text.encode())
        assert backup.restore(table, archive).foreign == ()
        assert (table.config_dir / "conf.d" / "10.toml").read_text() == text


def test_a_backup_of_ours_holds_no_password(table: Config, tmp_path: Path) -> None:
    """It is the machine that has them, not the games."""
    with zipfile.ZipFile(backup.backup(table, tmp_path / "a.zip")) as archive:
        everything = b"".join(archive.read(name) for name in archive.namelist())
        assert not [name for name in archive.namelist() if "secret" in name]
    for secret in room_passwords(table.state_dir).values():
        assert secret.encode() not in everything


def test_what_a_restore_would_refuse_is_left_out_of_a_backup_and_said(
    table: Config, tmp_path: Path, caplog: pytest.LogCaptureFixture
) -> None:
    """A damaged file of no use does not make the whole backup one nobody can restore."""
    write_private(table.state_dir / "calibration.json", b"{ damaged")
    write_private(table.state_dir / "notes.txt", b"not the table's")
    archive = backup.backup(table, tmp_path / "a.zip")
    assert "calibration.json is left out" in caplog.text
    assert backup.restore(table, archive).files >= 3


# ---- size


def _bomb(path: Path, sizes: dict[str, int], manifest: bytes = b"") -> Path:
    """Zeros by the hundred megabytes, never in one piece."""
    with zipfile.ZipFile(path, "w", zipfile.ZIP_DEFLATED) as archive:
        if manifest:
            archive.writestr("manifest.json", manifest)
        for name, size in sizes.items():
            with archive.open(name, "w") as file:
                for _ in range(size // 1_000_000):
                    file.write(bytes(1_000_000))
    return path


def _peak() -> int:
    return resource.getrusage(resource.RUSAGE_SELF).ru_maxrss


def test_a_bomb_is_not_unpacked(table: Config, tmp_path: Path) -> None:
    """A manifest or a journal of zeros: neither memory nor disk is taken for it."""
    sizes = {f"state/games/journal.damaged-{number}.db": 150_000_000 for number in range(2)}
    manifest = msgspec.json.encode(Manifest(backup.FORMAT, "1", 0.0, sizes))
    bombs = [_bomb(tmp_path / "b.zip", sizes, manifest), _bomb(tmp_path / "m.zip", {"manifest.json": 300_000_000})]
    before = _peak()
    for bomb in bombs:
        assert bomb.stat().st_size < 1_000_000
        assert "too large" in _refused(table, bomb)
    assert _peak() - before < 20_000, "kilobytes"


def test_a_hundred_thousand_files_are_not_even_listed(
    table: Config, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """How long the list is stands at the archive's end, in its short form and in its long one."""
    empty = io.BytesIO()
    with zipfile.ZipFile(empty, "w") as archive:
        for number in range(3_000):
            archive.writestr(f"state/box/{number}.json", b"")
    (tmp_path / "short.zip").write_bytes(empty.getvalue())
    with zipfile.ZipFile(tmp_path / "long.zip", "w") as archive:
        for number in range(100_000):
            archive.writestr(f"state/box/{number}.json", b"")

    def listed(*words: object, **more: object) -> None:
        raise AssertionError("it was read")

    monkeypatch.setattr(zipfile, "ZipFile", listed)
    for name in ("short.zip", "long.zip"):
        _refused(table, tmp_path / name, "more files")


def test_there_must_be_room_for_it(table: Config, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Before, not half-way."""
    archive = backup.backup(table, tmp_path / "a.zip")
    monkeypatch.setattr(shutil, "disk_usage", lambda place: shutil._ntuple_diskusage(1000, 900, 100))
    before = _tree(table.state_dir)
    with pytest.raises(backup.CareError, match="make room first"):
        backup.restore(table, archive)
    assert _tree(table.state_dir) == before


def _bent(path: Path, kind: str) -> Path:
    """An archive that lies about itself."""
    good = {"state/players.json": b"[]", "state/dial.json": b"{}"}
    match kind:
        case "twice":
            with pytest.warns(UserWarning, match="Duplicate"), zipfile.ZipFile(forged(path, good), "a") as archive:
                archive.writestr("state/dial.json", b"{}")
        case "encrypted":
            data = forged(path, good).read_bytes()
            at = data.rfind(b"PK\x01\x02")
            path.write_bytes(data[: at + 8] + b"\x01\x00" + data[at + 10 :])
        case "lzma":
            sizes = msgspec.json.encode(Manifest(backup.FORMAT, "1", 0.0, {"state/dial.json": 2}))
            with zipfile.ZipFile(path, "w", zipfile.ZIP_LZMA) as archive:
                archive.writestr("manifest.json", sizes)
                archive.writestr("state/dial.json", b"{}")
        case "not in the manifest":
            forged(path, good, claims={"state/dial.json": 2})
        case "another length":
            forged(path, good, claims={"state/dial.json": 3, "state/players.json": 2})
        case "missing":
            forged(path, good, claims={"state/dial.json": 2, "state/players.json": 2, "state/box/a.json": 2})
        case "a folder":
            forged(path, {**good, "state/box/": b""})
        case "a device":
            entry = zipfile.ZipInfo("state/box/a.json")
            entry.external_attr = 0o020666 << 16
            with zipfile.ZipFile(forged(path, good), "a") as archive:
                archive.writestr(entry, b"{}")
    return path


@pytest.mark.parametrize(
    "kind",
    ["twice", "encrypted", "lzma", "not in the manifest", "another length", "missing", "a folder", "a device"],
)
def test_an_archive_that_lies_about_itself_is_refused(table: Config, tmp_path: Path, kind: str) -> None:
    """Nothing of it is taken, not even what is right."""
    _refused(table, _bent(tmp_path / "a.zip", kind))


# ---- the exchange


def test_a_power_cut_in_mid_restore_leaves_the_old_table_or_the_new_one(table: Config, tmp_path: Path) -> None:
    """Wherever it stops, the next start finds everything as before or everything as in the backup."""
    other = Config(state_dir=tmp_path / "other" / "state", config_dir=tmp_path / "other" / "config")
    _played(other.state_dir / "games", 50)
    write_private(other.state_dir / "box" / "skytopia.json", b'{"setup.coins": 6}')
    write_private(other.state_dir / "players.json", b"[]")
    archive = backup.backup(other, tmp_path / "a.zip")
    before = _tree(table.state_dir)
    images: list[Path] = []
    rename = Path.rename

    def looked(path: Path, target: Path) -> Path:
        for moment in ("before", "after"):
            image = tmp_path / f"image-{len(images)}-{moment}"
            if moment == "after":
                done = rename(path, target)
            shutil.copytree(table.state_dir, image)
            images.append(image)
        return done

    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(Path, "rename", looked)
        backup.restore(table, archive)
    after = _tree(table.state_dir)
    assert after != before
    assert not (table.state_dir / swap.FOLDER).exists()
    for image in images:
        swap.finish(image)
        assert _tree(image) == after, image
        assert not (image / swap.FOLDER).exists()
    write_private(table.state_dir / swap.FOLDER / swap.NEW / "players.json", b"half unpacked")
    swap.finish(table.state_dir)
    assert _tree(table.state_dir) == after


def test_a_mark_that_points_elsewhere_moves_nothing(table: Config, tmp_path: Path) -> None:
    """The exchange never reaches out of the table's folder."""
    (tmp_path / "mine").write_text("mine")
    write_private(table.state_dir / swap.FOLDER / swap.NEW / "x", b"theirs")
    for name in ("../mine", str(tmp_path / "mine")):
        mark = msgspec.json.encode(swap.Plan(["x"], [name]))
        write_private(table.state_dir / swap.FOLDER / swap.MARK, mark)
        swap.finish(table.state_dir)
        assert (tmp_path / "mine").read_text() == "mine"
    assert not (table.state_dir / "x").exists()


def test_a_damaged_journal_comes_back_as_it_lay_and_brings_nothing_else(table: Config, tmp_path: Path) -> None:
    """The way back to a table that was damaged: what SQLite makes beside a file while it is looked into stays behind."""
    games = table.state_dir / "games"
    (games / "journal.db").write_bytes(b"SQLite format 3\0" + b"rubbish" * 2000)
    (games / "journal.db-wal").write_bytes(b"the rest of it")
    archive = backup.backup(table, tmp_path / "a.zip")
    before = _tree(games)
    backup.restore(table, archive)
    mark = {RESTORED: b""}  # phones that sat there are shown out at the next start
    assert _tree(games) == {name: data for name, data in before.items() if not name.endswith("-shm")} | mark
