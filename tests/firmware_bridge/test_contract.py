"""One contract for all back ends: mock pins, the real firmware on a pseudo terminal, pins joined by jumpers.

With `--hardware` the jumpers are real wires on a Pi's header.
"""

from __future__ import annotations

import random
import time
from collections.abc import Iterator

import pytest

from companion.wire.config import DialConfig
from firmware_bridge.backend import Backend, Indexed, Moved, PoweredOn, Pressed, Turnable
from firmware_bridge.virtual import VirtualDial
from firmware_bridge.virtual_board import VirtualSerialDial
from tests.firmware_bridge.conftest import Clock, Rig, need_micropython


@pytest.fixture(params=["pins", "line", "jumpers"])
def rig(request: pytest.FixtureRequest) -> Rig:
    found: Rig = request.getfixturevalue(request.param)
    return found


def test_it_starts_with_a_counter_that_can_be_read(rig: Rig) -> None:
    """The first thing said is that it is there; nothing has moved yet."""
    backend: Backend = rig.backend
    assert isinstance(rig.reports[0], PoweredOn)
    assert (rig.counts, rig.impossible) == (0, 0)
    assert isinstance(backend, Turnable)
    assert backend.leds >= 0


def test_a_turn_arrives_whole_and_in_order(rig: Rig) -> None:
    """Two detents forward, one back: the counts follow, and time only goes forward."""
    rig.turn(8)
    rig.until(lambda: rig.counts == 8)
    rig.turn(-4)
    rig.until(lambda: rig.counts == 4)
    stamps = [report.ts for report in rig.heard(Moved)]
    assert stamps == sorted(stamps)
    assert rig.backend.now() >= stamps[-1]
    assert rig.impossible == 0


def test_edges_are_stamped_when_they_happen(rig: Rig) -> None:
    """The time of the last edge stays what it was, however late one asks."""
    rig.turn(4)
    rig.until(lambda: rig.counts == 4)
    rig.wait(0.6)
    assert rig.backend.now() - rig.heard(Moved)[-1].ts >= 0.5


def test_one_press_is_one_press(rig: Rig) -> None:
    """Pressed and let go: reported once; a second press is another."""
    rig.backend.press()
    rig.until(lambda: rig.heard(Pressed))
    rig.wait(0.3)
    assert len(rig.heard(Pressed)) == 1
    rig.backend.press()
    rig.until(lambda: len(rig.heard(Pressed)) == 2)


def test_the_index_tells_its_count(rig: Rig) -> None:
    """The switch closes while the counter stands at 12."""
    rig.turn(12)
    rig.until(lambda: rig.counts == 12)
    rig.backend.index()
    rig.until(lambda: rig.heard(Indexed))
    assert rig.heard(Indexed)[0].counts == 12


def test_lights_do_no_harm(rig: Rig) -> None:
    """Any ring may be asked for, whether there is one or not; the counter goes on."""
    for ring in ([(255, 0, 0)] * 300, [], [(0, 0, 0)]):
        rig.backend.show(ring)
    rig.turn(4)
    rig.until(lambda: rig.counts == 4)
    rig.wait(0.2)
    assert (rig.counts, rig.impossible) == (4, 0)


def random_turns(seed: int, detents: int, longest: int) -> Iterator[int]:
    """Both directions, with reversals, until so many detents have been turned."""
    chance, done = random.Random(seed), 0
    while done < detents:
        turn = chance.randint(1, longest)
        done += turn
        yield 4 * turn * chance.choice((-1, 1))


def test_ten_thousand_detents_on_pins_lose_nothing(clock: Clock) -> None:
    """Three revolutions a second of a 24-detent encoder whose contacts bounce."""
    config = DialConfig(counts_per_revolution=96)
    rig = Rig(VirtualDial(config, clock=clock, bounce=random.Random(7), pace=3 * 96), clock.sleep)
    rig.up()
    begun, total = clock.now, 0
    for turn in random_turns(1, 10_000, 60):
        total += turn
        rig.backend.nudge(turn)
        while rig.backend.hand.busy:
            clock.sleep(0.02)
            rig.poll()
        assert rig.counts == total
    assert clock.now - begun == pytest.approx(10_000 / 24 / 3, rel=0.1)
    assert rig.backend.figures() == {"impossible": 0, "repeats": 0, "mended": 0, "virtual": True}
    rig.backend.stop()


def damaging(seed: int, share: float) -> VirtualSerialDial:
    """A line that drops, cuts or flips this share of all frames."""
    chance = random.Random(seed)

    def damage(frame: bytes) -> bytes:
        if chance.random() >= share:
            return frame
        at = chance.randrange(len(frame))
        return chance.choice(
            (b"", frame[:at], frame[:at] + bytes([frame[at] ^ 1 << chance.randrange(8)]) + frame[at + 1 :])
        )

    config = DialConfig(counts_per_revolution=2400)
    return VirtualSerialDial(config, damage, bounce=random.Random(seed), pace=3 * 2400)


@pytest.mark.parametrize("share", [0.0, 0.05])
def test_ten_thousand_detents_through_the_firmware_lose_nothing(share: float) -> None:
    """Three real revolutions a second of a 600-line encoder, bounce included, at 115,200 baud in real time."""
    need_micropython()
    rig = Rig(damaging(3, share), time.sleep)
    rig.up()
    begun, total = time.monotonic(), 0
    for turn in random_turns(2, 10_000, 700):
        total += turn
        rig.turn(turn)
        if turn % 3 == 0:
            rig.until(lambda: rig.counts == total, 2.0)  # noqa: B023 - called before the loop goes on
    turning = time.monotonic() - begun
    rig.until(lambda: rig.counts == total, 2.0)
    assert turning < 10 * 10_000 / 600 / 3, "the machine was too busy for this to be real time"
    assert rig.impossible == 0
    figures = rig.backend.figures()
    assert (figures["frames_bad"] > 0) == (share > 0)
    rig.backend.stop()


@pytest.mark.hardware
def test_a_real_board_turns(board_on_usb: Rig) -> None:
    """Somebody turns the dial on a real board by a detent within twenty seconds; no edge is impossible."""
    begun = board_on_usb.counts
    board_on_usb.until(lambda: abs(board_on_usb.counts - begun) >= 4, 20.0)
    assert board_on_usb.impossible == 0
