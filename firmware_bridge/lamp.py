"""What the ring of lights shows: pure, a message and a moment in, pixels out.

Whose turn it is shows as colour *and* as a pattern of arcs (as many as the corners of the seat's shape), so that nobody
needs to tell colours apart. The build position is one white light, a warning every other light in amber. The ring stays
dim enough for a USB port to feed.
"""

from __future__ import annotations

from companion.wire.messages import Lamp
from firmware_bridge.backend import Colour

COLOURS: dict[str, Colour] = {
    "sun": (255, 203, 71),
    "leaf": (31, 160, 127),
    "sky": (143, 208, 255),
    "coral": (238, 90, 60),
    "snow": (241, 236, 226),
    "plum": (183, 123, 224),
}
WHITE: Colour = (255, 255, 255)
AMBER: Colour = (255, 120, 0)
DARK: Colour = (0, 0, 0)
BRIGHTNESS = 0.25
MOST_MILLIAMPS = 400
MILLIAMPS_PER_CHANNEL = 20
BLINK = 1.0
# arcs round the ring, and how much of each is lit
PATTERNS: dict[str, tuple[int, float]] = {
    "circle": (1, 1.0),
    "diamond": (2, 0.5),
    "triangle": (3, 0.5),
    "square": (4, 0.5),
    "cross": (4, 0.2),
    "hexagon": (6, 0.5),
}


def pixels(lamp: Lamp, leds: int, positions: int, now: float) -> tuple[Colour, ...]:
    """The whole ring at `now` seconds; empty when there is no ring."""
    if leds <= 0:
        return ()
    ring = [DARK] * leds
    if lamp.pattern != "off" and lamp.seat is not None:
        arcs, share = PATTERNS[lamp.pattern]
        colour = COLOURS.get(lamp.colour, WHITE)
        ring = [colour if _lit(i, leds, arcs, share) else DARK for i in range(leds)]
    if lamp.warning and now % BLINK < BLINK / 2:
        ring = [AMBER if i % 2 == 0 else colour for i, colour in enumerate(ring)]
    if lamp.build is not None and positions > 0:
        ring[round(lamp.build % positions * leds / positions) % leds] = WHITE
    return _dimmed(ring)


def _lit(i: int, leds: int, arcs: int, share: float) -> bool:
    """Arcs begin at the top; each has at least one light."""
    place = i * arcs / leds % 1.0
    return place < share or place < arcs / leds * 0.5


def _dimmed(ring: list[Colour]) -> tuple[Colour, ...]:
    """Never more than a USB port can feed, whatever is asked for."""
    drawn = sum(sum(colour) for colour in ring) / 255 * MILLIAMPS_PER_CHANNEL * BRIGHTNESS
    scale = BRIGHTNESS * min(1.0, MOST_MILLIAMPS / drawn if drawn else 1.0)
    return tuple((int(r * scale), int(g * scale), int(b * scale)) for r, g, b in ring)
