"""Clocks on the screen: shown where somebody wants them or plays in light depth, stopped by touch, kind once."""

from __future__ import annotations

import time
from pathlib import Path
from typing import Literal

import msgspec
import pytest

from benches import samples
from companion.wire.messages import Clocks
from display import clocks
from display.view import View
from tests.display.test_client import Table


def clocked(since: float, *, depth: Literal["full", "light"] = "full", stopped: bool = False) -> View:
    view = samples.table()
    assert view.state is not None
    clock = Clocks(spent=(754.0, 431.0, 1290.0, 62.0), table=95.0, since=since, stopped=stopped)
    return msgspec.structs.replace(view, state=msgspec.structs.replace(view.state, clock=clock, depth=depth))


def shown(table: Table) -> list[str]:
    return [label.text for label in table.screen.page.labels()]


def test_light_depth_shows_the_clock_and_full_depth_only_if_asked_for(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(time, "time", lambda: 1_800_000_000.0)  # what is drawn late is drawn of the same moment
    table = Table(tmp_path)
    table.show(clocked(time.time()))
    assert "12:30" not in shown(table)
    table.show(clocked(time.time(), depth="light"))
    assert "12:30" in shown(table)
    table.tap("clock")
    assert {"12:30", "7:10", "21:30", "1:00", "1:30"} <= set(shown(table))
    assert all(label.fits for label in table.screen.page.labels())
    table.tap("clock-stop")
    asked = table.heard[-1]
    assert (asked.command, asked.args) == ("clock", {"stopped": True})


def test_what_runs_is_added_in_steps_and_a_stopped_clock_stands() -> None:
    view = clocked(1000.0)
    later = msgspec.structs.replace(view, local={"clock": 1200.0})
    seat = clocks.deciding(later)
    assert seat == 0
    assert clocks.seconds(later, 0) == 950
    assert clocks.seconds(later, 1) == 430
    assert clocks.seconds(msgspec.structs.replace(clocked(1000.0, stopped=True), local={"clock": 1200.0}), 0) == 750


@pytest.mark.parametrize(("wait", "after", "said"), [(3, 179, False), (3, 181, True), (0, 9999, False)])
def test_a_kind_word_after_the_chosen_time_once(wait: int, after: int, said: bool) -> None:
    view = msgspec.structs.replace(clocked(1000.0), settings={"nudge": wait})
    changes, word = clocks.look(view, 1000.0 + after)
    assert (word is not None) == said
    again = msgspec.structs.replace(view, local=changes)
    assert clocks.look(again, 1000.0 + after + 60)[1] is None or not said
    stopped = msgspec.structs.replace(clocked(1000.0, stopped=True), settings={"nudge": wait})
    assert clocks.look(stopped, 1000.0 + after)[1] is None
