"""A bot sits at a real table: it decides, says what to move, and the pieces are people's to move."""

from __future__ import annotations

import random
from pathlib import Path

import pytest

from companion.bots import bot
from companion.bots.chair import Chair, NoTableError, keep_seat
from companion.core.session import Session
from companion.game import Text
from companion.journal.store import Journal
from companion.wire.config import BrokerConfig, Config
from companion.wire.words import LANGUAGES, Words
from tests.companion.desk import Desk
from tests.conftest import Run


class Guest:
    """A bot at the desk's table."""

    def __init__(self, desk: Desk, seat: int, name: str = "greedy") -> None:
        self.client = desk.sit(seat)
        self.bus = desk.broker.bus(self.client)
        self.told: list[Text] = []
        games = desk.directory / "games"
        self.chair = Chair(
            self.bus,
            self.client,
            lambda game: Session.resume(Journal.reading(games), game),
            seat,
            bot(name),
            self.told.append,
            random.Random(4),
        )
        self.bus.start()

    def act(self, desk: Desk) -> bool:
        """It looks up; did it do anything?"""
        desk.pump()
        while self.bus.pump():
            pass
        did = self.chair.decide()
        desk.pump()
        while self.bus.pump():
            pass
        return did


@pytest.fixture
def desk(tmp_path: Path) -> Desk:
    return Desk(tmp_path)


def test_a_bot_plays_its_seat_and_leaves_everything_else_to_people(desk: Desk) -> None:
    """A whole turn of both: the bot decides only when it is asked, and says each of its moves in words."""
    desk.new("skytopia", "Ada", "Bot", depth="full")
    guest, chance, people, bots = Guest(desk, 1), random.Random(2), 0, 0
    while desk.table.session.state.round < 4:
        session = desk.table.session
        asked = session.pack.ask(session.state).seat
        if guest.act(desk):
            assert asked == 1
            assert session.done[-1].row.sender == guest.client
            assert session.done[-1].seat == 1
            bots += 1
        else:
            move = chance.choice(session.pack.moves(session.state))
            assert asked != 1 or getattr(move, "seat", None) != 1, "it must not stand idle when it is asked"
            assert desk.move(**session.pack.encode(move)).ok
            people += 1
    assert bots == len(guest.told) > 6
    assert people > 10
    for language in LANGUAGES:
        for text in guest.told:
            sentence = Words(language, {0: "Ada", 1: "Bot"}).say(text)
            assert len(sentence) > 3
            assert "skytopia/" not in sentence


def test_what_a_bot_decided_is_for_people_to_move_and_for_the_camera_to_check(desk: Desk) -> None:
    """After its assignment the table expects the golem there, while it still lies in the reserve."""
    desk.new("skytopia", "Ada", "Bot", depth="full")
    guest, chance = Guest(desk, 1), random.Random(2)
    for _ in range(200):
        session = desk.table.session
        if (
            session.done
            and session.done[-1].row.sender == guest.client
            and session.done[-1].row.body["kind"] == "place"
        ):
            break
        if not guest.act(desk):
            assert desk.move(**session.pack.encode(chance.choice(session.pack.moves(session.state)))).ok
    done = desk.table.session.done[-1].row.body
    (slot,) = [
        slot for slot in desk.table.session.pack.expect(desk.table.session.state).slots if slot.slot == done["slot"]
    ]
    assert (1, done["face"]) in [(die.owner, die.face) for die in slot.dice]
    assert guest.told[-1].key == "skytopia/describe/place"


def test_a_bot_answers_once_and_only_the_row_it_saw(desk: Desk) -> None:
    """Asked again for the same row it is silent; what moved on in between is not answered with yesterday's thought."""
    desk.new("skytopia", "Bot", "Ben", depth="full")
    guest = Guest(desk, 0, "random")
    while desk.table.session.pack.ask(desk.table.session.state).seat != 0:
        session = desk.table.session
        assert desk.move(**session.pack.encode(session.pack.moves(session.state)[0])).ok
    desk.pump()
    while guest.bus.pump():
        pass
    assert guest.chair.my_turn()
    assert desk.request(undo=True, consent=True).ok
    assert not guest.chair.decide(), "the journal is a row further than the prompt it heard"
    assert not guest.told


def test_a_bot_keeps_to_its_own_seat_where_all_decide_at_once(desk: Desk) -> None:
    """Skyrise: everybody chooses wonders at the same time; the bot chooses its own and no other's."""
    desk.new("skyrise", "Ada", "Bot", "Cy", deal="digital")
    guest, chance, chosen = Guest(desk, 1, "random"), random.Random(5), 0
    for _ in range(400):
        session = desk.table.session
        if session.state.era == 2:
            break
        if guest.act(desk):
            assert session.done[-1].seat == 1
            chosen += session.done[-1].row.body["kind"] == "choose"
        else:
            others = [m for m in session.pack.moves(session.state) if getattr(m, "seat", None) != 1]
            assert desk.move(**session.pack.encode(chance.choice(others))).ok
    assert chosen == 1


def test_without_a_table_there_is_no_chair(tmp_path: Path) -> None:
    """One line says what to do."""
    config = Config(state_dir=tmp_path, broker=BrokerConfig(port=9))
    with pytest.raises(NoTableError, match="tableside run"):
        keep_seat(config, 1, "greedy", 0, "en", print)


def test_a_chair_that_cannot_be_taken_is_counted_as_people_count(table: Run) -> None:
    """Nobody has begun a game: the third chair is called the third, without a word of the web's."""
    with pytest.raises(NoTableError, match="chair 3 cannot be taken") as refused:
        keep_seat(table.place.config(), 2, "greedy", 0, "en", print)
    assert "HTTP" not in str(refused.value)
