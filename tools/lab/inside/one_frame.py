"""The screen draws one frame of a game into memory, through whatever pygame the table has, and writes it down.

usage: python one_frame.py FILE.png
"""

from __future__ import annotations

import os
import sys
import tempfile
import time
from pathlib import Path

os.environ.update(SDL_VIDEODRIVER="dummy", SDL_AUDIODRIVER="dummy", PYGAME_HIDE_SUPPORT_PROMPT="1")


def main(file: str) -> None:
    """Four players in the middle of Skytopia."""
    import pygame

    from benches import samples
    from companion.wire.config import Config, DisplayConfig
    from companion.wire.memory import MemoryBroker
    from display.client import Client
    from display.screen import Screen

    pygame.display.init()
    surface = pygame.display.set_mode((1280, 720))
    broker = MemoryBroker()
    bus, core = broker.bus("display"), broker.bus("companion")
    bus.start()
    core.start()
    with tempfile.TemporaryDirectory() as folder:
        config = Config(display=DisplayConfig(driver="dummy"), state_dir=Path(folder))
        client = Client(bus, config)
        view = samples.table()
        assert view.state is not None
        for room in view.health.values():
            core.publish(f"health/{room.room}", room)
        core.publish("state", view.state)
        bus.pump()
        screen = Screen(surface, client, config.display)
        screen.draw(time.monotonic())
        pygame.image.save(surface, file)


if __name__ == "__main__":
    main(sys.argv[1])
