"""What is said of many cuts: one bad one is enough, and what was not looked at is not counted as seen."""

from __future__ import annotations

from typing import Any

import msgspec
import pytest

from tools.lab.cuts import Cut, summary
from tools.lab.report import lines

GOOD = Cut(
    acknowledged=9,
    written=10,
    lost=0,
    doubled=0,
    damaged=False,
    disk="mended",
    started=20.0,
    rows=12,
    busy=15.0,
    back=True,
)
EMULATED = Cut(acknowledged=9, written=10, lost=0, doubled=0, damaged=False, disk="mended")


@pytest.mark.parametrize(
    "wrong", [{"lost": 1}, {"doubled": 1}, {"damaged": True}, {"disk": "broken"}, {"back": False}], ids=str
)
def test_one_bad_cut_is_enough(wrong: dict[str, Any]) -> None:
    assert summary([GOOD, GOOD])["ok"]
    assert not summary([GOOD, msgspec.structs.replace(GOOD, **wrong)])["ok"]


def test_what_was_not_looked_at_is_not_counted() -> None:
    found = summary([EMULATED, EMULATED, GOOD])
    assert (found["ok"], found["cuts"], found["started"], found["back"]) == (True, 3, 1, 1)
    assert (found["slowest_start"], found["busiest_start"]) == (20.0, 15.0)


def test_a_native_row_says_what_a_disk_that_does_not_flush_lost() -> None:
    seen = {**summary([GOOD]), "when": "2026-01-01"}
    plain = lines({"power cuts": seen}, {})[-1]
    told = lines({"power cuts, native": seen | {"deaf": 7, "deaf_of": 8}}, {})[-1]
    assert "lost 7 of 8" in told
    assert "back by itself in the same game with every row 1 times" in told
    assert "not flush" not in plain
