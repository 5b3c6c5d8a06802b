"""Where counts can come from, by the name in the settings."""

from __future__ import annotations

import time
from collections.abc import Sequence

from companion.wire.config import DialConfig
from firmware_bridge.backend import REST, Backend, Colour, Lost, Report, nobody
from firmware_bridge.troubles import trouble


class NoDial:
    """A table without an encoder: everything is entered by touch."""

    leds = 0

    def __init__(self) -> None:
        self.wake = nobody
        self._news: list[Report] = [Lost(trouble("none"))]

    def start(self) -> None:
        """Nothing to open."""

    def poll(self) -> Sequence[Report]:
        """That there is none, once."""
        news, self._news = self._news, []
        return news

    def now(self) -> float:
        """No edges, so any clock will do."""
        return time.monotonic()

    def patience(self) -> float:
        """Nothing will happen."""
        return REST

    def show(self, pixels: Sequence[Colour]) -> None:
        """No ring either."""

    def figures(self) -> dict[str, float | int | str | bool]:
        """Nothing to tell."""
        return {}

    def stop(self) -> None:
        """Nothing to close."""


def open_backend(config: DialConfig) -> Backend:
    """The source named in the settings; heavy libraries come only with the one that needs them."""
    if config.source == "gpio":
        from firmware_bridge.gpio import GpioDial

        return GpioDial(config)
    if config.source == "serial":
        from firmware_bridge.serial_link import SerialDial

        return SerialDial(config.port)
    if config.source == "virtual" and config.virtual_level == "serial":
        from firmware_bridge.virtual_board import VirtualSerialDial

        return VirtualSerialDial(config)
    if config.source == "virtual":
        from firmware_bridge.virtual import VirtualDial

        return VirtualDial(config)
    return NoDial()
