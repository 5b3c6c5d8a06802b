"""A finger on a touchscreen that the kernel's `uinput` driver makes believe."""

from __future__ import annotations

import fcntl
import os
import struct
import time

SET_EVBIT, SET_KEYBIT, SET_ABSBIT, SET_PROPBIT = 0x40045564, 0x40045565, 0x40045567, 0x4004556E
DEV_SETUP, ABS_SETUP, DEV_CREATE = 0x405C5503, 0x401C5504, 0x5501
SYN, KEY, ABS = 0, 1, 3
BTN_TOUCH, DIRECT = 0x14A, 1
X, Y, SLOT, MT_X, MT_Y, TRACKING = 0x00, 0x01, 0x2F, 0x35, 0x36, 0x39
MOST = 4095
"""Places along each side of the glass."""


class Finger:
    """One finger; the glass has slots for ten, as real ones do."""

    def __init__(self) -> None:
        self._glass = os.open("/dev/uinput", os.O_WRONLY | os.O_NONBLOCK)
        for request, codes in (
            (SET_EVBIT, (KEY, ABS)),
            (SET_KEYBIT, (BTN_TOUCH,)),
            (SET_ABSBIT, (X, Y, SLOT, MT_X, MT_Y, TRACKING)),
            (SET_PROPBIT, (DIRECT,)),
        ):
            for code in codes:
                fcntl.ioctl(self._glass, request, code)
        for code, most in ((X, MOST), (Y, MOST), (SLOT, 9), (MT_X, MOST), (MT_Y, MOST), (TRACKING, 65535)):
            fcntl.ioctl(self._glass, ABS_SETUP, struct.pack("=HHiiiiii", code, 0, 0, 0, most, 0, 0, 0))
        fcntl.ioctl(self._glass, DEV_SETUP, struct.pack("=HHHH80sI", 3, 0x1209, 1, 1, b"tableside lab glass", 0))
        fcntl.ioctl(self._glass, DEV_CREATE)
        self._touches = 0

    def touch(self, x: float, y: float, seconds: float = 0.12) -> dict[str, float]:
        """Down and up again at a place, shares of width and height of the glass."""
        self._touches += 1
        across, down = round(x * MOST), round(y * MOST)
        self._say((ABS, SLOT, 0), (ABS, TRACKING, self._touches), (ABS, MT_X, across), (ABS, MT_Y, down))
        self._say((KEY, BTN_TOUCH, 1), (ABS, X, across), (ABS, Y, down), (SYN, 0, 0))
        time.sleep(seconds)
        self._say((ABS, TRACKING, -1), (KEY, BTN_TOUCH, 0), (SYN, 0, 0))
        return {}

    def _say(self, *events: tuple[int, int, int]) -> None:
        for kind, code, value in events:
            os.write(self._glass, struct.pack("@qqHHi", 0, 0, kind, code, value))
