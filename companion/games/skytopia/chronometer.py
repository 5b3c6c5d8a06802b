"""The chronometer: six faces on a dial, one of them at the build symbol, a price at each frame position."""

from __future__ import annotations

FACES = (1, 2, 3, 4, 5, 6)


def wrap(face: int) -> int:
    """A face number folded into 1 to 6."""
    return (face - 1) % 6 + 1


def next_build(build: int, direction: int) -> int:
    """The face at the build symbol after one turn of the dial."""
    return wrap(build + direction)


def steps(face: int, build: int, direction: int) -> int:
    """Turns of the dial until `face` stands at the build symbol; 0 is finished now."""
    return (face - build) * direction % 6


def rotated(face: int, by: int, direction: int) -> int:
    """The face of a golem turned `by` steps toward the build symbol."""
    return wrap(face - by * direction)


def value_for(left: int, build: int, direction: int) -> int:
    """The face that has `left` steps to go."""
    return wrap(build + left * direction)


def notch(build: int, start: int, direction: int) -> int:
    """How many notches clockwise of its start the dial stands, 0 to 5."""
    return (build - start) * direction % 6


def read_anew(build: int, was: tuple[int, int], now: tuple[int, int]) -> int:
    """The build value once start and direction are known better: the dial stands where it stood, nobody turned it."""
    return value_for(notch(build, *was), *now)
