"""Who watches leaves with the game, whatever became of the core in between."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from benches.phones import LiveTable
from companion.door.join import Door
from companion.wire.messages import State
from tests.companion.desk import Desk
from tests.companion.test_hostile import Stranger
from tests.conftest import until


@pytest.fixture
def table() -> Iterator[LiveTable]:
    with LiveTable("watched") as live:
        yield live


def _restart(table: LiveTable) -> None:
    """The core ends without a word and comes again; the broker and everybody on it stay."""
    table.kill_core()
    table.state = table.shown = None
    table.start_core()
    table.until(lambda: table.shown is not None and isinstance(table.state, State), "the core again")


def test_who_watched_before_the_core_was_restarted_leaves_with_the_game(table: LiveTable) -> None:
    """They hear the game to its end and nothing of the next one; the login is void with it."""
    table.new_game("scorepad", ["Ada", "Bo"], rounds=0)
    me = table.seat(None)
    port = table.config.broker.websocket_port
    spy = Stranger(port, me["user"], me["password"], websocket=True)
    spy.client.subscribe(f"{me['base']}state", 1)
    until(lambda: spy.heard, 10, "the game")
    _restart(table)
    spy.heard.clear()
    assert table.move({"kind": "points", "seat": 0, "points": 1}).ok
    until(lambda: spy.heard, 10, "the move after the restart")
    assert table.order("end game").ok
    until(lambda: not spy.client.is_connected(), 10, "the door")
    spy.heard.clear()
    table.new_game("scorepad", ["Ada", "Bo"], rounds=0)
    again = Stranger(port, me["user"], me["password"], websocket=True)
    assert not again.inside
    assert spy.heard == []
    spy.close()
    again.close()


def test_who_watched_a_game_that_is_gone_is_shown_the_door_at_the_start(table: LiveTable) -> None:
    """The core comes again and knows of no game: there is nothing to watch."""
    table.new_game("scorepad", ["Ada", "Bo"], rounds=0)
    me = table.seat(None)
    spy = Stranger(table.config.broker.websocket_port, me["user"], me["password"], websocket=True)
    assert spy.inside
    table.kill_core()
    for file in (table.config.state_dir / "games").iterdir():
        file.unlink()
    _restart(table)
    until(lambda: not spy.client.is_connected(), 10, "the door")
    spy.close()


def test_only_phones_of_this_table_are_agreed_upon(tmp_path: Path) -> None:
    """A broker may serve two tables: the other one's phones, and the rooms, are none of ours."""
    desk = Desk(tmp_path)
    desk.new()
    door, sent = Door(desk.table), list[dict[str, Any]]()
    desk.core.control = lambda commands, done: sent.extend(commands)  # type: ignore[method-assign]
    known = desk.sit(1)

    def user(name: str, *roles: str) -> dict[str, Any]:
        return {"username": name, "roles": [{"rolename": role} for role in roles]}

    door._agree_with(
        [
            user("table-companion", "table-companion"),
            user("phone-w-1", "table-spectator"),
            user("phone-w-2", "other-spectator"),
            user("phone-s0-3", "table-phone-s0-3"),
            user("phone-s0-4", "other-phone-s0-4"),
            user("admin"),
        ]
    )
    assert set(desk.table.seats.phones) == {known, "phone-w-1"}
    assert {c["username"] for c in sent if c["command"] == "deleteClient"} == {"phone-s0-3"}
    assert {c["username"] for c in sent if c["command"] == "createClient"} == {known}
    assert desk.admin("end game").ok
    assert {c["username"] for c in sent if c["command"] == "deleteClient"} == {"phone-s0-3", "phone-w-1"}
