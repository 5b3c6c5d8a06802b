"""`tableside bench`: the figures the design promises, measured here and reported as they are."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
from pathlib import Path

import msgspec

from benches.figures import Row
from companion.wire.process import dies_with

os.environ.setdefault("PYGAME_HIDE_SUPPORT_PROMPT", "1")  # what a bench prints is figures, and nothing else

BENCHES = ("core", "rules", "dial", "vision", "display", "phones", "loop", "touches", "speech", "hall")
ALONE = {
    "dial": "benches.dial",
    "vision": "benches.camera",
    "display": "benches.screen",
    "touches": "benches.touches",
    "speech": "benches.speech",
}
"""These load a room's libraries, or its virtual hardware: each in a process of its own."""


def measure(names: list[str], *, games: int = 0, photos: Path | None = None) -> list[Row]:
    """Run the named benches, one after the other."""
    rows: list[Row] = []
    for name in names:
        sys.stderr.write(f"measuring {name} ...\n")
        if name in ALONE:
            rows += _alone(name, photos)
        elif name == "core":
            from benches.core import rows as core_rows

            rows += core_rows()
        elif name == "rules":
            from benches.rules import rows as rules_rows

            rows += rules_rows(games)
        elif name == "phones":
            from benches.phones import rows as phone_rows

            rows += phone_rows()
        elif name == "hall":
            from benches.hall import rows as hall_rows

            rows += hall_rows()
        else:
            from benches.loop import rows as loop_rows

            rows += loop_rows()
    return rows


def _alone(name: str, photos: Path | None) -> list[Row]:
    """A bench in a process of its own."""
    command = [sys.executable, "-m", ALONE[name], "--json"]
    if name == "vision" and photos is not None:
        command += ["--photos", str(photos)]
    ending = dies_with(os.getpid(), signal.SIGTERM)
    done = subprocess.run(command, stdout=subprocess.PIPE, check=False, preexec_fn=ending)
    try:
        return msgspec.json.decode(done.stdout, type=list[Row])
    except msgspec.DecodeError:
        return [{"name": name, "value": None, "unit": "", "budget": None, "ok": False, "n": 0, "peers": {}}]
