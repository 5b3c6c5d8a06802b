"""A panel that hangs upside down: the picture is turned by the settings, and a finger means what is under it.

On the first page of the first steps, with a card for each language: a finger that is not turned would mix up the outer two.
"""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import cv2
import numpy as np
from numpy.typing import NDArray

from tools.lab.devices import Devices
from tools.lab.guest import Guest
from tools.lab.place import cache
from tools.lab.world import STATE, until

SETTINGS = "/etc/tableside/tableside.toml"
CHOSEN = f"{STATE}/settings.toml"
CARDS = {"fr": (1 / 6, 0.5), "en": (5 / 6, 0.5)}
"""Where on the panel each card lies when it hangs upside down, as shares of its width and height."""
SOON = 60.0


def turned(guest: Guest) -> dict[str, Any]:
    """Both outer cards, each touched where it is seen."""
    straight, devices = _shown(guest), Devices(guest)
    with _upside_down(guest):
        until(lambda: np.array_equal(_shown(guest)[::-1, ::-1], straight), SOON, "the same picture upside down")
        until(lambda: _glass(guest), SOON, "a room that listens to the touchscreen")
        for language, (across, down) in CARDS.items():
            devices.do("touch", x=across, y=down)
            until(lambda: f'"{language}"' in guest.run(f"cat {CHOSEN}"), SOON, f"{language} chosen")  # noqa: B023
    devices.close()
    return {"ok": True}


def words(seen: dict[str, Any]) -> str:
    """Its row among the figures."""
    return "hung upside down (turn = 180): the same picture, pixel by pixel, and a finger chose the card under it, left and right"


def _glass(guest: Guest) -> bool:
    """The screen's room has the touchscreen open."""
    room = "$(systemctl show -P MainPID tableside-display)"
    return "/dev/input/event" in guest.run(f"ls -l /proc/{room}/fd")


def _shown(guest: Guest) -> NDArray[np.uint8]:
    path: Path = guest.machine.shot(cache() / "shots" / "turned.png")
    return np.asarray(cv2.imread(str(path)), np.uint8)


@contextmanager
def _upside_down(guest: Guest) -> Iterator[None]:
    again = "systemctl restart tableside-display"
    guest.run(f"cp -p {SETTINGS} {SETTINGS}.before; printf '\\n[display]\\nturn = 180\\n' >> {SETTINGS}; {again}")
    try:
        yield
    finally:
        guest.run(f"mv {SETTINGS}.before {SETTINGS}; {again}")
