"""Robots at Praga make nothing up: what only eyes at the table can tell is asked of people, for a robot's board too."""

from __future__ import annotations

import msgspec
import pytest

from companion.games.praga import final, moves, pack
from companion.games.praga.state import Pending
from tests.companion.praga.a_table import KNOWN, READ, a_table, choose_free, outcome, play


def with_robot(box=None, **board):
    """Two seats, the second a robot's."""
    return msgspec.structs.replace(a_table(2, box=box, **board), robots=(1,))


def test_the_game_knows_which_seats_robots_play():
    """The table says it with the other options; the view of no player shows it."""
    assert pack.new({"names": ["A", "B", "C"], "robots": [1, 2]}, {}).robots == (1, 2)


@pytest.mark.parametrize(
    ("kind", "what"),
    [("resource", "gold-6"), ("technology", "1"), ("token", "mines"), ("final", "bridge"), ("plaza", "1:upper"),
     ("good", "wall-icon")],
)  # fmt: skip
def test_people_say_for_a_robot_what_lies_on_the_table(kind, what):
    """It has no move, so everybody is asked; for a person the same question has answers to try."""
    for seat, answered in ((0, True), (1, False)):
        state = msgspec.structs.replace(with_robot(), turn=seat + 2, pending=(Pending(kind, seat, 0, what),))
        assert bool(pack.moves(state)) == answered
        assert pack.ask(state).seat == seat
        assert pack.ask(state).choices or pack.ask(state).form


def test_a_robot_takes_what_its_copy_has_shown():
    """A plaza's tile that was seen is a reward it can pick, and nothing else."""
    state = with_robot(box=KNOWN)
    state = msgspec.structs.replace(state, pending=(Pending("plaza", 1, 0, "1:"),))

    assert pack.moves(state)
    assert all(move.tile for move in pack.moves(state))


def test_printed_numbers_of_a_robots_board_are_asked_of_people():
    """The form of its position waits for somebody to read them; where the copy knows them it confirms by itself."""
    state = msgspec.structs.replace(with_robot(box={"clock.turns": 1}), turn=2)
    state = play(state, {"kind": "correct", "seat": 0, "values": {"gold": 2}})
    state = play(state, {"kind": "sheet", "seat": 0, "values": READ})
    assert final.unread(state, 1) == (), "read off for a person, they are known for the robot"
    assert [move.seat for move in pack.moves(state)] == [1]

    higher = msgspec.structs.replace(state.boards[1], wall_row=4)
    state = msgspec.structs.replace(state, boards=(state.boards[0], higher))
    assert pack.moves(state) == ()
    assert (pack.ask(state).seat, [field.id for field in pack.ask(state).form.fields if field.value is None]) == (
        1,
        ["wall_row"],
    )
    assert pack.over(play(state, {"kind": "sheet", "seat": 1, "values": {"wall_row": 7}}))


def test_nobody_invents_a_tile_for_a_robot():
    """On a copy of which nothing was seen it mines, quarries, walks the road and moves on."""
    state = with_robot()
    tile = state.crane.at(5)
    state = msgspec.structs.replace(state, turn=1)
    offered = pack.moves(play(state, {"kind": "choose", "tile": tile}))

    assert {move.action for move in offered if isinstance(move, moves.Act)} == {"mines", "quarries", "road"}
    assert not [move for move in offered if isinstance(move, moves.Begin)]


def test_a_robots_tile_and_plaza_are_said_so_that_hands_can_find_them():
    """The tile by its price, the plaza by its number and town; a number of the box alone tells nobody anything."""
    state = a_table(2, "full", {**KNOWN, "tiles.a.5": ["unknown", "unknown"]}, gold=9, stone=9)
    tile, shown = next((i, one) for i, one in enumerate(KNOWN["hex.building"], 1) if one["era"] == 1)
    begun = play(choose_free(state), {"kind": "begin", "action": "building", "tile": tile, "plaza": 2})
    said = {event.kind: event.text for event in outcome(begun, {"kind": "act", "action": "building"}).events}

    cost = sum(n for name, n in shown.items() if name.startswith("cost_"))
    assert [one.params["n"] for one in said["took"].params["cost"]] == [cost]
    where = said["claimed" if shown["place"] == "claim" else "built"].params["where"]
    assert (where.key, where.params["number"]) == ("praga/plaza/in", 2)
    assert "number" not in pack.describe(pack.decode({"kind": "act", "action": "wall", "tile": 3})).params
