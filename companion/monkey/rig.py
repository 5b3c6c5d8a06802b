"""A whole core without network: table, door, journal on disk; screen and phones speak to it over a bus in memory."""

from __future__ import annotations

import itertools
import json
import random
import time
from concurrent.futures import Future
from contextlib import ExitStack
from pathlib import Path
from typing import Any

import msgspec

from companion.core.session import Session
from companion.core.table import Table
from companion.door.join import Door, Joined, JoinRequest
from companion.door.seats import JoinRefused
from companion.journal.store import Journal
from companion.monkey.strangers import Fickle, glance
from companion.wire.config import Config, TableConfig
from companion.wire.memory import MemoryBroker, MemoryBus
from companion.wire.messages import Admin, Answer, DialSeen, MarketSeen, MoveRequest
from companion.wire.presence import Here
from companion.wire.topics import decode

SCREEN = "display"


SCREEN_SECONDS = 10.0
"""Seconds within which the screen is answered."""


class Guest(msgspec.Struct):
    """A phone that was let in, with its key."""

    client: str
    seat: int | None
    token: str
    cookie: str
    line: str = ""


class Rig:
    """The table, and everybody who speaks to it."""

    core: MemoryBus
    journal: Journal
    table: Table
    door: Door
    minds: Fickle

    def __init__(self, place: Path, chance: random.Random) -> None:
        self._chance = chance
        self.config = Config(table=TableConfig(id="table"), state_dir=place)
        self.broker = MemoryBroker()
        self.people = self.broker.bus("people")
        self.people.subscribe("answer/+", self._answered)
        self.people.start()
        self.guests: list[Guest] = []
        self.asked = 0
        """Moves asked for so far."""
        self._answers: dict[str, Answer] = {}
        self._numbers = itertools.count(1)
        self._open = ExitStack()
        self.start()

    # the process -----------------------------------------------------------------------------------------------

    def start(self, *, asleep: bool = False) -> None:
        """The core as `python -m companion` makes it, but for the page; the disk is not waited for. `asleep`: robots have
        nothing to say to what stands there."""
        self.core = self.broker.bus("companion")
        self.journal = Journal(self.config.state_dir / "games")
        self._open.callback(self.journal.close)
        self._open.enter_context(self.journal.unsynced())
        self.table = Table(self.config, self.core, self.journal)
        self.door = Door(self.table)
        self.minds = Fickle(self.table, self.core, self._chance)
        self.minds.asleep = asleep
        self.table.robots.thinker = self.table.hints.thinker = self.minds
        self.core.on_connect(self._connected)
        self.core.start()
        self.pump()

    def _connected(self) -> None:
        self.table.publish(())
        self.door.readmit()

    def stop(self) -> None:
        """The core ends; what it wrote stays."""
        self.core.stop()
        self._open.close()

    def restart(self) -> None:
        """The core ends and comes back; who only watched has to come in again."""
        self.stop()
        self.guests = [guest for guest in self.guests if guest.seat is not None]
        self.start(asleep=True)
        self.minds.asleep = False

    def pump(self) -> None:
        """Until everybody has heard everything."""
        while self.core.pump() + self.people.pump():
            pass

    def readable(self) -> None:
        """Everybody who listens can read what stands there."""
        for topic, payload in self.broker.kept.items():
            decode(topic, payload)

    @property
    def session(self) -> Session | None:
        """The game on the table."""
        return self.table.session

    # requests --------------------------------------------------------------------------------------------------

    def _answered(self, topic: str, message: Any) -> None:
        self._answers[message.id] = message

    def ask(self, client: str, move: Any, name: str = "", **more: Any) -> Answer | None:
        """A move as a client sends it; nothing comes back for what is not even a message."""
        self.asked += 1
        name = name or f"m{next(self._numbers)}"
        if client != SCREEN and self.session is not None:
            more.setdefault("seq", self.session.seq)  # a phone names the prompt it answers, as the page does
        request = msgspec.to_builtins(MoveRequest(id=name, **more)) | {"move": move}
        # not our own encoder: a stranger's message may hold numbers it would never write
        self.people.publish(f"move/{client}", json.dumps(request).encode())
        self.pump()
        return self._answers.pop(name, None)

    def order(self, command: Any, **args: Any) -> Answer:
        """What only the screen may order."""
        name = f"a{next(self._numbers)}"
        self.people.publish("admin", Admin(id=name, client=SCREEN, command=command, args=args))
        self.pump()
        end = time.monotonic() + SCREEN_SECONDS
        while (
            name not in self._answers and time.monotonic() < end
        ):  # finished games are looked up in a thread of their own
            self.core.pump(0.05)
            self.pump()
        return self._answers.pop(name)

    def see(self) -> None:
        """Camera or dial say how the table lies, or might lie."""
        if self.session is not None:
            self.people.publish(*glance(self.session, self._chance))
            self.pump()

    def look_away(self) -> None:
        """Camera and dial are switched off: what they saw last is nothing to go by when the table comes back."""
        self.people.publish("sensor/market", MarketSeen(state="no camera", ts=0.0))
        self.people.publish("sensor/dial", DialSeen(state="no dial", ts=0.0))
        self.pump()

    # phones ----------------------------------------------------------------------------------------------------

    def at(self, seat: int | None) -> Guest | None:
        """The phone at a seat, or one that watches."""
        return next((guest for guest in self.guests if guest.seat == seat), None)

    def join(self, seat: int | None, name: str = "") -> bool:
        """A phone comes in by the code on the screen, perhaps with a name of its own."""
        request = JoinRequest(code=self.table.seats.code, seat=seat, name=name, language="en")
        return self._enter(request, "")

    def come_back(self, guest: Guest) -> bool:
        """A phone that was switched off shows its key; its connection had been heard to end."""
        self.people.publish(f"here/{guest.client}", Here(here=False, line=guest.line))
        self.pump()
        self.guests.remove(guest)
        return self._enter(JoinRequest(token=guest.token), guest.cookie)

    def leave(self, guest: Guest) -> None:
        """Somebody stands up."""
        self.guests.remove(guest)
        answer: Future[bytes | JoinRefused] = Future()
        self.core.call(lambda: self.door.leave(guest.token, guest.cookie, "here", answer))
        self.pump()

    def _enter(self, request: JoinRequest, cookie: str) -> bool:
        answer: Future[Joined | JoinRefused] = Future()
        self.core.call(lambda: self.door.join(request, cookie, "here", answer))
        self.pump()
        found = answer.result(0)
        if not isinstance(found, Joined):
            return False
        guest = Guest(found.client, found.seat, found.token, found.cookie, f"line-{next(self._numbers)}")
        self.guests.append(guest)
        self.people.publish(f"here/{guest.client}", Here(here=True, line=guest.line))
        self.pump()
        return True
