"""A bot on a chair of a real table: it decides for its seat, the table is told, and people move the pieces for it.

It sits down with a join code like a phone and may do no more than one. The position it thinks about comes from the journal
beside the running core. What belongs to the table (a card turned up, the dial) stays with people; so does everything the
camera then checks.
"""

from __future__ import annotations

import itertools
import random
import time
from collections.abc import Callable
from contextlib import closing
from typing import Any

from companion.bots import Bot, bot, tell
from companion.core.session import Session
from companion.game import Text
from companion.journal.store import Journal
from companion.machine.broker import answers
from companion.virtual.seat import CannotJoinError, Voice, join
from companion.wire.bus import Bus
from companion.wire.config import Config
from companion.wire.messages import MoveRequest, State
from companion.wire.room import connection
from companion.wire.words import Words


class Chair:
    """One seat played by a bot."""

    def __init__(
        self,
        bus: Bus,
        client: str,
        recall: Callable[[str], Session],
        seat: int,
        bot: Bot,
        say: Callable[[Text], None],
        chance: random.Random,
    ) -> None:
        self.bus, self.client, self.recall = bus, client, recall
        self.seat, self.bot, self.say, self.chance = seat, bot, say, chance
        self.state: State | None = None
        self._answered: tuple[str, int] | None = None
        self._sent = itertools.count(1)
        self._word = f"{chance.getrandbits(40):x}"
        bus.subscribe("state", self._stands)
        bus.subscribe(f"answer/{client}", self._heard)

    @property
    def over(self) -> bool:
        """The game has ended."""
        return self.state is not None and self.state.phase == "over"

    def _stands(self, topic: str, message: Any) -> None:
        self.state = message

    def _heard(self, topic: str, message: Any) -> None:
        if not message.ok and message.id.startswith(self._word) and message.refusal is not None:
            self.say(message.refusal.say)

    def my_turn(self) -> bool:
        """Something is asked of this seat that it has not answered yet, and the table has no doubt to settle first."""
        state = self.state
        if state is None or state.prompt is None or state.prompt.question is not None or self.over:
            return False
        ask = state.prompt.ask
        return (ask.seat == self.seat or self.seat in ask.waiting) and self._answered != (state.game_id, state.seq)

    def decide(self) -> bool:
        """Answer what is asked of this seat, once for each row of the game; says what people must do."""
        state = self.state
        if state is None or not self.my_turn():
            return False
        session = self.recall(state.game_id)
        if session.seq != state.seq:
            return False  # the game has moved on: another state is on its way
        self._answered = (state.game_id, state.seq)
        move = self._choice(session)
        if move is None:
            return False
        told = tell(session.pack, move)
        if told is not None:
            self.say(told)
        plain, name = session.pack.encode(move), f"{self._word}-{next(self._sent)}"
        request = MoveRequest(id=name, move=plain, cause="phone", game=state.game_id, seq=state.seq)
        self.bus.publish(f"move/{self.client}", request)
        return True

    def _choice(self, session: Session) -> Any:
        """The bot's move; where several seats decide at once, one of its own."""
        own = [move for move in session.pack.moves(session.state) if getattr(move, "seat", None) == self.seat]
        if not own:
            return None
        move = self.bot.choose(session.pack, session.state, self.chance)
        return move if move in own else self.chance.choice(own)


PATIENCE = 15.0
"""Seconds to wait for the table's code."""


class NoTableError(Exception):
    """There is no table to sit down at; the message says what to do."""


def keep_seat(config: Config, seat: int, bot_name: str, pace: float, language: str, out: Callable[[str], None]) -> None:
    """Sit at the table that runs on this machine until its game is over; each decision is said in words."""
    voice = _sit_down(config, seat, bot_name)
    bus, names = voice.bus, dict[int, str]()
    bus.subscribe("state", lambda _, state: names.update({one.seat: one.name for one in state.seats}))

    def say(text: Text) -> None:
        out(Words(language, names).say(text))

    def recall(game: str) -> Session:
        with closing(Journal.reading(config.state_dir / "games")) as journal:
            return Session.resume(journal, game)

    chair = Chair(bus, voice.client, recall, seat, bot(bot_name), say, random.Random())
    rested = time.monotonic()
    try:
        while not chair.over:
            bus.pump(0.1)
            if chair.my_turn() and time.monotonic() >= rested:
                chair.decide()
                rested = time.monotonic() + pace
    finally:
        bus.stop()


def _sit_down(config: Config, seat: int, name: str) -> Voice:
    """The code the screen shows, exchanged for a chair as any phone does it."""
    if not answers(config.broker.host, config.broker.port, tls=config.broker.tls):
        raise NoTableError("no table runs here; start one with `tableside run`")
    host, codes = connection(config, "host"), list[str]()
    host.subscribe("join", lambda _, shown: codes.append(shown.code))
    host.start()
    until = time.monotonic() + PATIENCE
    while not codes and time.monotonic() < until:
        host.pump(0.1)
    host.stop()
    try:
        return join(config, codes[-1] if codes else "", seat, name)
    except CannotJoinError as wrong:
        raise NoTableError(
            f"chair {seat + 1} cannot be taken: somebody sits there, or no game with that chair is on the table"
        ) from wrong
