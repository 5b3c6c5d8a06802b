"""Tables that really play, without hands, for the demo, the bench and the soak.

Each is a real broker and a real core in a folder of its own; robots sit on every chair, and what they ask people to move for
them is done at once."""

from __future__ import annotations

import os
import random
import secrets as chance
import subprocess
import sys
import time
from collections.abc import Sequence
from contextlib import ExitStack
from pathlib import Path
from typing import Any

from companion.wire.bus import MqttBus
from companion.wire.config import PREFIX, Config, load
from companion.wire.files import own_folder
from companion.wire.invitation import Invitation
from companion.wire.messages import Admin, MoveRequest, State
from companion.wire.mosquitto import answers, find_mosquitto
from companion.wire.process import hold
from companion.wire.secrets import room_passwords, user_of
from hall import joining
from hall.supervisor import Child

NAMES = (
    "Ada",
    "Bartek",
    "Chloé",
    "Dev",
    "Ewa",
    "Félix",
    "Gosia",
    "Hugo",
    "Ida",
    "Jan",
    "Kaja",
    "Léo",
    "Maja",
    "Nils",
    "Ola",
    "Piotr",
)
GAMES = ("yacht", "farkle")
"""What they play: games that need no board under a camera."""


class VirtualTable:
    """One table: its broker, its core, and the hands that play at it."""

    def __init__(self, name: str, folder: Path, held: ExitStack, pace: float = 2.0) -> None:
        """`pace`: seconds between two moves, on average."""
        own_folder(folder)
        ports = [held.enter_context(hold()).getsockname()[1] for _ in range(3)]
        own = {
            "STATE_DIR": str(folder),
            "CONFIG_DIR": str(folder / "config"),
            "TABLE_ID": name,
            "TABLE_NAME": name.replace("-", " ").capitalize(),
            "WEB_HOST": "127.0.0.1",
            "WEB_ADDRESS": "127.0.0.1",
            "WEB_PORT": str(ports[0]),
            "BROKER_WEBSOCKET_PORT": str(ports[1]),
            "BROKER_PORT": str(ports[2]),
        }
        clean = {key: value for key, value in os.environ.items() if not key.startswith(PREFIX)}
        self.name, self.pace = name, pace
        self.environment = clean | {PREFIX + key: value for key, value in own.items()}
        self.config: Config = self.settled()
        self.state: State | None = None
        self._last: State | None = None
        self.moves = self.games = 0
        self.waits: list[float] = []
        """Seconds from each move to its answer."""
        self._bus: MqttBus | None = None
        self._asked: dict[str, float] = {}
        self._due = 0.0
        self._chance = random.Random(name)
        log = (folder / "log").open("ab")
        more: dict[str, Any] = {"env": self.environment, "stdout": log, "stderr": log}
        self.children = [
            Child("broker", lambda: [find_mosquitto()[0], "-c", str(folder / "broker" / "mosquitto.conf")], **more),
            Child("core", lambda: [sys.executable, "-P", "-m", "companion"], **more),
        ]

    def settled(self) -> Config:
        """Its settings as its processes read them now."""
        return load(environment=self.environment)

    def join(self, invitation: Invitation) -> None:
        """Come to the hall, and write the broker's files with the bridge in them."""
        joining.join(self.config, invitation)
        self.write_broker_files()

    def write_broker_files(self) -> None:
        """As systemd does before it starts the broker."""
        command = [sys.executable, "-P", "-m", "companion.cli", "broker-files"]
        subprocess.run(command, env=self.environment, check=True, capture_output=True)

    def answers(self) -> bool:
        """Its broker is up."""
        return answers("127.0.0.1", self.config.broker.port, 0.5)

    def look(self, now: float) -> None:
        """Keep it alive, and play."""
        for child in self.children:
            child.look(now)
        if self._bus is None:
            if not self.answers():
                return
            self._bus = self._sit_down()
        self._bus.pump()
        if now >= self._due:
            self._due = now + self._chance.uniform(0.5, 1.5) * self.pace
            self._act(now)

    def _sit_down(self) -> MqttBus:
        user = user_of(self.name, "display")
        password = room_passwords(self.config.state_dir)["display"]
        bus = MqttBus(table=self.name, user=user, password=password, port=self.config.broker.port)
        bus.subscribe("state", self._on_state)
        bus.subscribe("answer/display", self._on_answer)
        bus.start()
        return bus

    def _on_state(self, topic: str, message: Any) -> None:
        self.state = self._last = message

    def _on_answer(self, topic: str, message: Any) -> None:
        asked = self._asked.pop(message.id, None)
        if asked is not None and message.ok:
            self.waits.append(time.monotonic() - asked)
            self.moves += 1
        elif self.state is None:
            self.state = self._last  # refused: nothing follows from it, and the same is asked again

    def _act(self, now: float) -> None:
        state, bus = self.state, self._bus
        if state is None or bus is None or not bus.connected:
            return
        name = chance.token_hex(6)
        if state.phase != "playing" or state.prompt is None:
            self.games += state.phase == "over"
            bus.publish("admin", Admin(id=name, client="display", command="new game", args=self._new_game()))
            self.state = None
            self._due = now + 1.0
        elif any(choice.move.get("kind") == "@done" for choice in state.prompt.ask.choices):
            self._asked[name] = time.monotonic()
            request = MoveRequest(id=name, move={"kind": "@done"}, game=state.game_id, seq=state.seq, cause="touch")
            bus.publish("move/display", request)
            self.state = None  # until it says what follows

    def _new_game(self) -> dict[str, Any]:
        players = self._chance.sample(NAMES, self._chance.choice((2, 2, 3)))
        seats = [{"name": name, "bot": "easy"} for name in players]
        return {"game": self._chance.choice(GAMES), "seats": seats}

    def end(self) -> None:
        """Hands off, core first."""
        if self._bus is not None:
            self._bus.stop()
        for child in reversed(self.children):
            child.end()


def end_all(tables: Sequence[VirtualTable]) -> None:
    """All cores are told before any is waited for."""
    for table in tables:
        for child in table.children:
            if child.name == "core" and child.process is not None and child.process.poll() is None:
                child.process.send_signal(child.ending)
    for table in tables:
        table.end()
