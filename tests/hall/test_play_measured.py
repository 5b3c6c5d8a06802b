"""The soak's verdict on play beside kills: what it says of waits that are alike, slower, or too few to tell."""

from __future__ import annotations

import importlib.util
from random import Random
from types import ModuleType
from typing import Any

import pytest

from tests.conftest import ROOT


@pytest.fixture(scope="module")
def measure() -> ModuleType:
    """A script, not a part of the product."""
    spec = importlib.util.spec_from_file_location("hall_play", ROOT / "scripts" / "soak" / "hall_play.py")
    assert spec is not None and spec.loader is not None
    made = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(made)
    return made


def waits(seed: int, rounds: int, moves: int, slower: float = 1.0) -> list[list[float]]:
    chance = Random(seed)
    return [[slower * chance.gammavariate(20, 0.0005) for _ in range(moves)] for _ in range(rounds)]


def judged(measure: ModuleType, kills: list[list[float]], *, busy: float = 1.0) -> dict[str, Any]:
    """`busy`: how much slower the kills make this machine, for whoever plays on it."""
    rounds, moves = len(kills), len(kills[0])
    slowed = [[busy * wait for wait in window] for window in kills]
    verdict: dict[str, Any] = measure.judged(
        (waits(1, rounds, moves), slowed), (waits(4, rounds, moves), waits(5, rounds, moves, busy))
    )
    return verdict


def test_alike_is_alike_and_slower_is_slower(measure: ModuleType) -> None:
    assert judged(measure, waits(2, 60, 150))["verdict"] == "holds"
    told = judged(measure, waits(3, 60, 150, 1.3))
    assert told["verdict"] == "does not hold"
    assert told["ratio_95"][0] > 1.1


def test_a_busy_machine_is_no_waiting(measure: ModuleType) -> None:
    """Kills that take the processor from every table cost the one beside as much."""
    assert judged(measure, waits(2, 60, 150), busy=1.5)["verdict"] == "holds"
    assert judged(measure, waits(2, 60, 150, 1.3), busy=1.5)["verdict"] == "does not hold"


def test_too_few_are_not_decided(measure: ModuleType) -> None:
    """Also when they look well."""
    assert judged(measure, waits(2, 3, 1000))["verdict"].startswith("not decided")
    assert judged(measure, waits(2, 60, 3))["verdict"].startswith("not decided")
    assert measure.judged(([], []), ([], []))["verdict"] == "nothing was measured"


def test_one_long_wait_in_a_hundred_is_seen(measure: ModuleType) -> None:
    """Play that waits two seconds whenever a broker is killed, and is as quick as ever otherwise."""
    kills = waits(2, 60, 150)
    for window in kills:
        window[:2] = [2.0, 2.0]
    assert judged(measure, kills)["verdict"] == "does not hold"


def test_a_move_belongs_to_the_window_it_was_made_in(measure: ModuleType) -> None:
    told = [(1.0, 0.1), (2.5, 0.2), (3.0, 0.3), (9.0, 0.4)]
    assert measure.windows(told, [(0.0, 2.0), (2.0, 3.0), (3.0, 4.0)]) == [[0.1], [0.2], [0.3]]
