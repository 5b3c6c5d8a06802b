"""A real table without a machine: the core and the screen's client in memory, led through moves as people would make them.

What is drawn of it is what the product says: prompts, refusals, banners and lists come from the core, never from here.
"""

from __future__ import annotations

import tempfile
import time
from pathlib import Path
from typing import Any

import msgspec

from companion.core.table import Table
from companion.game import Ask
from companion.journal.store import Journal
from companion.wire.config import CameraConfig, Config, DialConfig, DisplayConfig, TableConfig
from companion.wire.memory import MemoryBroker
from companion.wire.messages import Admin, DialSeen, Health, MarketSeen
from display.client import Client
from display.touch import Act, Play, Put
from display.view import View

ROOMS = ("companion", "vision", "firmware_bridge", "display")


class Stage:
    """One table with its screen."""

    def __init__(self, language: str = "en", *, sensors: bool = True) -> None:
        self._folder = tempfile.TemporaryDirectory(prefix="tableside-stage-")
        self.config = Config(
            table=TableConfig(id="table", language=language),  # type: ignore[arg-type]
            camera=CameraConfig(source="picamera2" if sensors else "none"),
            dial=DialConfig(source="gpio" if sensors else "none"),
            display=DisplayConfig(welcomed=True),
            state_dir=Path(self._folder.name),
        )
        self._broker = MemoryBroker()
        self._core = self._broker.bus("companion")
        self.journal = Journal(self.config.state_dir / "games")
        self.table = Table(self.config, self._core, self.journal)
        self._core.start()
        self._screen = self._broker.bus("display")
        self.client = Client(self._screen, self.config)
        self._screen.start()
        self._rooms = {room: self._broker.bus(f"{room}-room") for room in ROOMS}
        for room, bus in self._rooms.items():
            bus.start()
            bus.publish(f"health/{room}", Health(room=room, status="online"))  # type: ignore[arg-type]
        self.table.join_address = "http://tableside.local:8780"
        self.table.publish(())
        self.pump()

    def close(self) -> None:
        """Nothing of it stays behind."""
        self.journal.close()
        self._folder.cleanup()

    def pump(self) -> None:
        """Until everybody has heard everything."""
        for _ in range(200):
            if not self._core.pump() + self._screen.pump():
                return

    def settle(self, seconds: float = 10.0) -> None:
        """Until what was looked up in a thread of its own is there."""
        end = time.monotonic() + seconds
        while self.client.view.told.history is None and time.monotonic() < end:
            self._core.pump(0.05)
            self.pump()

    def order(self, command: Any, **args: Any) -> None:
        """What the set-up and the menu order."""
        self._screen.publish("admin", Admin(id=f"{command} {args}"[:40], client="host", command=command, args=args))
        self.pump()

    def do(self, *acts: Act) -> None:
        """What a finger does on the screen."""
        for act in acts:
            self.client.perform(act, "touch")
            self.pump()

    def new(self, game: str, names: list[str], **options: Any) -> None:
        """A game begins."""
        self.order("new game", game=game, seats=[{"name": name} for name in names], options=options)

    def play(self, record: Path, phase: str = "", least: int = 0) -> None:
        """A recorded game, from its beginning to its end, or to the first question of this phase after so many moves."""
        head, *lines = [msgspec.json.decode(line) for line in record.read_text().splitlines() if line.strip()]
        options = {key: value for key, value in head["options"].items() if key not in ("names", "colours")}
        self.new(head["game"], head["options"]["names"], **options)
        for number, line in enumerate(line for line in lines if "move" in line):
            self.do(Play(line["move"]))
            if phase and number >= least and self.ask is not None and self.ask.phase == phase:
                return

    @property
    def ask(self) -> Ask | None:
        """What is asked now."""
        return self.client.view.prompt.ask if self.client.view.prompt else None

    def sees(self, market: MarketSeen | None = None, dial: DialSeen | None = None) -> None:
        """A reading of the camera or the dial."""
        if market is not None:
            self._rooms["vision"].publish("sensor/market", market)
        if dial is not None:
            self._rooms["firmware_bridge"].publish("sensor/dial", dial)
        self.pump()

    def sends(self, name: str, picture: bytes) -> None:
        """A picture of the camera."""
        self._rooms["vision"].publish(f"picture/{name}", picture)
        self.pump()

    def fails(self, room: str, **told: Any) -> None:
        """A room is away."""
        away = Health(room=room, status="offline", **told)  # type: ignore[arg-type]
        self._rooms[room].publish(f"health/{room}", away)
        self.pump()

    def view(self, *, at_once: bool = False, **local: Any) -> View:
        """What the screen shows now, with what was picked on it; `at_once`: while its banner is still there."""
        if local:
            self.do(Put(local))
        self.client.tick(self.client.now + (0.1 if at_once else 60.0))
        self.pump()
        return self.client.view
