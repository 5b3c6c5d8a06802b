"""What stands between us and a V4L2 device node: asked before opening, so that the answer is one clear line."""

from __future__ import annotations

import errno
import fcntl
import os
import struct

from vision.camera.frame import Problem, trouble

QUERYCAP = 0x80685600
"""VIDIOC_QUERYCAP: the 104 bytes of `struct v4l2_capability`."""
SIZE = 104
CAPTURES = 0x00000001
DEVICE_CAPS = 0x80000000


def obstacle(device: str) -> Problem | None:
    """Why this node will not open, or `None`."""
    try:
        node = os.open(device, os.O_RDWR | os.O_NONBLOCK)
    except FileNotFoundError:
        return trouble("camera/missing", device=device)
    except PermissionError:
        return trouble("camera/rights", device=device)
    except OSError as wrong:
        name = "camera/busy" if wrong.errno == errno.EBUSY else "camera/missing"
        return trouble(name, device=device)
    try:
        answer = bytearray(SIZE)
        fcntl.ioctl(node, QUERYCAP, answer)
    except OSError:
        return trouble("camera/no-camera", device=device)
    finally:
        os.close(node)
    return None if captures(bytes(answer)) else trouble("camera/no-camera", device=device)


def captures(answer: bytes) -> bool:
    """The node gives pictures; a camera's second node often gives only metadata."""
    everything, own = struct.unpack_from("=II", answer, 84)
    flags: int = own if everything & DEVICE_CAPS else everything
    return bool(flags & CAPTURES)
