"""The ring: colour and pattern for whose turn it is, the build position, warnings, and never too bright."""

from __future__ import annotations

import itertools
from typing import Any, get_args, get_type_hints

import pytest
from hypothesis import given
from hypothesis import strategies as st

from companion.wire.messages import Lamp
from firmware_bridge.lamp import COLOURS, MILLIAMPS_PER_CHANNEL, MOST_MILLIAMPS, PATTERNS, pixels

SHAPES = [shape for shape in get_args(get_type_hints(Lamp)["pattern"]) if shape != "off"]


def lit(ring: tuple[tuple[int, int, int], ...]) -> tuple[bool, ...]:
    return tuple(any(colour) for colour in ring)


@pytest.mark.parametrize("leds", [12, 16, 24, 60])
def test_patterns_differ_without_any_colour(leds: int) -> None:
    """Every two shapes light different places, so nobody needs to tell colours apart."""
    assert set(SHAPES) == set(PATTERNS)
    rings = {shape: lit(pixels(Lamp(seat=0, colour="sun", pattern=shape), leds, 6, 0.9)) for shape in SHAPES}
    for one, other in itertools.combinations(SHAPES, 2):
        assert rings[one] != rings[other], (one, other)
        assert sum(a != b for a, b in zip(rings[one], rings[other], strict=True)) >= leds // 12


def test_every_seat_colour_has_its_light() -> None:
    """Six colours, six different lights."""
    shown = {colour: pixels(Lamp(seat=0, colour=colour, pattern="circle"), 24, 6, 0.9)[5] for colour in COLOURS}
    assert len(set(shown.values())) == 6


def test_the_build_position_stands_at_its_notch() -> None:
    """Notch 2 of 6 is a third of the way round; of 12, a sixth."""
    six = pixels(Lamp(build=2), 24, 6, 0.0)
    twelve = pixels(Lamp(build=2), 24, 12, 0.0)
    assert [i for i, colour in enumerate(six) if any(colour)] == [8]
    assert [i for i, colour in enumerate(twelve) if any(colour)] == [4]


def test_a_warning_blinks_and_leaves_the_turn_readable() -> None:
    """On for half a second in every other light, then the turn alone again."""
    lamp = Lamp(seat=0, colour="sky", pattern="circle", warning=True)
    on, off = pixels(lamp, 24, 6, 10.1), pixels(lamp, 24, 6, 10.6)
    assert on[1::2] == off[1::2]
    assert on[0] != off[0]
    assert off == pixels(Lamp(seat=0, colour="sky", pattern="circle"), 24, 6, 0.0)


lamps = st.builds(
    Lamp,
    seat=st.none() | st.integers(0, 7),
    colour=st.sampled_from([*COLOURS, "", "ultraviolet"]),
    build=st.none() | st.integers(-1000, 1000),
    warning=st.booleans(),
    pattern=st.sampled_from([*SHAPES, "off"]),
)


@given(lamps, st.integers(0, 256), st.integers(0, 60), st.floats(0, 1e6))
def test_no_message_does_harm(lamp: Lamp, leds: int, positions: int, now: float) -> None:
    """Any message on any ring: as many pixels as there are lights, each a byte, and no more than a USB port gives."""
    ring: Any = pixels(lamp, leds, positions, now)
    assert len(ring) == leds
    assert all(0 <= part <= 255 for colour in ring for part in colour)
    assert sum(map(sum, ring)) / 255 * MILLIAMPS_PER_CHANNEL <= MOST_MILLIAMPS
