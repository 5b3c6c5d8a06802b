"""Guessing the organiser's PIN takes longer than an evening."""

from __future__ import annotations

from hall.pin import EVENING, Pin


class Clock:
    now = 0.0

    def __call__(self) -> float:
        return self.now


def test_the_right_one_opens_until_the_evening_is_over() -> None:
    clock = Clock()
    pin = Pin("481516", clock)
    key = pin.enter("481516", "a")
    assert key is not None and pin.knows(key) and not pin.knows("") and not pin.knows("x")
    clock.now += EVENING + 1
    assert not pin.knows(key)


def test_an_empty_pin_opens_nothing() -> None:
    assert Pin("").enter("", "a") is None


def tries_in(pin: Pin, clock: Clock, seconds: float, addresses: int) -> int:
    """How many a guesser with so many addresses is heard."""
    tried = 0
    while clock.now < seconds:
        for number in range(addresses):
            if pin.wait(f"a{number}") == 0:
                pin.enter("0", f"a{number}")
                tried += 1
        clock.now += 0.1
    return tried


def test_one_address_tries_seldom_and_many_together_not_often() -> None:
    clock = Clock()
    assert tries_in(Pin("481516", clock), clock, 3600, 1) < 80
    clock = Clock()
    assert tries_in(Pin("481516", clock), clock, 600, 200) < 900, "about one a second: a million takes days"


def test_the_organiser_comes_in_beside_a_guesser() -> None:
    clock = Clock()
    pin = Pin("481516", clock)
    tries_in(pin, clock, 60, 3)
    clock.now += pin.wait("organiser")
    assert clock.now < 65
    assert pin.enter("481516", "organiser") is not None
