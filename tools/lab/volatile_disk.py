"""A disk with a cache that forgets: a plugin for nbdkit.

What is written and not yet flushed is held back, block by block, and some blocks, by chance, reach the disk early and out of
order, as in a card's own cache. Whoever kills this process loses the rest. What was flushed, or written with FUA, is there;
unless the disk is `deaf`, as some cards are said to be: then a flush is answered and nothing is done.
"""

from __future__ import annotations

import os
import random

import nbdkit

API_VERSION = 2
BLOCK = 4096
EARLY = 0.25
"""Share of the blocks that do not wait for the flush."""
disk = -1
deaf = False
held: dict[int, bytes] = {}
chance = random.Random()


def config(key: str, value: str) -> None:
    """The parameters on nbdkit's command line."""
    global disk, deaf  # noqa: PLW0603  # a plugin has no object of its own
    if key == "disk":
        disk = os.open(value, os.O_RDWR)
    elif key == "deaf":
        deaf = value == "1"
    else:
        raise RuntimeError(f"{key} is not known")


def thread_model() -> int:
    """One request after the other."""
    return int(nbdkit.THREAD_MODEL_SERIALIZE_ALL_REQUESTS)


def open(readonly: bool) -> int:  # the name nbdkit calls
    """Nothing is kept for a connection."""
    return 1


def get_size(handle: int) -> int:
    """Of the whole disk."""
    return os.fstat(disk).st_size


def can_fua(handle: int) -> int:
    """A write may ask to be there when it is answered."""
    return int(nbdkit.FUA_NATIVE)


def can_flush(handle: int) -> bool:
    """There is something to flush."""
    return True


def pread(handle: int, buffer: bytearray, offset: int, flags: int) -> None:
    """What was written last, flushed or not."""
    end = offset + len(buffer)
    buffer[:] = os.pread(disk, len(buffer), offset)
    if held:
        for at in range(offset // BLOCK * BLOCK, end, BLOCK):
            block = held.get(at)
            if block is not None:
                first, last = max(at, offset), min(at + BLOCK, end)
                buffer[first - offset : last - offset] = block[first - at : last - at]


def pwrite(handle: int, buffer: bytes, offset: int, flags: int) -> None:
    """Held back, unless it must be there at once."""
    end, now = offset + len(buffer), bool(flags & nbdkit.FLAG_FUA) and not deaf
    for at in range(offset // BLOCK * BLOCK, end, BLOCK):
        first, last = max(at, offset), min(at + BLOCK, end)
        block = bytearray(BLOCK)
        if last - first < BLOCK:
            pread(handle, block, at, 0)
        block[first - at : last - at] = buffer[first - offset : last - offset]
        if now or chance.random() < EARLY:
            held.pop(at, None)
            os.pwrite(disk, block, at)
        else:
            held[at] = bytes(block)


def flush(handle: int, flags: int) -> None:
    """Everything is there now; the host's own memory outlives the machine that is killed."""
    if deaf:
        return
    for at, block in held.items():
        os.pwrite(disk, block, at)
    held.clear()
