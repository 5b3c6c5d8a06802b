"""The moving picture of the README: `tableside demo` on a screen of its own, watched for a while.

The screen is Xvfb with its picture in a file (an X window dump), so nothing of the product knows that it is filmed.
usage: python scripts/moving_picture.py [--skip 60] [--seconds 30] [-o docs/pictures/demo.webp]
"""

from __future__ import annotations

import argparse
import os
import struct
import subprocess
import sys
import tempfile
import time
from pathlib import Path

import cv2
import numpy as np
from numpy.typing import NDArray

ROOT = Path(__file__).resolve().parent.parent
SCREEN, WIDTH, HEIGHT = ":97", 1920, 1080
"""Room for the table's screen of 1280 by 720 with the virtual table beside it, and for the title bars a desktop would have."""
STEP = 0.5
SHOWN = 960
"""Pixels across, of what is left when the empty wall around both windows is cut off."""
QUIET = {"TABLESIDE_CAMERA_FPS": "6"}
"""Frames a second are enough for bots, and leave the machine room to film."""


def frame(dump: Path) -> NDArray[np.uint8]:
    """What is on the screen now, from the window dump's header and its 32-bit pixels."""
    data = dump.read_bytes()
    header = struct.unpack(">25I", data[:100])
    size, width, height, line, colours = header[0], header[4], header[5], header[12], header[19]
    start = size + colours * 12
    pixels = np.frombuffer(data, np.uint8, line * height, start).reshape(height, line // 4, 4)
    return np.ascontiguousarray(pixels[:, :width, :3])


def film(skip: float, seconds: float, target: Path) -> int:
    """Play and watch; returns the number of different pictures."""
    with tempfile.TemporaryDirectory() as folder:
        screen = subprocess.Popen(
            ["Xvfb", SCREEN, "-screen", "0", f"{WIDTH}x{HEIGHT}x24", "-fbdir", folder, "-nolisten", "tcp"]
        )
        environment = os.environ | {"DISPLAY": SCREEN, "SDL_VIDEO_WINDOW_POS": "0,0", "SDL_VIDEODRIVER": "x11"} | QUIET
        command = [sys.executable, "-m", "companion.cli", "demo", "--players", "3", "--seed", "4"]
        demo = subprocess.Popen(command, cwd=ROOT, env=environment)
        try:
            taken = watch(Path(folder) / "Xvfb_screen0", skip, seconds)
        finally:
            for process in (demo, screen):
                process.terminate()
                process.wait(30)
    animation = cv2.Animation()
    animation.frames = shown(taken)
    animation.durations = np.full(len(taken), int(STEP * 1000), np.int32)
    animation.loop_count = 0
    target.parent.mkdir(parents=True, exist_ok=True)
    if not cv2.imwriteanimation(str(target), animation, [cv2.IMWRITE_WEBP_QUALITY, 60]):
        raise SystemExit(f"{target} could not be written.")
    return len(taken)


def shown(taken: list[NDArray[np.uint8]]) -> list[NDArray[np.uint8]]:
    """Both windows without the wall around them, which is black as nothing in a window is, as small as they are shown."""
    lit = np.maximum.reduce([picture.max(axis=2) for picture in taken])
    down, across = np.flatnonzero(lit.any(axis=1)), np.flatnonzero(lit.any(axis=0))
    cut = [picture[down[0] : down[-1] + 1, across[0] : across[-1] + 1] for picture in taken]
    height, width = cut[0].shape[:2]
    return [
        np.asarray(cv2.resize(one, (SHOWN, round(SHOWN * height / width)), interpolation=cv2.INTER_AREA), np.uint8)
        for one in cut
    ]


def watch(dump: Path, skip: float, seconds: float) -> list[NDArray[np.uint8]]:
    """One picture every step in which something moved, once both windows are there and the market lies."""
    taken: list[NDArray[np.uint8]] = []
    end = time.monotonic() + 600
    begun = 0.0
    while len(taken) * STEP < seconds and time.monotonic() < end:
        time.sleep(STEP)
        if not dump.exists():
            continue
        now = frame(dump)
        if not now[:, :1280].any() or not now[:, 1280:].any():
            continue
        begun = begun or time.monotonic()
        if time.monotonic() - begun < skip:
            continue
        if not taken or np.abs(now.astype(np.int16) - taken[-1]).max() > 24:
            taken.append(now)
    return taken


def main() -> int:
    """Film the demo."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--skip", type=float, default=60.0, help="seconds of setting up nobody wants to watch")
    parser.add_argument("--seconds", type=float, default=30.0, help="how much of the game to show")
    parser.add_argument("-o", type=Path, default=ROOT / "docs" / "pictures" / "demo.webp", dest="target")
    chosen = parser.parse_args()
    count = film(chosen.skip, chosen.seconds, chosen.target)
    sys.stdout.write(f"{count} pictures, {chosen.target.stat().st_size // 1024} KB in {chosen.target.name}\n")
    return 0


if __name__ == "__main__":
    raise SystemExit(main())
