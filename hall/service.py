"""The hall's own process: hears both brokers, stores results, says what the organiser says.

It has no state but PostgreSQL's, so it may be killed at any time, and several may run at once.

Listeners run in the event loop: `hears` gets every news of a table, `stored` is called when the store has changed, `gone` with
the name of a table that was revoked, `born` when Home Assistant has started.
"""

from __future__ import annotations

import asyncio
import logging
import threading
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import TypeVar

import msgspec

from companion.wire.hall import HallHere, Result, Stored
from hall.brokers import HALL, OWN, own_password
from hall.database import Database, TooManyError
from hall.floods import AT_ONCE, Floods
from hall.home import BIRTH
from hall.line import Line
from hall.merged import Merged
from hall.messages import HEARD, HOME, Said, heard
from hall.settings import Settings
from hall.store import NotKeptError, StoreAwayError

log = logging.getLogger("tableside.hall")

T = TypeVar("T")
LOOK = 0.5
"""Seconds between two looks whether somebody changed the store."""
RETRY = 0.3
SENT_AWAY = 3.0
"""Seconds after which the brokers have surely sent a revoked table away."""
BIRTH_WEIGHS = AT_ONCE / 10
"""As many words: a birth of Home Assistant has every table told again."""


class Service:
    """Brokers and store, joined."""

    def __init__(self, settings: Settings, folder: Path, dsn: str) -> None:
        self.settings, self.store = settings, Database(dsn)
        self.hears: list[Callable[[Said], None]] = []
        self.stored: list[Callable[[], None]] = []
        self.gone: list[Callable[[str], None]] = []
        self.born: list[Callable[[], None]] = []
        """Called when Home Assistant says that it has started."""
        self.invited: frozenset[str] = frozenset()
        self.refused = 0
        """Messages that were no table's word."""
        self._dsn = dsn
        self._merged = Merged()
        self._floods = [Floods(self._flooded) for _ in settings.ports]
        self._sending_away: set[asyncio.Task[None]] = set()
        self._loop: asyncio.AbstractEventLoop | None = None
        self._worker = ThreadPoolExecutor(1, "store")
        self._results: dict[str, Result] = {}
        """Table -> what it wants stored; the latest, because it says them one at a time."""
        self._results_changed = threading.Condition()
        self._stopping = False
        self._hall_id = ""
        user, pinned = (HALL, own_password(folder)), folder / "hall.pem"
        addresses = settings.addresses or ("127.0.0.1",)
        self.lines = [
            Line(
                # a broker of this machine is reached here, whatever its address is called elsewhere
                ("127.0.0.1" if number in settings.brokers else addresses[number % len(addresses)], port),
                user,
                pinned,
                lambda topic, payload, number=number: self._heard(number, topic, payload),  # type: ignore[misc]
                lambda up, number=number: self._line_changed(number, up),  # type: ignore[misc]
                (*HEARD, BIRTH) if settings.home_assistant else HEARD,
            )
            for number, port in enumerate(settings.ports)
        ]

    # in the lines' threads -------------------------------------------------------------------------------------

    def _heard(self, number: int, topic: str, payload: bytes) -> None:
        birth = topic == BIRTH
        speaker = HOME if birth else topic.split("/", 2)[1]
        if not self._floods[number].hears(speaker, BIRTH_WEIGHS if birth else 1):
            return
        if birth:
            for listener in self.born if payload == b"online" else ():
                self._call(listener)
            return
        try:
            said = heard(topic, payload)
        except ValueError as wrong:
            self.refused += 1
            log.warning("left out: %s", str(wrong)[:200])
            return
        if said.what == "result":
            if isinstance(said.message, Result):
                with self._results_changed:
                    self._results[said.table] = said.message
                    self._results_changed.notify()
            return
        self._call(lambda: self._tell(self._merged.hear(number, said)))

    def _flooded(self, table: str) -> None:
        def begin() -> None:
            sending = asyncio.ensure_future(self._send_away(table))
            self._sending_away.add(sending)
            sending.add_done_callback(self._sending_away.discard)

        self._call(begin)

    def _line_changed(self, number: int, up: bool) -> None:
        log.info("broker %s is %s", number, "there" if up else "away")
        if not up:
            self._call(lambda: self._tell(self._merged.lost(number)))

    def _call(self, work: Callable[[], None]) -> None:
        if self._loop is not None and not self._loop.is_closed():
            self._loop.call_soon_threadsafe(work)

    # in the event loop -----------------------------------------------------------------------------------------

    def _tell(self, news: list[Said]) -> None:
        for said in news:
            for listener in self.hears:
                listener(said)

    async def in_store(self, work: Callable[[Database], T]) -> T:
        """Run something on the store, in its thread; raises `StoreAwayError` while PostgreSQL is away."""
        return await asyncio.get_running_loop().run_in_executor(self._worker, lambda: work(self.store))

    def publish(self, topic: str, payload: bytes, kept: bool) -> None:
        """On both brokers; what they keep is said again whenever one is back."""
        for line in self.lines:
            if kept:
                line.again(topic, payload)
            else:
                line.say(topic, payload)

    async def start(self) -> None:
        """Lines up, and results flow."""
        self._loop = asyncio.get_running_loop()
        for line in self.lines:
            line.start()
        threading.Thread(target=self._store_results, name="results", daemon=True).start()

    async def watch_store(self) -> None:
        """For ever: say what the organiser says, and tell listeners that something changed."""
        seen: object = None
        while True:
            try:
                version = await self.in_store(Database.version)
                if version != seen:
                    await self._say_all()
                    await self._forget_revoked()
                    seen = version
                    for listener in self.stored:
                        listener()
            except StoreAwayError as wrong:
                log.warning("PostgreSQL is away: %s", wrong)
            await asyncio.sleep(LOOK)

    async def _say_all(self) -> None:
        self._hall_id = await self.in_store(Database.hall_id)
        here = HallHere(hall=self._hall_id, name=self.settings.name)
        said = await self.in_store(Database.sayings)
        for line in self.lines:
            line.keep("hall/all/here", msgspec.json.encode(here))
            for topic, payload in said.items():
                line.keep(topic, payload)

    async def _forget_revoked(self) -> None:
        """No last will speaks for a table that is sent away: what the brokers keep of it is taken back here."""
        invited = frozenset(await self.in_store(Database.invited))
        for table in self.invited - invited:
            asyncio.get_running_loop().call_later(SENT_AWAY, self._forget, table)
        self.invited = invited

    async def _send_away(self, table: str) -> None:
        """It says too much: its invitation is taken back, and the organiser finds that in the trail."""
        log.warning("%s says far more than anybody plays: its invitation is taken back", table)
        while not self._stopping:
            try:
                await self.in_store(lambda store: store.send_away(table, "guard", f"flood {table}"))
            except StoreAwayError:
                await asyncio.sleep(RETRY)
            else:
                return

    def _forget(self, table: str) -> None:
        flooded = [floods.forget(table) for floods in self._floods]
        for line in self.lines:
            for topic in OWN:
                line.say(f"tables/{table}/{topic}", b"", retain=True)
            if any(flooded):
                line.listen()  # what others said meanwhile may have found the broker's queue full
        self._merged.forget(table)
        for listener in self.gone:
            listener(table)

    def stop(self) -> None:
        """Nothing is lost: what is not stored is still at its table."""
        self._stopping = True
        with self._results_changed:
            self._results_changed.notify()
        for line in self.lines:
            line.stop()
        self._worker.shutdown()
        self.store.close()

    # in a thread of its own ------------------------------------------------------------------------------------

    def _store_results(self) -> None:
        """Disk first, then the receipt; a table that hears none says it again."""
        store = Database(self._dsn)
        while not self._stopping:
            with self._results_changed:
                self._results_changed.wait_for(lambda: self._results or self._stopping)
                batch, self._results = self._results, {}
            for table, result in batch.items():
                while not self._stopping and not self._store_one(store, table, result):
                    threading.Event().wait(RETRY)
        store.close()

    def _store_one(self, store: Database, table: str, result: Result) -> bool:
        try:
            store.record(table, [result])
            hall = self._hall_id = self._hall_id or store.hall_id()
        except StoreAwayError as wrong:
            log.warning("a result of %s waits: PostgreSQL is away: %s", table, wrong)
            return False
        except (TooManyError, NotKeptError) as wrong:
            log.warning("a result of %s is not taken: %s", table, wrong)
            return True  # no receipt: the table keeps it and says it again
        receipt = msgspec.json.encode(Stored(hall=hall, game_id=result.game_id, seq=result.seq))
        for line in self.lines:
            line.say(f"hall/{table}/stored", receipt)
        return True
