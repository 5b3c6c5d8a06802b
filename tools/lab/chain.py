"""One cut after the other on the native machine: every start is that of a disk as the last cut left it.

What is judged is a copy, so that nothing is mended for the machine: its own kernel replays the journal when it starts. Then the
table has to come back by itself, in the game it was cut in and with every row that is on the disk.
"""

from __future__ import annotations

import random
from pathlib import Path

import msgspec

from companion.wire.bus import Bus
from companion.wire.messages import Message, State
from companion.wire.room import connection
from tools.lab.cuts import LONGEST, Cut, Pad, judge
from tools.lab.guest import SLOW, Guest
from tools.lab.machine import copied
from tools.lab.native import Native
from tools.lab.world import heard, lent, until

QUIET = ("vision", "display", "speech")
"""Rooms that have nothing to do with what is on the disk: without them a start costs half as much."""
PLAYABLE = "systemctl show -P ActiveEnterTimestampMonotonic tableside-core.service"


class Chain:
    """A machine that is cut again and again."""

    def __init__(self, machine: Native, disk: Path) -> None:
        self.machine = machine
        machine.cut()
        machine.fresh(disk)
        self.started, self.busy = self._start()

    def one(self, seed: str) -> Cut:
        """Play, cut, judge, start again."""
        chance = random.Random(seed)
        with lent(Guest(self.machine)) as config:
            pad = Pad(config, chance)
            pad.begin()
            pad.fill(chance.uniform(0.5, LONGEST))
            self.machine.cut()
            # an answer that was on its way counts: it had left the table
            heard(pad.voice.bus, lambda: not pad.voice.bus.connected, 30, "the line going dead")
            acknowledged = pad.acknowledged
            pad.voice.bus.stop()
        found = self._judged(pad.game, acknowledged)
        self.started, self.busy = self._start()
        with lent(Guest(self.machine)) as config:
            state = shown(connection(config, "host"))
        back = (state.phase, state.game_id, state.seq) == ("playing", pad.game, found.rows)
        return msgspec.structs.replace(found, machine="native", started=self.started, busy=self.busy, back=back)

    def _judged(self, game: str, acknowledged: set[str]) -> Cut:
        copy = self.machine.folder / "judged.img"
        copied(self.machine.disk, copy)
        try:
            return judge(copy, game, acknowledged)
        finally:
            copy.unlink()

    def _start(self) -> tuple[float, float]:
        """The machine's own seconds to a playable table, and its processor's."""
        self.machine.start(append=" ".join(f"systemd.mask=tableside-{room}.service" for room in QUIET))
        guest = Guest(self.machine)
        guest.until_up()
        until(lambda: int(guest.run(PLAYABLE).strip() or 0), SLOW, "the core after a cut")
        busy = self.machine.busy()
        return int(guest.run(PLAYABLE)) / 1e6, busy


def control(machine: Native, disk: Path) -> Cut:
    """The same cut on a disk that only says it has flushed: what was answered must be missed, or the judging is worth nothing."""
    machine.cut()
    machine.fresh(disk)
    machine.start(forgetful=True)
    guest = Guest(machine)
    guest.until_up()
    with lent(guest) as config:
        pad = Pad(config, random.Random(0))
        pad.begin()
        pad.fill(LONGEST)
        machine.cut()
        heard(pad.voice.bus, lambda: not pad.voice.bus.connected, 30, "the line going dead")
        acknowledged = pad.acknowledged
        pad.voice.bus.stop()
    return judge(machine.disk, pad.game, acknowledged)


def shown(bus: Bus) -> State:
    """The first whole moment the table tells."""
    told: list[State] = []

    def hear(topic: str, message: Message | bytes) -> None:
        if isinstance(message, State):
            told.append(message)

    bus.subscribe("state", hear)
    bus.start()
    try:
        heard(bus, lambda: told, SLOW, "the table after a cut")
        return told[-1]
    finally:
        bus.stop()
