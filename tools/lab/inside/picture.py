"""What the kernel's graphics card shows: width, height and the pixels (blue, green, red, nothing), as text.

usage: python3 picture.py [first]      as root, who may look at a picture that is another program's

`first` waits for one that is not of one colour, and tells how many seconds after the kernel's start it was there, and whether it
had to be waited for.
"""

from __future__ import annotations

import base64
import ctypes
import fcntl
import mmap
import os
import struct
import sys
import time
from pathlib import Path

RESOURCES, CRTC, PICTURE, PLACE = 0xC04064A0, 0xC06864A1, 0xC01C64AD, 0xC01064B3
"""DRM_IOCTL_MODE_GETRESOURCES, _GETCRTC, _GETFB, _MAP_DUMB."""


OUTPUTS, CARDS = Path("/sys/class/drm"), Path("/dev/dri")
SOME = 997
"""Every so many pixels one is looked at."""


def first() -> tuple[float, bool]:
    """Nobody else opens the card before the screen is on: whoever is first is its master, and the table could not be."""
    waited = False
    while not any(output.read_text().startswith("enabled") for output in OUTPUTS.glob("card*-*/enabled")):
        waited = True
        time.sleep(0.1)
    while plain(picture(card())[2]):
        waited = True
        time.sleep(0.1)
    return time.clock_gettime(time.CLOCK_BOOTTIME), waited


def plain(pixels: bytes) -> bool:
    """Of one colour, as far as can be seen; the fourth byte is no colour."""
    return len({pixels[at : at + 3] for at in range(0, len(pixels) - 3, 4 * SOME)}) < 2


def card() -> Path:
    """The only one."""
    return sorted(CARDS.glob("card*"))[0]


def picture(card: Path) -> tuple[int, int, bytes]:
    """Of the first screen that shows one."""
    line = os.open(card, os.O_RDWR)
    try:
        for crtc in _crtcs(line):
            shown = _ask(line, CRTC, struct.pack("=QIIIIIII68x", 0, 0, crtc, 0, 0, 0, 0, 0), "=QIIIIIII68x")[3]
            if shown:
                return _copied(line, shown)
    finally:
        os.close(line)
    raise SystemExit("no screen shows anything")


def _crtcs(line: int) -> list[int]:
    found = (ctypes.c_uint32 * 32)()
    asked = struct.pack("=QQQQIIIIIIII", 0, ctypes.addressof(found), 0, 0, 0, 32, 0, 0, 0, 0, 0, 0)
    count = _ask(line, RESOURCES, asked, "=QQQQIIIIIIII")[5]
    return list(found[:count])


def _copied(line: int, shown: int) -> tuple[int, int, bytes]:
    _, width, height, pitch, _, _, handle = _ask(
        line, PICTURE, struct.pack("=IIIIIII", shown, 0, 0, 0, 0, 0, 0), "=IIIIIII"
    )
    offset = _ask(line, PLACE, struct.pack("=IIQ", handle, 0, 0), "=IIQ")[2]
    with mmap.mmap(line, pitch * height, mmap.MAP_SHARED, mmap.PROT_READ, offset=offset) as memory:
        rows = (memory[row * pitch : row * pitch + width * 4] for row in range(height))
        return width, height, b"".join(rows)


def _ask(line: int, request: int, asked: bytes, form: str) -> tuple[int, ...]:
    answer = bytearray(asked)
    fcntl.ioctl(line, request, answer)
    return struct.unpack(form, answer)


if __name__ == "__main__":
    if sys.argv[1:] == ["first"]:
        sys.stdout.write("{:.2f} {:d}\n".format(*first()))
        raise SystemExit
    width, height, pixels = picture(card())
    sys.stdout.write(f"{width} {height} {base64.b64encode(pixels).decode()}\n")
