"""A hint on the screen: offered where the table wants hints, a direction first, the move only when asked for."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import msgspec
import pytest

from benches import samples
from companion.game import Text
from companion.wire.messages import Admin, Answer
from tests.display.test_client import Table


def shown(table: Table) -> str:
    return " | ".join(label.text for label in table.screen.page.labels())


def an_answer(table: Table, **other: Any) -> dict[str, Any]:
    state = table.client.view.state
    assert state is not None
    hint = {"game": state.game_id, "seq": state.seq, "kind": Text("hint/rounds/late"), "what": Text("hint/kind/bid")}
    return msgspec.to_builtins({**hint, "then": (), "why": Text("hint/why", {"n": 3}), **other})


def test_hints_are_off_until_the_table_wants_them(tmp_path: Path) -> None:
    table = Table(tmp_path)
    table.show(samples.table())
    table.tap("menu")
    assert "menu-hint" not in {touch.id for touch in table.screen.page.touches()}


def test_a_hint_comes_in_two_steps(tmp_path: Path) -> None:
    table = Table(tmp_path)
    table.client.settings.keep({"hints": True})
    table.client._change(settings=table.client.settings.values)
    table.show(samples.table())
    table.tap("menu")
    table.tap("menu-hint")
    asked = table.heard[-1]
    assert isinstance(asked, Admin)
    assert asked.command == "hint"
    assert "One moment" in shown(table)
    table.core.publish("answer/display", Answer(id=asked.id, ok=True, result=an_answer(table)))
    table.pass_time()
    assert "Be patient" in shown(table)
    assert "3 points" not in shown(table)
    table.tap("hint-more")
    assert "3 points more" in shown(table).replace(" / ", " ")
    assert all(label.fits for label in table.screen.page.labels())


def test_a_hint_for_another_row_is_none(tmp_path: Path) -> None:
    table = Table(tmp_path)
    table.show(samples.table())
    table.client._change(told=table.client.view.told.and_then("hint", an_answer(table, seq=999)))
    table.client.put(scene="hint")
    table.pass_time()
    assert "There is no hint" in shown(table)


@pytest.mark.parametrize("size", [(800, 480), (1280, 720)])
def test_the_tally_says_in_small_print_who_was_given_hints(tmp_path: Path, size: tuple[int, int]) -> None:
    """Where the table counts them; whoever played without is not named, and a game without hints has no such line."""
    table, tally = Table(tmp_path, size), samples.tally()
    assert tally.state is not None
    names = [seat.name for seat in tally.state.seats]
    for hints, line in (((2, 0, 1, 0), f"{names[0]} 2, {names[2]} 1"), ((), "")):
        state = msgspec.structs.replace(tally.state, hints=hints)
        table.show(msgspec.structs.replace(tally, state=state, local={}))
        table.pass_time()
        said = [label.text for label in table.screen.page.labels() if f"{names[0]} 2" in label.text]
        assert [line in text for text in said] == ([True] if line else [])
