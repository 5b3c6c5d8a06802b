"""A real hall in processes of its own, and strangers who come to its door."""

from __future__ import annotations

import os
import signal
import ssl
import subprocess
import sys
import tempfile
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager
from pathlib import Path
from typing import Any

import paho.mqtt.client as mqtt
from paho.mqtt.enums import CallbackAPIVersion

from benches.stand import processes
from companion.virtual.own_table import end
from companion.wire.bus import hang_up
from companion.wire.invitation import Invitation
from companion.wire.mosquitto import answers
from companion.wire.process import hold
from hall.brokers import HALL, hashed, own_password
from hall.database import Database
from hall.settings import load
from hall.terminal import invitation
from tests.conftest import PATIENCE, until


class House:
    """`tableside hall` with two brokers, beside a PostgreSQL that is there."""

    def __init__(self, folder: Path, dsn: str, ports: tuple[int, int, int]) -> None:
        self.folder, self.dsn, self.ports = folder, dsn, ports[:2]
        self.web_port = ports[2]
        folder.mkdir(exist_ok=True)
        (folder / "hall.toml").write_text(
            f'addresses = ["127.0.0.1"]\nports = {list(ports[:2])}\nhost = "127.0.0.1"\n'
            f'web_host = "127.0.0.1"\nweb_port = {ports[2]}\npin = "4711"\ndatabase = "{dsn}"\n'
        )
        self.environment = os.environ | {"TABLESIDE_HALL_DIR": str(folder)}
        self.store = Database(dsn)
        self.process: subprocess.Popen[bytes] | None = None

    def start(self) -> House:
        log = (self.folder / "hall.log").open("ab")
        self.process = subprocess.Popen(
            [sys.executable, "-P", "-m", "hall"], env=self.environment, stdout=log, stderr=log, stdin=subprocess.DEVNULL
        )
        until(lambda: all(answers("127.0.0.1", port, tls=True) for port in self.ports), 30, "both brokers")
        return self

    def stop(self) -> None:
        self.store.close()
        if self.process is not None:
            end(self.process)

    def command(self, *arguments: str) -> subprocess.CompletedProcess[str]:
        return subprocess.run(
            [sys.executable, "-P", "-m", "hall", *arguments],
            env=self.environment,
            capture_output=True,
            text=True,
            timeout=PATIENCE,
            check=False,
        )

    def invite(self, name: str) -> Invitation:
        """As the command does it, and let in."""
        made = invitation(load(self.folder), self.folder, name)
        self.store.invite(name, hashed(made.key))
        until(
            lambda: all(self._welcomes(name, made.key, broker) for broker in (0, 1)),
            what=f"{name} let in by both brokers",
        )
        return made

    def _welcomes(self, name: str, key: str, broker: int) -> bool:
        """This broker has read its list again, and knows them."""
        if f"\n{name}:" not in (self.folder / "passwords").read_text():
            return False
        guest = self.stranger(name, key, broker)
        guest.close()
        return guest.welcome

    def pid(self, name: str) -> int:
        """Of one of its children."""
        assert self.process is not None
        found = children(self.process.pid)
        return found[name]

    def kill(self, name: str) -> None:
        os.kill(self.pid(name), signal.SIGKILL)

    def stranger(self, user: str, password: str, broker: int = 0, **more: Any) -> Stranger:
        return Stranger(self, user, password, broker, **more)

    def ear(self, *topics: str, broker: int = 0) -> Stranger:
        """What the hall itself hears."""
        return self.stranger(HALL, own_password(self.folder), broker).hear(*topics)


def children(parent: int) -> dict[str, int]:
    """The hall's processes by name: broker-0, broker-1, hall."""
    found: dict[str, int] = {}
    for entry in Path("/proc").iterdir():
        if not entry.name.isdigit():
            continue
        try:
            fields = (entry / "stat").read_text().rpartition(")")[2].split()
            words = (entry / "cmdline").read_bytes().split(b"\0")
        except OSError:
            continue
        if int(fields[1]) != parent:
            continue
        text = b" ".join(words).decode(errors="replace")
        for name in ("broker-0", "broker-1"):
            if f"/{name}/" in text:
                found[name] = int(entry.name)
        if text.strip().endswith("hall serve"):
            found["hall"] = int(entry.name)
        if "/postgres " in text:
            found["postgres"] = int(entry.name)
    return found


class Stranger:
    """Somebody with a line to a broker of the hall."""

    def __init__(self, house: House, user: str, password: str, broker: int = 0, client: str = "") -> None:
        self.heard: list[tuple[str, bytes]] = []
        self.codes: list[Any] = []
        self.connected: list[Any] = []
        self.lost: list[Any] = []
        self.line = mqtt.Client(CallbackAPIVersion.VERSION2, client_id=client)
        self.line.username_pw_set(user, password)
        context = ssl.SSLContext(ssl.PROTOCOL_TLS_CLIENT)
        context.check_hostname, context.verify_mode = False, ssl.CERT_NONE
        self.line.tls_set_context(context)
        self.line.on_connect = lambda c, u, f, reason, p: self.connected.append(reason)
        self.line.on_disconnect = lambda c, u, f, reason, p: self.lost.append(reason)
        self.line.on_subscribe = lambda c, u, mid, codes, p: self.codes.append(codes)
        self.line.on_message = lambda c, u, m: self.heard.append((m.topic, m.payload))
        self.line.connect("127.0.0.1", house.ports[broker])
        self.line.loop_start()
        until(lambda: self.connected, 10, "an answer of the broker")

    @property
    def welcome(self) -> bool:
        return not self.connected[-1].is_failure

    def hear(self, *topics: str) -> Stranger:
        for topic in topics:
            before = len(self.codes)
            self.line.subscribe(topic, 1)
            until(lambda before=before: len(self.codes) > before, 10, "an answer to the subscription")
        return self

    def say(self, topic: str, payload: bytes, *, retain: bool = True) -> None:
        self.line.publish(topic, payload, 1, retain).wait_for_publish(PATIENCE)

    def last(self, topic: str) -> bytes | None:
        return next((payload for heard, payload in reversed(self.heard) if heard == topic), None)

    def close(self) -> None:
        hang_up(self.line)


@contextmanager
def a_house(dsn: str) -> Iterator[House]:
    """A hall on ports of its own, gone afterwards."""
    with tempfile.TemporaryDirectory(prefix="tableside-house-") as folder, ExitStack() as held:
        ports = [held.enter_context(hold()).getsockname()[1] for _ in range(3)]
        house = House(Path(folder) / "hall", dsn, (ports[0], ports[1], ports[2]))
        try:
            yield house.start()
        finally:
            house.stop()


__all__ = ["House", "Stranger", "a_house", "processes"]
