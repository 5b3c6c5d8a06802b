"""MicroPython's `neopixel` for a ring that is not there: what it would show is written to a pipe."""

import os


class NeoPixel:
    """A ring of lights."""

    def __init__(self, pin, n):
        self._colours = [(0, 0, 0)] * n
        self._out = open(int(os.getenv("TABLESIDE_LIGHTS")), "wb")

    def __setitem__(self, i, colour):
        self._colours[i] = colour

    def write(self):
        """Show it."""
        self._out.write(bytes(part for colour in self._colours for part in colour))
