"""The game that goes wrong on demand (`tests/trouble`), for tests in this process and over processes."""

from __future__ import annotations

import sys
from pathlib import Path

from companion.core.watch import PACK_SECONDS, watch
from tests.conftest import ROOT

sys.path.insert(0, str(ROOT / "tests" / "trouble"))
import trouble

OUTSIDE = {"title", "options", "score", "example", "schema", "statistics", "problems", "redact"}
"""What is asked at the start or by commands, and never while a game is played."""
PLAYED = sorted(set(trouble.FUNCTIONS) - OUTSIDE)
WAYS = [*trouble.RAISES, *trouble.NONSENSE, "hang"]
ENDLESS = {"hang", "generator"}
"""Ways that are noticed only when the time is up: a tenth of a second is as good as two, hundreds of times."""


class Fault:
    """Where and how the game goes wrong from now on."""

    def __init__(self, path: Path) -> None:
        self.path = path

    def set(self, where: str, how: str) -> None:
        self.path.write_text(f"{where} {how}")
        watch.patience = 0.1 if how in ENDLESS else PACK_SECONDS

    def clear(self) -> None:
        self.path.unlink(missing_ok=True)
        watch.patience = PACK_SECONDS
