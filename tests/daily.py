"""The daily round (`make test-quick`): every test that has no table of its own and takes next to no processor time."""

from __future__ import annotations

import json
import os
import time
from collections.abc import Iterable, Iterator, Mapping
from contextlib import contextmanager
from functools import cache
from pathlib import Path

import pytest

LITTLE = 0.2
"""Seconds of processor time. What takes more is noted in costs.json (`scripts/costs.py --write`) and left to `make test`."""
MOST = 10 * LITTLE
"""What no test of the daily round may take: ten times as much is neither a busy machine nor a first import."""
WHOLE = ("e2e", "faults", "systemd", "trust")
"""Folders whose tests try the table as a whole."""
TABLES = {"ports", "standing", "cluster"}
"""Fixtures behind which processes listen."""
NOTED = Path(__file__).with_name("costs.json")


@cache
def noted() -> Mapping[str, float]:
    """Tests that take more than a little, with their seconds."""
    found: dict[str, float] = json.loads(NOTED.read_text(encoding="utf-8"))
    return found


def note(costs: Mapping[str, float]) -> None:
    """What was measured takes the place of what was noted, test by test; of the rest, what is still there stays."""
    files = {name.split("::")[0] for name in costs}
    kept = {name: cost for name, cost in noted().items() if name.split("::")[0] not in files}
    dear = {name: round(cost, 1) for name, cost in costs.items() if cost > LITTLE and not _tries_all(name)}
    NOTED.write_text(json.dumps(dict(sorted((kept | dear).items())), indent=1, ensure_ascii=False) + "\n", "utf-8")


def _tries_all(name: str) -> bool:
    return name.split("/")[1] in WHOLE


def marks(item: pytest.Item) -> list[str]:
    """`alone`: without a table of its own; and of those `quick`, the daily round."""
    listening = TABLES & {*getattr(item, "fixturenames", ())}
    if _tries_all(item.nodeid) or listening or item.get_closest_marker("long"):
        return []
    return ["alone"] if item.nodeid in noted() else ["alone", "quick"]


def first_cases(items: Iterable[pytest.Item]) -> list[pytest.Item]:
    """`counted`: of each test of the daily round the case that is collected first. A third of its time, nearly all it reaches."""
    found: dict[str, pytest.Item] = {}
    for item in items:
        if item.get_closest_marker("quick"):
            found.setdefault(item.nodeid.partition("[")[0], item)
    return list(found.values())


def _spent() -> float:
    times = os.times()
    return time.process_time() + times.children_user + times.children_system


@contextmanager
def held_short(name: str, most: float = MOST) -> Iterator[None]:
    """A test of the daily round that takes far too long for it fails."""
    began = _spent()
    yield
    took = _spent() - began
    if took > most:
        pytest.fail(f"{name} took {took:.1f} s of processor time: `scripts/costs.py --write` leaves it to `make test`")
