"""The next game on the same table: who sits on, who is shown out, and that nobody plays from the last one."""

from __future__ import annotations

import os
import random
import signal
from pathlib import Path
from typing import Any

import msgspec
import pytest

from companion.core.registry import pack as find_pack
from companion.past.lookup import again
from companion.wire.messages import Admin, Answer, Health, JoinInfo, State
from tests.companion.desk import Desk
from tests.companion.test_hostile import Stranger, join
from tests.conftest import Run, until


def code(answer: Answer) -> str:
    """Why not; empty when it was carried out."""
    return answer.refusal.code if answer.refusal else ""


@pytest.fixture
def dismissed(desk: Desk, monkeypatch: pytest.MonkeyPatch) -> list[str]:
    """The broker's users that were withdrawn."""
    gone: list[str] = []

    def control(commands: list[dict[str, Any]], done: Any) -> None:
        gone.extend(command["username"] for command in commands if command["command"] == "deleteClient")

    monkeypatch.setattr(desk.core, "control", control)
    return gone


def test_a_seat_that_is_not_there_any_more_does_not_play(desk: Desk, dismissed: list[str]) -> None:
    """The fourth phone of the last game once wrote points in a game for two."""
    desk.new("scorepad", "Ada", "Ben", "Cy", "Dee")
    phones = [desk.sit(seat) for seat in range(4)]
    desk.new("scorepad", "Ada", "Ben")
    for gone in phones[2:]:
        assert code(desk.move(gone, kind="score", values={"p0": 9})) == "table/watching"
    assert desk.points() == [0, 0]
    assert dismissed == phones[2:]
    assert list(desk.table.seats.phones) == phones[:2]


def test_the_same_players_sit_on_and_others_get_no_ones_chair(desk: Desk, dismissed: list[str]) -> None:
    """Ada stays where she is; on Ben's chair now sits Cy, whose secrets are not for Ben's phone."""
    desk.new("scorepad", "Ada", "Ben")
    ada, ben = desk.sit(0), desk.sit(1)
    desk.new("skyrise", "Ada", "Cy")
    assert dismissed == [ben]
    assert code(desk.move(ben, kind="leave", seat=1)) == "table/watching"
    assert desk.table.seats.phones[ada].game == desk.state.game_id
    assert desk.move(ada, kind="leave", seat=0).ok


def test_a_name_given_at_the_door_does_not_cost_the_chair(desk: Desk, dismissed: list[str]) -> None:
    """The set-up screen offers the names it was told; the phone has since said another."""
    desk.new("scorepad", "Ada", "Ben")
    ada = desk.sit(0)
    assert desk.admin("name seat", seat=0, name="Adelaide").ok
    desk.new("scorepad", "Ada", "Ben")
    assert desk.move(ada, kind="points", seat=0, points=2).ok
    assert dismissed == []


def test_who_sat_at_a_game_that_was_ended_sits_at_the_next(desk: Desk, dismissed: list[str]) -> None:
    """Newcomer C2. Nobody scans a code twice in an evening: by the name on the screen, given at the door, or shown last."""
    desk.new("scorepad", "Ada", "Ben", "Cleo")
    ada, ben, cleo = (desk.sit(seat) for seat in range(3))
    assert desk.admin("end game").ok
    assert code(desk.move(ada, kind="points", seat=0, points=2)) == "table/no-game"
    desk.new("skytopia", "Ada", "phone 1", "Dee")
    assert dismissed == [cleo]
    assert list(desk.table.seats.phones) == [ada, ben]
    assert [seat.phone for seat in desk.state.seats] == [True, True, False]


def test_who_sat_at_a_game_sits_at_the_next_also_after_a_restart(tmp_path: Path) -> None:
    """The table was switched off between two games."""
    desk = Desk(tmp_path)
    desk.new("scorepad", "Ada", "Ben")
    ada = desk.sit(0)
    assert desk.admin("end game").ok
    desk.journal.close()
    again = Desk(tmp_path)
    again.new("praga", "Ada", "Ben")
    assert list(again.table.seats.phones) == [ada]


def test_a_game_taken_up_again_is_not_played_by_phones_of_the_other(desk: Desk, dismissed: list[str]) -> None:
    """One table, one game at a time, for phones too."""
    desk.new("scorepad", "Cy", "Dee")
    first = desk.state.game_id
    desk.new("scorepad", "Ada", "Ben")
    ada = desk.sit(0)
    assert desk.admin("resume", game=first).ok
    assert code(desk.move(ada, kind="points", seat=0, points=2)) == "table/watching"
    assert dismissed == [ada]


def test_a_power_cut_in_between_seats_nobody_at_the_wrong_game(tmp_path: Path) -> None:
    """The new game is on disk and who sits on is not: after the start only its own phones play."""
    desk = Desk(tmp_path)
    desk.new("scorepad", "Ada", "Ben")
    ada = desk.sit(0)
    desk.table.seats.follow = lambda game, chairs: []  # type: ignore[method-assign]
    desk.new("scorepad", "Cy", "Dee")
    desk.journal.close()
    again = Desk(tmp_path)
    assert again.table.seats.phones == {}
    assert code(again.move(ada, kind="points", seat=0, points=2)) == "table/watching"


def test_who_sat_down_under_an_older_version_plays_on(tmp_path: Path) -> None:
    """An update in the middle of a game costs nobody the chair."""
    desk = Desk(tmp_path)
    desk.new()
    ada = desk.sit(0)
    desk.table.seats.phones[ada] = msgspec.structs.replace(desk.table.seats.phones[ada], game="")
    desk.table.seats._write(msgspec.to_builtins(desk.table.seats.phones[ada]))
    desk.journal.close()
    again = Desk(tmp_path)
    assert again.move(ada, kind="points", seat=0, points=2).ok


def test_phones_keep_their_seats_however_often_the_core_starts_anew(tmp_path: Path) -> None:
    """Who sits where is no game that could not go on: nothing is put away, nothing said, and Ada plays after each start."""
    desk = Desk(tmp_path)
    desk.new("scorepad", "Ada", "Ben")
    ada = desk.sit(0)
    for start in range(3):
        desk.journal.close()
        desk = Desk(tmp_path)
        assert desk.table.notices == ()
        assert desk.request(ada, id=f"after-{start}", move={"kind": "points", "seat": 0, "points": 1}).ok
    assert desk.points() == [3, 0]


def test_who_watched_the_last_game_is_shown_out_also_after_a_restart(table: Run) -> None:
    """The core forgets its watchers when it starts anew; the broker does not, and is asked."""
    display = table.client()
    display.listen("health/companion")
    display.new_game("scorepad")
    me = join(table, display, None)
    watcher = Stranger(table.place.config().broker.websocket_port, me["user"], me["password"], websocket=True)
    assert watcher.inside
    display.heard.clear()
    os.kill(table.children()["companion"], signal.SIGKILL)
    display.until(lambda: getattr(display.last(Health), "status", "") == "offline", 20, "the core is away")
    display.until(lambda: getattr(display.last(Health), "status", "") == "online", 20, "the core is back")
    display.until(lambda: display.last(State) and display.last(State).phase == "playing", 20, "the game")
    assert watcher.inside, "who watches watches on"
    assert display.ask("admin", Admin(id="end", client="display", command="end game")).ok
    until(lambda: not watcher.client.is_connected(), 10, "the watcher is shown out")
    watcher.close()
    again = Stranger(table.place.config().broker.websocket_port, me["user"], me["password"], websocket=True)
    assert not again.inside
    again.close()
    assert display.last(JoinInfo) is not None


def test_the_same_game_is_proposed_with_its_rules_and_the_next_one_begins(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Newcomer C2: the set-up fell back to another game. Who begins moves on once it was played to its end, and not before."""
    desk = Desk(tmp_path)
    desk.new("yacht", "Ada", "Ben", "Cleo", first=1)
    assert desk.prompt.ask.seat == 1
    assert desk.admin("end game").ok
    assert proposed(desk) == ("yacht", {}, 1), "it was only put away"
    monkeypatch.setattr(desk.table.packs["scorepad"], "starts", True)
    for first, then in ((0, 1), (1, 2), (2, 0)):
        desk.new("scorepad", "Ada", "Ben", "Cleo", first=first, title="Rummikub", rounds=4)
        assert desk.move(kind="end").ok
        assert desk.admin("end game").ok
        assert proposed(desk) == ("scorepad", RUMMIKUB, then)
    desk.journal.close()
    assert proposed(Desk(tmp_path)) == ("scorepad", RUMMIKUB, 0), "also after a restart"


RUMMIKUB = {"title": "Rummikub", "rounds": 4}


def proposed(desk: Desk) -> tuple[str, dict[str, Any], int]:
    lobby = desk.state.lobby
    assert lobby is not None
    assert lobby.again is not None
    return lobby.again.game, lobby.again.options, lobby.again.first


@pytest.mark.parametrize("options", [[], {"first": "x"}, {"first": 9}, {"title": {"a": 1}}, {"title": "x" * 9000}])
def test_a_first_row_somebody_forged_proposes_nothing(desk: Desk, options: Any) -> None:
    body = {"pack": "scorepad", "options": options, "seats": [{}, {}]}
    desk.journal.append("g-forged", "new", body, sender="display")
    assert again(desk.journal, desk.table.packs) is None


@pytest.mark.parametrize("game", ["skytopia", "praga", "yacht", "farkle"])
@pytest.mark.parametrize("depth", ["full", "light"])
def test_whoever_the_set_up_says_begins(game: str, depth: str) -> None:
    """Seats stay where they are: the one who begins is another."""
    pack = find_pack(game)
    ready = {"guilds": ["mechanics", "merchants", "artists"], "cities": [0, 1, 2], "abilities": ["T1A", "T2A", "T3A"]}
    state = pack.new({"names": ["Ada", "Ben", "Cleo"], "depth": depth, "first": 2, **ready}, {})
    chance, asked = random.Random(3), list[int]()
    for _ in range(200):
        seat = pack.ask(state).seat
        asked += [seat] if seat is not None and seat not in asked else []
        if len(asked) == 2:
            break
        state = pack.play(state, chance.choice(pack.moves(state))).state
    assert asked == [2, 0]
    for wrong in (3, -1, True, "1"):
        with pytest.raises(ValueError, match="first"):
            pack.new({"names": ["Ada", "Ben", "Cleo"], "depth": depth, "first": wrong}, {})
