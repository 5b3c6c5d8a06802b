"""Writes a journal and is killed, again and again, at random moments: `python -m tests.faults.power_cut FOLDER KILLS SEED`.

Each writer goes on where the last one was torn away and notes every acknowledged move in a file of its own, after
the journal has returned. Afterwards the journal must hold every noted move, once, in order.
"""

from __future__ import annotations

import json
import os
import random
import signal
import sys
import time
from pathlib import Path

from companion.journal.store import Journal


def write(folder: Path, acknowledged: int, pipe: int) -> None:
    """In the child: moves without end; each one is acknowledged down the pipe once it is on disk."""
    journal = Journal(folder / "games")
    if not journal.rows("g1"):
        journal.append("g1", "new", {"pack": "scorepad"})
    number = len(journal.rows("g1")) - 1
    os.write(pipe, b"r")
    while True:
        journal.append("g1", "move", {"kind": "points", "seat": 0, "points": number}, request=f"r{number}")
        os.write(pipe, b"a")
        number += 1


def main(folder: Path, kills: int, seed: int) -> None:
    """The parent: kills, counts, judges."""
    chance = random.Random(seed)
    acknowledged = damaged = 0
    for _ in range(kills):
        hear, speak = os.pipe()
        child = os.fork()
        if child == 0:
            write(folder, acknowledged, speak)
        os.close(speak)
        os.read(hear, 1)
        before = len(Journal.reading(folder / "games").rows("g1")) - 1
        time.sleep(chance.random() ** 2 * 0.05)
        os.kill(child, signal.SIGKILL)
        os.waitpid(child, 0)
        heard = b""
        while chunk := os.read(hear, 65536):
            heard += chunk
        os.close(hear)
        journal = Journal(folder / "games")
        kept = [row.body["points"] for row in journal.rows("g1")[1:]]
        damaged += journal.damage is not None
        journal.close()
        assert kept == list(range(len(kept))), kept[-5:]
        assert len(kept) >= acknowledged + len(heard), (len(kept), acknowledged, len(heard))
        assert len(kept) <= max(before, acknowledged + len(heard)) + 1, "a move nobody asked for"
        acknowledged = len(kept)
    journal = Journal(folder / "games")
    sys.stdout.write(json.dumps({"moves": acknowledged, "damaged": damaged, "unclean": journal.unclean}))


if __name__ == "__main__":
    main(Path(sys.argv[1]), int(sys.argv[2]), int(sys.argv[3]))
