"""The screen endures: guessed PINs, malformed messages, views that make no sense; and draws no more than what changed."""

from __future__ import annotations

import time
from pathlib import Path
from typing import Any

import msgspec
import pygame
import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from benches import samples
from companion.wire.messages import DialSeen, State
from display.touch import Go, Put, Setting
from tests.display.test_client import Table
from tests.views import view_of


@pytest.fixture
def table(tmp_path: Path) -> Table:
    return Table(tmp_path)


def test_a_pin_is_not_guessed_without_delay(table: Table) -> None:
    """Two slips cost nothing; then the keys rest, longer each time, also for who leaves and comes back."""

    def type_in(*digits: str) -> None:
        for digit in digits:
            table.tap(f"pin-{digit}")

    def keys() -> bool:
        return "pin-1" in {touch.id for touch in table.screen.page.touches()}

    def opened() -> bool:
        return "text_size=130" in {touch.id for touch in table.screen.page.touches()}

    table.show(samples.table())
    table.client.perform(Setting({"pin": "1234", "lock": True}))
    table.client.perform(Go("settings"))
    table.pass_time()
    for _ in range(2):
        type_in("1", "1", "1", "1")
        assert keys() and not opened()
    type_in("9", "9", "9", "9")
    assert not keys()
    assert table.client.view.pick("pin-wait") == 30
    table.client.perform(Put({"pin": "1234"}))
    table.pass_time()
    assert not opened(), "nor by any other way"
    table.client.perform(Go(""))
    table.client.perform(Go("menu"))
    table.pass_time(15)
    assert not keys()
    table.pass_time(16)
    type_in("9", "9", "9", "9")
    table.pass_time(45)
    assert not keys(), "twice as long"
    table.pass_time(16)
    type_in("1", "2", "3", "4")
    assert opened()
    table.client.perform(Go(""))
    table.client.perform(Go("settings"))
    table.pass_time()
    type_in("0", "0", "0", "0")
    assert keys(), "a right one makes up for what was before"


def test_the_dial_turns_and_only_the_ring_is_painted(table: Table) -> None:
    """What did not change stays as it is."""
    table.show(samples.table())
    table.core.publish("sensor/dial", DialSeen(state="turning", ts=1.0, position=2, angle=0.2))
    table.bus.pump()
    painted: list[pygame.Rect] = []
    present = table.screen._present
    table.screen._present = lambda rects: (painted.extend(rects), present(rects))[1]  # type: ignore[assignment, func-returns-value]
    table.screen.step(table.now + 0.1)
    assert painted
    assert all(rect.right < 260 for rect in painted)


def test_idle_draws_nothing(table: Table) -> None:
    """A second of nothing is no frame."""
    table.show(samples.table())
    table.pass_time(1)
    frames = table.screen.frames
    for _ in range(40):
        table.pass_time(0.025)
    assert table.screen.frames == frames


def test_malformed_messages_never_crash_it(table: Table) -> None:
    """Not JSON, not the schema, not sense: counted, said, drawn around."""
    table.show(samples.table())
    for topic in ("state", "sensor/dial", "sensor/market", "health/vision", "answer/display", "event/x"):
        for junk in (b"{", b"[]", b'{"v":9}', b"\xff\xfe", b'{"room":1}'):
            table.core.publish(topic, junk)
    table.core.publish("picture/live", b"no jpeg")
    table.pass_time()
    assert table.bus.refused == 6 * 5
    assert table.client.view.state is not None


_JSON = st.recursive(
    st.none() | st.booleans() | st.integers(-9, 9) | st.text(max_size=6),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(max_size=5), inner, max_size=3),
    max_leaves=8,
)


@settings(max_examples=40, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(
    game=st.sampled_from(["skytopia", "scorepad", "unknown"]),
    key=st.sampled_from(["players", "market", "dial", "guilds", "chart", "effects", "round", "entries"]),
    value=_JSON,
)
@pytest.mark.usefixtures("blank_pictures")
def test_a_view_that_makes_no_sense_is_survived(tmp_path: Path, game: str, key: str, value: Any) -> None:
    """Any value anywhere in a pack's view: something is drawn, the process lives, the next state is shown."""
    table = Table(tmp_path)
    good = samples.table()
    assert isinstance(good.state, State)
    odd = msgspec.structs.replace(good.state, game=game, view=samples.written({**view_of(good.state), key: value}))
    table.show(msgspec.structs.replace(good, state=odd))
    table.show(good)
    assert "red-2" in {t.id for t in table.screen.page.touches()}


def test_the_ring_follows_the_hand_at_once(table: Table) -> None:
    """A reading is on the screen before the loop comes round; right after a frame it waits for the next."""
    table.show(samples.table())
    table.client.urgent = table.screen.hurry
    table.screen.step(time.monotonic())
    table.screen._drawn_at = time.monotonic() - 1
    frames = table.screen.frames
    table.core.publish("sensor/dial", DialSeen(state="turning", ts=1.0, position=2, angle=0.2))
    table.bus.pump()
    assert table.screen.frames == frames + 1
    table.screen._drawn_at = time.monotonic() + 10
    table.core.publish("sensor/dial", DialSeen(state="turning", ts=2.0, position=2, angle=0.4))
    table.bus.pump()
    assert table.screen.frames == frames + 1


def test_a_turned_dial_is_on_the_screen_after_one_round_of_the_loop(table: Table) -> None:
    """From the message to the picture; how long that takes is the bench's to say."""
    table.show(samples.table())
    frames = table.screen.frames
    table.core.publish("sensor/dial", DialSeen(state="turning", ts=1.0, position=3, angle=0.0))
    table.pass_time()
    assert table.screen.frames == frames + 1
    assert table.client.view.dial is not None and table.client.view.dial.position == 3
