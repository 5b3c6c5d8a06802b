"""A player who only has eyes and a finger: sees the table's public topics, knows the screen's layout, clicks."""

from __future__ import annotations

import time
from collections.abc import Callable
from typing import Any

import msgspec
import numpy as np
import pygame
from numpy.typing import NDArray

from companion.game import Ask
from companion.wire.config import Config
from companion.wire.messages import JoinInfo, State
from display import scenes
from display.page import Page
from display.theme import Theme
from display.touch import Both, Go, Put, Touch
from display.view import View
from display.wording import Wording
from tests.conftest import PATIENCE, Client
from tests.display.xhand import Hand, XServer

ALIKE = 3.0
"""Mean difference per colour below which two pictures show the same."""


def _pixels(picture: pygame.Surface) -> NDArray[np.int16]:
    return np.frombuffer(pygame.image.tobytes(picture, "RGB"), np.uint8).astype(np.int16)


class Robot:
    """Draws for itself what the screen draws for everybody, so it knows where to touch."""

    def __init__(self, config: Config, hand: Hand, server: XServer) -> None:
        self.hand, self.server, self.size = hand, server, server.size
        size = server.size
        self.client = Client.room(config, "vision").listen("state").start()
        self.local: dict[str, Any] = {}
        self.settings = {"language": "en", "lock": False, "pin": ""}
        self.join: JoinInfo | None = None
        """How phones join; the broker tells only the screen, so whoever needs it here says it."""
        self.clicks = 0
        self.page = Page(pygame.Surface(size), Theme(*size), Wording("en"))
        self.page.motion.still = True

    @property
    def state(self) -> State:
        self.client.bus.pump(0.0)
        found = self.client.last(State)
        assert found is not None
        return found

    @property
    def ask(self) -> Ask | None:
        """What the table is asked now."""
        prompt = self.state.prompt
        return prompt.ask if prompt is not None else None

    def view(self) -> View:
        return View(state=self.state, local=self.local, settings=self.settings, join=self.join)

    def touches(self) -> dict[str, Touch]:
        """Where everything is now."""
        view = self.view()
        self.page.words.names = {seat.seat: seat.name for seat in view.seats}
        self.page.spoil()
        self.page.begin(time.monotonic())
        scenes.draw(self.page, view)
        self.page.finish()
        return {touch.id: touch for touch in self.page.touches()}

    def click(self, name: str) -> None:
        """Touch one thing on the real screen; what it only changes on the screen is remembered here too."""
        touch = self.touches()[name]
        self.until(lambda: self._sees(touch))
        x, y, w, h = touch.box
        self.hand.click(min(max(x + w // 2, 0), self.size[0] - 1), min(max(y + h // 2, 0), self.size[1] - 1))
        self.clicks += 1
        for act in touch.act.acts if isinstance(touch.act, Both) else (touch.act,):
            if isinstance(act, Put):
                self.local = {k: v for k, v in {**self.local, **act.values}.items() if v is not None}
            elif isinstance(act, Go):
                self.local = {**self.local, "scene": act.scene}

    def _sees(self, touch: Touch) -> bool:
        """The real screen shows this touch as it should look."""
        area = pygame.Rect(touch.box).inflate(-12, -12).clip(pygame.Rect(0, 0, *self.size))
        real, mine = (_pixels(whole.subsurface(area)) for whole in (self.server.picture(), self.page.surface))
        return bool(abs(real - mine).mean() < ALIKE)

    def choose(self, choice: str, group: str = "") -> None:
        """Answer the prompt: first its card if it has one, then the choice, wherever it is shown."""
        if group and self.local.get("slot") != group and choice not in self.touches():
            self.click(group)
        if choice not in self.touches():
            self.click("more")
        for _ in range(20):
            if choice in self.touches():
                break
            self.click("choices-leaf")
        self.click(choice)

    def answered(self, seq: int, seconds: float = PATIENCE) -> None:
        """Wait until the table has moved on from `seq`."""
        self.until(lambda: self.state.seq != seq or self.state.phase != "playing", seconds)
        self.local = {}

    def until(self, condition: Callable[[], Any], seconds: float = PATIENCE) -> None:
        self.client.until(condition, seconds)


def worth(choice: Any) -> tuple[int, ...]:
    """A hasty player: skips what is optional, places where it builds soonest for the coins there are."""
    picture = msgspec.to_builtins(choice.picture)
    return (choice.id not in ("skip", "deal"), int(picture.get("rounds", 0)))
