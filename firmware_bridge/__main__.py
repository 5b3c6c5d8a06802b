"""`python -m firmware_bridge`: the room; with a verb: the keyboard's dial, the board's firmware."""

from __future__ import annotations

import argparse
import sys
from collections.abc import Sequence


def say(line: str) -> None:
    """One line of output."""
    sys.stdout.write(line + "\n")


def parser() -> argparse.ArgumentParser:
    """The verbs."""
    top = argparse.ArgumentParser(prog="python -m firmware_bridge", description="The dial, its button and its lights.")
    verbs = top.add_subparsers(dest="verb")
    verbs.add_parser("run", help="the room (also without a verb)")
    verbs.add_parser("keys", help="the room with a virtual dial under the arrow keys")
    firmware = verbs.add_parser("firmware", prog="tableside firmware", help="the board's firmware").add_subparsers(
        dest="what", required=True
    )
    flash = firmware.add_parser("flash", help="copy the firmware to the board")
    flash.add_argument("--port", default=None, help="serial port; found by USB id when not given")
    flash.add_argument("--to", default="", metavar="FOLDER", help="a folder the board is mounted on, instead")
    flash.add_argument("--pins", type=_pins, metavar="A,B,BUTTON,INDEX,LEDS", help="the board's pins")
    flash.add_argument("--leds", type=int, choices=range(256), metavar="N", help="lights on the ring, 0 to 255")
    check = firmware.add_parser("check", help="talk to the board")
    check.add_argument("--port", default=None)
    return top


def _pins(text: str) -> list[int]:
    numbers = [int(part) for part in text.split(",")]
    if len(numbers) != 5 or len(set(numbers)) != 5 or min(numbers) < 0:
        raise ValueError(text)
    return numbers


def main(arguments: Sequence[str] | None = None) -> int:
    """Exit code 0 done, 1 it could not be done, 2 wrong usage."""
    given = parser().parse_args(arguments)
    if given.verb == "firmware":
        return _firmware(given)
    if given.verb == "keys":
        return _keys()
    from firmware_bridge import room

    room.run()
    return 0


def _firmware(given: argparse.Namespace) -> int:
    from companion.wire.config import load
    from firmware_bridge import firmware

    dial = load().dial
    port = dial.port if given.port is None else given.port
    try:
        if given.what == "check":
            for line in firmware.check(port):
                say(line)
        else:
            leds = given.leds if given.leds is not None else dial.leds or None
            say(firmware.flash(port, given.to, given.pins, leds))
    except firmware.Failed as failed:
        sys.stderr.write(f"{failed}\n")
        return 1
    return 0


def _keys() -> int:
    from companion.wire.config import load
    from companion.wire.room import Room
    from firmware_bridge.keys import HELP, Keyboard, press_key
    from firmware_bridge.room import Bridge

    if not sys.stdin.isatty():
        sys.stderr.write("There is no keyboard here. Start it in a terminal.\n")
        return 1
    sys.stderr.write(HELP)
    with Room("firmware_bridge", load({"dial.source": "virtual", "dial.button_pin": "22"})) as room, Keyboard() as keys:
        bridge = Bridge(room)

        def step(now: float) -> None:
            for key in keys.waiting():
                room.stopping = not press_key(bridge, key) or room.stopping
            bridge.check(now)

        bridge.start()
        try:
            room.run(step, 0.03)
        finally:
            bridge.stop()
    return 0


if __name__ == "__main__":
    sys.exit(main())
