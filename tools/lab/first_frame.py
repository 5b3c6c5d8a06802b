"""From the switch to the first picture: a machine of its own is started twice, and asked when its screen showed something."""

from __future__ import annotations

from typing import Any

from tools.lab.guest import SLOW, Guest
from tools.lab.native import PICTURE, Native
from tools.lab.place import LabError

STARTS = ("first", "again")
READY = "systemctl show -P ActiveEnterTimestampMonotonic tableside-display.service"


def first_frame(guest: Guest) -> dict[str, Any]:
    """From the same disk: as it comes from the installer, and the day after."""
    machine = Native("first-frame")
    machine.cut()
    machine.fresh(guest.machine.folder.with_name("disk.img"))
    try:
        found = {name: _started(machine) for name in STARTS}
    finally:
        machine.cut()
    return {"ok": all(one["waited"] for one in found.values()), **found}


def _started(machine: Native) -> dict[str, Any]:
    """Seconds after its kernel's start, and seconds its processor worked for it."""
    machine.start()
    inside = Guest(machine)
    inside.until_up()
    at, waited = inside.run("python3 - first", given=PICTURE.read_text(), seconds=SLOW).split()
    busy = machine.busy()
    inside.run("systemctl is-system-running --wait", check=False, seconds=SLOW)
    ready = int(inside.run(READY)) / 1e6
    if not machine.stop():
        raise LabError("it had to be cut")
    return {"at": float(at), "waited": waited == "1", "busy": busy, "ready": ready}


def words(seen: dict[str, Any]) -> str:
    """Its row among the figures."""
    first, again = (seen[name] for name in STARTS)
    return (
        f"from the kernel's start to a picture on the screen {first['at']:.0f} s with a disk as the installer leaves it, "
        f"{again['at']:.0f} s the next time ({first['busy']:.0f} and {again['busy']:.0f} s of its processor); "
        f"its room said it was ready at {first['ready']:.0f} and {again['ready']:.0f} s"
    )
