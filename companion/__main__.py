"""The core as one process: `python -m companion`, as the supervisor or systemd starts it."""

from __future__ import annotations

import argparse
import os
import signal
import sys
import threading
from typing import Any

from companion.core import registry
from companion.core.care import AGAIN, restore_if_wanted
from companion.core.lastwords import LastWords, left_out
from companion.core.startup import attempt, only_core, patiently
from companion.core.table import Table
from companion.core.watch import watch
from companion.door.join import Door
from companion.door.page_server import Web
from companion.journal.store import Journal
from companion.machine import swap
from companion.wire.process import own_address
from companion.wire.room import Room

STACK = 1 << 20
"""Bytes for each further thread: the memory a core may have (`supervisor.MEMORY`) is for games, not for empty stacks."""

MOMENT = 3.0
"""Seconds a new code has stood before a terminal is told: when everybody sits down at once, only the last is worth printing."""


class Core:
    """Table, door and page of one process."""

    def __init__(self, room: Room) -> None:
        self.room = room
        self.journal = Journal(room.config.state_dir / "games")
        self.table = Table(room.config, room.bus, self.journal)
        self.door = Door(self.table)
        self.web: Web | None = None
        self._announced, self._changed = "", 0.0
        """The way in as it was last printed, and since when another one holds."""
        try:
            self.web = Web(room.config, self.door, room.bus.call)
            self.table.join_address = self.web.address
        except OSError as wrong:
            room.log.error("the phone page cannot be served on port %s: %s", room.config.web.port, wrong.strerror)
        room.bus.on_connect(self._connected)

    def _connected(self) -> None:
        """First everything that is true, then the phones that may hear it."""
        self.table.publish(())
        self.door.readmit()
        self.announce()

    def announce(self, now: float | None = None) -> None:
        """On a terminal: where phones join, as text and as a picture to scan. A code is good for one phone, so the next one is
        said when it has stood for a moment; the picture again only where no screen shows it. Where phones are known to come by
        themselves, as those of a demo's bots do, nothing is said before they have taken the codes they need."""
        join = self.table.announcer.join_info()
        sitting = sum(phone.seat is not None for phone in self.table.seats.phones.values())
        if not self._announced and sitting < int(os.environ.get("TABLESIDE_PRINT_JOIN_AFTER") or 0):
            return
        if join is None or not os.environ.get("TABLESIDE_PRINT_JOIN") or self._announced == join.url:
            self._changed = 0.0
            return
        if self._announced and now is not None:
            self._changed = self._changed or now
            if now < self._changed + MOMENT:
                return
        first, self._announced = not self._announced, join.url
        import segno

        sys.stderr.write(f"\nPhones join at {join.url}\n\n")
        if sys.stderr.isatty() and (first or not (os.environ.get("DISPLAY") or os.environ.get("WAYLAND_DISPLAY"))):
            segno.make(join.url, micro=False).terminal(out=sys.stderr, compact=True, border=2)
        sys.stderr.flush()

    def close(self) -> None:
        """Nobody is served any more, and everything is on disk."""
        if self.web:
            self.web.stop()
        self.table.robots.close()
        self.table.hints.close()
        self.table.archive.close()
        self.table.care.close()
        self.journal.close()

    def step(self, now: float) -> None:
        """Little to do by the clock: everything else answers to messages."""
        self.room.health(
            journal=self.table.session.seq if self.table.session else 0,
            phones=len(self.table.seats.phones),
            refused=self.room.bus.refused,
            unclean_shutdowns=self.journal.unclean,
        )
        self.announce(now)
        self.table.hall.step(now)
        self.table.robots.thinker.look_after()
        self.table.hints.thinker.look_after()
        if self.table.care.restart:
            self.room.stopping = True
        if self.table.shut_down:
            self.room.stopping = True
            if self.room.config.broker.own and os.environ.get("TABLESIDE_SUPERVISOR"):
                os.kill(int(os.environ["TABLESIDE_SUPERVISOR"]), signal.SIGTERM)


def _announced(core: Core) -> Any:
    """The table's name on the network, when the owner wants one."""
    config = core.room.config
    address = own_address()
    if not config.web.mdns or core.web is None or address.startswith("127."):
        return None
    from companion.door.mdns import Announcement

    return Announcement(config.table.id, config.table.name, address, config.web.port)


def _stand_watch(room: Room) -> None:
    """From now on no pack keeps the core from its work, and one that took the last core with it is left out."""
    threading.stack_size(STACK)
    last: LastWords | None = None
    try:
        last = LastWords(room.config.state_dir)
        for game in left_out(room.config.state_dir, last, registry.fingerprint):
            registry.leave_out(game)
        last.listen()
    except OSError as wrong:
        room.log.warning(
            "nothing can be written, so a pack that stops the core is not known at the next start: %s", wrong
        )
    watch.stand(room.notifier.alive, last)


def main() -> int:
    """Run until told to stop."""
    argparse.ArgumentParser(prog="python -m companion", description=__doc__).parse_args()
    room = Room("companion")
    lock = only_core(room.config.state_dir)
    if lock is None:
        sys.stderr.write("Another core has these games open. Stop it, or give this one its own TABLESIDE_STATE_DIR.\n")
        return 1
    swap.finish(room.config.state_dir)
    restore_if_wanted(room.config)
    _stand_watch(room)
    core = attempt(room, Core)
    with lock, room:
        if core is None:
            core = patiently(room, Core)
            if core is None:
                return 0
            core._connected()
        if core.web:
            core.web.start()
        name = _announced(core)
        room.run(core.step, period=1.0)
        if name is not None:
            name.stop()
    core.close()
    return AGAIN if core.table.care.restart else 0


if __name__ == "__main__":
    raise SystemExit(main())
