"""Play without sight: a program that hears only what the voice says, and has only the dial and its button, plays whole games.

The table, the voice's room, the bridge and its virtual pins are the real ones, on a corridor in memory and a clock that is moved
by hand; the program holds no other reference to them than its two hands and its ear.
"""

from __future__ import annotations

import random
import re
from pathlib import Path

import pytest

from companion.core.session import Session
from companion.wire.config import Config, DialConfig, TableConfig
from companion.wire.memory import MemoryBroker
from companion.wire.room import Room
from firmware_bridge.room import Bridge
from firmware_bridge.virtual import VirtualDial
from speech.room import Speaker
from tests.companion.desk import Desk
from tests.firmware_bridge.conftest import Clock
from tests.speech.test_room import Ear

DIAL = DialConfig(source="virtual", button_pin=22, browse=True, counts_per_revolution=96, virtual_pace=8.0)
STEP = 0.02


class Hands:
    """A dial, its button, and an ear. Everything the blind program knows of the table."""

    def __init__(self, desk: Desk, language: str = "en") -> None:
        self._desk, self._clock = desk, Clock()
        config = Config(table=TableConfig(id="table", language=language), dial=DIAL, state_dir=desk.directory)
        self._room = Room("firmware_bridge", config, desk.broker.bus("firmware_bridge"))
        self._room.bus.start()
        self._dial = VirtualDial(DIAL, clock=self._clock)
        self._bridge = Bridge(self._room, self._dial)
        self._dial.start()
        self._ear = Ear()
        self._bus = desk.broker.bus("speech")
        self._speaker = Speaker(self._bus, config, self._ear)
        self._bus.start()
        self._wait(0.2)

    def _wait(self, seconds: float) -> None:
        end = self._clock.now + seconds
        while self._clock.now < end:
            self._clock.sleep(STEP)
            self._bridge.step(self._clock.now)
            for bus in (self._bus, self._desk.core, self._bus):
                bus.pump()

    def _after(self, seconds: float) -> list[str]:
        before = len(self._ear.loud)
        self._wait(seconds)
        return [text.partition(": ")[2] for text in self._ear.loud[before:]]

    def turn(self) -> str:
        """One notch on; what was said then."""
        self._bridge.turn(1)
        return self._after(0.14)[-1]

    def press(self) -> list[str]:
        """All that was said after it."""
        self._dial.press()
        return self._after(0.3)

    def hold(self) -> list[str]:
        """All that was said after it."""
        self._dial.press(hold=True)
        return self._after(1.0)


ALWAYS = ("Take back:", "Put the game away", "How it stands", "The last moves", "Not possible:", "Our copy", "End, and")
FIELD = re.compile(r"^Die \d\. \d$")
WROTE = re.compile(r"(\S+): [^,]+, (\d+)$")
"""What the yacht game tells of a line written down."""


class BlindPlayer:
    """Takes what it hears, by chance; enters dice it has felt; never sees anything."""

    def __init__(self, hands: Hands, chance: random.Random) -> None:
        self.hands, self.chance = hands, chance
        self.points: dict[str, int] = {}
        self.moves = 0

    def begin(self, game: str) -> None:
        """Out of the lobby, by ear."""
        self.find(f"New game: {game}")
        self.listen(self.hands.press())

    def find(self, wanted: str) -> str:
        """Turn until the voice says it."""
        for _ in range(200):
            heard = self.hands.turn()
            if heard.startswith(wanted):
                return heard
        raise AssertionError(f"nobody ever said {wanted!r}")

    def listen(self, heard: list[str]) -> None:
        """Add up what is told to be won."""
        for text in heard:
            if wrote := WROTE.match(text):
                self.points[wrote[1]] = self.points.get(wrote[1], 0) + int(wrote[2])

    def choices(self) -> list[str]:
        """Once round: everything the voice reads out, until it begins again."""
        found: list[str] = []
        while not found or (heard := self.hands.turn()) != found[0]:
            found.append(heard if found else self.hands.turn())
        return found

    def take(self) -> bool:
        """One decision; `False` when the game is over."""
        found = self.choices()
        if any(text.startswith("Won by") for text in found):
            return False
        open_ = [at for at, text in enumerate(found) if not text.startswith(ALWAYS)]
        forms = [at for at in open_ if found[at].startswith("Fill in:")]
        plain = [at for at in open_ if at not in forms]
        at = self.chance.choice(plain or forms)
        for _ in range(at):
            self.hands.turn()
        heard = self.hands.press()
        if at in forms:
            heard = self.fill_in()
        elif heard and heard[-1].startswith("Press again"):
            heard = self.hands.press()
        self.listen(heard)
        self.moves += 1
        return True

    def fill_in(self) -> list[str]:
        """Dice felt with the fingers, one field after the other."""
        for field in self.choices():
            if FIELD.match(field):
                self.hands.press()
                for _ in range(self.chance.randrange(6)):
                    self.hands.turn()
                self.hands.press()
                self.hands.turn()
        return self.hands.press()


def totals(found: list[str]) -> dict[str, int]:
    """What was heard of everybody's points."""
    heard = (re.match(r"(\S+) has (\d+) points?$", text) for text in found)
    return {one[1]: int(one[2]) for one in heard if one}


@pytest.mark.parametrize("game", ["Yacht", "Skytopia"])
def test_a_whole_game_is_played_by_ear_and_hand_alone(tmp_path: Path, game: str) -> None:
    desk = Desk(tmp_path, MemoryBroker())
    desk.new("scorepad", "Ada", "Ben")  # who sat here last sits here again
    assert desk.admin("end game").ok
    player = BlindPlayer(Hands(desk), random.Random(7))
    player.begin(game)
    while player.take():
        assert player.moves < 2000
    heard = totals(player.choices())
    on_disk = Session.resume(desk.journal, desk.state.game_id)
    tally = on_disk.pack.tally(on_disk.state)
    assert on_disk.pack.over(on_disk.state)
    assert {row.sender for row in desk.journal.rows(desk.state.game_id)[1:]} <= {"speech", "companion"}
    assert heard == {one.name: one.total for one in tally.players}
    if game == "Yacht":
        assert player.points == heard, "the points told line by line add up to the points told at the end"
    player.find("End, and")
    player.hands.press()
    assert desk.table.session is None or desk.table.session.ended


def test_dice_of_yacht_are_kept_by_dial_alone(tmp_path: Path) -> None:
    """Each is kept or freed by a press, and only the others are entered after the next throw."""
    desk = Desk(tmp_path, MemoryBroker())
    desk.new("yacht", "Ada")
    assert desk.move(kind="throw", seat=0, dice=[2, 2, 5, 6, 6]).ok
    player = BlindPlayer(Hands(desk), random.Random(7))
    for wanted in ("Keep a 2", "Keep a 2", "Keep a 6", "Throw the 6 again"):
        player.find(wanted)
        player.hands.press()
    assert "Keep a 2" not in player.choices(), "both are kept"
    player.find("Fill in:")
    player.hands.press()
    assert [text for text in player.choices() if FIELD.match(text)] == ["Die 1. 1", "Die 2. 1", "Die 3. 1"]
    player.find("Enter the throw")
    player.hands.press()
    session = desk.table.session
    assert session is not None
    assert session.state.dice == (1, 1, 1, 2, 2)
