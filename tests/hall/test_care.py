"""A hall's results as files, its backup, and what a restored hall is told again."""

from __future__ import annotations

import csv
import io
import json
import tarfile
from datetime import UTC, datetime
from pathlib import Path

import psycopg
import pytest

from companion.wire.hall import PlayerResult, Result
from hall.care import backup, restore
from hall.database import Database
from hall.export import to_bgstats, to_csv, to_json
from hall.settings import CannotStartError, Settings, load
from hall.store import Held

PLAYERS = (
    PlayerResult(seat=0, name="=cmd|'calc'!A1", points=7.5, won=False),
    PlayerResult(seat=1, name="Łucja", points=12, won=True),
)
RESULT = Result(game="yacht", game_id="g-1", seq=9, began=1_000_000.0, ended=1_003_600.0, players=PLAYERS)
HELD = [Held("club-1", RESULT, True, datetime(2026, 1, 1, tzinfo=UTC))]


def test_csv_has_a_row_a_player_and_runs_nothing() -> None:
    rows = list(csv.DictReader(io.StringIO(to_csv(HELD))))
    assert [(row["player"], row["points"], row["won"], row["minutes"]) for row in rows] == [
        ("'=cmd|'calc'!A1", "7.5", "0", "60"),
        ("Łucja", "12", "1", "60"),
    ]


def test_json_and_bg_stats_tell_the_same_play() -> None:
    assert json.loads(to_json(HELD))[0]["result"]["players"][1]["name"] == "Łucja"
    play = json.loads(to_bgstats(HELD))[0]
    assert [(one["name"], one["rank"], one["winner"]) for one in play["players"]][1] == ("Łucja", 1, True)
    assert (play["durationMin"], play["location"]) == (60, {"name": "club-1"})
    assert (play["game"]["name"], play["game"]["sourceGameId"]) == ("Yacht", "yacht")


def test_a_restored_hall_knows_what_it_knew_and_is_another(dsn: str, store: Database, tmp_path: Path) -> None:
    """Another: tables then tell again what happened after the backup."""
    folder = tmp_path / "hall"
    folder.mkdir()
    (folder / "hall.toml").write_text('name = "Club"\n')
    (folder / "hall.pem").write_text("certificate")
    store.invite("club-1", "hash")
    store.record("club-1", [RESULT])
    before = store.hall_id()
    backup(folder, dsn, tmp_path / "evening.hall")
    assert (tmp_path / "evening.hall").stat().st_mode & 0o077 == 0
    with psycopg.connect(dsn) as owner:
        owner.execute("DELETE FROM results")
        owner.execute("DELETE FROM tables")
    (folder / "hall.pem").write_text("another")
    store.close()
    restore(folder, dsn, tmp_path / "evening.hall")
    assert [held.result for held in store.results()] == [RESULT]
    assert store.invited() == {"club-1": "hash"}
    assert (folder / "hall.pem").read_text() == "certificate"
    assert store.hall_id() != before


@pytest.mark.parametrize("kind", ["text", "tar", "strange"])
def test_what_is_no_backup_changes_nothing(dsn: str, store: Database, tmp_path: Path, kind: str) -> None:
    store.record("club-1", [RESULT])
    store.close()
    path = tmp_path / "x.hall"
    if kind == "text":
        path.write_text("no backup")
    else:
        with tarfile.open(path, "w:gz") as archive:
            names = ("../../evil",) if kind == "tar" else ("results.dump", "../evil")
            for name in names:
                member = tarfile.TarInfo(name)
                member.size = 4
                archive.addfile(member, io.BytesIO(b"evil"))
    with pytest.raises(CannotStartError):
        restore(tmp_path, dsn, path)
    assert len(store.results()) == 1
    assert not list(tmp_path.parent.rglob("evil"))


@pytest.mark.parametrize(
    ("text", "said"),
    [("ports = [1]", "ports"), ("colour = 1", "colour"), ("name = ", "Invalid"), ('host = "a\\nplugin x"', "control")],
)
def test_a_wrong_setting_is_named(tmp_path: Path, text: str, said: str) -> None:
    (tmp_path / "hall.toml").write_text(text)
    with pytest.raises(CannotStartError, match=said):
        load(tmp_path)
    assert load(tmp_path / "none") == Settings()
