"""The worked examples of the rules, §13, one test each."""

import pytest
from skytopia_table import faces, legal, offered, play, refusal, skip_to, slot, table

from companion.games.skytopia import chronometer, guilds, pack
from companion.games.skytopia.printed import GUILDS, numbers

rule = pytest.mark.rule


@rule("X1")
def test_the_first_golem_goes_on_the_row_1_card_of_the_tiles_colour_free_and_without_activation():
    options = {"names": ["A", "B"], "guilds": GUILDS[::4], "cities": [0, 1], "abilities": ["T2A", "T1A"]}
    state = play(pack.new(options, {}), {"kind": "deal"})
    assert refusal(state, {"kind": "start", "seat": 0, "slot": "blue-1"}).code == "skytopia/wrong-start"
    state = play(state, {"kind": "start", "seat": 0, "slot": "gold-1"})
    assert faces(state, "gold-1") == [(0, 5)]
    assert state.players[0].coins == 5
    assert state.players[0].home == 4
    assert offered(state) == "start"


@rule("X2")
def test_finishing_gives_the_card_and_the_golem_and_compensates_the_others():
    state = table({"gold-1": [(0, 1), (1, 3), (2, 4)]}, players=3, build=1)
    card = slot(state, "gold-1").card
    state = play(state, {"kind": "finish", "seat": 0, "slot": "gold-1"})
    assert state.players[0].towers[1] == (card,)
    assert [p.coins for p in state.players] == [5, 8, 8]
    assert [p.home for p in state.players] == [5, 5, 5]


@rule("X3")
def test_each_tower_finished_into_is_activated_once_base_first_then_upward():
    dice = {"blue-1": [(0, 1)], "blue-2": [(0, 1)], "red-1": [(0, 1)]}
    cards = {"blue-1": "B2a", "blue-2": "B3a", "red-1": "R4a"}
    state = table(dice, cards=cards, coins=(9, 5))
    for name in ("blue-2", "blue-1", "red-1"):
        state = play(state, {"kind": "finish", "seat": 0, "slot": name})
    assert [move["tower"] for move in legal(state, "activate")] == ["blue", "red"]
    assert refusal(state, {"kind": "activate", "seat": 0, "tower": "gold"}).code == "skytopia/tower-not-ready"
    state = play(state, {"kind": "activate", "seat": 0, "tower": "blue"})
    seen = []
    while offered(state) not in ("towers", "assign"):
        seen.append(offered(state))
        state = play(state, {"kind": "skip", "seat": 0})
    assert seen == ["base-blue", "B3", "B2"]
    assert [move["tower"] for move in legal(state, "activate")] == ["red"]
    state = play(state, {"kind": "activate", "seat": 0, "tower": "red"})
    assert offered(state) == "base-red"
    state = play(state, {"kind": "skip", "seat": 0})
    assert offered(state) == "R4"
    state = play(state, {"kind": "skip", "seat": 0})
    assert offered(state) == "assign"


@rule("X4")
def test_the_dearer_golem_wins_the_race_and_the_other_is_compensated():
    cards = {"gold-1": "G2a"}
    state = table(cards=cards, coins=(5, 6), abilities=("T1A", "T4A"), build=1)
    state = play(state, {"kind": "place", "seat": 0, "slot": "gold-1", "face": 2})
    assert state.players[0].coins == 5
    state = play(state, {"kind": "use", "seat": 0})
    assert state.players[0].coins == 7
    state = play(state, {"kind": "place", "seat": 1, "slot": "gold-1", "face": 5})
    assert state.players[1].coins == 0
    state = play(state, {"kind": "use", "seat": 1}, {"kind": "turn_dial"})
    assert state.build == 6
    state = skip_to(state, "dial")
    state = skip_to(play(state, {"kind": "turn_dial"}), "finish")
    assert state.build == 5
    assert state.turn == 1
    before = state.players[0]
    state = play(state, {"kind": "finish", "seat": 1, "slot": "gold-1"})
    assert state.players[1].towers[1] == ("G2a",)
    assert state.players[0].coins == before.coins + 3
    assert state.players[0].home == before.home + 1
    assert [move["tower"] for move in legal(state, "activate")] == ["gold"]


@rule("X6")
def test_the_prices_are_those_of_the_table():
    table_of_prices = {
        1: (-1, 0, 1, 3, 6, 10),
        6: (0, 1, 3, 6, 10, -1),
        5: (1, 3, 6, 10, -1, 0),
        4: (3, 6, 10, -1, 0, 1),
        3: (6, 10, -1, 0, 1, 3),
        2: (10, -1, 0, 1, 3, 6),
    }
    printed = numbers({})
    assert printed.prices[1:] == (10, 6, 3, 1, 0)
    for build, row in table_of_prices.items():
        assert printed.price[build][1:] == row
    assert numbers({"chronometer.dir": 1}).price[1][1:] == (-1, 10, 6, 3, 1, 0)


@rule("X7")
def test_an_empty_city_still_pleases_most_guild_masters():
    printed = numbers({})
    empty = guilds.skyline(printed, 0, ((), (), (), ()))
    points = [guilds.praise(printed, guild, empty).points for guild in GUILDS]
    assert points == [1, 0, 3, 3, 3, 3, 3, 3, 3, 3, 3, 3]


@rule("X8")
@pytest.mark.parametrize(("finished", "points"), [(1, 0), (2, 1)])
def test_the_tile_of_two_cards_pays_for_two_cards(finished, points):
    dice = {name: [(0, 1)] for name in ("blue-1", "gold-1")[:finished]}
    state = table(dice, abilities=("T4A", "T1B"), cards={"blue-1": "B1a", "gold-1": "G1a"})
    for name in dice:
        state = play(state, {"kind": "finish", "seat": 0, "slot": name})
    state = play(state, {"kind": "skip", "seat": 0})
    assert offered(state) == "assign"
    assert state.players[0].points == points


@rule("X9")
@pytest.mark.parametrize(("players", "orders"), [(4, ["0123", "3012", "2301", "1230"]), (2, ["01", "10", "01", "10"])])
def test_the_marker_goes_to_the_right_so_the_last_player_opens_the_next_round(players, orders):
    state = table(players=players, round_=1)
    played = []
    while len(played) < 4:
        order = ""
        while offered(state) != "dial":
            state = skip_to(state, "assign") if offered(state) != "assign" else state
            order += str(state.turn)
            seat, round_ = state.turn, state.round
            while (state.turn, state.round) == (seat, round_) and offered(state) != "dial":
                top = state.stack[-1].kind
                passes = top in ("effect", "towers", "ability", "close")
                state = (
                    play(state, {"kind": "skip", "seat": seat})
                    if passes
                    else pack.play(state, pack.moves(state)[0]).state
                )
        played.append(order)
        state = play(state, {"kind": "turn_dial"})
    assert played == orders


@rule("X10")
@pytest.mark.parametrize(
    ("added", "then"),
    [("red-2", ["V2", "towers", "base-red"]), ("violet-2", ["V2", "V2"]), ("gold-1", ["V2", "towers", "base-red"])],
)
def test_a_card_added_while_violet_is_activated(added, then):
    dice = {"violet-1": [(0, 1)], "red-1": [(0, 1)], "blue-2": [(0, 4)]}
    cards = {"violet-1": "V2a", "violet-2": "V2b", "red-1": "R4a", "red-2": "R3a", "gold-1": "G2a"}
    state = table(dice, cards=cards, towers={0: {"violet": ["V1a"]}}, abilities=("T4A", "T1B"), coins=(0, 5))
    state = play(
        state,
        {"kind": "finish", "seat": 0, "slot": "violet-1"},
        {"kind": "finish", "seat": 0, "slot": "red-1"},
        {"kind": "activate", "seat": 0, "tower": "violet"},
    )
    if offered(state) == "base-violet":
        state = play(state, {"kind": "skip", "seat": 0})
    assert offered(state) == "V1"
    state = play(state, {"kind": "take", "seat": 0, "slot": "blue-2", "face": 4})
    state = play(state, {"kind": "add", "seat": 0, "slot": added})
    seen = []
    while offered(state) not in ("assign",):
        seen.append(offered(state))
        if offered(state) == "towers":
            state = play(state, {"kind": "activate", "seat": 0, "tower": "red"})
        else:
            state = play(state, {"kind": "skip", "seat": 0})
    assert seen[: len(then)] == then
    if added == "red-2":
        assert "R4" in seen
        assert state.players[0].towers[2] == ("R4a", "R3a")
    assert state.players[0].points == 1, "the card added counts for the tile of two cards"


@rule("X10")
def test_a_red_card_added_after_red_was_activated_is_not_reached():
    dice = {"violet-1": [(0, 1)], "red-1": [(0, 1)], "blue-2": [(0, 4)]}
    cards = {"violet-1": "V3a", "red-1": "R4a", "red-2": "R2a"}
    state = table(dice, cards=cards, towers={0: {"violet": ["V1a"]}}, coins=(0, 5))
    state = play(
        state,
        {"kind": "finish", "seat": 0, "slot": "violet-1"},
        {"kind": "finish", "seat": 0, "slot": "red-1"},
        {"kind": "activate", "seat": 0, "tower": "red"},
        {"kind": "skip", "seat": 0},
        {"kind": "skip", "seat": 0},
        {"kind": "activate", "seat": 0, "tower": "violet"},
    )
    if offered(state) == "base-violet":
        state = play(state, {"kind": "skip", "seat": 0})
    state = play(
        state, {"kind": "take", "seat": 0, "slot": "blue-2", "face": 4}, {"kind": "add", "seat": 0, "slot": "red-2"}
    )
    assert offered(state) == "assign"


def test_steps_and_faces_agree():
    for direction in (-1, 1):
        for build in range(1, 7):
            for left in range(1, 6):
                face = chronometer.value_for(left, build, direction)
                assert chronometer.steps(face, build, direction) == left
                for by in range(left):
                    turned = chronometer.rotated(face, by, direction)
                    assert chronometer.steps(turned, build, direction) == left - by
