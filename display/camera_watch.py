"""What the screen asks the camera's room by itself, while somebody looks at what the camera sees."""

from __future__ import annotations

import uuid
from typing import Any

from companion.wire.bus import Bus
from companion.wire.messages import Do
from display.view import View

EVERY = 1.0
"""Seconds between asking for the live picture to go on, and for how well the table can be read."""


class CameraWatch:
    """Remembers what was asked, so that the answer is kept under the name of the question."""

    def __init__(self, bus: Bus, client: str) -> None:
        self._bus, self._client = bus, client
        self._asked: dict[str, str] = {}
        self._due = 0.0

    def look(self, view: View, now: float, *, camera: bool) -> None:
        """Ask for what is looked at now: only then the camera sends it. `camera`: the table has one."""
        chooses = view.pick("scene") == "welcome" and view.pick("welcome-step") == "camera"
        watches = camera and (chooses or view.pick("scene") == "calibration")
        if not (watches or chooses) or now < self._due or not self._bus.connected:
            return
        self._due = now + EVERY
        if chooses:
            self._ask("cameras", {})
        if watches:
            self._ask("live start", {"seconds": 3, "fps": 4})
            self._ask("check", {})

    def _ask(self, command: str, args: dict[str, Any]) -> None:
        for old in list(self._asked)[:-8]:
            del self._asked[old]  # nobody answered: the camera is away
        order = Do(id=uuid.uuid4().hex, client=self._client, command=command, args=args)
        self._asked[order.id] = command
        self._bus.publish("do/vision", order)

    def asked(self, name: str) -> str:
        """What an answer is about; empty when it answers nothing that was asked here."""
        return self._asked.pop(name, "")
