"""Whole games by ear and hand alone over the real line: core and broker in processes of their own, voice and bridge at it.

As `tests/speech/test_blind.py` has it on a corridor in memory; here every click, sentence and move travels through Mosquitto with
the rights of its room. The dial's own clock is moved by hand, so that holding a button costs no time.
"""

from __future__ import annotations

import random
import re
import time
from typing import Any

import pytest

from companion.core.session import Session
from companion.journal.store import Journal
from companion.wire.messages import Admin, Answer
from companion.wire.room import Room
from firmware_bridge.room import Bridge
from firmware_bridge.virtual import VirtualDial
from speech.room import Speaker
from tests.conftest import PATIENCE, Client, Place, Run
from tests.firmware_bridge.conftest import Clock
from tests.speech.test_blind import ALWAYS, DIAL, BlindPlayer, Ear, totals

STEP = 0.02
DICE = ("Keep a", "Throw the")
"""One may change one's mind about a die for ever; somebody who wants to get on does not."""
TOTAL = re.compile(r"\S+ has \d+ points?$")


class FarHands:
    """A dial, its button and an ear at the end of a line."""

    def __init__(self, run: Run) -> None:
        run.place.environment |= {"TABLESIDE_DIAL_BROWSE": "true"}
        config = run.place.config()
        config = type(config)(table=config.table, broker=config.broker, dial=DIAL, state_dir=config.state_dir)
        lines = {room: Client.room(config, room) for room in ("firmware_bridge", "speech")}
        run.clients += lines.values()
        self._buses = [line.bus for line in lines.values()]
        self._clock, self._ear = Clock(), Ear()
        self._dial = VirtualDial(DIAL, clock=self._clock)
        self._bridge = Bridge(Room("firmware_bridge", config, self._buses[0]), self._dial)
        self._speaker = Speaker(self._buses[1], config, self._ear)
        for bus in self._buses:
            bus.start()
        self._dial.start()
        self._until_heard(0)

    def _pass(self) -> None:
        self._clock.sleep(STEP)
        self._bridge.step(self._clock.now)
        for bus in self._buses:
            bus.pump(0.002)

    def _until_heard(self, before: int) -> None:
        end = time.monotonic() + PATIENCE
        while len(self._ear.loud) <= before:
            assert time.monotonic() < end, "nothing was said"
            self._pass()

    def _after(self, moves: float) -> list[str]:
        """What was said since: at least one sentence, then what follows within so much of the dial's own time."""
        before = len(self._ear.loud)
        self._until_heard(before)
        end = self._clock.now + moves
        while self._clock.now < end:
            self._pass()
        return [text.partition(": ")[2] for text in self._ear.loud[before:]]

    def turn(self) -> str:
        """One notch on; what was said then."""
        self._bridge.turn(1)
        return self._after(0.06)[-1]

    def press(self) -> list[str]:
        """All that was said after it."""
        self._dial.press()
        return self._after(0.3)


class Decided(BlindPlayer):
    """Takes what it hears first, or a notch or two further: it need not hear everything to play."""

    def take(self) -> bool:
        """One decision; `False` when the game is over."""
        heard = self.hands.turn()
        for _ in range(self.chance.randrange(3)):
            heard = self.hands.turn()
        while heard.startswith(ALWAYS) or (heard.startswith(DICE) and self.chance.random() < 0.7):
            heard = self.hands.turn()
        if heard.startswith("Won by") or TOTAL.match(heard):
            return False
        said = self.hands.press()
        if heard.startswith("Fill in:"):
            said = self.fill_in()
        elif said and said[-1].startswith("Press again"):
            said = self.hands.press()
        self.listen(said)
        self.moves += 1
        return True


def order(host: Client, command: Any, **args: Any) -> Answer:
    name = f"o{next(host.numbers)}"
    return host.ask("admin", Admin(id=name, client="display", command=command, args=args))


@pytest.mark.parametrize(
    ("game", "names"),
    [
        pytest.param("Yacht", ("Ada",), marks=pytest.mark.long(14)),
        pytest.param("Skytopia", ("Ada", "Ben"), marks=pytest.mark.long(14)),
    ],
)
def test_a_whole_game_is_played_by_ear_over_the_real_line(place: Place, game: str, names: tuple[str, ...]) -> None:
    """The voice tells at the end what the journal's own tally says."""
    run = Run(place, "--without", "display,vision,firmware_bridge,speech").start()
    try:
        host = run.client()
        seats = [{"name": name} for name in names]
        assert order(host, "new game", game="scorepad", seats=seats).ok  # who sat here last sits here again
        assert order(host, "end game").ok
        player = Decided(FarHands(run), random.Random(7))  # type: ignore[arg-type]
        player.begin(game)
        while player.take():
            assert player.moves < 2000
        heard = totals(player.choices())
    finally:
        assert run.stop() == 0
    journal = Journal.reading(place.config().state_dir / "games")
    (played,) = [first.game for first, _ in journal.games() if first.body["pack"] == game.lower()]
    session = Session.resume(journal, played)
    assert session.pack.over(session.state)
    assert heard == {one.name: one.total for one in session.pack.tally(session.state).players}
    assert {row.sender for row in journal.rows(played)[1:]} <= {"speech", "companion"}
    if game == "Yacht":
        assert player.points == heard, "the points told line by line add up to the points told at the end"
    journal.close()
