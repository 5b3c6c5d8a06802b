"""A journal somebody made who has read how ours are made, every checksum right: the table starts, plays and looks back."""

from __future__ import annotations

import sqlite3
from contextlib import closing
from pathlib import Path
from typing import Any

import msgspec
import pytest

from companion.core.session import Session
from companion.door.seats import JoinRefused, Phone, _hashes, new_key
from companion.journal import ledger
from companion.journal.rows import Row, chain_of, to_json
from companion.journal.store import RESTORED, Journal
from companion.machine import backup
from companion.wire.config import Config
from companion.wire.messages import SeatInfo
from companion.wire.topics import decode
from tests.companion.desk import Desk

PLAYERS = (SeatInfo(seat=0, name="Ada"), SeatInfo(seat=1, name="Ben"))
NEW: dict[str, Any] = {
    "pack": "scorepad",
    "options": {"names": ["Ada", "Ben"]},
    "box": {},
    "seats": msgspec.to_builtins(PLAYERS),
}
POINTS = {"kind": "points", "seat": 0, "points": 7}
SEATS: dict[str, Any] = {"pack": "", "options": {}, "box": {}, "seats": []}
Step = tuple[str, Any]
GAME, EVENING = "20260101-120000-abcdef", "seats-20260101-120000-abcdef"


def forged(games: Path, name: str, *steps: Step, **columns: Any) -> None:
    """Rows of one game, in a file of ours; `columns` are put into the last of them, whatever they are."""
    games.mkdir(parents=True, exist_ok=True)
    with closing(ledger.connect(games / "journal.db")) as db:
        before = ""
        for number, (kind, body) in enumerate(steps):
            row = Row(name, number, kind, body, ts=1.8e9)  # type: ignore[arg-type]
            row = msgspec.structs.replace(row, chain=chain_of(row, before))
            before = row.chain
            found = {**{key: getattr(row, key) for key in Row.__struct_fields__}, "body": to_json.encode(body).decode()}
            if number == len(steps) - 1:
                found |= columns
            db.execute(f"INSERT INTO rows VALUES ({','.join('?' * 9)})", tuple(found.values()))
        db.execute("INSERT OR IGNORE INTO played (game) VALUES (?)", (name,))


def said(desk: Desk) -> None:
    """Whoever listens can read what stands there, and no broker refuses it."""
    desk.pump()
    for topic, payload in desk.broker.kept.items():
        decode(topic, payload)
        assert len(payload) < 100_000, topic


def the_table_plays(place: Path) -> None:
    """It starts, plays, looks back, takes up what it can, and starts again."""
    for _ in range(2):
        desk = Desk(place)
        said(desk)
        known = [first.game for first, _ in desk.journal.games()]
        desk.new("scorepad", "Cy", "Dee")
        assert desk.move(kind="points", seat=1, points=3).ok
        assert desk.admin("history").ok
        for game in known:
            desk.admin("resume", game=game)
            said(desk)
        desk.new("scorepad", "Cy", "Dee")
        assert desk.move(kind="end").ok
        assert desk.admin("end game").ok
        said(desk)
        desk.journal.close()


LONG = "n" * 700_000
LATER: dict[str, Step] = {
    "passes over every row there ever was": ("resume", {"without": -(10**15)}),
    "passes over rows by another name": ("resume", {"without": "x"}),
    "ends with a tally of nobody": ("end", {"over": True, "tally": {"players": 5}, "chart": "x"}),
    "ends with a chart of words": ("end", {"over": True, "tally": {"players": [], "winners": []}, "chart": [["x"]]}),
    "rests in words": ("end", {"moves": "x", "seats": 5, "over": False, "tally": {}}),
    "rests with names without end": ("end", {"moves": 2, "seats": [{"name": LONG}], "over": False}),
    "rests with a crowd": ("end", {"moves": 2, "seats": [{"name": "x", "colour": "y"}] * 9000, "over": False}),
    "moves for a seat nobody has": ("move", {"kind": "correct", "entry": 0, "points": 1, "seat": -(10**18)}),
    "names somebody without end": ("seat", {"seat": 0, "name": LONG}),
    "seats somebody beyond the table": ("seat", {"seat": 7, "name": "x"}),
    "takes a move back that was never made": ("undo", {"seq": 10**12}),
    "moves nothing that is a move": ("move", {"kind": ["x"]}),
    "begins again in the middle": ("new", {"pack": {}}),
}


@pytest.mark.parametrize("how", LATER)
def test_a_game_whose_last_row_is_nonsense_costs_no_more_than_itself(tmp_path: Path, how: str) -> None:
    """Whatever it says, it is taken up as far as it goes or put away."""
    forged(tmp_path / "games", GAME, ("new", NEW), ("move", POINTS), LATER[how])
    the_table_plays(tmp_path)


FIRST = {
    "is of a game that is a number": {"pack": 5},
    "is of a game that is a list": {"pack": ["scorepad"]},
    "has options that are none": {"options": []},
    "has names for others than sit there": {"options": {"names": ["Ada", "Ben", "Cy", "Dee"]}},
    "has nobody at it": {"seats": []},
    "has a crowd at it": {"seats": [{"seat": 10**9, "name": "x"}] * 500},
    "has names without end": {"seats": [{"seat": 0, "name": LONG}, {"seat": 1, "name": LONG}]},
    "has one chair twice": {"seats": [{"seat": 0, "name": "Ada"}, {"seat": 0, "name": "Ben"}]},
    "has no box": {"box": None},
}


@pytest.mark.parametrize("how", FIRST)
def test_a_game_whose_first_row_is_nonsense_is_put_away(tmp_path: Path, how: str) -> None:
    """And the table is ready for another."""
    forged(tmp_path / "games", GAME, ("new", NEW | FIRST[how]), ("move", POINTS))
    the_table_plays(tmp_path)


COLUMNS: dict[str, dict[str, Any]] = {
    "a number that is a word": {"seq": "x"},
    "a number without a next one": {"seq": 2**63 - 1},
    "a number below nothing": {"seq": -1},
    "a kind nobody knows": {"kind": "party"},
    "a time that never comes": {"ts": 9e999},
    "a time in words": {"ts": "noon"},
    "a body of bytes": {"body": b"\xff\xfe"},
    "a body that is a list": {"body": "[]"},
    "a body nested without end": {"body": "[" * 100_000},
    "a sender of bytes": {"sender": b"\0"},
    "a checksum of bytes": {"chain": b"\0"},
}


@pytest.mark.parametrize("what", COLUMNS)
@pytest.mark.parametrize("steps", [(("new", NEW),), (("new", NEW), ("move", POINTS))], ids=["first", "second"])
def test_a_column_may_hold_anything(tmp_path: Path, what: str, steps: tuple[Step, ...]) -> None:
    """SQLite keeps what it is given."""
    forged(tmp_path / "games", GAME, *steps, **COLUMNS[what])
    the_table_plays(tmp_path)


@pytest.mark.parametrize("name", ["a/../../b", "..", "x\0y", "x" * 300, "", "a b", "ł", b"\xff"])
def test_a_game_that_is_called_like_a_path_is_none(tmp_path: Path, name: Any) -> None:
    """Its copy would be a file of that name."""
    forged(tmp_path / "games", GAME, ("new", NEW), game=name)
    the_table_plays(tmp_path)
    assert {path.name for path in tmp_path.iterdir()} <= {"games", "box", "players.json", "people.json", "groups.json"}


@pytest.mark.parametrize(
    "body",
    [
        *({"free": {}}, {"free": None}, {"client": 5}, {}),
        *(
            {"client": client, "seat": 0, "name": "x", "language": "en", "token": "x"}
            for client in ("display", "table-display", "+", "#", "phone-s0-x/#", "phone-s0-x\n")
        ),
    ],
)
def test_nobody_sits_down_under_a_name_the_door_never_gives(tmp_path: Path, body: dict[str, Any]) -> None:
    """A phone's name is a user of the broker's and a part of topics: one like a room's would be the room's."""
    forged(tmp_path / "games", EVENING, ("new", SEATS), ("seat", body))
    desk = Desk(tmp_path)
    assert desk.table.seats.phones == {}
    desk.journal.close()
    the_table_plays(tmp_path)


def test_files_of_the_owners_are_no_longer_than_a_table_can_tell(tmp_path: Path) -> None:
    """Players without end, and a box in which nothing is right: what can be shown is shown, and the table plays."""
    (tmp_path / "box").mkdir()
    (tmp_path / "players.json").write_bytes(
        msgspec.json.encode([{"name": LONG, "colour": "x"}] * 1 + [{"name": "y"}] * 9000)
    )
    (tmp_path / "box" / "skytopia.json").write_bytes(msgspec.json.encode({f"wrong.{n}": n for n in range(20_000)}))
    desk = Desk(tmp_path)
    said(desk)
    desk.new("skytopia", "Ada", "Ben")
    said(desk)
    desk.journal.close()
    the_table_plays(tmp_path)


def test_a_backup_seats_nobody(tmp_path: Path) -> None:
    """The key of a phone is a secret like any other: one that came with a backup may be anybody's."""
    key = new_key()
    stranger = Phone("phone-s0-abcdef012345", 0, "Ada", "en", *_hashes(key), game=GAME)
    there = tmp_path / "there"
    forged(there / "state" / "games", GAME, ("new", NEW), ("move", POINTS))
    forged(there / "state" / "games", EVENING, ("new", SEATS), ("seat", msgspec.to_builtins(stranger)))
    forged(there / "state" / "games", EVENING + "-2", ("new", SEATS), ("seat", msgspec.to_builtins(stranger)))
    made = backup.backup(Config(state_dir=there / "state", config_dir=there / "config"), tmp_path / "b.zip")
    here = Config(state_dir=tmp_path / "here" / "state", config_dir=tmp_path / "here" / "config")
    backup.restore(here, made)
    for _ in range(2):
        desk = Desk(here.state_dir)
        assert desk.points() == [7, 0]
        assert desk.table.seats.phones == {}
        with pytest.raises(JoinRefused):
            desk.table.seats.again(key, "here")
        desk.journal.close()
    assert not (here.state_dir / "games" / RESTORED).exists()


def test_who_sits_down_after_a_restore_sits_on(tmp_path: Path) -> None:
    """Only those of the backup are shown out, once."""
    here = Config(state_dir=tmp_path / "state", config_dir=tmp_path / "config")
    journal = Journal(here.state_dir / "games")
    Session.start(journal, "scorepad", {}, {}, PLAYERS)
    journal.close()
    backup.restore(here, backup.backup(here, tmp_path / "b.zip"))
    desk = Desk(here.state_dir)
    client = desk.sit(0)
    desk.journal.close()
    again = Desk(here.state_dir)
    assert list(again.table.seats.phones) == [client]
    again.journal.close()


def test_a_forged_journal_is_what_it_is_taken_for(tmp_path: Path) -> None:
    """Unbent, the same rows are a game of ours: the tests above bend something that holds."""
    forged(tmp_path / "games", GAME, ("new", NEW), ("move", POINTS))
    desk = Desk(tmp_path)
    assert desk.points() == [7, 0]
    desk.journal.close()
    with closing(sqlite3.connect(tmp_path / "games" / "journal.db")) as db:
        assert db.execute("SELECT count(*) FROM rows").fetchone() == (2,)
