"""The transition table: every pair of readings, bounce, and the edge nobody saw."""

from __future__ import annotations

import random

import pytest
from hypothesis import given
from hypothesis import strategies as st

from firmware_bridge.pico.quadrature import IMPOSSIBLE, TABLE, Counter
from firmware_bridge.virtual import CYCLE, Hand, levels_at


@pytest.mark.parametrize("at", range(4))
def test_a_step_forward_and_back_is_no_step(at: int) -> None:
    """Neighbours in the cycle count one up or one down, itself nothing, the opposite is impossible."""
    here, ahead, opposite = CYCLE[at], CYCLE[(at + 1) % 4], CYCLE[(at + 2) % 4]
    assert (TABLE[here][here], TABLE[here][ahead], TABLE[ahead][here], TABLE[here][opposite]) == (0, 1, -1, IMPOSSIBLE)


@given(st.lists(st.integers(-30, 30), max_size=20), st.integers(0, 2**32))
def test_bounce_never_counts(turns: list[int], seed: int) -> None:
    """However the contacts bounce, the counter ends where the hand does."""
    hand, counter = Hand(288, random.Random(seed)), Counter(levels_at(0))
    now = 0.0
    for turn in turns:
        hand.target += turn
        while hand.busy:
            now += 0.02
            for _, levels in hand.due(now):
                counter.move(levels)
    assert (sum(turns), 0) == (counter.counts, counter.impossible)


def test_a_missed_edge_is_counted_and_keeps_the_phase() -> None:
    """Two quarter steps at once go on in the direction of before, so the contacts and the count stay in step."""
    counter = Counter(levels_at(0))
    counter.move(levels_at(1))
    counter.move(levels_at(3))
    assert (counter.counts, counter.impossible) == (3, 1)
    counter.move(levels_at(2))
    counter.move(levels_at(0))
    assert (counter.counts, counter.impossible) == (0, 2)
