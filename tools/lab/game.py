"""A whole game of Skytopia on the machine's own drivers."""

from __future__ import annotations

import tempfile
from pathlib import Path
from typing import Any

from companion.virtual.result import passed, report
from tools.lab.devices import Devices
from tools.lab.guest import SLOW, Guest
from tools.lab.kernel_log import stopped, unexpected
from tools.lab.world import STATE, World, bots, lent, until
from vision.cards.album import FOLDER, USUAL, keep
from vision.cards.recognition import CardBook
from vision.virtual.cardface import face


def play(guest: Guest, *, seed: int = 1, limit: int = 0) -> dict[str, Any]:
    """From new game to tally; the report of the demo, what the dial's pins had to say, and what the kernel stopped."""
    devices = Devices(guest)
    teach(guest)
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
    found["unexpected"] = unexpected(stopped(guest))
    return found


def teach(guest: Guest) -> None:
    """The pictures of all cards, as a table has them whose people have shown it theirs: the camera is a real one to the room."""
    with tempfile.TemporaryDirectory(prefix="tableside-lab-") as folder:
        book, place = CardBook(), Path(folder) / FOLDER
        place.mkdir()
        for card in USUAL:
            book.teach(card, face(card))
            keep(place, book, card)
        guest.put([place], Path(folder), STATE)
    guest.run(f"chown -R tableside: {STATE}/{FOLDER} && systemctl restart tableside-vision.service")
    until(
        lambda: guest.run("systemctl is-active tableside-vision", check=False).strip() == "active",
        SLOW,
        "the camera's room",
    )
