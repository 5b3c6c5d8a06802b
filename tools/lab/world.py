"""The world around the machine: the pieces of a virtual table, shown to its real drivers.

Bots play here, outside, and speak to the machine's broker through an ssh tunnel, and to its page through the forwarded port.
What their hands do is drawn and played into the camera driver, and turned on the GPIO lines.
"""

from __future__ import annotations

import io
import subprocess
import tarfile
import tempfile
import threading
import time
from base64 import b64decode
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from pathlib import Path

from companion.core.session import Session
from companion.games.skytopia.mat import market_mat
from companion.machine.broker import answers
from companion.virtual.demo import bots_at
from companion.virtual.following import Following
from companion.virtual.gathering import Gathering
from companion.virtual.play import Demo
from companion.wire.bus import Bus
from companion.wire.config import Config, load
from companion.wire.messages import Message, VirtualTruth
from companion.wire.room import connection
from tools.lab.devices import Devices
from tools.lab.guest import SLOW, Guest
from tools.lab.machine import INSIDE, free_port
from tools.lab.place import LabError
from vision.virtual.plan import Lens
from vision.virtual.scene import Light, Studio

STATE = "/var/lib/tableside"
USERS = ("host", "virtual", "beside")
"""Whose passwords the world is lent: a person at the screen, the pieces, and who looks at them."""
SIZE = (1280, 720)
PACE = 25.0
"""Edges a second of a hand that turns the dial."""
PATIENCE = 60.0


class World(threading.Thread):
    """Follows the truth of the virtual table with picture and dial."""

    def __init__(self, config: Config, devices: Devices) -> None:
        super().__init__(daemon=True)
        self.devices = devices
        self.studio = Studio(market_mat(4), lens=Lens(*SIZE), seed=0)  # as the lobby has it, until a game lays its own
        self.bus = connection(config, "beside")
        self.bus.subscribe("virtual/table", self._told)
        self.turned = 0
        self.shown = 0
        self.wrong: Exception | None = None
        self.ending = threading.Event()
        self._truths: list[VirtualTruth] = []
        self._last: VirtualTruth | None = None

    def _told(self, topic: str, message: Message | bytes) -> None:
        if isinstance(message, VirtualTruth):
            self._truths.append(message)

    def run(self) -> None:
        """Until `ending`."""
        self.bus.start()
        try:
            while not self.ending.is_set():
                self.bus.pump(0.02)
                while self._truths:
                    self._follow(self._truths.pop(0))
        except (LabError, OSError, ValueError) as wrong:
            self.wrong = wrong
        finally:
            self.bus.stop()

    def _follow(self, truth: VirtualTruth) -> None:
        before, self._last = self._last, truth
        if before is None or (before.slots, before.hand, before.light) != (truth.slots, truth.hand, truth.light):
            self.show(truth)
        if before is not None and truth.dial != before.dial:
            self.devices.turn(truth.dial - before.dial, PACE)
            self.turned += abs(truth.dial - before.dial)

    def show(self, truth: VirtualTruth) -> None:
        """One picture into the camera."""
        if truth.mat is not None and truth.mat != self.studio.mat:
            self.studio = Studio(truth.mat, lens=self.studio.lens, seed=0)
        light = Light.of(truth.light)
        picture = self.studio.sensor(self.studio.picture(truth.slots, truth.hand, light), light, self.shown)
        self.devices.do("show", picture.tobytes())
        self.shown += 1


@contextmanager
def lent(guest: Guest) -> Iterator[Config]:
    """The table's settings as seen from out here: its own secrets, forwarded ports."""
    with tempfile.TemporaryDirectory(prefix="tableside-lab-") as folder:
        secrets = Path(folder) / "secrets"
        secrets.mkdir(mode=0o700)
        made = " && ".join(f"test -s {STATE}/secrets/{user}" for user in USERS)
        until(lambda: guest.run(f"{made} && echo made", check=False), SLOW, "the table's passwords")
        for user in USERS:
            (secrets / user).write_text(guest.run(f"cat {STATE}/secrets/{user}"))
            (secrets / user).chmod(0o600)
        port = free_port()
        tunnel = guest.forward(port, INSIDE["broker"])
        environment = {
            "TABLESIDE_STATE_DIR": folder,
            "TABLESIDE_CONFIG_DIR": folder,
            "TABLESIDE_BROKER_PORT": str(port),
            "TABLESIDE_WEB_PORT": str(guest.ports["page"]),
            "TABLESIDE_BROKER_WEBSOCKET_PORT": str(guest.ports["gate"]),
            "TABLESIDE_CAMERA_SOURCE": "v4l2",
            "TABLESIDE_CAMERA_ROWS": "2",
            "TABLESIDE_DIAL_SOURCE": "gpio",
        }
        try:
            until(lambda: answers("127.0.0.1", port, 60.0), SLOW, "the broker through the tunnel")
            yield load(environment=environment)
        finally:
            end(tunnel)


class Elsewhere(Following):
    """The journal lies in the machine: it is fetched when it is read. No person plays there, so nobody's doing is looked for."""

    def __init__(self, config: Config, people: Gathering, guest: Guest) -> None:
        super().__init__(config, people)
        self._state, self._guest = config.state_dir, guest

    def read(self) -> Session:
        fetched = self._guest.run(f"tar -C {STATE} -c games | base64")
        with tarfile.open(fileobj=io.BytesIO(b64decode(fetched))) as games:
            games.extractall(self._state, filter="data")
        return super().read()

    def mind_people(self) -> None:
        """Nobody is there."""


def bots(config: Config, guest: Guest, *, seed: int, players: int = 2, limit: int = 0) -> Demo:
    """Players of Skytopia who wait for a slow machine."""
    made = bots_at(config, "skytopia", players=players, seed=seed, limit=limit)
    made.patience, made.people.slowness = PATIENCE, guest.machine.slowness
    made.following = Elsewhere(config, made.people, guest)
    return made


def until(done: Callable[[], object], seconds: float, what: str) -> None:
    """Wait for a named fact."""
    last = time.monotonic() + seconds
    while not done():
        if time.monotonic() > last:
            raise LabError(f"not within {seconds:.0f} s: {what}")
        time.sleep(0.05)


def heard(bus: Bus, done: Callable[[], object], seconds: float, what: str) -> None:
    """The same, while listening."""

    def listen() -> object:
        bus.pump(0.05)
        return done()

    until(listen, seconds, what)


def end(process: subprocess.Popen[bytes]) -> None:
    """A helper of ours goes."""
    process.terminate()
    with suppress(subprocess.TimeoutExpired):
        process.wait(10)
