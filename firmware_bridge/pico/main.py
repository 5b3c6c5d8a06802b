"""The board's own start: pins and interrupts here, everything else in the pure modules."""

import os
import select
import sys
import time

import machine
import micropython
import settings
from board import CLOCK, Board
from quadrature import Counter

PULSE = machine.Pin.IRQ_RISING | machine.Pin.IRQ_FALLING


def pin(number):
    """An input that rests high, as contacts to ground want it."""
    return machine.Pin(number, machine.Pin.IN, machine.Pin.PULL_UP)


def watch(one, handler, trigger):
    """Call `handler` on edges, as close to the hardware as this board can."""
    try:
        one.irq(handler, trigger, hard=True)
    except (TypeError, ValueError):
        one.irq(handler, trigger)


def ring():
    """A function that shows pixels, and how many there are; none when no ring can be driven."""
    try:
        import neopixel

        strip = neopixel.NeoPixel(machine.Pin(settings.PIN_LEDS, machine.Pin.OUT), settings.LEDS)
    except (ImportError, ValueError):
        return (lambda pixels: None), 0

    def light(pixels):
        for i in range(settings.LEDS):
            strip[i] = (pixels[3 * i], pixels[3 * i + 1], pixels[3 * i + 2])
        strip.write()

    return light, settings.LEDS


def main():
    """Count edges in interrupts, speak frames on the USB serial line, until asked to leave."""
    a, b, button, index = (
        pin(settings.PIN_A),
        pin(settings.PIN_B),
        pin(settings.PIN_BUTTON),
        pin(settings.PIN_INDEX),
    )
    counter = Counter(a.value() << 1 | b.value())
    light, leds = ring()
    boot = int.from_bytes(os.urandom(4), "little")
    board = Board(counter, sys.stdout.buffer.write, light, machine.unique_id(), boot, leds)
    watch(a, lambda _: counter.move(a.value() << 1 | b.value()), PULSE)
    watch(b, lambda _: counter.move(a.value() << 1 | b.value()), PULSE)
    watch(index, lambda _: board.index(), machine.Pin.IRQ_FALLING)
    poller = select.poll()
    poller.register(sys.stdin, select.POLLIN)
    micropython.kbd_intr(-1)  # a frame may contain the byte of Ctrl-C
    try:
        speak(board, button, poller)
    finally:
        micropython.kbd_intr(3)


def speak(board, button, poller):
    """The loop."""
    now, ticks = 0, time.ticks_ms()
    board.hello()
    while not board.leaving:
        # ticks wrap, and so does the board's clock; only differences count
        later = time.ticks_ms()
        now, ticks = (now + time.ticks_diff(later, ticks)) & CLOCK, later
        while poller.poll(0):
            board.heard(sys.stdin.buffer.read(1), now)
        board.step(now, 1 - button.value())
        machine.idle()


main()
