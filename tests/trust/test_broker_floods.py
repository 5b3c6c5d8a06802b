"""Floods of the phones' gate, in short: the table goes on, a new phone gets in, nothing grows, and afterwards all is as before.

How fast all that is, is measured by `scripts/soak/broker_floods.py`, alone on its machine.
"""

from __future__ import annotations

import importlib
import sys
import time
from collections.abc import Iterator
from typing import Any

import pytest

from companion.machine.gatekeeper import BURST, RATE
from tests.conftest import ROOT

sys.path.insert(0, str(ROOT / "scripts" / "soak"))
floods: Any = importlib.import_module("broker_floods")

SECONDS = 2.0
SHORT = {"watchers-300": 40, "sleepers-300": 40}
"""As large as they are named, but for those that have to be let in one by one."""


@pytest.fixture(scope="module")
def stand() -> Iterator[Any]:
    """One table that has to bear them all, one after the other."""
    with floods.stand_for() as stand:
        yield stand


@pytest.mark.parametrize("name", list(floods.FLOODS))
def test_under_a_flood_the_table_plays_on(stand: Any, name: str) -> None:
    """Every move of the seated phone is answered and every newcomer hears the state, from the flood's own address."""
    kind = floods.FLOODS[name]
    began = time.monotonic()
    found = floods.flooded(stand, kind._replace(size=SHORT.get(name, kind.size)), SECONDS)
    assert found["flood"]["lines"] > 0
    # of a hundred thousand moves the core sees the first twenty and fifteen a second; the rest is gone with its phone
    assert found["flood"]["moves_taken"] <= BURST + RATE * (time.monotonic() - began)
    assert (found["flood"]["moves_taken"] > 0) == (name == "moves-100000")
    assert found["moves"] > 0
    assert found["unanswered"] == 0
    assert found["newcomers"] > 0
    assert found["turned_away"] == []
    assert found["memory_mb_above_rest"] <= floods.flood_report.MEMORY
    after = found["afterwards"]
    assert after["moves"]
    assert after["comes_in"]
    assert after["nobody_was_started_again"]
    assert all(more <= 2 for more in after["handles"].values()), after["handles"]
