"""A game is begun or taken up while another is on the table: a power cut leaves one of them open, never both, never none."""

from __future__ import annotations

import errno
import sqlite3
from pathlib import Path

import pytest

from companion.core.session import Session
from companion.journal.store import Journal
from companion.wire.messages import SeatInfo
from tests.companion.desk import Desk
from tests.faults.images import recorded

SEATS = (SeatInfo(seat=0, name="Ada"), SeatInfo(seat=1, name="Ben"))


def _open(journal: Journal) -> list[str]:
    return [first.game for first, end in journal.games() if end is None]


def _played(desk: Desk, points: int) -> str:
    """A score pad with one line, and its name."""
    desk.new("scorepad", "Ada", "Ben")
    assert desk.move(kind="score", values={"p0": points, "p1": 0}).ok
    return desk.state.game_id


def test_a_cut_at_any_point_of_a_new_game_leaves_the_old_one_or_the_new_one_open(tmp_path: Path) -> None:
    """Every step on the way, and bytes in between: one game is open, it can be played on, nothing is called damage."""
    desk = Desk(tmp_path / "table")
    old = _played(desk, 7)
    with recorded(desk.journal, tmp_path / "images") as images:
        desk.new("scorepad", "Ola", "Jan")
    new = desk.state.game_id
    outcomes = set()
    for image in images:
        again = Desk(image)
        assert again.journal.damage is None, image
        (game,) = _open(again.journal)
        outcomes.add(game)
        assert again.state.game_id == game
        assert again.move(kind="score", values={"p0": 1, "p1": 3}).ok
        copies = [path.name for path in again.journal.directory.glob("open-*")]
        assert copies == [f"open-{game}.jsonl"], image
        assert len((again.journal.directory / copies[0]).read_bytes().splitlines()) == again.state.seq
        again.journal.close()
    assert outcomes == {old, new}
    assert len(images) > 6


def test_a_cut_at_any_point_of_taking_another_game_up_leaves_one_of_the_two_open(tmp_path: Path) -> None:
    """The same when a game that was put away comes back."""
    desk = Desk(tmp_path / "table")
    points = {_played(desk, 1): 1, _played(desk, 2): 2}
    away, on_the_table = points
    with recorded(desk.journal, tmp_path / "images") as images:
        assert desk.admin("resume", game=away).ok
    outcomes = set()
    for image in images:
        again = Desk(image)
        assert again.journal.damage is None
        (game,) = _open(again.journal)
        outcomes.add(game)
        assert again.points() == [points[game], 0]
        again.journal.close()
    assert outcomes == {away, on_the_table}


def test_a_disk_that_refuses_the_new_game_leaves_the_old_one_as_it_was(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Full where the copy is written, or full where the rows are."""
    desk = Desk(tmp_path)
    desk.new("scorepad", "Ada", "Ben")
    game = desk.state.game_id

    def full(*words: object, **more: object) -> None:
        raise OSError(errno.ENOSPC, "No space left on device")

    def no_page(*words: object) -> None:
        raise sqlite3.OperationalError("database or disk is full")

    for where, refuses in (
        ("companion.journal.spare_copy.Spare.draft", full),
        ("companion.journal.ledger.insert", no_page),
    ):
        with monkeypatch.context() as patch:
            patch.setattr(where, refuses)
            seats = [{"name": "Ola"}, {"name": "Jan"}]
            assert not desk.admin("new game", game="scorepad", seats=seats).ok
        assert desk.move(kind="score", values={"p0": 7, "p1": 2}).ok
        assert _open(desk.journal) == [game]
        assert [path.name for path in desk.journal.directory.glob("open-*")] == [f"open-{game}.jsonl"]
    again = Desk(tmp_path)
    assert again.state.game_id == game
    assert again.journal.damage is None


def test_a_game_that_an_earlier_version_lost_sight_of_is_offered_again(tmp_path: Path) -> None:
    """Its table began the next game, and the power went before the row that should have put it away."""
    journal = Journal(tmp_path / "games")
    lost, newer = (Session.start(journal, "scorepad", {}, {}, SEATS) for _ in range(2))
    for session in (lost, newer):
        session.play({"kind": "points", "seat": 0, "points": 7}, sender="display", cause="touch")
    journal.close()
    desk = Desk(tmp_path)
    assert desk.state.game_id == newer.game
    assert desk.admin("end game").ok
    assert {one.id for one in desk.state.lobby.paused} == {lost.game, newer.game}
    assert desk.admin("resume", game=lost.game).ok
    assert desk.state.game_id == lost.game
    assert not desk.admin("resume", game=lost.game).ok, "it is on the table already"
    assert desk.admin("resume", game=newer.game).ok
    assert _open(desk.journal) == [newer.game]
