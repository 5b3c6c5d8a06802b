"""MicroPython's `machine` for a board that is not there: its pins move as bytes come in on a pipe.

Each byte is the level of all pins: 1 is A, 2 is B, 4 the button, 8 the index. `idle` takes what has come and calls
the interrupt handlers edge by edge, as the hardware would.
"""

import os
import select

import settings

_BITS = {settings.PIN_A: 1, settings.PIN_B: 2, settings.PIN_BUTTON: 4, settings.PIN_INDEX: 8}
_pins = {}
_levels = 15
_world = open(int(os.getenv("TABLESIDE_WORLD")), "rb")
_poller = select.poll()
_poller.register(_world, select.POLLIN)
_buffer = bytearray(256)


class Pin:
    """One leg of the chip."""

    IN, OUT, PULL_UP = 0, 1, 2
    IRQ_RISING, IRQ_FALLING = 1, 2

    def __init__(self, number, mode, pull=None):
        self.number = number
        self.bit = _BITS.get(number, 0)
        self.handler = None
        self.trigger = 0
        _pins[self.bit] = self

    def value(self):
        """High is 1."""
        return 1 if _levels & self.bit else 0

    def irq(self, handler, trigger, hard=False):
        """Remember whom to call."""
        self.handler, self.trigger = handler, trigger


def unique_id():
    """The id of the board that is not there."""
    return (os.getenv("TABLESIDE_BOARD") or "virtual").encode()


def idle():
    """Wait a moment for something to happen, and let it happen."""
    global _levels
    if not _poller.poll(1):
        return
    size = _world.readinto(_buffer)
    if size == 0:
        raise SystemExit
    for i in range(size or 0):
        new = _buffer[i]
        changed = new ^ _levels
        _levels = new
        bit = 1
        while changed:
            if changed & 1:
                pin = _pins.get(bit)
                if pin and pin.handler and pin.trigger & (Pin.IRQ_RISING if new & bit else Pin.IRQ_FALLING):
                    pin.handler(pin)
            changed >>= 1
            bit <<= 1
