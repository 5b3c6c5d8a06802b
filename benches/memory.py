"""What the camera's room holds: a process that knows 48 cards and reads sixteen with a die on each twice says its peak in MB."""

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
from vision.cards import album
from vision.cards.recognition import CardBook
from vision.commands import knower
from vision.reading import MarketReader
from vision.virtual.cardface import face


def of_the_room(first: Image, second: Image) -> float:
    """The peak of a fresh process that is shown these two tables: this one drew them, which takes far more."""
    with tempfile.TemporaryDirectory() as folder:
        np.save(Path(folder) / "frames.npy", np.stack([first, second]))
        book = CardBook()
        for card in album.USUAL:
            book.teach(card, face(card))
            album.keep(Path(folder), book, card)
        command = [sys.executable, "-m", "benches.memory", folder]
        return float(subprocess.run(command, check=True, capture_output=True, timeout=120).stdout)


def main(folder: Path) -> None:
    """Read, then say how much was held at most."""
    cv2.setNumThreads(1)
    book, _ = album.read_book(folder)
    reader, ts, said = MarketReader(mats.of(market_mat(4)), settle=0.1, know_card=knower(book)), 0.0, None
    assert room.models_problem() is None
    for image in np.load(folder / "frames.npy"):
        for number in range(12):
            ts += 0.067
            said = reader.see(Frame(image, small_of(image), ts, number)) or said
    named = sum(bool(slot.card.card) for slot in said.slots) if said is not None else 0
    if said is None or named < 12 or sum(len(slot.dice) for slot in said.slots) < 12:
        sys.exit("the table was not read, so its memory means nothing")
    status = Path("/proc/self/status").read_text(encoding="ascii").splitlines()
    peak = next(int(line.split()[1]) for line in status if line.startswith("VmHWM"))
    sys.stdout.write(f"{peak / 1024:.1f}\n")


if __name__ == "__main__":
    main(Path(sys.argv[1]))
