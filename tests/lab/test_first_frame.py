"""A picture counts as one only when something is drawn, and its row says after how long that was."""

from __future__ import annotations

import random

from tests.lab.test_report import row
from tools.lab.inside.picture import SOME, plain

PIXELS = 40 * SOME


def test_a_screen_of_one_colour_shows_nothing_yet() -> None:
    assert plain(bytes(4 * PIXELS))
    assert plain(bytes((9, 9, 9, 255)) * PIXELS)
    assert plain(b"".join(bytes((0, 0, 0, at % 256)) for at in range(PIXELS))), "the fourth byte is no colour"


def test_a_drawn_screen_is_one() -> None:
    drawn = bytearray(4 * PIXELS)
    drawn[2 * PIXELS :] = random.Random(1).randbytes(2 * PIXELS)
    assert not plain(bytes(drawn))


def test_its_row_says_how_long_both_starts_took() -> None:
    first = {"at": 19.5, "waited": True, "busy": 11.5, "ready": 19.2}
    told = row("first frame, native", {"ok": True, "first": first, "again": first | {"at": 25.0}})
    assert "20 s with a disk as the installer leaves it, 25 s the next time (12 and 12 s of its processor)" in told
