"""When exposure, gains and focus are locked, and when they are measured anew."""

from __future__ import annotations

import pytest

from vision.camera.lock import CHANGED_FRAMES, MOST_FRAMES, STEADY_FRAMES, AutoLock


class Told:
    """Counts what an `AutoLock` does."""

    def __init__(self) -> None:
        self.did: list[str] = []
        self.auto = AutoLock(lambda: self.did.append("lock"), lambda: self.did.append("unlock"))
        self.auto.start()


def test_a_changing_picture_is_not_locked() -> None:
    """Only steady light is locked; a flickering lamp after a while all the same."""
    told = Told()
    for number in range(MOST_FRAMES - 1):
        told.auto.saw(100.0 + 20 * (number % 2))
    assert told.did == ["unlock"]
    told.auto.saw(100.0)
    assert told.did == ["unlock", "lock"]


@pytest.mark.parametrize(("pending", "expected"), [(False, ["unlock", "lock", "unlock"]), (True, ["unlock", "lock"])])
def test_it_is_unlocked_only_while_nothing_is_pending(pending: bool, expected: list[str]) -> None:
    """The lamp was switched on: measured anew, but not in the middle of a reading."""
    told = Told()
    for _ in range(STEADY_FRAMES):
        told.auto.saw(60.0)
    told.auto.pending = pending
    for _ in range(CHANGED_FRAMES):
        told.auto.saw(150.0)
    assert told.did == expected


def test_a_hand_passing_does_not_unlock() -> None:
    """Short changes are no new lamp."""
    told = Told()
    for _ in range(STEADY_FRAMES):
        told.auto.saw(100.0)
    for _ in range(5):
        for _ in range(CHANGED_FRAMES - 1):
            told.auto.saw(60.0)
        told.auto.saw(100.0)
    assert told.did == ["unlock", "lock"]
