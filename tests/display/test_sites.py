"""The sites of an owner's board, tapped on the live picture."""

from __future__ import annotations

from pathlib import Path

import msgspec
import pytest

from benches import samples
from companion.games.skyrise.mat import islands_mat
from companion.wire.messages import Answer, Do, Health
from display.scenes.sites import fitted
from display.touch import Spot
from tests.display.test_client import Table
from tests.display.test_welcome import a_picture, labels

PLACES = {"c-n": (0.5, 0.4), "c-s": (0.5, 0.6), "nw-1": (0.3, 0.2), "nw-2": (0.4, 0.2), "nw-3": (0.4, 0.4)}
SHAPE = 16 / 9


def test_one_tap_shifts_an_island_and_two_turn_it() -> None:
    """The rest follows; other islands stay."""
    shifted = fitted(PLACES, [[], [], [0.35, 0.3]], SHAPE)
    assert shifted["c-n"] == pytest.approx((0.5, 0.4))
    assert shifted["nw-3"] == pytest.approx((0.45, 0.5))
    wide, high = 0.1 * SHAPE, 0.2  # a quarter turn round nw-1, in a picture that is wider than high
    turned = fitted(PLACES, [[], [], [0.3, 0.2], [0.3, 0.2 + wide]], SHAPE)
    assert turned["nw-3"] == pytest.approx((0.3 - high / SHAPE, 0.2 + wide))
    assert turned["c-s"] == pytest.approx((0.5, 0.6))


@pytest.fixture(params=[(800, 480), (1280, 720)], ids=lambda size: f"{size[0]}x{size[1]}")
def table(tmp_path: Path, request: pytest.FixtureRequest) -> Table:
    """A game with sites, and the camera's scene open."""
    found = Table(tmp_path, request.param)
    shown = samples.table().state
    assert shown is not None
    found.core.publish("state", msgspec.structs.replace(shown, mat=islands_mat()))
    found.core.publish("health/vision", Health(room="vision", status="online"))
    found.core.publish("picture/live", a_picture())
    found.pass_time()
    found.client.put(scene="calibration")
    found.pass_time()
    return found


def order(table: Table, command: str) -> Do:
    return next(one for one in reversed(table.heard) if isinstance(one, Do) and one.command == command)


def touch_picture(table: Table, x: float, y: float) -> None:
    """A finger on the picture, of which only the island is shown."""
    touch = next(t for t in table.screen.page.touches() if t.id == "site")
    assert isinstance(touch.act, Spot)
    left, top, width, height = touch.act.box
    at = (round(left + x * width), round(top + y * height))
    assert touch.holds(*at)
    table.screen.press(at, table.now)
    table.screen.release(at)
    table.pass_time()


def test_islands_are_put_where_they_lie_by_two_touches_each(table: Table) -> None:
    """What lies right is left by one touch, what does not is tapped; the camera gets every site."""
    table.tap("sites")
    assert not [label.text for label in table.screen.page.labels() if not label.fits and not label.typed]
    answer = Answer(id=order(table, "sites").id, ok=True, result={"sites": PLACES})
    table.core.publish("answer/display", answer)
    table.pass_time()
    assert "1 of 5" in labels(table)
    table.tap("sites-rest")
    assert "3 of 5" in labels(table)
    touch_picture(table, 0.4, 0.3)
    table.tap("sites-again")
    for place in ((0.35, 0.3), (0.45, 0.3)):
        touch_picture(table, *place)
    table.tap("sites-keep")
    sent = order(table, "place sites").args["sites"]
    assert sent["c-n"] == [0.5, 0.4]
    assert sent["nw-1"] == pytest.approx([0.35, 0.3], abs=0.01)
    assert sent["nw-3"] == pytest.approx([0.45, 0.5], abs=0.02)
    table.answer()
    assert "The sites are kept" in labels(table)


def test_a_game_without_sites_offers_none_to_tap(table: Table) -> None:
    shown = samples.table().state
    table.core.publish("state", shown)
    table.pass_time()
    table.pass_time()
    assert "sites" not in [touch.id for touch in table.screen.page.touches()]
