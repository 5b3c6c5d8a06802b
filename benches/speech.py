"""How soon the table speaks: from a prompt on the wire to the first sample of it, `tableside bench speech`.

The room is the real one and so is espeak-ng; it writes its sound into a pipe instead of a sound card, and the clock stops when
the first sample comes out. A sound card adds its own buffer to that.
"""

from __future__ import annotations

import argparse
import random
import subprocess
import sys
import tempfile
import time
from pathlib import Path

import msgspec

from benches.figures import Row, percentile, row, show
from companion.journal.recorded import read
from companion.wire.config import Config, DisplayConfig, TableConfig
from companion.wire.memory import MemoryBroker
from companion.wire.messages import Prompt, SeatInfo, State
from companion.wire.words import LANGUAGES
from speech.room import Speaker
from speech.voice import Voice

GAMES = Path("tests/games")
PROMPTS, BUDGET_MS = 60, 300.0
HEADER = 44
"""Bytes of a sound file before its first sample."""


class Measured(Voice):
    """Notes when the first sample of each thing said was there."""

    def __init__(self) -> None:
        super().__init__()
        self.first = 0.0

    def _start(self, command: list[str]) -> subprocess.Popen[bytes]:
        return subprocess.Popen([*command, "--stdout"], stdin=subprocess.PIPE, stdout=subprocess.PIPE)

    def hear(self) -> bool:
        """Wait for the first sample."""
        if self._now is None or self._now.stdout is None:
            return False
        whole = len(self._now.stdout.read(HEADER + 2)) == HEADER + 2
        self.first = time.perf_counter()
        return whole


def prompts(count: int) -> list[State]:
    """Moments of recorded games, by chance and always the same ones."""
    seats = tuple(SeatInfo(seat=i, name=name) for i, name in enumerate(("Ada", "Ben", "Cyd", "Dan")))
    found: list[State] = []
    for path in sorted(GAMES.rglob("*.jsonl"))[:12]:
        record = read(path.read_bytes())
        asks = [record.pack.ask(state) for state, _, _ in record.steps()]
        found += [
            State(table="t", phase="playing", game_id=f"{path.stem}-{n}", seats=seats, prompt=Prompt(ask=ask))
            for n, ask in enumerate(asks)
        ]
    return random.Random(1).sample(found, min(count, len(found)))


def rows() -> list[Row]:
    """Milliseconds from the state on the wire to the first sample, in all languages together."""
    taken: list[float] = []
    states = prompts(PROMPTS)
    for language in LANGUAGES:
        with tempfile.TemporaryDirectory() as folder:
            shown = DisplayConfig(speech="usual")
            table = msgspec.convert({"id": "t", "language": language}, TableConfig)
            config = Config(table=table, display=shown, state_dir=Path(folder))
            broker, voice = MemoryBroker(), Measured()
            core, bus = broker.bus("companion"), broker.bus("speech")
            Speaker(bus, config, voice)
            core.start()
            bus.start()
            for state in states:
                began = time.perf_counter()
                core.publish("state", state)
                bus.pump(0.5)
                if voice.hear():
                    taken.append(1000 * (voice.first - began))
            voice.hush()
    if not taken:
        sys.stderr.write("espeak-ng is not installed: sudo apt-get install espeak-ng\n")
    value = percentile(taken, 0.95) if taken else float("inf")
    median = round(percentile(taken, 0.5), 1) if taken else None
    return [row("prompt to first sample, p95", value, "ms", BUDGET_MS, n=len(taken), peers={"median": median})]


def main() -> int:
    """Print the figures."""
    options = argparse.ArgumentParser(description=__doc__)
    options.add_argument("--json", action="store_true")
    return show(rows(), as_json=options.parse_args().json)


if __name__ == "__main__":
    sys.exit(main())
