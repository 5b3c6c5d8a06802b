"""What the camera's room holds: a process that reads sixteen dice twice and does nothing else says its peak in MB."""

from __future__ import annotations

import subprocess
import sys
import tempfile
from pathlib import Path

import cv2
import numpy as np

from companion.games.skytopia.mat import market_mat
from vision import mat as mats
from vision import room
from vision.camera.frame import Frame, Image, small_of
from vision.reading import MarketReader


def of_the_room(first: Image, second: Image) -> float:
    """The peak of a fresh process that is shown these two tables: this one drew them, which takes far more."""
    with tempfile.TemporaryDirectory() as folder:
        np.save(Path(folder) / "frames.npy", np.stack([first, second]))
        command = [sys.executable, "-m", "benches.memory", str(Path(folder) / "frames.npy")]
        return float(subprocess.run(command, check=True, capture_output=True, timeout=120).stdout)


def main(path: str) -> None:
    """Read, then say how much was held at most."""
    cv2.setNumThreads(1)
    reader, ts, said = MarketReader(mats.of(market_mat(4)), settle=0.1), 0.0, None
    assert room.models_problem() is None
    for image in np.load(path):
        for number in range(12):
            ts += 0.067
            said = reader.see(Frame(image, small_of(image), ts, number)) or said
    if said is None or sum(len(slot.dice) for slot in said.slots) < 12:
        sys.exit("the table was not read, so its memory means nothing")
    status = Path("/proc/self/status").read_text(encoding="ascii").splitlines()
    peak = next(int(line.split()[1]) for line in status if line.startswith("VmHWM"))
    sys.stdout.write(f"{peak / 1024:.1f}\n")


if __name__ == "__main__":
    main(sys.argv[1])
