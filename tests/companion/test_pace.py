"""Turns are given out in order, to each caller apart, and nobody is kept in mind for ever."""

from __future__ import annotations

import pytest

from companion.door import pace
from companion.door.pace import KNOWN, Pace


@pytest.fixture
def clock(monkeypatch: pytest.MonkeyPatch) -> list[float]:
    now = [1000.0]
    monkeypatch.setattr(pace.time, "monotonic", lambda: now[0])
    return now


def test_some_at_once_then_each_in_turn(clock: list[float]) -> None:
    """Three together, two a second after that; whose turn is more than a second off is told so and takes nobody's place."""
    turns = Pace(3, 2.0, patience=1.0)
    assert [turns.wait() for _ in range(7)] == [0.0, 0.0, 0.0, 0.5, 1.0, None, None]
    clock[0] += 0.5
    assert [turns.wait(), turns.wait()] == [1.0, None]
    clock[0] += 60
    assert [turns.wait() for _ in range(4)] == [0.0, 0.0, 0.0, 0.5]


def test_tenths_that_do_not_add_up_keep_nobody_waiting(clock: list[float]) -> None:
    """Three times a tenth is a little more than three tenths; the third of three at once comes in at once."""
    assert [Pace(3, 10.0, 1.0).wait("a"), *map(Pace(3, 10.0, 1.0).wait, "aaaa")] == [0.0, 0.0, 0.0, 0.0, 0.1]


def test_one_callers_haste_is_no_others(clock: list[float]) -> None:
    """Each has turns of their own."""
    turns = Pace(1, 1.0)
    assert (turns.wait("a"), turns.wait("a"), turns.wait("b")) == (0.0, None, 0.0)


def test_who_has_not_asked_for_long_is_forgotten(clock: list[float]) -> None:
    """A year of callers fits into little memory."""
    turns = Pace(2, 1.0)
    for number in range(10 * KNOWN):
        clock[0] += 1.0
        assert turns.wait(f"caller {number}") == 0.0
    assert len(turns._turns) <= KNOWN
