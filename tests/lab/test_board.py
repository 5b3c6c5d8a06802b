"""The lab's board on USB: what its pins are put to is a dial that turns, and what was seen of it is told."""

from __future__ import annotations

import pytest

from firmware_bridge.pico.quadrature import Counter
from firmware_bridge.serial_link import USB_IDS
from firmware_bridge.virtual_board import OPEN
from tests.lab.test_report import row
from tools.lab.inside import board
from tools.lab.pico import EDGES, NOTCH
from tools.lab.place import ROOT


@pytest.mark.parametrize(("at", "counts"), [(0, 1), (0, 4000), (7, -9), (-3, 30)])
def test_every_byte_is_one_quarter_step(at: int, counts: int) -> None:
    stood = board.edges(at - 1, 1)[0]
    counter = Counter((stood & 1) << 1 | stood >> 1 & 1)
    made = board.edges(at, counts)
    for levels in made:
        counter.move((levels & 1) << 1 | levels >> 1 & 1)
    assert (counter.counts, counter.impossible, len(made)) == (counts, 0, abs(counts))
    assert all(levels & ~3 == OPEN & ~3 for levels in made), "button and index stay as they are"


def test_it_starts_with_its_contacts_open() -> None:
    assert board.edges(-1, 1) == bytes([OPEN])


def test_it_is_what_udev_rule_and_bridge_look_for() -> None:
    vendor, product = (int(board.SAID[name], 16) for name in ("idVendor", "idProduct"))
    assert (vendor, product) in USB_IDS
    rules = (ROOT / "systemd/99-tableside.rules").read_text()
    assert f'ATTRS{{idVendor}}=="{vendor:04x}", ATTRS{{idProduct}}=="{product:04x}"' in rules


def test_every_turn_ends_in_a_notch() -> None:
    """Between two of them the dial would never be ready."""
    assert not any(edges // 2 % NOTCH or edges % NOTCH for edges in EDGES.values())


def test_its_row_names_what_was_lost() -> None:
    pace = {"lost": 3, "really": 3990, "late": 0.05, "impossible": 0}
    seen = {"found": 1.1, "gone": 0.4, "back": 0.7, "name": ["/dev/ttyACM0", "dialout", "660"], "4000": pace}
    told = row("pico, native", {**seen, "ok": False})
    assert "found after 1.1 s" in told
    assert "at 4,000 edges per second (3,990 really) 3 lost" in told
    assert told.endswith("| **no** |")
