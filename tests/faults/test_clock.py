"""The clock jumps by a year, both ways, in mid-game: a Pi has none of its own, and the network sets it when it likes."""

from __future__ import annotations

import ast
import os
import signal
from collections.abc import Iterator
from pathlib import Path

import pytest

from companion.core.session import Session
from companion.journal.store import Journal
from companion.past.history import plays
from companion.wire.messages import SeatInfo, State
from tests.conftest import ROOT, Place, Run, until
from tests.journals import open_game
from tests.views import view_of

YEAR = 365 * 24 * 3600.0
SHIFTED = '''\
"""Every Python process of this table reads the wall clock through here; the offset lies in a file."""
import os, time

_time, _time_ns, _localtime, _gmtime, _strftime = time.time, time.time_ns, time.localtime, time.gmtime, time.strftime


def _offset():
    try:
        with open(os.environ["SHIFTED_CLOCK"]) as file:
            return float(file.read() or 0)
    except OSError:
        return 0.0


time.time = lambda: _time() + _offset()
time.time_ns = lambda: _time_ns() + int(_offset() * 1e9)
time.localtime = lambda when=None: _localtime(time.time() if when is None else when)
time.gmtime = lambda when=None: _gmtime(time.time() if when is None else when)
time.strftime = lambda form, when=None: _strftime(form, time.localtime() if when is None else when)
'''


class Clock:
    """The wall clock of a running table."""

    def __init__(self, run: Run, file: Path) -> None:
        self.run, self._file = run, file

    def shift(self, seconds: float) -> None:
        draft = self._file.with_suffix(".new")
        draft.write_text(str(seconds))
        draft.replace(self._file)


@pytest.fixture
def clock(place: Place) -> Iterator[Clock]:
    """A table with dial and core whose wall clock we set."""
    (place.root / "sitecustomize.py").write_text(SHIFTED)
    place.environment |= {
        "PYTHONPATH": str(place.root),
        "SHIFTED_CLOCK": str(place.root / "offset"),
        "TABLESIDE_DIAL_SOURCE": "virtual",
    }
    run = Run(place, "--without", "vision,display").start()
    try:
        yield Clock(run, place.root / "offset")
    finally:
        run.stop()


def test_a_year_forth_and_back_in_mid_game(clock: Clock) -> None:
    """Moves count, rooms stay, the core resumes the game begun last although its date is the oldest."""
    run = clock.run
    host = run.client("host")
    host.new_game("scorepad", ("Ada", "Ben"))
    rooms = run.children()
    points = 0
    stamps = []
    for offset in (0.0, YEAR, -YEAR, 0.0, -YEAR):
        clock.shift(offset)
        for number in range(2):
            points += host.insist(f"c{offset}-{points}-{number}", {"kind": "points", "seat": 0, "points": 1})
        state = host.until(lambda n=points: view_of(s := host.last(State))["players"][0]["points"] == n and s)
        stamps.append(state.ts)
    assert stamps[1] - stamps[0] > YEAR - 600, "the clock of the table really was set"
    assert stamps[2] - stamps[1] < -2 * YEAR + 600
    host.new_game("scorepad", ("Cleo", "Dan"))  # begun last, dated two years before the moves of the other
    assert run.children() == rooms, "nobody was started again"
    clock.shift(YEAR)
    os.kill(rooms["companion"], signal.SIGKILL)
    until(lambda: run.children().get("companion") not in (None, rooms["companion"]), 10)
    host.heard.clear()
    state = host.until(lambda: host.last(State), 20, "the state again")
    assert [seat.name for seat in state.seats] == ["Cleo", "Dan"]
    assert host.insist("after", {"kind": "points", "seat": 0, "points": 5}) == 1
    assert "Traceback" not in run.log.read_text()


def test_games_stand_in_the_order_they_were_begun(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Also in a journal that was damaged and rebuilt, and in one that an older version wrote."""
    now = 1_800_000_000.0
    monkeypatch.setattr("companion.journal.store.time.time", lambda: now)
    journal = Journal(tmp_path)
    for name, jump in (("b", 0.0), ("c", YEAR), ("a", -2 * YEAR)):
        now += jump
        journal.append(name, "new", {"pack": "scorepad"})
    assert [first.game for first, _ in journal.games()] == ["a", "c", "b"]
    assert open_game(journal) == "a"
    journal._db.execute("UPDATE rows SET body = '{}' WHERE game = 'b'")
    journal.close()
    rebuilt = Journal(tmp_path)
    assert rebuilt.damage is not None
    assert [first.game for first, _ in rebuilt.games() if first.game != "b"] == ["a", "c"]
    rebuilt._db.execute("DROP TABLE played")
    rebuilt.close()
    assert Journal.reading(tmp_path).games()[0][0].game == "c", "the clock is all it has"
    assert len(Journal(tmp_path).games()) == 3


@pytest.mark.parametrize("jump", [YEAR, -YEAR])
def test_a_game_lasted_as_long_as_it_was_played(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, jump: float) -> None:
    """The history shows no game of a year, nor one that ended before it began."""
    now = 1_800_000_000.0
    monkeypatch.setattr("companion.journal.store.time.time", lambda: now)
    journal = Journal(tmp_path)
    seats = (SeatInfo(seat=0, name="Ada"), SeatInfo(seat=1, name="Ben"))
    session = Session.start(journal, "scorepad", {"rounds": 1}, {}, seats)
    for seat in (0, 1):
        now += 300.0
        session.play({"kind": "points", "seat": seat, "points": 2}, sender="display", cause="touch")
        now += jump * (seat == 0)
    session.play({"kind": "end"}, sender="display", cause="touch")
    now += 300.0
    session.end(sender="display")
    (play,) = plays(journal)
    assert 5 <= play.minutes <= 16


FOR_PEOPLE = {
    "companion/machine/backup.py": "the date of a backup",
    "companion/wire/bus.py": "now(): for people, never for measuring",
    "companion/journal/store.py": "when a move was made",
    "companion/door/seats.py": "the date in an evening's name",
    "companion/core/session.py": "the date in a game's name",
    "companion/core/updates.py": "how long ago root's half of an update wrote: files are dated by it",
    "companion/core/care.py": "backups on a stick are named by the day they were made",
    "display/client.py": "how long somebody has taken since the journal's last row, whose time it is",
    "companion/virtual/folder.py": "how old a folder is that a demo left behind: files are dated by it",
    "vision/terminal/calibrate.py": "when the table was calibrated",
}
"""Who may read the wall clock, and what for."""
READS = {
    "time": 0,
    "time_ns": 0,
    "localtime": 0,
    "gmtime": 0,
    "ctime": 0,
    "strftime": 1,
    "now": 0,
    "utcnow": 0,
    "today": 0,
}
"""Calls that look at it when they get no more than so many arguments; with a moment given they only write it down."""


def _reads_the_wall(node: ast.AST) -> bool:
    if not isinstance(node, ast.Call) or not isinstance(node.func, ast.Attribute):
        return False
    module = getattr(node.func.value, "id", "")
    return module in ("time", "datetime", "date") and len(node.args) <= READS.get(node.func.attr, -1)


def test_nothing_else_looks_at_the_wall_clock() -> None:
    """Order, timeouts and settling are measured by clocks nobody sets; whoever reads the wall's is named here."""
    found = set()
    for package in ("companion", "firmware_bridge", "vision", "display"):
        for file in (ROOT / package).rglob("*.py"):
            name = file.relative_to(ROOT).as_posix()
            text = file.read_text()
            if "time" not in text or name.startswith(("vision/training", "companion/phone/node_modules")):
                continue
            if any(_reads_the_wall(node) for node in ast.walk(ast.parse(text))):
                found.add(name)
    assert found <= set(FOR_PEOPLE), f"by the wall clock: {found - set(FOR_PEOPLE)}"
