"""How long everybody took: from the rows of the journal alone, with pauses, nights and undone moves."""

from __future__ import annotations

from pathlib import Path

import pytest

from companion.core.session import Session
from companion.core.stopwatch import Stopwatch, by_round, clock_row
from companion.journal.rows import Kind, Row
from companion.journal.store import Journal
from companion.past import history, plots
from tests.companion.desk import Desk


def row(seq: int, kind: Kind, ts: float, **body: object) -> Row:
    return Row("g", seq, kind, dict(body), ts=ts)


ROWS = [
    row(0, "new", 100.0),
    row(1, "move", 110.0, seat=0),
    row(2, "move", 130.0, seat=1),
    row(3, "resume", 135.0, **clock_row(stopped=True)),
    row(4, "move", 935.0, seat=0),  # the clock was stopped: whoever moves then lets it run
    row(5, "undo", 940.0),
    row(6, "end", 945.0),
    row(7, "resume", 50_000.0),  # put away overnight
    row(8, "move", 50_030.0, seat=1),
    row(9, "move", 60_000.0, seat=0),  # nobody thinks for three hours
    row(10, "move", 59_000.0, seat=0),  # the machine's clock was set
    row(11, "move", 59_007.0, seat=9),
]


def test_the_time_before_a_move_is_its_players() -> None:
    watch = Stopwatch(ROWS[0], 2)
    for one in ROWS[1:]:
        watch.row(one)
    assert watch.spent == [10.0, 50.0]
    assert watch.table == 5.0 + 5.0 + 5.0 + 7.0, "stopping, undoing, putting away and what has no seat are the table's"
    assert watch.told().since == 59_007.0


def test_rounds_share_the_same_time() -> None:
    assert by_round(ROWS, [(1, 1), (4, 2), (8, 3)], 2) == [[10.0, 20.0], [0.0, 0.0], [0.0, 30.0]]
    assert by_round(ROWS[:1], [], 2) == []


def test_it_is_stopped_on_the_screen_and_survives_a_restart(tmp_path: Path) -> None:
    """No prompt is answered too late for it, and the game's own moves are as they were."""
    desk = Desk(tmp_path)
    desk.new("yacht", "Ada", "Ben")
    before = desk.state
    assert before.clock is not None
    assert not before.clock.stopped
    assert desk.admin("clock", stopped=True).ok
    assert desk.admin("clock", stopped=True).ok, "twice is once"
    assert desk.state.clock is not None
    assert desk.state.clock.stopped
    assert desk.state.seq == before.seq + 1
    again = Session.resume(desk.journal, desk.state.game_id)
    assert again.clock.stopped
    assert not again.ended
    throw = {"kind": "throw", "seat": 0, "dice": [1, 2, 3, 4, 5]}
    assert desk.request(move=throw, seq=before.seq).ok, "the prompt is still the one that was asked"
    assert not desk.state.clock.stopped
    assert desk.admin("clock", stopped=False).ok
    desk.admin("end game")
    assert not desk.admin("clock", stopped=True).ok


@pytest.fixture
def journal(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Journal:
    """A yacht game of two in which Ada takes ten seconds for everything and Ben twenty."""
    desk, now = Desk(tmp_path), [1000.0]
    monkeypatch.setattr("companion.journal.store.time.time", lambda: now[0])
    desk.new("yacht", "Ada", "Ben")
    session = desk.table.session
    assert session is not None
    while not session.pack.over(session.state):
        assert session.pack.id == "yacht"
        now[0] += 20 if session.state.turn == 1 else 10
        move = {"kind": "throw", "seat": session.state.turn, "dice": [1, 2, 3, 4, 5]}
        if session.state.dice:
            move = {"kind": "write", "seat": session.state.turn, "category": next(iter(session.state.worth))}
        assert desk.move(**move).ok
    assert desk.admin("end game").ok
    return desk.journal


def test_history_exports_and_plots_know_it(journal: Journal, tmp_path: Path) -> None:
    play = history.plays(journal)[0]
    assert [round(ben / ada) for ada, ben in [play.spent]] == [2]
    told = history.to_json([play], journal)[0]["statistics"]["seconds"]
    assert [sum(line[seat] for line in told) for seat in (0, 1)] == play.spent
    drawn = {path.name: path.read_text() for path in plots.write_plots([play], tmp_path / "plots", journal)}
    assert "minutes per round" in drawn[f"{play.id}-time.svg"]
    rows = history.to_statistics_csv([play], journal)
    assert ",seconds,1," in rows
