"""The log on the screen: every move in words, the newest first, leaf by leaf."""

from __future__ import annotations

from pathlib import Path

import msgspec

from benches import samples
from companion.game import Text
from companion.wire.game_log import LogLine, LogPage
from companion.wire.messages import Answer
from tests.display.test_client import Table


def page(number: int, rows: range, game: str) -> LogPage:
    lines = tuple(LogLine(seq=row, seat=row % 2, said=(Text("event/undone"),)) for row in rows)
    return LogPage(game=game, page=number, lines=lines)


def test_every_move_is_a_line_and_older_ones_are_a_leaf_away(tmp_path: Path) -> None:
    table = Table(tmp_path)
    view = samples.table()
    table.show(view)
    assert view.state is not None
    game = view.state.game_id
    table.core.publish("log/0", page(0, range(1, 25), game))
    table.core.publish("log/1", page(1, range(25, 30), game))
    table.pass_time()
    table.tap("menu")
    table.tap("menu-log")
    shown = [label.text for label in table.screen.page.labels()]
    assert sum("taken back" in text for text in shown) >= 4
    names = {touch.id for touch in table.screen.page.touches()}
    assert "log-older" in names
    assert "log-newer" not in names
    table.tap("log-older")
    assert "log-newer" in {touch.id for touch in table.screen.page.touches()}
    assert all(label.fits for label in table.screen.page.labels())


def test_without_a_move_it_says_so(tmp_path: Path) -> None:
    table = Table(tmp_path)
    table.show(samples.table())
    table.tap("menu")
    table.tap("menu-log")
    assert "No move has been made yet." in [label.text for label in table.screen.page.labels()]


def test_a_line_shows_how_the_table_stood_then(tmp_path: Path) -> None:
    """The game's own table, out of reach; the way back is the only thing to touch."""
    table = Table(tmp_path)
    view = samples.table()
    table.show(view)
    assert view.state is not None
    table.core.publish("log/0", page(0, range(1, 5), view.state.game_id))
    table.pass_time()
    table.tap("menu")
    table.tap("menu-log")
    table.tap("line 3")
    asked = table.heard[-1]
    assert (asked.command, asked.args) == ("then", {"seq": 3})
    past = msgspec.json.decode(msgspec.json.encode(msgspec.structs.replace(view.state, seq=3)))
    table.core.publish("answer/display", Answer(id=asked.id, ok=True, result={"state": past}))
    table.pass_time()
    assert [touch.id for touch in table.screen.page.touches()] == ["then-back"]
    assert view.name(0) in [label.text for label in table.screen.page.labels()]
    table.tap("then-back")
    assert "line 3" in {touch.id for touch in table.screen.page.touches()}
