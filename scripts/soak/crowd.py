"""People with phones who watch a game, come and go: some say goodbye, some close the browser, some wake up and come back."""

from __future__ import annotations

import json
import multiprocessing
import random
import selectors
import time
import urllib.error
import urllib.request
from typing import Any

from benches.phones import Phone
from companion.wire.config import Config

COUNTS = ("watching", "joined", "returned", "left", "refused", "dropped", "deaf")
GOODBYE = b"\x82\x82\0\0\0\0\xe0\0"
"""MQTT's DISCONNECT in a WebSocket frame."""
Key = tuple[str, str]
"""Both halves of a phone's key: the page's and the cookie."""


class Crowd:
    """The watchers, in a process of their own: the measuring stick must not slow down what it measures."""

    def __init__(self, config: Config, wanted: int) -> None:
        self._code = multiprocessing.Array("c", 16)
        self._counts = multiprocessing.Array("i", len(COUNTS))
        self._stop = multiprocessing.Event()
        arguments = (config, wanted, self._code, self._counts, self._stop)
        self._process = multiprocessing.Process(target=_come_and_go, args=arguments, daemon=True)
        self._process.start()

    def show(self, code: str) -> None:
        """The code on the screen; none between two games."""
        self._code.value = code.encode()

    def count(self, what: str) -> int:
        """How many did that so far."""
        return int(self._counts[COUNTS.index(what)])

    def end(self) -> None:
        """Everybody goes home."""
        self._stop.set()
        self._process.join(10)


def _come_and_go(config: Config, wanted: int, code: Any, counts: Any, stop: Any) -> None:
    crowd, run = Watchers(config, wanted), multiprocessing.parent_process()
    while not stop.is_set() and (run is None or run.is_alive()):  # a crowd whose table was killed goes home, too
        crowd.code = code.value.decode()
        crowd.come(max(5, wanted // 10))
        crowd.listen(1.0)
        if len(crowd.here) >= 0.9 * wanted:
            crowd.go(wanted // 20)
        for at, what in enumerate(COUNTS):
            counts[at] = len(crowd.here) if what == "watching" else getattr(crowd, what)


class Guest:
    """One phone that watches."""

    def __init__(self, session: dict[str, Any], key: Key, port: int) -> None:
        self.key, self.since, self.heard = key, time.monotonic(), 0
        self.phone = Phone(session, port, self._hears)

    def _hears(self, seq: int) -> None:
        self.heard += 1


class Watchers:
    """All who are here, and those whose phone sleeps."""

    def __init__(self, config: Config, wanted: int) -> None:
        self.config, self.wanted = config, wanted
        self.code = ""
        self.chance = random.Random(1)
        self.here: list[Guest] = []
        self.asleep: list[Key] = []
        self.joined = self.returned = self.left = self.refused = self.dropped = self.deaf = 0
        self._watch = selectors.DefaultSelector()
        self._url = f"http://127.0.0.1:{config.web.port}"
        self._cookie = f"tableside-{config.table.id}"

    def listen(self, seconds: float) -> None:
        """Take in what arrives."""
        end = time.monotonic() + seconds
        while (rest := end - time.monotonic()) > 0:
            for key, _ in self._watch.select(rest):
                try:
                    key.data.phone.read()
                    alive = key.data.phone.line.fileno() >= 0
                except (OSError, ValueError, IndexError):
                    alive = False
                if not alive or self._hung_up(key.data):
                    self._forget(key.data)
                    self.dropped += 1

    @staticmethod
    def _hung_up(guest: Guest) -> bool:
        """The table showed this phone the door (a game ended)."""
        try:
            return guest.phone.line.recv(1, 0x42) == b""  # MSG_PEEK | MSG_DONTWAIT
        except BlockingIOError:
            return False
        except OSError:
            return True

    def _forget(self, guest: Guest) -> None:
        self._watch.unregister(guest.phone.line)
        guest.phone.line.close()
        self.here.remove(guest)

    def come(self, count: int) -> None:
        """Some more, as far as there is room for them; whose phone only slept comes back with its key."""
        if not self.code:
            self.asleep.clear()  # the game is over: no key opens anything any more
            return
        for _ in range(min(count, self.wanted - len(self.here))):
            key = self.asleep.pop(0) if self.asleep and self.chance.random() < 0.5 else None
            if not self._enter(key):
                self.refused += 1
                self.asleep.clear()
                return  # the code is another by now; guessing on would be slowed down, as it should be

    def _enter(self, key: Key | None) -> bool:
        wish = {"token": key[0]} if key else {"code": self.code, "seat": None, "name": "", "language": "pl"}
        answer = self._post("/join", wish, key[1] if key else "")
        if answer is None:
            return False
        session, cookie = answer
        try:
            guest = Guest(session, (session["token"], cookie), self.config.broker.websocket_port)
        except OSError:
            return False
        self.here.append(guest)
        self._watch.register(guest.phone.line, selectors.EVENT_READ, guest)
        if key:
            self.returned += 1
        else:
            self.joined += 1
        return True

    def _post(self, path: str, body: dict[str, Any], cookie: str) -> tuple[dict[str, Any], str] | None:
        """What the door says, and the cookie it gives."""
        head = {"Cookie": f"{self._cookie}={cookie}"} if cookie else {}
        request = urllib.request.Request(self._url + path, json.dumps(body).encode(), head)
        try:
            with urllib.request.urlopen(request, timeout=10) as answer:
                given = str(answer.headers.get("Set-Cookie") or "").partition(";")[0].partition("=")[2]
                return dict(json.loads(answer.read())), given
        except (urllib.error.URLError, OSError):
            return None

    def go(self, count: int) -> None:
        """Some leave: a third through the door, a third hang up, the others fall asleep without a word."""
        door = True
        for guest in self.chance.sample(self.here, min(count, len(self.here))):
            if time.monotonic() - guest.since > 20 and not guest.heard:
                self.deaf += 1
            match self.chance.randrange(3):
                case 0 if (
                    door
                ):  # shut as soon as a key is refused: the game is over, and wrong keys make everybody wait
                    door = self._post("/leave", {"token": guest.key[0]}, guest.key[1]) is not None
                case 0 | 1:
                    try:
                        guest.phone.line.sendall(GOODBYE)
                    except OSError:
                        self.dropped += 1
                case _:
                    self.asleep.append(guest.key)
            self._forget(guest)
            self.left += 1
