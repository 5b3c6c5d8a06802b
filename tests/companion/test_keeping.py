"""What a table keeps and whom it lets in: archives it refuses, chairs that are taken, rows of another time."""

from __future__ import annotations

import errno
import io
import sqlite3
import zipfile
from pathlib import Path
from typing import Any

import msgspec
import pytest

from companion.box import terminal
from companion.box.owner import Owner
from companion.core.reopening import PROBLEMS
from companion.core.table import Table
from companion.door import seats
from companion.door.seats import JoinRefused
from companion.journal.store import Damage, Journal, JournalUnusableError
from companion.machine import backup, broker
from companion.past import plots
from companion.past.bgstats import play_in_words
from companion.past.history import Play
from companion.wire.allowed import allowed, line_of
from companion.wire.config import Config
from companion.wire.memory import MemoryBroker
from companion.wire.messages import Health
from tests.companion import toy
from tests.companion.desk import Desk
from tests.companion.test_reading_borders import toys  # noqa: F401 - a fixture
from tests.journals import open_game
from tests.views import view_of

# archives --------------------------------------------------------------------------------------------------------


def archive(path: Path, *entries: tuple[zipfile.ZipInfo | str, bytes], format_: str = backup.FORMAT) -> Path:
    """A backup with these files in it, well signed."""
    files = {str(getattr(name, "filename", name)): len(data) for name, data in entries}
    manifest = backup.Manifest(format_, "0.1", 0.0, files)
    with zipfile.ZipFile(path, "w") as made:
        made.writestr("manifest.json", msgspec.json.encode(manifest))
        for name, data in entries:
            made.writestr(name, data)
    return path


@pytest.fixture
def empty(tmp_path: Path) -> Config:
    return Config(state_dir=tmp_path / "state", config_dir=tmp_path / "config")


def test_a_table_nobody_played_on_has_nothing_to_back_up(empty: Config) -> None:
    """It says where it looked."""
    with pytest.raises(backup.CareError, match="nothing to back up"):
        backup.backup(empty)


def test_an_archive_of_another_version_is_refused(empty: Config, tmp_path: Path) -> None:
    """Before a single file is written."""
    with pytest.raises(backup.CareError, match="format"):
        backup.restore(empty, archive(tmp_path / "a.zip", ("state/x", b"1"), format_="tableside-99"))
    assert not empty.state_dir.exists()


def test_a_link_in_an_archive_is_refused(empty: Config, tmp_path: Path) -> None:
    """It would point out of the table's folders."""
    link = zipfile.ZipInfo("state/passwd")
    link.external_attr = 0o120777 << 16
    with pytest.raises(backup.CareError, match="is a link"):
        backup.restore(empty, archive(tmp_path / "a.zip", (link, b"/etc/passwd")))
    assert not empty.state_dir.exists()


def test_an_archive_larger_than_any_table_is_refused(
    empty: Config, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A few kilobytes can unpack to a full disk: the sizes are added up first."""
    monkeypatch.setattr("companion.machine.archive.MAX_ALL", 150)
    with pytest.raises(backup.CareError, match="too large"):
        files = [(f"state/box/{name}.json", b"1" * 100) for name in "xy"]
        backup.restore(empty, archive(tmp_path / "a.zip", *files))
    assert not empty.state_dir.exists()


def test_an_archive_that_is_not_there_is_named(empty: Config, tmp_path: Path) -> None:
    """With the disk's own words."""
    with pytest.raises(backup.CareError, match="No such file"):
        backup.restore(empty, tmp_path / "none.zip")


def test_a_picture_goes_into_the_bundle_as_it_is(empty: Config, tmp_path: Path) -> None:
    """Only when somebody gives one; words are masked, a picture cannot be."""
    made = backup.bundle(empty, tmp_path / "b.zip", picture=b"\xff\xd8 a picture")
    assert zipfile.ZipFile(io.BytesIO(made.read_bytes())).read("picture.jpg") == b"\xff\xd8 a picture"


# seats -----------------------------------------------------------------------------------------------------------


def test_a_taken_chair_is_not_given_twice(tmp_path: Path) -> None:
    """The code is right, the chair is not free."""
    desk = Desk(tmp_path)
    desk.new()
    desk.sit(1)
    with pytest.raises(JoinRefused) as refused:
        desk.sit(1)
    assert refused.value.status == 409


def test_wrong_codes_are_forgotten_after_a_while(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Guessing is slowed down, a clumsy guest is not shut out for the evening."""
    desk = Desk(tmp_path)
    desk.new()
    clock = [1000.0]
    monkeypatch.setattr(seats.time, "monotonic", lambda: clock[0])
    held = desk.table.seats

    def knock(code: str) -> int:
        try:
            held.join(code=code, seat=None, name="x", language="en", address="there")
        except JoinRefused as refused:
            return refused.status
        return 200

    while knock("WRONG") == 403:
        pass
    assert knock("WRONG") == 429
    assert knock(held.code) == 200, "whoever sits behind the same address is not shut out"
    clock[0] += seats.WINDOW + 1
    assert knock(held.code) == 200
    assert "there" not in held._failures


def test_a_chair_given_back_stays_free_after_a_restart(tmp_path: Path) -> None:
    """The journal is the truth about seats."""
    desk = Desk(tmp_path)
    desk.new()
    desk.sit(0)
    desk.sit(1)
    assert desk.admin("free seat", seat=1).ok
    desk.journal.close()
    known = type(desk.table.seats)(Journal(tmp_path / "games"))
    assert known.at(1) is None
    assert known.at(0) is not None


# the journal and the box -----------------------------------------------------------------------------------------


def test_why_a_row_could_not_be_written_is_told_apart() -> None:
    """A file of the future, a card that is shut, a disk that is full."""
    newer = JournalUnusableError("written by a newer Tableside")
    assert newer.code == "newer"
    for number, code in ((errno.EROFS, "card"), (errno.ENOSPC, "disk")):
        try:
            raise JournalUnusableError("no") from OSError(number, "no")
        except JournalUnusableError as refused:
            assert refused.code == code


def test_a_flipped_version_is_damage_and_not_the_future(tmp_path: Path) -> None:
    """The version is written twice; one of the two alone is not believed, and no game is lost by it."""
    desk = Desk(tmp_path)
    desk.new()
    assert desk.move(kind="points", seat=0, points=5).ok
    desk.journal.close()
    with sqlite3.connect(tmp_path / "games" / "journal.db") as db:
        db.execute("PRAGMA user_version = 77")
    db.close()
    again = Journal(tmp_path / "games")
    assert again.damage is not None
    assert again.damage.lost == 0
    assert open_game(again) is not None


def test_damage_is_said_on_the_screen(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """How many moves are gone stands there until somebody has read it."""
    journal = Journal(tmp_path / "games")
    journal.damage = Damage(lost=3, kept=10, moved_to="journal.damaged-1.db")
    monkeypatch.setattr("tests.companion.desk.Journal", lambda place: journal)
    desk = Desk(tmp_path)
    told = [notice for notice in desk.state.notices if notice.kind == "bad"]
    assert any(notice.text.params.get("n") == 3 for notice in told)


def test_the_first_problems_of_the_settings_are_said(tmp_path: Path) -> None:
    """One notice each, under the same name after every start; two hundred would be more than a message may hold."""
    problems = tuple(f"tableside.toml:{line}: [web] port = 'x' cannot be used" for line in range(200))
    config = Config(state_dir=tmp_path, problems=problems)
    table = Table(config, MemoryBroker().bus("companion"), Journal(tmp_path / "games"))
    assert tuple(notice.text.params["problem"] for notice in table.notices) == problems[:PROBLEMS]
    assert table.notices[7].id == "config-7"


def test_a_box_the_pack_finds_odd_is_refused(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Each value alone fits, together they cannot be: the pack's own words are shown."""
    monkeypatch.setenv("TABLESIDE_STATE_DIR", str(tmp_path))
    with pytest.raises(terminal.BoxError, match="two figures"):
        terminal.confirm("skyrise", json=False, settings=["setup.2.wonders=1"], every=False)
    assert Owner(tmp_path).box("skyrise") == {}


def test_corrections_of_a_game_without_printed_numbers_are_kept_as_they_are(tmp_path: Path) -> None:
    """Nothing to check them against; a move that teaches nothing changes nothing."""
    owner = Owner(tmp_path)
    owner.save("scorepad", {"anything": 1})
    assert owner.box("scorepad") == {"anything": 1}
    owner.keep("scorepad", {})
    assert owner.box("scorepad") == {"anything": 1}
    owner.keep("scorepad", {"more": 2})
    assert owner.box("scorepad") == {"anything": 1, "more": 2}


# the table -------------------------------------------------------------------------------------------------------


def test_the_screen_too_asks_before_something_revealed_is_taken_back(
    toys: Desk,  # noqa: F811
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """A touch on undo shows the question; agreed there, it is taken back."""
    play = toy.pack.play
    monkeypatch.setattr(
        toy.pack, "play", lambda s, m: type(r := play(s, m))(r.state, r.events, reveals=True), raising=False
    )
    assert toys.move(kind="place", seat=0, face=4).ok
    asked = toys.request(undo=True)
    assert asked.refusal is not None
    assert asked.refusal.code == "table/consent"
    assert toys.request(undo=True, consent=True).ok
    assert view_of(toys.state)["die"] is None


def test_a_game_put_away_is_taken_up_and_the_other_put_away_for_it(tmp_path: Path) -> None:
    """One table, one game at a time."""
    desk = Desk(tmp_path)
    desk.new()
    first = desk.state.game_id
    assert desk.move(kind="points", seat=0, points=5).ok
    assert desk.admin("end game").ok
    assert desk.admin("end game").ok, "nothing is left to end"
    desk.new()
    assert desk.state.game_id != first
    assert desk.admin("resume", game=first).ok
    assert (desk.state.game_id, desk.points()[0]) == (first, 5)


def test_old_answers_of_the_core_are_forgotten(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """The same id twice does nothing twice, but not for ever."""
    monkeypatch.setattr("companion.core.table.REMEMBERED", 3)
    desk = Desk(tmp_path)
    desk.new()
    for number in range(6):
        assert desk.request(id=f"r{number}", move={"kind": "points", "seat": 0, "points": 1}).ok
    assert desk.points()[0] == 6
    assert len(desk.table._answers) <= 3


# the corridor in memory ------------------------------------------------------------------------------------------


def test_a_bus_in_memory_behaves_like_the_real_one() -> None:
    """Hooks run after every connection; a killed room's will is carried out, a leaver's is not; twice is once."""
    broker_ = MemoryBroker()
    ear, heard = broker_.bus("ear"), list[Any]()
    ear.subscribe("health/+", lambda topic, message: heard.append(message.status))
    ear.start()
    will = ("health/vision", Health(room="vision", status="offline"))
    room, hooked = broker_.bus("vision", will), list[int]()
    room.on_connect(lambda: hooked.append(1))
    room.start()
    room.start()
    room.pump()
    assert hooked == [1]
    room.drop()
    room.stop()
    room.publish("health/vision", Health(room="vision", status="online"))
    ear.pump()
    assert heard == ["offline"]
    plain = broker_.bus("display")
    plain.start()
    plain.drop()
    ear.pump()
    assert heard == ["offline"]


# settings, broker, plots -----------------------------------------------------------------------------------------


def test_what_a_setting_may_be_is_said_in_words() -> None:
    """Also for a kind we have no words for."""
    assert allowed(bool) == "allowed: true or false"
    assert allowed(dict[str, int]) == "see docs/settings.md"
    assert line_of("[web]\nport = 1\n[kitchen]\n", "", "kitchen") == 3
    assert line_of("a = 1\n", "web", "port") == 1


def test_a_machine_without_mosquitto_is_told_what_to_install(monkeypatch: pytest.MonkeyPatch) -> None:
    """The program or its plugin."""
    monkeypatch.setattr("shutil.which", lambda *what, **where: None)
    with pytest.raises(broker.BrokerMissingError, match="apt-get install"):
        broker.find_mosquitto()


def test_a_card_that_takes_no_broker_files_is_said(empty: Config, monkeypatch: pytest.MonkeyPatch) -> None:
    """Without files of an earlier start there is nothing to start with."""

    def shut(path: Path, data: bytes) -> None:
        raise OSError(errno.ENOSPC, "No space left on device")

    monkeypatch.setattr(broker, "write_private", shut)
    with pytest.raises(broker.BrokerFilesError, match="No space left"):
        broker.prepare(empty)


def a_play(game: str, chart: list[list[int]]) -> Play:
    """A finished game of ten minutes."""
    return Play("x", game, 0.0, 600.0, toy.pack.tally(toy.State(("A", "B"), points=(3, 1), ended=True)), chart)


def test_a_player_without_a_round_has_no_line_in_the_plot() -> None:
    """Nothing is drawn for them, nothing breaks."""
    assert plots.points_per_round(a_play("toy", [[1, 3], [0, 1]])).count("<polyline") == 2
    assert plots.points_per_round(a_play("toy", [[1, 3], []])).count("<polyline") == 1


def test_a_known_game_is_known_to_bg_stats_too() -> None:
    """By the number its pack says; the pad has none, and neither has a game that is installed no more."""
    assert play_in_words(a_play("praga", []))["game"]["bggId"] == 308765
    assert "bggId" not in play_in_words(a_play("gone", []))["game"]
    assert "bggId" not in play_in_words(a_play("scorepad", []))["game"]
