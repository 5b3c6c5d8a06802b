"""A system that is never written to, and a state that is: cut in mid-game, the table comes back with every answered move."""

from __future__ import annotations

import random
import subprocess
from pathlib import Path
from typing import Any

from companion.wire.room import connection
from tools.lab.chain import PLAYABLE, QUIET, shown
from tools.lab.cuts import Pad, judge
from tools.lab.guest import SLOW, Guest
from tools.lab.native import Native
from tools.lab.place import cache
from tools.lab.world import STATE, heard, lent, until

FIRST = "/etc/tableside-lab/overlay.sh"
FORGOTTEN = "/etc/tableside-lab/written-into-the-layer"
SIZE = "256M"
SECONDS = 3.0


def read_only(guest: Guest) -> dict[str, Any]:
    """On a machine of its own, made from the same disk."""
    machine, state = Native("readonly"), cache() / "readonly" / "state.img"
    machine.cut()
    machine.fresh(guest.machine.folder.with_name("disk.img"))
    state.unlink(missing_ok=True)
    bare = str(cache() / "root") + STATE
    subprocess.run(["mke2fs", "-q", "-t", "ext4", "-d", bare, str(state), SIZE], check=True)
    try:
        inside = _started(machine, state)
        inside.run(f"touch {FORGOTTEN}")
        with lent(inside) as config:
            pad = Pad(config, random.Random(1))
            pad.begin()
            pad.fill(SECONDS)
            written = int(inside.run(f"cat /sys/block/{machine.drive}/stat").split()[6])
            machine.cut()
            heard(pad.voice.bus, lambda: not pad.voice.bus.connected, 30, "the line going dead")
            acknowledged = pad.acknowledged
            pad.voice.bus.stop()
        again = _started(machine, state)
        forgot = again.run(f"ls {FORGOTTEN}", check=False).strip() == ""
        with lent(again) as config:
            state_now = shown(connection(config, "host"))
    finally:
        machine.cut()
    found = judge(state, pad.game, acknowledged, "/games")
    back = (state_now.game_id, state_now.seq) == (pad.game, found.rows)
    return {
        "ok": back and forgot and not (written or found.lost or found.doubled),
        "acknowledged": len(acknowledged),
        "lost": found.lost,
        "back": back,
        "written": written,
    }


def _started(machine: Native, state: Path) -> Guest:
    masked = " ".join(f"systemd.mask=tableside-{room}.service" for room in QUIET)
    machine.start(append=f"ro ubd1={state} {masked} init=/bin/sh -- {FIRST}")
    guest = Guest(machine)
    guest.until_up()
    until(lambda: int(guest.run(PLAYABLE).strip() or 0), SLOW, "the core on a system that is read-only")
    return guest
