"""The log: every move in words, for everybody, also for whoever joins late; undo names what it takes back."""

from __future__ import annotations

import random
from pathlib import Path
from typing import Any

import pytest

from companion.core.log import LINES
from companion.core.session import Session
from companion.wire.game_log import LogLine, LogPage
from companion.wire.words import LANGUAGES, Words
from tests.companion.desk import Desk

NAMES = {0: "Ada", 1: "Ben"}


class Guest:
    """Somebody who hears the log from now on."""

    def __init__(self, desk: Desk) -> None:
        self.desk, self.bus = desk, desk.broker.bus("guest")
        self.pages: dict[int, LogPage] = {}
        self.heard = 0
        self.bus.subscribe("log/+", self._hear)
        self.bus.start()

    def _hear(self, topic: str, message: Any) -> None:
        self.heard += 1
        self.pages[message.page] = message

    def lines(self) -> list[LogLine]:
        self.desk.pump()
        while self.bus.pump():
            pass
        found: list[LogLine] = []
        for number in range(len(self.pages)):
            if self.pages[number].game != self.desk.state.game_id or not self.pages[number].lines:
                break
            found += self.pages[number].lines
        return found


@pytest.fixture
def desk(tmp_path: Path) -> Desk:
    return Desk(tmp_path)


def play(desk: Desk, moves: int, chance: random.Random) -> Session:
    session = desk.table.session
    assert session is not None
    for _ in range(moves):
        move = chance.choice(session.pack.moves(session.state))
        assert desk.move(**session.pack.encode(move)).ok
    return session


def test_who_joins_late_hears_every_move(desk: Desk) -> None:
    """And whoever was there is told one page a move, not all of it again."""
    desk.new("skytopia", "Ada", "Ben", depth="full")
    early = Guest(desk)
    session = play(desk, 60, random.Random(1))
    late = Guest(desk)
    rows = [done.row.seq for done in session.done]
    assert [line.seq for line in early.lines()] == rows
    assert [line.seq for line in late.lines()] == rows
    assert late.heard == len(rows) // LINES + 1
    assert early.heard <= 60 + len(rows) // LINES + 1
    for line in late.lines():
        assert line.ts > 0
        for language in LANGUAGES:
            said = [Words(language, NAMES).say(text) for text in line.said]
            assert said
            assert not [words for words in said if words.startswith("skytopia/")]


def test_undo_takes_the_line_away_and_names_it(desk: Desk) -> None:
    desk.new("skytopia", "Ada", "Ben", depth="full")
    session, guest = play(desk, LINES + 1, random.Random(1)), Guest(desk)
    assert len(guest.lines()) == LINES + 1
    last, words = session.done[-1], Words("en", NAMES)
    said = words.say(last.said[0])
    assert desk.state.undo is not None
    assert words.say(desk.state.undo.text).startswith(said)
    assert desk.request(undo=True, consent=True).ok
    assert len(guest.lines()) == LINES
    undone = [message for topic, message in desk.heard if topic == "event/undone"]
    assert words.say(undone[-1].text).startswith(f"Taken back: {said}")


def test_a_core_that_starts_again_tells_the_same_log(desk: Desk) -> None:
    desk.new("praga", "Ada", "Ben", depth="full")
    play(desk, 20, random.Random(3))
    before = Guest(desk).lines()
    desk.journal.close()
    again = Desk(desk.directory)
    assert Guest(again).lines() == before
    again.new("scorepad", "Ada", "Ben", rounds=2)
    assert Guest(again).lines() == []


@pytest.mark.parametrize("game", ["praga", "skyrise"])
def test_the_log_tells_no_secret(desk: Desk, game: str) -> None:
    """It says what events say to everybody anyway; a move without any is described where it has no secret to tell."""
    desk.new(game, "Ada", "Ben", depth="full")
    session = play(desk, 25, random.Random(2))
    told = [message.text for topic, message in desk.heard if topic.startswith("event/")]
    made = [session.pack.decode(done.row.body) for done in session.done]
    told += [session.pack.describe(move) for move in made if session.pack.redact(move) is None]
    told += [session.pack.describe(session.pack.decode(done.row.body)) for done in session.done]
    by_hand = {done.row.seq for done in session.done if done.row.sender == "display"}
    lines = [line for line in Guest(desk).lines() if line.seq in by_hand]
    assert lines
    assert [text for line in lines for text in line.said if text not in told] == []
