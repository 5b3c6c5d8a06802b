"""The room: a window if there is one, a word about it if there is none, and the table goes on either way."""

from __future__ import annotations

import os
import time
from pathlib import Path

from companion.game import Text
from companion.wire.config import load
from companion.wire.messages import DialSeen
from companion.wire.room import Room
from companion.wire.words import catalogue
from display.client import Client
from display.screen import NoScreenError, Screen, open_window
from display.sound import Sound
from display.wording import Wording

PERIOD = 1 / 40
CLOSED = 68
"""Exit code that says: somebody closed the window, so the table ends. The supervisor knows it too."""


class Trace:
    """When each reading of the dial was on the screen, for `tableside bench loop`; nothing unless asked for."""

    def __init__(self, path: str) -> None:
        self._file = Path(path).open("a", buffering=1) if path else None  # noqa: SIM115 - open as long as the room
        self._last = 0.0

    def drawn(self, dial: DialSeen | None) -> None:
        """The frame with this reading was just shown."""
        if self._file is not None and dial is not None and dial.ts != self._last:
            self._last = dial.ts
            self._file.write(f"{time.monotonic():.6f} {dial.ts:.6f}\n")


def run() -> int:
    """Until SIGTERM, Ctrl-C, or the window is closed."""
    with Room("display", load()) as room:
        client = Client(room.bus, room.config)
        try:
            surface = open_window(room.config.display)
        except NoScreenError as none:
            room.log.warning("no screen here (%s); the game goes on with phones", none)
            room.health(say=Text("display/no-screen"), do=Text("display/no-screen/do"))
            room.run()
            return 0
        screen = Screen(surface, client, room.config.display, room.notifier.alive)
        client.urgent = screen.hurry
        sound = Sound()
        screen.draw(time.monotonic())
        warm(str(client.settings.values["language"]))
        room.health(frames=1, width=surface.get_width(), height=surface.get_height())

        trace = Trace(os.environ.get("TABLESIDE_TRACE", ""))

        def step(now: float) -> None:
            screen.step(now)
            trace.drawn(client.view.dial)
            if client.sounds:
                heard, client.sounds = client.sounds, []
                sound.play(heard, int(client.settings.values["volume"]))
            if screen.closed:
                room.stopping = True

        room.run(step, PERIOD)
    return CLOSED if screen.closed else 0


def warm(language: str) -> None:
    """Read all words before this room calls itself ready: the first state is then shown at once."""
    for one in dict.fromkeys((language, "en")):
        catalogue(one, Wording.own)
