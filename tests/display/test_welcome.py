"""The first steps on a new table, the box check, games put away and games finished, all by touch."""

from __future__ import annotations

import io
from pathlib import Path
from typing import Any

import msgspec
import pygame
import pytest

from benches import samples, samples_aside
from companion.game import Text
from companion.wire.config import load
from companion.wire.messages import Admin, Answer, DialSeen, Do, MoveRequest, Refusal
from companion.wire.replies import Reply
from display.scenes.welcome import STEPS
from display.view import Told, View
from tests.display.test_client import Table


def a_picture() -> bytes:
    """What a camera sends."""
    buffer = io.BytesIO()
    pygame.image.save(pygame.Surface((960, 540)), buffer, "live.jpg")
    return buffer.getvalue()


@pytest.fixture
def fresh(tmp_path: Path) -> Table:
    """A screen that was never set up, at a table with nothing on it."""
    table = Table(tmp_path, welcomed=False)
    table.show(samples.lobby())
    return table


@pytest.fixture
def table(tmp_path: Path) -> Table:
    return Table(tmp_path)


def labels(table: Table) -> str:
    return " ".join(label.text for label in table.screen.page.labels())


def tell(table: Table, **result: Any) -> None:
    """The core answers the last request."""
    last = next(m for m in reversed(table.heard) if getattr(m, "command", "") not in ("live start", "check"))
    table.core.publish("answer/display", Answer(id=last.id, ok=True, result=result))
    table.pass_time()


def test_a_new_machine_opens_the_first_steps_and_each_can_be_passed(
    fresh: Table, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Six steps, six touches; then it is remembered for the next start."""
    for step in STEPS:
        assert fresh.client.view.pick("scene") == "welcome"
        assert fresh.client.view.pick("welcome-step", STEPS[0]) == step
        fresh.tap("welcome-on")
    assert fresh.client.view.pick("scene") is None
    assert "New game" in labels(fresh)
    monkeypatch.setenv("TABLESIDE_STATE_DIR", str(fresh.config.state_dir))
    assert load().display.welcomed is True


def test_they_can_be_left_at_once_and_opened_again_from_the_settings(fresh: Table) -> None:
    """Not now; later from the settings."""
    fresh.tap("welcome-later")
    assert "welcomed = true" in (fresh.config.state_dir / "settings.toml").read_text()
    fresh.tap("menu")
    fresh.tap("menu-settings")
    fresh.tap("settings-first")
    assert "Which language" in labels(fresh)


def test_a_game_that_was_going_on_comes_before_the_first_steps(tmp_path: Path) -> None:
    """A screen put to a running table shows the game."""
    table = Table(tmp_path, welcomed=False)
    table.show(samples.table())
    assert "Set one golem" in labels(table)


def test_the_language_chosen_speaks_at_once(fresh: Table) -> None:
    """The next word is already Polish."""
    fresh.tap("language=pl")
    assert "W\u00a0jakim języku" in labels(fresh)


def test_the_dial_step_counts_what_the_hand_turns(fresh: Table) -> None:
    """Steps are counted from the moment the step opens, both ways."""
    fresh.core.publish("sensor/dial", DialSeen(state="ready", ts=0.0, position=3, turns=9))
    fresh.core.publish("health/firmware_bridge", samples.lobby().health["firmware_bridge"])
    fresh.pass_time()
    fresh.tap("welcome-on")
    fresh.tap("welcome-on")
    assert "Turn the dial" in labels(fresh)
    fresh.core.publish("sensor/dial", DialSeen(state="ready", ts=1.0, position=5, turns=11))
    fresh.pass_time()
    assert "+2" in labels(fresh)
    assert "2 notches felt" in labels(fresh)
    fresh.core.publish("sensor/dial", DialSeen(state="ready", ts=2.0, position=2, turns=8))
    fresh.pass_time()
    assert "−1" in labels(fresh)


def test_the_camera_is_asked_only_while_somebody_looks_and_says_one_thing_to_do(fresh: Table) -> None:
    """Live picture and check once a second in this step, silence in the others; good turns the key to Next."""
    fresh.core.publish("health/vision", samples.lobby().health["vision"])
    for _ in range(5):
        fresh.pass_time(0.5)
    assert not [m for m in fresh.heard if isinstance(m, Do)]
    for _ in range(3):
        fresh.tap("welcome-on")
    for _ in range(5):
        fresh.pass_time(0.5)
    asked = [m for m in fresh.heard if isinstance(m, Do)]
    assert {m.command for m in asked} == {"cameras", "live start", "check"}
    assert 2 <= sum(m.command == "check" for m in asked) <= 4
    bad = plain(samples_aside.welcome().told.check)
    check = next(m for m in reversed(asked) if m.command == "check")
    fresh.core.publish("answer/display", Answer(id=check.id, ok=True, result=bad))
    fresh.pass_time()
    assert "too dark" in labels(fresh)
    assert "Switch on a lamp" in labels(fresh)
    assert "Skip this" in labels(fresh)
    fresh.pass_time(1.1)
    fresh.pass_time()
    check = next(m for m in reversed(fresh.heard) if isinstance(m, Do) and m.command == "check")
    good = {**bad, "say": None, "do": None, "parts": {"mat": 1.0, "light": 0.9, "sharp": 0.9}}
    fresh.core.publish("answer/display", Answer(id=check.id, ok=True, result=good))
    fresh.pass_time()
    assert "can be read well" in labels(fresh)
    fresh.tap("calibrate-mat")
    order = next(m for m in reversed(fresh.heard) if m.command not in ("live start", "check"))
    assert (order.command, fresh.client.view.pending) == ("calibrate", "calibrate-mat")
    tell(fresh, rows=4)
    assert "The mat was found" in labels(fresh)


def test_without_a_printed_mat_its_corners_are_tapped(fresh: Table) -> None:
    """Four touches on the live picture, clockwise from the top left, sent as shares of it."""
    fresh.core.publish("health/vision", samples.lobby().health["vision"])
    for _ in range(3):
        fresh.tap("welcome-on")
    fresh.core.publish("picture/live", a_picture())
    fresh.pass_time()
    fresh.tap("corners")
    assert "Touch the top left corner" in labels(fresh)
    box = next(t.box for t in fresh.screen.page.touches() if t.id == "corner")
    wanted = [(0.2, 0.1), (0.8, 0.1), (0.8, 0.9), (0.2, 0.9)]
    for x, y in wanted:
        at = (round(box[0] + x * box[2]), round(box[1] + y * box[3]))
        fresh.screen.press(at, fresh.now)
        fresh.screen.release(at)
        fresh.pass_time()
    fresh.tap("corners-keep")
    sent = next(m for m in reversed(fresh.heard) if isinstance(m, Do) and m.command == "calibrate")
    assert [tuple(round(v, 1) for v in point) for point in sent.args["corners"]] == wanted
    tell(fresh, rows=4, tapped=True)
    assert "The mat was found" in labels(fresh)
    fresh.tap("colours")
    assert "Lay one die of each of the 4 colours" in labels(fresh)
    fresh.tap("colours-measure")
    sent = next(m for m in reversed(fresh.heard) if isinstance(m, Do) and m.command == "sample colours")
    assert sent.args == {"colours": ["sun", "leaf", "sky", "coral"]}


def test_a_camera_that_refuses_says_why(fresh: Table) -> None:
    """No frame yet: the refusal's own words are shown."""
    fresh.core.publish("health/vision", samples.lobby().health["vision"])
    for _ in range(3):
        fresh.tap("welcome-on")
    fresh.pass_time(1.1)
    check = next(m for m in reversed(fresh.heard) if isinstance(m, Do) and m.command == "check")
    why = Refusal(code="vision/camera/none", say=Text("vision/camera/none/say"), do=Text("vision/camera/none/do"))
    fresh.core.publish("answer/display", Answer(id=check.id, ok=False, refusal=why))
    fresh.pass_time()
    assert "No camera is set up" in labels(fresh)


def test_a_touched_star_is_ticked(fresh: Table) -> None:
    """Three stars show that touches arrive where they should."""
    fresh.tap("welcome-on")
    for i in range(3):
        fresh.tap(f"star {i}")
    assert "Touch works" in labels(fresh)


def plain(reply: Reply | None) -> dict[str, Any]:
    """As the core answers."""
    found: dict[str, Any] = msgspec.to_builtins(reply)
    return found


def test_the_box_is_checked_by_touch(table: Table) -> None:
    """From the menu: step a value, keep it, confirm the rest as shown."""
    table.show(samples.lobby())
    table.tap("menu")
    table.tap("menu-box")
    asked = table.heard[-1]
    assert isinstance(asked, Admin)
    assert (asked.command, asked.args) == ("box list", {"game": "skytopia"})
    tell(table, **plain(samples_aside.box_check().told.box))
    assert "0 to 30" in labels(table)
    key = "chronometer.price_by_steps.1"
    table.tap(f"box-edit:{key}-")
    assert "9" in [label.text for label in table.screen.page.labels()]
    table.tap(f"box-keep {key}")
    kept = table.heard[-1]
    assert (kept.command, kept.args) == ("box", {"game": "skytopia", "values": {key: 9}})
    after = [
        {**v, "value": 9, "confirmed": True} if v["key"] == key else v
        for v in plain(samples_aside.box_check().told.box)["values"]
    ]
    tell(table, game="skytopia", values=after, kept=1)
    assert f"box-keep {key}" not in {t.id for t in table.screen.page.touches()}
    table.tap("box-all")
    rest = table.heard[-1].args["values"]
    assert len(rest) == 4
    assert rest["chronometer.start_value"] == 1


def with_boxes(boxes: dict[str, int]) -> View:
    """No game is played; these have printed values to check."""
    view = samples.lobby()
    assert view.state is not None and view.state.lobby is not None
    told = msgspec.structs.replace(view.state.lobby, box=boxes)
    return msgspec.structs.replace(view, state=msgspec.structs.replace(view.state, lobby=told))


@pytest.mark.parametrize("boxes", [{"pig": 3}, {}])
def test_every_game_with_printed_numbers_is_checked_and_no_other(fresh: Table, boxes: dict[str, int]) -> None:
    """A stranger's too; where no game has any, nothing is offered."""
    fresh.show(with_boxes(boxes))
    fresh.client.put(**{"welcome-step": "box"})
    fresh.pass_time()
    assert [t.id for t in fresh.screen.page.touches() if t.id.startswith("check-")] == [f"check-{one}" for one in boxes]
    fresh.tap("welcome-on")
    fresh.tap("menu")
    assert ("menu-box" in {t.id for t in fresh.screen.page.touches()}) == bool(boxes)
    if boxes:
        fresh.tap("menu-box")
        assert (fresh.heard[-1].command, fresh.heard[-1].args) == ("box list", {"game": "pig"})


def test_a_list_of_numbers_is_stepped_one_by_one(table: Table) -> None:
    """Its shape stays, only the number changes."""
    view = samples_aside.box_check(**{"box-open": "effects.B4.tiers"})
    table.client.put(**view.local)
    table.show(view)
    table.client.put(**view.local)
    table.client._change(told=view.told)
    table.pass_time()
    table.tap("box-part:effects.B4.tiers#2+")
    table.tap("box-list-keep")
    sent = next(m for m in reversed(table.heard) if isinstance(m, Admin))
    assert sent.args["values"] == {"effects.B4.tiers": [[1, 1], [4, 2], [5, 3]]}


def test_in_a_game_our_copy_is_a_move_that_shows_the_value_and_its_bounds(table: Table) -> None:
    """The refusal's key looks the value up; keeping it is journalled like any move."""
    table.show(samples.table())
    table.tap("red-2")
    table.tap("place/red-2/6")
    key = "chronometer.price_by_steps.1"
    refusal = Refusal(code="x", say=Text("display/demo/refused"), do=Text("display/demo/refused-do"), box=key)
    table.answer(ok=False, refusal=refusal)
    table.tap("banner-box")
    assert (table.heard[-1].command, table.heard[-1].args) == ("box list", {"game": "skytopia"})
    tell(table, **plain(samples_aside.box_check().told.box))
    assert "0 to 30" in labels(table)
    table.tap(f"box-edit:{key}-")
    table.tap("box-keep")
    moves = [m for m in table.heard if isinstance(m, MoveRequest)]
    assert moves[-1].move == {"kind": "box", "key": key, "value": 9}


def test_a_game_put_away_is_taken_up_again(table: Table) -> None:
    """Two touches in the set-up."""
    table.show(samples.lobby())
    table.tap("paused")
    table.tap("resume 20261112-201500-a1b2c3")
    sent = table.heard[-1]
    assert (sent.command, sent.args) == ("resume", {"game": "20261112-201500-a1b2c3"})


def test_finished_games_are_looked_through(table: Table) -> None:
    """The list, one game with its plots, the players, head to head, and back."""
    table.show(samples.lobby())
    table.tap("menu")
    table.tap("menu-past")
    assert table.heard[-1].command == "history"
    tell(table, **plain(samples_aside.past().told.history))
    assert "91" in labels(table)
    table.tap("play game-0")
    assert "Where the points came from" in labels(table)
    assert "Points by round" in labels(table)
    table.tap("past-list")
    table.tap("past-players")
    assert "3 wins" in labels(table)
    table.tap("past-sources")
    assert "%" in labels(table)
    table.tap("past-duels")
    assert "beat" in labels(table)
    table.tap("back")
    assert table.client.view.pick("scene") is None


def test_nonsense_about_the_past_is_survived(table: Table) -> None:
    """Answers in another shape are shown as nothing, never as a crash."""
    table.show(samples.lobby())
    for scene, name in (("past", "history"), ("box", "box")):
        for told in ({}, {"games": 3}, {"values": "x", "game": "skytopia"}, {"games": [1, {}], "players": []}):
            view = msgspec.structs.replace(table.client.view, local={"scene": scene}, told=Told().and_then(name, told))
            table.client.view, table.client.dirty = view, True
            table.pass_time()
    assert table.screen.frames


def test_the_chronometer_is_corrected_in_two_taps(table: Table) -> None:
    """The ring, then the face that really is at the build symbol."""
    table.show(samples.table())
    table.tap("ring")
    table.tap("build 3")
    (sent,) = [m for m in table.heard if isinstance(m, MoveRequest)]
    assert sent.move == {"kind": "correct", "what": "dial", "seat": None, "value": 3}
    assert table.client.view.pick("sheet") is None


def test_a_golem_and_a_card_are_corrected_on_the_cards_own_sheet(table: Table) -> None:
    """A golem is put there or turned; another card is picked among those that lie nowhere else."""
    table.show(samples.table(slot=""))
    table.client.put(sheet="card blue-1")
    table.pass_time()
    assert "Gain 3 prestige points" in labels(table)
    table.tap("die 1 4 turn")
    table.tap("put 0")
    table.tap("swap")
    tell(table, game="skytopia", values=[{"key": f"cards.B{n}a.crest", "value": f"C{n}"} for n in (1, 2, 4)])
    table.tap("card B4a")
    moves = [m.move for m in table.heard if isinstance(m, MoveRequest)]
    assert moves[0] == {"kind": "correct", "what": "die", "seat": 1, "slot": "blue-1", "was": 4, "face": 5}
    assert (moves[1]["seat"], moves[1]["was"]) == (0, None)
    assert moves[2] == {"kind": "correct", "what": "card", "seat": None, "slot": "blue-1", "value": "B4a"}
    assert "card B1a" not in {t.id for t in table.screen.page.touches()}
