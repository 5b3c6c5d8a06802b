"""Newcomer D8: a game of four by the screen alone; secrets of who has no phone are read behind the curtain, by nobody else."""

from __future__ import annotations

import os
import random
from collections.abc import Iterator
from pathlib import Path
from typing import Any

os.environ.setdefault("SDL_VIDEODRIVER", "dummy")
os.environ.setdefault("PYGAME_HIDE_SUPPORT_PROMPT", "1")

import msgspec
import pygame
import pytest

from companion.core.chance import dealt_by
from companion.core.table import Table
from companion.game import Ask
from companion.games.skyrise.wonders import WONDERS
from companion.journal.store import Journal
from companion.shown.skyrise import FACTIONS, SkyriseView
from companion.wire.config import CameraConfig, Config, DialConfig, DisplayConfig, TableConfig
from companion.wire.memory import MemoryBroker
from companion.wire.messages import Admin, Answer, State
from companion.wire.topics import encode
from display.client import HELD, Client
from display.paint.sprite import drawing
from display.screen import Screen

NAMES = ("Magda", "Tomek", "Iris", "Sam")
MOST = 130
"""Touches of a game of four (issue: quick auctions)."""


@pytest.fixture(autouse=True)
def _only_places() -> Iterator[None]:
    """Where things are counts here, not how they look."""
    pygame.display.init()
    pygame.font.init()
    before, drawing["on"] = drawing["on"], False
    yield
    drawing["on"] = before


class House:
    """A core and a screen on one bus in memory, a finger on the screen, and an ear for all that is said in public."""

    def __init__(self, folder: Path, seed: int) -> None:
        self.broker = MemoryBroker()
        self.core = self.broker.bus("companion")
        shown = DisplayConfig(width=1280, height=720, welcomed=True)
        rooms = {"camera": CameraConfig(source="virtual"), "dial": DialConfig(source="virtual")}
        config = Config(table=TableConfig(id="table"), display=shown, state_dir=folder, **rooms)
        self.table = Table(config, self.core, Journal(folder / "games"))
        self.public: list[bytes] = []
        self.ear = self.broker.bus("vision")
        for topic in ("state", "event/+", "lamp", "seat/+/private"):
            self.ear.subscribe(topic, lambda name, message: self.public.append(_plain(name, message)))
        bus = self.broker.bus("display")
        for one in (self.core, self.ear, bus):
            one.start()
        self.bus, self.client = bus, Client(bus, config)
        self.screen = Screen(pygame.display.set_mode((1280, 720)), self.client, config.display)
        self.table.publish(())
        self.now, self.touches, self.seed, self.chance = 100.0, 0, seed, random.Random(seed)
        self.curtains: list[str] = []
        """What the screen showed while the curtain was closed."""

    def pass_time(self, seconds: float = 0.03) -> None:
        self.now += seconds
        while self.core.pump() + self.bus.pump() + self.ear.pump():
            pass
        self.screen.step(self.now)

    def start(self, **options: Any) -> None:
        """Four players sit down without a phone."""
        seats = [{"name": name} for name in NAMES]
        args = {"game": "skyrise", "seats": seats, "options": {"deal": "digital", "auction": "quick", **options}}
        self.bus.publish("admin", Admin(id="new", client="display", command="new game", args=args))
        with dealt_by(random.Random(self.seed)):
            self.pass_time()

    @property
    def state(self) -> State:
        assert self.client.view.state is not None
        return self.client.view.state

    @property
    def ask(self) -> Ask:
        assert self.state.prompt is not None
        return self.state.prompt.ask

    def _at(self, name: str) -> tuple[int, int]:
        touch = next((t for t in self.screen.page.touches() if t.id == name), None)
        assert touch is not None, (name, [t.id for t in self.screen.page.touches()])
        return touch.box[0] + touch.box[2] // 2, touch.box[1] + touch.box[3] // 2

    def can(self, name: str) -> bool:
        return any(t.id == name for t in self.screen.page.touches())

    def tap(self, name: str) -> None:
        """One touch."""
        at = self._at(name)
        self.touches += 1
        self.screen.press(at, self.now)
        self.screen.release(at)
        self.pass_time()

    def pull(self, name: str, target: str) -> None:
        """One touch as well: put down on one thing, let go on another."""
        start, end = self._at(name), self._at(target)
        self.touches += 1
        self.screen.press(start, self.now)
        self.screen._slide(end)
        self.pass_time()
        self.screen.release(end)
        self.pass_time()

    def step(self) -> None:
        """Answer what is asked, by chance among what everybody may know."""
        match self.ask.phase:
            case "lay":
                self.tap("form-send")
            case "quick":
                legal = self.client.view.shown(SkyriseView).auction.legal
                piece = self.chance.choice(sorted(legal))
                self.pull(f"piece {piece}", f"site {self.chance.choice(legal[piece])}")
            case "choose":
                for seat in self.ask.waiting:
                    self.choose(seat)
            case _:
                self.pick(self.chance.choice([one.id for one in self.ask.choices if one.off is None]))

    def pick(self, name: str) -> None:
        """A choice, where needed behind "more"."""
        if not self.can(name):
            self.tap("more")
        self.tap(name)

    def choose(self, seat: int) -> None:
        """One player takes the screen: the curtain, a touch, a card; it is closed again by itself."""
        self.tap(f"hand-{seat}")
        self.curtains.append(repr([label.text for label in self.screen.page.labels()]))
        self.tap("curtain-open")
        secret = [t.id for t in self.screen.page.touches() if t.id.startswith("secret ")]
        assert len(secret) == 3, "the hand lies open"
        self.tap(secret[0])
        assert self.client.view.pick("scene") is None
        assert self.client.view.told.hand is None, "nothing is kept of it"

    def play(self) -> None:
        for _ in range(400):
            if self.state.phase == "over":
                return
            self.step()
        raise AssertionError("the game does not end")


def _plain(topic: str, message: Any) -> bytes:
    """A message without what differs from one evening to the next."""
    if isinstance(message, State):
        message = msgspec.structs.replace(message, ts=0.0, game_id="", notices=(), clock=None)
    elif hasattr(message, "ts"):
        message = msgspec.structs.replace(message, ts=0.0)
    return topic.encode() + b" " + encode(message)


def with_other_secrets(house: House, seat: int) -> None:
    """The same evening in which one player was dealt another objective, and other cards beside the one they will take."""
    session = house.table.session
    assert session is not None
    player = session.state.players[seat]
    held = {card for one in session.state.players for card in one.hand}
    spare = [card for card in WONDERS if card not in held]
    other = FACTIONS[(FACTIONS.index(player.objective) + 1) % 4]
    session.state = session.state.with_player(seat, hand=(player.hand[0], *spare[:2]), objective=other)
    session._moment = None


@pytest.mark.parametrize("board", ["table", "drawn"])
def test_a_game_of_four_without_a_phone_takes_few_touches(board: str, tmp_path: Path) -> None:
    """Set-up as proposed, every auction by one pull, every token by one touch, wonders behind the curtain, to the tally."""
    house = House(tmp_path, 5)
    house.start(board=board)
    house.play()
    assert house.state.tally is not None
    assert house.touches <= MOST, house.touches
    hands = [card for card in WONDERS if any(card in shown for shown in house.curtains)]
    assert not hands


def test_what_one_player_is_dealt_changes_nothing_that_anybody_else_is_told(tmp_path: Path) -> None:
    """Twin evenings with the same touches: every public message of the whole game is the same, byte for byte, to the reveal."""
    heard = []
    for twin in range(2):
        house = House(tmp_path / str(twin), 8)
        house.start(board="drawn")
        if twin:
            with_other_secrets(house, 1)
        shown: list[str] = []
        while house.state.phase != "over":
            before = len(house.public)
            house.step()
            shown += [repr(house.client.view.told)] if house.client.view.pick("scene") != "curtain" else []
            assert len(house.public) > before
        end = next(i for i, said in enumerate(house.public) if b'"phase":"over"' in said)
        start = next(i for i, said in enumerate(house.public) if b'"phase":"playing"' in said)
        heard.append((house.public[start:end], house.curtains, shown))
    assert len(heard[0][0]) > 200
    assert heard[0] == heard[1]


def test_the_curtain_falls_by_itself_and_shows_nothing_before_it_is_touched(tmp_path: Path) -> None:
    """Who puts the screen down with their cards open has them covered; any player may look at their own secrets at any time."""
    house = House(tmp_path, 9)
    house.start(board="drawn")
    house.tap("board 2")
    house.tap("board-secrets")
    assert house.client.view.told.hand is None
    house.tap("curtain-open")
    assert house.client.view.told.hand is not None
    assert msgspec.json.decode(house.client.view.told.hand.view)["secret"]["seat"] == 2
    house.pass_time(HELD - 1)
    assert house.client.view.told.hand is not None
    house.pass_time(2)
    assert house.client.view.told.hand is None
    assert house.client.view.pick("scene") is None


def test_a_seat_with_a_phone_has_its_secrets_there_and_nowhere_else(tmp_path: Path) -> None:
    """The screen is refused them, whoever asks."""
    house = House(tmp_path, 9)
    house.start(board="drawn")
    session = house.table.session
    assert session is not None
    house.table.seats.join(code=house.table.seats.code, seat=2, name="x", language="en", address="y", game=session.game)
    answers: list[Answer] = []
    house.ear.subscribe("answer/display", lambda _, message: answers.append(message))
    house.bus.publish("admin", Admin(id="look", client="display", command="hand", args={"seat": 2}))
    house.pass_time()
    assert [answer.refusal.code for answer in answers if answer.refusal] == ["table/on-the-phone"]
    assert not any(answer.result for answer in answers)
