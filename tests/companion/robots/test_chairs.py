"""Robots at the table: they say what to move for them, and wait for hands."""

from __future__ import annotations

import random
import time
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest

from companion.core.session import Session
from companion.journal.store import JournalUnusableError
from companion.robots import LEVELS, mind
from companion.robots.chairs import ASKED
from companion.robots.thinking import Memory, turn
from companion.wire.words import LANGUAGES, Words
from tests.companion.desk import Desk
from tests.conftest import PATIENCE


@pytest.fixture
def desk(tmp_path: Path) -> Iterator[Desk]:
    desk = Desk(tmp_path)
    yield desk
    desk.table.robots.close()
    desk.journal.close()


def begin(desk: Desk, game: str, *levels: str, **options: Any) -> None:
    """A game with a person and a robot for each level."""
    seats = [{"name": "Ada"}, *({"name": f"R{i}", "bot": level} for i, level in enumerate(levels, 1))]
    assert desk.admin("new game", game=game, seats=seats, options={"depth": "full", **options}).ok


def until(desk: Desk, holds: Callable[[], Any], seconds: float = PATIENCE) -> None:
    """Let the table work until something holds."""
    end = time.monotonic() + seconds
    while not holds():
        assert time.monotonic() < end, desk.state.prompt
        desk.core.pump(0.02)
        desk.display.pump()


def asks(desk: Desk) -> bool:
    """A robot asks for hands."""
    return any(choice.id == "robot-done" for choice in desk.prompt.ask.choices)


def by_people(desk: Desk, chance: random.Random, enough: Callable[[], Any] = bool) -> None:
    """Whatever is people's to decide, until a robot asks, the game is over, or it is enough."""

    def settled() -> bool:
        return asks(desk) or desk.state.phase == "over" or desk.table.robots.thinker._waiting is None

    until(desk, settled)
    while not asks(desk) and desk.state.phase == "playing" and not enough():
        session = desk.table.session
        assert session is not None
        legal = session.pack.moves(session.state)
        robots = {seat.seat for seat in session.seats if seat.bot}
        own = [move for move in legal if getattr(move, "seat", None) not in robots]
        assert own, session.pack.ask(session.state)
        assert desk.move(**session.pack.encode(chance.choice(own))).ok
        until(desk, settled)


def test_a_robot_says_its_move_and_waits_for_hands(desk: Desk) -> None:
    begin(desk, "skytopia", "easy")
    chance = random.Random(4)
    by_people(desk, chance)
    seq, ask = desk.state.seq, desk.prompt.ask
    for language in LANGUAGES:
        said = Words(language, {0: "Ada", 1: "R1"}).say(ask.text)
        assert said
        assert "/" not in said
    assert ask.change
    assert desk.core.pump(0.3) == 0
    assert desk.state.seq == seq, "nothing counts before hands have moved it"
    assert desk.request(move={"kind": "@done"}, seq=seq).ok
    session = desk.table.session
    assert session is not None
    made = [done.row for done in session.done if done.row.seq >= seq]
    assert made
    assert {row.sender for row in made} == {"robots"}
    assert {row.cause for row in made} == {"bot"}
    assert {row.body["seat"] for row in made} == {1}


def test_a_robots_move_that_was_made_by_hand_or_seen_is_not_asked_for_again(desk: Desk) -> None:
    """The camera commits what it saw as people do: the rest of what the robot wanted stays."""
    begin(desk, "skytopia", "easy")
    chance = random.Random(4)
    while True:
        by_people(desk, chance)
        wanted = desk.table.robots.turn
        assert wanted is not None
        if len(wanted.moves) > 1:
            break
        assert desk.request(move={"kind": "@done"}, seq=desk.state.seq).ok
    assert desk.move(**wanted.moves[0]).ok
    after = desk.table.robots.turn
    assert after is not None
    assert after.moves == wanted.moves[1:]


def test_done_is_said_once_and_only_when_a_robot_asks(desk: Desk) -> None:
    begin(desk, "skytopia", "easy")
    early = desk.state.seq
    assert desk.request(move={"kind": "@done"}, seq=early).refusal.code == "table/moved-on"
    by_people(desk, random.Random(4))
    seq, phone = desk.state.seq, desk.sit(0)
    assert not desk.request(phone, move={"kind": "@done"}, seq=seq - 1).ok
    assert desk.request(phone, move={"kind": "@done"}, seq=seq).ok, "whoever moved the pieces says so"
    assert not desk.request(phone, move={"kind": "@done"}, seq=seq).ok


def test_a_choice_in_secret_is_the_robots_own_affair(desk: Desk) -> None:
    """Skyrise lets everybody choose a wonder in secret: nobody is asked to do that for a robot."""
    begin(desk, "skyrise", "easy", "easy")
    chance = random.Random(2)

    def chosen() -> list[Any]:
        session = desk.table.session
        assert session is not None
        return [d.row for d in session.done if d.row.body["kind"] == "choose" and d.row.sender == "robots"]

    while len(chosen()) < 2:
        by_people(desk, chance)
        if asks(desk):
            assert not desk.prompt.ask.waiting
            assert desk.request(move={"kind": "@done"}, seq=desk.state.seq).ok
    assert {row.body["seat"] for row in chosen()} == {1, 2}


def test_a_secret_choice_the_disk_refuses_is_kept_secret_and_made_again(
    desk: Desk, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Nothing else moves meanwhile; with room again the robot has chosen."""
    monkeypatch.setattr("companion.robots.chairs.AGAIN", 0.05)
    begin(desk, "skyrise", "easy")
    chance, play, full = random.Random(2), Session.play, []

    def refused(session: Session, move: Any, **more: Any) -> Any:
        if move["kind"] == "choose" and more["sender"] == "robots" and len(full) < 2:
            full.append(move)
            raise JournalUnusableError("no room") from OSError(28, "No space left on device")
        return play(session, move, **more)

    monkeypatch.setattr(Session, "play", refused)
    while not full:
        by_people(desk, chance, lambda: full)
        if asks(desk):
            assert desk.request(move={"kind": "@done"}, seq=desk.state.seq).ok
    desk.table.publish(())
    assert not asks(desk)
    until(
        desk,
        lambda: any(done.row.body["kind"] == "choose" for done in session_of(desk).done if done.row.sender == "robots"),
    )
    assert len(full) == 2


def session_of(desk: Desk) -> Session:
    """The game on the table."""
    assert desk.table.session is not None
    return desk.table.session


def test_a_mind_that_dies_costs_one_thought(desk: Desk) -> None:
    """It is started again for the next question; until then people choose for that chair, and the table says so."""
    begin(desk, "skytopia", "easy")
    chance, robots = random.Random(4), desk.table.robots
    by_people(desk, chance)
    assert robots.thinker._process is not None
    robots.thinker._process.kill()
    robots.thinker._process.wait()
    assert desk.request(move={"kind": "@done"}, seq=desk.state.seq).ok
    by_people(desk, chance)
    assert asks(desk) or any(notice.id == "robot-stuck" for notice in desk.state.notices)
    assert desk.request(undo=True, consent=True).ok
    until(desk, lambda: robots.thinker._waiting is None)
    assert desk.prompt.ask.choices


def test_a_mind_that_never_comes_back_is_given_up(desk: Desk, monkeypatch: pytest.MonkeyPatch) -> None:
    begin(desk, "skytopia", "easy")
    robots = desk.table.robots
    monkeypatch.setattr(robots.thinker, "_heard", lambda thought: None)
    chance = random.Random(4)
    session = desk.table.session
    assert session is not None
    while session.pack.ask(session.state).seat != 1:
        own = [move for move in session.pack.moves(session.state) if getattr(move, "seat", None) != 1]
        assert desk.move(**session.pack.encode(chance.choice(own))).ok
    assert desk.prompt.ask.text.key == "robot/thinks"
    assert desk.prompt.ask.choices == ()
    monkeypatch.setattr(time, "monotonic", lambda real=time.monotonic: real() + 60.0)
    robots.thinker.look_after()
    assert any(notice.id == "robot-stuck" for notice in desk.state.notices)
    assert desk.prompt.ask.choices, "people choose for it"


def test_a_robot_that_missed_its_time_is_asked_again(desk: Desk, monkeypatch: pytest.MonkeyPatch) -> None:
    """The machine had too much to do, not the mind: nobody has to move for it, and the warning goes when it has answered."""
    monkeypatch.setattr("companion.robots.chairs.AGAIN", 0.05)
    begin(desk, "skytopia", "easy")
    robots, missed = desk.table.robots, list[int]()
    ask = robots.thinker.ask

    def late(game: str, seq: int, chairs: dict[int, str], heard: Any, **more: Any) -> None:
        if missed.count(seq) < 2:
            missed.append(seq)
            desk.table.bus.call(lambda: heard(None))
        else:
            ask(game, seq, chairs, heard, **more)

    monkeypatch.setattr(robots.thinker, "ask", late)
    chance = random.Random(4)
    session = session_of(desk)
    while session.pack.ask(session.state).seat != 1:
        own = [move for move in session.pack.moves(session.state) if getattr(move, "seat", None) != 1]
        assert desk.move(**session.pack.encode(chance.choice(own))).ok
    until(desk, lambda: asks(desk))
    assert missed.count(desk.state.seq) == 2
    assert not any(notice.id == "robot-stuck" for notice in desk.state.notices)


def test_one_that_never_answers_is_asked_so_often_and_no_more(desk: Desk, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("companion.robots.chairs.AGAIN", 0.01)
    begin(desk, "skytopia", "easy")
    robots, asked = desk.table.robots, list[int]()

    def never(game: str, seq: int, chairs: dict[int, str], heard: Any, **more: Any) -> None:
        asked.append(seq)
        desk.table.bus.call(lambda: heard(None))

    monkeypatch.setattr(robots.thinker, "ask", never)
    chance = random.Random(4)
    session = session_of(desk)
    while session.pack.ask(session.state).seat != 1:
        own = [move for move in session.pack.moves(session.state) if getattr(move, "seat", None) != 1]
        assert desk.move(**session.pack.encode(chance.choice(own))).ok
    until(desk, lambda: asked.count(desk.state.seq) == ASKED)
    end = time.monotonic() + 0.3  # thirty times as long as it waits before it asks again
    while time.monotonic() < end:
        desk.core.pump(0.05)
    assert asked.count(desk.state.seq) == ASKED
    assert desk.prompt.ask.choices, "people choose for it"


def test_robots_sit_only_where_the_table_knows_every_move(desk: Desk) -> None:
    begin(desk, "skytopia", "easy", depth="light")
    assert [seat.bot for seat in desk.state.seats] == ["", ""]
    begin(desk, "scorepad", "hard")
    assert [seat.bot for seat in desk.state.seats] == ["", ""]
    seats = [{"name": "Ada"}, {"name": "R", "bot": "deep"}]
    assert desk.admin("new game", game="skytopia", seats=seats).refusal.code == "table/bad-request"


@pytest.mark.parametrize("game", ["skytopia", "praga", "skyrise"])
@pytest.mark.parametrize("level", LEVELS)
def test_every_level_says_moves_of_its_own_seat(desk: Desk, game: str, level: str) -> None:
    begin(desk, game, level, "easy")
    session, chance = desk.table.session, random.Random(1)
    assert session is not None
    pack, state, seen = session.pack.pack, session.state, 0
    for _ in range(400):
        if seen == 3:
            break
        owed = pack.deal(state)
        assert owed is None
        moves = turn(pack, state, 1, mind(level), chance)
        for plain in moves[:1]:
            assert plain["seat"] == 1
            seen += 1
        move = pack.decode(moves[0]) if moves else chance.choice(pack.moves(state))
        state = pack.play(state, move).state
    assert seen == 3


def test_a_mind_that_remembers_the_game_knows_what_one_that_reads_it_anew_knows(tmp_path: Path) -> None:
    """Moves and undos are followed; another name, a stopped clock or another game is read from the beginning."""
    desk, chance = Desk(tmp_path), random.Random(3)
    memory = Memory(desk.journal.directory)
    desk.new("skytopia", "Ada", "Ben", depth="full")
    session = desk.table.session
    assert session is not None
    for number in range(24):
        assert desk.move(**session.pack.encode(chance.choice(session.pack.moves(session.state)))).ok
        if number % 7 == 3:
            assert desk.request(move={}, undo=True, consent=True).ok
        if number == 12:
            assert desk.admin("clock", stopped=True).ok
        known, fresh = memory.session(session.game), Session.resume(desk.journal, session.game)
        assert (known.state, known.seq, len(known.done)) == (fresh.state, fresh.seq, len(fresh.done))
    desk.new("yacht", "Ada", "Ben")
    assert memory.session(desk.state.game_id).pack.id == "yacht"
    desk.journal.close()
