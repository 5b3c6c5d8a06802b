"""The room: a window if there is one, a word about it if there is none, and the table goes on either way."""

from __future__ import annotations

import time

from companion.config import load
from companion.game import Text
from companion.room import Room
from display.client import Client
from display.screen import NoScreenError, Screen, open_window
from display.sound import Sound

PERIOD = 1 / 40


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
        screen = Screen(surface, client, room.config.display)
        sound = Sound()
        screen.draw(time.monotonic())
        room.health(frames=1, width=surface.get_width(), height=surface.get_height())

        def step(now: float) -> None:
            screen.step(now)
            if client.sounds:
                heard, client.sounds = client.sounds, []
                sound.play(heard, int(client.settings.values["volume"]))
            if screen.closed:
                room.stopping = True

        room.run(step, PERIOD)
    return 0
