"""What the kernel's graphics card shows: width, height and the pixels (blue, green, red, nothing), as text.

usage: python3 picture.py      as root, who may look at a picture that is another program's
"""

from __future__ import annotations

import base64
import ctypes
import fcntl
import mmap
import os
import struct
import sys
from pathlib import Path

RESOURCES, CRTC, PICTURE, PLACE = 0xC04064A0, 0xC06864A1, 0xC01C64AD, 0xC01064B3
"""DRM_IOCTL_MODE_GETRESOURCES, _GETCRTC, _GETFB, _MAP_DUMB."""


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
    width, height, pixels = picture(sorted(Path("/dev/dri").glob("card*"))[0])
    sys.stdout.write(f"{width} {height} {base64.b64encode(pixels).decode()}\n")
