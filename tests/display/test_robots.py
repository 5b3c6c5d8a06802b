"""Newcomer A2: robots sit down by touch: two of them and one person, from set-up to tally, over a real broker and core."""

from __future__ import annotations

import random
import time
from typing import Any

import pygame
import pytest

from companion.wire.bus import MqttBus
from companion.wire.messages import State
from companion.wire.secrets import room_passwords, user_of
from display.client import Client
from display.scenes.forms import unsaid
from display.screen import Screen
from display.touch import Both, Play, Put, Touch
from tests.conftest import PATIENCE, Place, Run

OPENS = ("slot", "choices-page", "sheet", "form-leaf", "sky-site", "sky-piece", "sky-island", "picker", "form")
"""What a touch may change on the screen itself on the way to an answer."""
NOT_PLAYING = ("correct", "box")


class Person:
    """Somebody with a finger and eyes for what may be touched, at the screen's own code."""

    def __init__(self, place: Place) -> None:
        config = place.config()
        self.log = place.root / "run.log"
        password = room_passwords(config.state_dir)["display"]
        user = user_of(config.table.id, "display")
        self.bus = MqttBus(table=config.table.id, user=user, password=password, port=config.broker.port)
        self.client = Client(self.bus, config)
        surface = pygame.display.set_mode((config.display.width, config.display.height))
        self.screen = Screen(surface, self.client, config.display)
        self.chance = random.Random(11)
        self.touched = 0
        self.bus.start()

    @property
    def state(self) -> State | None:
        return self.client.view.state

    def look(self, seconds: float = 0.02) -> dict[str, Touch]:
        """What can be touched now; as on the table, a frame is drawn when something has changed."""
        self.bus.pump(seconds)
        now = time.monotonic()
        self.client.tick(now)
        if self.client.dirty:
            self.screen.page.motion.skip()
            self.screen.draw(now)
        return {touch.id: touch for touch in self.screen.page.touches()}

    def tap(self, touch: Touch) -> None:
        name, (left, top, width, height) = touch.id, touch.box
        points = [
            (left + width // 2, top + height // 2),
            *((left + width * i // 9, top + height // 9) for i in range(1, 9)),
        ]
        at = next(
            point for point in points if (hit := self.screen.page.touch_at(*point)) is not None and hit.id == name
        )
        self.screen.press(at, time.monotonic())
        self.screen.release(at)
        self.touched += 1

    def until(self, name: str, seconds: float = PATIENCE) -> None:
        """Wait for something to touch, and touch it."""
        end = time.monotonic() + seconds
        while name not in (shown := self.look()):
            assert time.monotonic() < end, f"{name} is not among {sorted(shown)}"
        self.tap(shown[name])

    def answered(self) -> None:
        """Wait until what was sent is answered, and a robot has thought."""
        end = time.monotonic() + PATIENCE
        while self.client.view.pending or self._thinks():
            assert time.monotonic() < end, (self.client.view.pending, self.state, self.log.read_text()[-3000:])
            self.bus.pump(0.02)  # who waits for an answer need not look
            self.client.tick(time.monotonic())

    def _thinks(self) -> bool:
        state = self.state
        if state is None or state.prompt is None:
            return False
        ask, robots = state.prompt.ask, {seat.seat for seat in state.seats if seat.bot}
        secret = ask.seat is None and bool(ask.waiting) and robots.issuperset(ask.waiting)
        return ask.text.key == "robot/thinks" or secret

    def play_on(self, shown: dict[str, Touch]) -> None:
        """One touch towards the next decision: an answer where one is shown, else whatever opens the answers."""
        prompt = self.client.view.prompt
        offered = [choice.move for choice in prompt.ask.choices] if prompt is not None else []
        plays = [name for name, touch in shown.items() if _plays(touch, offered)]
        opens = [n for n, touch in shown.items() if isinstance(touch.act, Put) and set(touch.act.values) & set(OPENS)]
        needed = self._to_fill_in(shown)
        if needed:
            self.tap(shown[needed])
        elif plays and (not opens or self.chance.random() < 0.9):
            self.tap(shown[self.chance.choice(plays)])
        else:
            assert opens, f"nothing to touch: {sorted(shown)}, {self.client.view.prompt}"
            self.tap(shown[self.chance.choice(opens)])
        self.answered()

    def _to_fill_in(self, shown: dict[str, Touch]) -> str:
        """In a form nobody can send yet people look for what is missing: its field where it is shown, else the next leaf."""
        view = self.client.view
        form = view.prompt.ask.form if view.prompt is not None else None
        if form is None or form.aside or form.move.get("kind") != "sheet":
            return ""
        missing = [f"form:{field.id}+" for field in form.fields if unsaid(view, field)]
        here = [name for name in missing if name in shown]
        return here[0] if here else "leaf" if missing and "leaf" in shown else ""


def _plays(touch: Touch, offered: list[dict[str, Any]]) -> bool:
    """It sends a move of the game, or one that is asked for: what a wonder's card says is an answer, too."""
    acts = touch.act.acts if isinstance(touch.act, Both) else (touch.act,)
    moves = [act.move for act in acts if isinstance(act, Play)]
    return any(move.get("kind") not in NOT_PLAYING or move in offered for move in moves)


@pytest.mark.timeout(1000)
@pytest.mark.parametrize(
    "game",
    [
        pytest.param(game, marks=pytest.mark.long(took))
        for game, took in (("skytopia", 9), ("skyrise", 8), ("praga", 24), ("yacht", 8), ("farkle", 8))
    ],
)
def test_two_robots_and_a_person_play_by_touch_from_set_up_to_tally(
    place: Place, game: str, blank_pictures: None
) -> None:
    place.environment |= {"TABLESIDE_DISPLAY_WELCOMED": "true"}
    run = Run(place, "--without", "display,vision,firmware_bridge").start()
    try:
        person = Person(place)
        person.until(f"game-{game}")
        person.until("add-seat")
        for seat, level in ((1, "medium"), (2, "easy")):
            person.until(f"seat {seat}")
            person.until(f"seat-bot-{level}")
            person.until("seat-done")
        person.until("start")
        end = time.monotonic() + PATIENCE
        while person.state is None or person.state.phase != "playing":
            assert time.monotonic() < end
            person.look()
        assert [seat.bot for seat in person.state.seats] == ["", "medium", "easy"]
        done = 0
        end = time.monotonic() + 10 * PATIENCE
        while person.state.phase == "playing":
            assert time.monotonic() < end, person.client.view.prompt
            shown = person.look(0.0)
            if "robot-done" in shown:
                done += 1
                person.tap(shown["robot-done"])
                person.answered()
            else:
                person.play_on(shown)
        tally = person.state.tally
        assert tally is not None
        assert tally.winners
        assert done > 5, "robots have played"
        person.bus.stop()
    finally:
        assert run.stop() == 0
