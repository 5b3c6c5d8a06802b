"""The walks that docs/design.md tells, and what really takes the matter up on the way."""

from __future__ import annotations

import re
import sys
from collections.abc import Callable
from pathlib import Path
from types import FrameType
from typing import Any

ROOT = Path(__file__).resolve().parents[1]
MOST = 8
STEPS = {
    "display/screen.py": "press",
    "display/client.py": "perform",
    "vision/room.py": "step",
    "vision/reading.py": "see",
    "companion/wire/bus.py": "_deliver",
    "companion/senses/readings.py": "look",
    "companion/core/table.py": "commit",
    "companion/core/session.py": "play",
    "companion/journal/store.py": "append",
    "companion/core/announce.py": "publish",
}
"""Where each file takes the matter up."""
LAST = "companion/core/announce.py"


def told(column: int) -> list[str]:
    """The files of one walk, as the page lists them."""
    rows = (ROOT / "docs" / "design.md").read_text().partition("**Three walks**")[2].split("\n\n")[1].splitlines()[2:]
    cells = [row.strip("|").split("|")[column].strip() for row in rows]
    return [found[1] for cell in cells if (found := re.match(r"`([^`]+)`", cell))]


def walked(matter: Callable[[], object]) -> list[str]:
    """The files that took the matter up until it was announced, in order; one that is come back to stands there again."""
    found: list[str] = []

    def entered(frame: FrameType, event: str, argument: Any) -> None:
        name = frame.f_code.co_filename.removeprefix(f"{ROOT}/")
        if event == "call" and STEPS.get(name) == frame.f_code.co_name and found[-1:] not in ([name], [LAST]):
            found.append(name)

    sys.setprofile(entered)
    try:
        matter()
    finally:
        sys.setprofile(None)
    return found
