"""A whole game of Skytopia on the machine's own drivers."""

from __future__ import annotations

from typing import Any

from companion.virtual.result import passed, report
from tools.lab.devices import Devices
from tools.lab.guest import Guest
from tools.lab.world import World, bots, lent


def play(guest: Guest, *, seed: int = 1, limit: int = 0) -> dict[str, Any]:
    """From new game to tally; the report of the demo, and what the dial's pins had to say."""
    devices = Devices(guest)
    devices.do("plug")
    with lent(guest) as config:
        world = World(config, devices)
        world.start()
        demo = bots(config, guest, seed=seed, limit=limit)
        result = demo.play()
        world.ending.set()
        world.join(10)
        if world.wrong is not None:
            result.problem = result.problem or str(world.wrong)
        bridge = demo.ears.health.get("firmware_bridge")
    devices.close()
    found = report(result)
    found["passed"] = passed(result)
    found["dial_edges"] = world.turned
    found["dial"] = {} if bridge is None else dict(bridge.figures)
    return found
