"""What every room's process has in common: settings, the corridor, health, the watchdog and a clean end."""

from __future__ import annotations

import logging
import signal
import time
from collections.abc import Callable
from types import FrameType, TracebackType

from companion.game import Text
from companion.wire.bus import Bus, MqttBus
from companion.wire.config import Config, load
from companion.wire.messages import Health, RoomName
from companion.wire.notify import Notifier
from companion.wire.process_log import start_logging
from companion.wire.secrets import password_of, user_of

HEALTH_EVERY = 60.0


def connection(config: Config, user: str, will: tuple[str, Health] | None = None) -> MqttBus:
    """A connection to this table's broker under one of the rooms' users, not yet started; ends with one line when it cannot
    be made at all, because nobody below could do better."""
    table = config.table.id
    try:
        return MqttBus(
            table=table,
            user=user_of(table, user),
            password=password_of(config.state_dir, user),
            host=config.broker.host,
            port=config.broker.port,
            will=will,
            ca_file=config.broker.ca_file if config.broker.tls else "",
            controls=user == "companion",
            crowd=(user_of(table, "phones"), password_of(config.state_dir, "phones")) if user == "companion" else None,
        )
    except OSError as wrong:
        what = wrong.filename or f"[broker] ca_file: {config.broker.ca_file}"
        raise SystemExit(f"{what} cannot be used: {wrong.strerror or wrong}") from wrong


class Room:
    """One process of the table. `step` is called about every `period` seconds between messages."""

    def __init__(self, name: RoomName, config: Config | None = None, bus: Bus | None = None) -> None:
        self.name: RoomName = name
        self.config = config or load()
        self.log = logging.getLogger(f"tableside.{name}")
        self.notifier = Notifier()
        self.stopping = False
        self._health = Health(room=name, status="online")
        self._health_due = 0.0
        will = ("health/" + name, Health(room=name, status="offline"))
        self.bus: Bus = bus or connection(self.config, name, will)

    def __enter__(self) -> Room:
        start_logging()
        for problem in self.config.problems:
            self.log.warning("settings: %s", problem)
        signal.signal(signal.SIGTERM, self._stop)
        signal.signal(signal.SIGINT, self._stop)
        self.bus.start()
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.notifier.stopping()
        if kind is None:
            self._publish_health("stopped")
            for topic in self.bus.kept():
                if not topic.startswith("health/"):
                    self.bus.forget(topic)  # on a broker that outlives us nobody shall take it for the present
        self.bus.stop()

    def _stop(self, number: int, frame: FrameType | None) -> None:
        self.stopping = True

    def health(self, say: Text | None = None, do: Text | None = None, **figures: float | int | str | bool) -> None:
        """Say how this room is; sent at once when the words changed, otherwise once a minute."""
        changed = (say, do) != (self._health.say, self._health.do)
        self._health = Health(room=self.name, status="online", say=say, do=do, figures=figures)
        if changed:
            self._publish_health("online")

    def _publish_health(self, status: str) -> None:
        known = self._health
        self.bus.publish(
            f"health/{self.name}",
            Health(
                room=self.name,
                status=status,  # type: ignore[arg-type]
                ts=self.bus.now(),
                say=known.say,
                do=known.do,
                figures=known.figures,
            ),
        )
        self._health_due = time.monotonic() + HEALTH_EVERY

    def run(self, step: Callable[[float], None] | None = None, period: float = 0.02) -> None:
        """The main loop, until SIGTERM or Ctrl-C."""
        self.notifier.ready()
        due = time.monotonic()
        while not self.stopping:
            self.notifier.alive()
            now = time.monotonic()
            if now >= self._health_due:
                self._publish_health("online")
            if step is not None and now >= due:
                step(now)
                due = max(due + period, time.monotonic())
            self.bus.pump(max(0.0, min(due - time.monotonic() if step else 1.0, 1.0)))
